//! `learn`: traces in, one commit a file, and the report of what came of it.
//!
//! Decides what ends the work: a store that fails does. A file that fails does not, and is told where it was named or
//! cannot be read.

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anstyle::Style;
use hardwon_core::env::RecordId;
use hardwon_core::op::{Input, Learned, Output, Tally, Worded};
use hardwon_core::trace::{Format, ReadLimits, Reader};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use super::args::{Global, Learn};
use super::console::{BAD, Console, DIM, GOOD, NOTE, count, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::failure::{Exit, Failure, Report};
use super::model;
use super::read::with_verb;
use super::record::{self, short};
use super::sources::{Source, Sources};
use super::table::Table;
use super::words;
use crate::hook::repo::identity;

/// Up to this many files have a row each in the report.
const ROWS: usize = 12;
/// How many lessons, and how many bad lines, a report shows.
const SHOWN: usize = 5;
/// Why a trace that was read before teaches nothing, even if its lessons are gone.
const ONCE: &str = "\
A session teaches once. To have back what was forgotten: hardwon restore ID; what was undone: hardwon undo of that undo.
";
/// From so many bytes or files on, work is long enough for a progress bar.
const LONG_BYTES: u64 = 8 << 20;
const LONG_FILES: usize = 50;

/// What came of all sources.
#[derive(Debug, Default)]
struct Summary {
    files: Vec<(String, Learned)>,
    failed: Vec<(String, Report)>,
    /// Whether the last failure was the store's, so that the sources after it were not tried.
    ended: bool,
    /// Files met while walking that are no traces.
    not_traces: u32,
    total: Learned,
    records: BTreeSet<RecordId>,
    notices: BTreeSet<String>,
}

pub(super) fn learn(global: &Global, args: &Learn, console: Console) -> Result<Exit, Failure> {
    let model = model::model(&args.model)?;
    let sources = Sources::find(&args.paths);
    if args.session.is_some() && sources.list.len() > 1 {
        return Err(Failure::usage("usage.session", "--session names one run; give one file with it"));
    }
    let mut summary =
        Summary { not_traces: sources.others, failed: sources.failed.clone(), ..Summary::default() };
    if sources.list.is_empty() && !sources.failed.is_empty() {
        return report(&summary, &[], console);
    }
    let mut limit = 0;
    let mut engine =
        Engine::open_with(global, Access::Write, console, |policy| limit = policy.limits.trace_bytes)?;
    if let Some(model) = model {
        engine.set_model(model);
    }
    if args.paths.is_empty() {
        let learned = run(&mut engine, args, None)?;
        summary.take("live traces".into(), learned);
    }
    let bar = progress(&sources, console);
    for source in &sources.list {
        bar.set_message(one_line(&source.name()));
        match one(&mut engine, args, source, limit) {
            Ok(learned) => summary.take(source.name(), learned),
            Err(Failure::Error(report)) => summary.miss(source, report),
            Err(closed) => return Err(closed),
        }
        if summary.ended {
            break;
        }
        bar.inc(source.size());
    }
    bar.finish_and_clear();
    let lessons = match lessons(&mut engine, &summary.records) {
        Err(_) if summary.ended => Vec::new(),
        lessons => lessons?,
    };
    report(&summary, &lessons, console)
}

/// Learns from one source.
fn one(engine: &mut Engine, args: &Learn, source: &Source, limit: u64) -> Result<Learned, Failure> {
    let read = source.read(limit)?;
    let lost = read.not_utf8.len();
    let mut learned = run(engine, args, Some(read.text)).map_err(|failure| {
        let name = source.name();
        match read.not_utf8.first() {
            Some(line) => failure.about(&format!(
                "{name}, read without {} that are not UTF-8 (first line {line})",
                count(lost as u64, "line")
            )),
            None => failure.about(&name),
        }
    })?;
    if lost > 0 {
        learned.bad_lines.insert("not_utf8".into(), lost as u32);
        learned.bad.extend(read.not_utf8.iter().take(SHOWN).map(|n| format!("line {n}: it is not UTF-8")));
    }
    Ok(learned)
}

fn run(engine: &mut Engine, args: &Learn, data: Option<String>) -> Result<Learned, Failure> {
    let repositories = match &data {
        Some(text) if args.scope_from_trace => repositories(text, args.format),
        _ => BTreeMap::new(),
    };
    let input = hardwon_core::op::Learn {
        data,
        format: args.format,
        session_id: args.session.clone(),
        observed: None,
        scope: args.scope.given(),
        scope_from_trace: args.scope_from_trace,
        repositories,
        model: args.model.model.is_some(),
        actor: args.by.actor.clone(),
    };
    match engine.run(Input::Learn(input))? {
        Output::Learned(learned) => Ok(learned),
        _ => Err(wrong_answer("learn")),
    }
}

/// What git says of the working directories that a trace names and this machine has: what hooks would say there.
fn repositories(text: &str, format: Option<Format>) -> BTreeMap<String, String> {
    let mut reader = Reader::new(format, ReadLimits::default());
    reader.push(text.as_bytes());
    let traces = reader.finish().map(|reading| reading.traces).unwrap_or_default();
    let directories: BTreeSet<String> = traces.into_iter().filter_map(|trace| trace.cwd).collect();
    let named = |directory: String| identity(Path::new(&directory)).map(|name| (directory, name));
    directories.into_iter().filter_map(named).collect()
}

impl Summary {
    fn take(&mut self, name: String, learned: Learned) {
        let total = &mut self.total;
        total.sessions += learned.sessions;
        total.known += learned.known;
        total.events += learned.events;
        total.signals += learned.signals;
        total.drafted += learned.drafted;
        total.inserted += learned.inserted;
        total.merged += learned.merged;
        total.promoted += learned.promoted;
        total.quarantined += learned.quarantined;
        add(&mut total.skipped, &learned.skipped);
        add(&mut total.bad_lines, &learned.bad_lines);
        if let Some(one) = &learned.model {
            let sum = total.model.get_or_insert_with(Worded::default);
            sum.model.clone_from(&one.model);
            sum.asked += one.asked;
            sum.worded += one.worded;
            add(&mut sum.unused, &one.unused);
        }
        self.records.extend(&learned.records);
        self.notices.extend(learned.notices.iter().cloned());
        self.files.push((name, learned));
    }

    /// Notes a source that could not be learned, and whether going on makes sense.
    fn miss(&mut self, source: &Source, report: Report) {
        let is_no_trace = matches!(report.code.as_str(), "invalid.format" | "file.binary");
        if is_no_trace && !source.is_named() {
            self.not_traces += 1;
            return;
        }
        self.ended = !matches!(report.exit, Exit::Input | Exit::NotFound);
        self.failed.push((source.name(), report));
    }
}

fn add(sum: &mut Tally, more: &Tally) {
    for (reason, n) in more {
        *sum.entry(reason.clone()).or_default() += n;
    }
}

fn progress(sources: &Sources, console: Console) -> ProgressBar {
    let is_long = sources.bytes >= LONG_BYTES || sources.list.len() >= LONG_FILES;
    if !is_long || !console.shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(sources.bytes), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {bytes:>10} of {total_bytes:<10} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

fn report(summary: &Summary, lessons: &[String], console: Console) -> Result<Exit, Failure> {
    for notice in &summary.notices {
        console.notice(notice);
    }
    console.confirm(|| json_of(summary), || text_of(summary, lessons))?;
    for (_, report) in &summary.failed {
        console.error(report);
    }
    let first = if summary.ended { summary.failed.last() } else { summary.failed.first() };
    Ok(first.map_or(Exit::Done, |(_, report)| report.exit))
}

/// The lessons touched that are worth a line: those that came back most often first.
fn lessons(engine: &mut Engine, touched: &BTreeSet<RecordId>) -> Result<Vec<String>, Failure> {
    let mut records = Vec::new();
    for &id in touched {
        records.push(engine.record(id)?);
    }
    records.sort_by_key(|one| (core::cmp::Reverse((one.tier, one.hits())), one.id));
    Ok(records.iter().take(SHOWN).map(record::line).collect())
}

fn json_of(summary: &Summary) -> Value {
    let file = |(path, learned): &(String, Learned)| {
        let mut value = with_verb("learn", learned);
        if let Value::Object(fields) = &mut value {
            fields.remove("verb");
            fields.insert("path".into(), json!(path));
        }
        value
    };
    let failed = |(path, report): &(String, Report)| json!({ "path": path, "code": report.code, "message": report.message });
    let total = &summary.total;
    let mut value = json!({
        "verb": "learn",
        "files": summary.files.iter().map(file).collect::<Vec<_>>(),
        "failed": summary.failed.iter().map(failed).collect::<Vec<_>>(),
        "not_traces": summary.not_traces,
        "total": {
            "files": summary.files.len(), "sessions": total.sessions, "known": total.known, "events": total.events,
            "signals": total.signals, "drafted": total.drafted, "inserted": total.inserted, "merged": total.merged,
            "promoted": total.promoted, "quarantined": total.quarantined, "skipped": total.skipped, "bad_lines": total.bad_lines,
        },
    });
    if let Some(model) = &total.model {
        value["total"]["model"] = json!(model);
    }
    value
}

fn text_of(summary: &Summary, lessons: &[String]) -> String {
    let mut out = String::new();
    if summary.files.is_empty() && !summary.failed.is_empty() {
        return out;
    }
    if (2..=ROWS).contains(&summary.files.len()) {
        out.push_str(&rows(&summary.files));
    }
    let total = &summary.total;
    let _ = writeln!(
        out,
        "{}, {}, {}: {}.",
        count(summary.files.len() as u64, "file"),
        count(total.events, "event"),
        count(total.signals, "signal"),
        styled(outcome_style(total), &outcome(total)),
    );
    out.push_str(&losses(summary));
    if let Some(model) = &total.model {
        out.push_str(&worded(model));
    }
    if !lessons.is_empty() {
        let _ = writeln!(out, "\n{}", lessons.join("\n"));
    }
    if summary.records.len() > lessons.len() {
        out.push_str(&styled(
            DIM,
            &format!("and {} more: hardwon list\n", summary.records.len() - lessons.len()),
        ));
    }
    out
}

fn rows(files: &[(String, Learned)]) -> String {
    let mut table = Table::new(&[]);
    for (path, learned) in files {
        table.row(vec![
            (Style::new(), path.clone()),
            (DIM, learned.format.clone()),
            (DIM, count(learned.events, "event")),
            (DIM, learned.op.as_ref().map(short).unwrap_or_default()),
            (outcome_style(learned), outcome(learned)),
        ]);
    }
    format!("{}\n", table.render())
}

fn outcome(learned: &Learned) -> String {
    let mut parts = Vec::new();
    if learned.inserted > 0 {
        parts.push(format!("{} new", learned.inserted));
    }
    if learned.merged > 0 {
        parts.push(format!("{} confirmed", learned.merged));
    }
    if learned.promoted > 0 {
        parts.push(format!("{} now strategic", learned.promoted));
    }
    if learned.quarantined > 0 {
        parts.push(format!("{} waiting for review", learned.quarantined));
    }
    if parts.is_empty() {
        parts.push(if all_known(learned) { "read before".into() } else { "nothing to learn".into() });
    }
    parts.join(", ")
}

fn all_known(learned: &Learned) -> bool {
    learned.known > 0 && learned.known >= learned.sessions
}

fn outcome_style(learned: &Learned) -> Style {
    match (learned.promoted, learned.inserted + learned.merged) {
        (0, 0) => DIM,
        (0, _) => NOTE,
        _ => GOOD,
    }
}

/// What taught nothing, what could not be read, what is no trace.
fn losses(summary: &Summary) -> String {
    let mut out = String::new();
    let total = &summary.total;
    if !total.skipped.is_empty() {
        let _ = writeln!(out, "Taught nothing: {}.", tally(&total.skipped, words::skipped));
    }
    if all_known(total) && summary.records.is_empty() {
        out.push_str(&styled(DIM, ONCE));
    }
    if !total.bad_lines.is_empty() {
        let n: u32 = total.bad_lines.values().sum();
        let _ = writeln!(
            out,
            "{} {}: {}.",
            styled(BAD, "Left out"),
            count(n, "line"),
            tally(&total.bad_lines, words::bad_line)
        );
        let lines: Vec<_> = summary
            .files
            .iter()
            .flat_map(|(path, learned)| learned.bad.iter().map(move |bad| (path, bad)))
            .take(SHOWN)
            .collect();
        for (path, bad) in &lines {
            let _ = writeln!(out, "  {}, {}", one_line(path), one_line(bad));
        }
        if n as usize > lines.len() {
            let _ = writeln!(out, "  {}", styled(DIM, &format!("and {} more", n as usize - lines.len())));
        }
    }
    if summary.not_traces > 0 {
        let verb = if summary.not_traces == 1 { "is" } else { "are" };
        let _ = writeln!(out, "{} {verb} no trace.", count(summary.not_traces, "other file"));
    }
    out
}

/// Whose words the new lessons are in.
fn worded(model: &Worded) -> String {
    let by = if model.model.is_empty() { "the model" } else { &model.model };
    let mut out =
        format!("{} of {} in words of {}", model.worded, count(model.asked, "answer"), one_line(by));
    if !model.unused.is_empty() {
        let _ = write!(out, "; not used: {}", tally(&model.unused, words::unused));
    }
    out.push_str(".\n");
    out
}

fn tally(tally: &BTreeMap<String, u32>, words: fn(&str) -> &str) -> String {
    tally.iter().map(|(reason, n)| format!("{n} {}", words(reason))).collect::<Vec<_>>().join(", ")
}

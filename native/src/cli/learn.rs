//! `learn`: traces in, one commit a file, and the report of what came of it.
//!
//! Decides what is fatal: a store that fails is, a file that is no trace is so only where it was named.

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};

use anstyle::Style;
use hardwon_core::env::RecordId;
use hardwon_core::op::{Input, Learned, Output, Tally};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use super::args::{Global, Learn};
use super::console::{BAD, Console, DIM, GOOD, NOTE, count, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::failure::{Exit, Failure, Report};
use super::read::with_verb;
use super::record::{self, short};
use super::sources::{Source, Sources};
use super::table::Table;

/// Up to this many files have a row each in the report.
const ROWS: usize = 12;
/// How many lessons, and how many bad lines, a report shows.
const SHOWN: usize = 5;
/// From so many bytes or files on, work is long enough for a progress bar.
const LONG_BYTES: u64 = 8 << 20;
const LONG_FILES: usize = 50;

/// What came of all sources.
#[derive(Debug, Default)]
struct Summary {
    files: Vec<(String, Learned)>,
    failed: Vec<(String, Report)>,
    /// Files met while walking that are no traces.
    not_traces: u32,
    total: Learned,
    records: BTreeSet<RecordId>,
    notices: BTreeSet<String>,
}

pub(super) fn learn(global: &Global, args: &Learn, console: Console) -> Result<Exit, Failure> {
    let sources = Sources::find(&args.paths)?;
    if args.session.is_some() && sources.list.len() > 1 {
        return Err(Failure::usage("usage.session", "--session names one run; give one file with it"));
    }
    let mut limit = 0;
    let mut engine =
        Engine::open_with(global, Access::Write, console, |policy| limit = policy.limits.trace_bytes)?;
    let mut summary = Summary { not_traces: sources.others, ..Summary::default() };
    if args.paths.is_empty() {
        let learned = run(&mut engine, args, None)?;
        summary.take("live traces".into(), learned);
    }
    let bar = progress(&sources, console);
    for source in &sources.list {
        bar.set_message(one_line(&source.name()));
        match one(&mut engine, args, source, limit) {
            Ok(learned) => summary.take(source.name(), learned),
            Err(Failure::Error(report)) => summary.miss(source, report)?,
            Err(closed) => return Err(closed),
        }
        bar.inc(source.size());
    }
    bar.finish_and_clear();
    report(&mut engine, &summary, console)
}

/// Learns from one source.
fn one(engine: &mut Engine, args: &Learn, source: &Source, limit: u64) -> Result<Learned, Failure> {
    let read = source.read(limit)?;
    let mut learned = run(engine, args, Some(read.text))?;
    if !read.not_utf8.is_empty() {
        learned.bad_lines.insert("not_utf8".into(), read.not_utf8.len() as u32);
        learned.bad.extend(read.not_utf8.iter().take(SHOWN).map(|n| format!("line {n}: it is not UTF-8")));
    }
    Ok(learned)
}

fn run(engine: &mut Engine, args: &Learn, data: Option<String>) -> Result<Learned, Failure> {
    let input = hardwon_core::op::Learn {
        data,
        format: args.format,
        session_id: args.session.clone(),
        observed: None,
        scope: args.scope.given(),
        actor: args.by.actor.clone(),
    };
    match engine.run(Input::Learn(input))? {
        Output::Learned(learned) => Ok(learned),
        _ => Err(wrong_answer("learn")),
    }
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
        add(&mut total.skipped, &learned.skipped);
        add(&mut total.bad_lines, &learned.bad_lines);
        self.records.extend(&learned.records);
        self.notices.extend(learned.notices.iter().cloned());
        self.files.push((name, learned));
    }

    /// Notes a source that could not be learned, or ends where going on makes no sense.
    fn miss(&mut self, source: &Source, report: Report) -> Result<(), Failure> {
        let is_no_trace = matches!(report.code.as_str(), "invalid.format" | "file.binary");
        match report.exit {
            _ if is_no_trace && !source.is_named() => self.not_traces += 1,
            Exit::Input | Exit::NotFound => self.failed.push((source.name(), report)),
            _ => return Err(Failure::Error(report)),
        }
        Ok(())
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

fn report(engine: &mut Engine, summary: &Summary, console: Console) -> Result<Exit, Failure> {
    for notice in &summary.notices {
        console.notice(notice);
    }
    let lessons = lessons(engine, &summary.records)?;
    console.confirm(|| json_of(summary), || text_of(summary, &lessons))?;
    let Some((_, first)) = summary.failed.first() else { return Ok(Exit::Done) };
    for (_, report) in &summary.failed {
        console.error(report);
    }
    Ok(first.exit)
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
    json!({
        "verb": "learn",
        "files": summary.files.iter().map(file).collect::<Vec<_>>(),
        "failed": summary.failed.iter().map(failed).collect::<Vec<_>>(),
        "not_traces": summary.not_traces,
        "total": {
            "files": summary.files.len(), "sessions": total.sessions, "known": total.known, "events": total.events,
            "signals": total.signals, "drafted": total.drafted, "inserted": total.inserted, "merged": total.merged,
            "promoted": total.promoted, "skipped": total.skipped, "bad_lines": total.bad_lines,
        },
    })
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
    if parts.is_empty() {
        let all_known = learned.known > 0 && learned.known >= learned.sessions;
        parts.push(if all_known { "known already".into() } else { "nothing to learn".into() });
    }
    parts.join(", ")
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
        let _ = writeln!(out, "Taught nothing: {}.", tally(&total.skipped));
    }
    if !total.bad_lines.is_empty() {
        let _ = writeln!(out, "{} {}.", styled(BAD, "Bad lines:"), tally(&total.bad_lines));
        let lines =
            summary.files.iter().flat_map(|(path, learned)| learned.bad.iter().map(move |bad| (path, bad)));
        for (path, bad) in lines.take(SHOWN) {
            let _ = writeln!(out, "  {path}, {}", one_line(bad));
        }
    }
    if summary.not_traces > 0 {
        let verb = if summary.not_traces == 1 { "is" } else { "are" };
        let _ = writeln!(out, "{} {verb} no trace.", count(summary.not_traces, "other file"));
    }
    out
}

fn tally(tally: &BTreeMap<String, u32>) -> String {
    tally.iter().map(|(reason, n)| format!("{n} {reason}")).collect::<Vec<_>>().join(", ")
}

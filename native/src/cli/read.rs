//! The verbs that read: `recall`, `list`, `show`, `explain`, `history`, `stats`.
//!
//! Decides how their answers look. Never makes a store and never changes one.

use core::fmt::Write as _;
use std::collections::BTreeSet;

use anstyle::Style;
use hardwon_core::op::{Explained, Figures, Get, HistoryEntry, Input, Output, Recalled, Slot, Stats, Tally};
use hardwon_core::record::{Record, Status};
use serde::Serialize;
use serde_json::{Value, json};

use super::args::{Day, Explain, Global, History, Id, List, Query, Recall};
use super::console::{BAD, Console, DIM, GOOD, count, field, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::failure::{Exit, Failure};
use super::record::{self, millionths, minute, short};
use super::table::Table;
use super::words;

/// How many changes of one operation a history shows.
const CHANGES: usize = 12;

pub(super) fn recall(global: &Global, args: &Recall, console: Console) -> Result<Exit, Failure> {
    let as_of = args.as_of.map(Day::last);
    let query = hardwon_core::op::Recall { as_of, believed: args.believed, ..query(&args.query)? };
    let mut engine = Engine::open(global, Access::Read, console)?;
    let Output::Recalled(recalled) = engine.run(Input::Recall(query))? else {
        return Err(wrong_answer("recall"));
    };
    for notice in &recalled.notices {
        console.notice(notice);
    }
    if recalled.block.is_empty() {
        console.notice("nothing known fits this moment");
    }
    console.answer(|| with_verb("recall", &recalled), || block(&recalled))?;
    Ok(Exit::Done)
}

pub(super) fn list(global: &Global, args: List, console: Console) -> Result<Exit, Failure> {
    let status: BTreeSet<Status> =
        if args.all { Status::ALL.iter().copied().collect() } else { args.status.into_iter().collect() };
    let input = hardwon_core::op::List {
        kind: args.kind,
        status,
        tier: args.tier,
        tool: args.tool,
        tag: args.tag,
        scope: args.scope.given(),
        offset: args.offset,
        limit: args.limit,
    };
    let mut engine = Engine::open(global, Access::Read, console)?;
    let Output::Listed { records, total } = engine.run(Input::List(input))? else {
        return Err(wrong_answer("list"));
    };
    if records.is_empty() {
        console.notice("no record fits");
    } else if (records.len() as u64) < u64::from(total) {
        console.notice(&format!("{} of {}", records.len(), count(total, "record")));
    }
    let json = || json!({ "verb": "list", "total": total, "records": records.iter().map(record::to_json).collect::<Value>() });
    console.answer(json, || if records.is_empty() { String::new() } else { record::table(&records) })?;
    Ok(Exit::Done)
}

pub(super) fn show(global: &Global, args: &Id, console: Console) -> Result<Exit, Failure> {
    let mut engine = Engine::open(global, Access::Read, console)?;
    let id = engine.record_id(&args.id)?;
    let found: Record = engine.record(id)?;
    console
        .answer(|| json!({ "verb": "show", "record": record::to_json(&found) }), || record::page(&found))?;
    Ok(Exit::Done)
}

pub(super) fn explain(global: &Global, args: &Explain, console: Console) -> Result<Exit, Failure> {
    let query = query(&args.query)?;
    let mut engine = Engine::open(global, Access::Read, console)?;
    let id = engine.record_id(&args.id)?;
    let input = hardwon_core::op::Explain { id, query };
    let Output::Explained(explained) = engine.run(Input::Explain(input))? else {
        return Err(wrong_answer("explain"));
    };
    console.answer(|| with_verb("explain", &explained), || reasons(&explained))?;
    Ok(Exit::Done)
}

pub(super) fn history(global: &Global, args: &History, console: Console) -> Result<Exit, Failure> {
    let mut engine = Engine::open(global, Access::Read, console)?;
    let id = args.id.as_deref().map(|text| engine.record_id(text)).transpose()?;
    if let Some(id) = id {
        engine.record(id)?;
    }
    let input = hardwon_core::op::History { id, limit: args.limit };
    let Output::History { entries } = engine.run(Input::History(input))? else {
        return Err(wrong_answer("history"));
    };
    if entries.is_empty() {
        console.notice("nothing has happened here yet");
    }
    console.answer(
        || json!({ "verb": "history", "entries": entries }),
        || entries.iter().map(entry).collect(),
    )?;
    Ok(Exit::Done)
}

pub(super) fn stats(global: &Global, console: Console) -> Result<Exit, Failure> {
    let mut engine = Engine::open(global, Access::Read, console)?;
    let Output::Stats(figures) = engine.run(Input::Stats(Stats {}))? else {
        return Err(wrong_answer("stats"));
    };
    console.answer(|| with_verb("stats", &figures), || figures_text(&figures))?;
    Ok(Exit::Done)
}

impl Engine {
    /// The record of that id.
    pub(super) fn record(&mut self, id: hardwon_core::env::RecordId) -> Result<Record, Failure> {
        match self.run(Input::Get(Get { id, ..Get::default() }))? {
            Output::Got { record } => Ok(record),
            _ => Err(wrong_answer("get")),
        }
    }
}

/// An answer's own fields and the name of the verb.
pub(super) fn with_verb(verb: &str, answer: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(answer).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        fields.insert("verb".into(), json!(verb));
    }
    value
}

fn query(args: &Query) -> Result<hardwon_core::op::Recall, Failure> {
    if [&args.task, &args.tool, &args.error, &args.claim].into_iter().all(String::is_empty)
        && args.tools.is_empty()
    {
        return Err(Failure::usage(
            "usage.query",
            "say what the moment is: --task, --tool, --error or --claim",
        ));
    }
    let call = args.args.as_deref().map_or(Ok(""), |text| call_arguments(text, &args.tool))?;
    Ok(hardwon_core::op::Recall {
        task: args.task.clone(),
        tool: args.tool.clone(),
        args: call.into(),
        error: args.error.clone(),
        claim: args.claim.clone(),
        tools: args.tools.iter().cloned().collect(),
        session_id: String::new(),
        scope: args.scope.or_global(),
        budget: args.budget,
        top_k: args.top_k,
        ..hardwon_core::op::Recall::default()
    })
}

/// The arguments of a call, which belong to a tool and are a JSON object.
pub(super) fn call_arguments<'a>(text: &'a str, tool: &str) -> Result<&'a str, Failure> {
    let bad = |what: &str| Failure::usage("usage.args", format!("--args {what}"));
    if tool.is_empty() {
        return Err(bad("are the arguments of a call: say with --tool of which tool"));
    }
    match serde_json::from_str::<serde_json::Map<String, Value>>(text) {
        Ok(_) => Ok(text),
        Err(problem) => {
            Err(bad(&format!("must be a JSON object, for example '{{\"path\": \"a.txt\"}}': {problem}")))
        }
    }
}

/// The block as it goes into a prompt, with a line end.
fn block(recalled: &Recalled) -> String {
    let mut out = recalled.block.clone();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

fn reasons(explained: &Explained) -> String {
    let mut out = match explained.rank {
        Some(rank) => {
            format!("{} comes back, at place {rank}{}.\n\n", short(&explained.id), place(explained.why.slot))
        }
        None if explained.comes_back => format!("{} comes back.\n\n", short(&explained.id)),
        None => format!("{} does not come back.\n\n", short(&explained.id)),
    };
    let mut checks = Table::new(&[]);
    for check in &explained.checks {
        let (style, word) = match (check.passed, explained.comes_back) {
            (true, _) => (GOOD, "yes"),
            (false, true) => (DIM, "no, and need not be"),
            (false, false) => (BAD, "no"),
        };
        checks.row(vec![
            (Style::new(), words::check(&check.name).into()),
            (style, word.into()),
            (DIM, in_hundredths(&check.detail)),
        ]);
    }
    out.push_str(&checks.render());
    out.push_str(&scores(explained));
    out
}

fn scores(explained: &Explained) -> String {
    let why = &explained.why;
    let mut table = Table::new(&[]);
    for (name, score, meaning) in [
        ("relevance", why.relevance, "how well it fits, from the next four"),
        ("lexical", why.lexical, "words in common with the query"),
        ("cosine", why.cosine, "nearness in meaning"),
        ("signature", why.signature, "the same error"),
        ("situation", why.situation, "a task like those it was learned in"),
        ("score", why.score, "relevance, age and tier: decides the order"),
    ] {
        table.row(vec![(DIM, name.into()), (Style::new(), millionths(score)), (DIM, meaning.into())]);
    }
    format!("\n{}", table.render())
}

/// Scores inside a text as people read them: `749859` is `0.75`.
fn in_hundredths(detail: &str) -> String {
    let word = |word: &str| {
        let digits = word.trim_end_matches(',');
        match digits.parse::<i64>() {
            Ok(score) if detail.starts_with("relevance") => {
                format!("{}{}", millionths(score), word.get(digits.len()..).unwrap_or_default())
            }
            _ => word.to_string(),
        }
    };
    detail.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Why a record holds a place that relevance alone would not give it.
fn place(slot: Slot) -> &'static str {
    match slot {
        Slot::Core => " as pinned",
        Slot::Tool => " by its tool",
        Slot::Ranked => "",
    }
}

fn entry(entry: &HistoryEntry) -> String {
    let mut head = entry.verb.clone();
    if !entry.actor.is_empty() {
        let _ = write!(head, " by {}", one_line(&entry.actor));
    }
    if !entry.reason.is_empty() && entry.reason != entry.verb {
        let _ = write!(head, ": {}", one_line(&entry.reason));
    }
    let mut out = format!("{}  {}  {head}\n", styled(DIM, &short(&entry.op)), minute(entry.at));
    if !entry.undoes.is_empty() {
        let ops: Vec<String> = entry.undoes.iter().map(short).collect();
        let _ = writeln!(out, "          took back {}", ops.join(", "));
    }
    let changes: Vec<&String> =
        entry.changes.iter().filter(|one| !is_repetition(one, &entry.changes)).collect();
    let more = changes.len().saturating_sub(CHANGES);
    for change in changes.iter().take(CHANGES) {
        let _ = writeln!(out, "          {}", one_line(change));
    }
    if changes.is_empty() {
        let _ =
            writeln!(out, "          {}", styled(DIM, "changed no record, or what it changed was erased"));
    }
    if more > 0 {
        let _ = writeln!(out, "          {}", styled(DIM, &format!("and {more} more; --json has all")));
    }
    out
}

/// Whether a line tells the wording of a record whose making tells it already.
fn is_repetition(line: &str, all: &[String]) -> bool {
    line.contains("gained wording ") && all.contains(&line.replacen("gained wording ", "created: ", 1))
}

fn figures_text(figures: &Figures) -> String {
    let mut out = String::new();
    field(&mut out, "records", &tally(&figures.kinds));
    field(&mut out, "status", &tally(&figures.statuses));
    field(&mut out, "tier", &tally(&figures.tiers));
    field(&mut out, "learned by", &tally(&figures.subtypes));
    field(&mut out, "pinned", &figures.pinned.to_string());
    field(&mut out, "sessions", &format!("{} read", figures.sessions));
    field(&mut out, "revision", &figures.revision.to_string());
    let embedder = if figures.embedder.is_empty() { "none" } else { &figures.embedder };
    let missing = match figures.without_vector {
        0 => String::new(),
        n => format!(", {} without a vector: `hardwon maintain` writes them", count(n, "record")),
    };
    field(&mut out, "embedder", &format!("{embedder}{missing}"));
    field(&mut out, "tokenizer", &figures.tokenizer);
    field(&mut out, "erased", &count(figures.tombstones, "record"));
    out
}

fn tally(tally: &Tally) -> String {
    if tally.is_empty() {
        return "none".into();
    }
    tally.iter().map(|(name, n)| format!("{n} {}", words::plain(name))).collect::<Vec<_>>().join(", ")
}

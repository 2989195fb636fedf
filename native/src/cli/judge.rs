//! What a person says about records: `review`, `resolve`, `settle`, `mute`, `unmute`.
//!
//! Decides how what waits is told and what may be typed next. Never decides what waits.

use core::fmt::Write as _;

use anstyle::Style;
use hardwon_core::op::{Choice, Get, Input, Output, Waiting};
use hardwon_core::record::{Kind, Record, Status, Support};
use serde_json::{Value, json};

use super::args::{Change, Global, Note, Resolve, Review, Settle};
use super::console::{Console, DIM, NOTE, count, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::facts::day;
use super::failure::{Exit, Failure};
use super::record::{self, evidence_table, short};
use super::words;
use super::write::{change, written};

/// How many rows of evidence stand under each record.
const EVIDENCE: usize = 3;

pub(super) fn review(global: &Global, args: &Review, console: Console) -> Result<Exit, Failure> {
    let input = hardwon_core::op::Review { scope: args.scope.given(), limit: args.limit };
    let mut engine = Engine::open(global, Access::Read, console)?;
    let Output::Reviewed { items, total } = engine.run(Input::Review(input))? else {
        return Err(wrong_answer("review"));
    };
    if (items.len() as u64) < u64::from(total) {
        console.notice(&format!("{} of {}; --limit 0 for all", items.len(), count(total, "record")));
    }
    let json = || {
        let item = |one: &Waiting| json!({ "record": record::to_json(&one.record), "cause": one.cause, "detail": one.detail });
        json!({ "verb": "review", "total": total, "items": items.iter().map(item).collect::<Value>() })
    };
    console.answer(json, || page(&items))?;
    Ok(Exit::Done)
}

pub(super) fn resolve(global: &Global, args: Resolve, console: Console) -> Result<Exit, Failure> {
    if args.by.is_some() != (args.choice == Choice::Supersede) {
        return Err(Failure::usage("usage.by", "`supersede` needs --by ID, and no other answer takes it"));
    }
    let mut engine = Engine::open(global, Access::Change, console)?;
    let id = engine.record_id(&args.id)?;
    let by = args.by.as_deref().map(|text| engine.record_id(text)).transpose()?;
    let Note { by: who, reason } = args.note;
    let input = hardwon_core::op::Resolve { id, choice: args.choice, by, actor: who.actor, reason };
    written("resolve", engine.run(Input::Resolve(input))?, console)
}

pub(super) fn settle(global: &Global, args: Settle, console: Console) -> Result<Exit, Failure> {
    let mut engine = Engine::open(global, Access::Change, console)?;
    let id = engine.record_id(&args.id)?;
    let Note { by, reason } = args.note;
    let input = hardwon_core::op::Settle { id, outcome: args.outcome, actor: by.actor, reason };
    written("settle", engine.run(Input::Settle(input))?, console)
}

pub(super) fn mute(global: &Global, args: Change, console: Console) -> Result<Exit, Failure> {
    change("mute", |get: Get| Input::Mute(get), global, args, console)
}

pub(super) fn unmute(global: &Global, args: Change, console: Console) -> Result<Exit, Failure> {
    change("unmute", |get: Get| Input::Unmute(get), global, args, console)
}

fn page(items: &[Waiting]) -> String {
    if items.is_empty() {
        return "Nothing waits for you.\n".into();
    }
    items.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn one(item: &Waiting) -> String {
    let record = &item.record;
    let mut out = format!(
        "{}  {}\n",
        styled(DIM, &short(&record.id)),
        styled(Style::new().bold(), &one_line(&record.text))
    );
    let _ = writeln!(out, "  {} {}", styled(NOTE, "why"), one_line(words::cause(&item.cause)));
    if !item.detail.is_empty() {
        let _ = writeln!(out, "      {}", one_line(&item.detail));
    }
    out.push_str(&if record.kind == Kind::Fact { sources(record) } else { events(record) });
    let id = short(&record.id);
    let _ = writeln!(out, "  it holds:      hardwon resolve {id} confirm");
    let _ = writeln!(out, "  it does not:   hardwon resolve {id} archive");
    if record.status == Status::Active {
        let _ = writeln!(out, "  only be quiet: hardwon mute {id}");
    } else if record.kind == Kind::Lesson {
        let _ = writeln!(out, "  it must hold:  hardwon resolve {id} block");
    }
    out
}

/// The newest events that show a record.
fn events(record: &Record) -> String {
    let mut newest: Vec<_> = record.evidence.iter().collect();
    newest.sort_by_key(|one| (core::cmp::Reverse(one.ts), &one.session_id, one.position));
    let seen = format!("{} in {}", count(newest.len() as u64, "event"), count(record.hits(), "run"));
    let table = evidence_table(newest.into_iter().take(EVIDENCE)).render();
    format!("  {}\n{table}", styled(DIM, &seen))
}

/// Who says a fact, the newest first.
fn sources(record: &Record) -> String {
    let mut newest: Vec<_> = record.supports.iter().collect();
    newest.sort_by_key(|one| (core::cmp::Reverse(one.at), &one.reference, &one.author));
    let said = |one: &Support| {
        let who: Vec<&str> = [one.source.as_str(), &one.reference, &one.author]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        let line = format!("said by {}, {}", one_line(&who.join(" ")), day(one.at));
        format!("  {}\n", styled(DIM, &line))
    };
    newest.into_iter().take(EVIDENCE).map(said).collect()
}

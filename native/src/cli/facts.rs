//! The verbs about facts: `remember`, `facts`, `audit`, `forget --source`.
//!
//! Decides how claims are typed and how what became of them is told. Never decides which claim holds.

use core::fmt::Write as _;

use anstyle::Style;
use hardwon_core::env::Timestamp;
use hardwon_core::op::{Audited, Forgotten, Input, Outcome, Output, Remembered};
use hardwon_core::record::{Record, Scope, Status};
use serde_json::{Value, json};

use super::args::{Audit, Day, Facts, Forget, Global, Remember};
use super::console::{BAD, Console, DIM, GOOD, NOTE, count, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::failure::{Exit, Failure};
use super::read::with_verb;
use super::record::{self, short};
use super::table::Table;
use super::words;

pub(super) fn remember(global: &Global, args: Remember, console: Console) -> Result<Exit, Failure> {
    let scope = args.scope.given().or_else(|| args.everywhere.then(Scope::global));
    let input = hardwon_core::op::Remember {
        text: args.text.unwrap_or_default(),
        subject: args.subject,
        predicate: args.predicate,
        object: args.object,
        cardinality: args.cardinality,
        subtype: args.subtype,
        scope,
        source: args.source,
        reference: args.reference,
        quote: args.quote,
        confidence: args.confidence.map(|share| (share * 1e6).round() as u32),
        rationale: args.rationale,
        freshness: args.freshness,
        tags: args.tags.into_iter().collect(),
        valid_from: args.valid_from.map(Day::first),
        valid_to: args.valid_to.map(Day::first),
        revalidate_after: args.revalidate_after.map(Day::first),
        claimed_at: args.claimed_at.map(Day::first),
        retract: args.retract,
        actor: args.note.by.actor,
        reason: args.note.reason,
    };
    let mut engine = Engine::open(global, Access::Write, console)?;
    let Output::Remembered(told) = engine.run(Input::Remember(input))? else {
        return Err(wrong_answer("remember"));
    };
    let is_declined = told.outcome == Outcome::Refused;
    if is_declined {
        console.answer(|| remembered_json(&told), || remembered_text(&told))?;
    } else {
        console.confirm(|| remembered_json(&told), || remembered_text(&told))?;
    }
    Ok(if is_declined { Exit::Declined } else { Exit::Done })
}

fn remembered_json(told: &Remembered) -> Value {
    let mut value = with_verb("remember", told);
    if let Value::Object(fields) = &mut value {
        for name in ["replaced", "rivals", "beside", "flags"] {
            fields.entry(name).or_insert_with(|| json!([]));
        }
        for name in ["reason", "read_back"] {
            fields.entry(name).or_insert_with(|| json!(""));
        }
    }
    value
}

fn remembered_text(told: &Remembered) -> String {
    let what = match told.outcome {
        Outcome::Created => "Remembered",
        Outcome::Refreshed => "Known already, confirmed",
        Outcome::Superseded => "Remembered in place of what was held",
        Outcome::Coexists => "Remembered beside what is held",
        Outcome::Retracted => "Ended",
        Outcome::Unchanged => "There was nothing to end",
        Outcome::Conflicted => "It contradicts what is held, and waits: `hardwon review`",
        Outcome::Quarantined => "It waits for review",
        Outcome::Refused => "Refused, nothing was stored",
        _ => "Done",
    };
    let mut out = what.to_string();
    if !told.reason.is_empty() {
        let (code, detail) = told.reason.split_once(": ").unwrap_or((&told.reason, ""));
        let reason = if detail.is_empty() { words::reason(code) } else { detail };
        let _ = write!(out, ": {}", one_line(reason));
    }
    out.push('\n');
    if !told.read_back.is_empty() {
        let _ = writeln!(out, "  {}", one_line(&told.read_back));
    }
    for (word, ids) in [("in place of", &told.replaced), ("against", &told.rivals), ("beside", &told.beside)]
    {
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(short).collect();
            let _ = writeln!(out, "  {word} {}", ids.join(", "));
        }
    }
    for flag in &told.flags {
        let _ = writeln!(out, "  {} {}", styled(NOTE, "look again:"), words::flag(flag));
    }
    out
}

pub(super) fn facts(global: &Global, args: Facts, console: Console) -> Result<Exit, Failure> {
    if args.believed && args.as_of.is_none() {
        return Err(Failure::usage("usage.believed", "--believed goes with --as-of DAY"));
    }
    let input = hardwon_core::op::Facts {
        subject: args.subject,
        predicate: args.predicate,
        object: args.object,
        follow: args.follow,
        subtype: args.subtype,
        source: args.source,
        said_by: args.said_by,
        scope: args.scope.given(),
        as_of: args.as_of.map(Day::last),
        believed: args.believed,
        due: args.due,
        all: args.all,
        offset: args.offset,
        limit: args.limit,
    };
    let mut engine = Engine::open(global, Access::Read, console)?;
    let Output::Listed { records, total } = engine.run(Input::Facts(input))? else {
        return Err(wrong_answer("facts"));
    };
    if records.is_empty() {
        console.notice("nothing is known of that");
    }
    let json = || {
        let records: Vec<Value> = records.iter().map(record::to_json).collect();
        json!({ "verb": "facts", "total": total, "records": records })
    };
    console.answer(json, || table(&records))?;
    Ok(Exit::Done)
}

fn table(records: &[Record]) -> String {
    if records.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["ID", "TYPE", "SINCE", "STATUS", "SOURCE", "FACT"]);
    for record in records {
        let style = if record.status == Status::Active { Style::new() } else { NOTE };
        table.row(vec![
            (DIM, short(&record.id)),
            (Style::new(), record.subtype.to_string()),
            (DIM, record.valid_from.map(day).unwrap_or_default()),
            (style, record.status.to_string()),
            (Style::new(), record.source.to_string()),
            (Style::new(), record.text.clone()),
        ]);
    }
    table.render()
}

pub(super) fn day(at: Timestamp) -> String {
    at.to_string().get(..10).map(str::to_string).unwrap_or_default()
}

pub(super) fn audit(global: &Global, args: Audit, console: Console) -> Result<Exit, Failure> {
    let access = if args.fix { Access::Change } else { Access::Read };
    let input = hardwon_core::op::Audit {
        scope: args.scope.given(),
        fix: args.fix,
        actor: args.note.by.actor,
        reason: args.note.reason,
    };
    let mut engine = Engine::open(global, access, console)?;
    let Output::Audited(told) = engine.run(Input::Audit(input))? else { return Err(wrong_answer("audit")) };
    console.answer(|| with_verb("audit", &told), || audited_text(&told))?;
    Ok(Exit::Done)
}

fn audited_text(told: &Audited) -> String {
    if told.flaws.is_empty() {
        return format!("Nothing is wrong with {}.\n", count(told.checked, "record"));
    }
    let mut out = String::new();
    for flaw in &told.flaws {
        let ids: Vec<String> = flaw.records.iter().map(short).collect();
        let (style, done) = match (flaw.fixed, flaw.safe) {
            (true, _) => (GOOD, "mended: "),
            (false, true) => (NOTE, "with --fix: "),
            (false, false) => (BAD, "for you: "),
        };
        let _ = writeln!(out, "{}  {}", styled(DIM, &ids.join(" ")), words::flaw(&flaw.class));
        let _ = writeln!(out, "  {}", one_line(&flaw.detail));
        let _ = writeln!(out, "  {}{}", styled(style, done), one_line(&flaw.remedy));
    }
    out
}

/// Takes back all that a source has taught.
pub(super) fn forget_source(
    global: &Global,
    args: Forget,
    source: String,
    console: Console,
) -> Result<Exit, Failure> {
    let input =
        hardwon_core::op::ForgetSource { source, actor: args.note.by.actor, reason: args.note.reason };
    let mut engine = Engine::open(global, Access::Change, console)?;
    let Output::Forgotten(told) = engine.run(Input::ForgetSource(input))? else {
        return Err(wrong_answer("forget"));
    };
    console.confirm(|| with_verb("forget_source", &told), || forgotten_text(&told))?;
    Ok(Exit::Done)
}

fn forgotten_text(told: &Forgotten) -> String {
    let parts = [
        (told.forgotten.len(), "taken back"),
        (told.weakened.len(), "kept, for others say them too"),
        (told.revived.len(), "hold again"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{} {what}", count(n as u64, "record")))
        .collect();
    if parts.is_empty() {
        "Nothing comes from that source.\n".into()
    } else {
        format!("{}.\n", parts.join(", "))
    }
}

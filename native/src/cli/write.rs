//! The verbs that change records: `teach`, `forget`, `restore`, `pin`, `unpin`, `undo`, `maintain`.
//!
//! Decides how their answers look, and asks before something is erased. Never changes a record itself.

use hardwon_core::env::OpId;
use hardwon_core::op::{Get, Input, Outcome, Output, Undone, Written};
use hardwon_core::policy::EvictStrategy;
use serde_json::{Value, json};

use super::args::{Change, Forget, Global, Maintain, Note, Teach, Undo};
use super::console::{Console, DIM, count, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::facts;
use super::failure::{Exit, Failure};
use super::model;
use super::read::with_verb;
use super::record::short;
use super::words;

pub(super) fn teach(global: &Global, args: Teach, console: Console) -> Result<Exit, Failure> {
    let scope = args.scope.given();
    let input = hardwon_core::op::Teach {
        text: args.text,
        tools: args.tools.into_iter().collect(),
        tags: args.tags.into_iter().collect(),
        situation: args.situation,
        scope,
        actor: args.note.by.actor,
        reason: args.note.reason,
    };
    let mut engine = Engine::open(global, Access::Write, console)?;
    let output = engine.run(Input::Teach(input))?;
    if was_revived(&mut engine, &output)? {
        console.notice("it had left: forgotten, archived or put up for review; now it is active again");
    }
    written("teach", output, console)
}

/// Whether what was taught was known, but not active.
fn was_revived(engine: &mut Engine, output: &Output) -> Result<bool, Failure> {
    let Output::Written(Written { outcome: Outcome::Refreshed, id: Some(id), op: Some(op), .. }) = output
    else {
        return Ok(false);
    };
    let input = hardwon_core::op::History { id: Some(*id), limit: 1 };
    let Output::History { entries } = engine.run(Input::History(input))? else {
        return Err(wrong_answer("history"));
    };
    let changes = entries.iter().filter(|entry| entry.op == *op).flat_map(|entry| &entry.changes);
    Ok(changes.into_iter().any(|change| change.starts_with("status: ")))
}

pub(super) fn forget(global: &Global, mut args: Forget, console: Console) -> Result<Exit, Failure> {
    if let Some(source) = args.source.take() {
        return facts::forget_source(global, args, source, console);
    }
    let mut engine = Engine::open(global, Access::Change, console)?;
    let id = engine.record_id(&args.id)?;
    if args.hard && !args.yes {
        let text = one_line(&engine.record(id)?.text);
        match console.ask(&format!("{}  {text}\nErase it for good?", short(&id))) {
            Some(true) => {}
            Some(false) => {
                console.notice("nothing was changed");
                return Ok(Exit::Declined);
            }
            None => {
                return Err(Failure::usage("usage.confirm", "--hard erases for good; confirm with --yes"));
            }
        }
    }
    let input =
        hardwon_core::op::Forget { id, hard: args.hard, actor: args.note.by.actor, reason: args.note.reason };
    written("forget", engine.run(Input::Forget(input))?, console)
}

pub(super) fn restore(global: &Global, args: Change, console: Console) -> Result<Exit, Failure> {
    change("restore", Input::Restore, global, args, console)
}

pub(super) fn pin(global: &Global, args: Change, console: Console) -> Result<Exit, Failure> {
    change("pin", Input::Pin, global, args, console)
}

pub(super) fn unpin(global: &Global, args: Change, console: Console) -> Result<Exit, Failure> {
    change("unpin", Input::Unpin, global, args, console)
}

pub(super) fn undo(global: &Global, args: Undo, console: Console) -> Result<Exit, Failure> {
    let mut engine = Engine::open(global, Access::Change, console)?;
    let op = engine.op_id(&args.op)?;
    let Note { by, reason } = args.note;
    let input = hardwon_core::op::Undo { op, cascade: args.cascade, actor: by.actor, reason };
    let Output::Undone(undone) = engine.run(Input::Undo(input))? else { return Err(wrong_answer("undo")) };
    console.confirm(|| with_verb("undo", &undone), || undone_text(op, &undone))?;
    Ok(if undone.done { Exit::Done } else { Exit::Declined })
}

pub(super) fn maintain(global: &Global, args: &Maintain, console: Console) -> Result<Exit, Failure> {
    let model = model::model(&args.model)?;
    let cap = args.max_entries;
    let mut engine = Engine::open_with(global, Access::Change, console, |policy| {
        policy.evict.max_entries = cap.or(policy.evict.max_entries);
        if args.summarize {
            policy.evict.strategy = EvictStrategy::Summarize;
        }
    })?;
    let has_model = model.is_some();
    if let Some(model) = model {
        engine.set_model(model);
    }
    let input =
        hardwon_core::op::Maintain { model: has_model, vectors: args.vectors, actor: args.by.actor.clone() };
    let Output::Maintained(done) = engine.run(Input::Maintain(input))? else {
        return Err(wrong_answer("maintain"));
    };
    console.confirm(
        || with_verb("maintain", &done),
        || {
            if done.op.is_none() {
                return "Nothing to do.\n".into();
            }
            let parts = [
                (done.archived, format!("archived {}", count(done.archived, "lesson"))),
                (done.summaries, format!("summed up in {}", count(done.summaries, "line"))),
                (done.embedded, format!("wrote {}", count(done.embedded, "vector"))),
                (done.missing, format!("{} still missing", count(done.missing, "vector"))),
            ];
            let parts: Vec<String> =
                parts.into_iter().filter(|(n, _)| *n > 0).map(|(_, part)| part).collect();
            format!("Done: {}.{}\n", parts.join(", "), op_text(done.op))
        },
    )?;
    Ok(Exit::Done)
}

pub(super) fn change(
    verb: &'static str,
    input: fn(Get) -> Input,
    global: &Global,
    args: Change,
    console: Console,
) -> Result<Exit, Failure> {
    let mut engine = Engine::open(global, Access::Change, console)?;
    let id = engine.record_id(&args.id)?;
    let Note { by, reason } = args.note;
    written(verb, engine.run(input(Get { id, actor: by.actor, reason }))?, console)
}

/// Reports a write. What was refused is no error, but a script must be able to tell.
pub(super) fn written(verb: &'static str, output: Output, console: Console) -> Result<Exit, Failure> {
    let Output::Written(written) = output else { return Err(wrong_answer(verb)) };
    let declined = written.outcome == Outcome::Refused;
    let json = || written_json(verb, &written);
    let text = || written_text(verb, &written);
    if declined {
        console.answer(json, text)?;
    } else {
        console.confirm(json, text)?;
    }
    Ok(if declined { Exit::Declined } else { Exit::Done })
}

fn written_json(verb: &str, written: &Written) -> Value {
    let mut value = with_verb(verb, written);
    if let Value::Object(fields) = &mut value {
        fields.entry("reason").or_insert_with(|| json!(""));
    }
    value
}

fn written_text(verb: &str, written: &Written) -> String {
    let done = match (written.outcome, verb) {
        (Outcome::Created, _) => "Learned",
        (Outcome::Refreshed, _) => "Known already, confirmed",
        (Outcome::Changed, "forget") => "Forgotten, `hardwon restore` brings it back",
        (Outcome::Changed, "restore") => "Restored",
        (Outcome::Changed, "pin") => "Pinned",
        (Outcome::Changed, "unpin") => "Let go",
        (Outcome::Changed, "settle") => "Counted",
        (Outcome::Changed, "mute") => "Muted, it speaks at no call",
        (Outcome::Changed, "unmute") => "It may speak again",
        (Outcome::Changed, "resolve") => "Resolved",
        (Outcome::Changed, _) => "Changed",
        (Outcome::Unchanged, "forget") => "It was forgotten already",
        (Outcome::Unchanged, "restore") => "It was active already",
        (Outcome::Unchanged, "pin") => "It was pinned already",
        (Outcome::Unchanged, "unpin") => "It was not pinned",
        (Outcome::Unchanged, "mute") => "It was muted already",
        (Outcome::Unchanged, "unmute") => "It was not muted",
        (Outcome::Unchanged, _) => "It was so already",
        (Outcome::Conflicted, _) => {
            "It says the opposite of a record that holds; the new one waits for review"
        }
        (Outcome::Quarantined, _) => "It waits for review",
        (Outcome::Refused, _) => "Refused, nothing was stored",
        (Outcome::Erased, _) => "Erased",
        _ => "Done",
    };
    let reason = match written.reason.as_str() {
        "" => String::new(),
        reason => format!(" ({})", one_line(words::reason(reason))),
    };
    let id = written.id.map_or_else(String::new, |id| format!(": {}", short(&id)));
    let undo = if written.outcome == Outcome::Erased { String::new() } else { op_text(written.op) };
    format!("{done}{reason}{id}.{undo}\n")
}

fn undone_text(op: OpId, undone: &Undone) -> String {
    if undone.done {
        let ops = undone.undone.iter().map(short).collect::<Vec<_>>().join(", ");
        let records = count(undone.records.len() as u64, "record");
        return format!("Took back {ops}, {records} touched.{}\n", op_text(undone.op));
    }
    if undone.entangled.is_empty() {
        return format!("Nothing to take back: {} is undone already.\n", short(&op));
    }
    let later = undone.entangled.iter().map(short).collect::<Vec<_>>().join(", ");
    format!(
        "Nothing was changed: later operations built on {}: {later}.\nTake them back too with --cascade.\n",
        short(&op)
    )
}

/// How to take back what was just done.
fn op_text(op: Option<OpId>) -> String {
    op.map_or_else(String::new, |op| styled(DIM, &format!("  undo: hardwon undo {}", short(&op))))
}

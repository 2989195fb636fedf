//! The verbs around a call: `guard` before it, `observe` after it.
//!
//! Decides how advice looks. Never stops a call: a verdict is an answer like any other.

use core::fmt::Write as _;
use std::path::{Path, PathBuf};

use hardwon_core::op::{Advice, Guarded, Input, Output};
use serde_json::json;

use super::args::{Global, Guard, Observe};
use super::console::{BAD, Console, DIM, NOTE, count, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::failure::{Exit, Failure};
use super::read::{call_arguments, with_verb};
use super::record::short;
use super::sources::Source;
use super::words;

/// The most bytes that one `observe` takes.
const LIMIT: u64 = 64 << 20;

pub(super) fn guard(global: &Global, args: Guard, console: Console) -> Result<Exit, Failure> {
    let call = args.args.as_deref().map_or(Ok(""), |text| call_arguments(text, &args.tool))?;
    let input = hardwon_core::op::Guard {
        session_id: args.session,
        tool: args.tool.clone(),
        args: call.into(),
        task: args.task,
        scope: args.scope.or_global(),
        rewrite: args.rewrite,
    };
    let mut engine = Engine::open(global, Access::Read, console)?;
    let Output::Guarded(guarded) = engine.run(Input::Guard(input))? else {
        return Err(wrong_answer("guard"));
    };
    console.answer(|| with_verb("guard", &guarded), || advice(&guarded))?;
    Ok(Exit::Done)
}

pub(super) fn observe(global: &Global, args: &Observe, console: Console) -> Result<Exit, Failure> {
    let read = source(args.file.as_deref()).read(LIMIT)?;
    if let Some(line) = read.not_utf8.first() {
        return Err(Failure::input(
            "file.unreadable",
            format!("line {line} is not UTF-8; nothing was observed"),
        ));
    }
    let lines: Vec<String> =
        read.text.lines().map(str::trim).filter(|line| !line.is_empty()).map(String::from).collect();
    let is_event =
        |line: &String| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line).is_ok();
    if let Some(at) = lines.iter().position(|line| !is_event(line)) {
        let message =
            format!("event {} is no JSON object; nothing was observed. Give one event a line", at + 1);
        return Err(Failure::input("invalid.event", message));
    }
    let input = hardwon_core::op::Observe { session_id: args.session.clone(), lines };
    let mut engine = Engine::open(global, Access::Write, console)?;
    let Output::Observed { events } = engine.run(Input::Observe(input))? else {
        return Err(wrong_answer("observe"));
    };
    console.confirm(
        || json!({ "verb": "observe", "events": events }),
        || format!("Observed {}. Learn from it: hardwon learn\n", count(events, "event")),
    )?;
    Ok(Exit::Done)
}

fn source(file: Option<&Path>) -> Source {
    match file {
        Some(path) if path.as_os_str() != "-" => Source::File { path: PathBuf::from(path), named: true },
        _ => Source::Stdin,
    }
}

/// What to do, what is said, and which lessons that fit kept silent.
fn advice(guarded: &Guarded) -> String {
    let mut out = match guarded.verdict {
        Advice::Hold => format!("{} {}\n", styled(BAD, "Wait:"), one_line(&guarded.text)),
        Advice::Advise => format!("{} {}\n", styled(NOTE, "Note:"), one_line(&guarded.text)),
        Advice::Rewrite => format!(
            "{} {}\n  arguments: {}\n",
            styled(NOTE, "Note:"),
            one_line(&guarded.text),
            one_line(&guarded.args)
        ),
        _ => String::from("Nothing to say.\n"),
    };
    for item in &guarded.items {
        let _ = writeln!(out, "{}", styled(DIM, &format!("  lesson {0}: hardwon show {0}", short(&item.id))));
    }
    for one in &guarded.silent {
        let line = format!("  {} fits and is silent: {}", short(&one.id), words::silence(&one.reason));
        let _ = writeln!(out, "{}", styled(DIM, &line));
    }
    out
}

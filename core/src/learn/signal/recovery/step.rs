//! Steps between a failure and the success of the same call: a step put before, or an earlier step done otherwise.
//!
//! Decides which one step made the difference. Looking around is no step, an edit is another signal, and of several
//! steps none is picked.

use alloc::format;
use alloc::string::{String, ToString};

use serde_json::Value;

use super::{Change, changed_arguments, changed_flags, same_call};
use crate::learn::action::{Action, Slot};
use crate::learn::run::{Call, Run, stands_in};
use crate::learn::shell::Command;
use crate::learn::signal::is_override;
use crate::learn::{bypass, lexicon, template};

/// How far before a failure the step may stand that should have been done otherwise.
const WINDOW: usize = 12;

/// The one step that was put before the call that worked.
pub(super) fn before(run: &Run<'_>, from: usize, to: usize, reason: &str) -> Option<Change> {
    if !run.edits_between(from, to).is_empty() {
        return None;
    }
    let failed = &run.calls[from];
    let message = failed.tool.result.text.to_lowercase();
    let tried = |command: &Command| {
        failed.line().is_some_and(|line| line.commands().any(|c| c.head() == command.head()))
    };
    let inside = run.calls[to].line().and_then(|line| line.commands().find(|c| acts(c) && !tried(c)));
    let between = run.calls[from + 1..to].iter().filter(|call| call.worked() && call.edited().is_none());
    let mut steps = between.filter(|call| match call.line() {
        Some(line) => line.principal().is_some_and(acts),
        None => stands_in(&message, &call.tool.name.to_lowercase()),
    });
    let step = steps.next().filter(|_| steps.next().is_none());
    let command = step.and_then(|call| call.line().and_then(|line| line.principal())).or(inside);
    let title = match (step, command) {
        (_, Some(command)) => titled(command)?,
        (Some(call), None) => call.title(),
        (None, None) => return None,
    };
    let bypasses = step.is_some_and(|call| bypass::step(call).is_some());
    if title == failed.title() || is_override(&title) || bypasses {
        return None;
    }
    let text = template::step_before(&title, &failed.title(), reason);
    let head = command.map_or_else(|| title.clone(), Command::head);
    let target = command.filter(|command| installs(command)).and_then(|command| command.operands.first());
    // Another subcommand of the program that failed, and then the very same call: the program wanted it first.
    let program = |call: &Call<'_>| call.line().and_then(|line| line.principal()).map(|c| c.program.clone());
    let same_program = command.is_some_and(|command| program(failed).as_ref() == Some(&command.program));
    Some(Change {
        named: target.is_some_and(|target| stands_in(&message, &target.to_lowercase()))
            || stands_in(&message, &head.to_lowercase()),
        step: !same_program,
        setup: command.is_some_and(|command| installs(command) || command.program == "chmod"),
        action: match (step, command) {
            (_, Some(command)) => whole(command, &title),
            (Some(call), None) => call_first(call, failed),
            (None, None) => None,
        },
        ..Change::new(&head, text, "")
    })
}

/// The same command from another directory, where the error is about what is not there.
pub(super) fn directory(failed: &Call<'_>, success: &Call<'_>, reason: &str) -> Option<Change> {
    let entered = |call: &Call<'_>| -> Option<String> {
        let changed = call.line().and_then(|line| line.commands().find(|command| command.program == "cd"));
        let keys = ["cwd", "workdir", "working_directory", "dir"];
        let given = keys.iter().find_map(|key| call.tool.args.get(*key));
        let named = changed.and_then(|command| command.operands.first().cloned());
        named.or_else(|| Some(given?.as_str()?.to_string()))
    };
    let message = failed.tool.result.text.to_lowercase();
    let missing = lexicon::says(lexicon::MISSING, &message) || lexicon::says(lexicon::ELSEWHERE, &message);
    // Where the directory itself is missing, or one only looks around, nothing was run in the wrong place.
    let looks = failed.line().and_then(|line| line.principal()).is_none_or(Command::looks_only);
    let astray = message.contains("cd:") || message.contains("cd to");
    let moved = !looks && !astray && entered(success).is_some() && entered(success) != entered(failed);
    (moved && missing).then(|| Change::new("cd", template::change_directory(&failed.title(), reason), ""))
}

/// The step before the failure that was done again otherwise before the same call worked: it should have been done so
/// at first.
pub(super) fn upstream(run: &Run<'_>, from: usize, to: usize, reason: &str) -> Option<Change> {
    let message = &run.calls[from].tool.result.text;
    let redone = run.calls[from + 1..to].iter().rev().filter(|call| call.worked() && call.edited().is_none());
    redone.into_iter().find_map(|again| {
        let head = &again.shape().head;
        let earlier = run.calls[from.saturating_sub(WINDOW)..from].iter().rev();
        let first = earlier.filter(|call| call.worked()).find(|call| call.shape().head == *head)?;
        if same_call(first, again)
            || bypass::added(first, again).is_some()
            || *head == run.calls[from].shape().head
        {
            return None;
        }
        let reason = format!("`{}` fails otherwise: {reason}", run.calls[from].title());
        let change = if first.line().is_some() {
            changed_flags(first, again, message, &reason)
        } else {
            changed_arguments(first, again, message, &reason)
        }?;
        Some(Change { step: true, trigger: Some(first.shape().to_string()), ..change })
    })
}

/// Whether a command changes anything: neither a look nor an echo. Making a directory does.
fn acts(command: &Command) -> bool {
    let prepares =
        command.is_preparation() && !matches!(command.program.as_str(), "mkdir" | "export" | "source");
    !prepares && !command.looks_only()
}

/// Whether a command sets up what surrounds the code.
fn installs(command: &Command) -> bool {
    let sub = command.subcommand.as_deref().unwrap_or("");
    sub.split([' ', '.', ':']).any(|word| lexicon::has(lexicon::INSTALL_VERBS, word))
}

/// A command as a lesson names it: with the one package that it installs, or how it changes a mode. `None` where its
/// name alone says too little.
fn titled(command: &Command) -> Option<String> {
    let head = command.head();
    let by_python = command.wrappers.iter().any(|name| name == "python");
    let head = if by_python { format!("python -m {head}") } else { head };
    let sole = command.operands.first().filter(|_| command.operands.len() == 1);
    if let Some(target) = sole.filter(|target| installs(command) && is_plain(target)) {
        return Some(format!("{head} {target}"));
    }
    match (command.program.as_str(), command.operands.first()) {
        ("chmod", Some(mode)) if mode.starts_with('+') && mode.len() <= 4 => Some(format!("chmod {mode}")),
        ("chmod" | "chown" | "mv" | "cp" | "ln" | "rm", _) => None,
        _ => Some(head),
    }
}

fn is_plain(word: &str) -> bool {
    (2..=30).contains(&word.len())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '@'))
}

/// The command as an action, when the lesson's words are all of it.
fn whole(command: &Command, title: &str) -> Option<Action> {
    let words = title.split(' ').count().saturating_sub(command.head().split(' ').count());
    let complete = command.operands.len() == words && command.flags.is_empty() && command.env.is_empty();
    (complete && !title.contains('$')).then(|| Action::RunFirst { command: title.to_string() })
}

/// The tool call as an action, when each of its arguments is one of the failing call's.
fn call_first(step: &Call<'_>, failed: &Call<'_>) -> Option<Action> {
    let (Value::Object(args), Value::Object(own)) = (&step.tool.args, &failed.tool.args) else { return None };
    let taken = args.iter().map(|(key, value)| {
        let (from, _) =
            own.iter().find(|(other, known)| *known == value && (*other == key || value.is_string()))?;
        Some((key.clone(), Slot::Argument { key: from.clone() }))
    });
    let arguments = taken.collect::<Option<_>>()?;
    Some(Action::CallFirst { tool: String::from(&step.tool.name), arguments })
}

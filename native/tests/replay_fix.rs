//! Fix replay: an action learned from earlier runs, applied to a later failing call, against the call that worked.
//!
//! Runs marked as failed are not compared: what worked in them is no proof. The sets lie beside the project in
//! development and in CI; without them this test says so and passes.

mod samples;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hardwon_core::learn::{
    Action, Applied, CommandLine, Strength, apply, command_text, identify, joins, mine,
};
use hardwon_core::record::Mark;
use hardwon_core::trace::{Body, Outcome, ReadLimits, Reader, ResultStatus, ToolCall, Trace};
use serde_json::Value;

use samples::traces;

/// How many calls after a failure are searched for the one that worked.
const WINDOW: usize = 10;

/// A lesson with an action, as an earlier run taught it.
struct Known {
    key: String,
    signature: String,
    tool_group: String,
    action: Action,
    strength: Strength,
}

/// What came of one comparison.
struct Replay {
    set: String,
    action: String,
    right: bool,
}

/// The runs of a folder in order of time where they have one, else of task and trial, else of files.
fn runs(folder: &Path) -> Vec<Trace> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    files.sort();
    let mut out: Vec<Trace> = Vec::new();
    for file in files {
        let mut reader = Reader::new(None, ReadLimits::default());
        reader.push(&fs::read(file).unwrap_or_default());
        if let Ok(reading) = reader.finish() {
            out.extend(reading.traces);
        }
    }
    let task = |trace: &Trace| -> (u64, u64) {
        let numbers = trace.session_id.strip_prefix('t').and_then(|rest| rest.split_once("-r"));
        numbers.map_or((0, 0), |(task, trial)| (task.parse().unwrap_or(0), trial.parse().unwrap_or(0)))
    };
    out.sort_by_key(|trace| (trace.events.iter().find_map(|event| event.ts), task(trace)));
    out
}

fn calls(trace: &Trace) -> Vec<(usize, &ToolCall)> {
    let events = trace.events.iter().enumerate();
    events
        .filter_map(|(at, event)| match &event.body {
            Body::ToolCall(call) => Some((at, call)),
            _ => None,
        })
        .collect()
}

/// The actions that a run teaches.
fn teach(trace: &Trace, known: &mut Vec<Known>) {
    for draft in mine(trace).drafts {
        let Some(action) = draft.action else { continue };
        if draft.marks.contains(&Mark::Bypass) || draft.strength == Strength::Weak {
            continue;
        }
        let Some(old) = known.iter_mut().find(|one| one.key == draft.key) else {
            let (key, signature, tool_group) = (draft.key, draft.signature, draft.tool_group);
            known.push(Known { key, signature, tool_group, action, strength: draft.strength });
            continue;
        };
        if draft.strength > old.strength {
            (old.action, old.strength) = (action, draft.strength);
        }
    }
}

/// The lesson for a failing call, of those that earlier runs taught.
fn lesson<'k>(known: &'k [Known], call: &ToolCall) -> Option<&'k Known> {
    let identity = identify(&call.name, &call.args, &call.result.text);
    let likeness = |one: &'k Known| hardwon_core::learn::Likeness {
        key: &one.key,
        signature: &one.signature,
        tool_group: &one.tool_group,
    };
    let exact = known.iter().find(|one| one.key == identity.key);
    exact.or_else(|| known.iter().find(|one| joins(&likeness(one), &identity.likeness(), 0.6)))
}

/// Whether a call that was made is what was proposed.
fn is_same(applied: &Applied, made: &ToolCall) -> bool {
    let texts = (command_text(&applied.name, &applied.args), command_text(&made.name, &made.args));
    let (Some(proposed), Some(made_text)) = texts else {
        return applied.name == made.name && holds(&made.args, &applied.args);
    };
    let (proposed, made) = (CommandLine::parse(&proposed), CommandLine::parse(&made_text));
    let Some(wanted) = proposed.principal() else { return false };
    made.commands().any(|command| {
        let flags = |flags: &[String], others: &[String]| flags.iter().all(|flag| has(others, flag));
        command.head() == wanted.head()
            && command.operands == wanted.operands
            && flags(&command.flags, &wanted.flags)
            && flags(&wanted.flags, &command.flags)
    })
}

/// `-u` is `--upstream` where the program says so by its first letter: `--set-upstream` has `u` as a word's start.
fn has(flags: &[String], flag: &str) -> bool {
    let starts = |long: &str, short: &str| {
        long.trim_start_matches('-').split('-').any(|word| word.starts_with(short.trim_start_matches('-')))
    };
    let alias = |one: &str, other: &str| {
        one.starts_with("--") && other.len() == 2 && !other.starts_with("--") && starts(one, other)
    };
    flags.iter().any(|other| other == flag || alias(other, flag) || alias(flag, other))
}

/// Whether `made` has at least what was proposed.
fn holds(made: &Value, proposed: &Value) -> bool {
    match (made, proposed) {
        (Value::Object(made), Value::Object(proposed)) => {
            proposed.iter().all(|(key, value)| made.get(key).is_some_and(|own| own == value))
        }
        (made, proposed) => made == proposed,
    }
}

/// Compares each failing call of a run, for which earlier runs taught an action, with what worked in this one.
fn replay(set: &str, trace: &Trace, known: &[Known], out: &mut Vec<Replay>) {
    if trace.outcome == Outcome::Failed {
        return;
    }
    let calls = calls(trace);
    for (n, &(at, failing)) in calls.iter().enumerate() {
        if failing.result.status != ResultStatus::Failed {
            continue;
        }
        let Some(lesson) = lesson(known, failing) else { continue };
        let later = &calls[n + 1..calls.len().min(n + 1 + WINDOW)];
        let worked = later
            .iter()
            .position(|(_, call)| call.result.status == ResultStatus::Ok && is_same_purpose(call, failing));
        // Where the same thing never worked there is nothing to compare with.
        let Some(worked) = worked else { continue };
        // The source of a value may be a lookup that the failure itself led to, so all that came before the call that
        // worked is known.
        let known_then = &trace.events[..later[worked].0];
        let before = &trace.events[..at];
        let applied =
            apply(&lesson.action, failing, before).or_else(|| apply(&lesson.action, failing, known_then));
        let Some(applied) = applied else { continue };
        let right = later[..=worked].iter().any(|(_, call)| is_same(&applied, call));
        let action = serde_json::to_string(&lesson.action).expect("it serialises");
        out.push(Replay { set: set.to_owned(), action, right });
    }
}

fn is_same_purpose(call: &ToolCall, failing: &ToolCall) -> bool {
    let head = |call: &ToolCall| hardwon_core::learn::Shape::of(&call.name, &call.args).head;
    head(call) == head(failing)
}

#[test]
fn learned_actions_repair_later_failures() {
    let Some(dir) = traces() else { return };
    let mut folders: Vec<PathBuf> = fs::read_dir(&dir)
        .expect("a folder")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let mut found = Vec::new();
    let mut taught = 0;
    for folder in folders {
        let set = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut known = Vec::new();
        for trace in runs(&folder) {
            replay(&set, &trace, &known, &mut found);
            teach(&trace, &mut known);
        }
        taught += known.len();
    }
    let mut shapes: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
    for one in &found {
        let (right, all) = shapes.entry((&one.set, &one.action)).or_default();
        *right += u32::from(one.right);
        *all += 1;
    }
    for ((set, action), (right, all)) in &shapes {
        println!("{set}: {right}/{all} {action}");
    }
    let right = found.iter().filter(|one| one.right).count();
    println!("fix replay: {right} of {} right, {taught} lessons with an action", found.len());
    assert!(!found.is_empty(), "no failure with an action came back");
    assert!(right * 10 >= found.len() * 8, "{right} of {}", found.len());
}

//! Recoveries: a failed call, then a success of the same purpose; and dead ends, where none came.
//!
//! Decides what changed. Believed when the error names it or two recoveries agree; "another tool came next" is no
//! remedy, and neither is a bypass.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::{Failures, LOOKED_AT, Remedy, gated, is_override};
use crate::learn::draft::Strength;
use crate::learn::noise;
use crate::learn::run::{Call, Run, stands_in};
use crate::learn::shape::value_class;
use crate::learn::shell::Command;
use crate::learn::template;
use crate::record::Subtype;

/// How many calls after a failure may be its recovery.
const WINDOW: usize = 10;
/// How many different tries without success make a dead end.
const DEAD_END: usize = 3;

/// What a success did otherwise than the failure before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// The flag, argument or file that changed.
    pub(super) what: String,
    /// The advice.
    text: String,
    /// Whether the error names it.
    pub(super) named: bool,
    /// How many recoveries of this run agree.
    count: usize,
    /// Whether it is a step of its own, which one recovery does not prove.
    step: bool,
}

impl Change {
    fn new(what: &str, text: String, message: &str) -> Self {
        Self { what: what.to_string(), text, named: stands_in(message, what), count: 1, step: false }
    }

    pub(super) fn into_remedy(self, run: &Run<'_>) -> Remedy {
        let believed = self.named || self.count >= 2;
        let strength = if believed { Strength::Proven } else { Strength::Seen };
        Remedy { subtype: Subtype::Recovery, strength: gated(run, strength), text: self.text }
    }
}

/// What the recoveries of these failures changed.
pub(super) fn changes(run: &Run<'_>, failures: &Failures<'_>) -> Vec<Change> {
    let mut out: Vec<Change> = Vec::new();
    for change in failures.calls.iter().take(LOOKED_AT).filter_map(|&call| change(run, call, failures)) {
        match out.iter_mut().find(|known| known.text == change.text) {
            Some(known) => {
                known.count += 1;
                known.named |= change.named;
            }
            None => out.push(change),
        }
    }
    out.retain(|change| change.named || change.count >= 2 || !change.step);
    out
}

/// What changed between one failure and the success that repaired it.
fn change(run: &Run<'_>, call: usize, failures: &Failures<'_>) -> Option<Change> {
    let failed = &run.calls[call];
    let message = &failed.tool.result.text;
    let reason = template::reason(failures.signature);
    if let Some(file) = noise::only_setup_edited(run, call) {
        return Some(Change::new(file, template::edit_setup(file, &failed.title(), &reason), message));
    }
    let mut later = run.calls.iter().enumerate().skip(call + 1).take(WINDOW);
    let (at, success) = later.find(|(_, later)| later.worked() && same_purpose(failed, later))?;
    // A failure of the same kind in between is a recovery of its own.
    let next = failures.calls.partition_point(|&other| other <= call);
    if failures.calls.get(next).is_some_and(|&other| other < at) {
        return None;
    }
    if same_call(failed, success) {
        return step_before(run, call, at, &reason);
    }
    if failed.line().is_some() {
        changed_flags(failed, success, message, &reason)
    } else {
        changed_arguments(failed, success, message, &reason)
    }
}

fn same_purpose(failed: &Call<'_>, later: &Call<'_>) -> bool {
    if failed.shape().head != later.shape().head {
        return false;
    }
    match (&failed.tool.args, &later.tool.args) {
        (Value::Object(a), Value::Object(b)) if failed.line().is_none() => {
            let same = a.iter().filter(|(key, value)| b.get(*key) == Some(value)).count();
            same * 2 >= a.len().max(1) || a.len() <= 2
        }
        _ => true,
    }
}

/// Whether two calls are the same but for what only describes or bounds them.
fn same_call(a: &Call<'_>, b: &Call<'_>) -> bool {
    match (a.line(), b.line()) {
        (Some(a), Some(b)) => a.principal() == b.principal(),
        _ => a.tool.args == b.tool.args,
    }
}

/// The one step between a failure and the success of the same call. Looking around is no step, an edit is another
/// signal.
fn step_before(run: &Run<'_>, from: usize, to: usize, reason: &str) -> Option<Change> {
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
    let step = steps.next().filter(|_| steps.next().is_none()).map(Call::title);
    let step = step
        .or_else(|| inside.map(Command::head))
        .filter(|step| *step != failed.title() && !is_override(step))?;
    let text = template::step_before(&step, &failed.title(), reason);
    Some(Change {
        named: stands_in(&message, &step.to_lowercase()),
        step: true,
        ..Change::new(&step, text, "")
    })
}

/// Whether a command changes anything: neither a look nor an echo. Making a directory does.
fn acts(command: &Command) -> bool {
    let prepares =
        command.is_preparation() && !matches!(command.program.as_str(), "mkdir" | "export" | "source");
    !prepares && !command.looks_only()
}

fn changed_flags(failed: &Call<'_>, success: &Call<'_>, message: &str, reason: &str) -> Option<Change> {
    let before = failed.line()?.principal()?;
    let after = success.line()?.principal()?;
    let added: Vec<&String> = after.flags.iter().filter(|flag| !before.flags.contains(flag)).collect();
    let removed: Vec<&String> = before.flags.iter().filter(|flag| !after.flags.contains(flag)).collect();
    // A new flag may bring one value; other words must be the same, or the flag is not what made the difference.
    let kept = before.operands.iter().all(|word| after.operands.contains(word));
    if !kept || after.operands.len() > before.operands.len() + added.len() {
        return None;
    }
    let text = match (added.as_slice(), removed.as_slice()) {
        ([flag], []) if !is_override(flag) => template::pass_flag(flag, &failed.title(), reason),
        ([], [flag]) => template::drop_flag(flag, &failed.title(), reason),
        _ => return None,
    };
    let flag = added.first().or(removed.first())?;
    Some(Change::new(flag, text, message))
}

fn changed_arguments(failed: &Call<'_>, success: &Call<'_>, message: &str, reason: &str) -> Option<Change> {
    let (Value::Object(before), Value::Object(after)) = (&failed.tool.args, &success.tool.args) else {
        return None;
    };
    let title = failed.title();
    let added: Vec<&String> = after.keys().filter(|key| !filled(before, key) && filled(after, key)).collect();
    let removed: Vec<&String> =
        before.keys().filter(|key| filled(before, key) && !filled(after, key)).collect();
    let changed: Vec<&String> = after
        .keys()
        .filter(|key| filled(before, key) && filled(after, key) && before.get(*key) != after.get(*key))
        .collect();
    match (added.as_slice(), removed.as_slice(), changed.as_slice()) {
        ([key], [], []) => Some(Change::new(key, template::give_argument(key, &title, reason), message)),
        ([], [key], []) => Some(Change::new(key, template::drop_argument(key, &title, reason), message)),
        ([], [], [key]) => {
            changed_class(key, before, after, &title, reason).map(|text| Change::new(key, text, message))
        }
        _ => None,
    }
}

fn filled(map: &Map<String, Value>, key: &str) -> bool {
    map.get(key).is_some_and(|value| !value.is_null() && value.as_str() != Some(""))
}

/// One argument whose kind of value changed: a relative path became an absolute one.
fn changed_class(
    key: &str,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    title: &str,
    reason: &str,
) -> Option<String> {
    let class = |map: &Map<String, Value>| map.get(key).map(value_class);
    let (from, to) = (class(before)?, class(after)?);
    (from != to && from != "text" && to != "text")
        .then(|| template::change_class(key, from, to, title, reason))
}

/// Several different tries, none of which worked.
pub(super) fn dead_end(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    let first = *failures.calls.first()?;
    let last = *failures.calls.last()?;
    let head = &run.calls[first].shape().head;
    let mut tries: Vec<String> =
        failures.calls.iter().map(|&call| run.calls[call].tool.args.to_string()).collect();
    tries.sort_unstable();
    tries.dedup();
    let repaired =
        run.calls.iter().skip(last + 1).any(|later| later.shape().head == *head && !later.failed());
    let stuck = tries.len() >= DEAD_END && !repaired && !noise::is_benign(failures.signature);
    stuck.then(|| Remedy {
        subtype: Subtype::Failure,
        strength: Strength::Named,
        text: template::dead_end(tries.len(), &run.calls[first].title(), failures.signature),
    })
}

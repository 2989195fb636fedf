//! Recoveries: a failed call, then a success of the same purpose.
//!
//! Decides what changed. Believed when the error names it or two recoveries agree; "another tool came next" is no
//! remedy, and a bypass is kept apart for review.

mod bypassed;
mod step;

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::{Failures, LOOKED_AT, Remedy, gated, is_override};
use crate::learn::action::{Action, Slot, differing_word};
use crate::learn::draft::Strength;
use crate::learn::run::{Call, Run, stands_in};
use crate::learn::shape::{command_text, value_class};
use crate::learn::{bypass, noise, template};
use crate::record::Subtype;

/// How many calls after a failure may be its recovery.
const WINDOW: usize = 10;

pub(crate) use bypassed::bypasses;

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
    /// Whether it is about what surrounds the code.
    setup: bool,
    /// The change in a form that can be applied.
    pub(super) action: Option<Action>,
    /// The shape of an earlier call that is to be changed.
    trigger: Option<String>,
}

impl Change {
    fn new(what: &str, text: String, message: &str) -> Self {
        Self {
            what: what.to_string(),
            text,
            named: stands_in(message, what),
            count: 1,
            step: false,
            setup: false,
            action: None,
            trigger: None,
        }
    }

    fn with(self, action: Action) -> Self {
        Self { action: Some(action), ..self }
    }

    pub(super) fn into_remedy(self, run: &Run<'_>, failures: &Failures<'_>) -> Remedy {
        let believed = self.named || self.count >= 2;
        let strength = if believed { Strength::Proven } else { Strength::Seen };
        let setup = self.setup || self.step && noise::is_environment(failures.signature);
        let subtype = if setup { Subtype::Environment } else { Subtype::Recovery };
        let remedy = Remedy::new(subtype, gated(run, strength), self.text).with(self.action);
        Remedy { trigger: self.trigger, ..remedy }
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
    // One step seen once proves nothing, but where the surroundings were at fault.
    let environment = noise::is_environment(failures.signature);
    out.retain(|change| change.named || change.count >= 2 || !change.step || environment);
    out
}

/// What changed between one failure and the success that repaired it.
fn change(run: &Run<'_>, call: usize, failures: &Failures<'_>) -> Option<Change> {
    let failed = &run.calls[call];
    let message = &failed.tool.result.text;
    let reason = template::reason(failures.signature);
    if let Some(file) = noise::only_setup_edited(run, call) {
        let change = Change::new(file, template::edit_setup(file, &failed.title(), &reason), message);
        // Nothing about the call tells that the surroundings are not ready: it is said when it has failed.
        return Some(Change { setup: true, trigger: Some(String::new()), ..change });
    }
    if let Some(change) = program_swapped(run, call, &reason) {
        return Some(change);
    }
    let mut later = run.calls.iter().enumerate().skip(call + 1).take(WINDOW);
    let (at, success) = later.find(|(_, later)| later.worked() && same_purpose(failed, later))?;
    // A failure of the same kind in between is a recovery of its own.
    let next = failures.calls.partition_point(|&other| other <= call);
    if failures.calls.get(next).is_some_and(|&other| other < at) {
        return None;
    }
    if bypass::added(failed, success).is_some() {
        return None;
    }
    if same_call(failed, success) {
        return step::directory(failed, success, &reason)
            .or_else(|| step::upstream(run, call, at, &reason))
            .or_else(|| step::before(run, call, at, &reason));
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

/// The same words under another program, where the error says that the program is not there.
fn program_swapped(run: &Run<'_>, call: usize, reason: &str) -> Option<Change> {
    let failed = &run.calls[call];
    failed.line()?;
    let message = &failed.tool.result.text;
    if !message.contains("not found") && !message.contains("not recognized") {
        return None;
    }
    let text = |call: &Call<'_>| command_text(&call.tool.name, &call.tool.args).map(Cow::into_owned);
    let before = text(failed)?;
    run.calls.iter().skip(call + 1).take(WINDOW).filter(|later| later.worked()).find_map(|later| {
        let after = text(later)?;
        let (from, to) = differing_word(&before, &after)?;
        let plain = |word: &str| {
            word.len() <= 24
                && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        let swapped = plain(from) && plain(to) && stands_in(message, from) && is_program(failed, from);
        swapped.then(|| {
            let text = template::use_program(from, to, reason);
            let action = Action::ReplaceProgram { from: from.to_string(), to: to.to_string() };
            Change { setup: true, named: true, ..Change::new(from, text, message) }.with(action)
        })
    })
}

/// Whether a word is called as a program and not given as an operand.
fn is_program(call: &Call<'_>, word: &str) -> bool {
    call.line().is_some_and(|line| {
        !line.commands().any(|command| command.operands.iter().any(|operand| operand == word))
    })
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
    let flag = (*added.first().or(removed.first())?).clone();
    let change = Change::new(&flag, text, message);
    // A flag that came with a value of its own cannot be given without it.
    Some(match (added.is_empty(), after.operands.len() > before.operands.len()) {
        (true, _) => change.with(Action::DropFlag { flag }),
        (false, false) => change.with(Action::AddFlag { flag }),
        (false, true) => change,
    })
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
        ([key], [], []) => {
            let change = Change::new(key, template::give_argument(key, &title, reason), message);
            Some(Change { action: slot_for(before, after.get(*key)?, key, message), ..change })
        }
        ([], [key], []) => {
            let change = Change::new(key, template::drop_argument(key, &title, reason), message);
            Some(change.with(Action::DropArgument { key: (*key).clone() }))
        }
        ([], [], [key]) => {
            changed_class(key, before, after, &title, reason).map(|text| Change::new(key, text, message))
        }
        _ => None,
    }
}

/// Where the value of a new argument comes from, where that can be said: a truth value, a word that the error lists,
/// another argument of the call.
fn slot_for(before: &Map<String, Value>, value: &Value, key: &str, message: &str) -> Option<Action> {
    let same = before.iter().find(|(_, known)| *known == value).map(|(key, _)| key.clone());
    let slot = match value {
        Value::Bool(on) => Slot::Word { word: on.to_string() },
        _ if same.is_some() => Slot::Argument { key: same? },
        Value::String(word) if word.len() <= 24 && stands_in(message, word) => {
            Slot::Word { word: word.clone() }
        }
        _ => return None,
    };
    Some(Action::SetArgument { key: key.to_string(), value: slot })
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

//! Who may speak, and who keeps silent for which reason.

use alloc::string::ToString;

use super::RunState;
use crate::learn::{Shape, concerns, is_done, narrowed};
use crate::op::{Context, Why};
use crate::policy::Policy;
use crate::record::{Kind, Mark, Record, Status, Subtype};
use crate::stat::{CLEARLY, interval, share};
use crate::trace::ToolCall;
use crate::view::{Tries, View};

const ONE: i64 = 1_000_000;
const HOUR: i64 = 3_600_000;

/// Whether a lesson is about a call like this one: learned from its shape, or taught by a person for its tool and near
/// in meaning.
pub(crate) fn fits(record: &Record, why: &Why, tool: &str) -> bool {
    let is_taught = record.subtype == Subtype::Taught && record.tools.contains(tool);
    record.kind == Kind::Lesson && (why.signature == ONE || is_taught)
}

/// Whether a lesson may speak by itself, at a call or in a file that every run reads: not for the moment, but by what
/// is known of it.
pub fn may_speak(view: &View, policy: &Policy, record: &Record) -> bool {
    record.kind == Kind::Lesson && record.status == Status::Active && unfit(view, policy, record).is_none()
}

/// Why a lesson that fits never speaks as things stand, as a reason code.
pub(crate) fn silence(cx: &Context<'_>, record: &Record) -> Option<&'static str> {
    let reason = unfit(cx.view, cx.policy, record);
    match reason {
        Some("muted" | "outcomes_turned") => reason,
        _ if is_quiet(cx, record) => Some("quiet"),
        _ => reason,
    }
}

fn unfit(view: &View, policy: &Policy, record: &Record) -> Option<&'static str> {
    let has = |mark| record.marks.contains(&mark);
    if has(Mark::Muted) {
        return Some("muted");
    }
    if record.outcomes_turned() {
        return Some("outcomes_turned");
    }
    if record.subtype == Subtype::Taught || has(Mark::Blocking) {
        return None;
    }
    if has(Mark::Benign) || has(Mark::Bare) || has(Mark::Weak) {
        return Some("unproven");
    }
    (!fails_more_than_usual(view, policy, record)).then_some("base_rate")
}

/// Why it keeps silent before this call, of this shape, of this run.
pub(crate) fn silence_in_run(
    cx: &Context<'_>,
    record: &Record,
    call: &ToolCall,
    shape: &str,
    state: &RunState,
) -> Option<&'static str> {
    if state.spoken.contains(&record.id.to_string()) {
        return Some("shown");
    }
    if state.spoken.len() >= cx.policy.guard.per_run as usize {
        return Some("limit");
    }
    if state.has_passed(shape) {
        return Some("just_passed");
    }
    if !concerns(&call.args, record.about()) {
        return Some("elsewhere");
    }
    let action = record.best_variant().and_then(|best| best.action.as_ref());
    // What the call does already need not be said, as far as that can be told before it is made.
    action.is_some_and(|action| is_done(action, call, &state.events)).then_some("followed")
}

/// Whether it was ignored lately.
fn is_quiet(cx: &Context<'_>, record: &Record) -> bool {
    let policy = &cx.policy.guard;
    let hours = (cx.env.now.0 - record.updated_at.0) / HOUR;
    record.counters.failures() >= policy.ignored
        && record.counters.failures() > record.counters.successes()
        && hours < i64::from(policy.quiet_hours)
}

/// Whether calls like those it was learned from fail clearly more often than the other calls of their group of tools: a
/// lesson about a call that mostly works would speak in vain.
fn fails_more_than_usual(view: &View, policy: &Policy, record: &Record) -> bool {
    let own = tries_of(view, record);
    let others = view.tries(group_of(record)).without(own);
    let (low, _) = interval(own.failed, own.calls, CLEARLY);
    low > share(others.failed, others.calls).max(i64::from(policy.guard.failure_rate))
}

/// How calls of the shapes that a lesson was learned from went.
fn tries_of(view: &View, record: &Record) -> Tries {
    let counted = record.triggers().map(|shape| view.tries(&narrowed(shape, record.about())));
    counted.fold(Tries::default(), Tries::with)
}

fn group_of(record: &Record) -> &str {
    if record.tool_group.is_empty() { Shape::head_of(&record.trigger) } else { &record.tool_group }
}

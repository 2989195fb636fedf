//! Eviction: which lessons leave when a space holds more than its cap.
//!
//! Decides by recurrence and age since the last confirmation. Never evicts a pinned lesson, nor a newcomer by its own
//! insertion, nor a strategic one while a tactical one is left. What leaves is archived and can be restored; where the
//! policy says so, five similar ones leave a summary.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::compress::Summed;
use super::{Words, summary};
use crate::change::{Member, Scalar};
use crate::env::{RecordId, Timestamp};
use crate::error::Error;
use crate::op::Editor;
use crate::policy::{EvictPolicy, EvictStrategy};
use crate::record::{Kind, Pin, Record, Status, Subtype, Tier};
use crate::sort;

/// What left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Left {
    /// Lessons archived.
    pub(crate) archived: u32,
    /// Summaries written.
    pub(crate) summaries: u32,
}

/// Archives lessons until the cap holds.
pub(crate) fn hold_cap(ed: &mut Editor<'_>, words: &mut Words<'_>) -> Result<Left, Error> {
    let policy = ed.cx.policy.evict.clone();
    let Some(cap) = policy.max_entries else { return Ok(Left::default()) };
    let mut waiting: VecDeque<RecordId> = in_order(ed, &policy).into();
    let mut surplus = waiting.len().saturating_sub(cap as usize);
    let mut left = Left::default();
    let summarizes = policy.strategy == EvictStrategy::Summarize && words.is_on();
    while surplus > 0 {
        let group = if summarizes { group(ed, &waiting) } else { None };
        if let Some(group) = group
            && let Some(summaries) = sum_up(ed, words, &group)?
        {
            left.archived += group.len() as u32;
            left.summaries += summaries;
            surplus = surplus.saturating_sub(group.len() - 1);
            waiting.retain(|id| !group.contains(id));
        } else {
            let Some(first) = waiting.pop_front() else { break };
            left.archived += archive(ed, first)?;
            surplus -= 1;
        }
    }
    Ok(left)
}

/// Lets a group leave in a summary; answers how many were written, and `None` where there is to be none.
fn sum_up(ed: &mut Editor<'_>, words: &mut Words<'_>, group: &[RecordId]) -> Result<Option<u32>, Error> {
    match words.of_group(&summary::members(ed, group)) {
        Summed::Words { text, model } => {
            summary::write(ed, group, &text, &model)?;
            Ok(Some(1))
        }
        // What is not known yet is taken to come: this decision is made again once it is.
        Summed::Asked => Ok(Some(0)),
        Summed::Nothing => Ok(None),
    }
}

/// Takes a lesson that holds again out of the summary that stood for it; a summary of nothing leaves.
pub(crate) fn leave_summary(ed: &mut Editor<'_>, id: RecordId) -> Result<(), Error> {
    let Some(by) = ed.get(id).and_then(|record| record.superseded_by) else { return Ok(()) };
    if ed.get(by).is_none_or(|summary| summary.subtype != Subtype::Summary) {
        return Ok(());
    }
    ed.set(id, Scalar::SupersededBy(None))?;
    ed.drop(by, Member::Supersedes(id))?;
    let is_empty = ed.get(by).is_some_and(|one| one.supersedes.is_empty() && one.status == Status::Active);
    if is_empty {
        archive(ed, by)?;
    }
    Ok(())
}

/// Hits, halved for every half-life since the last confirmation. A time that lies ahead counts as now.
pub(crate) fn worth(record: &Record, now: Timestamp, policy: &EvictPolicy) -> f64 {
    let age = now.days_since(record.last_confirmed_at);
    f64::from(record.hits()) * decay(age, policy.half_life_days)
}

/// The share that is left after `days`.
pub(crate) fn decay(days: f64, half_life_days: u32) -> f64 {
    libm::exp2(-days / f64::from(half_life_days.max(1)))
}

/// All that count for the cap, those first that leave first.
fn in_order(ed: &Editor<'_>, policy: &EvictPolicy) -> Vec<RecordId> {
    let now = ed.cx.env.now;
    let mut held: Vec<_> = ed
        .records()
        .filter(|record| counts(record))
        .map(|record| {
            let is_new = ed.cx.view.get(record.id).is_none();
            (is_new, record.tier == Tier::Strategic, worth(record, now, policy), record.id)
        })
        .collect();
    sort::sort_by(&mut held, |a, b| {
        (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3))
    });
    held.into_iter().map(|(.., id)| id).collect()
}

/// The next to leave with the four most worn lessons that are similar to it, where there are as many.
fn group(ed: &Editor<'_>, waiting: &VecDeque<RecordId>) -> Option<Vec<RecordId>> {
    let may_join =
        |id: &RecordId| ed.cx.view.get(*id).and(ed.get(*id)).filter(|record| summary::takes(record));
    let first = waiting.front().and_then(may_join)?;
    let similar =
        waiting.iter().filter(|id| may_join(id).is_some_and(|record| summary::similar(first, record)));
    let group: Vec<RecordId> = similar.take(summary::GROUP).copied().collect();
    (group.len() == summary::GROUP).then_some(group)
}

fn archive(ed: &mut Editor<'_>, id: RecordId) -> Result<u32, Error> {
    ed.set(id, Scalar::Status(Status::Archived, "evicted".into())).map(u32::from)
}

fn counts(record: &Record) -> bool {
    record.kind == Kind::Lesson && record.status == Status::Active && record.pin == Pin::None
}

//! Eviction: which lessons leave when a space holds more than its cap.
//!
//! Decides by recurrence and age since the last confirmation. Never evicts a pinned lesson, nor a newcomer by its own
//! insertion, nor a strategic one while a tactical one is left. What leaves is archived and can be restored.

use alloc::vec::Vec;

use crate::change::Scalar;
use crate::env::{RecordId, Timestamp};
use crate::error::Error;
use crate::op::Editor;
use crate::policy::EvictPolicy;
use crate::record::{Kind, Pin, Record, Status, Tier};

/// Archives lessons until the cap holds; answers how many.
pub(crate) fn hold_cap(ed: &mut Editor<'_>) -> Result<u32, Error> {
    let policy = ed.cx.policy.evict.clone();
    let Some(cap) = policy.max_entries else { return Ok(0) };
    let now = ed.cx.env.now;
    let mut held: Vec<_> = ed
        .records()
        .filter(|record| counts(record))
        .map(|record| {
            let is_new = ed.cx.view.get(record.id).is_none();
            (is_new, record.tier == Tier::Strategic, worth(record, now, &policy), record.id)
        })
        .collect();
    let surplus = held.len().saturating_sub(cap as usize);
    held.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3)));
    let victims: Vec<RecordId> = held.into_iter().take(surplus).map(|(.., id)| id).collect();
    for &id in &victims {
        ed.set(id, Scalar::Status(Status::Archived, "evicted".into()))?;
    }
    Ok(victims.len() as u32)
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

fn counts(record: &Record) -> bool {
    record.kind == Kind::Lesson && record.status == Status::Active && record.pin == Pin::None
}

//! What is core: held by its outcomes.
//!
//! Decides from counters alone. Never touches what a person has pinned, and never makes core what tools, models or the
//! web alone have said.

use alloc::vec::Vec;

use crate::change::Scalar;
use crate::env::RecordId;
use crate::error::Error;
use crate::op::Editor;
use crate::policy::ReactPolicy;
use crate::record::{Kind, Pin, Record, SourceClass, Status};
use crate::sort;
use crate::stat::{share, wilson};

/// Brings what is core in step with the outcomes of a memory.
pub(crate) fn keep_core(ed: &mut Editor<'_>, id: RecordId) -> Result<(), Error> {
    let Some(record) = ed.get(id).filter(|record| matches!(record.kind, Kind::Feedback | Kind::Fact)) else {
        return Ok(());
    };
    let policy = &ed.cx.policy.react;
    match record.pin {
        Pin::None if is_earned(record, policy) => {
            ed.set(id, Scalar::Pin(Pin::AutoCore))?;
            hold_cap(ed, id)
        }
        Pin::AutoCore if is_lost(record, policy) => ed.set(id, Scalar::Pin(Pin::None)).map(drop),
        _ => Ok(()),
    }
}

fn is_earned(record: &Record, policy: &ReactPolicy) -> bool {
    let counters = &record.counters;
    let rate = share(counters.followed.into(), counters.surfaced.into());
    record.status == Status::Active
        && record.source >= SourceClass::Review
        && counters.surfaced >= policy.core_surfaced
        && rate > i64::from(policy.core_rate)
}

fn is_lost(record: &Record, policy: &ReactPolicy) -> bool {
    let counters = &record.counters;
    let never = counters.followed == 0 && counters.surfaced >= policy.drop_surfaced;
    never || wilson(counters.followed.into(), counters.surfaced.into()).0 < i64::from(policy.drop_bound)
}

/// No more than so many are core by their outcomes: the one that changed longest ago leaves.
fn hold_cap(ed: &mut Editor<'_>, newest: RecordId) -> Result<(), Error> {
    let is_auto = |record: &&Record| record.pin == Pin::AutoCore;
    let mut held: Vec<(crate::env::Timestamp, RecordId)> = ed
        .cx
        .view
        .pinned()
        .filter_map(|slot| ed.cx.view.record(slot))
        .filter_map(|record| ed.get(record.id))
        .filter(is_auto)
        .filter(|record| record.id != newest)
        .map(|record| (record.updated_at, record.id))
        .collect();
    sort::sort(&mut held);
    let places = ed.cx.policy.react.core_most.saturating_sub(1) as usize;
    let surplus = held.len().saturating_sub(places);
    for (_, id) in held.into_iter().take(surplus) {
        ed.set(id, Scalar::Pin(Pin::None))?;
    }
    Ok(())
}

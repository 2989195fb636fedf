//! What ranking reads of every record, kept side by side.
//!
//! Decides nothing: it repeats parts of a record. Records lie each in a place of their own, and to fetch one takes
//! longer than to score it.

use super::{Kind, Mark, Record, Status, Subtype, Tier};
use crate::env::Timestamp;

/// The parts of one record that ranking reads; the default is that of no record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is an answer of its own, and they are packed")]
pub(crate) struct Brief {
    /// When it was last confirmed.
    pub(crate) last_confirmed_at: Timestamp,
    /// Whether it came back often enough.
    pub(crate) is_strategic: bool,
    /// Whether it has no remedy.
    pub(crate) is_bare: bool,
    /// Whether it tells of what worked, and warns of nothing.
    pub(crate) is_pattern: bool,
    /// Whether it may hold now: what was replaced or taken back is not looked at.
    pub(crate) is_current: bool,
    /// Whether it is active and has nothing for which a query could leave it out; see `recall::excluded`.
    pub(crate) is_plain: bool,
}

impl Brief {
    pub(crate) fn of(record: &Record) -> Self {
        let is_marked = record.marks.contains(&Mark::Looped) || record.marks.contains(&Mark::Benign);
        Self {
            last_confirmed_at: record.last_confirmed_at,
            is_strategic: record.tier == Tier::Strategic,
            is_bare: record.marks.contains(&Mark::Bare),
            is_pattern: record.subtype == Subtype::SuccessPattern,
            is_current: !matches!(record.status, Status::Superseded | Status::Retracted | Status::Archived),
            is_plain: record.status == Status::Active
                && record.kind != Kind::Fact
                && record.scope.is_empty()
                && record.valid_to.is_none()
                && !is_marked,
        }
    }
}

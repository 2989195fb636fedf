//! What every store of this crate does alike: which commits it refuses, and what an erasure reaches.
//!
//! Decides nothing about records. Never touches a file.

use std::collections::BTreeSet;

use hardwon_core::change::{Change, ChangeSet, Delta, Member};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::error::Error;
use hardwon_core::record::Record;
use hardwon_core::step::{Commit, Loaded};

/// Refuses a commit whose rows do not follow from its changes: one row for each record changed, and no other.
pub(super) fn check(commit: &Commit) -> Result<(), Error> {
    let erased = erased(&commit.set);
    let mut waiting: BTreeSet<RecordId> = commit.set.changes.iter().map(|change| change.record).collect();
    for row in &commit.rows {
        let same_id = row.record.as_ref().is_none_or(|record| record.id == row.id);
        let stays = row.record.is_some() && erased.contains(&row.id);
        if !same_id || stays || !waiting.remove(&row.id) {
            return Err(Error::protocol(format!(
                "the row of record {} does not follow from a change",
                row.id
            )));
        }
    }
    match waiting.first() {
        Some(id) => Err(Error::protocol(format!("record {id} is changed but has no row"))),
        None => Ok(()),
    }
}

/// The records that a change set erases.
pub(super) fn erased(set: &ChangeSet) -> BTreeSet<RecordId> {
    set.tombstones.iter().map(|tombstone| tombstone.record).collect()
}

/// A change set with these changes in place of its own.
pub(super) fn with_changes(set: &ChangeSet, changes: Vec<Change>) -> ChangeSet {
    ChangeSet {
        base: set.base,
        op_id: set.op_id,
        verb: set.verb.clone(),
        at: set.at,
        actor: set.actor.clone(),
        reason: set.reason.clone(),
        undoes: set.undoes.clone(),
        promote_at: set.promote_at,
        changes,
        runs: set.runs.clone(),
        tombstones: set.tombstones.clone(),
    }
}

/// The sessions that a record's evidence names.
pub(super) fn sessions_of(record: &Record, into: &mut BTreeSet<String>) {
    into.extend(record.evidence.iter().map(|one| one.session_id.clone()));
}

/// The sessions that a delta's evidence names.
pub(super) fn sessions_in(delta: &Delta, into: &mut BTreeSet<String>) {
    match delta {
        Delta::Create(record) | Delta::Remove(Some(record)) => sessions_of(record, into),
        Delta::Add(Member::Evidence(one)) | Delta::Drop(Member::Evidence(one)) => {
            into.insert(one.session_id.clone());
        }
        _ => {}
    }
}

/// The answer to a reader who is up to date: at `since`, which is not 0.
pub(super) fn up_to_date(rev: Revision, since: Revision) -> Option<Loaded> {
    (since == rev && since.0 > 0).then(|| Loaded::Changes { list: Vec::new(), rev })
}

/// Whether a reader at `since` can be told the changes alone.
pub(super) fn can_follow(since: Revision, horizon: Revision, rev: Revision) -> bool {
    since.0 > 0 && since >= horizon && since <= rev
}

/// Whether an index saved at `saved` may be kept: a later one would be of another history, an earlier one than the
/// horizon could hold what was erased.
pub(super) fn may_cache(saved: Revision, horizon: Revision, rev: Revision) -> bool {
    saved.0 > 0 && saved >= horizon && saved <= rev
}

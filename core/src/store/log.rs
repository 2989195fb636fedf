//! The log in rows: a change set a revision, and what names it.
//!
//! `log/REV` is a change set, `op/OP` the revision of an operation, and `by/ID/REV` says that the set at this revision
//! touches that record or takes that operation back.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::known::{Draft, HEAD, Known, Stop};
use super::rows::Span;
use super::snapshot::set;
use crate::change::ChangeSet;
use crate::env::{OpId, Revision};
use crate::error::Error;
use crate::sort;
use crate::step::{LogEntry, LogQuery};

pub(super) fn key(rev: Revision) -> String {
    format!("log/{:016x}", rev.0)
}

pub(super) fn op_key(op: OpId) -> String {
    format!("op/{op}")
}

/// The span of what was committed after a revision.
pub(super) fn after(since: Revision) -> Span {
    Span(key(Revision(since.0.saturating_add(1))), "log0".into())
}

/// The change sets after a revision, oldest first.
pub(super) fn sets(known: &Known, since: Revision) -> Result<Vec<ChangeSet>, Stop> {
    let rows = known.below("log/").filter(|(key, _)| revision(key).is_some_and(|rev| rev > since));
    rows.map(|(key, value)| set(key, value)).collect()
}

/// The revision that an operation is known to have led to.
pub(super) fn known_op(known: &Known, op: OpId) -> Option<Revision> {
    known.row(&op_key(op)).and_then(revision)
}

/// Writes an entry of the log and what finds it.
pub(super) fn put(draft: &mut Draft<'_>, rev: Revision, set: &ChangeSet) {
    draft.put_json(key(rev), set);
    draft.put(op_key(set.op_id), format!("{:016x}", rev.0));
    let records = set.changes.iter().map(|change| change.record.to_string());
    for id in records.chain(set.undoes.iter().map(ToString::to_string)) {
        draft.put(format!("by/{id}/{:016x}", rev.0), String::new());
    }
}

/// The entries that are asked for, oldest first, each once.
pub(super) fn query(known: &Known, query: &LogQuery) -> Result<Vec<LogEntry>, Stop> {
    let ids: Vec<String> =
        query.records.iter().map(ToString::to_string).chain(query.op.map(|op| op.to_string())).collect();
    let prefixes: Vec<String> = ids.iter().map(|id| format!("by/{id}/")).collect();
    let op = query.op.map(|op| Span::one(&op_key(op)));
    let spans = core::iter::once(Span::one(HEAD)).chain(op);
    known.need(spans.chain(prefixes.iter().map(|prefix| Span::below(prefix))))?;
    let head = known.head()?;
    let below = prefixes.iter().flat_map(|prefix| known.below(prefix).filter_map(|(key, _)| revision(key)));
    let mut revs = sort::set(below.chain(query.op.and_then(|op| known_op(known, op))));
    let newest = head.rev.0.saturating_sub(u64::from(query.last));
    let newest = Revision(newest);
    let newer = (query.last > 0).then(|| after(newest));
    known.need(newer.into_iter().chain(revs.iter().map(|rev| Span::one(&key(*rev)))))?;
    if query.last > 0 {
        let keys = known.below("log/").filter_map(|(key, _)| revision(key));
        revs.extend(keys.filter(|rev| *rev > newest));
    }
    revs.into_iter()
        .map(|rev| {
            let key = key(rev);
            let value = known.row(&key).ok_or_else(|| Error::corrupt(format!("the row {key} is missing")))?;
            Ok(LogEntry { rev, set: set(&key, value)? })
        })
        .collect()
}

/// The revision in the key of a row.
pub(super) fn revision(digits: &str) -> Option<Revision> {
    u64::from_str_radix(digits, 16).ok().map(Revision)
}

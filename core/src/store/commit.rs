//! A commit in rows: the log entry, the current rows beside it, and what an erasure takes.

use alloc::format;
use alloc::string::String;

use super::known::{Draft, HEAD, Head, Stop};
use super::rows::Span;
use super::snapshot::record_key;
use super::{erase, log, rules, trace};
use crate::change::Delta;
use crate::env::{RecordId, Revision};
use crate::step::{Commit, Reply};

pub(super) fn commit(draft: &mut Draft<'_>, commit: &Commit) -> Result<Reply, Stop> {
    rules::check(commit)?;
    let set = &commit.set;
    draft.known.need([Span::one(HEAD), Span::one(&log::op_key(set.op_id))])?;
    if let Some(rev) = log::known_op(draft.known, set.op_id) {
        return Ok(Reply::Committed(rev));
    }
    let head = draft.known.head()?;
    if set.base != head.rev {
        return Ok(Reply::Conflict);
    }
    let rev = Revision(head.rev.0 + 1);
    let erased = rules::erased(set);
    if erased.is_empty() {
        let ending = commit.rows.iter().filter(|row| row.record.is_none());
        draft.known.need(ending.map(|row| Span::below(&vectors_of(row.id))))?;
    } else {
        draft.known.need(erase::everything())?;
    }
    log::put(draft, rev, set);
    keep(draft, rev, commit);
    let horizon = if erased.is_empty() { head.horizon } else { rev };
    draft.put_json(HEAD.into(), &Head { rev, horizon });
    if !erased.is_empty() {
        erase::erase(draft, &erased)?;
    }
    Ok(Reply::Committed(rev))
}

fn keep(draft: &mut Draft<'_>, rev: Revision, commit: &Commit) {
    for change in &commit.set.changes {
        if let Delta::Vector { embedder, vector } = &change.delta {
            let digits = crate::codec::canonical(vector);
            draft.put(vectors_of(change.record) + embedder, digits.trim_matches('"').into());
        }
    }
    let erased = rules::erased(&commit.set);
    for row in &commit.rows {
        match &row.record {
            Some(record) => draft.put_json(record_key(&row.id), record),
            // What is erased stays until its evidence has been followed.
            None if erased.contains(&row.id) => {}
            None => end(draft, row.id),
        }
    }
    for run in &commit.set.runs {
        draft.put_json(format!("run/{}", trace::name(&run.session_id)), run);
    }
    for (at, tombstone) in commit.set.tombstones.iter().enumerate() {
        draft.put_json(format!("tombstone/{:016x}{at:08x}", rev.0), tombstone);
    }
}

/// Takes a record and its vectors out of what holds now.
pub(super) fn end(draft: &mut Draft<'_>, id: RecordId) {
    draft.remove(record_key(&id));
    for (key, _) in draft.below(&vectors_of(id)) {
        draft.remove(key);
    }
}

fn vectors_of(id: RecordId) -> String {
    format!("vector/{id}/")
}

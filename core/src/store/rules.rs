//! What every store does alike: which commits it refuses, and what an erasure reaches.
//!
//! Decides nothing about records. Never keeps anything.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::change::{Change, ChangeSet, Delta, Member, RunMark, Scalar};
use crate::env::{RecordId, Revision};
use crate::error::Error;
use crate::record::{Evidence, Record, Support};
use crate::sort;
use crate::step::{Commit, Loaded};

/// Refuses a commit whose rows do not follow from its changes: one row for each record changed, and no other.
pub fn check(commit: &Commit) -> Result<(), Error> {
    let erased = erased(&commit.set);
    let mut waiting = sort::set(commit.set.changes.iter().map(|change| change.record));
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
pub fn erased(set: &ChangeSet) -> BTreeSet<RecordId> {
    sort::set(set.tombstones.iter().map(|tombstone| tombstone.record))
}

/// A change set with these changes in place of its own.
pub fn with_changes(set: &ChangeSet, changes: Vec<Change>) -> ChangeSet {
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

/// What tells of erased records outside their own rows: the sessions that showed them, and words a reason may quote.
#[derive(Debug, Default)]
pub struct Remains {
    /// Sessions and root runs of their evidence.
    sessions: BTreeSet<String>,
    /// Their ids, texts, situations and what their sources said, and the ids of their events.
    words: BTreeSet<String>,
}

impl Remains {
    /// Notes what tells of a record that is erased.
    pub fn add_record(&mut self, record: &Record) {
        self.words.insert(record.id.to_string());
        self.words.insert(record.text.clone());
        self.words.extend(record.situations.iter().cloned());
        self.words.extend(record.variants.iter().map(|variant| variant.text.clone()));
        self.words.extend(record.rewordings.iter().map(|one| one.text.clone()));
        record.supports.iter().for_each(|one| self.add_support(one));
        record.evidence.iter().for_each(|one| self.add_evidence(one));
    }

    /// Notes what a change to such a record says.
    pub fn add_delta(&mut self, delta: &Delta) {
        match delta {
            Delta::Create(record) | Delta::Remove(Some(record)) => self.add_record(record),
            Delta::Add(member) | Delta::Drop(member) => self.add_member(member),
            Delta::Set { before, after } => {
                for scalar in [before, after] {
                    if let Scalar::Text(text) = scalar {
                        self.words.insert(text.clone());
                    }
                }
            }
            _ => {}
        }
    }

    /// The sessions that showed the erased records.
    pub fn sessions(&self) -> &BTreeSet<String> {
        &self.sessions
    }

    /// Keeps the sessions that a record which stays names too.
    pub fn spare_record(&mut self, record: &Record) {
        record.evidence.iter().for_each(|one| self.spare_evidence(one));
    }

    /// Keeps the sessions that a change to a record which stays names too.
    pub fn spare_delta(&mut self, delta: &Delta) {
        match delta {
            Delta::Create(record) | Delta::Remove(Some(record)) => self.spare_record(record),
            Delta::Add(Member::Evidence(one)) | Delta::Drop(Member::Evidence(one)) => {
                self.spare_evidence(one);
            }
            _ => {}
        }
    }

    /// Whether a mark is of a session that nothing but erased records named.
    pub fn reach(&self, mark: &RunMark) -> bool {
        self.sessions.contains(&mark.session_id) || self.sessions.contains(&mark.root_run_id)
    }

    /// Takes out of an operation's head what tells of the erased records; answers whether anything did. Where the
    /// operation `touched` them, its reason goes, and who did it too once it has no other change.
    pub fn clean(&self, head: &mut ChangeSet, touched: bool, emptied: bool) -> bool {
        let before = (head.runs.len(), head.reason.len(), head.actor.len());
        head.runs.retain(|mark| !self.reach(mark));
        if touched || self.words.iter().chain(&self.sessions).any(|word| quotes(&head.reason, word)) {
            head.reason.clear();
        }
        if touched && emptied {
            head.actor.clear();
        }
        before != (head.runs.len(), head.reason.len(), head.actor.len())
    }

    fn add_member(&mut self, member: &Member) {
        match member {
            Member::Evidence(one) => self.add_evidence(one),
            Member::Situation(text) => drop(self.words.insert(text.clone())),
            Member::Variant(variant) => drop(self.words.insert(variant.text.clone())),
            Member::Rewording(one) => drop(self.words.insert(one.text.clone())),
            Member::Support(one) => self.add_support(one),
            _ => {}
        }
    }

    fn add_support(&mut self, one: &Support) {
        self.words.insert(one.quote.clone());
    }

    fn add_evidence(&mut self, one: &Evidence) {
        self.sessions.insert(one.session_id.clone());
        self.sessions.insert(one.root_run_id.clone());
        self.words.insert(one.event_id.clone());
    }

    fn spare_evidence(&mut self, one: &Evidence) {
        self.sessions.remove(&one.session_id);
        self.sessions.remove(&one.root_run_id);
    }
}

/// Whether a text holds the word, as a whole word.
fn quotes(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !word.is_empty()
        && text.match_indices(word).any(|(at, found)| {
            let (before, after) = (text.get(..at), text.get(at + found.len()..));
            !is_part(before.and_then(|part| part.chars().next_back()))
                && !is_part(after.and_then(|part| part.chars().next()))
        })
}

/// The most answers of a model that a space keeps.
pub const ANSWERS: usize = 4096;

/// The answer to a reader who is up to date: at `since`, which is not 0.
pub fn up_to_date(rev: Revision, since: Revision) -> Option<Loaded> {
    (since == rev && since.0 > 0).then(|| Loaded::Changes { list: Vec::new(), rev })
}

/// Whether a reader at `since` can be told the changes alone.
pub fn can_follow(since: Revision, horizon: Revision, rev: Revision) -> bool {
    since.0 > 0 && since >= horizon && since <= rev
}

/// Whether an index saved at `saved` may be kept: a later one would be of another history, an earlier one than the
/// horizon could hold what was erased.
pub fn may_cache(saved: Revision, horizon: Revision, rev: Revision) -> bool {
    saved.0 > 0 && saved >= horizon && saved <= rev
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_as_a_whole_word_alone() {
        assert!(quotes("says 'call_1' again", "call_1"));
        assert!(quotes("call_1", "call_1"));
        assert!(!quotes("call_12", "call_1"));
        assert!(!quotes("anything", ""));
        assert!(quotes("\u{2014}\u{4f60}\u{2014}", "\u{4f60}"));
    }
}

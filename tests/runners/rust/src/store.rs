//! A store of one space in memory, as small as the protocol allows, so that this runner needs the core alone.
//!
//! Decides nothing but what the protocol demands of every store. `tests/contract` is for the stores that ship.

use std::collections::{BTreeMap, BTreeSet};

use hardwon_core::change::{Delta, RunMark, Tombstone};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::record::Record;
use hardwon_core::step::{Commit, Loaded, LogEntry, LogQuery, Snapshot, StoredVector};
use hardwon_core::vector::Quantized;

/// One space.
#[derive(Debug, Default)]
pub struct Store {
    log: Vec<LogEntry>,
    horizon: Revision,
    records: BTreeMap<RecordId, Record>,
    vectors: BTreeMap<(RecordId, String), Quantized>,
    runs: BTreeMap<String, RunMark>,
    tombstones: Vec<Tombstone>,
    traces: BTreeMap<String, (Vec<String>, u64)>,
}

impl Store {
    /// What was committed since, or everything anew.
    pub fn load(&self, since: Revision) -> Loaded {
        let rev = self.rev();
        if since.0 == 0 || since < self.horizon {
            return Loaded::Reset(self.snapshot());
        }
        Loaded::Changes {
            list: self.log.iter().skip(since.0 as usize).map(|entry| entry.set.clone()).collect(),
            rev,
        }
    }

    /// The revision of this commit, made now or before; `None` for a conflict.
    pub fn commit(&mut self, commit: &Commit) -> Option<Revision> {
        if let Some(known) = self.log.iter().find(|entry| entry.set.op_id == commit.set.op_id) {
            return Some(known.rev);
        }
        if commit.set.base != self.rev() {
            return None;
        }
        let rev = Revision(self.rev().0 + 1);
        self.log.push(LogEntry { rev, set: commit.set.clone() });
        self.keep(commit);
        let erased: BTreeSet<RecordId> = commit.set.tombstones.iter().map(|one| one.record).collect();
        if !erased.is_empty() {
            self.erase(&erased);
            self.horizon = rev;
        }
        Some(rev)
    }

    /// Log entries, oldest first.
    pub fn log(&self, query: &LogQuery) -> Vec<LogEntry> {
        let newest = self.log.len().saturating_sub(query.last as usize);
        let wanted = |at: usize, entry: &LogEntry| {
            at >= newest
                || query.op.is_some_and(|op| entry.set.op_id == op || entry.set.undoes.contains(&op))
                || entry.set.changes.iter().any(|change| query.records.contains(&change.record))
        };
        self.log
            .iter()
            .enumerate()
            .filter(|(at, entry)| wanted(*at, entry))
            .map(|(_, entry)| entry.clone())
            .collect()
    }

    /// Appends to a live trace.
    pub fn append(&mut self, session: &str, lines: Vec<String>) {
        self.traces.entry(session.to_owned()).or_default().0.extend(lines);
    }

    /// The trace of a session, or every one with lines that wait.
    pub fn traces(&self, session: Option<&str>) -> Vec<(String, Vec<String>)> {
        let wanted = |name: &str, lines: &[String], mined: u64| match session {
            Some(session) => session == name,
            None => mined < lines.len() as u64,
        };
        let traces = self.traces.iter().filter(|(name, (lines, mined))| wanted(name, lines, *mined));
        traces.map(|(name, (lines, _))| (name.clone(), lines.clone())).collect()
    }

    /// Notes how far a live trace has been mined.
    pub fn mined(&mut self, session: &str, lines: u64) {
        if let Some((_, mined)) = self.traces.get_mut(session) {
            *mined = lines;
        }
    }

    fn rev(&self) -> Revision {
        Revision(self.log.len() as u64)
    }

    fn snapshot(&self) -> Snapshot {
        let stored = |((record, embedder), vector): (&(RecordId, String), &Quantized)| StoredVector {
            record: *record,
            embedder: embedder.clone(),
            vector: vector.clone(),
        };
        Snapshot {
            rev: self.rev(),
            records: self.records.values().cloned().collect(),
            vectors: self.vectors.iter().map(stored).collect(),
            runs: self.runs.values().cloned().collect(),
            tombstones: self.tombstones.clone(),
        }
    }

    fn keep(&mut self, commit: &Commit) {
        for row in &commit.rows {
            match &row.record {
                Some(record) => drop(self.records.insert(row.id, record.clone())),
                None => self.drop_record(row.id),
            }
        }
        for change in &commit.set.changes {
            if let Delta::Vector { embedder, vector } = &change.delta
                && self.records.contains_key(&change.record)
            {
                self.vectors.insert((change.record, embedder.clone()), vector.clone());
            }
        }
        self.runs.extend(commit.set.runs.iter().map(|run| (run.session_id.clone(), run.clone())));
        self.tombstones.extend(commit.set.tombstones.iter().cloned());
    }

    fn drop_record(&mut self, id: RecordId) {
        self.records.remove(&id);
        self.vectors.retain(|(record, _), _| *record != id);
    }

    fn erase(&mut self, erased: &BTreeSet<RecordId>) {
        for entry in &mut self.log {
            entry.set.changes.retain(|change| !erased.contains(&change.record));
        }
        erased.iter().for_each(|id| self.drop_record(*id));
    }
}

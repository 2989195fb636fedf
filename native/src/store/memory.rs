//! The store in memory: for tests, for previews and for hosts that keep their data elsewhere.
//!
//! Decides nothing and keeps nothing beyond its life. It answers as every other store does.

use std::collections::{BTreeMap, BTreeSet};

use hardwon_core::change::{Delta, RunMark, Tombstone};
use hardwon_core::env::{OpId, RecordId, Revision};
use hardwon_core::error::Error;
use hardwon_core::record::Record;
use hardwon_core::step::{Commit, Loaded, LogEntry, LogQuery, Snapshot, StoredVector};
use hardwon_core::vector::Quantized;

use super::rules::{self, Remains};
use super::{Committed, Store};

/// A store that lives as long as its value. A clone is a copy that goes its own way.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    spaces: BTreeMap<String, Space>,
}

#[derive(Debug, Clone, Default)]
struct Space {
    log: Vec<LogEntry>,
    horizon: Revision,
    ops: BTreeMap<OpId, Revision>,
    records: BTreeMap<RecordId, Record>,
    vectors: BTreeMap<(RecordId, String), Quantized>,
    runs: BTreeMap<String, RunMark>,
    tombstones: Vec<Tombstone>,
    traces: BTreeMap<String, LiveTrace>,
    caches: BTreeMap<String, (Revision, Vec<u8>)>,
    /// A model's answers by their keys, each with its place in the order of keeping.
    answers: BTreeMap<String, (u64, String)>,
}

#[derive(Debug, Clone, Default)]
struct LiveTrace {
    lines: Vec<String>,
    mined: u64,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn space(&mut self, name: &str) -> &mut Space {
        self.spaces.entry(name.to_owned()).or_default()
    }
}

impl Store for MemoryStore {
    fn load(&mut self, space: &str, since: Revision) -> Result<Loaded, Error> {
        Ok(self.space(space).load(since))
    }

    fn commit(&mut self, space: &str, commit: &Commit) -> Result<Committed, Error> {
        rules::check(commit)?;
        Ok(self.space(space).commit(commit))
    }

    fn log(&mut self, space: &str, query: &LogQuery) -> Result<Vec<LogEntry>, Error> {
        Ok(self.space(space).query(query))
    }

    fn trace_append(&mut self, space: &str, session_id: &str, lines: &[String]) -> Result<(), Error> {
        if !lines.is_empty() {
            let trace = self.space(space).traces.entry(session_id.to_owned()).or_default();
            trace.lines.extend_from_slice(lines);
        }
        Ok(())
    }

    fn trace_load(
        &mut self,
        space: &str,
        session_id: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, Error> {
        let wanted = |name: &str, trace: &LiveTrace| match session_id {
            Some(session) => session == name,
            None => trace.mined < trace.lines.len() as u64,
        };
        let traces = self.space(space).traces.iter();
        Ok(traces
            .filter(|(name, trace)| wanted(name, trace))
            .map(|(name, trace)| (name.clone(), trace.lines.clone()))
            .collect())
    }

    fn trace_mined(&mut self, space: &str, session_id: &str, lines: u64) -> Result<(), Error> {
        if let Some(trace) = self.space(space).traces.get_mut(session_id) {
            trace.mined = trace.mined.max(lines).min(trace.lines.len() as u64);
        }
        Ok(())
    }

    fn trace_drop(&mut self, space: &str, session_id: &str) -> Result<(), Error> {
        let traces = &mut self.space(space).traces;
        if traces.get(session_id).is_some_and(|trace| trace.mined >= trace.lines.len() as u64) {
            traces.remove(session_id);
        }
        Ok(())
    }

    fn cache_get(&mut self, space: &str, name: &str, rev: Revision) -> Result<Option<Vec<u8>>, Error> {
        let saved = self.space(space).caches.get(name);
        Ok(saved.filter(|(at, _)| *at == rev).map(|(_, bytes)| bytes.clone()))
    }

    fn cache_put(&mut self, space: &str, name: &str, rev: Revision, bytes: &[u8]) -> Result<(), Error> {
        let space = self.space(space);
        let newer = space.caches.get(name).is_some_and(|(at, _)| *at > rev);
        if rules::may_cache(rev, space.horizon, space.rev()) && !newer {
            space.caches.insert(name.to_owned(), (rev, bytes.to_vec()));
        }
        Ok(())
    }

    fn answer_get(&mut self, space: &str, key: &str) -> Result<Option<String>, Error> {
        Ok(self.space(space).answers.get(key).map(|(_, text)| text.clone()))
    }

    fn answer_put(&mut self, space: &str, answers: &[(String, String)]) -> Result<(), Error> {
        let kept = &mut self.space(space).answers;
        for (key, text) in answers {
            let next = kept.values().map(|(place, _)| place + 1).max().unwrap_or(0);
            kept.insert(key.clone(), (next, text.clone()));
        }
        while kept.len() > rules::ANSWERS {
            let oldest = kept.iter().min_by_key(|(_, (place, _))| *place).map(|(key, _)| key.clone());
            oldest.map(|key| kept.remove(&key));
        }
        Ok(())
    }

    fn spaces(&mut self) -> Result<Vec<String>, Error> {
        let holds = |space: &Space| !space.log.is_empty() || !space.traces.is_empty();
        Ok(self.spaces.iter().filter(|(_, space)| holds(space)).map(|(name, _)| name.clone()).collect())
    }
}

impl Space {
    fn rev(&self) -> Revision {
        Revision(self.log.len() as u64)
    }

    fn load(&self, since: Revision) -> Loaded {
        if !rules::can_follow(since, self.horizon, self.rev()) {
            return Loaded::Reset(self.snapshot());
        }
        let list = self.log.iter().skip(since.0 as usize).map(|entry| entry.set.clone()).collect();
        Loaded::Changes { list, rev: self.rev() }
    }

    fn snapshot(&self) -> Snapshot {
        let vectors = self.vectors.iter().map(|((record, embedder), vector)| StoredVector {
            record: *record,
            embedder: embedder.clone(),
            vector: vector.clone(),
        });
        Snapshot {
            rev: self.rev(),
            records: self.records.values().cloned().collect(),
            image: None,
            gone: Vec::new(),
            vectors: vectors.collect(),
            runs: self.runs.values().cloned().collect(),
            tombstones: self.tombstones.clone(),
        }
    }

    fn commit(&mut self, commit: &Commit) -> Committed {
        if let Some(rev) = self.ops.get(&commit.set.op_id) {
            return Committed::At(*rev);
        }
        if commit.set.base != self.rev() {
            return Committed::Conflict;
        }
        let rev = Revision(self.rev().0 + 1);
        self.ops.insert(commit.set.op_id, rev);
        self.log.push(LogEntry { rev, set: commit.set.clone() });
        self.keep(commit);
        let erased = rules::erased(&commit.set);
        if !erased.is_empty() {
            self.erase(&erased);
            self.horizon = rev;
        }
        Committed::At(rev)
    }

    fn keep(&mut self, commit: &Commit) {
        for change in &commit.set.changes {
            if let Delta::Vector { embedder, vector } = &change.delta {
                self.vectors.insert((change.record, embedder.clone()), vector.clone());
            }
        }
        let erased = rules::erased(&commit.set);
        for row in &commit.rows {
            match &row.record {
                Some(record) => drop(self.records.insert(row.id, record.clone())),
                // What is erased stays until its evidence has been followed.
                None if erased.contains(&row.id) => {}
                None => {
                    self.records.remove(&row.id);
                    self.vectors.retain(|(record, _), _| *record != row.id);
                }
            }
        }
        self.runs.extend(commit.set.runs.iter().map(|run| (run.session_id.clone(), run.clone())));
        self.tombstones.extend(commit.set.tombstones.iter().cloned());
    }

    fn erase(&mut self, erased: &BTreeSet<RecordId>) {
        let mut remains = Remains::default();
        for record in erased.iter().filter_map(|id| self.records.get(id)) {
            remains.add_record(record);
        }
        let mut touched = BTreeSet::new();
        for entry in &mut self.log {
            for change in entry.set.changes.extract_if(.., |change| erased.contains(&change.record)) {
                remains.add_delta(&change.delta);
                touched.insert(entry.rev);
            }
        }
        self.records.retain(|id, _| !erased.contains(id));
        self.vectors.retain(|(id, _), _| !erased.contains(id));
        self.traces.retain(|session, _| !remains.sessions().contains(session));
        self.caches.clear();
        self.answers.clear();
        self.forget_sessions(remains, &touched);
    }

    /// Takes the sessions that nothing but erased records named out of the marks and out of the log.
    fn forget_sessions(&mut self, mut remains: Remains, touched: &BTreeSet<Revision>) {
        self.records.values().for_each(|record| remains.spare_record(record));
        for change in self.log.iter().flat_map(|entry| &entry.set.changes) {
            remains.spare_delta(&change.delta);
        }
        self.runs.retain(|_, mark| !remains.reach(mark));
        for entry in &mut self.log {
            let emptied = entry.set.changes.is_empty();
            remains.clean(&mut entry.set, touched.contains(&entry.rev), emptied);
        }
    }

    fn query(&self, query: &LogQuery) -> Vec<LogEntry> {
        let newest = self.log.len().saturating_sub(query.last as usize);
        let wanted = |index: usize, entry: &LogEntry| {
            let set = &entry.set;
            index >= newest
                || query.op.is_some_and(|op| set.op_id == op || set.undoes.contains(&op))
                || set.changes.iter().any(|change| query.records.contains(&change.record))
        };
        let entries = self.log.iter().enumerate();
        entries.filter(|(index, entry)| wanted(*index, entry)).map(|(_, entry)| entry.clone()).collect()
    }
}

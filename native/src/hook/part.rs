//! A part of a store, shown as if it were the whole: for verbs that read no more than that.
//!
//! Decides nothing. Never lets a commit through: what was decided on a part does not hold for the whole.

use hardwon_core::env::Revision;
use hardwon_core::error::Error;
use hardwon_core::step::{Commit, Loaded, LogEntry, LogQuery, Snapshot};

use crate::store::{Committed, SqliteStore, Store};

/// A store of which one snapshot can be seen.
#[derive(Debug)]
pub(super) struct PartStore<'a> {
    pub(super) store: &'a mut SqliteStore,
    pub(super) snapshot: Snapshot,
}

impl Store for PartStore<'_> {
    fn load(&mut self, _: &str, since: Revision) -> Result<Loaded, Error> {
        if since == self.snapshot.rev {
            return Ok(Loaded::Changes { list: Vec::new(), rev: since });
        }
        let rest = Snapshot { rev: self.snapshot.rev, ..Snapshot::default() };
        Ok(Loaded::Reset(core::mem::replace(&mut self.snapshot, rest)))
    }

    fn commit(&mut self, _: &str, _: &Commit) -> Result<Committed, Error> {
        Err(Error::protocol("a part of a store takes no commit; open the whole"))
    }

    fn log(&mut self, space: &str, query: &LogQuery) -> Result<Vec<LogEntry>, Error> {
        self.store.log(space, query)
    }

    fn trace_append(&mut self, space: &str, session_id: &str, lines: &[String]) -> Result<(), Error> {
        self.store.trace_append(space, session_id, lines)
    }

    fn trace_load(
        &mut self,
        space: &str,
        session_id: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, Error> {
        self.store.trace_load(space, session_id)
    }

    fn trace_mined(&mut self, space: &str, session_id: &str, lines: u64) -> Result<(), Error> {
        self.store.trace_mined(space, session_id, lines)
    }

    fn cache_get(&mut self, space: &str, name: &str, rev: Revision) -> Result<Option<Vec<u8>>, Error> {
        self.store.cache_get(space, name, rev)
    }

    fn cache_put(&mut self, space: &str, name: &str, rev: Revision, bytes: &[u8]) -> Result<(), Error> {
        self.store.cache_put(space, name, rev, bytes)
    }

    fn answer_get(&mut self, space: &str, key: &str) -> Result<Option<String>, Error> {
        self.store.answer_get(space, key)
    }

    fn answer_put(&mut self, space: &str, answers: &[(String, String)]) -> Result<(), Error> {
        self.store.answer_put(space, answers)
    }

    fn spaces(&mut self) -> Result<Vec<String>, Error> {
        self.store.spaces()
    }
}

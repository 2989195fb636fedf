//! The store in one SQLite file, shared by any number of processes: write-ahead log, one sync a commit.
//!
//! Decides how rows are laid out and how long a busy file is waited for. Never decides what a change means.

mod check;
mod erase;
mod fault;
mod image;
mod open;
mod read;
mod schema;
mod trace;
mod write;

use core::time::Duration;
use std::path::{Path, PathBuf};

use hardwon_core::env::{RecordId, Revision};
use hardwon_core::error::Error;
use hardwon_core::record::Record;
use hardwon_core::step::{Commit, Loaded, LogEntry, LogQuery};
use rusqlite::{Connection, TransactionBehavior};

use self::fault::Fault;
use super::{Committed, Store, rules};
use crate::clock::Backoff;

pub use check::Finding;
#[cfg(feature = "cli")]
pub(crate) use fault::what_happened;

/// A store in one SQLite file.
///
/// A file that others are using is waited for, up to ten seconds; then the answer is [`Error::Contended`] and nothing
/// has changed. Every answer to a commit is durable: it outlives a crash of the process and of the machine.
#[derive(Debug)]
pub struct SqliteStore {
    conn: Connection,
    path: PathBuf,
    read_only: bool,
    /// Whether a transaction stands open that keeps other writers out.
    reserved: bool,
    /// What the file was when it was opened, where it is read without the files beside it.
    still: Option<open::Moment>,
    /// How long a file that others use is waited for.
    patience: Duration,
    /// Of how many bytes on the log is folded into the file after an append; `None` leaves it to SQLite.
    long_log: Option<u64>,
}

impl SqliteStore {
    /// Opens the file at `path`, and makes it where there is none. Its folder must exist.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        open::for_writing(path.as_ref())
    }

    /// Opens the file at `path` for reading alone.
    ///
    /// Readers and writers meet in two files beside it. Where these are not there and cannot be made, it is read as it
    /// stands, as long as nobody writes it.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, Error> {
        open::for_reading(path.as_ref())
    }

    /// As [`Self::open`], for a process that looks in for some milliseconds: it waits but shortly for others, leaves
    /// tidying the log to them, and what it writes outlives its own crash though perhaps not the machine's. Live traces
    /// and caches may be written so; it is not for commits.
    pub fn open_briefly(path: impl AsRef<Path>) -> Result<Self, Error> {
        open::briefly(path.as_ref())
    }

    /// Whether a session has a live trace.
    pub fn has_trace(&mut self, space: &str, session_id: &str) -> Result<bool, Error> {
        self.read(|conn| trace::is_there(conn, space, session_id))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks for damage and for what needs care; an empty list is a clean bill. Reads everything, changes nothing.
    pub fn check(&mut self) -> Result<Vec<Finding>, Error> {
        check::check(self)
    }

    /// Copies the whole store, as it stands at one moment, into a new file at `to`.
    pub fn backup(&mut self, to: impl AsRef<Path>) -> Result<(), Error> {
        check::backup(self, to.as_ref())
    }

    /// Folds a long log into the file and cuts it to nothing, unless somebody is in the way. SQLite's own folding
    /// leaves the log as long as it was, and a process that comes alone does not know how much of it is folded: each
    /// would read all of it and fold it again.
    fn shorten_log(&self) {
        let log = open::size(&open::beside(&self.path, "-wal"));
        if self.long_log.is_some_and(|most| log > most) {
            // Where it fails, the next append tries again.
            let _ = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
    }

    /// Tries until the file is free or patience ends.
    fn attempt<T>(&mut self, mut run: impl FnMut(&mut Connection) -> Result<T, Fault>) -> Result<T, Error> {
        let mut backoff = Backoff::new(self.patience);
        loop {
            let answer = run(&mut self.conn);
            if self.still.is_some() && self.still != open::Moment::of(&self.path) {
                return Err(open::moved(&self.path));
            }
            match answer {
                Err(fault) if fault.is_busy() => backoff.wait()?,
                answer => return answer.map_err(|fault| fault.at(&self.path, self.read_only)),
            }
        }
    }

    /// Reads at one moment.
    fn read<T>(&mut self, run: impl Fn(&Connection) -> Result<T, Fault>) -> Result<T, Error> {
        if self.reserved {
            return self.attempt(|conn| run(conn));
        }
        self.attempt(|conn| {
            let moment = conn.transaction_with_behavior(TransactionBehavior::Deferred)?;
            run(&moment)
        })
    }

    /// Writes all or nothing, durable when it answers.
    fn write<T>(&mut self, run: impl Fn(&Connection) -> Result<T, Fault>) -> Result<T, Error> {
        self.reserve()?;
        self.reserved = false;
        let answer = run(&self.conn).and_then(|answer| {
            self.conn.execute_batch("COMMIT")?;
            Ok(answer)
        });
        if answer.is_err() && !self.conn.is_autocommit() {
            // What failed is what is told; SQLite has mostly rolled back already.
            let _ = self.conn.execute_batch("ROLLBACK");
        }
        answer.map_err(|fault| fault.at(&self.path, self.read_only))
    }
}

impl Store for SqliteStore {
    fn load(&mut self, space: &str, since: Revision) -> Result<Loaded, Error> {
        let head = self.attempt(|conn| read::head(conn, space))?;
        match rules::up_to_date(head.rev, since) {
            Some(nothing_new) => Ok(nothing_new),
            None => self.read(|conn| read::load(conn, space, since)),
        }
    }

    fn commit(&mut self, space: &str, commit: &Commit) -> Result<Committed, Error> {
        rules::check(commit)?;
        let answer = self.write(|conn| write::commit(conn, space, commit))?;
        if matches!(answer, Committed::At(_)) && !commit.set.tombstones.is_empty() {
            erase::wipe(self)?;
        }
        Ok(answer)
    }

    fn reserve(&mut self) -> Result<(), Error> {
        if self.read_only {
            return Err(open::only_reads(&self.path));
        }
        if !self.reserved {
            self.attempt(|conn| Ok(conn.execute_batch("BEGIN IMMEDIATE")?))?;
            self.reserved = true;
        }
        Ok(())
    }

    fn release(&mut self) -> Result<(), Error> {
        if self.reserved {
            self.reserved = false;
            self.attempt(|conn| Ok(conn.execute_batch("ROLLBACK")?))?;
        }
        Ok(())
    }

    fn log(&mut self, space: &str, query: &LogQuery) -> Result<Vec<LogEntry>, Error> {
        self.read(|conn| read::log(conn, space, query))
    }

    fn trace_append(&mut self, space: &str, session_id: &str, lines: &[String]) -> Result<(), Error> {
        if lines.is_empty() {
            return Ok(());
        }
        self.write(|conn| trace::append(conn, space, session_id, lines))?;
        self.shorten_log();
        Ok(())
    }

    fn trace_load(
        &mut self,
        space: &str,
        session_id: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, Error> {
        self.read(|conn| trace::load(conn, space, session_id))
    }

    fn trace_mined(&mut self, space: &str, session_id: &str, lines: u64) -> Result<(), Error> {
        self.write(|conn| trace::mined(conn, space, session_id, lines))
    }

    fn trace_drop(&mut self, space: &str, session_id: &str) -> Result<(), Error> {
        self.write(|conn| trace::drop_mined(conn, space, session_id))
    }

    fn cache_get(&mut self, space: &str, name: &str, rev: Revision) -> Result<Option<Vec<u8>>, Error> {
        self.attempt(|conn| trace::cache_get(conn, space, name, rev))
    }

    fn cache_put(&mut self, space: &str, name: &str, rev: Revision, bytes: &[u8]) -> Result<(), Error> {
        self.write(|conn| trace::cache_put(conn, space, name, rev, bytes))
    }

    fn records(
        &mut self,
        space: &str,
        rev: Revision,
        ids: &[RecordId],
    ) -> Result<Option<Vec<Record>>, Error> {
        self.read(|conn| read::records(conn, space, rev, ids))
    }

    fn wants_image(&self) -> bool {
        !self.read_only
    }

    fn keep_image(&mut self, space: &str, rev: Revision, image: &[u8]) -> Result<(), Error> {
        self.write(|conn| image::keep(conn, space, rev, image))
    }

    fn answer_get(&mut self, space: &str, key: &str) -> Result<Option<String>, Error> {
        self.attempt(|conn| trace::answer_get(conn, space, key))
    }

    fn answer_put(&mut self, space: &str, answers: &[(String, String)]) -> Result<(), Error> {
        if answers.is_empty() {
            return Ok(());
        }
        self.write(|conn| trace::answer_put(conn, space, answers))
    }

    fn spaces(&mut self) -> Result<Vec<String>, Error> {
        self.read(read::spaces)
    }
}

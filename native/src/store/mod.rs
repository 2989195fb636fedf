//! Stores: where a space's log, current records, vectors and live traces are kept.
//!
//! Decides nothing: a store keeps what it is given, all or nothing, and says honestly what it has.

mod memory;
mod sqlite;

pub use memory::MemoryStore;
#[cfg(feature = "cli")]
pub(crate) use sqlite::what_happened;
pub use sqlite::{Finding, SqliteStore};

use std::path::{Path, PathBuf};

use hardwon_core::env::{RecordId, Revision};
use hardwon_core::error::Error;
use hardwon_core::record::Record;
use hardwon_core::step::{Commit, Loaded, LogEntry, LogQuery};
use hardwon_core::store::rules;

/// The answer to a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// It is durable at this revision, now or by an earlier try of the same operation.
    At(Revision),
    /// The space is at another revision than the set's base; nothing was changed.
    Conflict,
}

/// A store of many spaces, each with one log of change sets and its current records beside it.
///
/// Errors are [`Error::Host`] with port `store`, [`Error::Corrupt`] or [`Error::Incompatible`]. `tests/contract` is
/// the script that every store passes.
pub trait Store {
    /// What was committed to `space` after `since`; everything anew where `since` is 0 or older than the horizon.
    fn load(&mut self, space: &str, since: Revision) -> Result<Loaded, Error>;

    /// Commits all or nothing, durably before it answers. An operation id that is known is committed already.
    ///
    /// A set with tombstones erases: log entries, rows, vectors and caches of those records are wiped, and older
    /// readers get a reset.
    fn commit(&mut self, space: &str, commit: &Commit) -> Result<Committed, Error>;

    /// Keeps other writers out until this store's next write or [`Store::release`], so that a decision that takes long
    /// is not overtaken by short ones for ever: what is loaded now can be committed. A driver asks for it after a
    /// conflict and awaits nothing foreign meanwhile. A store with one writer has nothing to do.
    fn reserve(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Gives back what [`Store::reserve`] took and no write has used.
    fn release(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Log entries, oldest first, each once.
    fn log(&mut self, space: &str, query: &LogQuery) -> Result<Vec<LogEntry>, Error>;

    /// Appends canonical events to the live trace of a session.
    fn trace_append(&mut self, space: &str, session_id: &str, lines: &[String]) -> Result<(), Error>;

    /// The lines of one session, or of every session with lines that have not been mined.
    fn trace_load(
        &mut self,
        space: &str,
        session_id: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, Error>;

    /// Notes how many lines of a session have been mined.
    fn trace_mined(&mut self, space: &str, session_id: &str, lines: u64) -> Result<(), Error>;

    /// Drops the live trace of a session, if all of its lines have been mined.
    fn trace_drop(&mut self, space: &str, session_id: &str) -> Result<(), Error>;

    /// A derived index saved at exactly this revision, if one is there.
    fn cache_get(&mut self, space: &str, name: &str, rev: Revision) -> Result<Option<Vec<u8>>, Error>;

    /// Saves a derived index; an older one of that name goes.
    fn cache_put(&mut self, space: &str, name: &str, rev: Revision, bytes: &[u8]) -> Result<(), Error>;

    /// Records that [`Store::load`] has sealed, as they stand at this revision; `None` where the space has moved on.
    fn records(
        &mut self,
        space: &str,
        rev: Revision,
        ids: &[RecordId],
    ) -> Result<Option<Vec<Record>>, Error> {
        let _ = (space, rev, ids);
        Err(Error::protocol("this store seals no record"))
    }

    /// Whether [`Store::load`] makes use of an [`Image`](hardwon_core::image::Image).
    fn wants_image(&self) -> bool {
        false
    }

    /// Saves the image of a space at this revision for the next [`Store::load`].
    fn keep_image(&mut self, space: &str, rev: Revision, image: &[u8]) -> Result<(), Error> {
        let _ = (space, rev, image);
        Ok(())
    }

    /// An answer of a model kept under this key, if one is there.
    fn answer_get(&mut self, space: &str, key: &str) -> Result<Option<String>, Error>;

    /// Keeps answers of a model beside the log, by their keys. They are nothing's only copy: any may go at any time,
    /// the oldest first, and every hard forget takes all of its space.
    fn answer_put(&mut self, space: &str, answers: &[(String, String)]) -> Result<(), Error>;

    /// The names of the spaces that hold anything, in order.
    fn spaces(&mut self) -> Result<Vec<String>, Error>;
}

/// A borrowed store is one.
impl<S: Store> Store for &mut S {
    fn load(&mut self, space: &str, since: Revision) -> Result<Loaded, Error> {
        (**self).load(space, since)
    }

    fn commit(&mut self, space: &str, commit: &Commit) -> Result<Committed, Error> {
        (**self).commit(space, commit)
    }

    fn reserve(&mut self) -> Result<(), Error> {
        (**self).reserve()
    }

    fn release(&mut self) -> Result<(), Error> {
        (**self).release()
    }

    fn log(&mut self, space: &str, query: &LogQuery) -> Result<Vec<LogEntry>, Error> {
        (**self).log(space, query)
    }

    fn trace_append(&mut self, space: &str, session_id: &str, lines: &[String]) -> Result<(), Error> {
        (**self).trace_append(space, session_id, lines)
    }

    fn trace_load(
        &mut self,
        space: &str,
        session_id: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, Error> {
        (**self).trace_load(space, session_id)
    }

    fn trace_mined(&mut self, space: &str, session_id: &str, lines: u64) -> Result<(), Error> {
        (**self).trace_mined(space, session_id, lines)
    }

    fn trace_drop(&mut self, space: &str, session_id: &str) -> Result<(), Error> {
        (**self).trace_drop(space, session_id)
    }

    fn cache_get(&mut self, space: &str, name: &str, rev: Revision) -> Result<Option<Vec<u8>>, Error> {
        (**self).cache_get(space, name, rev)
    }

    fn cache_put(&mut self, space: &str, name: &str, rev: Revision, bytes: &[u8]) -> Result<(), Error> {
        (**self).cache_put(space, name, rev, bytes)
    }

    fn records(
        &mut self,
        space: &str,
        rev: Revision,
        ids: &[RecordId],
    ) -> Result<Option<Vec<Record>>, Error> {
        (**self).records(space, rev, ids)
    }

    fn wants_image(&self) -> bool {
        (**self).wants_image()
    }

    fn keep_image(&mut self, space: &str, rev: Revision, image: &[u8]) -> Result<(), Error> {
        (**self).keep_image(space, rev, image)
    }

    fn answer_get(&mut self, space: &str, key: &str) -> Result<Option<String>, Error> {
        (**self).answer_get(space, key)
    }

    fn answer_put(&mut self, space: &str, answers: &[(String, String)]) -> Result<(), Error> {
        (**self).answer_put(space, answers)
    }

    fn spaces(&mut self) -> Result<Vec<String>, Error> {
        (**self).spaces()
    }
}

/// The name of the file in a store's directory.
pub const STORE_FILE: &str = "memory.db";

/// The SQLite file of a store: a path that is a file, or ends in `.db` or `.sqlite`, is it; any other is its
/// directory, with [`STORE_FILE`] in it.
pub fn store_file(path: &Path) -> PathBuf {
    let named_as_file = path.extension().is_some_and(|ending| ending == "db" || ending == "sqlite");
    if path.is_file() || (named_as_file && !path.is_dir()) {
        path.to_path_buf()
    } else {
        path.join(STORE_FILE)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_path_names_a_directory_unless_it_is_or_looks_like_a_file() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let file = root.path().join("odd");
        fs::write(&file, b"").expect("written");
        assert_eq!(store_file(&file), file);
        assert_eq!(store_file(root.path()), root.path().join(STORE_FILE));
        assert_eq!(store_file(Path::new("x/new.db")), Path::new("x/new.db"));
        assert_eq!(store_file(Path::new("x/new")), Path::new("x/new").join(STORE_FILE));
    }
}

//! What can go wrong with the file, and what a person is told about it.
//!
//! Decides which failures are worth another try. Never shows SQLite's words alone: each message says what happened,
//! to which file, and what to do.

use std::path::Path;

use hardwon_core::error::Error;
use rusqlite::ErrorCode;

/// A failure inside the store, before it has been put into words.
#[derive(Debug)]
pub(super) enum Fault {
    /// SQLite said so.
    Sql(rusqlite::Error),
    /// It is in words already.
    Said(Error),
    /// A row does not hold what it should.
    Row(String),
}

impl From<rusqlite::Error> for Fault {
    fn from(cause: rusqlite::Error) -> Self {
        Self::Sql(cause)
    }
}

impl From<Error> for Fault {
    fn from(cause: Error) -> Self {
        Self::Said(cause)
    }
}

impl Fault {
    /// Names the row that cannot be read.
    pub(super) fn row(what: &str, space: i64, key: &str, cause: impl core::fmt::Display) -> Self {
        Self::Row(format!("{what} {key} in space number {space} cannot be read ({cause})"))
    }

    /// Another connection was in the way; another try may succeed.
    pub(super) fn is_busy(&self) -> bool {
        let Self::Sql(cause) = self else { return false };
        matches!(
            cause.sqlite_error_code(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed)
        )
    }

    /// The error for the user of a store that was opened for reading alone, or for writing too.
    pub(super) fn at(self, path: &Path, read_only: bool) -> Error {
        let path = path.display();
        match self {
            Self::Said(error) => error,
            Self::Row(what) => Error::corrupt(format!("in {path}, {what}; run `hardwon doctor`")),
            Self::Sql(cause) if read_only && cannot_share(&cause) => cannot_read(&path),
            Self::Sql(cause) => in_words(&cause, &path),
        }
    }
}

/// Where the messages about damage turn from what happened to what to do.
const ADVICE: [&str; 2] = [". Nothing was changed", "; run `hardwon doctor`"];

/// What a message about damage says has happened, without what to do: for `doctor`, to whom others send.
pub(crate) fn what_happened(message: &str) -> &str {
    let advice = ADVICE.iter().filter_map(|words| message.find(words)).min();
    advice.and_then(|at| message.get(..at)).unwrap_or(message)
}

/// A reader could not make the two files by which readers and writers meet.
fn cannot_share(cause: &rusqlite::Error) -> bool {
    matches!(cause.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

fn cannot_read(path: &impl core::fmt::Display) -> Error {
    Error::host(
        "store",
        format!(
            "{path} cannot be read where it is: you may not read it, or its newest changes stand in a log beside it \
             and you may not write in its folder. Let someone who may write open it once (`hardwon doctor`), or copy \
             the whole folder to one of your own"
        ),
    )
}

fn in_words(cause: &rusqlite::Error, path: &impl core::fmt::Display) -> Error {
    let host = |what: &str| Error::host("store", format!("{path} {what}"));
    match cause.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => host(
            "could not grow: the disk or quota is full. Nothing was changed; free some space and try again",
        ),
        Some(ErrorCode::ReadOnly) => host(
            "cannot be written: the file or its folder is read-only for you. Nothing was changed; change its \
             permissions, or open it for reading alone",
        ),
        Some(ErrorCode::CannotOpen) => host(
            "cannot be opened: see that it and its folder exist and that you may write both, for two more files are kept \
             beside it; or copy it to a folder of your own",
        ),
        Some(ErrorCode::PermissionDenied) => host("is not yours to use: check its permissions"),
        Some(ErrorCode::NotADatabase) => host(
            "is not a hardwon store, or its first page is damaged. Nothing was changed; give another path, or put \
             a backup in its place",
        ),
        Some(ErrorCode::SystemIoFailure) => host(&format!(
            "could not be read or written ({cause}). Nothing was changed; check the disk, its free space and its \
             quota, then try again"
        )),
        Some(ErrorCode::OutOfMemory) => host("needs more memory than there is. Nothing was changed"),
        _ => damaged_or_other(cause, path),
    }
}

/// The statements are fixed, so what they cannot do in a file of this format is the file's fault.
fn damaged_or_other(cause: &rusqlite::Error, path: &impl core::fmt::Display) -> Error {
    Error::corrupt(format!(
        "{path} is not as it was written ({cause}). Nothing was changed; keep a copy of it, run `hardwon doctor`, and \
         put a backup or an export in its place"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_is_told_without_advice() {
        let path = Path::new("memory.db");
        let row = Fault::row("record", 1, "ab", "no JSON").at(path, false).to_string();
        let file = damaged_or_other(&rusqlite::Error::InvalidQuery, &path.display()).to_string();
        for message in [row, file] {
            assert!(message.contains("doctor"), "{message}");
            let told = what_happened(&message);
            assert!(!told.contains("doctor") && told.contains("memory.db"), "{told}");
        }
        assert_eq!(what_happened("as it is"), "as it is");
    }
}

//! Opening: which file it is, of which format, and the settings that durability and erasure rest on.
//!
//! Decides whether a file may be used. Never changes a file of another program or of a newer format.

use core::time::Duration;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hardwon_core::error::Error;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::fault::Fault;
use super::schema::{APPLICATION_ID, FORMAT, TABLES};
use super::{SqliteStore, erase};
use crate::clock::PATIENCE;

/// Statements that stay compiled: about as many as there are.
const STATEMENTS: usize = 64;

/// FULL syncs the log at each commit; a freed byte is overwritten; what a file says about itself is not run.
const SETTINGS: &str = "
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
PRAGMA secure_delete = ON;
PRAGMA foreign_keys = OFF;
PRAGMA trusted_schema = OFF;
PRAGMA cache_size = -4000;
";

pub(super) fn for_writing(path: &Path) -> Result<SqliteStore, Error> {
    see_path(path)?;
    make(path).map_err(|cause| cannot_make(path, &cause))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut store = connect(path, flags, false)?;
    store.attempt(|conn| {
        if format_now(conn)? == Format::None {
            create(conn)?;
        }
        write_ahead(conn)?;
        Ok(conn.execute_batch(SETTINGS)?)
    })?;
    erase::finish(&mut store);
    Ok(store)
}

/// How long a process waits that others wait for.
const SHORT_PATIENCE: Duration = Duration::from_millis(100);

/// Who comes next alone reads the whole log again, in about a millisecond for so many bytes.
const LONG_LOG: u64 = 1 << 20;

pub(super) fn briefly(path: &Path) -> Result<SqliteStore, Error> {
    let mut store = for_writing(path)?;
    store.patience = SHORT_PATIENCE;
    store.long_log = Some(LONG_LOG);
    store.attempt(|conn| {
        conn.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")?;
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        Ok(())
    })?;
    Ok(store)
}

pub(super) fn for_reading(path: &Path) -> Result<SqliteStore, Error> {
    see_path(path)?;
    if !path.exists() {
        return Err(host(path, "does not exist; nothing can be read from it"));
    }
    let mut store = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX, true)?;
    let mut found = store.attempt(format_now);
    if let (Err(_), Some(moment)) = (&found, Moment::of(path)) {
        // Perhaps nothing but that no file can be made beside it. Where no log is there, nobody is writing.
        store = connect_still(path, moment)?;
        found = store.attempt(format_now);
    }
    match found? {
        Format::None => Err(host(
            path,
            "is no store yet, for its making was interrupted; open it for writing once (`hardwon learn`)",
        )),
        Format::Ours => Ok(store),
    }
}

/// The answer to a write where only reading was asked for.
pub(super) fn only_reads(path: &Path) -> Error {
    host(path, "was opened for reading alone; open it for writing to change anything")
}

#[derive(Debug, PartialEq, Eq)]
enum Format {
    /// Nothing is in the file yet.
    None,
    /// It is a store of the format this build writes.
    Ours,
}

fn see_path(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => {
            return Err(host(path, "is a folder; give the path of a file in it, for example `memory.db`"));
        }
        Ok(meta) if !meta.is_file() => {
            return Err(host(path, "is a pipe, a device or a socket, and no file; give another path"));
        }
        _ => {}
    }
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    match fs::metadata(folder) {
        Ok(meta) if meta.is_dir() => Ok(()),
        Ok(_) => Err(host(path, "cannot be made: what it should lie in is no folder; give another path")),
        Err(cause) if cause.kind() == ErrorKind::NotFound => {
            Err(host(path, "cannot be made: its folder does not exist; make the folder first"))
        }
        Err(cause) => Err(cannot_make(path, &cause)),
    }
}

/// Makes the file where there is none, for its owner alone: what agents did is nobody else's business. SQLite gives the
/// files beside it the same permissions.
pub(super) fn make(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

pub(super) fn cannot_make(path: &Path, cause: &io::Error) -> Error {
    match cause.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => host(
            path,
            "cannot be written: the file or its folder is read-only for you. Change its permissions, or open it for \
             reading alone",
        ),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            host(path, "cannot be made: the disk or quota is full; free some space and try again")
        }
        _ => host(path, &format!("cannot be opened ({cause})")),
    }
}

fn connect(path: &Path, flags: OpenFlags, read_only: bool) -> Result<SqliteStore, Error> {
    opened(Connection::open_with_flags(plain(path), flags), path, read_only)
}

/// Opens a file that nobody is writing, without the files beside it. [`SqliteStore`] sees after each reading that it
/// has stayed as it was.
fn connect_still(path: &Path, moment: Moment) -> Result<SqliteStore, Error> {
    let escaped =
        plain(path).as_os_str().as_encoded_bytes().iter().fold(String::new(), |name, byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                name + char::from(*byte).encode_utf8(&mut [0; 4])
            }
            byte => name + &format!("%{byte:02X}"),
        });
    let name = format!("file:{escaped}?immutable=1");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let store = opened(Connection::open_with_flags(name, flags), path, true)?;
    Ok(SqliteStore { still: Some(moment), ..store })
}

fn opened(conn: rusqlite::Result<Connection>, path: &Path, read_only: bool) -> Result<SqliteStore, Error> {
    let conn = conn.map_err(|cause| Fault::from(cause).at(path, read_only))?;
    // Waiting is this crate's own: SQLite's would hide for how long.
    conn.busy_timeout(Duration::ZERO).map_err(|cause| Fault::from(cause).at(path, read_only))?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(SqliteStore {
        conn,
        path: path.to_owned(),
        read_only,
        reserved: false,
        still: None,
        patience: PATIENCE,
        long_log: None,
    })
}

/// What a file is while nobody writes it: without a log, of this size and of this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    bytes: u64,
    written: Option<SystemTime>,
}

impl Moment {
    /// The present one; `None` while a log holds what is not in the file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok()?;
        (size(&beside(path, "-wal")) == 0).then(|| Self { bytes: meta.len(), written: meta.modified().ok() })
    }
}

/// The answer where somebody wrote a file that could be read only while nobody did.
pub(super) fn moved(path: &Path) -> Error {
    host(path, "was written while it was read, and you may not write beside it; try again")
}

/// The file that SQLite keeps beside the store under this ending.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A path that SQLite takes for nothing but a path: a relative `:memory:` or `file:x` has a meaning of its own to it.
pub(super) fn plain(path: &Path) -> PathBuf {
    if path.is_relative() { Path::new(".").join(path) } else { path.to_owned() }
}

/// What the file is at one moment: another process may be making it a store.
fn format_now(conn: &mut Connection) -> Result<Format, Fault> {
    format(&*conn.transaction()?)
}

/// What the file is, without changing it.
fn format(conn: &Connection) -> Result<Format, Fault> {
    let number = |pragma: &str| conn.query_row(pragma, [], |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    match (application, version) {
        (APPLICATION_ID, FORMAT) => Ok(Format::Ours),
        (APPLICATION_ID, newer) => Err(Error::Incompatible {
            message: format!(
                "{} has store format {newer} and this build of hardwon reads format {FORMAT}. Nothing was changed; \
                 update hardwon, or export the store with the version that wrote it",
                conn.path().unwrap_or("the file")
            ),
        }
        .into()),
        (0, 0) if number("SELECT count(*) FROM sqlite_schema")? == 0 => Ok(Format::None),
        _ => Err(host(
            Path::new(conn.path().unwrap_or("the file")),
            "is a database of another program. Nothing was changed; give another path",
        )
        .into()),
    }
}

/// Makes the tables, unless another process was first. Format and tables appear together.
fn create(conn: &mut Connection) -> Result<(), Fault> {
    write_ahead(conn)?;
    conn.execute_batch(SETTINGS)?;
    let all = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if format(&all)? == Format::None {
        all.execute_batch(TABLES)?;
        all.pragma_update(None, "application_id", APPLICATION_ID)?;
        all.pragma_update(None, "user_version", FORMAT)?;
    }
    Ok(all.commit()?)
}

fn write_ahead(conn: &Connection) -> Result<(), Fault> {
    let mode: String = conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode == "wal" {
        return Ok(());
    }
    Err(host(
        Path::new(conn.path().unwrap_or("the file")),
        "lies where programs cannot share a file (a network folder?); put it on a local disk",
    )
    .into())
}

fn host(path: &Path, what: &str) -> Error {
    Error::host("store", format!("{} {what}", path.display()))
}

/// The size of a file in bytes; 0 where it is missing.
pub(super) fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |meta| meta.len())
}

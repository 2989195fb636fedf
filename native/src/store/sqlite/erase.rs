//! Hard forgetting: the rows go in the commit itself, the bytes right after it.
//!
//! Decides what an erasure reaches. It answers only when no byte of it is left in the file or beside it; what a crash
//! interrupts, the next opening finishes.

use core::time::Duration;
use std::collections::BTreeSet;

use hardwon_core::env::{RecordId, Revision};
use hardwon_core::error::Error;
use hardwon_core::record::Record;
use rusqlite::ffi::{self, ErrorCode};
use rusqlite::{Connection, params};

use super::super::rules;
use super::SqliteStore;
use super::fault::Fault;
use super::read::list;
use super::write::run;

/// How long one try at folding the log waits for readers to end.
const READERS_END: Duration = Duration::from_secs(2);

/// Deletes every row about the records, and makes this revision the horizon so that every reader starts anew.
pub(super) fn erase(
    conn: &Connection,
    space: i64,
    rev: Revision,
    erased: &BTreeSet<RecordId>,
) -> Result<(), Fault> {
    let mut sessions = BTreeSet::new();
    for id in erased {
        follow_evidence(conn, space, *id, &mut sessions)?;
        let about = params![space, id.0];
        run(conn, "DELETE FROM change WHERE space = ?1 AND record = ?2", about)?;
        run(conn, "DELETE FROM record WHERE space = ?1 AND id = ?2", about)?;
        run(conn, "DELETE FROM vector WHERE space = ?1 AND record = ?2", about)?;
    }
    for session in &sessions {
        forget_trace(conn, space, session)?;
    }
    run(conn, "DELETE FROM cache WHERE space = ?1", [space])?;
    run(conn, "UPDATE space SET horizon = ?2 WHERE id = ?1", params![space, rev.0.cast_signed()])?;
    run(conn, "INSERT OR IGNORE INTO pending(what) VALUES ('wipe')", [])?;
    Ok(())
}

/// Wipes what erased rows have left: free pages, gaps inside pages, and the write-ahead log.
///
/// `secure_delete` overwrites a row that is deleted, but not the copies that pages leave behind when rows move between
/// them; so the file is rebuilt from what is still there.
pub(super) fn wipe(store: &mut SqliteStore) -> Result<(), Error> {
    let steps = [rebuild, fold_log, settle];
    let done = steps.into_iter().try_for_each(|step| store.attempt(step));
    done.map_err(|cause| {
        let path = store.path.display();
        Error::host(
            "store",
            format!(
                "the records are forgotten and no answer will hold them again, but their bytes are not yet wiped from \
                 {path} ({cause}). Close other programs that use it and do the same again, or just open it again"
            ),
        )
    })
}

/// Finishes what a crash has interrupted, if that can be done at once.
pub(super) fn finish(store: &mut SqliteStore) {
    let conn = &mut store.conn;
    // Whoever is in the way will finish it, or the next opening will; `check` shows it until then.
    let _ = rebuild(conn).and_then(|()| fold_log(conn)).and_then(|()| settle(conn));
}

/// Whether erased bytes may still be in the file.
pub(super) fn is_pending(conn: &Connection) -> Result<bool, Fault> {
    Ok(conn.prepare_cached("SELECT 1 FROM pending WHERE what = 'wipe'")?.exists([])?)
}

/// Rebuilds the file in the log, from rows that are still there.
fn rebuild(conn: &mut Connection) -> Result<(), Fault> {
    if is_pending(conn)? {
        conn.execute_batch("VACUUM")?;
    }
    Ok(())
}

/// Moves the log into the file and cuts it to nothing. New readers and writers keep out while it waits for those that
/// are still reading, so this wait is SQLite's own; it is a part of our patience.
fn fold_log(conn: &mut Connection) -> Result<(), Fault> {
    if !is_pending(conn)? {
        return Ok(());
    }
    conn.busy_timeout(READERS_END)?;
    let blocked = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    conn.busy_timeout(Duration::ZERO)?;
    if blocked? {
        let busy = ffi::Error { code: ErrorCode::DatabaseBusy, extended_code: ffi::SQLITE_BUSY };
        return Err(rusqlite::Error::SqliteFailure(busy, None).into());
    }
    Ok(())
}

fn settle(conn: &mut Connection) -> Result<(), Fault> {
    if is_pending(conn)? {
        run(conn, "DELETE FROM pending WHERE what = 'wipe'", [])?;
    }
    Ok(())
}

/// The sessions that show the record, by its row and by all that its log says.
fn follow_evidence(
    conn: &Connection,
    space: i64,
    id: RecordId,
    sessions: &mut BTreeSet<String>,
) -> Result<(), Fault> {
    let row = "SELECT json FROM record WHERE space = ?1 AND id = ?2";
    let log = "SELECT delta FROM change WHERE space = ?1 AND record = ?2";
    let texts = |sql| list(conn, sql, params![space, id.0], |row| Ok(row.get::<_, String>(0)?));
    // What cannot be read names no session, and goes with the rest.
    for record in texts(row)?.iter().filter_map(|json| serde_json::from_str::<Record>(json).ok()) {
        rules::sessions_of(&record, sessions);
    }
    for delta in texts(log)?.iter().filter_map(|json| serde_json::from_str(json).ok()) {
        rules::sessions_in(&delta, sessions);
    }
    Ok(())
}

fn forget_trace(conn: &Connection, space: i64, session: &str) -> Result<(), Fault> {
    let lines = "DELETE FROM trace_line WHERE trace IN
                 (SELECT id FROM live_trace WHERE space = ?1 AND session = ?2)";
    run(conn, lines, params![space, session])?;
    run(conn, "DELETE FROM live_trace WHERE space = ?1 AND session = ?2", params![space, session])?;
    Ok(())
}

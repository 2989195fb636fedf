//! Hard forgetting: the rows go in the commit itself, the bytes right after it.
//!
//! Decides what an erasure reaches. It answers only when no byte of it is left in the file or beside it; what a crash
//! interrupts, the next opening finishes.

use std::collections::BTreeSet;

use hardwon_core::change::{ChangeSet, Delta, RunMark};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::error::Error;
use hardwon_core::record::Record;
use rusqlite::ffi::{self, ErrorCode};
use rusqlite::{Connection, Params, TransactionBehavior, params};
use serde::de::DeserializeOwned;

use super::super::rules::Remains;
use super::SqliteStore;
use super::fault::Fault;
use super::read::{self, list};
use super::write::{self, run};
use crate::clock;

/// Deletes every row about the records and what tells of them elsewhere, and makes this revision the horizon so that
/// every reader starts anew.
pub(super) fn erase(
    conn: &Connection,
    space: i64,
    rev: Revision,
    erased: &BTreeSet<RecordId>,
) -> Result<(), Fault> {
    let mut remains = Remains::default();
    let mut touched = BTreeSet::new();
    for id in erased {
        note(conn, space, *id, &mut remains)?;
        let about = params![space, id.0];
        let revs = "SELECT DISTINCT rev FROM change WHERE space = ?1 AND record = ?2";
        touched.extend(list(conn, revs, about, |row| Ok(row.get::<_, i64>(0)?))?);
        run(conn, "DELETE FROM change WHERE space = ?1 AND record = ?2", about)?;
        run(conn, "DELETE FROM record WHERE space = ?1 AND id = ?2", about)?;
        run(conn, "DELETE FROM vector WHERE space = ?1 AND record = ?2", about)?;
    }
    for session in remains.sessions() {
        forget_trace(conn, space, session)?;
    }
    spare(conn, space, &mut remains)?;
    forget_runs(conn, space, &remains)?;
    clean_heads(conn, space, &remains, &touched)?;
    run(conn, "DELETE FROM cache WHERE space = ?1", [space])?;
    run(conn, "UPDATE space SET horizon = ?2 WHERE id = ?1", params![space, rev.0.cast_signed()])?;
    run(conn, "INSERT INTO to_wipe(space, rev) VALUES (?1, ?2)", params![space, rev.0.cast_signed()])?;
    Ok(())
}

/// Wipes what erased rows have left: free pages, gaps inside pages, and the write-ahead log.
///
/// `secure_delete` overwrites a row that is deleted, but not the copies that pages leave behind when rows move between
/// them; so the file is rebuilt from what is still there.
pub(super) fn wipe(store: &mut SqliteStore) -> Result<(), Error> {
    wipe_all(store).map_err(|cause| {
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
    if let Ok(all @ [_, ..]) = pending(&store.conn).as_deref() {
        // Whoever is in the way will finish it, or the next opening will; `check` shows it until then.
        let _ = wipe_once(&mut store.conn, all, &mut None);
    }
}

/// The erasures, by space and revision, of which bytes may still be in the file.
pub(super) fn pending(conn: &Connection) -> Result<Vec<Erasure>, Fault> {
    list(conn, "SELECT space, rev FROM to_wipe", [], |row| Ok((row.get(0)?, row.get(1)?)))
}

type Erasure = (i64, i64);

fn wipe_all(store: &mut SqliteStore) -> Result<(), Error> {
    let ours = store.attempt(|conn| pending(conn))?;
    let mut rebuilt = None;
    store.attempt(|conn| wipe_once(conn, &ours, &mut rebuilt))
}

/// One try, which goes on where the last one was interrupted. `rebuilt` holds the erasures that were there before the
/// rebuilding: only these are settled by it, for another process may erase meanwhile.
fn wipe_once(
    conn: &mut Connection,
    ours: &[Erasure],
    rebuilt: &mut Option<Vec<Erasure>>,
) -> Result<(), Fault> {
    let now = pending(conn)?;
    if !ours.iter().any(|one| now.contains(one)) {
        // Another process has wiped for all who waited.
        return Ok(());
    }
    if rebuilt.is_none() {
        rebuild(conn)?;
        *rebuilt = Some(now);
    }
    fold_log(conn)?;
    settle(conn, rebuilt.as_deref().unwrap_or_default())
}

/// Rebuilds the file in the log, from rows that are still there.
fn rebuild(conn: &mut Connection) -> Result<(), Fault> {
    Ok(conn.execute_batch("VACUUM")?)
}

/// Moves the log into the file and cuts it to nothing. New readers and writers keep out while it waits for those that
/// are still reading, so this wait is inside SQLite; it is a part of our patience.
fn fold_log(conn: &mut Connection) -> Result<(), Fault> {
    conn.busy_handler(Some(clock::wait_briefly))?;
    let blocked = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    conn.busy_handler(None::<fn(i32) -> bool>)?;
    if blocked? {
        let busy = ffi::Error { code: ErrorCode::DatabaseBusy, extended_code: ffi::SQLITE_BUSY };
        return Err(rusqlite::Error::SqliteFailure(busy, None).into());
    }
    Ok(())
}

fn settle(conn: &mut Connection, wiped: &[Erasure]) -> Result<(), Fault> {
    let all = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for erasure in wiped {
        run(&all, "DELETE FROM to_wipe WHERE space = ?1 AND rev = ?2", params![erasure.0, erasure.1])?;
    }
    Ok(all.commit()?)
}

/// Notes what tells of the record, by its row and by all that its log says.
fn note(conn: &Connection, space: i64, id: RecordId, remains: &mut Remains) -> Result<(), Fault> {
    let row = "SELECT json FROM record WHERE space = ?1 AND id = ?2";
    let log = "SELECT delta FROM change WHERE space = ?1 AND record = ?2";
    each::<Record>(conn, row, params![space, id.0], |record| remains.add_record(&record))?;
    each::<Delta>(conn, log, params![space, id.0], |delta| remains.add_delta(&delta))
}

/// Keeps the sessions that records which stay name too.
fn spare(conn: &Connection, space: i64, remains: &mut Remains) -> Result<(), Fault> {
    // A record without evidence names no session, and need not be read.
    let rows = "SELECT json FROM record WHERE space = ?1 AND instr(json, 'session_id')";
    let log = "SELECT delta FROM change WHERE space = ?1 AND instr(delta, 'session_id')";
    each::<Record>(conn, rows, [space], |record| remains.spare_record(&record))?;
    each::<Delta>(conn, log, [space], |delta| remains.spare_delta(&delta))
}

/// Reads what the first column of each row says. What cannot be read names nothing.
fn each<T: DeserializeOwned>(
    conn: &Connection,
    sql: &str,
    key: impl Params,
    mut take: impl FnMut(T),
) -> Result<(), Fault> {
    let mut find = conn.prepare_cached(sql)?;
    let mut rows = find.query(key)?;
    while let Some(row) = rows.next()? {
        let text = row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?;
        if let Ok(value) = serde_json::from_slice(text) {
            take(value);
        }
    }
    Ok(())
}

fn forget_runs(conn: &Connection, space: i64, remains: &Remains) -> Result<(), Fault> {
    let mut gone = Vec::new();
    each::<RunMark>(conn, "SELECT json FROM run WHERE space = ?1", [space], |mark| {
        if remains.reach(&mark) {
            gone.push(mark.session_id);
        }
    })?;
    for session in gone {
        run(conn, "DELETE FROM run WHERE space = ?1 AND session = ?2", params![space, session])?;
    }
    Ok(())
}

/// Takes what tells of the records out of the heads of operations.
fn clean_heads(
    conn: &Connection,
    space: i64,
    remains: &Remains,
    touched: &BTreeSet<i64>,
) -> Result<(), Fault> {
    let mut changed = Vec::new();
    let all =
        "SELECT head, rev, EXISTS(SELECT 1 FROM change WHERE change.space = op.space AND change.rev = op.rev)
               FROM op WHERE space = ?1";
    let heads: Vec<(ChangeSet, i64, bool)> =
        list(conn, all, [space], |row| Ok((read::json("log entry", space, row)?, row.get(1)?, row.get(2)?)))?;
    for (mut head, rev, has_changes) in heads {
        if remains.clean(&mut head, touched.contains(&rev), !has_changes) {
            changed.push((rev, write::text(&head)?));
        }
    }
    for (rev, head) in changed {
        run(conn, "UPDATE op SET head = ?3 WHERE space = ?1 AND rev = ?2", params![space, rev, head])?;
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

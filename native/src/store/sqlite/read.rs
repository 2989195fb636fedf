//! Reading: the head of a space, its snapshot, and its log.
//!
//! Decides nothing. A row that cannot be read is named, and never left out.

use std::collections::BTreeSet;
use std::thread;

use hardwon_core::change::{Change, ChangeSet, Delta, Tombstone};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::record::Record;
use hardwon_core::step::{Loaded, LogEntry, LogQuery, Snapshot, StoredVector};
use hardwon_core::vector::Quantized;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use serde::de::DeserializeOwned;

use super::super::rules;
use super::fault::Fault;
use super::image;

/// At most so many threads parse the records of a space, each at least so many records.
const THREADS: usize = 4;
const PART: usize = 256;

/// Where a space stands. A space that is not there stands at 0.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Head {
    /// Its number in the file; 0 for none.
    pub(super) id: i64,
    pub(super) rev: Revision,
    pub(super) horizon: Revision,
}

pub(super) fn head(conn: &Connection, space: &str) -> Result<Head, Fault> {
    let mut find = conn.prepare_cached("SELECT id, rev, horizon FROM space WHERE name = ?1")?;
    let found = find.query_row([space], |row| {
        Ok(Head { id: row.get(0)?, rev: revision(row.get(1)?), horizon: revision(row.get(2)?) })
    });
    Ok(found.optional()?.unwrap_or_default())
}

pub(super) fn load(conn: &Connection, space: &str, since: Revision) -> Result<Loaded, Fault> {
    let head = head(conn, space)?;
    if !rules::can_follow(since, head.horizon, head.rev) {
        let known = image::snapshot(conn, head)?;
        return Ok(Loaded::Reset(known.map_or_else(|| snapshot(conn, head), Ok)?));
    }
    let mut list = Vec::new();
    for rev in since.0 + 1..=head.rev.0 {
        list.push(entry(conn, head.id, Revision(rev))?.set);
    }
    Ok(Loaded::Changes { list, rev: head.rev })
}

pub(super) fn snapshot(conn: &Connection, head: Head) -> Result<Snapshot, Fault> {
    let runs = "SELECT json, session FROM run WHERE space = ?1 ORDER BY session";
    Ok(Snapshot {
        rev: head.rev,
        records: all_parsed(head.id, &all_rows(conn, head.id)?)?,
        vectors: vectors(conn, head.id)?,
        runs: list(conn, runs, [head.id], |row| json("run", head.id, row))?,
        tombstones: tombstones(conn, head.id)?,
        ..Snapshot::default()
    })
}

/// What hard forgets have left in a space.
pub(super) fn tombstones(conn: &Connection, space: i64) -> Result<Vec<Tombstone>, Fault> {
    let sql = "SELECT json, rev FROM tombstone WHERE space = ?1 ORDER BY rev, seq";
    list(conn, sql, [space], |row| json("tombstone", space, row))
}

/// These records at this revision; `None` where the space is at another.
pub(super) fn records(
    conn: &Connection,
    space: &str,
    rev: Revision,
    ids: &[RecordId],
) -> Result<Option<Vec<Record>>, Fault> {
    let head = head(conn, space)?;
    if head.rev != rev {
        return Ok(None);
    }
    if ids.len() <= PART {
        return some_records(conn, head.id, ids).map(Some);
    }
    let wanted: BTreeSet<&RecordId> = ids.iter().collect();
    let mut rows = all_rows(conn, head.id)?;
    rows.retain(|(_, id)| wanted.contains(id));
    all_parsed(head.id, &rows).map(Some)
}

/// Those of these records that are there.
pub(super) fn some_records(conn: &Connection, space: i64, ids: &[RecordId]) -> Result<Vec<Record>, Fault> {
    let sql = "SELECT json, id FROM record WHERE space = ?1 AND id = ?2";
    let mut out = Vec::new();
    for id in ids {
        out.append(&mut list(conn, sql, params![space, id.0], |row| json("record", space, row))?);
    }
    Ok(out)
}

fn all_rows(conn: &Connection, space: i64) -> Result<Vec<RawRecord>, Fault> {
    let sql = "SELECT json, id FROM record WHERE space = ?1 ORDER BY id";
    list(conn, sql, [space], |row| {
        let text = row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?;
        Ok((text.to_vec(), RecordId(row.get(1)?)))
    })
}

/// Reads records. Several threads do it: it is most of what opening a large space costs.
fn all_parsed(space: i64, rows: &[RawRecord]) -> Result<Vec<Record>, Fault> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    let part = rows.len().div_ceil(threads).max(PART);
    thread::scope(|scope| {
        let mut parts = rows.chunks(part);
        let first = parts.next().unwrap_or_default();
        let others: Vec<_> = parts
            .map(|part| (part, thread::Builder::new().spawn_scoped(scope, move || parsed(space, part))))
            .collect();
        let mut out = parsed(space, first)?;
        for (part, thread) in others {
            // Where no thread is to be had, this one does it.
            let more = thread.ok().and_then(|thread| thread.join().ok());
            out.append(&mut more.unwrap_or_else(|| parsed(space, part))?);
        }
        Ok(out)
    })
}

/// A record's text and its id.
type RawRecord = (Vec<u8>, RecordId);

fn parsed(space: i64, rows: &[RawRecord]) -> Result<Vec<Record>, Fault> {
    let read = |(text, id): &RawRecord| {
        serde_json::from_slice(text).map_err(|cause| Fault::row("record", space, &id.to_string(), cause))
    };
    rows.iter().map(read).collect()
}

pub(super) fn log(conn: &Connection, space: &str, query: &LogQuery) -> Result<Vec<LogEntry>, Fault> {
    let head = head(conn, space)?;
    let mut revs = BTreeSet::new();
    let mut find = |sql: &str, key: &dyn rusqlite::ToSql| -> Result<(), Fault> {
        revs.extend(list(conn, sql, params![head.id, key], |row| Ok(revision(row.get(0)?)))?);
        Ok(())
    };
    if let Some(op) = query.op {
        find("SELECT rev FROM op WHERE space = ?1 AND id = ?2", &op.0)?;
        find("SELECT rev FROM undo WHERE space = ?1 AND undone = ?2", &op.0)?;
    }
    for record in &query.records {
        find("SELECT DISTINCT rev FROM change WHERE space = ?1 AND record = ?2", &record.0)?;
    }
    if query.last > 0 {
        find("SELECT rev FROM op WHERE space = ?1 ORDER BY rev DESC LIMIT ?2", &query.last)?;
    }
    revs.into_iter().map(|rev| entry(conn, head.id, rev)).collect()
}

pub(super) fn spaces(conn: &Connection) -> Result<Vec<String>, Fault> {
    list(conn, "SELECT name FROM space ORDER BY name", [], |row| Ok(row.get(0)?))
}

/// One entry of the log, with those of its changes that have not been erased.
pub(super) fn entry(conn: &Connection, space: i64, rev: Revision) -> Result<LogEntry, Fault> {
    let at = rev.0.cast_signed();
    let mut find = conn.prepare_cached("SELECT head, rev FROM op WHERE space = ?1 AND rev = ?2")?;
    let mut rows = find.query([space, at])?;
    let head: ChangeSet = match rows.next()? {
        Some(row) => json("log entry", space, row)?,
        None => return Err(Fault::row("log entry", space, &at.to_string(), "it is missing")),
    };
    let sql = "SELECT delta, record, vector FROM change WHERE space = ?1 AND rev = ?2 ORDER BY seq";
    let changes = list(conn, sql, [space, at], |row| change(space, row))?;
    Ok(LogEntry { rev, set: ChangeSet { changes, ..head } })
}

fn change(space: i64, row: &Row<'_>) -> Result<Change, Fault> {
    let record = RecordId(row.get(1)?);
    let mut delta = json("change of record", space, row)?;
    if let Delta::Vector { vector, .. } = &mut delta {
        *vector = quantized(space, record, row)?;
    }
    Ok(Change { record, delta })
}

/// Every vector of a space.
pub(super) fn vectors(conn: &Connection, space: i64) -> Result<Vec<StoredVector>, Fault> {
    let sql = "SELECT record, embedder, bytes FROM vector WHERE space = ?1 ORDER BY record, embedder";
    list(conn, sql, [space], |row| vector(space, row))
}

/// The vector in a row of record, embedder and bytes.
pub(super) fn vector(space: i64, row: &Row<'_>) -> Result<StoredVector, Fault> {
    let record = RecordId(row.get(0)?);
    Ok(StoredVector { record, embedder: row.get(1)?, vector: quantized(space, record, row)? })
}

/// The vector in the third column.
fn quantized(space: i64, record: RecordId, row: &Row<'_>) -> Result<Quantized, Fault> {
    let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
    let unreadable = || Fault::row("vector of record", space, &record.to_string(), "it is not one of ours");
    Quantized::from_bytes(bytes).ok_or_else(unreadable)
}

/// Every row that a statement finds.
pub(super) fn list<T>(
    conn: &Connection,
    sql: &str,
    key: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut find = conn.prepare_cached(sql)?;
    let mut rows = find.query(key)?;
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        out.push(read(row)?);
    }
    Ok(out)
}

/// What the first column says; the second names the row where it says nothing that can be read.
pub(super) fn json<T: DeserializeOwned>(what: &str, space: i64, row: &Row<'_>) -> Result<T, Fault> {
    let text = row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?;
    serde_json::from_slice(text).map_err(|cause| Fault::row(what, space, &key(row), cause))
}

fn key(row: &Row<'_>) -> String {
    match row.get_ref(1) {
        Ok(ValueRef::Blob(bytes)) => {
            bytes.try_into().map_or_else(|_| "?".into(), |id| RecordId(id).to_string())
        }
        Ok(ValueRef::Text(text)) => String::from_utf8_lossy(text).into_owned(),
        Ok(ValueRef::Integer(number)) => number.to_string(),
        _ => "without a key".to_owned(),
    }
}

fn revision(stored: i64) -> Revision {
    Revision(stored.max(0).cast_unsigned())
}

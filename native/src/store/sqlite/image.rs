//! The image of a space in the cache: which of its entries still hold.
//!
//! Decides by revision: what no later change touches is as it was. An image that is not of this log is none.

use std::collections::HashSet;

use hardwon_core::change::{ChangeSet, RunMark};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::image::Image;
use hardwon_core::step::{Snapshot, StoredVector};
use rusqlite::{Connection, params};

use super::fault::Fault;
use super::read::{self, Head, json, list};
use super::trace;

/// Under this name.
const NAME: &str = Image::NAME;
/// Operation, and whether all vectors of the space are in the image.
const HEAD: usize = 16 + 1;

/// An image that is kept.
struct Saved {
    rev: i64,
    /// Whether no vector of the space was left out.
    is_dense: bool,
    image: Image,
}

/// Saves an image, with the operation that led to its revision: revisions of another log have other operations.
pub(super) fn keep(conn: &Connection, space: &str, rev: Revision, bytes: &[u8]) -> Result<(), Fault> {
    let head = read::head(conn, space)?;
    let (op, image) = (operation(conn, head.id, rev.0.cast_signed())?, Image::read(bytes.to_vec()));
    let (Some(op), Some(image)) = (op, image) else { return Ok(()) };
    let others = "SELECT 1 FROM vector WHERE space = ?1 AND embedder <> ?2 LIMIT 1";
    let is_dense = list(conn, others, params![head.id, image.embedder()], |_| Ok(()))?.is_empty();
    // Without any vector it would have all of them read at each opening.
    if !is_dense && image.embedder().is_empty() {
        return Ok(());
    }
    trace::cache_put(conn, space, NAME, rev, &[&op[..], &[u8::from(is_dense)], bytes].concat())
}

/// What a space holds: an image, and what has changed since.
pub(super) fn snapshot(conn: &Connection, head: Head) -> Result<Option<Snapshot>, Fault> {
    let Some(Saved { rev, is_dense, image }) = saved(conn, head)? else { return Ok(None) };
    let changes = "SELECT DISTINCT record FROM change WHERE space = ?1 AND rev > ?2";
    let mut changed: Vec<RecordId> =
        list(conn, changes, params![head.id, rev], |row| Ok(RecordId(row.get(0)?)))?;
    if changed.len() > image.len() {
        return Ok(None);
    }
    changed.sort_unstable();
    let records = read::some_records(conn, head.id, &changed)?;
    let there: HashSet<RecordId> = records.iter().map(|record| record.id).collect();
    let count = "SELECT count(*) FROM record WHERE space = ?1";
    let all: Option<i64> = list(conn, count, [head.id], |row| Ok(row.get(0)?))?.pop();
    let since = Snapshot {
        rev: head.rev,
        vectors: if is_dense { vectors(conn, head.id, &changed)? } else { read::vectors(conn, head.id)? },
        gone: changed.into_iter().filter(|id| !there.contains(id)).collect(),
        runs: runs(conn, head.id, rev)?,
        tombstones: read::tombstones(conn, head.id)?,
        records,
        image: None,
    };
    Ok(since.on(image, all.unwrap_or_default().cast_unsigned()))
}

/// The image that is kept of a space. One that cannot be read is as one that is not there.
fn saved(conn: &Connection, head: Head) -> Result<Option<Saved>, Fault> {
    match read(conn, head) {
        Err(fault) if fault.is_busy() => Err(fault),
        found => Ok(found.ok().flatten()),
    }
}

fn read(conn: &Connection, head: Head) -> Result<Option<Saved>, Fault> {
    let sql = "SELECT rowid, rev FROM cache WHERE space = ?1 AND name = ?2";
    let mut found = list(conn, sql, params![head.id, NAME], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((row, rev)) = found.pop() else { return Ok(None) };
    // Straight into its place: it is as long as all that is looked up.
    let blob = conn.blob_open("main", "cache", "bytes", row, true)?;
    let mut before = [0; HEAD];
    blob.read_at_exact(&mut before, 0)?;
    let mut bytes = vec![0; blob.len().saturating_sub(HEAD)];
    blob.read_at_exact(&mut bytes, HEAD)?;
    let [op @ .., is_dense] = before;
    let is_ours = rev >= head.horizon.0.cast_signed() && operation(conn, head.id, rev)? == Some(op);
    let image = Image::read(bytes).filter(|_| is_ours);
    Ok(image.map(|image| Saved { rev, is_dense: is_dense == 1, image }))
}

/// The vectors of these records.
fn vectors(conn: &Connection, space: i64, records: &[RecordId]) -> Result<Vec<StoredVector>, Fault> {
    let sql = "SELECT record, embedder, bytes FROM vector WHERE space = ?1 AND record = ?2";
    let mut out = Vec::new();
    for record in records {
        out.append(&mut list(conn, sql, params![space, record.0], |row| read::vector(space, row))?);
    }
    Ok(out)
}

/// The marks of sessions that have been set since a revision, in their order.
fn runs(conn: &Connection, space: i64, since: i64) -> Result<Vec<RunMark>, Fault> {
    let sql = "SELECT head, rev FROM op WHERE space = ?1 AND rev > ?2 ORDER BY rev";
    let heads: Vec<ChangeSet> = list(conn, sql, params![space, since], |row| json("log entry", space, row))?;
    Ok(heads.into_iter().flat_map(|set| set.runs).collect())
}

fn operation(conn: &Connection, space: i64, rev: i64) -> Result<Option<[u8; 16]>, Fault> {
    let sql = "SELECT id FROM op WHERE space = ?1 AND rev = ?2";
    Ok(list(conn, sql, params![space, rev], |row| Ok(row.get(0)?))?.pop())
}

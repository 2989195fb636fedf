//! The image of a space in the cache: which of its entries still hold.
//!
//! Decides by revision: what no later change touches is as it was. An image that is not of this log is none.

use std::collections::HashSet;

use hardwon_core::env::{RecordId, Revision};
use hardwon_core::image::{Entry, Image};
use hardwon_core::step::Snapshot;
use rusqlite::{Connection, params};

use super::fault::Fault;
use super::read::{self, Head, list};
use super::trace;

/// Under this name.
const NAME: &str = Image::NAME;

/// Saves an image, with the operation that led to its revision: revisions of another log have other operations.
pub(super) fn keep(conn: &Connection, space: &str, rev: Revision, image: &[u8]) -> Result<(), Fault> {
    let head = read::head(conn, space)?;
    match operation(conn, head.id, rev.0.cast_signed())? {
        Some(op) => trace::cache_put(conn, space, NAME, rev, &[&op[..], image].concat()),
        None => Ok(()),
    }
}

/// What a space holds, with its records sealed as far as an image knows them.
pub(super) fn snapshot(conn: &Connection, head: Head) -> Result<Option<Snapshot>, Fault> {
    let Some((rev, image)) = saved(conn, head)? else { return Ok(None) };
    let changes = "SELECT DISTINCT record FROM change WHERE space = ?1 AND rev > ?2";
    let changed: HashSet<RecordId> =
        list(conn, changes, params![head.id, rev], |row| Ok(RecordId(row.get(0)?)))?.into_iter().collect();
    let sealed: Vec<Entry> = image.entries().filter(|entry| !changed.contains(&entry.id())).collect();
    if changed.len() > sealed.len() {
        return Ok(None);
    }
    let mut ids: Vec<RecordId> = changed.into_iter().collect();
    ids.sort_unstable();
    let records = read::some_records(conn, head.id, &ids)?;
    let count = "SELECT count(*) FROM record WHERE space = ?1";
    let all: Option<i64> = list(conn, count, [head.id], |row| Ok(row.get(0)?))?.pop();
    if all != Some((records.len() + sealed.len()) as i64) {
        return Ok(None);
    }
    Ok(Some(Snapshot { records, sealed, ..read::without_records(conn, head)? }))
}

/// The image that is kept of a space, with its revision. One that cannot be read is as one that is not there.
fn saved(conn: &Connection, head: Head) -> Result<Option<(i64, Image)>, Fault> {
    let sql = "SELECT bytes, rev FROM cache WHERE space = ?1 AND name = ?2";
    let found = list(conn, sql, params![head.id, NAME], |row| Ok((row.get(0)?, row.get(1)?)));
    let (bytes, rev): (Vec<u8>, i64) = match found {
        Err(fault) if fault.is_busy() => return Err(fault),
        Err(_) => return Ok(None),
        Ok(mut found) => match found.pop() {
            Some(found) => found,
            None => return Ok(None),
        },
    };
    let Some((op, image)) = bytes.split_first_chunk::<16>() else { return Ok(None) };
    let is_ours = rev >= head.horizon.0.cast_signed() && operation(conn, head.id, rev)? == Some(*op);
    Ok(Image::read(image.to_vec()).filter(|_| is_ours).map(|image| (rev, image)))
}

fn operation(conn: &Connection, space: i64, rev: i64) -> Result<Option<[u8; 16]>, Fault> {
    let sql = "SELECT id FROM op WHERE space = ?1 AND rev = ?2";
    Ok(list(conn, sql, params![space, rev], |row| Ok(row.get(0)?))?.pop())
}

//! Writing: one change set, all or nothing, inside one transaction that holds the file's only write lock.
//!
//! Decides between committed, committed before, and conflict. Never looks at what a change says.

use hardwon_core::change::{Change, ChangeSet, Delta};
use hardwon_core::env::{OpId, Revision};
use hardwon_core::step::{Commit, Row};
use hardwon_core::vector::Quantized;
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use super::super::{Committed, rules};
use super::erase;
use super::fault::Fault;
use super::read::{self, Head};

pub(super) fn commit(conn: &Connection, space: &str, commit: &Commit) -> Result<Committed, Fault> {
    let head = read::head(conn, space)?;
    if let Some(rev) = known(conn, head.id, commit.set.op_id)? {
        return Ok(Committed::At(rev));
    }
    if commit.set.base != head.rev {
        return Ok(Committed::Conflict);
    }
    let rev = Revision(head.rev.0 + 1);
    let id = advance(conn, space, head, rev)?;
    keep(conn, id, rev, commit)?;
    let erased = rules::erased(&commit.set);
    if !erased.is_empty() {
        erase::erase(conn, id, rev, &erased)?;
    }
    Ok(Committed::At(rev))
}

/// The number of a space, which is made where it is new.
pub(super) fn space_id(conn: &Connection, space: &str) -> Result<i64, Fault> {
    match read::head(conn, space)? {
        Head { id: 0, .. } => {
            run(conn, "INSERT INTO space(name, rev, horizon) VALUES (?1, 0, 0)", [space])?;
            Ok(conn.last_insert_rowid())
        }
        head => Ok(head.id),
    }
}

/// Runs a statement that stays compiled.
pub(super) fn run(conn: &Connection, sql: &str, with: impl rusqlite::Params) -> Result<usize, Fault> {
    Ok(conn.prepare_cached(sql)?.execute(with)?)
}

pub(super) fn known(conn: &Connection, space: i64, op: OpId) -> Result<Option<Revision>, Fault> {
    let mut find = conn.prepare_cached("SELECT rev FROM op WHERE space = ?1 AND id = ?2")?;
    let found = find.query_row(params![space, op.0], |row| row.get::<_, i64>(0)).optional()?;
    Ok(found.map(|rev| Revision(rev.cast_unsigned())))
}

fn advance(conn: &Connection, space: &str, head: Head, rev: Revision) -> Result<i64, Fault> {
    let id = if head.id == 0 { space_id(conn, space)? } else { head.id };
    run(conn, "UPDATE space SET rev = ?2 WHERE id = ?1", params![id, rev.0.cast_signed()])?;
    Ok(id)
}

fn keep(conn: &Connection, space: i64, rev: Revision, commit: &Commit) -> Result<(), Fault> {
    let (set, at) = (&commit.set, rev.0.cast_signed());
    let head = text(&rules::with_changes(set, Vec::new()))?;
    let op = "INSERT INTO op(space, rev, id, head) VALUES (?1, ?2, ?3, ?4)";
    run(conn, op, params![space, at, set.op_id.0, head])?;
    for undone in &set.undoes {
        let undo = "INSERT OR IGNORE INTO undo(space, undone, rev) VALUES (?1, ?2, ?3)";
        run(conn, undo, params![space, undone.0, at])?;
    }
    for (seq, change) in (0i64..).zip(&set.changes) {
        keep_change(conn, space, at, seq, change)?;
    }
    for row in &commit.rows {
        keep_row(conn, space, row)?;
    }
    keep_marks(conn, space, at, set)
}

fn keep_change(conn: &Connection, space: i64, rev: i64, seq: i64, change: &Change) -> Result<(), Fault> {
    let id = change.record.0;
    let (delta, bytes) = match &change.delta {
        Delta::Vector { embedder, vector } => {
            let bytes = vector.to_bytes();
            let put = "INSERT INTO vector(space, record, embedder, bytes) VALUES (?1, ?2, ?3, ?4)
                       ON CONFLICT DO UPDATE SET bytes = excluded.bytes";
            run(conn, put, params![space, id, embedder, bytes])?;
            let bare = Delta::Vector { embedder: embedder.clone(), vector: Quantized::default() };
            (text(&bare)?, Some(bytes))
        }
        delta => (text(delta)?, None),
    };
    let add = "INSERT INTO change(space, rev, seq, record, delta, vector) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    run(conn, add, params![space, rev, seq, id, delta, bytes])?;
    Ok(())
}

fn keep_row(conn: &Connection, space: i64, row: &Row) -> Result<(), Fault> {
    let Some(record) = &row.record else {
        run(conn, "DELETE FROM record WHERE space = ?1 AND id = ?2", params![space, row.id.0])?;
        run(conn, "DELETE FROM vector WHERE space = ?1 AND record = ?2", params![space, row.id.0])?;
        return Ok(());
    };
    let put = "INSERT INTO record(space, id, json) VALUES (?1, ?2, ?3)
               ON CONFLICT(space, id) DO UPDATE SET json = excluded.json";
    run(conn, put, params![space, row.id.0, text(record)?])?;
    Ok(())
}

fn keep_marks(conn: &Connection, space: i64, rev: i64, set: &ChangeSet) -> Result<(), Fault> {
    for mark in &set.runs {
        let put = "INSERT INTO run(space, session, json) VALUES (?1, ?2, ?3)
                   ON CONFLICT DO UPDATE SET json = excluded.json";
        run(conn, put, params![space, mark.session_id, text(mark)?])?;
    }
    for (seq, tombstone) in (0i64..).zip(&set.tombstones) {
        let add = "INSERT INTO tombstone(space, rev, seq, json) VALUES (?1, ?2, ?3, ?4)";
        run(conn, add, params![space, rev, seq, text(tombstone)?])?;
    }
    Ok(())
}

/// A value as it is stored.
pub(super) fn text(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|cause| Fault::Row(format!("a value cannot be written ({cause})")))
}

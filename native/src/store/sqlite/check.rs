//! What `doctor` asks a store: is it whole, does it follow from its log, and who can read it. And its backup.
//!
//! Decides what deserves a person's attention. Never repairs: each finding says how.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::path::Path;

use hardwon_core::change::Delta;
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::error::Error;
use hardwon_core::record::Record;
use hardwon_core::step::{Loaded, Snapshot};
use hardwon_core::vector::Quantized;
use hardwon_core::view::View;
use rusqlite::Connection;
use serde::Serialize;

use super::fault::{Fault, what_happened};
use super::read::{self, list};
use super::{SqliteStore, erase, open};

/// A write-ahead log of this many bytes is not being folded into the store: some reader never ends.
const LARGE_LOG: u64 = 64 << 20;

/// Damage is reported up to this many lines.
const DAMAGES: u32 = 20;

/// Something that deserves attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is: `integrity`, `replay`, `unreadable`, `not_wiped`, `large_log` or `permissions`.
    pub code: &'static str,
    /// What was found, and where.
    pub message: String,
    /// What to do.
    pub fix: String,
}

pub(super) fn check(store: &mut SqliteStore) -> Result<Vec<Finding>, Error> {
    let mut out = store.read(|conn| {
        let mut out = integrity(conn)?;
        if !erase::pending(conn)?.is_empty() {
            out.push(not_wiped());
        }
        Ok(out)
    })?;
    let names = store.read(read::spaces)?;
    for name in names {
        match store.read(|conn| replay(conn, &name)) {
            Ok(found) => out.extend(found),
            Err(Error::Corrupt { message }) => {
                out.push(damage("unreadable", what_happened(&message).to_owned()));
            }
            Err(other) => return Err(other),
        }
    }
    out.extend(files(&store.path));
    Ok(out)
}

pub(super) fn backup(store: &mut SqliteStore, to: &Path) -> Result<(), Error> {
    let host = |what: String| Error::host("store", format!("{} {what}", to.display()));
    let plain = open::plain(to);
    let Some(name) = plain.to_str() else {
        return Err(host("cannot be a backup: give a path of UTF-8".into()));
    };
    if to.exists() {
        return Err(host("exists already; give the backup a new name".into()));
    }
    open::make(to).map_err(|cause| open::cannot_make(to, &cause))?;
    store.attempt(|conn| Ok(conn.execute("VACUUM INTO ?1", [name])?))?;
    let synced = OpenOptions::new().write(true).open(to).and_then(|file| file.sync_all());
    synced.map_err(|cause| host(format!("may not be on the disk yet ({cause}); make another backup")))
}

fn integrity(conn: &Connection) -> Result<Vec<Finding>, Fault> {
    let sql = format!("PRAGMA integrity_check({DAMAGES})");
    let lines: Vec<String> = list(conn, &sql, [], |row| Ok(row.get(0)?))?;
    Ok(lines.into_iter().filter(|line| line != "ok").map(|line| damage("integrity", line)).collect())
}

/// Goes through the log of a space from its start and compares where it leads with what the space holds.
fn replay(conn: &Connection, name: &str) -> Result<Vec<Finding>, Fault> {
    let head = read::head(conn, name)?;
    let snapshot = read::snapshot(conn, head)?;
    let mut view = View::new(None);
    let mut vectors = BTreeMap::new();
    for rev in 1..=head.rev.0 {
        let set = read::entry(conn, head.id, Revision(rev))?.set;
        for change in &set.changes {
            if let Delta::Vector { embedder, vector } = &change.delta {
                vectors.insert((change.record, embedder.clone()), vector.clone());
            }
        }
        if let Err(cause) = view.advance(Loaded::Changes { list: vec![set], rev: Revision(rev) }) {
            return Ok(vec![damage("replay", format!("space {name}, revision {rev}: {cause}"))]);
        }
        vectors.retain(|(record, _), _| view.get(*record).is_some());
    }
    Ok(differences(name, &snapshot, &view, &vectors))
}

fn differences(
    space: &str,
    snapshot: &Snapshot,
    view: &View,
    vectors: &BTreeMap<(RecordId, String), Quantized>,
) -> Vec<Finding> {
    let held: BTreeMap<RecordId, &Record> = snapshot.records.iter().map(|one| (one.id, one)).collect();
    let led_to: BTreeMap<RecordId, &Record> = view.records().map(|one| (one.id, one)).collect();
    let ids = held.keys().chain(led_to.keys()).collect::<BTreeSet<_>>();
    let mut out: Vec<Finding> = ids
        .into_iter()
        .filter(|id| held.get(id) != led_to.get(id))
        .map(|id| damage("replay", format!("space {space}: record {id} is not what its log leads to")))
        .collect();
    let stored = snapshot.vectors.iter().map(|one| ((one.record, one.embedder.clone()), one.vector.clone()));
    if stored.collect::<BTreeMap<_, _>>() != *vectors {
        out.push(damage("replay", format!("space {space}: its vectors are not what its log leads to")));
    }
    out
}

fn damage(code: &'static str, message: String) -> Finding {
    let fix = "keep a copy of the file, export what can be read, and import it into a new store".to_owned();
    Finding { code, message, fix }
}

fn not_wiped() -> Finding {
    Finding {
        code: "not_wiped",
        message: "bytes of forgotten records may still be in the file: the wiping was interrupted".to_owned(),
        fix: "close other programs that use the store, then open it for writing".to_owned(),
    }
}

fn files(path: &Path) -> Vec<Finding> {
    let log = open::beside(path, "-wal");
    let mut out = Vec::new();
    if open::size(&log) > LARGE_LOG {
        out.push(Finding {
            code: "large_log",
            message: format!("{} has grown to {} bytes", log.display(), open::size(&log)),
            fix: "close programs that keep the store open, and open it once more".to_owned(),
        });
    }
    out.extend(readable_by_others(path));
    out
}

#[cfg(unix)]
fn readable_by_others(path: &Path) -> Option<Finding> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).ok()?.permissions());
    (mode & 0o077 != 0).then(|| Finding {
        code: "permissions",
        message: format!("{} can be used by other users (mode {:o})", path.display(), mode & 0o777),
        fix: format!("chmod 600 {}", path.display()),
    })
}

#[cfg(not(unix))]
fn readable_by_others(path: &Path) -> Option<Finding> {
    fs::metadata(path).err().map(|cause| Finding {
        code: "permissions",
        message: format!("{} cannot be looked at ({cause})", path.display()),
        fix: "see that you may read the file".to_owned(),
    })
}

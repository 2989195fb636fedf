//! Files that are no store, no longer a whole one, or one of a newer version: said plainly, and left as they are.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use hardwon::store::{SqliteStore, Store};
use hardwon_core::env::Revision;
use hardwon_core::error::Error;
use rusqlite::Connection;
use support::{SPACE, Writer, env, noise, texts};
use tempfile::TempDir;

#[test]
fn a_newer_format_is_incompatible_and_left_alone() {
    let (_folder, path) = store_with(1);
    let raw = Connection::open(&path).expect("a connection");
    raw.execute_batch("PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)").expect("a newer version");
    drop(raw);
    let before = fs::read(&path).expect("its bytes");
    for error in both_ways(&path) {
        assert_eq!(error.code(), "incompatible");
        says(&error, &["format 7", "format 1", "update hardwon", path.to_str().expect("a path")]);
    }
    assert!(fs::read(&path).expect("its bytes") == before, "the file was changed");
}

#[test]
fn what_is_no_store_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = noise("garbage", 9000).into_bytes();
    for (name, bytes) in [("notes.txt", b"just a few words\n".to_vec()), ("long.bin", long)] {
        let path = folder.path().join(name);
        fs::write(&path, &bytes).expect("a file");
        for error in both_ways(&path) {
            assert_eq!(error.code(), "host.store");
            says(&error, &["is not a hardwon store", "give another path", name]);
        }
        assert!(fs::read(&path).expect("its bytes") == bytes, "{name} was changed");
    }
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.db");
    Connection::open(&path).expect("a database").execute_batch("CREATE TABLE t(x)").expect("a table");
    let before = fs::read(&path).expect("its bytes");
    for error in both_ways(&path) {
        assert_eq!(error.code(), "host.store");
        says(&error, &["another program", "other.db"]);
    }
    assert!(fs::read(&path).expect("its bytes") == before, "the file was changed");
}

#[test]
fn a_folder_and_a_missing_folder_are_said() {
    let folder = tempfile::tempdir().expect("a folder");
    for error in both_ways(folder.path()) {
        assert_eq!(error.code(), "host.store");
        says(&error, &["is a folder"]);
    }
    for error in both_ways(&folder.path().join("missing/memory.db")) {
        assert_eq!(error.code(), "host.store");
        says(&error, &["folder does not exist", "memory.db"]);
    }
    let absent = folder.path().join("absent.db");
    says(&SqliteStore::open_read_only(&absent).expect_err("nothing to read"), &["does not exist"]);
    assert!(!absent.exists(), "reading made a file");
}

#[test]
fn a_truncated_file_is_damage_and_never_an_empty_store() {
    for keep in [1, 2, 3, 4, 5, 6, 7] {
        let (_folder, path) = store_with(40);
        let file = fs::OpenOptions::new().write(true).open(&path).expect("the file");
        let whole = file.metadata().expect("its size").len();
        file.set_len(whole * keep / 8).expect("a cut");
        let error = match SqliteStore::open(&path) {
            Ok(mut store) => store.load(SPACE, Revision(0)).expect_err("a cut store"),
            Err(error) => error,
        };
        assert_eq!(error.code(), "corrupt", "{keep}/8: {error}");
        says(&error, &["memory.db", "backup"]);
    }
}

#[test]
fn a_row_that_cannot_be_read_is_named() {
    let (_folder, path) = store_with(3);
    let raw = Connection::open(&path).expect("a connection");
    raw.execute_batch("UPDATE record SET json = '{\"id\":5}' WHERE rowid = 2").expect("damage");
    let id = env(1, 1).record_id(0).to_string();
    let mut store = SqliteStore::open(&path).expect("a store");
    let error = store.load(SPACE, Revision(0)).expect_err("damage");
    assert_eq!(error.code(), "corrupt");
    says(&error, &["record", &id, "doctor"]);
    let found = store.check().expect("a check");
    assert!(found.iter().any(|one| one.code == "unreadable" && one.message.contains(&id)), "{found:?}");
}

#[test]
fn the_check_finds_what_the_log_does_not_lead_to() {
    let (_folder, path) = store_with(3);
    let raw = Connection::open(&path).expect("a connection");
    let mut store = SqliteStore::open(&path).expect("a store");
    assert_eq!(store.check().expect("a check"), []);
    let damages = [
        "DELETE FROM record WHERE rowid = 1",
        "UPDATE record SET json = replace(json, '\"tested\"', '\"forged\"') WHERE rowid = 2",
        "DELETE FROM vector",
        "DELETE FROM op WHERE rev = 2",
    ];
    for damage in damages {
        raw.execute_batch(damage).expect("damage");
        let found = store.check().expect("a check");
        assert!(!found.is_empty(), "not found: {damage}");
        assert!(found.iter().all(|one| !one.fix.is_empty()), "{found:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_store_is_its_owners_alone_and_the_check_says_when_it_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = store_with(1);
    let mut store = SqliteStore::open(&path).expect("a store");
    assert_eq!(fs::metadata(&path).expect("it").permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("wider permissions");
    let found = store.check().expect("a check");
    assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), ["permissions"]);
}

#[test]
fn a_backup_opens_and_holds_the_same() {
    let (folder, path) = store_with(5);
    let mut store = SqliteStore::open(&path).expect("a store");
    let copy = folder.path().join("copy.db");
    store.backup(&copy).expect("a backup");
    says(&store.backup(&copy).expect_err("there is one"), &["exists already"]);
    let mut copied = SqliteStore::open(&copy).expect("the copy");
    assert_eq!(store.load(SPACE, Revision(0)), copied.load(SPACE, Revision(0)));
    assert_eq!(copied.check().expect("a check"), []);
}

/// A link to nowhere in the place of one of the two files stands for a folder that cannot be written.
#[cfg(unix)]
#[test]
fn where_no_file_can_be_made_beside_it_a_store_is_read_while_nobody_writes_it() {
    let (folder, path) = store_with(5);
    block_sharing(&path);
    let mut store = SqliteStore::open_read_only(&path).expect("a store that stands still");
    assert_eq!(texts(&mut store).len(), 5);
    assert_eq!(texts(&mut store).len(), 5);
    let file = fs::OpenOptions::new().write(true).open(&path).expect("the file");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("another time");
    let error = store.load(SPACE, Revision(0)).map(drop).expect_err("it was written");
    assert_eq!(error.code(), "host.store");
    says(&error, &["memory.db", "was written while it was read", "try again"]);

    fs::write(folder.path().join("memory.db-wal"), "newer changes").expect("a log");
    let error = SqliteStore::open_read_only(&path).expect_err("a log that cannot be read");
    assert_eq!(error.code(), "host.store");
    says(&error, &["memory.db", "a log beside it", "copy the whole folder"]);
}

#[test]
fn any_path_will_do() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["with space.db", "問い?mode=ro&x=%41#.db", "file:memory.db", ":memory:", "quote'\".db"] {
        let path = folder.path().join(name);
        let mut writer = Writer::new(SqliteStore::open(&path).expect("a store"));
        writer.create(&env(1, 0), "kept");
        drop(writer);
        assert!(path.is_file(), "{name}");
        assert_eq!(texts(&mut SqliteStore::open(&path).expect("it again")), ["kept"]);
        #[cfg(unix)]
        {
            block_sharing(&path);
            assert_eq!(texts(&mut SqliteStore::open_read_only(&path).expect("still")), ["kept"], "{name}");
        }
    }
}

#[cfg(unix)]
fn block_sharing(path: &Path) {
    let mut shared = path.as_os_str().to_owned();
    shared.push("-shm");
    std::os::unix::fs::symlink("nowhere/at/all", shared).expect("a link");
}

/// A closed store with some records, and its path.
fn store_with(records: u64) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut writer = Writer::new(SqliteStore::open(&path).expect("a store"));
    for n in 0..records {
        writer.create(&env(1, n), &noise(&format!("{n}"), 2000));
    }
    (folder, path)
}

/// What opening says, for writing and for reading.
fn both_ways(path: &Path) -> [Error; 2] {
    let writing = SqliteStore::open(path).expect_err("no store to write");
    [writing, SqliteStore::open_read_only(path).expect_err("no store to read")]
}

fn says(error: &Error, parts: &[&str]) {
    let said = error.to_string();
    for part in parts {
        assert!(said.contains(part), "{part:?} is not said in: {said}");
    }
}

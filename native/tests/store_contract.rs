//! Every store answers the same script the same way: in memory, in a file, and in a file reopened after each step.

#[path = "../../tests/contract/runner.rs"]
mod runner;

use std::path::PathBuf;

use hardwon::store::{MemoryStore, SqliteStore};
use tempfile::TempDir;

#[test]
fn memory() {
    report(runner::run(MemoryStore::new, |store| store));
}

#[test]
fn sqlite() {
    let files = Files::new();
    report(runner::run(|| files.next(), |store| store));
}

#[test]
fn sqlite_reopened_after_each_step() {
    let files = Files::new();
    report(runner::run(|| files.next(), reopened));
}

#[test]
fn sqlite_is_whole_after_each_step() {
    let files = Files::new();
    report(runner::run(
        || files.next(),
        |mut store| {
            assert_eq!(store.check().expect("a check"), []);
            store
        },
    ));
}

fn reopened(store: SqliteStore) -> SqliteStore {
    let path = store.path().to_owned();
    drop(store);
    SqliteStore::open(path).expect("a store that was closed")
}

fn report((cases, steps): (usize, usize)) {
    println!("{cases} cases, {steps} steps");
    assert!(cases >= 15 && steps >= 150, "the script has lost steps");
}

struct Files {
    folder: TempDir,
    made: core::cell::Cell<u32>,
}

impl Files {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), made: core::cell::Cell::new(0) }
    }

    fn next(&self) -> SqliteStore {
        self.made.set(self.made.get() + 1);
        let path: PathBuf = self.folder.path().join(format!("{}.db", self.made.get()));
        SqliteStore::open(path).expect("a new store")
    }
}

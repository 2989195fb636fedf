//! The image that a store keeps of its records: opening reads it, nothing hangs on it, and a hard forget reaches it.

mod support;

use std::path::{Path, PathBuf};

use hardwon::store::{SqliteStore, Store};
use hardwon::{Memory, OpenOptions};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::image::Image;
use hardwon_core::op::{Forget, Get, ImportRecords, Input, Recall, Recalled, Teach};
use hardwon_core::record::Scope;
use hardwon_core::step::{Loaded, Snapshot};
use rusqlite::{Connection, OptionalExtension};
use support::{SPACE, env, noise, record};
use tempfile::TempDir;

const RECORDS: u64 = 60;
const QUERY: &str = "Close the ledger before the gateway number7 restarts";

#[test]
fn opening_reads_the_image_and_answers_as_without_it() {
    let (_folder, path) = filled();
    assert_eq!(known(&path).len() as u64, RECORDS);
    let snapshot = loaded(&path);
    assert_eq!((snapshot.sealed.len() as u64, snapshot.records.len()), (RECORDS, 0));
    let with = asked(&path);
    put(&path, None);
    assert_eq!(loaded(&path).records.len() as u64, RECORDS);
    let without = asked(&path);
    assert_eq!(with, without);
    assert!(with.items.first().is_some_and(|item| item.text.contains("number7")), "{with:?}");
}

#[test]
fn an_image_that_is_damaged_cut_or_foreign_changes_no_answer() {
    let (_folder, path) = filled();
    let whole = image(&path).expect("an image was saved");
    let right = asked(&path);
    for n in 0..40 {
        let at = whole.len() * n / 40;
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        for bytes in [flipped, whole[..at].to_vec()] {
            put(&path, Some(&bytes));
            assert_eq!(asked(&path), right, "byte {at}");
        }
    }
    put(&path, Some(noise("foreign", 5000).as_bytes()));
    assert_eq!(asked(&path), right);
    let (_other, others) = filled_from(1000);
    put(&path, Some(&image(&others).expect("an image was saved")));
    assert_eq!(asked(&path), right, "an image of another store");
    assert_eq!(loaded(&path).sealed.len(), 0);
    let mut memory = opened(&path);
    memory.teach(Teach { text: "Number8 is taught beside".into(), ..Teach::default() }).expect("a lesson");
    drop(memory);
    assert_eq!(loaded(&path).sealed.len() as u64, RECORDS + 1, "who may write has saved its own");
}

#[test]
fn a_change_needs_no_new_image() {
    let (_folder, path) = filled();
    let before = image(&path);
    let text = "Rinse the zephyr filter twice";
    let mut memory = opened(&path);
    memory
        .teach(Teach { text: text.into(), scope: Some(Scope::global()), ..Teach::default() })
        .expect("a lesson");
    drop(memory);
    assert_eq!(image(&path), before);
    let snapshot = loaded(&path);
    assert_eq!((snapshot.sealed.len() as u64, snapshot.records.len()), (RECORDS, 1));
    let recall = Recall { task: text.into(), ..Recall::default() };
    let found = opened(&path).recall(recall).expect("an answer");
    assert!(found.items.first().is_some_and(|item| item.text == text), "{found:?}");
}

#[test]
fn others_write_while_a_view_holds_sealed_records() {
    let (_folder, path) = filled();
    let mut reader = opened(&path);
    reader.recall(recall()).expect("an answer");
    let mut writer = opened(&path);
    for n in [7, 8] {
        let id = made(n).id;
        writer.run(Input::Pin(Get { id, ..Get::default() })).expect("pinned");
    }
    assert_eq!(without_event(reader.recall(recall()).expect("an answer")), asked(&path));
    assert_eq!(reader.view().revision(), Revision(3));
    reader.refresh().expect("refreshed");
    assert_eq!(reader.view().records().count() as u64, RECORDS);
    put(&path, None);
    let mut plain = opened(&path);
    plain.refresh().expect("refreshed");
    assert_eq!(plain.view().hash(), reader.view().hash());
}

#[test]
fn a_reader_who_may_not_write_saves_none() {
    let (_folder, path) = filled();
    put(&path, None);
    let mut memory =
        Memory::open(OpenOptions { read_only: true, ..OpenOptions::new(&path) }).expect("a memory");
    memory.recall(recall()).expect("an answer");
    assert_eq!(image(&path), None);
}

#[test]
fn a_hard_forget_leaves_nothing_in_the_image() {
    let (_folder, path) = filled();
    let mut behind = opened(&path);
    behind.recall(recall()).expect("an answer");
    let mut memory = opened(&path);
    let id = memory.recall(recall()).expect("an answer").items.first().expect("a record").id;
    let forget = Forget { id, hard: true, ..Forget::default() };
    memory.forget(forget).expect("forgotten");
    let stale = behind.view().revision();
    behind.store().keep_image(SPACE, stale, b"of the past").expect("an answer");
    drop((memory, behind));
    assert!(!known(&path).contains(&id));
    assert!(
        image(&path).is_none_or(|image| !image.ends_with(b"of the past")),
        "saved from before the horizon"
    );
    assert!(asked(&path).items.iter().all(|item| item.id != id));
}

fn made(n: u64) -> hardwon_core::record::Record {
    let id = RecordId(env(9, n).seed.0);
    let mut record =
        record(id, &format!("Close the ledger before the gateway number{n} restarts"), env(9, n).now);
    record.tools.insert("gateway".into());
    record
}

fn filled() -> (TempDir, PathBuf) {
    filled_from(0)
}

fn filled_from(first: u64) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let records = (first..first + RECORDS).map(made).collect();
    let input = ImportRecords { records, ..ImportRecords::default() };
    opened(&path).import_records(input).expect("an import");
    (folder, path)
}

fn opened(path: &Path) -> Memory {
    Memory::open(OpenOptions::new(path)).expect("a memory")
}

fn recall() -> Recall {
    Recall { task: QUERY.into(), ..Recall::default() }
}

/// What a recall by somebody who may not save an image answers, but for what differs each time.
fn asked(path: &Path) -> Recalled {
    let options = OpenOptions { read_only: true, ..OpenOptions::new(path) };
    without_event(Memory::open(options).expect("a memory").recall(recall()).expect("an answer"))
}

fn without_event(mut answer: Recalled) -> Recalled {
    answer.event.clear();
    for item in &mut answer.items {
        // It follows from the time of day.
        item.why.score = 0;
    }
    answer
}

fn loaded(path: &Path) -> Snapshot {
    match SqliteStore::open_read_only(path).expect("a store").load(SPACE, Revision(0)).expect("a load") {
        Loaded::Reset(snapshot) => snapshot,
        other @ Loaded::Changes { .. } => panic!("{other:?}"),
    }
}

fn image(path: &Path) -> Option<Vec<u8>> {
    let conn = Connection::open(path).expect("a connection");
    let sql = "SELECT bytes FROM cache WHERE name = ?1";
    conn.query_row(sql, [Image::NAME], |row| row.get(0)).optional().expect("a query")
}

/// The records that the image knows, without the operation before it.
fn known(path: &Path) -> Vec<RecordId> {
    let image = image(path).and_then(|bytes| Image::read(bytes.get(16..)?.to_vec()));
    image.map(|image| image.entries().map(|entry| entry.id()).collect()).unwrap_or_default()
}

fn put(path: &Path, bytes: Option<&[u8]>) {
    let conn = Connection::open(path).expect("a connection");
    match bytes {
        Some(bytes) => {
            conn.execute("UPDATE cache SET bytes = ?2 WHERE name = ?1", rusqlite::params![Image::NAME, bytes])
        }
        None => conn.execute("DELETE FROM cache WHERE name = ?1", [Image::NAME]),
    }
    .expect("a change");
}

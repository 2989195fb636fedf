//! The image that a store keeps of its records: opening reads it, nothing hangs on it, and a hard forget reaches it.

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hardwon::store::{SqliteStore, Store};
use hardwon::{Memory, OpenOptions, built_in};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::image::Image;
use hardwon_core::op::{
    EmbedderPort, Forget, Get, ImportRecords, Input, Learn, Ports, Recall, Recalled, Teach,
};
use hardwon_core::policy::Policy;
use hardwon_core::record::Scope;
use hardwon_core::step::{Loaded, Snapshot};
use hardwon_core::vector::HashingEmbedder;
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
    assert_eq!((sealed(&snapshot), snapshot.records.len()), (RECORDS, 0));
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
    assert_eq!(sealed(&loaded(&path)), 0);
    let mut memory = opened(&path);
    memory.teach(Teach { text: "Number8 is taught beside".into(), ..Teach::default() }).expect("a lesson");
    drop(memory);
    assert_eq!(sealed(&loaded(&path)), RECORDS + 1, "who may write has saved its own");
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
    assert_eq!((sealed(&snapshot), snapshot.records.len()), (RECORDS, 1));
    let recall = Recall { task: text.into(), ..Recall::default() };
    let found = opened(&path).recall(recall).expect("an answer");
    assert!(found.items.first().is_some_and(|item| item.text == text), "{found:?}");
}

#[test]
fn all_that_came_after_an_image_is_put_over_it() {
    let (_folder, path) = filled();
    let other =
        || Ports { embedder: EmbedderPort::BuiltIn(Arc::new(HashingEmbedder::new(64))), ..Ports::default() };
    let with = |ports: Ports| {
        let store = SqliteStore::open(&path).expect("a store");
        Memory::with_ports(store, SPACE, Policy::default(), ports).expect("a memory")
    };
    let teach = |memory: &mut Memory, n: u64| {
        let text = format!("Water the cactus of room{n} on Sundays");
        memory.teach(Teach { text, scope: Some(Scope::global()), ..Teach::default() }).expect("a lesson")
    };
    let same = |what: &str| {
        for ports in [built_in(), other()] {
            let hash = |ports: &Ports| {
                let mut memory = with(ports.clone());
                memory.refresh().expect("refreshed");
                (memory.view().hash(), memory.view().run_count(), memory.view().len())
            };
            let known = hash(&ports);
            rename(&path, Image::NAME, "hidden");
            assert_eq!(hash(&ports), known, "{what}");
            rename(&path, "hidden", Image::NAME);
        }
    };
    same("at first");
    let op = teach(&mut with(built_in()), 1).op.expect("an operation");
    let traces = format!("{}{}", call("a", 1), call("b", 2));
    let learn = Learn { data: Some(traces), ..Learn::default() };
    with(built_in()).learn(learn).expect("a trace");
    same("records and runs");
    with(built_in()).undo_op(op).expect("undone");
    assert_eq!(loaded(&path).gone.len(), 0, "it came after the image");
    teach(&mut with(other()), 2);
    same("a vector of another embedder");
    // An image of a space with vectors of both, and one that is saved by who has no vector of the rest.
    for ports in [built_in(), other()] {
        put(&path, None);
        let mut memory = with(ports);
        memory.refresh().expect("refreshed");
        memory.pin(made(3).id).expect("pinned");
        assert!(image(&path).is_some());
        same("both embedders");
    }
}

#[test]
fn a_record_that_ends_after_an_image_is_gone() {
    let (_folder, path) = filled();
    let text = "Sharpen the skates before the match".to_owned();
    let taught = opened(&path).teach(Teach { text, ..Teach::default() }).expect("a lesson");
    let (op, id) = (taught.op.expect("an operation"), taught.id.expect("a record"));
    put(&path, None);
    let mut memory = opened(&path);
    memory.refresh().expect("refreshed");
    memory.pin(made(3).id).expect("pinned");
    assert!(known(&path).contains(&id), "the image knows it");
    memory.undo_op(op).expect("undone");
    assert_eq!(loaded(&path).gone, [id]);
    let hash = || {
        let mut memory = opened(&path);
        memory.refresh().expect("refreshed");
        memory.view().hash()
    };
    let after = hash();
    put(&path, None);
    assert_eq!(hash(), after);
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

/// How many records its image knows.
fn sealed(snapshot: &Snapshot) -> u64 {
    snapshot.image.as_ref().map_or(0, |image| image.len() as u64)
}

fn image(path: &Path) -> Option<Vec<u8>> {
    let conn = Connection::open(path).expect("a connection");
    let sql = "SELECT bytes FROM cache WHERE name = ?1";
    conn.query_row(sql, [Image::NAME], |row| row.get(0)).optional().expect("a query")
}

/// The records that the image knows, without what the store puts before it.
fn known(path: &Path) -> Vec<RecordId> {
    let image = image(path).and_then(|bytes| Image::read(bytes.get(17..)?.to_vec()));
    image.map(|image| image.entries().map(|entry| entry.id()).collect()).unwrap_or_default()
}

/// A session of one call.
fn call(session: &str, n: u64) -> String {
    let line = serde_json::json!({
        "type": "tool_call", "session_id": session, "event_id": format!("e{n}"), "call_id": format!("c{n}"),
        "name": "gateway", "args": {"port": n}, "result": {"ok": true, "result": "opened"},
    });
    format!("{line}\n")
}

fn rename(path: &Path, from: &str, to: &str) {
    let conn = Connection::open(path).expect("a connection");
    conn.execute("UPDATE cache SET name = ?2 WHERE name = ?1", [from, to]).expect("a change");
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

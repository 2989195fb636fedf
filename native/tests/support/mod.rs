//! What the tests of stores share: records, commits that follow from them, and the settings of a test run.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub(crate) mod child;

use core::fmt::Write;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

use hardwon::store::{Committed, Store};
use hardwon_core::change::{Change, ChangeSet, Delta, Member, Tombstone};
use hardwon_core::env::{Env, RecordId, Revision, Seed, Timestamp};
use hardwon_core::record::{EventKey, Kind, Record, SourceClass, Subtype, hash64};
use hardwon_core::step::{Commit, Loaded, Row};
use hardwon_core::vector::Quantized;
use hardwon_core::view::View;

pub(crate) const SPACE: &str = "default";

/// A setting of the test run from the environment.
#[allow(
    clippy::disallowed_methods,
    reason = "how long tests run, and which part a child plays, comes from outside"
)]
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// `long` with `HARDWON_LONG=1`, else `short`.
pub(crate) fn rounds(short: u32, long: u32) -> u32 {
    if setting("HARDWON_LONG").is_some() { long } else { short }
}

pub(crate) fn env(who: u64, n: u64) -> Env {
    let mut seed = [0; 16];
    seed[..8].copy_from_slice(&who.to_le_bytes());
    seed[8..].copy_from_slice(&n.to_le_bytes());
    Env { now: Timestamp(1_760_000_000_000 + n as i64), seed: Seed(seed) }
}

/// `len` letters and digits that no other label repeats, not even in part.
pub(crate) fn noise(label: &str, len: usize) -> String {
    let mut out = String::with_capacity(len + 16);
    for n in 0..=len / 16 {
        write!(out, "{:016x}", hash64(&[label, &n.to_string()])).expect("a string grows");
    }
    out.truncate(len);
    out
}

pub(crate) fn record(id: RecordId, text: &str, now: Timestamp) -> Record {
    let mut record = Record::new(id, Kind::Lesson, Subtype::Failure, SourceClass::Tool, now);
    text.clone_into(&mut record.text);
    record.key = format!("{:016x}", hash64(&[text]));
    record
}

/// 256 components that follow from a label.
pub(crate) fn vector(label: &str) -> Quantized {
    let component = |n: usize| (hash64(&[label, &format!("{n}")]) % 2001) as f32 - 1000.0;
    Quantized::of(&(0..256).map(component).collect::<Vec<_>>())
}

/// A new record with a vector and a tag.
pub(crate) fn creates(id: RecordId, text: &str, now: Timestamp) -> Vec<Change> {
    let vector = Delta::Vector { embedder: "test-1".into(), vector: vector(text) };
    let deltas =
        [Delta::Create(Box::new(record(id, text, now))), vector, Delta::Add(Member::Tag("tested".into()))];
    deltas.map(|delta| Change { record: id, delta }).into()
}

pub(crate) fn change_set(base: Revision, env: &Env, changes: Vec<Change>) -> ChangeSet {
    let (op_id, at) = (env.op_id(), env.now);
    ChangeSet { base, op_id, verb: "learn".into(), at, promote_at: 3, changes, ..ChangeSet::default() }
}

/// The set that erases these records, which need not exist any more.
pub(crate) fn erasing(base: Revision, env: &Env, ids: &[RecordId], view: &View) -> ChangeSet {
    let there = ids.iter().filter(|id| view.get(**id).is_some());
    let changes = there.map(|&record| Change { record, delta: Delta::Remove(None) }).collect();
    let tombstone = |&record: &RecordId| Tombstone {
        record,
        salt: Seed([9; 16]),
        key: EventKey(1),
        events: [EventKey(2)].into(),
    };
    ChangeSet { tombstones: ids.iter().map(tombstone).collect(), ..change_set(base, env, changes) }
}

/// A reader and writer of one space, which decides anew until its commit is in.
pub(crate) struct Writer<S> {
    pub(crate) store: S,
    pub(crate) view: View,
}

impl<S: Store> Writer<S> {
    pub(crate) fn new(store: S) -> Self {
        Self { store, view: View::new(None) }
    }

    pub(crate) fn refresh(&mut self) {
        let loaded = self.store.load(SPACE, self.view.revision()).expect("a load");
        self.view.advance(loaded).expect("a view that follows");
    }

    /// Commits what `decide` makes of the newest view; after a conflict with other writers kept out.
    pub(crate) fn commit(&mut self, decide: impl Fn(&View) -> ChangeSet) -> Revision {
        for _ in 0..3 {
            self.refresh();
            let set = decide(&self.view);
            let rows = self.view.rows(&set).expect("rows");
            match self.store.commit(SPACE, &Commit { set, rows }).expect("a commit") {
                Committed::At(rev) => return rev,
                Committed::Conflict => self.store.reserve().expect("a turn"),
            }
        }
        panic!("a conflict although other writers were kept out");
    }

    pub(crate) fn create(&mut self, env: &Env, text: &str) -> RecordId {
        let id = env.record_id(0);
        self.commit(|view| change_set(view.revision(), env, creates(id, text, env.now)));
        id
    }
}

/// The first commit of a space: one new record.
pub(crate) fn first_commit(env: &Env, text: &str) -> Commit {
    let set = change_set(Revision(0), env, creates(env.record_id(0), text, env.now));
    let rows: Vec<Row> = View::new(None).rows(&set).expect("rows");
    Commit { set, rows }
}

pub(crate) fn texts(store: &mut impl Store) -> Vec<String> {
    match store.load(SPACE, Revision(0)).expect("a load") {
        Loaded::Reset(snapshot) => snapshot.records.into_iter().map(|record| record.text).collect(),
        Loaded::Changes { .. } => panic!("a load from 0 starts anew"),
    }
}

/// How many stretches of erased bytes are in any file of the folder. Twelve bytes in a row count as a stretch.
pub(crate) fn stretches_left(folder: &Path, erased: impl Iterator<Item = Vec<u8>>) -> usize {
    const STRETCH: usize = 12;
    let mut stretches: HashSet<Vec<u8>> = HashSet::new();
    for whole in erased {
        stretches.extend(whole.windows(STRETCH).map(<[u8]>::to_vec));
    }
    let files = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path());
    let in_file = |bytes: Vec<u8>| bytes.windows(STRETCH).filter(|part| stretches.contains(*part)).count();
    files.map(|path| in_file(fs::read(path).expect("its bytes"))).sum()
}

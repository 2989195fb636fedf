//! What a commit, an opening and a look for news cost at 0, 10,000 and 100,000 records. Prints figures, decides
//! nothing.
//!
//! `cargo bench -p hardwon --bench store`. A commit is measured with its sync and, on a file system in memory where
//! there is one, without what the disk takes.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hardwon::store::{Committed, SqliteStore, Store};
use hardwon_core::change::{Change, ChangeSet, Delta};
use hardwon_core::env::{Env, RecordId, Revision, Seed, Timestamp};
use hardwon_core::record::{EventKey, Evidence, Kind, Record, SourceClass, Subtype, TextKey, hash64};
use hardwon_core::step::{Commit, Loaded, Row};
use hardwon_core::vector::Quantized;

const SPACE: &str = "default";
const COMMITS: u64 = 200;

fn main() {
    let memory = Path::new("/dev/shm");
    for (what, root) in [("disk", std::env::temp_dir()), ("memory", memory.to_owned())] {
        if root.is_dir() {
            measure(what, &root);
        }
    }
}

fn measure(what: &str, root: &Path) {
    for records in [0, 1000, 10_000, 100_000] {
        let folder = tempfile::tempdir_in(root).expect("a folder");
        let path = folder.path().join("memory.db");
        let rev = fill(&path, records);
        let (mut store, opening) = timed(|| SqliteStore::open(&path).expect("a store"));
        let (loaded, loading) = timed(|| store.load(SPACE, Revision(0)).expect("a load"));
        assert!(matches!(loaded, Loaded::Reset(snapshot) if snapshot.records.len() as u64 == records));
        let mut commits: Vec<Duration> =
            (0..COMMITS).map(|n| one_commit(&mut store, rev, records, n)).collect();
        commits.sort();
        let ((), news) = timed(|| (0..1000).for_each(|_| drop(store.load(SPACE, Revision(rev + COMMITS)))));
        println!(
            "{what}, {records} records: open {opening:.1?}, load all {loading:.1?}, nothing new {:.1?}, commit median \
             {:.1?}, 90 % {:.1?}, most {:.1?}; {} KB in the file",
            news / 1000,
            commits[commits.len() / 2],
            commits[commits.len() * 9 / 10],
            commits[commits.len() - 1],
            fs::metadata(&path).map_or(0, |meta| meta.len()) / 1024
        );
    }
}

/// A closed store with this many records, committed 500 at a time, and its revision.
fn fill(path: &PathBuf, records: u64) -> u64 {
    let mut store = SqliteStore::open(path).expect("a store");
    let all: Vec<u64> = (0..records).collect();
    for (base, some) in (0..).zip(all.chunks(500)) {
        let commit = commit(base, &some.iter().map(|&n| record(n)).collect::<Vec<_>>());
        assert_eq!(store.commit(SPACE, &commit), Ok(Committed::At(Revision(base + 1))));
    }
    records.div_ceil(500)
}

fn one_commit(store: &mut SqliteStore, rev: u64, records: u64, n: u64) -> Duration {
    let commit = commit(rev + n, &[record(records + n)]);
    let (answer, took) = timed(|| store.commit(SPACE, &commit));
    assert_eq!(answer, Ok(Committed::At(Revision(rev + n + 1))));
    took
}

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let out = run();
    (out, start.elapsed())
}

fn commit(base: u64, records: &[Record]) -> Commit {
    let env = env(base);
    let mut set = ChangeSet {
        base: Revision(base),
        op_id: env.op_id(),
        verb: "learn".into(),
        at: env.now,
        actor: String::new(),
        reason: String::new(),
        undoes: Vec::new(),
        promote_at: 3,
        changes: Vec::new(),
        runs: Vec::new(),
        tombstones: Vec::new(),
    };
    for record in records {
        let vector = Delta::Vector { embedder: "words-1-256".into(), vector: vector(record) };
        set.changes.push(Change { record: record.id, delta: Delta::Create(Box::new(record.clone())) });
        set.changes.push(Change { record: record.id, delta: vector });
    }
    let rows = records.iter().map(|record| Row { id: record.id, record: Some(record.clone()) }).collect();
    Commit { set, rows }
}

fn env(n: u64) -> Env {
    let mut seed = [7; 16];
    seed[..8].copy_from_slice(&n.to_le_bytes());
    Env { now: Timestamp(1_760_000_000_000 + n as i64), seed: Seed(seed) }
}

/// A lesson as mining makes them: about a kilobyte, two pieces of evidence.
fn record(n: u64) -> Record {
    let env = env(n);
    let id: RecordId = env.record_id(0);
    let mut record = Record::new(id, Kind::Lesson, Subtype::Recovery, SourceClass::Tool, env.now);
    record.text =
        format!("Create the parent directory before you call write_file number {n}: it does not create it");
    record.key = format!("shell:write {:016x}", hash64(&[&n.to_string()]));
    record.signature = "ENOENT: no such file or directory, open <path>".into();
    record.trigger = "write_file(path: path, text: text)".into();
    record.tools = ["write_file".into()].into();
    for session in 0..2 {
        record.evidence.insert(Evidence {
            key: EventKey(n * 2 + session),
            session_id: format!("4c2ddfdc-b619-4525-8d03-{n:08x}{session:04x}"),
            root_run_id: format!("4c2ddfdc-b619-4525-8d03-{n:08x}{session:04x}"),
            event_id: format!("toolu_01Aq9w938a90dw{n:08x}"),
            position: 12,
            ts: env.now,
            undated: false,
            tool: "write_file".into(),
            says: TextKey(n),
        });
    }
    record
}

fn vector(record: &Record) -> Quantized {
    let component = |n: u64| (hash64(&[&record.key]).rotate_left(n as u32) % 2001) as f32 - 1000.0;
    Quantized::of(&(0..256).map(component).collect::<Vec<_>>())
}

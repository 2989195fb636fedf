//! Opening and committing on SQLite, and how the commit grows with the store.

use hardwon::store::SqliteStore;
use hardwon::{Memory, OpenOptions};
use hardwon_core::env::{Env, Timestamp};
use hardwon_core::op::{ImportRecords, Input, Recall, Teach};

use crate::corpus;
use crate::measure::{Report, cpu_ms};

/// A commit at 100,000 records may cost this many commits at 1,000: caches grow cold, and a loaded machine doubles it.
const FLAT: f64 = 4.0;

pub(crate) fn run(report: &mut Report) {
    let mut commits = Vec::new();
    for n in [1_000, 10_000, 100_000] {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mut memory = filled(&dir, n);
        let open = cpu_ms(5, 1, |_| {
            let mut memory = opened(&dir);
            let recall = Recall { task: corpus::query(1), ..Recall::default() };
            memory.run(Input::Recall(recall)).expect("a recall");
        });
        report.figure("open, load and recall once", n, "ms", open);
        let commit = cpu_ms(7, 20, |k| {
            let text = format!("bench lesson number {n} {k} stands alone");
            let env = Env { now: Timestamp(1_800_000_000_000), seed: corpus::seed(1_000_000 + n * 10 + k) };
            memory.run_in(env, Input::Teach(Teach { text, ..Teach::default() })).expect("a commit");
        });
        report.figure("teach: decide, embed, commit (CPU)", n, "ms", commit);
        commits.push(commit);
    }
    report.ratio("commit at 100k / commit at 1k", 100_000, commits[2] / commits[0], FLAT);
}

fn opened(dir: &tempfile::TempDir) -> Memory<SqliteStore> {
    Memory::open(OpenOptions::new(dir.path().join("bench"))).expect("a store")
}

fn filled(dir: &tempfile::TempDir, n: usize) -> Memory<SqliteStore> {
    let mut memory = opened(dir);
    for start in (0..n).step_by(10_000) {
        let records = (start..n.min(start + 10_000)).map(corpus::record).collect();
        let import = ImportRecords { records, ..ImportRecords::default() };
        memory.run(Input::ImportRecords(import)).expect("an import");
    }
    memory
}

//! Recall in Python against the same recall here, on the same file with the same queries in the same run.

use std::io::Write as _;
use std::process::{Command, Stdio};

use hardwon::{Memory, OpenOptions};
use hardwon_core::op::{ImportRecords, Recall};

use crate::corpus;
use crate::measure::{Report, cpu_ms};

const SIZE: usize = 10_000;
const CALLS: usize = 50;
const ROUNDS: usize = 3;
/// What the wheel may cost over the crate: options, answers and the way between. It takes 1.3 at most on a machine that
/// does nothing else.
const BOUND: f64 = 1.6;

/// Measures the package that this interpreter has installed.
pub(crate) fn run(report: &mut Report, interpreter: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut memory = Memory::open(OpenOptions::new(folder.path())).expect("a store");
    let records = (0..SIZE).map(corpus::record).collect();
    memory.import_records(ImportRecords { records, ..ImportRecords::default() }).expect("an import");
    let queries: Vec<String> = (0..CALLS).map(corpus::query).collect();
    let mut best: Option<(f64, f64)> = None;
    // Two processes that take turns are not loaded alike: the round that tells them apart least is the fairest.
    for _ in 0..ROUNDS {
        let native = cpu_ms(9, CALLS, |call| {
            let task = queries[call % CALLS].clone();
            memory.recall(Recall { task, ..Recall::default() }).expect("a recall");
        });
        let Some(python) = in_python(interpreter, folder.path(), &queries) else {
            report.missing(&format!("a Python with the package hardwon at {interpreter}"));
            return;
        };
        if best.is_none_or(|(here, there)| python / native < there / here) {
            best = Some((native, python));
        }
    }
    if let Some((native, python)) = best {
        report.figure("recall from a file, here", SIZE, "ms", native);
        report.figure("recall from a file, in Python", SIZE, "ms", python);
        report.ratio("recall in Python / here", SIZE, python / native, BOUND);
    }
}

/// The median CPU time of a recall there, in milliseconds.
fn in_python(interpreter: &str, store: &std::path::Path, queries: &[String]) -> Option<f64> {
    let mut child = Command::new(interpreter)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/recall.py"))
        .arg(store)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(queries.join("\n").as_bytes()).ok()?;
    String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?.trim().parse().ok()
}

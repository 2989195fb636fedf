//! How much memory a record takes in a loaded view, over its text.

use std::fs;

use crate::corpus;
use crate::measure::Report;

pub(crate) fn run(report: &mut Report) {
    let n = 50_000;
    let texts: usize = (0..n).map(|k| corpus::text(k).len()).sum();
    let before = resident();
    let memory = corpus::memory(n);
    let mut space =
        hardwon_core::op::Space::new(hardwon_core::policy::Policy::default(), hardwon::built_in())
            .expect("a valid policy");
    let loaded = {
        let mut memory = memory;
        use hardwon::store::Store;
        let loaded = memory.store().load("bench", hardwon_core::env::Revision(0)).expect("a snapshot");
        drop(memory);
        loaded
    };
    let with_snapshot = resident();
    space.advance(loaded).expect("a sound snapshot");
    let after = resident();
    report.figure("resident before", n, "MB", before / 1e6);
    report.figure("resident with the snapshot", n, "MB", with_snapshot / 1e6);
    report.figure(
        "view: bytes a record over its text",
        n,
        "bytes",
        (after - before - texts as f64) / n as f64,
    );
    std::hint::black_box(&space);
}

/// Resident bytes of this process.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
}

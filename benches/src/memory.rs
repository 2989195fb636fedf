//! How much memory a record takes in a loaded view, over its text.

use std::fs;
use std::ops::Range;

use hardwon_core::change::{Change, ChangeSet, Delta};
use hardwon_core::env::{OpId, Revision};
use hardwon_core::op::{EmbedderPort, Space};
use hardwon_core::policy::Policy;
use hardwon_core::step::Loaded;
use hardwon_core::vector::{Quantized, embed_one};

use crate::corpus;
use crate::measure::Report;

pub(crate) fn run(report: &mut Report) {
    let n = 50_000;
    let texts: usize = (0..n).map(|k| corpus::text(k).len()).sum();
    let mut space = Space::new(Policy::default(), hardwon::built_in()).expect("a valid policy");
    // One record first, so that what is loaded once is not counted.
    advance(&mut space, 0, 0..1);
    let before = resident();
    for (rev, start) in (1..n).step_by(500).enumerate() {
        advance(&mut space, rev as u64 + 1, start..n.min(start + 500));
    }
    let taken = resident() - before - texts as f64;
    report.figure("view: bytes a record over its text", n, "bytes", taken / n as f64);
    assert_eq!(space.view().len(), n, "every record is in the view");
}

/// Moves a view on by one change set that makes these records.
fn advance(space: &mut Space, base: u64, numbers: Range<usize>) {
    let EmbedderPort::BuiltIn(embedder) = hardwon::built_in().embedder else { return };
    let mut changes = Vec::new();
    for record in numbers.map(corpus::record) {
        let vector = Quantized::of(&embed_one(embedder.as_ref(), &record.text));
        let id = record.id;
        changes.push(Change { record: id, delta: Delta::Create(Box::new(record)) });
        changes.push(Change { record: id, delta: Delta::Vector { embedder: embedder.info().id, vector } });
    }
    let op_id = OpId(corpus::seed(base as usize).0);
    let set = ChangeSet { base: Revision(base), op_id, promote_at: 3, changes, ..ChangeSet::default() };
    let loaded = Loaded::Changes { list: vec![set], rev: Revision(base + 1) };
    space.advance(loaded).expect("a sound change set");
}

/// Resident bytes of this process.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
}

//! Recall with embedding, against an exact f32 scan of the same size in the same run.

use hardwon::built_in;
use hardwon::core::vector::embed_one;
use hardwon_core::op::{EmbedderPort, Input, Recall};

use crate::corpus;
use crate::measure::{Report, cpu_ms};

/// A whole recall (embedding, both searches, places, block) may cost this many plain scans, from 10,000 records on;
/// below, the embedding and the block weigh more than any scan.
const BOUND: f64 = 3.0;

pub(crate) fn run(report: &mut Report, sizes: &[usize]) {
    let EmbedderPort::BuiltIn(embedder) = built_in().embedder else { return };
    report.figure(
        "embed one query",
        1,
        "ms",
        cpu_ms(9, 200, |k| drop(embed_one(embedder.as_ref(), &corpus::query(k)))),
    );
    for &n in sizes {
        let mut memory = corpus::memory(n);
        let calls = (200_000 / n).clamp(5, 200);
        let whole = cpu_ms(9, calls, |k| {
            let recall = Recall { task: corpus::query(k), ..Recall::default() };
            memory.run(Input::Recall(recall)).expect("a recall");
        });
        report.figure("recall with embedding", n, "ms", whole);

        let rows: Vec<f32> = (0..n).flat_map(|k| embed_one(embedder.as_ref(), &corpus::text(k))).collect();
        let query = embed_one(embedder.as_ref(), &corpus::query(3));
        let scan = cpu_ms(9, calls, |_| {
            std::hint::black_box(nearest(&query, &rows, 12));
        });
        report.figure("exact f32 scan with top 12", n, "ms", scan);
        if n >= 10_000 {
            report.ratio("recall / exact f32 scan", n, whole / scan, BOUND);
        }
    }
}

/// The physical limit: every dot product, then the best `k`.
fn nearest(query: &[f32], rows: &[f32], k: usize) -> Vec<(f32, usize)> {
    let mut scores: Vec<(f32, usize)> =
        rows.chunks_exact(query.len()).enumerate().map(|(at, row)| (dot(query, row), at)).collect();
    let k = k.min(scores.len().saturating_sub(1));
    scores.select_nth_unstable_by(k, |a, b| b.0.total_cmp(&a.0));
    scores.truncate(k);
    scores
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 16];
    for (x, y) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        for lane in 0..16 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum()
}

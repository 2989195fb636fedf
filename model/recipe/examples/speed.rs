//! Measures the counter and the embedder on this machine, and what a text of one character costs as it grows.
//!
//! Usage: `cargo run --release --example speed`. Prints figures; decides nothing.

use hardwon_core::text::TokenCounter;
use hardwon_core::vector::Embedder;
use hardwon_model::embed::TableEmbedder;
use hardwon_model::tokens::O200kCounter;
use std::hint::black_box;
use std::time::Instant;

const LESSONS: [&str; 6] = [
    "Before `git push`, run the tests of the crate you changed.",
    "The staging database is read-only on weekends; use the replica instead.",
    "cargo check fails with E0433 when the feature `tokens` is off.",
    "When the build times out, raise the limit in the workflow file to 30 minutes.",
    "The user prefers short answers with a file and line for every claim.",
    "先运行测试，再提交代码；失败时查看日志。",
];

/// Best of five runs, in seconds.
#[expect(clippy::disallowed_methods, reason = "this is a measurement")]
fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..5).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let code = [include_str!("../src/pairs.rs"), include_str!("../tests/strings/mod.rs")].concat().repeat(20);
    let prose = [include_str!("../../RECIPE.md"), include_str!("../../FORMAT.md")].concat().repeat(20);
    let chinese = LESSONS[5].repeat(2000);
    for (name, text) in [("prose", &prose), ("code", &code), ("Chinese", &chinese)] {
        throughput(name, text);
    }
    for unit in ["a", " ", "世", "=", "xyzzy"] {
        growth(unit);
    }
    per_text();
}

fn throughput(name: &str, text: &str) {
    let tokens = O200kCounter.count(text) as f64;
    let ours = best(|| _ = black_box(O200kCounter.count(text)));
    let oracle = best(|| _ = black_box(bpe_openai::o200k_base().count(text)));
    println!("{name}: {:.1} Mtok/s, bpe-openai {:.1}", tokens / ours / 1e6, tokens / oracle / 1e6);
}

fn growth(unit: &str) {
    let (small, large) = (unit.repeat(100_000 / unit.len()), unit.repeat(1_000_000 / unit.len()));
    let count = |text: &str| best(|| _ = black_box(O200kCounter.count(text))) * 1e3;
    let (a, b) = (count(&small), count(&large));
    let capped = best(|| _ = black_box(O200kCounter.exceeds(&large, 30))) * 1e6;
    println!(
        "{unit:?}: 100 KB {a:.1} ms, 1 MB {b:.1} ms, ratio {:.1}; exceeds 30 of 1 MB {capped:.2} us",
        b / a
    );
}

fn per_text() {
    let counting = best(|| {
        for text in LESSONS.iter().cycle().take(60_000) {
            black_box(O200kCounter.exceeds(text, 30));
        }
    });
    let embedder = TableEmbedder::builtin();
    let mut out = vec![0.0; embedder.info().dims as usize];
    let embedding = best(|| {
        for text in LESSONS.iter().cycle().take(60_000) {
            embedder.embed(text, &mut out);
            black_box(&out);
        }
    });
    println!("a lesson: exceeds {:.2} us, embed {:.2} us", counting / 0.06, embedding / 0.06);
}

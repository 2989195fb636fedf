//! Whatever the texts, a block holds its budget, has one fence, and one line an entry.
#![no_main]

use arbitrary::Arbitrary;
use hardwon_core::text::{Entry, FENCE_CLOSE, TokenCounter, fence};
use hardwon_model::tokens::O200kCounter;
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct One {
    text: String,
    kind: String,
    age_days: u32,
    confidence: u32,
}

fuzz_target!(|input: (u16, Vec<One>)| {
    let (budget, list) = (usize::from(input.0), input.1);
    let entries: Vec<Entry<'_>> = list
        .iter()
        .map(|one| Entry {
            text: &one.text,
            kind: &one.kind,
            age_days: one.age_days,
            confidence: one.confidence,
        })
        .collect();
    let block = fence(&entries, budget, &O200kCounter);
    let shown = entries.len() - block.omitted.len();
    assert!(O200kCounter.count(&block.text) <= budget, "over budget");
    assert_eq!(block.text.is_empty(), shown == 0);
    if shown > 0 {
        assert_eq!(block.text.matches(FENCE_CLOSE).count(), 1, "a text closed the fence");
        assert_eq!(block.text.lines().count(), shown + 3, "a text forged a line");
    }
});

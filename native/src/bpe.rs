//! The `bpe-openai` crate as a token counter: the same counts as the built-in table, and its oracle in tests.
//!
//! Decides nothing. It is faster on long texts, links 32 MB and takes about 50 ms to load, so it is never the default.

use bpe_openai::o200k_base;
use hardwon_core::text::TokenCounter;

/// Counts o200k tokens with the `bpe-openai` crate.
#[derive(Debug, Clone, Copy, Default)]
pub struct BpeCounter;

impl TokenCounter for BpeCounter {
    fn name(&self) -> &'static str {
        "o200k_base"
    }

    fn count(&self, text: &str) -> usize {
        o200k_base().count(text)
    }

    fn exceeds(&self, text: &str, cap: usize) -> bool {
        let tokenizer = o200k_base();
        tokenizer.count_till_limit(&tokenizer.normalize(text), cap).is_none()
    }
}

#[cfg(test)]
mod tests {
    use hardwon_model::tokens::O200kCounter;

    use super::*;

    #[test]
    fn it_counts_as_the_table_does() {
        let texts = [
            "",
            "a",
            "hello world",
            "<|endoftext|>",
            "\u{4f60}\u{597d}\u{ff0c}\u{4e16}\u{754c}",
            "e\u{301}\u{301} \r\n\t x",
            "1234567",
        ];
        for text in texts {
            assert_eq!(BpeCounter.count(text), O200kCounter.count(text), "{text:?}");
            for cap in 0..8 {
                assert_eq!(
                    BpeCounter.exceeds(text, cap),
                    O200kCounter.exceeds(text, cap),
                    "{text:?} over {cap}"
                );
            }
        }
    }
}

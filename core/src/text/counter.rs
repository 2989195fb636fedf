//! The token counter port: decides how long a text is for a model; never estimates.
//!
//! A counter that is not exact says so. What is cut to a number of tokens is cut in `cap`.

/// Counts tokens exactly, by a named tokenizer.
///
/// A counter is pure: the same text has the same count on every host. It is a Rust trait and not a request to
/// the host, because a decision may count many times.
pub trait TokenCounter: Send + Sync {
    /// The tokenizer's name, for example `o200k_base`. Stored beside what was cut with it.
    fn name(&self) -> &'static str;

    /// The number of tokens in `text`; 0 for the empty text. Special tokens have no meaning: `<|endoftext|>` is
    /// ordinary text.
    fn count(&self, text: &str) -> usize;

    /// Whether `text` has more than `cap` tokens. Override it where a bounded answer is cheaper than a count.
    fn exceeds(&self, text: &str, cap: usize) -> bool {
        self.count(text) > cap
    }

    /// Whether counts are exact. Without exact counts nothing is stored that would need a cut.
    fn is_exact(&self) -> bool {
        true
    }
}

/// The honest fallback where no token table is linked: the byte count, which no tokenizer exceeds.
#[derive(Debug, Clone, Copy, Default)]
pub struct ByteCounter;

impl TokenCounter for ByteCounter {
    fn name(&self) -> &'static str {
        "bytes"
    }

    fn count(&self, text: &str) -> usize {
        text.len()
    }

    fn is_exact(&self) -> bool {
        false
    }
}

//! The token cap: decides where a text that is too long is cut.
//!
//! Every text it returns was itself counted and found to fit, so the cap holds whatever the counter does. It never
//! cuts inside a grapheme and never looks at more of a long text than a few times what it returns.

use alloc::string::String;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::counter::TokenCounter;

/// The ellipsis that marks a cut; it is counted with the text.
pub const ELLIPSIS: &str = "…";

/// Cuts `text` so that `counter.count(result) <= cap`, the ellipsis included.
///
/// The cut is made at a grapheme boundary and, where that keeps at least half of what fits, at a word boundary. When
/// no grapheme fits together with the ellipsis, the result is empty. The whole text is counted once, after that only
/// beginnings that grow until one does not fit.
pub fn cap(text: &str, cap: usize, counter: &dyn TokenCounter) -> String {
    if !counter.exceeds(text, cap) {
        return String::from(text);
    }
    let cut = Cut { text, cap, counter };
    cut.closed(cut.at_word(cut.longest()))
}

/// How far around a cut a word is looked for, in bytes.
const WORD_WINDOW: usize = 128;

struct Cut<'a> {
    text: &'a str,
    cap: usize,
    counter: &'a dyn TokenCounter,
}

impl Cut<'_> {
    /// The end of a beginning that fits while the next longer one does not.
    fn longest(&self) -> usize {
        let (mut low, mut high) = (0, self.text.len());
        let mut width = self.cap.saturating_mul(8).max(64);
        while width < self.text.len() {
            let end = self.boundary_until(width);
            if end > low {
                if !self.fits(end) {
                    high = end;
                    break;
                }
                low = end;
            }
            width = width.saturating_mul(2);
        }
        while let Some(middle) = self.between(low, high) {
            if self.fits(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The same end, moved to a boundary of the word it would split.
    fn at_word(&self, end: usize) -> usize {
        let from = self.text.floor_char_boundary(end.saturating_sub(WORD_WINDOW));
        let to = self.text.ceil_char_boundary(end.saturating_add(WORD_WINDOW));
        let near = self.text.get(from..to).unwrap_or_default();
        let split = near
            .split_word_bound_indices()
            .map(|(at, word)| (from + at, from + at + word.len(), word))
            .find(|&(start, stop, word)| start < end && end < stop && word.contains(char::is_alphanumeric));
        let Some((start, stop, _)) = split else { return end };
        // A word that touches the window's edge may go on outside; the whole text is no cut.
        if stop < to && self.is_boundary(stop) && self.fits(stop) {
            return stop;
        }
        let known = start > from || from == 0;
        if known && start * 2 >= end && self.is_boundary(start) && self.fits(start) {
            return start;
        }
        end
    }

    fn fits(&self, end: usize) -> bool {
        !self.counter.exceeds(&self.closed(end), self.cap)
    }

    /// The beginning up to `end` with the ellipsis, or nothing when it has no visible character.
    fn closed(&self, end: usize) -> String {
        let head = self.text.get(..end).unwrap_or_default();
        let trimmed = head.trim_end();
        let head = if self.is_boundary(trimmed.len()) { trimmed } else { head };
        if head.trim().is_empty() {
            return String::new();
        }
        let mut out = String::with_capacity(head.len() + ELLIPSIS.len());
        out.push_str(head);
        out.push_str(ELLIPSIS);
        out
    }

    /// A grapheme boundary strictly between two others, near their middle.
    fn between(&self, low: usize, high: usize) -> Option<usize> {
        let middle = low + (high - low) / 2;
        let down = self.boundary_until(middle);
        if down > low { Some(down) } else { self.boundary_after(middle).filter(|&up| up < high) }
    }

    fn boundary_until(&self, at: usize) -> usize {
        let at = self.text.floor_char_boundary(at);
        if self.is_boundary(at) {
            return at;
        }
        self.cursor(at).prev_boundary(self.text, 0).ok().flatten().unwrap_or(0)
    }

    fn boundary_after(&self, at: usize) -> Option<usize> {
        let at = self.text.floor_char_boundary(at);
        self.cursor(at).next_boundary(self.text, 0).ok().flatten()
    }

    fn is_boundary(&self, at: usize) -> bool {
        self.cursor(at).is_boundary(self.text, 0).unwrap_or(false)
    }

    fn cursor(&self, at: usize) -> GraphemeCursor {
        GraphemeCursor::new(at, self.text.len(), true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ByteCounter;
    use super::*;
    use alloc::vec::Vec;
    use core::sync::atomic::{AtomicUsize, Ordering};
    use proptest::prelude::*;

    /// Counts that jump about and often grow when a text is cut.
    #[derive(Debug)]
    struct Harsh(u64);

    impl TokenCounter for Harsh {
        fn name(&self) -> &'static str {
            "harsh"
        }

        fn count(&self, text: &str) -> usize {
            if text.is_empty() {
                return 0;
            }
            let hash = text.bytes().fold(self.0, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
            text.len() / 4 + (hash >> 60) as usize
        }
    }

    /// One token a word of at most eight letters, as tokenizers roughly do.
    #[derive(Debug, Default)]
    struct Wordy(AtomicUsize);

    impl TokenCounter for Wordy {
        fn name(&self) -> &'static str {
            "wordy"
        }

        fn count(&self, text: &str) -> usize {
            self.0.fetch_add(text.len(), Ordering::Relaxed);
            text.split_word_bounds()
                .filter(|w| !w.trim().is_empty())
                .map(|w| w.chars().count().div_ceil(8))
                .sum()
        }
    }

    fn check(text: &str, limit: usize, counter: &dyn TokenCounter) {
        let out = cap(text, limit, counter);
        assert!(counter.count(&out) <= limit, "{out:?}");
        if out == text || out.is_empty() {
            return;
        }
        let head = out.strip_suffix(ELLIPSIS).expect("a cut is marked");
        assert!(text.starts_with(head) && head.len() < text.len());
        assert!(text.grapheme_indices(true).any(|(at, _)| at == head.len()), "{head:?}");
    }

    #[test]
    fn caps_of_nothing_and_one() {
        for text in ["", " ", "a", "word and word", "数据库连接", "👨‍👩‍👧👨‍👩‍👧", "e\u{301}\u{301}", "<|endoftext|>"]
        {
            for limit in [0, 1, 3, 4] {
                check(text, limit, &ByteCounter);
                check(text, limit, &Wordy::default());
                check(text, limit, &Harsh(7));
            }
        }
        assert_eq!(cap("abc", 0, &ByteCounter), "");
        assert_eq!(cap("abcd", 1, &ByteCounter), "");
    }

    #[test]
    fn cuts_between_words() {
        assert_eq!(cap("Create the parent directory first", 24, &ByteCounter), "Create the parent…");
        assert_eq!(cap("one two three four", 3, &Wordy::default()), "one two…");
        // A word that still fits whole is kept whole although a part of it was found first.
        assert_eq!(cap("configuration of it all", 3, &Wordy::default()), "configuration…");
        assert_eq!(cap("数据库连接失败", 12, &ByteCounter), "数据库…");
        assert_eq!(cap("aaaaaaaaaaaaaaaaaaaa", 10, &ByteCounter), "aaaaaaa…");
        assert_eq!(cap("a  \n\n  bbbbbbbbbbbbbb", 6, &ByteCounter), "a…");
    }

    #[test]
    fn graphemes_stay_whole() {
        let family = "👨‍👩‍👧";
        assert_eq!(cap(&family.repeat(3), family.len() + 5, &ByteCounter), [family, "…"].concat());
        let stacked = ["a", &"\u{301}".repeat(1000)].concat();
        assert_eq!(cap(&stacked, 100, &ByteCounter), "");
    }

    #[test]
    fn a_long_text_is_counted_once_and_then_only_its_beginning() {
        for text in
            ["word ".repeat(200_000), "a".repeat(1_000_000), " ".repeat(1_000_000), "🇦".repeat(250_000)]
        {
            let counter = Wordy::default();
            let out = cap(&text, 30, &counter);
            let seen = counter.0.load(Ordering::Relaxed);
            assert!(seen < text.len() + 40_000, "{seen}");
            assert!(counter.count(&out) <= 30);
        }
        let marks = ["x", &"\u{301}".repeat(500_000)].concat();
        assert_eq!(cap(&marks, 30, &ByteCounter), "");
    }

    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-z]{1,12}",
            "[ \t\n]{1,4}",
            "\\PC",
            prop::sample::select(
                [
                    "\u{301}",
                    "\u{200D}",
                    "👩",
                    "🇩",
                    "🇪",
                    "\r\n",
                    "<|endoftext|>",
                    "한",
                    "ก็",
                    "数",
                    "\u{600}",
                    "\u{FE0F}",
                    "क्ष"
                ]
                .map(String::from)
                .to_vec()
            ),
        ];
        prop::collection::vec(piece, 0..40).prop_map(|parts: Vec<String>| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_cap_holds(text in hostile(), limit in 0usize..60, seed in any::<u64>()) {
            check(&text, limit, &ByteCounter);
            check(&text, limit, &Wordy::default());
            check(&text, limit, &Harsh(seed));
        }
    }
}

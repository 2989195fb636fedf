//! What a call is told from afar by: whether a record can fit it wholly, without a look at the record.
//!
//! Never says no to a record that fits; whether one does fit, only its own words decide.

use alloc::boxed::Box;

use crate::learn::content_words;
use crate::sort;
use crate::text::term_hash;

/// Key, trigger and error of a record or of a call, each by hash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cue {
    pub(super) key: u64,
    /// The shapes of calls.
    pub(super) triggers: Box<[u64]>,
    /// The content words of the error, sorted.
    pub(super) words: Box<[u64]>,
    pub(super) has_error: bool,
}

impl Cue {
    /// The cue of a key, of shapes of calls and of a signature; each may be empty.
    pub fn of<'a>(key: &str, triggers: impl Iterator<Item = &'a str>, signature: &str) -> Self {
        let mut words: Box<[u64]> = content_words(signature).iter().map(|word| term_hash(word)).collect();
        sort::sort(&mut words);
        let triggers = triggers.filter(|shape| !shape.is_empty()).map(term_hash).collect();
        Self { key: term_hash(key), triggers, words, has_error: !signature.is_empty() }
    }

    /// Whether it is about an error.
    pub fn has_error(&self) -> bool {
        self.has_error
    }

    /// Whether they can have a shape in common.
    pub fn may_trigger(&self, other: &Self) -> bool {
        self.triggers.iter().any(|shape| other.triggers.contains(shape))
    }

    /// Whether the keys can be the same, or the errors share enough words (`min_overlap`, 0 to 1).
    pub fn may_join(&self, other: &Self, min_overlap: f64) -> bool {
        if self.key == other.key {
            return true;
        }
        let all = self.words.len() + other.words.len();
        let shared = shared(&self.words, &other.words);
        all > 0 && shared as f64 >= min_overlap.min(1.0) * (all - shared) as f64
    }
}

/// How many words two sorted lists share.
fn shared(mut a: &[u64], mut b: &[u64]) -> usize {
    let mut shared = 0;
    while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
        shared += usize::from(x == y);
        (a, b) = (if x <= y { rest_a } else { a }, if y <= x { rest_b } else { b });
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Likeness, joins};
    use alloc::string::String;
    use proptest::prelude::*;

    fn cue(key: &str, trigger: &str, signature: &str) -> Cue {
        Cue::of(key, core::iter::once(trigger), signature)
    }

    fn error() -> impl Strategy<Value = (String, String, String)> {
        let words = prop::collection::vec("not|found|file|E03[0-9]|port|lock", 0..6);
        (words, "error:[ab]|task:x", "shell:a|read_file|write_file")
            .prop_map(|(words, key, group)| (key, words.join(" "), group))
    }

    proptest! {
        #[test]
        fn what_joins_may_join(a in error(), b in error(), overlap in 0.0f64..1.2) {
            let left = Likeness { key: &a.0, signature: &a.1, tool_group: &a.2 };
            let right = Likeness { key: &b.0, signature: &b.1, tool_group: &b.2 };
            if joins(&left, &right, overlap) {
                prop_assert!(cue(&a.0, "", &a.1).may_join(&cue(&b.0, "", &b.1), overlap));
            }
        }
    }

    #[test]
    fn triggers_and_errors_tell_apart() {
        let one = cue("error:x", "Bash:ls", "cannot open the file config.toml");
        assert!(one.may_trigger(&cue("", "Bash:ls", "")));
        assert!(!one.may_trigger(&cue("", "Bash:cat", "")));
        assert!(!Cue::default().may_trigger(&Cue::default()), "no trigger is like no other");
        assert!(!one.may_join(&cue("error:y", "", "connection refused by the server"), 0.6));
        assert!(one.may_join(&cue("error:y", "", "cannot open file config.toml"), 0.6));
    }
}

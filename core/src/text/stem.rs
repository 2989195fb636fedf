//! English endings and stop words: decides which inflections are one word.
//!
//! Takes off plurals, `-ing` and `-ed` where what is left still looks like a word. English only: a word that is not
//! plain ASCII letters is never touched, and no ending that changes a meaning (`un-`, `-less`, `-er`) is taken off.

use alloc::string::String;

/// Cuts a folded word down to its stem.
pub(super) fn stem(word: &mut String) {
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) || is_kept(word) {
        return;
    }
    singular(word);
    if !is_kept(word) {
        present(word);
        if word.len() > 4 && word.ends_with('e') {
            word.pop();
        }
    }
}

/// The stem of a folded word, for a word that is not needed any more.
pub(super) fn stemmed(mut word: String) -> String {
    stem(&mut word);
    word
}

/// Whether a folded word carries no content. Negations are content: they are never stop words.
pub(super) fn is_stop_word(word: &str) -> bool {
    word.len() <= LONGEST_STOP_WORD && PACKED.binary_search(&packed(word.as_bytes())).is_ok()
}

/// The stop words as numbers of the same order: every word of every text is looked up here when a store is opened.
const PACKED: [u64; STOP_WORDS.len()] = {
    let mut all = [0; STOP_WORDS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = packed(STOP_WORDS[at].as_bytes());
        at += 1;
    }
    all
};

/// A word of up to eight bytes as one number.
const fn packed(word: &[u8]) -> u64 {
    let mut number = 0;
    let mut at = 0;
    while at < 8 {
        number = number << 8 | if at < word.len() { word[at] as u64 } else { 0 };
        at += 1;
    }
    number
}

/// Words whose ending is no inflection.
const KEPT: &[&str] =
    &["embed", "exceed", "hundred", "https", "news", "proceed", "series", "succeed", "species"];

fn is_kept(word: &str) -> bool {
    KEPT.contains(&word)
}

fn singular(word: &mut String) {
    if word.ends_with("ies") {
        word.truncate(word.len() - if word.len() > 4 { 3 } else { 1 });
        if !word.ends_with("ie") {
            word.push('y');
        }
    } else if ["ches", "shes", "sses", "xes", "zes"].iter().any(|end| word.ends_with(end)) {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        word.pop();
    }
}

fn present(word: &mut String) {
    if word.len() > 4 && word.ends_with("ied") {
        word.truncate(word.len() - 3);
        word.push('y');
        return;
    }
    let Some(base) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) else { return };
    if word.ends_with("eed") || !base.bytes().any(is_vowel) || (base.len() < 3 && base != "us") {
        return;
    }
    word.truncate(base.len());
    restore(word);
}

/// Gives a shortened word its last letter back: `mak` is `make`, `runn` is `run`.
fn restore(word: &mut String) {
    let bytes = word.as_bytes();
    match *bytes {
        [.., a, b] if a == b && !is_vowel(a) && !matches!(a, b'l' | b's' | b'z') && bytes.len() > 3 => {
            word.pop();
        }
        [b'u', b's'] => word.push('e'),
        [ref head @ .., a, b, c] if !head.iter().copied().any(is_vowel) && closed(a, b, c) => word.push('e'),
        _ => {}
    }
}

/// Consonant, vowel, consonant: the shape of a one-syllable word that has lost its `e`.
fn closed(a: u8, b: u8, c: u8) -> bool {
    !is_vowel(a) && is_vowel(b) && !is_vowel(c) && !matches!(c, b'w' | b'x')
}

fn is_vowel(b: u8) -> bool {
    matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

const LONGEST_STOP_WORD: usize = 6;

/// Sorted, folded, not stemmed.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "both",
    "but", "by", "can", "could", "d", "did", "do", "does", "doing", "each", "for", "from", "had", "has",
    "have", "having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "itself", "just", "ll", "m", "may", "me", "might", "my", "of", "on", "onto", "or", "our", "own",
    "please", "re", "s", "shall", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "too", "ve", "very", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "whom", "why", "will", "with", "would", "you",
    "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) {
        assert_eq!(stemmed(a.into()), stemmed(b.into()), "{a} / {b}");
    }

    #[test]
    fn inflections_meet() {
        for (a, b) in [
            ("file", "filing"),
            ("use", "using"),
            ("uses", "used"),
            ("make", "making"),
            ("write", "writing"),
            ("cached", "caching"),
            ("match", "matches"),
            ("query", "queries"),
            ("try", "tried"),
            ("commit", "committing"),
            ("install", "installed"),
            ("pass", "passing"),
            ("database", "databases"),
            ("note", "noted"),
            ("tie", "ties"),
            ("embed", "embedding"),
            ("setting", "set"),
        ] {
            same(a, b);
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for word in [
            "string", "spring", "process", "status", "analysis", "need", "speed", "embed", "news", "https",
            "thing",
        ] {
            assert_eq!(stemmed(word.into()), word);
        }
        for (a, b) in [("note", "not"), ("care", "car"), ("news", "new"), ("https", "http"), ("adding", "ad")]
        {
            assert_ne!(stemmed(a.into()), stemmed(b.into()), "{a} / {b}");
        }
        assert_eq!(stemmed("größen".into()), "größen");
        assert_eq!(stemmed("v2s".into()), "v2s");
    }

    #[test]
    fn stop_words_are_sorted_and_hold_no_negation() {
        assert!(STOP_WORDS.is_sorted());
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
        for word in ["not", "no", "never", "without", "dont", "cannot", "nor"] {
            assert!(!is_stop_word(word));
        }
    }
}

//! Content words of an error: what two messages are compared by.
//!
//! Decides which words carry meaning. Placeholders never do; negations always do.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::lexicon;
use crate::sort;
use crate::text::words;

/// The content words of `text` in order of their first use, without placeholders such as `<path>`.
pub(crate) fn content_words(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let plain = without_placeholders(text);
    for token in plain.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '\'') {
        let token = token.trim_matches('\'').to_ascii_lowercase();
        if token.is_empty() || is_stop_word(&token) {
            continue;
        }
        let found = if is_negation(&token) { alloc::vec!["not".to_string()] } else { words(&token) };
        for word in found {
            if !out.contains(&word) {
                out.push(word);
            }
        }
    }
    out
}

/// How much two lists of words overlap: shared over all, 0 to 1.
pub(crate) fn overlap(a: &[String], b: &[String]) -> f64 {
    let (a, b) = (sort::set(a.iter()), sort::set(b.iter()));
    let shared = a.intersection(&b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

fn without_placeholders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let inner = &rest[open + 1..];
        let close =
            inner.find('>').filter(|&end| end > 0 && inner[..end].bytes().all(|b| b.is_ascii_lowercase()));
        out.push(' ');
        rest = close.map_or(inner, |end| &inner[end + 1..]);
    }
    out.push_str(rest);
    out
}

fn is_negation(word: &str) -> bool {
    matches!(word, "not" | "cannot") || word.ends_with("n't") || word.ends_with("n’t")
}

fn is_stop_word(word: &str) -> bool {
    lexicon::has(lexicon::STOP, word)
}

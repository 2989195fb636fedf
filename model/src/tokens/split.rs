//! Cuts a text into pieces as the o200k pattern does, by hand.
//!
//! Decides where the first piece ends. The pattern's alternatives, in their order: a word that ends in lower case, a
//! word in upper case, up to three digits, symbols, line ends, white space. Never looks back before its text.

use super::class::{CASELESS, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, Set, UPPER, class_at, run_end};

/// What the first part of a word may consist of.
const HEAD: Set = UPPER | CASELESS | MARK;
/// What the last part of a word may consist of.
const TAIL: Set = LOWER | CASELESS | MARK;
/// What may stand once before a word.
const LEAD: Set = OTHER | MARK | SPACE;
const SYMBOL: Set = OTHER | MARK;
const WHITE: Set = SPACE | NEWLINE;

/// The length of the first piece in bytes; 0 only for an empty text.
pub(super) fn piece_end(text: &str) -> usize {
    word(text).or_else(|| digits(text)).or_else(|| symbols(text)).unwrap_or_else(|| white_space(text))
}

/// A word with one leading character where that helps, else without.
fn word(text: &str) -> Option<usize> {
    let (first, next) = class_at(text, 0);
    if first & (LEAD | HEAD | TAIL) == 0 {
        return None;
    }
    let lead = (first & LEAD != 0).then_some(next);
    let end = lead
        .and_then(|start| cased(text, start))
        .or_else(|| cased(text, 0))
        .or_else(|| lead.and_then(|start| capitals(text, start)))
        .or_else(|| capitals(text, 0))?;
    Some(end + contraction(text, end))
}

/// The alternative `HEAD* TAIL+`. The head takes all it can, then gives back to the last character that may also be
/// in the tail, if the tail would be empty.
fn cased(text: &str, start: usize) -> Option<usize> {
    let (mut at, mut last_shared) = (start, None);
    loop {
        let (class, next) = class_at(text, at);
        if class & HEAD == 0 {
            let tail = class & LOWER != 0;
            return if tail { Some(run_end(text, next, TAIL)) } else { last_shared };
        }
        if class & TAIL != 0 {
            last_shared = Some(next);
        }
        at = next;
    }
}

/// The alternative `HEAD+ TAIL*`, tried only where the first one failed: what is left of it are capitals alone.
fn capitals(text: &str, start: usize) -> Option<usize> {
    let end = run_end(text, start, HEAD);
    (end > start).then_some(end)
}

/// The length of an English contraction at `at`, or 0. The long s folds to s, as in a case-blind pattern.
fn contraction(text: &str, at: usize) -> usize {
    let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix('\'')) else { return 0 };
    let mut letters = rest.chars().map(|c| c.to_ascii_lowercase());
    match (letters.next(), letters.next()) {
        (Some('ſ'), _) => 1 + 'ſ'.len_utf8(),
        (Some('s' | 't' | 'm' | 'd'), _) => 2,
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 3,
        _ => 0,
    }
}

fn digits(text: &str) -> Option<usize> {
    let mut end = 0;
    for _ in 0..3 {
        let (class, next) = class_at(text, end);
        if class & NUMBER == 0 {
            break;
        }
        end = next;
    }
    (end > 0).then_some(end)
}

/// Symbols with one blank before them, and the line ends and slashes right after.
fn symbols(text: &str) -> Option<usize> {
    let start = usize::from(text.starts_with(' '));
    let end = run_end(text, start, SYMBOL);
    if end == start {
        return None;
    }
    let trail = text.as_bytes().iter().skip(end).take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/'));
    Some(end + trail.count())
}

/// White space up to its last line end; without one, all of it at the end of the text, else all but the last
/// character, which may lead the next word.
fn white_space(text: &str) -> usize {
    let (mut at, mut last, mut line_end) = (0, 0, 0);
    loop {
        let (class, next) = class_at(text, at);
        if class & WHITE == 0 {
            break;
        }
        if class & NEWLINE != 0 {
            line_end = next;
        }
        (last, at) = (at, next);
    }
    if line_end > 0 {
        line_end
    } else if last > 0 && at < text.len() {
        last
    } else {
        at
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    fn split(text: &str) -> Vec<&str> {
        super::super::pieces(text).collect()
    }

    #[test]
    fn words_take_one_leading_character_and_contractions() {
        assert_eq!(split("Hello, world's (end"), ["Hello", ",", " world's", " (", "end"]);
        assert_eq!(split("x'Sy y'ſ z'LL don't'"), ["x'S", "y", " y'ſ", " z'LL", " don't", "'"]);
        assert_eq!(split("fooBarBAZ"), ["foo", "Bar", "BAZ"]);
    }

    #[test]
    fn a_mark_before_capitals_stands_alone() {
        assert_eq!(split("\u{301}AB"), ["\u{301}", "AB"]);
        assert_eq!(split("A世BC"), ["A世", "BC"]);
        assert_eq!(split("A世Bc"), ["A世Bc"]);
    }

    #[test]
    fn white_space_leaves_one_character_and_ends_at_the_last_line_end() {
        assert_eq!(split("a   b  "), ["a", "  ", " b", "  "]);
        assert_eq!(split("a \n \r\n  b"), ["a", " \n \r\n", " ", " b"]);
        assert_eq!(split(" \u{a0}1"), [" ", "\u{a0}", "1"]);
    }

    #[test]
    fn symbols_take_line_ends_and_slashes() {
        assert_eq!(split("12345 //\n/x"), ["123", "45", " //\n/", "x"]);
        assert_eq!(split("<|endoftext|>"), ["<|", "endoftext", "|>"]);
    }

    #[test]
    fn an_empty_text_has_no_piece() {
        assert_eq!(split("").len(), 0);
    }
}

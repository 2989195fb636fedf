//! Whether two lessons of different key are the same lesson.
//!
//! Decides by the error's own words: one specific line joins across tools and programs, overlap only within a group
//! of tools. Never joins what differs in negation or in an error code.

use alloc::string::String;
use alloc::vec::Vec;

use super::shape::name_words;
use super::signature::SPECIFIC_WORDS;
use super::words::{content_words, overlap};
use crate::sort;

/// What a draft or a stored record is compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likeness<'a> {
    /// Its key.
    pub key: &'a str,
    /// Its signature, with classes in place of values.
    pub signature: &'a str,
    /// Its tool group.
    pub tool_group: &'a str,
}

/// The overlap of content words from which two lessons of one tool group are the same, 0 to 1.
pub const MIN_OVERLAP: f64 = 0.6;

/// Whether `a` and `b` are the same lesson: same key, same specific line, or enough shared words in one tool group.
pub fn joins(a: &Likeness<'_>, b: &Likeness<'_>, min_overlap: f64) -> bool {
    if a.key == b.key {
        return true;
    }
    if !is_error(a.key) || !is_error(b.key) {
        return false;
    }
    let (left, right) = (content_words(a.signature), content_words(b.signature));
    if left.len() < SPECIFIC_WORDS || right.len() < SPECIFIC_WORDS {
        return false;
    }
    left == right
        || groups_meet(a.tool_group, b.tool_group)
            && agree(&left, &right)
            && overlap(&left, &right) >= min_overlap
}

/// Whether two tool groups are one: the same, or two tools whose names share a telling word.
pub fn groups_meet(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    if a.starts_with("shell:") || b.starts_with("shell:") {
        return false;
    }
    let left = name_words(a);
    name_words(b).iter().any(|word| word.len() > 3 && left.contains(word))
}

fn is_error(key: &str) -> bool {
    key.starts_with(super::mine::ERROR_KEY)
}

/// Same negation, same codes: `E0308` is not `E0382`, and "found" is not "not found".
fn agree(a: &[String], b: &[String]) -> bool {
    let negated = |words: &[String]| {
        words.iter().any(|word| matches!(word.as_str(), "not" | "no" | "never" | "without"))
    };
    let codes = |words: &[String]| -> Vec<String> {
        let mut codes: Vec<String> =
            words.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).cloned().collect();
        sort::sort(&mut codes);
        codes
    };
    negated(a) == negated(b) && codes(a) == codes(b)
}

#[cfg(test)]
mod tests;

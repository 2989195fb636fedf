//! The topic of a fact: which stored facts a claim has to be held against.
//!
//! Decides sameness and contradiction of two facts of one scope. Never decides which of them holds.

use alloc::string::String;

use super::predicate::refined;
use crate::env::Timestamp;
use crate::record::{Claim, Kind, Record, Status};
use crate::text::{Agreement, Guard, content_words, jaccard, subject_key, value_key, words};

/// The reason of facts that contradict each other and that nothing orders.
pub(crate) const UNORDERED: &str = "unordered";

/// The key of a fact: all that is ever said of a subject by one predicate has one key.
pub(crate) fn topic_key(claim: &Claim, text: &str) -> String {
    if claim.subject.is_empty() {
        return alloc::format!("statement: {}", words(text).join(" "));
    }
    let (predicate, _) = refined(&claim.predicate, &claim.object);
    alloc::format!("fact: {} | {predicate}", subject_key(&claim.subject))
}

/// Whether a fact is one that recall shows: active, or one of several that nothing orders.
pub(crate) fn is_standing(record: &Record) -> bool {
    let is_tied = record.status == Status::Conflicted && record.status_reason == UNORDERED;
    record.kind == Kind::Fact && (record.status == Status::Active || is_tied)
}

/// Since when a fact holds; unknown is since ever.
pub(crate) fn start_of(record: &Record) -> Timestamp {
    record.valid_from.unwrap_or(Timestamp(i64::MIN))
}

/// Until when it holds, that moment not included.
pub(crate) fn end_of(record: &Record) -> Timestamp {
    record.valid_to.unwrap_or(Timestamp(i64::MAX))
}

/// Whether there is a moment at which both are said to hold.
pub(crate) fn overlap(a: &Record, b: &Record) -> bool {
    start_of(a) < end_of(b) && start_of(b) < end_of(a)
}

/// Whether two facts of one scope say the same.
pub(crate) fn same_claim(a: &Record, b: &Record) -> bool {
    match (&a.claim, &b.claim) {
        (Some(x), Some(y)) if !x.subject.is_empty() && !y.subject.is_empty() => {
            a.key == b.key && x.negated == y.negated && value_key(&x.object) == value_key(&y.object)
        }
        _ => {
            content_words(&a.text) == content_words(&b.text)
                && Guard::of(&a.text).agrees(&Guard::of(&b.text)) == Agreement::Same
        }
    }
}

/// Whether two facts of one scope cannot both hold at some moment.
pub(crate) fn contradicts(a: &Record, b: &Record, min_overlap: u32) -> bool {
    if a.scope != b.scope || a.id == b.id || !overlap(a, b) {
        return false;
    }
    match (&a.claim, &b.claim) {
        (Some(x), Some(y)) if !x.subject.is_empty() && !y.subject.is_empty() => {
            a.key == b.key && claims_contradict(x, y)
        }
        _ => contradicts_text(&a.text, &b.text, min_overlap),
    }
}

pub(super) fn claims_contradict(a: &Claim, b: &Claim) -> bool {
    let same = value_key(&a.object) == value_key(&b.object);
    match (a.negated, b.negated) {
        (false, false) => !(same || a.many && b.many) || rules_out(a, b) || rules_out(b, a),
        (true, true) => false,
        _ => same,
    }
}

/// Whether a claim says that its value is in place of the other's.
fn rules_out(a: &Claim, b: &Claim) -> bool {
    !a.instead_of.is_empty() && value_key(&a.instead_of) == value_key(&b.object)
}

/// Whether two statements say opposite things, or give another value to the same.
pub(crate) fn contradicts_text(a: &str, b: &str, min_overlap: u32) -> bool {
    let (left, right) = (content_words(a), content_words(b));
    let without_numbers = |list: &[String]| -> alloc::vec::Vec<String> {
        list.iter().filter(|word| !word.contains(|c: char| c.is_numeric())).cloned().collect()
    };
    match Guard::of(a).agrees(&Guard::of(b)) {
        Agreement::Contradiction => jaccard(&left, &right) >= min_overlap,
        Agreement::Different => {
            let (plain_left, plain_right) = (without_numbers(&left), without_numbers(&right));
            left != right
                && plain_left.len() > 1
                && plain_left == plain_right
                && plain_left.len() < left.len()
        }
        Agreement::Same => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_contradict_by_polarity_or_by_a_value() {
        for (a, b, expected) in [
            ("Always use squash merges for features.", "Never use squash merges for features.", true),
            ("The upload limit is 30 MB.", "The upload limit is 31 MB.", true),
            ("The upload limit is 30 MB.", "The upload limit is 30 MB per file.", false),
            ("Retry GET requests 3 times.", "Retry POST requests 5 times.", false),
            ("Deploys happen on Friday.", "Deploys happen on Friday.", false),
            ("Ask before a release.", "Write a changelog line.", false),
        ] {
            assert_eq!(contradicts_text(a, b, 600_000), expected, "{a} / {b}");
            assert_eq!(contradicts_text(b, a, 600_000), expected, "{b} / {a}");
        }
    }
}

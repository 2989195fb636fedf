//! Orders, claims and self-praise, as groups of words that meet in one sentence.
//!
//! Decides by rows: a rule holds when a sentence has a word of each of its groups. A further language is a further
//! row. Never decides by one word alone.

use alloc::string::String;

use super::Suspicion;
use super::rows::{RULES, Rule};

/// Longest sentence that is judged as one, in words.
const SENTENCE_MAX: usize = 48;

/// Words that turn an order into a report or a warning when they stand right before it.
const REPORTED: &[&str] = &[
    "never ",
    "not ",
    "don't ",
    "tells ",
    "tell ",
    "asks ",
    "ask ",
    "told ",
    "asked ",
    "says ",
    "tries ",
    "refuse ",
    "claims ",
    "try ",
    "attempts ",
    "avoid ",
    "instead ",
];

/// The first rule that a sentence of `folded` meets.
pub(super) fn suspect(folded: &str) -> Option<Suspicion> {
    let mut sentence = String::from(" ");
    let mut words = 0;
    for word in folded.split_inclusive(is_break) {
        let bare = word.trim_matches(is_mark);
        if !bare.is_empty() {
            sentence.push_str(bare);
            sentence.push(' ');
            words += 1;
        }
        if words > 0 && (words >= SENTENCE_MAX || ends_sentence(word)) {
            if let Some(found) = judged(&sentence) {
                return Some(found);
            }
            sentence.truncate(1);
            words = 0;
        }
    }
    judged(&sentence)
}

fn is_break(c: char) -> bool {
    c.is_whitespace() || matches!(c, '。' | '！' | '？')
}

/// Marks around words, and white space.
fn is_mark(c: char) -> bool {
    c.is_whitespace() || "\"'`.,;:!?()[]{}*。！？、，：「」“”«»".contains(c)
}

fn ends_sentence(word: &str) -> bool {
    word.ends_with(['\n', '。', '！', '？']) || word.trim_end().ends_with(['.', '!', '?'])
}

/// The first rule whose every group has a word in `sentence`, which begins and ends with a blank.
fn judged(sentence: &str) -> Option<Suspicion> {
    let mut met = [0_u8; RULES.len()];
    let mut before = ' ';
    for (at, c) in sentence.char_indices() {
        // Scripts without blanks begin a word anywhere.
        if (matches!(before, ' ' | '_') && c != ' ') || u32::from(c) >= 0x2E80 {
            meet(sentence, at, &mut met);
        }
        before = c;
    }
    let whole = |(rule, met): &(&Rule, u8)| met.count_ones() as usize == rule.groups.len();
    let found = RULES.iter().zip(met).find(whole)?;
    Some(Suspicion { code: found.0.code, rule: found.0.name })
}

/// Marks in `met`, a bit a group, the groups that have a term at `at` of `sentence`.
fn meet(sentence: &str, at: usize, met: &mut [u8; RULES.len()]) {
    let tail = sentence.get(at..).unwrap_or_default();
    let [first, second, ..] = tail.as_bytes() else { return };
    let mut next = TERMS.0.get(chain(*first, *second)).copied().unwrap_or(END);
    while let Some(term) = TERMS.1.get(usize::from(next)) {
        next = term.next;
        let (Some(rule), Some(met)) = (RULES.get(term.rule), met.get_mut(term.rule)) else { continue };
        let bit = 1 << term.group;
        if *met & bit == 0 && tail.starts_with(term.text) {
            let told = term.group == 0 && rule.reported && is_reported(sentence, at);
            *met |= if told { 0 } else { bit };
        }
    }
}

/// A term of a rule's group, and the next of its chain.
#[derive(Debug, Clone, Copy)]
struct Term {
    text: &'static str,
    rule: usize,
    group: usize,
    next: u16,
}

/// The end of a chain.
const END: u16 = u16::MAX;

/// How many terms the rules have.
const COUNT: usize = {
    let (mut rule, mut count) = (0, 0);
    while rule < RULES.len() {
        let mut group = 0;
        while group < RULES[rule].groups.len() {
            count += RULES[rule].groups[group].len();
            group += 1;
        }
        rule += 1;
    }
    count
};

/// How many chains there are.
const CHAINS: usize = 1024;

/// The chain of the terms that begin with these bytes; no term is shorter.
const fn chain(first: u8, second: u8) -> usize {
    (first as usize * 37 + second as usize) % CHAINS
}

/// All terms, chained by how they begin.
static TERMS: ([u16; CHAINS], [Term; COUNT]) = {
    let mut first = [END; CHAINS];
    let mut terms = [Term { text: "", rule: 0, group: 0, next: END }; COUNT];
    let (mut rule, mut at) = (0, 0);
    while rule < RULES.len() {
        let mut group = 0;
        while group < RULES[rule].groups.len() {
            let list = RULES[rule].groups[group];
            let mut i = 0;
            while i < list.len() {
                let text = list[i].as_bytes();
                let begin = chain(text[0], text[1]);
                terms[at] = Term { text: list[i], rule, group, next: first[begin] };
                first[begin] = at as u16;
                at += 1;
                i += 1;
            }
            group += 1;
        }
        rule += 1;
    }
    (first, terms)
};

/// Whether one of the three words before `at` reports or forbids what follows.
pub(super) fn is_reported(sentence: &str, at: usize) -> bool {
    let before = sentence.get(..at).unwrap_or_default();
    before.split_inclusive(' ').rev().take(3).any(|word| REPORTED.contains(&word))
}

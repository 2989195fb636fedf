//! Whether a model's answer may stand for what it was asked about.
//!
//! Decides by rules, each with a reason code. Never mends an answer: one that breaks a rule is not used.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::bypass;
use super::{EXAMPLE, NO_LESSON};
use crate::gate;
use crate::text::{Agreement, Guard, content_words, jaccard, language, leaves_language, nfc, unescape};

/// From which overlap of content words on an answer repeats the example, in millionths.
const REPEATS: u32 = 600_000;

/// What an answer is held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// Everything that it may name.
    pub(crate) held: String,
    /// What tells its language.
    pub(crate) prose: String,
    /// The advice of which it may say the opposite of none.
    pub(crate) remedies: Vec<String>,
    /// Whether it must say what the advice has in backticks.
    pub(crate) keeps_remedies: bool,
}

/// What becomes of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It may stand for what it was asked about.
    Text(String),
    /// The model sees no lesson.
    NoLesson,
    /// It is not used, with the reason code.
    Unused(&'static str),
}

/// What becomes of what a model answered. `is_over` says whether a text has more tokens than it may have.
pub(crate) fn judge(answer: &str, source: &Source, is_over: impl Fn(&str) -> bool) -> Answer {
    let answer = answer.trim();
    if answer == NO_LESSON {
        return Answer::NoLesson;
    }
    // Slots were escaped in the prompt; a model may give them back either way.
    let text = nfc(&unescape(answer));
    let found = unfit_form(&text)
        .or_else(|| is_over(&text).then_some("too_long"))
        .or_else(|| unsafe_text(&text, source))
        .or_else(|| foreign(&text, source));
    match found {
        Some(reason) => Answer::Unused(reason),
        None => Answer::Text(text),
    }
}

/// What is not one plain line.
fn unfit_form(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return Some("empty");
    }
    if text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        return Some("lines");
    }
    let opens = ["- ", "* ", "# ", "> ", "{", "[", "\"", "'", "“", "「", "«", "•", "1. ", "1) "];
    let holds = ["```", "**", "__", "](", "<!", "</", NO_LESSON];
    let is_markup = opens.iter().any(|mark| text.starts_with(mark))
        || holds.iter().any(|mark| text.contains(mark))
        || text.matches('`').count() % 2 == 1
        || text.chars().any(char::is_control);
    is_markup.then_some("markup")
}

/// What no lesson may say.
fn unsafe_text(text: &str, source: &Source) -> Option<&'static str> {
    let placeholder = text.contains("[secret:") && !source.held.contains("[secret:");
    if placeholder || gate::screen(text).reason().is_some() {
        return Some("secret");
    }
    if let Some(code) = gate::injection::suspect(text) {
        return Some(code);
    }
    if gate::injection::hostile_remedy(text).is_some() {
        return Some("hostile_remedy");
    }
    bypass::in_text(text).then_some("bypass")
}

/// What the answer has from elsewhere, or has lost.
fn foreign(text: &str, source: &Source) -> Option<&'static str> {
    let (said, held) = (content_words(text), content_words(&source.held));
    if jaccard(&said, &content_words(EXAMPLE)) >= REPEATS {
        return Some("example");
    }
    if leaves_language(text, &source.prose) {
        return Some("language");
    }
    if values(text).iter().any(|value| !holds(&source.held, value)) {
        return Some("value");
    }
    if !said.iter().any(|word| held.contains(word)) {
        return Some("unrelated");
    }
    let heads = || source.remedies.iter().map(|remedy| head(remedy));
    if heads().any(|remedy| Guard::of(remedy).agrees(&Guard::of(head(text))) == Agreement::Contradiction) {
        return Some("contradicts");
    }
    let lower = text.to_lowercase();
    let loses = |remedy: &str| code(remedy).any(|span| !lower.contains(&span.to_lowercase()));
    (source.keeps_remedies && heads().any(loses)).then_some("remedy")
}

/// The advice before its reason.
fn head(text: &str) -> &str {
    text.split_once(": ").map_or(text, |(head, _)| head)
}

/// What stands in backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// What in a text could be a value of one run, or a command: code, quotes, words with digits or marks, and names.
fn values(text: &str) -> Vec<String> {
    let mut out: Vec<String> = code(text).map(str::to_string).collect();
    for (open, close) in
        [('"', '"'), ('“', '”'), ('„', '“'), ('「', '」'), ('«', '»'), ('\u{2018}', '\u{2019}')]
    {
        let mut rest = text;
        while let Some((inner, tail)) = rest.split_once(open).and_then(|(_, tail)| tail.split_once(close)) {
            out.push(inner.to_string());
            rest = tail;
        }
    }
    for part in text.split('`').step_by(2) {
        out.extend(runs(part).filter(|run| is_value(run)).map(str::to_string));
        out.extend(names(part));
    }
    out
}

/// Runs without white space, cut where ASCII and other letters meet: scripts without blanks put numbers between words.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(char::is_whitespace).flat_map(|word| word.split_inclusive(cut_after(word)));
    parts.map(trimmed).filter(|run| !run.is_empty())
}

/// Where a word of a script without blanks is cut: behind each of its own letters.
fn cut_after(word: &str) -> impl Fn(char) -> bool {
    let mixed = word.chars().any(crate::text::is_unspaced);
    move |c| mixed && !c.is_ascii()
}

fn trimmed(run: &str) -> &str {
    run.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '\'' | '"' | '…'))
}

/// Whether a run has the form of a value, a path, an address or a flag, and not of a word.
fn is_value(run: &str) -> bool {
    let marks = ['/', '\\', '@', '=', '_', '$', '#', '|', '~', '<', '>', '{', '}', '&', '%', '+', '*'];
    let inner = run.trim_matches('.');
    run.chars().any(char::is_numeric)
        || run.contains(marks)
        || (run.starts_with('-') && run.len() > 1)
        || inner.contains('.')
}

/// Words inside a sentence that begin with a capital. In German each noun does; there two in a row are a name.
fn names(text: &str) -> Vec<String> {
    let pairs_only = language(text) == Some("de");
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_capital = |at: usize| {
        let word = words.get(at).map_or("", |word| trimmed(word));
        let mut chars = word.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.any(char::is_lowercase)
    };
    let begins =
        |at: usize| at == 0 || words.get(at - 1).is_some_and(|w| w.ends_with(['.', ':', '!', '?', ';']));
    let is_name = |at: &usize| {
        is_capital(*at)
            && !begins(*at)
            && (!pairs_only || is_capital(at + 1) || (*at > 1 && is_capital(at - 1)))
    };
    (0..words.len()).filter(is_name).map(|at| trimmed(words[at]).to_string()).collect()
}

/// Whether a text has this value, as words of their own and in any case.
fn holds(text: &str, value: &str) -> bool {
    let (text, value) = (text.to_lowercase(), value.to_lowercase());
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(value.as_str()).any(|(at, found)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + found.len()..].chars().next());
        let open = value.starts_with(char::is_alphanumeric) && is_part(before);
        let more = value.ends_with(char::is_alphanumeric) && is_part(after);
        !open && !more
    })
}

#[cfg(test)]
mod tests;

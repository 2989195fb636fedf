//! Finds the line of a message that says what went wrong.
//!
//! Decides by the form of lines: exception lines, error marks, sentences with a word of failure, then anything that
//! is no progress, frame or listing. Knows no program by heart.

use alloc::string::String;
use alloc::vec::Vec;

use super::label::{Label, Stripped, strip};
use super::mask::Known;
use crate::learn::lexicon;

/// How well a line says what went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rating {
    /// Progress, a frame, a listing, a warning.
    Noise,
    /// Says only that something failed; what follows says what.
    Header,
    /// Some text.
    Plain,
    /// Has a word of failure.
    Phrase,
    /// Is marked as an error.
    Marked,
    /// The program that was called, or its shell, says so under its own name.
    Told,
}

/// The most specific line of `message`, without borders, labels and places in files.
pub(super) fn specific<'a>(message: &'a str, known: &Known<'_>) -> Option<&'a str> {
    if message.contains("Traceback (most recent call last)")
        && let Some(line) = message.lines().rev().find(|line| is_exception(line))
    {
        return Some(strip(line, known).text);
    }
    let mut best: Option<(Rating, &str)> = None;
    let mut after_header = false;
    let mut first = true;
    for line in message.lines() {
        let stripped = strip(line, known);
        let (text, mut rating) = (stripped.text, rate(&stripped, line));
        if rating == Rating::Noise {
            continue;
        }
        let says_all = first && rating == Rating::Phrase && (!known.is_shell || is_full_sentence(text));
        let enough = text.split(' ').nth(1).is_some();
        if rating >= Rating::Plain && (after_header && enough || says_all) {
            rating = rating.max(Rating::Marked);
        }
        first = false;
        after_header = rating == Rating::Header && (text.ends_with(':') || text.ends_with("[stderr]"));
        if best.is_none_or(|(known, _)| known < rating) {
            best = Some((rating, text));
        }
    }
    best.map(|(_, text)| text)
}

fn rate(stripped: &Stripped<'_>, raw: &str) -> Rating {
    let text = stripped.text;
    if !text.contains(|c: char| c.is_alphabetic()) || is_envelope(text) || is_frame(text, raw) {
        return Rating::Noise;
    }
    if is_lone_tag(text) {
        return Rating::Plain;
    }
    let words = plain_words(text);
    let labelled = stripped.label != Label::None;
    let fails = words.iter().any(|word| is_failure_word(word));
    if is_aside(&words, text) || !fails && stripped.label != Label::Error && is_progress(&words, text, raw) {
        return Rating::Noise;
    }
    let telling = words.iter().filter(|word| !is_generic_word(word)).count();
    // `npm ERR! code ENOENT` names a class; a line further on says what happened.
    if telling == 0
        || fails && names_what_failed(text, &words)
        || labelled && !fails && telling == 1 && words.len() <= 2
    {
        return Rating::Header;
    }
    match (stripped.label, fails) {
        (Label::Program, true) => Rating::Told,
        (Label::Error, _) => Rating::Marked,
        _ if is_exception(text) => Rating::Marked,
        (_, true) => Rating::Phrase,
        (_, false) if words.len() < 3 => Rating::Header,
        (_, false) => Rating::Plain,
    }
}

/// The words of a line in lower case, without what stands in paths.
fn plain_words(text: &str) -> Vec<String> {
    text.split_whitespace()
        .filter(|token| !token.contains(['/', '\\']))
        .flat_map(|token| token.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’'))
        .filter(|word| !word.is_empty())
        .take(60)
        .map(str::to_ascii_lowercase)
        .collect()
}

/// `ZeroDivisionError: division by zero`, `** (RuntimeError) …`, `java.lang.X: …`.
pub(super) fn is_exception(line: &str) -> bool {
    let line = line.trim_start_matches(['*', ' ', '(']);
    let end = line
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | ':' | '/')))
        .unwrap_or(line.len());
    let name = line[..end].trim_end_matches(':');
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    let typed = ["Error", "Exception", "Interrupt", "Exit", "Failure", "Fault"]
        .iter()
        .any(|kind| last.ends_with(kind));
    typed
        && last.starts_with(char::is_uppercase)
        && (end == line.len() || line[..end].ends_with(':') || line[end..].starts_with([')', ' ']))
        && last.len() > 5
}

/// Lines that a host puts around the output.
fn is_envelope(text: &str) -> bool {
    lexicon::ENVELOPE.iter().any(|start| text.starts_with(start))
}

/// Stack frames, code listings, carets.
fn is_frame(text: &str, raw: &str) -> bool {
    is_listing(raw)
        || text.starts_with("at ") && text.contains(['(', '/', ':'])
        || text.starts_with("File \"")
        || text.starts_with("in `")
        || text.starts_with("from /")
        || text.starts_with("stack backtrace")
        || text.starts_with("Traceback (")
        || text.starts_with("--> ")
        || text.starts_with("::: ")
}

/// `12 | let x`, `12: let x`, `12→let x`; `12:5  error …` is a finding and no listing.
fn is_listing(raw: &str) -> bool {
    let raw = raw.trim_start();
    let rest = raw.trim_start_matches(|c: char| c.is_ascii_digit());
    let place = rest.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let mark = rest.trim_start_matches(' ').starts_with(['│', '|', ':', '→']) || rest.starts_with('\t');
    rest.len() < raw.len() && mark && !place
}

fn is_lone_tag(text: &str) -> bool {
    text.len() > 3
        && text.starts_with('[')
        && text.ends_with(']')
        && text[1..text.len() - 1].bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_' | b' '))
        && !text[1..text.len() - 1].split(' ').all(|word| is_generic_word(&word.to_ascii_lowercase()))
}

/// Warnings, hints, notes, passes: never what went wrong.
fn is_aside(words: &[String], text: &str) -> bool {
    let first = words.first().map_or("", String::as_str);
    let second = words.get(1).map_or("", String::as_str);
    let warned =
        |word: &str| matches!(word, "warning" | "warnings" | "warn" | "deprecationwarning" | "deprecated");
    warned(first)
        || first == "npm" && warned(second)
        || first == "node" && warned(second)
        || matches!(
            first,
            "hint" | "note" | "info" | "help" | "debug" | "pass" | "passed" | "passing" | "tip" | "trace"
        ) && !text.starts_with("Note ")
        || text.starts_with(['✓', '✔'])
        || text.starts_with("0 ")
        || text.starts_with("(Use `")
}

/// `Compiling 4 files`, `==> lazy_html`, `Checking PLT...`.
fn is_progress(words: &[String], text: &str, raw: &str) -> bool {
    let first = words.first().map_or("", String::as_str);
    let going = first.len() > 5
        && first.ends_with("ing")
        && !matches!(first, "missing" | "string" | "nothing" | "warning" | "following");
    let gone = lexicon::has(lexicon::DONE, first);
    going
        || gone
        || text.starts_with("==>")
        || text.starts_with("===")
        || text.starts_with("---")
        || text.ends_with("...")
        || text.starts_with("$ ")
        || raw.starts_with("> ")
}

/// `FAIL src/a.test.ts > name`, `Pre-commit validation failed:`, `1) test name (Module)`.
fn names_what_failed(text: &str, words: &[String]) -> bool {
    let first = words.first().map_or("", String::as_str);
    let test_line = matches!(first, "fail" | "failed")
        && text.contains(['/', '.', ':', '>'])
        && !text.contains("failed to");
    let says = |word: &str| words.iter().any(|w| w == word);
    let validation = text.contains("validation error");
    let recipe = text.starts_with('[') && text.contains("] Error ");
    let header = recipe
        || (text.ends_with(':') || text.ends_with("[stderr]"))
            && (says("failed")
                || says("error")
                || says("errors")
                || says("failure")
                || says("failures")
                || says("wrong"));
    test_line || header || validation
}

/// A sentence with a capital, a closing mark and enough words to be the whole message.
fn is_full_sentence(text: &str) -> bool {
    text.starts_with(|c: char| c.is_uppercase())
        && text.contains(['.', '!'])
        && text.split(' ').take(5).count() >= 5
}

/// Words that speak of failure.
pub(crate) fn is_failure_word(word: &str) -> bool {
    lexicon::has(lexicon::FAILURE, word)
}

/// Words that say that something failed but not what.
pub(crate) fn is_generic_word(word: &str) -> bool {
    lexicon::has(lexicon::GENERIC, word)
}

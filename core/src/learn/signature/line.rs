//! Finds the line of a message that says what went wrong.
//!
//! Decides by the form of lines: exception lines, error marks, sentences with a word of failure, then anything that
//! is no progress, frame or listing. Knows no program by heart.

use alloc::string::String;
use alloc::vec::Vec;

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
}

/// The most specific line of `message`, without borders, labels and places in files.
pub(super) fn specific<'a>(message: &'a str, known: &Known<'_>) -> Option<&'a str> {
    if message.contains("Traceback (most recent call last)")
        && let Some(line) = message.lines().rev().find(|line| is_exception(line))
    {
        return Some(strip(line, known).0);
    }
    let mut best: Option<(Rating, &str)> = None;
    let mut after_header = false;
    let mut first = true;
    for line in message.lines() {
        let (text, marked) = strip(line, known);
        let mut rating = rate(text, marked, line);
        if rating == Rating::Noise {
            continue;
        }
        let says_all = first && rating == Rating::Phrase && (!known.is_shell || is_full_sentence(text));
        if rating >= Rating::Plain && (after_header || says_all) {
            rating = Rating::Marked;
        }
        first = false;
        after_header = rating == Rating::Header && (text.ends_with(':') || text.ends_with("[stderr]"));
        if best.is_none_or(|(known, _)| known < rating) {
            best = Some((rating, text));
        }
        if rating == Rating::Marked {
            break;
        }
    }
    best.map(|(_, text)| text)
}

/// A line without its borders and labels, and whether a label marked it as an error.
fn strip<'a>(line: &'a str, known: &Known<'_>) -> (&'a str, bool) {
    let mut text = line;
    let mut marked = false;
    for _ in 0..8 {
        let before = text;
        text = text.trim_start_matches(|c: char| c.is_whitespace() || is_border(c)).trim_end();
        text = text.strip_prefix("- ").unwrap_or(text);
        if let Some(rest) = text.strip_prefix("E  ").or_else(|| text.strip_prefix("*** ")) {
            (text, marked) = (rest, true);
        }
        text = without_tag(text);
        if let Some(rest) = error_label(text) {
            (text, marked) = (rest, true);
        }
        if let Some(rest) = place(text).or_else(|| clock(text)) {
            text = rest;
        }
        if let Some(rest) = program_label(text, known) {
            (text, marked) = (rest, true);
        }
        if text == before {
            break;
        }
    }
    if let Some(message) = system_message(text) {
        return (message, true);
    }
    (text, marked)
}

fn is_border(c: char) -> bool {
    matches!(
        c,
        '│' | '┃'
            | '|'
            | '└'
            | '─'
            | '╭'
            | '╰'
            | '├'
            | '❯'
            | '×'
            | '✘'
            | '✗'
            | '✖'
            | '❌'
            | '⚠'
            | '•'
            | '●'
            | '↘'
            | '→'
            | '>'
            | '⨯'
            | '\u{fe0f}'
            | '━'
            | '⎯'
            | '║'
            | '*'
    )
}

/// Drops `<tool_use_error>` and the like around the text.
fn without_tag(text: &str) -> &str {
    let mut text = text;
    if text.starts_with('<')
        && let Some(end) = text.find('>')
        && text[1..end].bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'/' | b'-'))
        && (end + 1 < text.len() || is_tag_word(&text[1..end]))
    {
        text = &text[end + 1..];
    }
    match text.rfind("</") {
        Some(start) if text.ends_with('>') => &text[..start],
        _ => text,
    }
}

fn is_tag_word(name: &str) -> bool {
    let name = name.trim_start_matches('/');
    ["error", "output", "stderr", "stdout", "result", "response", "system"]
        .iter()
        .any(|word| name.contains(word))
}

/// What follows `error:`, `fatal:`, `ERROR `, `[ERROR]`, `npm ERR!`, `error[E0308]:`.
fn error_label(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic() && c != ' ').filter(|&end| end <= 24).unwrap_or(0);
    let (label, rest) = text.split_at(end);
    if let Some(inner) = text.strip_prefix('[') {
        let close = inner.find(']').filter(|&close| is_error_label(inner[..close].trim()))?;
        return Some(inner[close + 1..].trim_start_matches([':', ' ']));
    }
    if let Some(rest) = text.strip_prefix("npm ERR!").or_else(|| text.strip_prefix("npm error ")) {
        return Some(rest);
    }
    if is_error_label(label) && (rest.starts_with(": ") || rest == ":") {
        return Some(rest[1..].trim_start());
    }
    if is_error_label(label) && rest.starts_with('[') {
        let close = rest.find("]: ")?;
        return Some(&rest[close + 3..]);
    }
    let upper = text.strip_prefix("ERROR ").or_else(|| text.strip_prefix("FATAL "))?;
    Some(upper)
}

fn is_error_label(label: &str) -> bool {
    [
        "error",
        "fatal",
        "fatal error",
        "err",
        "failure",
        "failed",
        "panic",
        "e",
        "critical",
        "severe",
        "command failed",
        "uncaught error",
        "unhandled error",
    ]
    .iter()
    .any(|word| label.eq_ignore_ascii_case(word))
}

/// What follows `path:12:5: `, `path(3,5): ` or `line 3: `.
fn place(text: &str) -> Option<&str> {
    let colon = text.find(": ")?;
    let head = &text[..colon];
    if head.len() > 200 || head.contains(' ') && !head.starts_with("line ") {
        return None;
    }
    let numbered = head.ends_with(|c: char| c.is_ascii_digit() || c == ')') && head.contains([':', '(', ' ']);
    let path_like = head.contains(['/', '.', '(']) || head.starts_with("line ");
    (numbered && path_like && !head.ends_with("()")).then(|| &text[colon + 2..])
}

/// What follows a time or date in front, in brackets or not.
fn clock(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[').unwrap_or(text);
    let end = inner.find(|c: char| {
        !(c.is_ascii_digit() || matches!(c, ':' | '-' | '.' | ',' | 'T' | 'Z' | '+' | '/'))
    })?;
    let timed = inner[..end].matches(':').count() >= 2 || inner[..end].matches('-').count() == 2;
    let separated = inner[end..].starts_with([' ', ']']);
    (end >= 8 && timed && separated).then(|| &inner[end + 1..])
}

/// What follows `bash: line 1: `, `/bin/sh: 1: `, `cat: `, where the label is a shell or a program of the command.
fn program_label<'a>(text: &'a str, known: &Known<'_>) -> Option<&'a str> {
    let colon = text.find(':')?;
    let label = &text[..colon];
    if label.is_empty() || label.len() > 120 || label.contains(' ') {
        return None;
    }
    let name = label.rsplit('/').next().unwrap_or(label);
    let shell = matches!(name, "bash" | "sh" | "zsh" | "dash" | "ksh" | "fish" | "(eval)" | "eval" | "-bash");
    if !shell && !known.programs.iter().any(|program| program == name || program == label) {
        return None;
    }
    let rest = text[colon + 1..].trim_start();
    if !shell {
        return Some(rest);
    }
    let number = rest.strip_prefix("line ").unwrap_or(rest);
    let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = match number[digits..].strip_prefix(':') {
        Some(after) if digits > 0 => after.trim_start(),
        _ => rest,
    };
    // What the shell calls names comes next: `bash: jq: command not found`.
    let name = rest.split_once(": ").filter(|(name, after)| !name.contains(' ') && !after.is_empty());
    Some(name.map_or(rest, |(_, after)| after))
}

/// `ls: cannot access 'x': No such file or directory` says what the system says.
fn system_message(text: &str) -> Option<&str> {
    let bare = text.find(" (os error").map_or(text, |at| &text[..at]);
    lexicon::SYSTEM_MESSAGES.iter().find_map(|message| {
        let at = bare.strip_suffix(message)?.len();
        (text[..at].ends_with(": ") && !is_exception(text)).then(|| &text[at..at + message.len()])
    })
}

fn rate(text: &str, marked: bool, raw: &str) -> Rating {
    if !text.contains(|c: char| c.is_alphabetic()) || is_envelope(text) || is_frame(text, raw) {
        return Rating::Noise;
    }
    if is_lone_tag(text) {
        return Rating::Plain;
    }
    let words: Vec<String> = text
        .split_whitespace()
        .filter(|token| !token.contains(['/', '\\']))
        .flat_map(|token| token.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’'))
        .filter(|word| !word.is_empty())
        .take(60)
        .map(str::to_ascii_lowercase)
        .collect();
    let fails = words.iter().any(|word| is_failure_word(word));
    if is_aside(&words, text) || !fails && !marked && is_progress(&words, text) {
        return Rating::Noise;
    }
    if words.iter().all(|word| is_generic_word(word)) || fails && names_what_failed(text, &words) {
        return Rating::Header;
    }
    match (marked || is_exception(text), fails) {
        (true, _) => Rating::Marked,
        (false, true) => Rating::Phrase,
        (false, false) => Rating::Plain,
    }
}

/// `ZeroDivisionError: division by zero`, `** (RuntimeError) …`, `java.lang.X: …`.
fn is_exception(line: &str) -> bool {
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
    let listing = {
        let digits = raw.trim_start();
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < digits.len()
            && rest.trim_start_matches([' ', '\t']).starts_with(['│', '|', ':', '\t', '→'])
            || rest.len() < digits.len() && rest.starts_with('\t')
    };
    listing
        || text.starts_with("at ") && text.contains(['(', '/', ':'])
        || text.starts_with("File \"")
        || text.starts_with("in `")
        || text.starts_with("from /")
        || text.starts_with("stack backtrace")
        || text.starts_with("Traceback (")
        || text.starts_with("--> ")
        || text.starts_with("::: ")
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
fn is_progress(words: &[String], text: &str) -> bool {
    let first = words.first().map_or("", String::as_str);
    let going = first.len() > 5
        && first.ends_with("ing")
        && !matches!(first, "missing" | "string" | "nothing" | "warning" | "following");
    let gone = matches!(
        first,
        "compiled"
            | "generated"
            | "downloaded"
            | "installed"
            | "finished"
            | "resolved"
            | "fetched"
            | "updated"
            | "created"
            | "added"
            | "removed"
            | "collected"
            | "cached"
            | "unchanged"
            | "using"
            | "loaded"
            | "started"
    );
    going
        || gone
        || text.starts_with("==>")
        || text.starts_with("===")
        || text.starts_with("---")
        || text.ends_with("...")
        || text.starts_with("$ ")
}

/// `FAIL src/a.test.ts > name`, `Pre-commit validation failed:`, `1) test name (Module)`.
fn names_what_failed(text: &str, words: &[String]) -> bool {
    let first = words.first().map_or("", String::as_str);
    let test_line = matches!(first, "fail" | "failed")
        && text.contains(['/', '.', ':', '>'])
        && !text.contains("failed to");
    let says = |word: &str| words.iter().any(|w| w == word);
    let recipe = text.starts_with('[') && text.contains("] Error ");
    let header = recipe
        || (text.ends_with(':') || text.ends_with("[stderr]"))
            && (says("failed") || says("error") || says("errors") || says("failure") || says("failures"));
    test_line || header
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

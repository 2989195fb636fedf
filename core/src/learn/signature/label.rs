//! Takes off what stands in front of a message: borders, tags, error labels, places in files, times, program names.
//!
//! Decides what is a label by its form and by the command's own programs. Never decides which line counts.

use super::line::is_exception;
use super::mask::Known;
use crate::learn::lexicon;

/// What a label in front of a line says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label {
    /// There is none.
    None,
    /// It is marked as an error.
    Error,
    /// The program that was called, or its shell, speaks.
    Program,
}

/// A line without its borders and labels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stripped<'a> {
    pub(super) text: &'a str,
    pub(super) label: Label,
}

/// A line without its borders, labels and places in files.
pub(super) fn strip<'a>(line: &'a str, known: &Known<'_>) -> Stripped<'a> {
    let mut text = line;
    let mut label = Label::None;
    for _ in 0..8 {
        let before = text;
        text = text.trim_start_matches(|c: char| c.is_whitespace() || is_border(c)).trim_end();
        text = text.strip_prefix("- ").unwrap_or(text);
        if let Some(rest) = text.strip_prefix("E  ").or_else(|| text.strip_prefix("*** ")) {
            (text, label) = (rest, label.max(Label::Error));
        }
        text = without_tag(text);
        if let Some(rest) = error_label(text) {
            (text, label) = (rest, label.max(Label::Error));
        }
        if let Some(rest) = printed_exception(text).or_else(|| error_number(text)) {
            (text, label) = (rest, label.max(Label::Error));
        }
        if let Some(rest) = place(text).or_else(|| clock(text)) {
            text = rest;
        }
        if let Some(rest) = program_label(text, known) {
            (text, label) = (rest, Label::Program);
        }
        if text == before {
            break;
        }
    }
    if let Some(message) = system_message(text) {
        return Stripped { text: message, label: label.max(Label::Error) };
    }
    Stripped { text, label }
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

/// The message inside `FileNotFoundError("…")`.
fn printed_exception(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('(')?;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = rest[1..].trim_end_matches([')', ',']).strip_suffix(quote)?;
    let typed = name.ends_with("Error") || name.ends_with("Exception");
    (typed && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))).then_some(inner)
}

/// What follows `[Errno 2] `.
fn error_number(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("[Errno ")?;
    let close = rest.find(']').filter(|&close| close <= 4)?;
    Some(rest[close + 1..].trim_start())
}

/// What follows `path:12:5: `, `path(3,5): ` or `line 3: `.
fn place(text: &str) -> Option<&str> {
    if let Some(rest) = finding(text) {
        return Some(rest);
    }
    let colon = text.find(": ")?;
    let head = &text[..colon];
    if head.len() > 200 || head.contains(' ') && !head.starts_with("line ") {
        return None;
    }
    let numbered = head.ends_with(|c: char| c.is_ascii_digit() || c == ')') && head.contains([':', '(', ' ']);
    let path_like = head.contains(['/', '.', '(']) || head.starts_with("line ");
    (numbered && path_like && !head.ends_with("()")).then(|| &text[colon + 2..])
}

/// What follows `12:5  error  ` and `(7) `.
fn finding(text: &str) -> Option<&str> {
    let number = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if let Some(inner) = text.strip_prefix('(') {
        let digits = number(inner);
        return inner[digits..].strip_prefix(") ").filter(|_| digits > 0);
    }
    let line = number(text);
    let column = text[line..].strip_prefix(':')?;
    let rest =
        column[number(column)..].strip_prefix(' ').filter(|_| line > 0 && number(column) > 0)?.trim_start();
    Some(rest.strip_prefix("error ").or_else(|| rest.strip_prefix("Error ")).unwrap_or(rest).trim_start())
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
    match name {
        Some((_, "not found")) => Some("command not found"),
        Some((_, after)) => Some(after),
        None => Some(rest),
    }
}

/// `ls: cannot access 'x': No such file or directory` says what the system says.
fn system_message(text: &str) -> Option<&str> {
    if text.starts_with("command not found: ") {
        return Some(&text[..17]);
    }
    let bare = text.find(" (os error").map_or(text, |at| &text[..at]);
    if let Some(message) = lexicon::SYSTEM_MESSAGES.iter().find(|message| bare.starts_with(**message)) {
        return Some(&text[..message.len()]).filter(|_| bare[message.len()..].starts_with(": '"));
    }
    lexicon::SYSTEM_MESSAGES.iter().find_map(|message| {
        let at = bare.strip_suffix(message)?.len();
        (text[..at].ends_with(": ") && !is_exception(text)).then(|| &text[at..at + message.len()])
    })
}

//! Changes of a command line by its text.
//!
//! Decides where a word goes in or out. Never touches what it cannot find as a word of its own.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use crate::learn::shape::command_text;
use crate::learn::shell::{Command, CommandLine};
use crate::trace::ToolCall;

/// The arguments of a shell's call with another command line.
pub(super) fn with_text(call: &ToolCall, text: &str) -> Option<Value> {
    let before = command_text(&call.name, &call.args)?;
    match &call.args {
        Value::String(_) => Some(Value::String(text.to_string())),
        Value::Object(map) => {
            let (key, _) = map.iter().find(|(_, value)| value.as_str() == Some(&before))?;
            let mut map = map.clone();
            map.insert(key.clone(), Value::String(text.to_string()));
            Some(Value::Object(map))
        }
        _ => None,
    }
}

/// The command line with a flag after the principal command's name.
pub(super) fn with_flag(call: &ToolCall, flag: &str) -> Option<String> {
    let text = command_text(&call.name, &call.args)?;
    let line = CommandLine::parse(&text);
    let command = line.principal()?;
    if command.flags.iter().any(|known| known == flag) {
        return None;
    }
    let end = head_end(&text, command)?;
    Some(format!("{} {flag}{}", &text[..end], &text[end..]))
}

/// Where the name of a command with its subcommand ends in the text.
fn head_end(text: &str, command: &Command) -> Option<usize> {
    let mut end = words(text)
        .into_iter()
        .rfind(|(_, word)| word.rsplit('/').next() == Some(command.program.trim_start_matches("./")))
        .map(|(at, word)| at + word.len())?;
    for part in command.subcommand.iter().flat_map(|sub| sub.split(' ')) {
        let (at, word) = words(&text[end..]).into_iter().find(|(_, word)| *word == part)?;
        end += at + word.len();
    }
    Some(end)
}

/// The command line without a word.
pub(super) fn without_word(call: &ToolCall, gone: &str) -> Option<String> {
    let text = command_text(&call.name, &call.args)?;
    let (at, word) = words(&text).into_iter().find(|(_, word)| *word == gone)?;
    let rest = text[at + word.len()..].trim_start_matches(' ');
    Some(format!("{}{rest}", &text[..at]).trim_end().to_string())
}

/// The command line with a program under another name, wherever it is called.
pub(super) fn with_program(call: &ToolCall, from: &str, to: &str) -> Option<String> {
    let text = command_text(&call.name, &call.args)?;
    let mut out = String::new();
    let mut copied = 0;
    for (at, word) in words(&text) {
        if word == from {
            out.push_str(&text[copied..at]);
            out.push_str(to);
            copied = at + word.len();
        }
    }
    (copied > 0).then(|| out + &text[copied..])
}

/// A command with its slots filled by the words that stand in their places in the error. A command without slots
/// stands for itself.
pub(super) fn filled(command: &str, error: &str) -> Option<String> {
    let wanted: Vec<&str> = command.split(' ').collect();
    if !wanted.iter().any(|word| is_slot(word)) {
        return Some(command.to_string());
    }
    let mut found: Vec<String> = Vec::new();
    for line in error.lines().take(400) {
        let line: Vec<&str> =
            line.split_whitespace().map(|word| word.trim_matches(['`', '\'', '"'])).collect();
        for start in 0..line.len().saturating_sub(wanted.len() - 1) {
            let words = &line[start..start + wanted.len()];
            let fits = |(word, wanted): (&&str, &&str)| {
                word == wanted || is_slot(wanted) && !word.is_empty() && !word.starts_with('-')
            };
            let text = words.join(" ");
            if words.iter().zip(&wanted).all(fits)
                && !words.iter().any(|word| is_slot(word))
                && !found.contains(&text)
            {
                found.push(text);
            }
        }
    }
    found.pop().filter(|_| found.is_empty())
}

fn is_slot(word: &str) -> bool {
    word.starts_with('<') && word.ends_with('>')
}

/// The one word in which two command lines differ, in the first and in the second; flags are no such word.
pub(crate) fn differing_word<'a>(a: &'a str, b: &'a str) -> Option<(&'a str, &'a str)> {
    let (left, right) = (words(a), words(b));
    if left.len() != right.len() {
        return None;
    }
    let mut out = None;
    for ((_, one), (_, other)) in left.into_iter().zip(right) {
        if one == other || out == Some((one, other)) {
            continue;
        }
        if out.is_some() || one.starts_with('-') || other.starts_with('-') {
            return None;
        }
        out = Some((one, other));
    }
    out
}

/// The words of a command line with their places, cut at blanks, quotes and operators.
fn words(text: &str) -> Vec<(usize, &str)> {
    let is_edge = |c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(' | ')' | '"' | '\'' | '`');
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().take(16 * 1024) {
        match (is_edge(c), start) {
            (true, Some(from)) => {
                out.push((from, &text[from..at]));
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    out.extend(start.map(|from| (from, &text[from..])));
    out
}

//! Whether an answer is a failure, where only its text can tell: the phrases that tools and hosts use.
//!
//! Decides from the place and form of a phrase, not from its presence: text that mentions an error is no failure.
//! English phrases, since the tools that write them do so in English. Never decides which failures matter.

use alloc::string::String;
use core::ops::Range;

use serde::Deserialize;
use serde_json::Value;

use super::event::{ResultStatus, ToolResult};
use super::json::{Flag, Name, Number, Object};
use super::{literal, masked};

/// How a host says that a person refused a call.
const REFUSALS: [&str; 14] = [
    "exec command rejected by user",
    "command rejected by user",
    "patch rejected by user",
    "tool call rejected by user",
    "the user doesn't want to proceed with this tool use",
    "the user doesn't want to take this action",
    "the tool use was rejected",
    "[request interrupted by user",
    "user rejected",
    "the user rejected",
    "rejected by user",
    "user declined",
    "denied by user",
    "claude requested permissions",
];

/// How a host says that it gave a call up.
const CANCELLATIONS: [&str; 14] = [
    "sibling tool call errored",
    "sibling tool call failed",
    "a sibling tool call",
    "skipped because a previous tool call",
    "skipped: a previous tool call",
    "aborted by user",
    "command aborted by user",
    "operation cancelled",
    "the operation was cancelled",
    "cancelled: parallel tool call",
    "canceled: parallel tool call",
    "tool call cancelled",
    "tool call canceled",
    "interrupted by user",
];

/// How a host says that a person refused, anywhere in the beginning of an answer that is known to be no success.
const REFUSED_IN: [&str; 10] = [
    "rejected by user",
    "rejected by the user",
    "denied by user",
    "denied by the user",
    "declined by the user",
    "user did not allow",
    "user declined",
    "user rejected",
    "user denied",
    "user chose not to",
];

/// How a host says that it gave up, anywhere in the beginning of an answer that is known to be no success.
const CANCELLED_IN: [&str; 5] =
    ["sibling tool call", "cancelled by user", "canceled by user", "interrupted by user", "aborted by user"];

/// Words in the names of tools that give back what is stored somewhere, so that their text says nothing about the call.
const READERS: [&str; 10] =
    ["read", "view", "cat", "open", "grep", "glob", "search", "find", "fetch", "browse"];

/// How a host says in the beginning of an answer that it did not let the call happen.
const BLOCKED: [&str; 4] =
    ["rejected this action", "blocked by policy", "was blocked by", "is not allowed by policy"];

/// Ends of a line in which a shell or a program says what it could not do.
const SHELL_ERRORS: [&str; 8] = [
    ": command not found",
    ": not found",
    ": No such file or directory",
    ": Permission denied",
    ": Is a directory",
    ": Not a directory",
    ": Operation not permitted",
    ": cannot execute binary file",
];

/// Titles of pages that stand for a failed request.
const ERROR_PAGES: [&str; 9] = [
    "forbidden",
    "not found",
    "unauthorized",
    "access denied",
    "bad gateway",
    "bad request",
    "service unavailable",
    "internal server error",
    "too many requests",
];

/// What follows "exit" where a text tells the status of a process.
const EXIT_WORDS: [&str; 8] = [
    "exited with code ",
    "exited with status ",
    "exit code ",
    "exit code: ",
    "exit status ",
    "exit status: ",
    "exited with exit code ",
    "non-zero exit status ",
];

/// Marks that a text was cut, looked for near its end.
const CUT_ENDS: [&str; 7] =
    [" cut]", "truncated]", "truncated)", "truncated>", "truncated ...", "omitted]", "output truncated"];

/// Marks that a text was cut, looked for anywhere.
const CUT_ANYWHERE: [&str; 3] = ["characters truncated", "chars truncated", "lines truncated"];

/// Judges an answer of which only the text is known.
pub(super) fn of_text(text: String) -> ToolResult {
    let (status, exit) = judge(&text);
    ToolResult { status, exit, cut: is_cut(&text), text, ts: None }
}

/// Judges an answer of a tool of which the name is known too: what a tool that gives back stored text returns says
/// nothing about the call, except where the host speaks.
pub(super) fn of_tool(tool: &str, text: String) -> ToolResult {
    let mut result = of_text(text);
    if result.status == ResultStatus::Ok && (refuses_itself(tool, &result.text) || is_blocked(&result.text)) {
        result.status = ResultStatus::Failed;
    }
    result
}

/// Judges an answer whose format says whether it failed. A flag that says no is believed of tools that give back
/// stored text; of others their text may still say otherwise.
pub(super) fn of_flag(failed: bool, tool: &str, text: String) -> ToolResult {
    if failed {
        let status = given_up(&text).or_else(|| no_success(&text)).unwrap_or(ResultStatus::Failed);
        return ToolResult { status, exit: exit_of(&text), cut: is_cut(&text), text, ts: None };
    }
    if is_reader(tool) {
        return ToolResult { status: ResultStatus::Ok, cut: is_cut(&text), text, ..ToolResult::default() };
    }
    of_tool(tool, text)
}

/// Judges a call's answer of which only the text is known: a command's by what shells and programs print, another
/// tool's by what tools and hosts say.
pub fn of_answer(tool: &str, args: &Value, text: String) -> ToolResult {
    if masked::is_command(args) { of_shell(text) } else { of_tool(tool, text) }
}

/// Judges what a shell printed where its status is not told.
pub(super) fn of_shell(text: String) -> ToolResult {
    let mut result = of_tool("bash", text);
    if result.status == ResultStatus::Ok
        && result.exit.is_none()
        && (only_shell_error(&result.text) || masked::says_failed(&result.text))
    {
        result.status = ResultStatus::Failed;
    }
    result
}

/// Judges what a process printed whose status is told.
pub(super) fn of_exit(exit: i64, text: String) -> ToolResult {
    let status = if exit == 0 { ResultStatus::Ok } else { ResultStatus::Failed };
    ToolResult { status, exit: Some(exit), cut: is_cut(&text), text, ts: None }
}

/// The message of an exception with its stack: what stands before the stack, or else its last line.
pub(super) fn without_stack(text: &str) -> &str {
    let text = text.trim();
    match text.split_once("Traceback (most recent call last)") {
        Some((before, _)) if !before.trim().is_empty() => before.trim(),
        Some((_, stack)) => stack.lines().next_back().unwrap_or_default().trim(),
        None => text,
    }
}

/// What an answer that is known to be no success says of a person or host that gave it up.
pub(super) fn no_success(text: &str) -> Option<ResultStatus> {
    let head = lower_head(text, 240);
    if REFUSED_IN.iter().any(|phrase| head.contains(phrase)) {
        Some(ResultStatus::Refused)
    } else if CANCELLED_IN.iter().any(|phrase| head.contains(phrase)) {
        Some(ResultStatus::Cancelled)
    } else {
        None
    }
}

/// Whether a person refused the call, or the host gave it up. For texts that are already known to be no success, or
/// short notices in place of one.
pub(super) fn given_up(text: &str) -> Option<ResultStatus> {
    let head = lower_head(text, 160);
    let starts = |phrases: &[&str]| phrases.iter().any(|phrase| head.starts_with(phrase));
    if starts(&REFUSALS) {
        Some(ResultStatus::Refused)
    } else if starts(&CANCELLATIONS) || (head.starts_with("tool call ") && head.contains("was cancelled")) {
        Some(ResultStatus::Cancelled)
    } else {
        None
    }
}

/// The status of a process where the text tells it: in its first lines, or in its last.
pub(super) fn exit_of(text: &str) -> Option<i64> {
    text.lines().take(3).find_map(exit_in).or_else(|| text.lines().rev().take(3).find_map(exit_in))
}

/// The status in `Exit code N` as the very first line, as shells of coding agents begin a failure.
pub(super) fn leading_exit(text: &str) -> Option<i64> {
    let line = text.trim_start().lines().next()?;
    line.strip_prefix("Exit code ").and_then(|digits| digits.trim().parse().ok())
}

/// Whether the text says that it is not all there was.
pub(super) fn is_cut(text: &str) -> bool {
    let tail = clip(text, text.len().saturating_sub(200)..text.len());
    CUT_ENDS.iter().any(|mark| tail.contains(mark))
        || text.starts_with("<persisted-output>")
        || text.contains("truncated") && CUT_ANYWHERE.iter().any(|mark| text.contains(mark))
}

fn judge(text: &str) -> (ResultStatus, Option<i64>) {
    let trimmed = text.trim();
    if let Some(status) = given_up(trimmed) {
        return (status, None);
    }
    if trimmed.starts_with('{') && trimmed.ends_with('}') {
        let json = serde_json::from_str::<Object<Answer>>(trimmed)
            .or_else(|_| serde_json::from_str(&literal::to_json(trimmed)));
        if let Ok(Object(Some(answer))) = json {
            return answer.judge();
        }
    }
    match exit_of(trimmed) {
        Some(0) => (ResultStatus::Ok, Some(0)),
        Some(exit) => (ResultStatus::Failed, Some(exit)),
        None if says_error(trimmed)
            || python_error(trimmed)
            || ends_in_traceback(trimmed)
            || http_error(trimmed)
            || told_status(trimmed)
            || error_page(trimmed) =>
        {
            (ResultStatus::Failed, None)
        }
        None => (ResultStatus::Ok, None),
    }
}

fn exit_in(line: &str) -> Option<i64> {
    if line.len() > 100 {
        return None;
    }
    let line = line.to_ascii_lowercase();
    EXIT_WORDS.iter().find_map(|words| {
        let (before, after) = line.split_once(words)?;
        if before.chars().next_back().is_some_and(char::is_alphanumeric) {
            return None;
        }
        let end = after.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(after.len());
        let (digits, rest) = after.split_at(end);
        let ends_here = rest.chars().all(|c| !c.is_alphanumeric());
        if ends_here { digits.parse().ok() } else { None }
    })
}

/// `Error: …`, `ValueError: …`, `java.io.IOException(…)`, `Error executing tool x: …` at the very beginning.
fn says_error(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let last = word.rsplit('.').next().unwrap_or(word);
    let plain = ["error", "exception", "fatal"].iter().any(|word| last.eq_ignore_ascii_case(word));
    let named = last.ends_with("Error") || last.ends_with("Exception");
    if !(plain || named) {
        return false;
    }
    let told = rest.trim_start_matches([':', '(', ' ', '-', '!']);
    let nothing =
        ["0", "none", "null", "false"].iter().any(|no| told.trim_end_matches(')').eq_ignore_ascii_case(no));
    match rest.chars().next() {
        None => text.len() == line.len() && plain,
        Some(':' | '(' | '!') => !nothing,
        Some(' ') => plain && !nothing && narrates(told),
        _ => false,
    }
}

/// Whether the words after "Error" tell of an act that failed, not of errors as a subject.
fn narrates(rest: &str) -> bool {
    let word = rest.split(' ').next().unwrap_or_default();
    let act = word.ends_with("ing") && !["handling", "logging", "reporting"].contains(&word);
    let place = ["in", "while", "when", "during", "from", "at", "code", "occurred"].contains(&word);
    let number = word.trim_end_matches([':', ')']).parse::<u32>().is_ok_and(|code| code >= 100);
    (act || place || number) && (rest.contains(':') || rest.len() < 200)
}

/// An object as Python prints it, which is no JSON.
fn python_error(text: &str) -> bool {
    let error = text.strip_prefix("{'error': ").is_some_and(|rest| !rest.starts_with("None"));
    error || text.starts_with("{'success': False") || text.starts_with("{'ok': False")
}

fn ends_in_traceback(text: &str) -> bool {
    const HEAD: &str = "Traceback (most recent call last)";
    if text.starts_with(HEAD) {
        return true;
    }
    let last = text.lines().next_back().unwrap_or_default();
    says_error(last) && text.contains("\nTraceback (most recent call last)")
}

fn http_error(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("HTTP") else { return false };
    let rest = match rest.strip_prefix('/') {
        Some(version) => version.split_once(' ').map_or("", |(_, rest)| rest),
        None => rest.trim_start_matches([' ', ':']).trim_start_matches("error ").trim_start_matches("Error "),
    };
    rest.get(..3).and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| (400..600).contains(&code))
}

/// `Request failed with status code 404`, `Response status: 503` in a short first line.
fn told_status(text: &str) -> bool {
    let line = lower_head(text.lines().next().unwrap_or_default(), 200);
    let fails =
        ["fail", "error", "response", "request", "returned", "api"].iter().any(|word| line.contains(word));
    let Some((_, rest)) = line.split_once("status code").or_else(|| line.split_once("status:")) else {
        return false;
    };
    let digits = rest.trim_start_matches([' ', ':', '=']);
    let code = digits.get(..3).and_then(|code| code.parse::<u32>().ok());
    fails && text.len() < 2_000 && code.is_some_and(|code| (400..600).contains(&code))
}

/// A page in place of an answer whose title says that the request failed.
fn error_page(text: &str) -> bool {
    let head = lower_head(text.trim_start_matches(['"', '\'', ' ']), 400);
    let page = head.starts_with("<html") || head.starts_with("<!doctype html");
    let title = head.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    page && title.is_some_and(|(title, _)| ERROR_PAGES.iter().any(|phrase| title.contains(phrase)))
}

/// An answer that begins with the tool's own name and says that it failed.
fn refuses_itself(tool: &str, text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let Some(rest) = line.strip_prefix(tool).filter(|_| tool.len() > 2) else {
        return line.starts_with("failed to parse function arguments")
            || line.starts_with("unsupported call");
    };
    let rest = rest.trim_start();
    [" failed", " verification failed"].iter().any(|word| rest.starts_with(word.trim_start()))
}

fn is_blocked(text: &str) -> bool {
    let head = lower_head(text, 120);
    BLOCKED.iter().any(|phrase| head.contains(phrase))
}

/// Whether a word of a tool's name says that it gives back what is stored: `read_file`, `WebFetch`, `mcp__fs__view`.
fn is_reader(tool: &str) -> bool {
    let mut word = String::new();
    let mut found = false;
    for c in tool.chars().take(200).chain(core::iter::once('_')) {
        if !c.is_lowercase() {
            found |= READERS.contains(&word.as_str());
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    found
}

/// Whether all of a short output is one complaint of a shell.
fn only_shell_error(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (Some(first), rest) = (lines.next(), lines.count()) else { return false };
    first.len() < 300 && rest < 3 && SHELL_ERRORS.iter().any(|end| first.ends_with(end))
}

/// What an answer that is a JSON object may say about itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answer {
    error: Value,
    ok: Flag,
    success: Flag,
    is_error: Flag,
    #[serde(rename = "isError")]
    is_error_camel: Flag,
    status: Name,
    status_code: Number,
    #[serde(rename = "statusCode")]
    status_code_camel: Number,
    http_status: Number,
    exit_code: Number,
    #[serde(rename = "exitCode")]
    exit_code_camel: Number,
    returncode: Number,
    return_code: Number,
    metadata: Object<Metadata>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    exit_code: Number,
}

impl Answer {
    fn judge(&self) -> (ResultStatus, Option<i64>) {
        let nested = self.metadata.0.as_ref().and_then(|metadata| metadata.exit_code.0);
        let codes = [self.exit_code, self.exit_code_camel, self.returncode, self.return_code];
        let exit = codes.into_iter().find_map(|code| code.0).or(nested).map(|code| code as i64);
        (if self.failed(exit) { ResultStatus::Failed } else { ResultStatus::Ok }, exit)
    }

    fn failed(&self, exit: Option<i64>) -> bool {
        if self.is_error.set()
            || self.is_error_camel.set()
            || self.ok.0 == Some(false)
            || self.success.0 == Some(false)
        {
            return true;
        }
        if self.ok.set() || self.success.set() {
            return false;
        }
        let http = |code: f64| (400.0..600.0).contains(&code);
        says_something(&self.error)
            || exit.is_some_and(|code| code != 0)
            || [self.status_code, self.status_code_camel, self.http_status]
                .iter()
                .any(|code| code.0.is_some_and(http))
            || self.status.get().is_some_and(|status| {
                status.eq_ignore_ascii_case("error") || status.parse::<f64>().is_ok_and(http)
            })
    }
}

fn says_something(error: &Value) -> bool {
    match error {
        Value::Null => false,
        Value::Bool(set) => *set,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

fn lower_head(text: &str, bytes: usize) -> String {
    clip(text, 0..bytes.min(text.len())).to_ascii_lowercase()
}

/// The part of the text in that range of bytes, with its ends moved inwards to character boundaries.
fn clip(text: &str, range: Range<usize>) -> &str {
    let start = (range.start..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let end = (0..=range.end.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text.get(start..end.max(start)).unwrap_or_default()
}

#[cfg(test)]
mod tests;

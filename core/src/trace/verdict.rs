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

/// How a host says that a person refused a call.
const REFUSALS: [&str; 10] = [
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
const CANCELLATIONS: [&str; 6] = [
    "sibling tool call errored",
    "cancelled: parallel tool call",
    "canceled: parallel tool call",
    "tool call cancelled",
    "tool call canceled",
    "interrupted by user",
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
    if trimmed.starts_with('{')
        && trimmed.ends_with('}')
        && let Ok(Object(Some(answer))) = serde_json::from_str::<Object<Answer>>(trimmed)
    {
        return answer.judge();
    }
    match exit_of(trimmed) {
        Some(0) => (ResultStatus::Ok, Some(0)),
        Some(exit) => (ResultStatus::Failed, Some(exit)),
        None if says_error(trimmed)
            || python_error(trimmed)
            || ends_in_traceback(trimmed)
            || http_error(trimmed) =>
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
    let plain = last.eq_ignore_ascii_case("error") || last.eq_ignore_ascii_case("exception");
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
mod tests {
    use alloc::string::ToString;

    use super::*;
    use ResultStatus::{Cancelled, Failed, Ok, Refused};

    #[test]
    fn texts_are_judged_by_their_form() {
        let cases = [
            ("Error: user not found", Failed),
            ("error: pathspec 'x' did not match", Failed),
            ("ERROR: no such table", Failed),
            ("Error", Failed),
            ("Error executing tool search: timeout", Failed),
            ("Error 404: not found", Failed),
            ("ValueError: no column B", Failed),
            ("FileNotFoundError(\"[Errno 2] No such file\")", Failed),
            ("java.io.IOException: closed", Failed),
            ("Traceback (most recent call last):\n  File \"x\"\nKeyError: 'a'", Failed),
            ("3 rows\nTraceback (most recent call last):\n  File \"x\"\nKeyError: 'a'", Failed),
            ("HTTP 503 Service Unavailable", Failed),
            ("HTTP/1.1 404 Not Found", Failed),
            ("{'error': 'no such city'}", Failed),
            ("User rejected the command", Refused),
            ("Tool call book with id c1 was cancelled - another message came in", Cancelled),
            ("", Ok),
            ("0 errors", Ok),
            ("Errors: 0", Ok),
            ("Error: none", Ok),
            ("Error handling in Rust is explicit.", Ok),
            ("ErrorBoundary: a component", Ok),
            ("fn main() {} // Error: never", Ok),
            ("The log says\nError: disk full\nand then recovered", Ok),
            ("HTTP/1.1 200 OK", Ok),
            ("HTTP servers return 404 when nothing is there", Ok),
            ("{'error': None, 'rows': 3}", Ok),
            ("Cancelled: booking 17, refund 20", Ok),
        ];
        for (text, status) in cases {
            assert_eq!(of_text(text.to_string()).status, status, "{text}");
        }
    }

    #[test]
    fn objects_say_it_in_one_of_their_fields() {
        let failed = [
            r#"{"error": "no room"}"#,
            r#"{"error": {"code": 7}}"#,
            r#"{"ok": false}"#,
            r#"{"success": false, "error": null}"#,
            r#"{"content": [], "isError": true}"#,
            r#"{"status": "error", "why": "full"}"#,
            r#"{"status": 404}"#,
            r#"{"statusCode": 500, "status_code": null}"#,
            r#"{"output": "boom", "metadata": {"exit_code": 2}}"#,
            r#"{"stdout": "", "returncode": 1}"#,
        ];
        let fine = [
            r#"{"error": null}"#,
            r#"{"error": "", "rows": []}"#,
            r#"{"error": false}"#,
            r#"{"errors": [], "status": "failed flights only"}"#,
            r#"{"ok": true, "error": "a warning"}"#,
            r#"{"status": "available"}"#,
            r#"{"status": 200, "exit_code": 0}"#,
            r#"{"log": {"error": "from yesterday"}}"#,
            r#"[{"error": "listed"}]"#,
        ];
        for text in failed {
            assert_eq!(of_text(text.to_string()).status, Failed, "{text}");
        }
        for text in fine {
            assert_eq!(of_text(text.to_string()).status, Ok, "{text}");
        }
    }

    #[test]
    fn the_status_of_a_process_counts_where_it_is_told() {
        let cases = [
            ("Exit code 2\nmake: ***", Some(2)),
            ("Process exited with code 0\nOutput:\nError: shown by a test", Some(0)),
            ("out\n[The command completed with exit code 1.]", Some(1)),
            ("Command '['ls']' returned non-zero exit status 2.", Some(2)),
            ("Exit code: 137", Some(137)),
            ("exit code 3 lines further", None),
            ("see flexit code 3", None),
            ("a\nb\nc\nexit code 1\nd\ne\nf", None),
        ];
        for (text, exit) in cases {
            let result = of_text(text.to_string());
            assert_eq!(result.exit, exit, "{text}");
            let status = if exit.is_some_and(|code| code != 0) { Failed } else { Ok };
            assert_eq!(result.status, status, "{text}");
        }
    }

    #[test]
    fn marks_of_a_cut_are_seen() {
        for text in
            ["abc…[682 chars cut]", "abc [truncated]", "a\n... [120 lines truncated] ...\nb", "x (truncated)"]
        {
            assert!(is_cut(text), "{text}");
        }
        for text in ["", "loading...", "He cut it [short]", "TRUNCATE TABLE t"] {
            assert!(!is_cut(text), "{text}");
        }
    }
}

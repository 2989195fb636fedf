//! The live trace of a session: each event of the agent as a canonical line.
//!
//! Decides what a tool's answer says about success. Cuts what is long: a trace has to tell what happened, not to hold
//! it.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use hardwon_core::env::Env;
use hardwon_core::trace::{ResultStatus, of_answer};
use serde_json::{Map, Value, json};

use super::call::Call;
use crate::clock;

/// The most bytes of one text that a line keeps: three quarters of them from its beginning, the rest from its end.
const KEPT: usize = 16 << 10;
/// The most bytes of one argument.
const ARGUMENT: usize = 4 << 10;
/// Lines that tell an exit status are short.
const SHORT: usize = 100;

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) status: Status,
    pub(super) exit: Option<i64>,
    pub(super) text: String,
}

/// Whether a call worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    Failed,
    Cancelled,
}

impl Outcome {
    pub(super) fn is_failure(&self) -> bool {
        self.status == Status::Failed
    }
}

/// How a call ended: as the agent says, or as the answer's fields show. An agent that `tells` of failures by an event
/// of their own is believed where they show none; of another the text has to say it.
pub(super) fn outcome(call: &Call, failed: bool, tells: bool) -> Outcome {
    let text = if call.error.is_empty() { text_of(&call.response) } else { call.error.clone() };
    let exit = exit_in(&call.response).or_else(|| exit_told(&text));
    let flag = |name: &str, value: bool| call.response.get(name) == Some(&Value::Bool(value));
    let status = if call.is_interrupt || flag("interrupted", true) {
        Status::Cancelled
    } else if failed
        || !call.error.is_empty()
        || exit.is_some_and(|code| code != 0)
        || ["is_error", "isError"].iter().any(|name| flag(name, true))
        || ["success", "ok"].iter().any(|name| flag(name, false))
    {
        Status::Failed
    } else if tells || exit.is_some() {
        Status::Ok
    } else {
        shown(call, &text)
    };
    Outcome { status, exit, text }
}

/// What the text of an answer shows of how the call ended.
fn shown(call: &Call, text: &str) -> Status {
    match of_answer(&call.tool, &call.args, text.to_owned()).status {
        ResultStatus::Failed => Status::Failed,
        ResultStatus::Refused | ResultStatus::Cancelled => Status::Cancelled,
        _ => Status::Ok,
    }
}

pub(super) fn call(call: &Call, outcome: &Outcome) -> String {
    let (text, is_cut) = cut(&outcome.text);
    let ok = outcome.status == Status::Ok;
    let mut result = Map::new();
    result.insert("ok".into(), ok.into());
    result.insert(if ok { "result" } else { "error" }.into(), text.into());
    if outcome.status == Status::Cancelled {
        result.insert("status".into(), "cancelled".into());
    }
    if let Some(exit) = outcome.exit {
        result.insert("exit".into(), exit.into());
    }
    if is_cut {
        result.insert("cut".into(), true.into());
    }
    let event = if call.id.is_empty() { event_id() } else { call.id.clone() };
    json!({
        "type": "tool_call", "ts": clock::now(), "event_id": event, "call_id": event, "cwd": call.cwd,
        "name": call.tool, "args": short(&call.args), "result": result,
    })
    .to_string()
}

/// What the user wrote: the task of the run where it is the first.
pub(super) fn prompt(call: &Call, is_first: bool) -> String {
    let (kind, field) = if is_first { ("start", "task") } else { ("user", "text") };
    let text = cut(&call.prompt).0;
    json!({ "type": kind, "ts": clock::now(), "event_id": event_id(), "cwd": call.cwd, field: text })
        .to_string()
}

pub(super) fn said(call: &Call) -> String {
    let text = cut(&call.said).0;
    json!({ "type": "final", "ts": clock::now(), "event_id": event_id(), "text": text }).to_string()
}

/// What was said right before the call that has just ended: the ids in the last line, where that is advice.
pub(super) fn just_told(lines: &[String]) -> Vec<String> {
    let Some(line) = lines.last() else { return Vec::new() };
    let Ok(event) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    let is_advice = event["type"] == "retrieval" && event["moment"] == "before_tool";
    let ids = event["items"].as_array().filter(|_| is_advice);
    ids.into_iter().flatten().filter_map(Value::as_str).map(String::from).collect()
}

/// Whether a line of ours is a call.
pub(super) fn is_call(line: &str) -> bool {
    line.contains("\"type\":\"tool_call\"")
}

/// The agent's own record of a session, up to the limit of a trace.
pub(super) fn transcript(path: &Path, limit: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A text of at most [`KEPT`] bytes, and whether something was left out.
pub(super) fn cut(text: &str) -> (String, bool) {
    cut_to(text, KEPT)
}

fn cut_to(text: &str, most: usize) -> (String, bool) {
    if text.len() <= most {
        return (text.to_owned(), false);
    }
    let mut head = most / 4 * 3;
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let mut tail = text.len() - most / 4;
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    let (first, last) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    (format!("{first}\n[… {} bytes omitted]\n{last}", tail - head), true)
}

/// Arguments without their long texts.
fn short(args: &Value) -> Value {
    match args {
        Value::String(text) => cut_to(text, ARGUMENT).0.into(),
        Value::Array(items) => items.iter().map(short).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), short(value))).collect(),
        other => other.clone(),
    }
}

/// What an answer says to its reader.
fn text_of(response: &Value) -> String {
    let part = |name: &str| response.get(name).and_then(Value::as_str).unwrap_or_default();
    match response {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(_) if response.get("stdout").is_some() || response.get("stderr").is_some() => {
            [part("stdout"), part("stderr")]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join("\n")
        }
        Value::Object(fields) => match fields.get("content").or_else(|| fields.get("output")) {
            Some(content) => text_of(content),
            None => response.to_string(),
        },
        Value::Array(parts) => {
            let texts = parts.iter().map(|one| {
                one.get("text").and_then(Value::as_str).map_or_else(|| text_of(one), String::from)
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

/// The exit status in an answer's own fields.
fn exit_in(response: &Value) -> Option<i64> {
    let places = [Some(response), response.get("metadata")];
    let names = ["exit_code", "exitCode", "returncode", "return_code"];
    places
        .into_iter()
        .flatten()
        .flat_map(|place| names.map(|name| place.get(name)))
        .flatten()
        .find_map(Value::as_i64)
}

/// The exit status that a line of the text tells, as shells of agents write it.
fn exit_told(text: &str) -> Option<i64> {
    let heads = ["exit code ", "exit code: ", "process exited with code ", "command exited with code "];
    text.lines().filter(|line| line.len() <= SHORT).take(8).find_map(|line| {
        let line = line.trim().to_ascii_lowercase();
        let rest = heads.iter().find_map(|head| line.strip_prefix(head))?;
        rest.trim_end_matches('.').parse().ok()
    })
}

/// An id that no other event has.
fn event_id() -> String {
    let seed = clock::seed().unwrap_or_default();
    Env { now: clock::now(), seed }.op_id().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(response: Value) -> Outcome {
        outcome(&Call { response, ..Call::default() }, false, true)
    }

    #[test]
    fn the_text_tells_of_a_failure_where_the_agent_does_not() {
        let ended = |response: &str, tells: bool| {
            let (args, response) = (json!({"command": "git push"}), json!(response));
            outcome(&Call { tool: "Bash".into(), args, response, ..Call::default() }, false, tells).status
        };
        let fatal = "fatal: The current branch x has no upstream branch.\nTo push it, use\n\n    git push -u origin x\n";
        assert_eq!(ended(fatal, false), Status::Failed);
        assert_eq!(ended("bash: foo: command not found", false), Status::Failed);
        assert_eq!(ended("rejected by user", false), Status::Cancelled);
        assert_eq!(ended("Everything up-to-date", false), Status::Ok);
        // What a command printed is no failure where the agent has an event for those.
        assert_eq!(ended(fatal, true), Status::Ok);
    }

    #[test]
    fn only_advice_at_the_end_of_the_trail_was_just_given() {
        let advice = json!({"type": "retrieval", "moment": "before_tool", "items": ["a", "b"]}).to_string();
        let call = json!({"type": "tool_call", "name": "x"}).to_string();
        assert_eq!(just_told(&[call.clone(), advice.clone()]), ["a", "b"]);
        for lines in [vec![advice, call], vec!["{".into()], vec![]] {
            assert_eq!(just_told(&lines), [""; 0]);
        }
        let other = json!({"type": "retrieval", "moment": "start", "items": ["a"]}).to_string();
        assert_eq!(just_told(&[other]), [""; 0]);
    }

    #[test]
    fn what_failed_is_told_from_fields_and_from_text() {
        let failed = [
            json!({"exit_code": 2, "output": "x"}),
            json!({"metadata": {"exit_code": 1}}),
            json!({"is_error": true, "content": "no"}),
            json!({"success": false}),
            json!("Process exited with code 127\nOutput:\nsh: foo: not found"),
            json!("Exit code 1\nnpm ERR!"),
        ];
        for response in failed {
            assert!(answered(response.clone()).is_failure(), "{response}");
        }
        let worked = [
            json!({"stdout": "exit code 1 is what we test for", "stderr": ""}),
            json!({"exit_code": 0, "output": "ok"}),
            json!("Process exited with code 0\nOutput:\ndone"),
            json!(null),
            json!([{"type": "text", "text": "fine"}]),
        ];
        for response in worked {
            assert_eq!(answered(response.clone()).status, Status::Ok, "{response}");
        }
        assert_eq!(answered(json!({"interrupted": true})).status, Status::Cancelled);
    }

    #[test]
    fn long_texts_keep_their_ends_and_whole_characters() {
        let long = "é".repeat(KEPT);
        let (text, is_cut) = cut(&long);
        assert!(is_cut && text.len() < KEPT + 64, "{}", text.len());
        assert!(text.starts_with('é') && text.ends_with('é'));
        assert_eq!(cut("short"), ("short".into(), false));
        let args = short(&json!({"a": {"b": ["x".repeat(ARGUMENT * 2), 5]}}));
        assert!(args.to_string().len() < ARGUMENT + 128);
        assert_eq!(args["a"]["b"][1], 5);
    }

    #[test]
    fn what_an_answer_says_is_found_in_its_usual_places() {
        let text = |response: Value| text_of(&response);
        assert_eq!(text(json!({"stdout": "a", "stderr": "b"})), "a\nb");
        assert_eq!(
            text(json!({"content": [{"type": "text", "text": "c"}, {"type": "text", "text": "d"}]})),
            "c\nd"
        );
        assert_eq!(text(json!({"output": "e"})), "e");
        assert_eq!(text(json!({"other": 1})), r#"{"other":1}"#);
    }
}

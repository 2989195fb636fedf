//! Log events of coding agents that report by `OpenTelemetry`: prompts, results of tools, decisions of people.
//!
//! Decides which event is a call with its answer. The events carry little: a flag, at times the arguments, seldom a
//! message. Events name their session.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::otlp;
use crate::trace::event::{ResultStatus, ToolResult};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, first};
use crate::trace::verdict;

/// Reads events.
pub(in crate::trace) const PARSER: Alone = Alone { read, lacks: "no log event of a coding agent" };

/// How names of events begin, by agent.
const PREFIXES: [&str; 4] = ["claude_code.", "codex.", "gemini_cli.", "claude."];

/// Whether a unit is a log event of an agent, or holds some.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let Some(record) = otlp::first_record(unit) else { return false };
    let is_span =
        ["parent_id", "parentSpanId", "spanId", "context"].iter().any(|key| record.get(key).is_some());
    let attributes = otlp::attributes(record);
    let named = session_of(&attributes).is_some();
    let event = event_of(record, &attributes);
    let log =
        record["_type"].is_string() || record.get("body").is_some() || attributes.contains_key("event.name");
    named && log && (!is_span || attributes.contains_key("event.name")) && !event.is_empty()
}

fn read(unit: &Value, out: &mut Sessions) -> bool {
    let mut records = Vec::new();
    otlp::records(unit, &mut records);
    let mut known = false;
    for record in records {
        let attributes = otlp::attributes(record);
        let Some(id) = session_of(&attributes) else { continue };
        known = true;
        let ts = tree::time(first(record, &["ts", "timestamp", "timeUnixNano", "observedTimeUnixNano"]))
            .or_else(|| attributes.get("event.timestamp").and_then(tree::time));
        let meta = Meta { ts, ..Meta::default() };
        add(&event_of(record, &attributes), &attributes, &meta, out.named(&id, &id));
    }
    known || str_at(unit, "_type") == "metric"
}

fn session_of(attributes: &Map<String, Value>) -> Option<String> {
    ["session.id", "session_id", "conversation.id"].iter().find_map(|key| tree::name(attributes.get(*key)?))
}

/// The name of an event, without its agent's name in front.
fn event_of(record: &Value, attributes: &Map<String, Value>) -> String {
    let told = ["event.name", "event_type"].iter().find_map(|key| attributes.get(*key)?.as_str());
    let body = otlp::plain(&record["body"]);
    let name = told.or_else(|| body.as_str()).unwrap_or_else(|| str_at(record, "name"));
    PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name).to_string()
}

fn add(event: &str, attributes: &Map<String, Value>, meta: &Meta<'_>, session: &mut Session) {
    let get = |keys: &[&str]| keys.iter().find_map(|key| attributes.get(*key)).unwrap_or(&Value::Null);
    session.located(
        get(&["cwd"]).as_str().unwrap_or_default(),
        get(&["git_remote", "repository_url"]).as_str().unwrap_or_default(),
    );
    match event {
        "user_prompt" => session.user(meta, tree::words(get(&["prompt"]))),
        "tool_result" | "tool_call" => {
            called(attributes, meta, session);
            let name = tree::text(get(&["tool_name", "function_name"]));
            let text = tree::text(get(&["error", "error_message", "output", "tool_output", "result"]));
            let failed = !is_true(get(&["success"]));
            let result = verdict::of_flag(failed, &name, text);
            session.answer(session.last_place(), ToolResult { ts: meta.ts, ..result });
        }
        // An accepted call is told again by its result.
        "tool_decision" if is_refusal(get(&["decision"])) => {
            called(attributes, meta, session);
            let result = ToolResult { ts: meta.ts, status: ResultStatus::Refused, ..ToolResult::default() };
            session.answer(session.last_place(), result);
        }
        _ => {}
    }
}

fn called(attributes: &Map<String, Value>, meta: &Meta<'_>, session: &mut Session) {
    let get = |keys: &[&str]| keys.iter().find_map(|key| attributes.get(*key)).unwrap_or(&Value::Null);
    let name = tree::text(get(&["tool_name", "function_name"]));
    let id = tree::name(get(&["tool_use_id", "call_id"])).unwrap_or_default();
    let args = tree::unpacked(get(&["tool_input", "arguments", "function_args", "tool_parameters"]));
    session.called(meta.ts, &id, &name, args);
}

/// Flags are truth values, or words for them.
fn is_true(value: &Value) -> bool {
    value.as_bool().unwrap_or_else(|| value.as_str().is_none_or(|word| !word.eq_ignore_ascii_case("false")))
}

fn is_refusal(decision: &Value) -> bool {
    matches!(decision.as_str(), Some("reject" | "denied" | "abort" | "rejected"))
}

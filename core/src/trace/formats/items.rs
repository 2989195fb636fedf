//! Items as OpenAI's Responses have them, which Codex writes too: messages, reasoning, calls and their outputs.
//!
//! Decides which item is what. How an output is judged is the caller's to say, since only it knows the tools.

use alloc::string::{String, ToString};

use serde_json::Value;

use crate::env::Timestamp;
use crate::trace::event::{ResultStatus, ToolResult};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session};
use crate::trace::tree::{self, arguments, first, first_str, list};
use crate::trace::verdict;

/// Judges the output of a tool.
pub(super) type Judge = fn(tool: &str, output: &Value) -> ToolResult;

/// Whether a kind of item is one of these.
pub(super) fn is_item(kind: &str) -> bool {
    matches!(kind, "message" | "reasoning") || kind.ends_with("_call") || kind.ends_with("_call_output")
}

/// Adds what an item says; whether it was one.
pub(super) fn add(item: &Value, ts: Option<Timestamp>, session: &mut Session, judge: Judge) -> bool {
    let kind = str_at(item, "type");
    let meta = Meta { ts, ..Meta::default() };
    match kind {
        "message" => message(item, &meta, session),
        "reasoning" => {
            let words = tree::words(&item["summary"]);
            let words = if words.is_empty() { tree::words(&item["content"]) } else { words };
            session.thought(&meta, words);
        }
        _ if kind.ends_with("_call_output") => answered(item, ts, session, judge),
        _ if is_hosted(kind, item) => hosted(kind, item, ts, session),
        _ if kind.ends_with("_call") => called(kind, item, ts, session),
        _ => return false,
    }
    true
}

/// The text of an output: a text, or parts of one.
pub(super) fn output_text(output: &Value) -> String {
    match output {
        Value::Object(fields) if fields.contains_key("output") => tree::text(&output["output"]),
        other => tree::text(other),
    }
}

fn message(item: &Value, meta: &Meta<'_>, session: &mut Session) {
    let words = tree::words(&item["content"]);
    match str_at(item, "role") {
        "user" => session.user(meta, words),
        "assistant" => session.thought(meta, words),
        _ => {}
    }
}

fn call_id(item: &Value) -> &str {
    first_str(item, &["call_id", "id"])
}

fn called(kind: &str, item: &Value, ts: Option<Timestamp>, session: &mut Session) {
    let name = match first_str(item, &["name"]) {
        "" => kind.trim_end_matches("_call"),
        name => name,
    };
    let args = first(item, &["arguments", "input", "action", "operation"]);
    session.called(ts, call_id(item), name, arguments(args));
}

fn answered(item: &Value, ts: Option<Timestamp>, session: &mut Session, judge: Judge) {
    let id = call_id(item);
    let tool = session.tool_of(id, "");
    let mut result = judge(&tool, first(item, &["output", "content"]));
    result.ts = ts;
    if result.status == ResultStatus::Ok && matches!(str_at(item, "status"), "failed" | "error") {
        result.status = ResultStatus::Failed;
    }
    session.answered(id, "", result);
}

/// Whether the provider ran the tool itself, so that the call carries its answer.
fn is_hosted(kind: &str, item: &Value) -> bool {
    let known = matches!(
        kind,
        "web_search_call"
            | "file_search_call"
            | "code_interpreter_call"
            | "image_generation_call"
            | "mcp_call"
    );
    known || kind.ends_with("_call") && !item["output"].is_null()
}

fn hosted(kind: &str, item: &Value, ts: Option<Timestamp>, session: &mut Session) {
    called(kind, item, ts, session);
    let at = session.last_place();
    if kind == "code_interpreter_call" {
        session.set_args(at, serde_json::json!({"code": item["code"]}));
    }
    let error = tree::text(&item["error"]);
    let printed = first(item, &["output", "outputs", "results"]);
    let text = list(printed)
        .iter()
        .map(|part| tree::text(first(part, &["logs", "text", "content"])))
        .fold(String::new(), |all, part| if all.is_empty() { part } else { all + "\n" + &part });
    let text = if text.is_empty() { tree::text(printed) } else { text };
    let result = match str_at(item, "status") {
        _ if !error.is_empty() => verdict::of_flag(true, "", error),
        "failed" | "error" => verdict::of_flag(true, "", text),
        "incomplete" | "in_progress" => ToolResult { text, ..ToolResult::default() },
        _ => verdict::of_tool(kind, text),
    };
    session.answer(at, ToolResult { ts, ..result });
}

/// The judgement of an output of which only the text is known.
pub(super) fn plain(tool: &str, output: &Value) -> ToolResult {
    let packed = match output {
        Value::Object(fields) if !fields.contains_key("output") => output.to_string(),
        other => output_text(other),
    };
    verdict::of_tool(tool, packed)
}

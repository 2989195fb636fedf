//! Kimi CLI wire files: one line an event, in the form of its loop events or in that of its wire messages.
//!
//! Decides which of the lines that say the same thing twice counts: a prompt is the person's, and the message that
//! repeats it for the model is not. The file does not name its session.

use serde_json::Value;

use crate::trace::event::ToolResult;
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, first, first_str};
use crate::trace::verdict;

/// Reads wire files.
pub(in crate::trace) const PARSER: Alone = Alone { read, lacks: "no line of a Kimi CLI wire file" };

/// Kinds of line that only this format has.
const KINDS: [&str; 5] = [
    "config.update",
    "tools.set_active_tools",
    "turn.prompt",
    "context.append_loop_event",
    "context.append_message",
];

/// Whether a line can only be a wire file's.
pub(in crate::trace) fn recognise(line: &Value) -> bool {
    let kind = str_at(line, "type");
    let wire = &line["message"];
    KINDS.contains(&kind)
        || kind == "metadata" && line.get("protocol_version").is_some()
        || line.get("timestamp").is_some() && wire["payload"].is_object() && is_wire(str_at(wire, "type"))
}

fn is_wire(kind: &str) -> bool {
    matches!(
        kind,
        "TurnBegin"
            | "TurnEnd"
            | "StepBegin"
            | "StepInterrupted"
            | "ContentPart"
            | "ToolCall"
            | "ToolCallPart"
            | "ToolResult"
            | "StatusUpdate"
            | "ApprovalRequest"
            | "ApprovalResponse"
            | "SubagentEvent"
    )
}

fn read(line: &Value, out: &mut Sessions) -> bool {
    let session = out.unnamed();
    let ts = tree::time(first(line, &["time", "timestamp", "created_at"]));
    let meta = Meta { ts, ..Meta::default() };
    match str_at(line, "type") {
        "turn.prompt" => session.user(&meta, tree::words(&line["input"])),
        "context.append_loop_event" => loop_event(&line["event"], &meta, session),
        "context.append_message" => {
            let message = &line["message"];
            if str_at(message, "role") == "assistant" {
                session.thought(&meta, tree::words(&message["content"]));
            }
        }
        "" => return wire(&line["message"], &meta, session),
        kind => return kind.contains('.') || kind == "metadata",
    }
    true
}

fn loop_event(event: &Value, meta: &Meta<'_>, session: &mut Session) {
    match str_at(event, "type") {
        "tool.call" => {
            let id = first_str(event, &["toolCallId", "uuid"]);
            session.called(meta.ts, id, str_at(event, "name"), tree::arguments(&event["args"]));
        }
        "tool.result" => {
            let result = &event["result"];
            let id = first_str(event, &["toolCallId", "parentUuid"]);
            answered(id, result["isError"].as_bool(), first(result, &["output", "message"]), meta, session);
        }
        "content.part" | "content.text" | "content.think" => {
            said(first(event, &["part", "content", "text"]), meta, session);
        }
        "step.interrupted" | "turn.interrupted" | "turn.cancelled" => session.cancel_open(),
        _ => {}
    }
}

fn wire(message: &Value, meta: &Meta<'_>, session: &mut Session) -> bool {
    let payload = &message["payload"];
    let kind = str_at(message, "type");
    match kind {
        "TurnBegin" => session.user(meta, tree::words(first(payload, &["user_input", "input"]))),
        "ContentPart" => said(payload, meta, session),
        "ToolCall" => {
            let function = &payload["function"];
            let args = tree::arguments(&function["arguments"]);
            session.called(meta.ts, str_at(payload, "id"), str_at(function, "name"), args);
        }
        "ToolResult" => {
            let result = first(payload, &["return_value", "result"]);
            let failed = first(result, &["is_error", "isError"]).as_bool();
            let output = match tree::text(&result["output"]) {
                text if text.is_empty() => first(result, &["message", "brief"]).clone(),
                text => Value::String(text),
            };
            answered(first_str(payload, &["tool_call_id", "id"]), failed, &output, meta, session);
        }
        "StepInterrupted" => session.cancel_open(),
        _ => return is_wire(kind),
    }
    true
}

fn said(part: &Value, meta: &Meta<'_>, session: &mut Session) {
    let words = first(part, &["think", "thinking", "text"]);
    session.thought(meta, if words.is_null() { tree::words(part) } else { tree::words(words) });
}

fn answered(id: &str, failed: Option<bool>, output: &Value, meta: &Meta<'_>, session: &mut Session) {
    let tool = session.tool_of(id, "");
    let text = tree::text(output);
    let result = match failed {
        Some(failed) => verdict::of_flag(failed, &tool, text),
        None => verdict::of_tool(&tool, text),
    };
    session.answered(id, "", ToolResult { ts: meta.ts, ..result });
}

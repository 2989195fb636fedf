//! Vercel AI SDK: steps of a generation, model messages, and the messages of its chat interface.
//!
//! Decides how a call ended from its part: an error part, output or state is a failure, a denied one a refusal.
//! Arguments and results have two names each, an older and a newer one.

use alloc::string::{String, ToString};

use serde_json::Value;

use crate::trace::event::{Body, Outcome, ResultStatus, ToolResult};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, first, first_str, list};
use crate::trace::verdict;

/// Reads steps and messages.
pub(in crate::trace) const PARSER: Alone =
    Alone { read, lacks: "neither a step nor a message of the AI SDK" };

/// Whether a unit holds steps, or messages with this format's parts.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let held = held(unit).map_or(unit, |(_, held)| held);
    let elements = held.as_array().map_or(core::slice::from_ref(held), |elements| elements.as_slice());
    elements.iter().any(|element| is_step(element) || is_message(element) || is_chat(element))
}

fn is_step(unit: &Value) -> bool {
    let calls = unit["toolCalls"].is_array() || unit["toolResults"].is_array();
    let end = unit["finishReason"].is_string();
    calls && (end || list(&unit["toolCalls"]).iter().any(|call| call["toolCallId"].is_string()))
        || end && list(&unit["content"]).iter().any(|part| part["type"].is_string())
}

fn is_message(unit: &Value) -> bool {
    unit["role"].is_string()
        && list(&unit["content"])
            .iter()
            .any(|part| matches!(str_at(part, "type"), "tool-call" | "tool-result" | "tool-error"))
}

fn is_chat(unit: &Value) -> bool {
    let parts = list(&unit["parts"]);
    unit["role"].is_string() && !parts.is_empty() && parts.iter().all(|part| part["type"].is_string())
}

/// The list that an object holds, with its key.
fn held(unit: &Value) -> Option<(&'static str, &Value)> {
    ["steps", "messages"].into_iter().map(|key| (key, &unit[key])).find(|(_, held)| held.is_array())
}

fn read(unit: &Value, out: &mut Sessions) -> bool {
    if let Some((_, elements)) = held(unit) {
        let name = tree::name(first(unit, &["sessionId", "chatId", "threadId", "runId", "id"]));
        let session = out.fresh(name.as_deref());
        // Where there are steps, the prompt stands beside them.
        session.user(&Meta::default(), tree::words(&unit["prompt"]));
        if unit["steps"].is_array() {
            for message in list(&unit["messages"]) {
                add(message, session);
            }
        }
        let known = list(elements).iter().fold(false, |known, element| add(element, session) | known);
        ended(unit, session);
        return known || list(elements).is_empty();
    }
    match unit.as_array() {
        Some(elements) if elements.iter().any(|element| held(element).is_some() && !is_step(element)) => {
            elements.iter().fold(false, |known, element| read(element, out) | known)
        }
        Some(elements) => {
            let session = out.fresh(None);
            elements.iter().fold(false, |known, element| add(element, session) | known)
        }
        None => add(unit, out.unnamed()),
    }
}

/// Adds a step or a message; whether it was one.
fn add(unit: &Value, session: &mut Session) -> bool {
    let ts = tree::time(first(unit, &["createdAt", "timestamp"]))
        .or_else(|| tree::time(&unit["response"]["timestamp"]));
    let meta = Meta { ts, ..Meta::default() };
    let role = str_at(unit, "role");
    if role.is_empty() {
        if !is_step(unit) {
            return false;
        }
        step(unit, &meta, session);
        return true;
    }
    let parts = if unit["parts"].is_array() { &unit["parts"] } else { &unit["content"] };
    match role {
        "user" => session.user(&meta, tree::words(parts)),
        "assistant" | "tool" => each_part(parts, &meta, session),
        _ => {}
    }
    true
}

fn step(unit: &Value, meta: &Meta<'_>, session: &mut Session) {
    session.thought(meta, tree::words(first(unit, &["reasoningText"])));
    // Newer steps hold their parts in order; the lists beside repeat them.
    if list(&unit["content"]).is_empty() {
        session.thought(meta, tree::words(&unit["text"]));
        for call in list(&unit["toolCalls"]) {
            called(call, meta, session);
        }
        for result in list(&unit["toolResults"]) {
            answered(result, meta, session);
        }
    } else {
        each_part(&unit["content"], meta, session);
    }
    if str_at(unit, "finishReason") == "error" {
        session.add(meta, Body::Failed { reason: String::from("the model's answer ended in an error") });
    }
}

fn each_part(parts: &Value, meta: &Meta<'_>, session: &mut Session) {
    let Some(parts) = parts.as_array() else { return session.thought(meta, tree::words(parts)) };
    for part in parts {
        let kind = str_at(part, "type");
        match kind {
            "text" | "reasoning" => session.thought(meta, tree::words(first(part, &["text", "reasoning"]))),
            "tool-call" => called(part, meta, session),
            "tool-result" => answered(part, meta, session),
            "tool-error" => {
                let result =
                    verdict::of_flag(true, str_at(part, "toolName"), tree::text(&message_of(&part["error"])));
                session.answered(str_at(part, "toolCallId"), "", ToolResult { ts: meta.ts, ..result });
            }
            "tool-invocation" => invoked(&part["toolInvocation"], "", meta, session),
            "dynamic-tool" => invoked(part, "", meta, session),
            _ => {
                if let Some(name) = kind.strip_prefix("tool-") {
                    invoked(part, name, meta, session);
                }
            }
        }
    }
}

/// A call as the chat interface keeps it: with its state, and its answer where there is one.
fn invoked(part: &Value, name: &str, meta: &Meta<'_>, session: &mut Session) {
    let name = if name.is_empty() { str_at(part, "toolName") } else { name };
    let args = tree::unpacked(first(part, &["input", "args", "rawInput"]));
    session.called(meta.ts, str_at(part, "toolCallId"), name, args);
    let result = match str_at(part, "state") {
        "output-available" | "result" => judge(first(part, &["output", "result"]), None, name),
        "output-error" => verdict::of_flag(true, name, str_at(part, "errorText").to_string()),
        "output-denied" => ToolResult {
            status: ResultStatus::Refused,
            text: tree::text(&part["approval"]["reason"]),
            ..ToolResult::default()
        },
        _ => return,
    };
    session.answer(session.last_place(), ToolResult { ts: meta.ts, ..result });
}

fn called(part: &Value, meta: &Meta<'_>, session: &mut Session) {
    let args = tree::unpacked(first(part, &["input", "args"]));
    session.called(meta.ts, str_at(part, "toolCallId"), str_at(part, "toolName"), args);
}

fn answered(part: &Value, meta: &Meta<'_>, session: &mut Session) {
    let (id, name) = (str_at(part, "toolCallId"), str_at(part, "toolName"));
    let result = judge(first(part, &["output", "result"]), part["isError"].as_bool(), name);
    session.answered(id, name, ToolResult { ts: meta.ts, ..result });
}

fn judge(output: &Value, failed: Option<bool>, tool: &str) -> ToolResult {
    let kind = str_at(output, "type");
    let typed = matches!(kind, "text" | "json" | "content" | "error-text" | "error-json")
        && output.get("value").is_some();
    let value = if typed { &output["value"] } else { output };
    let text = match value {
        Value::Object(_) => value.to_string(),
        other => tree::text(other),
    };
    match (kind, failed) {
        ("execution-denied", _) => ToolResult {
            status: ResultStatus::Refused,
            text: first_str(output, &["reason"]).to_string(),
            ..ToolResult::default()
        },
        ("error-text" | "error-json", _) if typed => {
            verdict::of_flag(true, tool, tree::text(&message_of(value)))
        }
        (_, Some(failed)) => verdict::of_flag(failed, tool, text),
        _ => verdict::of_tool(tool, text),
    }
}

/// The message of an error, where it is an object.
fn message_of(error: &Value) -> Value {
    match first_str(error, &["message", "error"]) {
        "" => error.clone(),
        message => Value::String(message.to_string()),
    }
}

fn ended(unit: &Value, session: &mut Session) {
    let meta = Meta::default();
    match str_at(unit, "finishReason") {
        "stop" if unit["steps"].is_array() => {
            session.add(&meta, Body::Final { text: tree::words(&unit["text"]) });
        }
        "length" | "content-filter" => {
            session.add(&meta, Body::Incomplete { reason: str_at(unit, "finishReason").to_string() });
        }
        "error" => {
            session.add(&meta, Body::Failed { reason: tree::text(&message_of(&unit["error"])) });
            session.ended(Outcome::Failed);
        }
        _ => {}
    }
}

//! Items of OpenAI's Responses: a list of them, one a line, or responses that hold them.
//!
//! Decides where items are kept and how a response ended. Items that a response repeats from its input are read once.

use alloc::string::String;

use serde_json::Value;

use super::items;
use crate::trace::event::{Body, Outcome};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, first_str, list};

/// Reads items.
pub(in crate::trace) const PARSER: Alone =
    Alone { read, lacks: "neither an item of a response nor what holds items" };

/// Whether a unit holds items, and not just messages that other formats have too.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let first = list(unit).first().unwrap_or(unit);
    let held =
        if str_at(first, "object") == "response" || first["output"].is_array() && first["id"].is_string() {
            return list(&first["output"]).iter().chain(list(&first["input"])).any(is_telling);
        } else if first["items"].is_array() {
            &first["items"]
        } else if first["input"].is_array() {
            &first["input"]
        } else {
            unit
        };
    let items = held.as_array().map_or(core::slice::from_ref(held), |items| items.as_slice());
    items.iter().any(is_telling)
}

/// Whether an item can be nothing else.
fn is_telling(item: &Value) -> bool {
    let kind = str_at(item, "type");
    let called = !str_at(item, "call_id").is_empty();
    match kind {
        "function_call" | "custom_tool_call" => called && item.get("name").is_some(),
        "message" => {
            let parts = list(&item["content"]);
            let told = matches!(str_at(item, "role"), "user" | "assistant" | "system" | "developer");
            told && parts.iter().any(|part| matches!(str_at(part, "type"), "input_text" | "output_text"))
        }
        "reasoning" => item["summary"].is_array(),
        "web_search_call" | "file_search_call" | "code_interpreter_call" | "mcp_call" => {
            item.get("status").is_some() || item.get("id").is_some()
        }
        _ => called && items::is_item(kind),
    }
}

fn read(unit: &Value, out: &mut Sessions) -> bool {
    if items::is_item(str_at(unit, "type")) {
        let name = first_str(unit, &["session_id", "conversation_id", "thread_id"]);
        let session = if name.is_empty() { out.unnamed() } else { out.named(name, name) };
        return items::add(unit, time_of(unit), session, items::plain);
    }
    if let Some(elements) = unit.as_array() {
        if elements.iter().any(|element| str_at(element, "object") == "response") {
            return elements.iter().fold(false, |known, element| read(element, out) | known);
        }
        return conversation(elements, out.fresh(None));
    }
    let held = ["input", "items", "output"].iter().any(|key| unit[*key].is_array());
    held && response(unit, out)
}

/// A response, perhaps with its input, or a stored conversation.
fn response(unit: &Value, out: &mut Sessions) -> bool {
    let conversation_id = first_str(&unit["conversation"], &["id"]);
    let name = match first_str(unit, &["session_id", "conversation_id", "thread_id"]) {
        "" => conversation_id,
        name => name,
    };
    let session = match (name, str_at(unit, "previous_response_id")) {
        ("", "") => out.fresh(None),
        // A response that goes on from another belongs to the conversation before it.
        ("", _) => out.latest(),
        (name, _) => out.named(name, name),
    };
    if let Some(words) = unit["input"].as_str() {
        session.user(&Meta { ts: time_of(unit), ..Meta::default() }, String::from(words));
    }
    let mut known = false;
    for key in ["input", "items", "output"] {
        known |= conversation(list(&unit[key]), session);
    }
    ended(unit, session);
    known || session.has_task()
}

fn conversation(elements: &[Value], session: &mut Session) -> bool {
    let mut known = false;
    for element in elements {
        // Messages without a type are allowed in an input.
        let typed = !str_at(element, "type").is_empty();
        let message = !typed && element.get("role").is_some();
        if message {
            let meta = Meta { ts: time_of(element), ..Meta::default() };
            let words = tree::words(&element["content"]);
            match str_at(element, "role") {
                "user" => session.user(&meta, words),
                "assistant" => session.thought(&meta, words),
                _ => {}
            }
        }
        known |= message || items::add(element, time_of(element), session, items::plain);
    }
    known
}

fn ended(unit: &Value, session: &mut Session) {
    let meta = Meta { ts: time_of(unit), ..Meta::default() };
    match str_at(unit, "status") {
        "failed" => {
            let reason = tree::text(&unit["error"]);
            session.add(&meta, Body::Failed { reason });
            session.ended(Outcome::Failed);
        }
        "incomplete" => {
            let reason = String::from(str_at(&unit["incomplete_details"], "reason"));
            session.add(&meta, Body::Incomplete { reason });
        }
        "cancelled" => session.cancel_open(),
        _ => {}
    }
}

fn time_of(item: &Value) -> Option<crate::env::Timestamp> {
    tree::time(tree::first(item, &["created_at", "timestamp", "ts"]))
}

//! Gemini CLI sessions: one document with its messages, or the newer files with a message a line.
//!
//! Decides how a call ended from its status, and for a shell from the exit code in its text.

use alloc::string::{String, ToString};

use serde_json::Value;

use crate::trace::event::{Body, ResultStatus, ToolResult};
use crate::trace::format::{Parse, parse_value, str_at};
use crate::trace::report::Bad;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, first, list};
use crate::trace::verdict;

/// Reads sessions.
#[derive(Debug, Default)]
pub(in crate::trace) struct Parser {
    session: String,
}

/// Whether a unit is a session, or a line of one.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let head = unit["sessionId"].is_string() && unit["projectHash"].is_string();
    let speaks = unit.get("content").is_some() || unit.get("toolCalls").is_some();
    head || str_at(unit, "type") == "gemini" && speaks
}

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let unit = parse_value(text)?;
        let id = str_at(&unit, "sessionId");
        if !id.is_empty() {
            self.session = id.to_string();
        }
        let session =
            if self.session.is_empty() { out.unnamed() } else { out.named(&self.session, &self.session) };
        let known = match unit["messages"].as_array() {
            Some(messages) => {
                for line in messages {
                    message(line, session);
                }
                true
            }
            None => message(&unit, session) || !id.is_empty() || unit.get("$set").is_some(),
        };
        if known { Ok(()) } else { Err(Bad::shape("no message of a Gemini CLI session")) }
    }
}

fn message(line: &Value, session: &mut Session) -> bool {
    let id = str_at(line, "id");
    let meta =
        Meta { id: Some(id).filter(|id| !id.is_empty()), global: true, ts: tree::time(&line["timestamp"]) };
    match str_at(line, "type") {
        "user" => session.user(&meta, tree::words(&line["content"])),
        "gemini" => {
            for thought in list(&line["thoughts"]) {
                let meta = Meta { ts: tree::time(&thought["timestamp"]), ..Meta::default() };
                session.thought(&meta, tree::words(first(thought, &["description", "subject", "text"])));
            }
            session.thought(&meta, tree::words(&line["content"]));
            for call in list(&line["toolCalls"]) {
                called(call, &meta, session);
            }
        }
        "info" | "error" | "warning" => {
            let text = tree::words(&line["content"]);
            if text.to_ascii_lowercase().starts_with("request cancelled") {
                session.cancel_open();
            }
            session.add(&meta, Body::Other);
        }
        _ => return false,
    }
    true
}

fn called(call: &Value, message: &Meta<'_>, session: &mut Session) {
    let (id, name) = (str_at(call, "id"), str_at(call, "name"));
    let ts = tree::time(&call["timestamp"]).or(message.ts);
    session.called(ts, id, name, call["args"].clone());
    let at = session.last_place();
    let result = judge(call, name);
    session.answer(at, ToolResult { ts, ..result });
}

fn judge(call: &Value, tool: &str) -> ToolResult {
    let response = list(&call["result"]).first().unwrap_or(&call["result"]);
    let response = &response["functionResponse"]["response"];
    let error = tree::text(&response["error"]);
    let text = match (error.is_empty(), response.is_null()) {
        (false, _) => error.clone(),
        (true, false) => tree::text(first(response, &["output", "content"])),
        (true, true) => tree::text(first(call, &["resultDisplay", "result"])),
    };
    match str_at(call, "status") {
        "error" => verdict::of_flag(true, tool, text),
        "cancelled" => {
            let status = verdict::no_success(&text).filter(|status| *status == ResultStatus::Refused);
            ToolResult { status: status.unwrap_or(ResultStatus::Cancelled), text, ..ToolResult::default() }
        }
        "success" if !error.is_empty() => verdict::of_flag(true, tool, text),
        "success" => match exit_of(&text).filter(|_| tool.contains("shell")) {
            Some(exit) => verdict::of_exit(exit, text),
            None => verdict::of_flag(false, tool, text),
        },
        _ => ToolResult { text, ..ToolResult::default() },
    }
}

/// The exit code among the lines with which the shell tool ends its answer.
fn exit_of(text: &str) -> Option<i64> {
    text.lines().rev().take(12).find_map(|line| line.strip_prefix("Exit Code: ")?.trim().parse().ok())
}

//! Messages between MCP clients and servers: JSON-RPC, bare or wrapped by whoever recorded them.
//!
//! Decides which request is a call of a tool, and which response answers it. A new handshake is a new session; nothing
//! in the protocol names one.

use alloc::string::ToString;

use serde_json::Value;

use crate::env::Timestamp;
use crate::trace::event::{ResultStatus, ToolResult};
use crate::trace::format::{Parse, parse_value, str_at};
use crate::trace::report::Bad;
use crate::trace::sessions::{Session, Sessions};
use crate::trace::tree::{self, first};
use crate::trace::verdict;

/// Where recorders keep the message.
const WRAPPINGS: [&str; 6] = ["msg", "message", "payload", "data", "rpc", "body"];

/// Reads messages.
#[derive(Debug, Default)]
pub(in crate::trace) struct Parser {
    /// Whether a handshake was seen.
    greeted: bool,
}

/// Whether a unit is a message, or a list of them.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let first = tree::list(unit).first().unwrap_or(unit);
    message_of(first).is_some()
}

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let unit = parse_value(text)?;
        let lines = match unit.as_array() {
            Some(lines) => lines.as_slice(),
            None => core::slice::from_ref(&unit),
        };
        let mut known = false;
        for line in lines {
            if let Some(message) = message_of(line) {
                known = true;
                let ts = tree::time(first(line, &["ts", "timestamp", "time"]));
                self.message(message, ts, out);
            }
        }
        if known { Ok(()) } else { Err(Bad::shape("no JSON-RPC message")) }
    }
}

impl Parser {
    fn message(&mut self, message: &Value, ts: Option<Timestamp>, out: &mut Sessions) {
        let id = tree::name(&message["id"]).unwrap_or_default();
        match str_at(message, "method") {
            "initialize" => {
                if self.greeted {
                    out.fresh(None);
                }
                self.greeted = true;
            }
            "tools/call" => {
                let params = &message["params"];
                let args = match &params["arguments"] {
                    Value::Null => Value::Object(serde_json::Map::new()),
                    args => args.clone(),
                };
                out.latest().called(ts, &id, str_at(params, "name"), args);
            }
            "notifications/cancelled" => {
                let id = tree::name(&message["params"]["requestId"]).unwrap_or_default();
                let text = tree::text(&message["params"]["reason"]);
                let result =
                    ToolResult { ts, status: ResultStatus::Cancelled, text, ..ToolResult::default() };
                answered(&id, result, out.latest());
            }
            "" if !id.is_empty() => {
                let tool = out.latest().tool_of(&id, "");
                answered(&id, ToolResult { ts, ..judge(message, &tool) }, out.latest());
            }
            _ => {}
        }
    }
}

/// Answers to other requests than calls tell nothing.
fn answered(id: &str, result: ToolResult, session: &mut Session) {
    let place = session.open_call(id, "").map(|(_, at)| at);
    if let Some(at) = place {
        session.answer(at, result);
    }
}

fn judge(message: &Value, tool: &str) -> ToolResult {
    let error = &message["error"];
    if error.is_object() {
        let mut text = str_at(error, "message").to_string();
        if text.is_empty() {
            text = error.to_string();
        }
        return verdict::of_flag(true, tool, text);
    }
    let result = &message["result"];
    let mut text = tree::words(&result["content"]);
    if text.is_empty() {
        text = tree::text(first(result, &["structuredContent", "content"]));
    }
    verdict::of_flag(result["isError"].as_bool().unwrap_or(false), tool, text)
}

fn message_of(line: &Value) -> Option<&Value> {
    let is_rpc = |value: &Value| str_at(value, "jsonrpc") == "2.0";
    if is_rpc(line) {
        return Some(line);
    }
    WRAPPINGS.iter().map(|key| &line[*key]).find(|held| is_rpc(held))
}

//! Recordings of the Claude Agent SDK: what client and agent sent each other, one stream line each with its direction.
//!
//! Decides only how the lines are wrapped; what they say is Claude Code's. Control messages and hooks tell nothing
//! about the run, and the session is the one that the agent names, not the client's `default`.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::mem;

use serde_json::Value;

use super::claude_code;
use crate::trace::format::{Parse, parse_value, str_at};
use crate::trace::report::Bad;
use crate::trace::sessions::Sessions;
use crate::trace::tree::list;

/// The name that the client gives a session before the agent names it.
const UNNAMED: &str = "default";

/// Reads recordings.
#[derive(Debug, Default)]
pub(in crate::trace) struct Parser {
    inner: claude_code::Parser,
    /// What was said before the agent named the session.
    early: Vec<Value>,
    /// Whether the agent named it.
    named: bool,
}

/// Whether a unit is a recording, or one line of it.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let line = list(&unit["messages"]).first().unwrap_or(unit);
    is_wrapped(line)
}

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let unit = parse_value(text)?;
        let lines = match unit["messages"].as_array() {
            Some(lines) => lines.as_slice(),
            None => core::slice::from_ref(&unit),
        };
        if !lines.iter().any(is_wrapped) {
            return Err(Bad::shape("no recorded message of the agent SDK"));
        }
        for line in lines.iter().filter(|line| is_wrapped(line)) {
            self.line(&line["message"], out);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Sessions) {
        let early = mem::take(&mut self.early);
        // Before the agent said anything there is no run yet, and its name may still come.
        if early.iter().any(|line| str_at(line, "type") == "assistant") {
            for line in early {
                self.give(&line, out);
            }
        }
    }
}

impl Parser {
    fn line(&mut self, message: &Value, out: &mut Sessions) {
        if str_at(message, "type").starts_with("control_") {
            return;
        }
        let id = &message["session_id"];
        let by_client = id.as_str().is_none_or(|id| id == UNNAMED);
        if by_client && !self.named {
            self.early.push(without_name(message));
        } else if by_client {
            self.give(&without_name(message), out);
        } else {
            self.named = true;
            for mut line in mem::take(&mut self.early) {
                line["session_id"] = id.clone();
                self.give(&line, out);
            }
            self.give(message, out);
        }
    }

    /// A line that the agent's own format does not have is the recorder's and tells nothing.
    fn give(&mut self, line: &Value, out: &mut Sessions) {
        let _ = self.inner.take(&line.to_string(), out);
    }
}

fn without_name(message: &Value) -> Value {
    let mut message = message.clone();
    if let Some(fields) = message.as_object_mut() {
        fields.remove("session_id");
    }
    message
}

fn is_wrapped(line: &Value) -> bool {
    let directed = matches!(str_at(line, "direction"), "send" | "recv" | "receive" | "in" | "out");
    directed && !str_at(&line["message"], "type").is_empty()
}

//! What identifies each event of a trace, over all files and over time.
//!
//! Decides what counts as the same event read twice. Never uses times of learning, file names or how bytes came.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use hashbrown::HashMap;
use serde_json::Value;

use super::event::{Body, Event, ResultStatus, Trace};
use crate::record::EventKey;
use crate::sort;

/// One key an event, in order.
///
/// * An event with an id that is unique by itself: that id, the call's id, and the how-manieth such event it is.
/// * An event with another id in a session that has a name: root run, session, id, and the how-manieth use of it.
/// * Every other event: a chain over its content and that of all events before it. A call and its answer are two steps
///   of the chain, and the key of a call that has its answer stands after both.
///
/// So a prefix of a trace has a prefix of its keys, as far as its calls have their answers; the key of an event with an
/// id does not even change when its answer comes. Times are no part of any key.
pub fn event_keys(trace: &Trace) -> Vec<EventKey> {
    let mut uses = HashMap::new();
    let mut chain =
        trace.events.iter().any(|event| native_id(trace, event).is_none()).then(|| Chain::new(trace));
    let mut keys = Vec::with_capacity(trace.events.len());
    for event in &trace.events {
        let chained = chain.as_mut().map(|chain| chain.step(event));
        let native = native_id(trace, event).map(|id| native_key(trace, event, id, &mut uses));
        keys.push(native.or(chained).unwrap_or_default());
    }
    keys
}

/// A name for a session that has none, made from how it begins. Two sessions that begin alike share it: only their
/// keys tell them apart.
pub(super) fn label(trace: &Trace) -> String {
    let first = trace.events.first().map(|event| Chain::default().own(event)).unwrap_or_default();
    format!("unnamed-{:016x}", first.0)
}

fn native_id<'a>(trace: &Trace, event: &'a Event) -> Option<&'a str> {
    event.id.as_deref().filter(|id| !id.is_empty() && (event.id_is_global || !trace.anonymous))
}

fn native_key<'a>(
    trace: &Trace,
    event: &'a Event,
    id: &'a str,
    uses: &mut HashMap<(&'a str, &'a str), u32>,
) -> EventKey {
    let call_id = match &event.body {
        Body::ToolCall(call) => call.call_id.as_str(),
        _ => "",
    };
    let nth = uses.entry((id, call_id)).or_default();
    *nth += 1;
    let nth = nth.to_string();
    if event.id_is_global {
        EventKey::of(&["global", id, call_id, &nth])
    } else {
        EventKey::of(&["session", &trace.root_run_id, &trace.session_id, id, call_id, &nth])
    }
}

#[derive(Default)]
struct Chain(EventKey);

impl Chain {
    /// A chain begins with the names of the session, if it has any.
    fn new(trace: &Trace) -> Self {
        if trace.anonymous {
            return Self::default();
        }
        Self(EventKey::of(&["chain", &trace.root_run_id, &trace.session_id]))
    }

    fn step(&mut self, event: &Event) -> EventKey {
        self.0 = self.own(event);
        if let Body::ToolCall(call) = &event.body
            && call.result.status != ResultStatus::Missing
        {
            self.0 = self.link(&["result", status(call.result.status), &call.result.text]);
        }
        self.0
    }

    fn own(&self, event: &Event) -> EventKey {
        match &event.body {
            Body::Start { task } => self.link(&["start", task]),
            Body::Thought { text } => self.link(&["thought", text]),
            Body::User { text } => self.link(&["user", text]),
            Body::ToolCall(call) => {
                let mut args = String::new();
                canonical(&call.args, &mut args);
                self.link(&["call", &call.call_id, &call.name, &args])
            }
            Body::Final { text } => self.link(&["final", text]),
            Body::Failed { reason } => self.link(&["failed", reason]),
            Body::Incomplete { reason } => self.link(&["incomplete", reason]),
            Body::Discrepancy { path, reason } => self.link(&["discrepancy", path, reason]),
            Body::Retrieval { items, withheld, .. } => {
                let mut parts = alloc::vec!["retrieval"];
                parts.extend(items.iter().map(String::as_str));
                if !withheld.is_empty() {
                    parts.push("withheld");
                    parts.extend(withheld.iter().map(String::as_str));
                }
                self.link(&parts)
            }
            Body::Other => self.link(&["other"]),
        }
    }

    fn link(&self, content: &[&str]) -> EventKey {
        let previous = format!("{:016x}", self.0.0);
        let parts: Vec<&str> = core::iter::once(previous.as_str()).chain(content.iter().copied()).collect();
        EventKey::of(&parts)
    }
}

const fn status(status: ResultStatus) -> &'static str {
    match status {
        ResultStatus::Ok => "ok",
        ResultStatus::Failed => "failed",
        ResultStatus::Refused => "refused",
        ResultStatus::Cancelled => "cancelled",
        ResultStatus::Missing => "missing",
    }
}

/// JSON with sorted keys, whatever order the map type keeps.
fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            sort::sort_by_key(&mut entries, |(key, _)| key.as_str());
            out.push('{');
            for (key, value) in entries {
                // Writing to a string cannot fail.
                let _ = write!(out, "{key:?}:");
                canonical(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(list) => {
            out.push('[');
            for value in list {
                canonical(value, out);
                out.push(',');
            }
            out.push(']');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

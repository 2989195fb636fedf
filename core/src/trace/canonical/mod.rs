//! The canonical format: JSON Lines, one event a line, events of several sessions in any mix.
//!
//! Decides what each type of event means. Unknown types are kept as [`Body::Other`]; a result without `ok` is a
//! failure.

mod write;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::Value;

pub use write::to_jsonl;

use super::event::{Body, Outcome, ResultStatus, ToolCall, ToolResult};
use super::format::{Parse, str_at};
use super::json::{self, Flag, Name, Number, Object, Text, Time, text_of};
use super::repo::of_remote;
use super::report::Bad;
use super::sessions::{Meta, Session, Sessions};

/// Reads canonical lines.
#[derive(Debug)]
pub(super) struct Parser;

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let mut spare = String::new();
        let Object(Some(line)) = json::parse::<Object<Line<'_>>>(text, &mut spare)? else {
            return Err(Bad::shape("an event is a JSON object"));
        };
        if line.kind.get().is_none() {
            return Err(Bad::shape("an event has a type"));
        }
        line.add(out);
        Ok(())
    }
}

/// Whether a line can only be canonical.
pub(super) fn recognise(line: &Value) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| line.get(key).is_some());
    if has(&["message"]) {
        return false;
    }
    let named = has(&["session_id"]) || has(&["event_id"]) || has(&["ts"]);
    match str_at(line, "type") {
        "start" => has(&["task"]),
        "tool_call" => has(&["name"]) && (has(&["args"]) || has(&["result"])),
        "discrepancy" => has(&["path"]) && has(&["reason"]),
        "thought" | "user" | "final" => has(&["text"]) && named,
        "failed" | "incomplete" | "retrieval" | "usage" | "other" => named,
        _ => false,
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Line<'a> {
    #[serde(rename = "type")]
    kind: Text<'a>,
    ts: Time,
    event_id: Name,
    event_id_global: Flag,
    session_id: Name,
    root_run_id: Name,
    outcome: Text<'a>,
    anonymous: Flag,
    cwd: Text<'a>,
    repo: Text<'a>,
    task: Text<'a>,
    text: Text<'a>,
    reason: Text<'a>,
    path: Text<'a>,
    moment: Text<'a>,
    items: Value,
    withheld: Value,
    call_id: Name,
    step: Number,
    call_index: Number,
    name: Text<'a>,
    args: Value,
    result: Value,
}

impl Line<'_> {
    fn add(self, out: &mut Sessions) {
        let session = self.session(out);
        session.located(self.cwd.get().unwrap_or_default(), "");
        if session.trace.repo.is_none() {
            session.trace.repo = self.repo.get().map(repository);
        }
        let outcome = match self.kind.get() {
            Some("failed") => Outcome::Failed,
            _ => self.outcome.get().map_or(Outcome::Unknown, outcome_of),
        };
        session.ended(outcome);
        let meta = Meta { id: self.event_id.0.as_deref(), global: self.event_id_global.set(), ts: self.ts.0 };
        let body = body(
            self.kind.0.as_deref().unwrap_or_default(),
            Fields {
                task: self.task.0.map(String::from),
                text: self.text.0.map(String::from),
                reason: self.reason.0.map(String::from),
                path: self.path.0.map(String::from),
                moment: self.moment.0.map(String::from),
                items: self.items,
                withheld: self.withheld,
                call_id: self.call_id.0.unwrap_or_else(|| place(self.step, self.call_index)),
                name: self.name.0.map(String::from),
                args: self.args,
                result: self.result,
            },
        );
        session.add(&meta, body);
    }

    fn session<'s>(&self, out: &'s mut Sessions) -> &'s mut Session {
        let Some(id) = self.session_id.get() else { return out.unnamed() };
        let session = out.named(id, self.root_run_id.get().unwrap_or(id));
        session.trace.anonymous |= self.anonymous.set();
        session
    }
}

struct Fields {
    task: Option<String>,
    text: Option<String>,
    reason: Option<String>,
    path: Option<String>,
    moment: Option<String>,
    items: Value,
    withheld: Value,
    call_id: String,
    name: Option<String>,
    args: Value,
    result: Value,
}

fn body(kind: &str, fields: Fields) -> Body {
    let text = fields.text.unwrap_or_default();
    let reason = fields.reason.unwrap_or_default();
    match kind {
        "start" => Body::Start { task: fields.task.unwrap_or_default() },
        "thought" => Body::Thought { text },
        "user" => Body::User { text },
        "tool_call" => Body::ToolCall(ToolCall {
            call_id: fields.call_id,
            name: fields.name.unwrap_or_default(),
            args: fields.args,
            result: result_of(fields.result),
        }),
        "final" => Body::Final { text },
        "failed" => Body::Failed { reason },
        "incomplete" => Body::Incomplete { reason },
        "discrepancy" => Body::Discrepancy { path: fields.path.unwrap_or_default(), reason },
        "retrieval" => {
            let (items, withheld) = (items_of(fields.items), items_of(fields.withheld));
            Body::Retrieval { moment: fields.moment.unwrap_or_default(), items, withheld }
        }
        _ => Body::Other,
    }
}

/// The outcomes that canonical writers know; one that says neither success nor failure is unknown.
fn outcome_of(name: &str) -> Outcome {
    match name {
        "success" | "success_with_recovery" => Outcome::Success,
        "failed" | "failure" | "invalid_output" | "all_tools_failed" => Outcome::Failed,
        _ => Outcome::Unknown,
    }
}

/// A repository as other readers name it. What has neither a scheme nor a user is named already.
fn repository(given: &str) -> String {
    let remote = given.contains("://") || given.contains('@');
    remote.then(|| of_remote(given)).flatten().unwrap_or_else(|| given.to_string())
}

fn place(step: Number, index: Number) -> String {
    match (step.0, index.0) {
        (Some(step), Some(index)) => format!("{step}.{index}"),
        (Some(step), None) => step.to_string(),
        _ => String::new(),
    }
}

fn items_of(items: Value) -> Vec<String> {
    let Value::Array(items) = items else { return Vec::new() };
    items
        .into_iter()
        .map(|item| match item {
            Value::Object(mut map) => text_of(map.remove("id").unwrap_or_default()),
            other => text_of(other),
        })
        .collect()
}

fn result_of(result: Value) -> ToolResult {
    let mut fields = match result {
        Value::Null => return ToolResult::default(),
        Value::Object(fields) => fields,
        other => {
            return ToolResult {
                status: ResultStatus::Failed,
                text: text_of(other),
                ..ToolResult::default()
            };
        }
    };
    let mut take = |key: &str| fields.remove(key).unwrap_or_default();
    let status = match take("status").as_str() {
        Some("refused") => ResultStatus::Refused,
        Some("cancelled") => ResultStatus::Cancelled,
        Some("missing") => ResultStatus::Missing,
        _ if take("ok") == Value::Bool(true) => ResultStatus::Ok,
        _ => ResultStatus::Failed,
    };
    let (error, output) = (take("error"), take("result"));
    let chosen = if status == ResultStatus::Ok || error.is_null() { output } else { error };
    ToolResult {
        ts: serde_json::from_value::<Time>(take("ts")).unwrap_or_default().0,
        status,
        text: text_of(chosen),
        cut: take("cut") == Value::Bool(true),
        exit: take("exit").as_i64(),
    }
}

//! Writes a trace in the canonical format, so that reading it gives the same trace.
//!
//! Decides nothing. What the format's own fields cannot say is in further ones: `call_id`, `cwd`, `repo`, `anonymous`,
//! `event_id_global`, and in a result `status`, `cut`, `exit` and `ts`.

use alloc::string::{String, ToString};

use serde_json::{Map, Value, json};

use super::super::event::{Body, Event, Outcome, ResultStatus, ToolResult, Trace};

/// The trace as JSON Lines, one event a line.
pub fn to_jsonl(trace: &Trace) -> String {
    let mut out = String::new();
    for (n, event) in trace.events.iter().enumerate() {
        let mut line = body(event);
        envelope(&mut line, trace, event);
        if n == 0 {
            session(&mut line, trace);
        }
        out.push_str(&Value::Object(line).to_string());
        out.push('\n');
    }
    out
}

fn envelope(line: &mut Map<String, Value>, trace: &Trace, event: &Event) {
    put(line, "session_id", json!(trace.session_id));
    put(line, "root_run_id", json!(trace.root_run_id));
    if let Some(ts) = event.ts {
        put(line, "ts", json!(ts));
    }
    if let Some(id) = &event.id {
        put(line, "event_id", json!(id));
        if event.id_is_global {
            put(line, "event_id_global", json!(true));
        }
    }
}

fn session(line: &mut Map<String, Value>, trace: &Trace) {
    if let Some(cwd) = &trace.cwd {
        put(line, "cwd", json!(cwd));
    }
    if let Some(repo) = &trace.repo {
        put(line, "repo", json!(repo));
    }
    if trace.anonymous {
        put(line, "anonymous", json!(true));
    }
    if trace.outcome != Outcome::Unknown {
        put(line, "outcome", json!(trace.outcome));
    }
}

fn body(event: &Event) -> Map<String, Value> {
    let value = match &event.body {
        Body::Start { task } => json!({"type": "start", "task": task}),
        Body::Thought { text } => json!({"type": "thought", "text": text}),
        Body::User { text } => json!({"type": "user", "text": text}),
        Body::Final { text } => json!({"type": "final", "text": text}),
        Body::Failed { reason } => json!({"type": "failed", "reason": reason}),
        Body::Incomplete { reason } => json!({"type": "incomplete", "reason": reason}),
        Body::Discrepancy { path, reason } => json!({"type": "discrepancy", "path": path, "reason": reason}),
        Body::Retrieval { moment, items, withheld } => retrieval(moment, items, withheld),
        Body::Other => json!({"type": "other"}),
        Body::ToolCall(_) => json!({"type": "tool_call"}),
    };
    let mut line = match value {
        Value::Object(line) => line,
        _ => Map::new(),
    };
    if let Body::ToolCall(call) = &event.body {
        put(&mut line, "call_id", json!(call.call_id));
        put(&mut line, "name", json!(call.name));
        put(&mut line, "args", call.args.clone());
        put(&mut line, "result", result(&call.result));
    }
    line
}

fn retrieval(moment: &str, items: &[String], withheld: &[String]) -> Value {
    let mut out = Map::new();
    put(&mut out, "type", json!("retrieval"));
    if !moment.is_empty() {
        put(&mut out, "moment", json!(moment));
    }
    put(&mut out, "items", json!(items));
    if !withheld.is_empty() {
        put(&mut out, "withheld", json!(withheld));
    }
    Value::Object(out)
}

fn result(result: &ToolResult) -> Value {
    let ok = result.status == ResultStatus::Ok;
    let mut out = Map::new();
    put(&mut out, "ok", json!(ok));
    put(&mut out, if ok { "result" } else { "error" }, json!(result.text));
    if !matches!(result.status, ResultStatus::Ok | ResultStatus::Failed) {
        put(&mut out, "status", json!(result.status));
    }
    if result.cut {
        put(&mut out, "cut", json!(true));
    }
    if let Some(exit) = result.exit {
        put(&mut out, "exit", json!(exit));
    }
    if let Some(ts) = result.ts {
        put(&mut out, "ts", json!(ts));
    }
    Value::Object(out)
}

fn put(line: &mut Map<String, Value>, key: &str, value: Value) {
    line.insert(key.into(), value);
}

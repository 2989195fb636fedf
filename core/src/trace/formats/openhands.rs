//! `OpenHands`: histories of actions and observations, in the records of an evaluation, in a list or one event a line.
//!
//! Decides which observation answers which action and whether it failed: by the exit code of a command, by the `ERROR:`
//! with which file tools begin an observation that is otherwise like any other, and by error observations. An error
//! without an action is that of a call which the host could not read.

use alloc::format;
use alloc::string::{String, ToString};

use hashbrown::HashMap;
use serde_json::{Map, Value};

use crate::trace::event::{Body, Outcome, ResultStatus, ToolResult};
use crate::trace::format::{Parse, parse_value, str_at};
use crate::trace::report::Bad;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, first, first_str, list};
use crate::trace::verdict;

/// What the host adds to the arguments of an action.
const ADDED: [&str; 11] = [
    "thought",
    "confirmation_state",
    "hidden",
    "blocking",
    "is_static",
    "is_input",
    "impl_source",
    "security_risk",
    "keep_prompt",
    "include_extra",
    "_diff_cache",
];

/// Reads histories.
#[derive(Debug, Default)]
pub(in crate::trace) struct Parser {
    /// Places of the actions of event lines, by their id.
    places: HashMap<String, usize>,
}

/// Whether a unit is a record with a history, a history, or an event.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let events = if unit.is_array() { unit } else { &unit["history"] };
    let mut first = list(events).first().unwrap_or(unit);
    if let Some(pair) = first.as_array() {
        first = pair.first().unwrap_or(first);
    }
    is_event(first)
}

fn is_event(event: &Value) -> bool {
    let acts = event["action"].is_string() && event["args"].is_object();
    let sees =
        event["observation"].is_string() && (event["extras"].is_object() || event.get("cause").is_some());
    acts || sees
}

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let unit = parse_value(text)?;
        let bad = Bad::shape("neither an OpenHands event nor a history of them");
        let (events, record) = match (&unit["history"], &unit) {
            (Value::Array(events), record) => (events.as_slice(), record),
            (_, Value::Array(events)) => (events.as_slice(), &Value::Null),
            (_, event) if is_event(event) => {
                event_of(event, &mut self.places, out.unnamed());
                return Ok(());
            }
            _ => return Err(bad),
        };
        let name = first(record, &["instance_id", "sid", "session_id", "conversation_id"]);
        let session = out.fresh(tree::name(name).as_deref());
        let mut places = HashMap::new();
        for event in
            events.iter().flat_map(|event| event.as_array().map_or(core::slice::from_ref(event), |pair| pair))
        {
            event_of(event, &mut places, session);
        }
        ended(record, session);
        Ok(())
    }
}

fn event_of(event: &Value, places: &mut HashMap<String, usize>, session: &mut Session) {
    let id = tree::name(&event["id"]);
    let meta = Meta { id: id.as_deref(), global: false, ts: tree::time(&event["timestamp"]) };
    let action = str_at(event, "action");
    if action.is_empty() {
        return observed(event, &meta, places, session);
    }
    let args = &event["args"];
    let thought = tree::words(&args["thought"]);
    match action {
        "system" | "recall" | "null" | "change_agent_state" | "condensation" | "condensation_request" => {}
        "message" | "start" => {
            let words = tree::words(first(args, &["content", "task"]));
            if str_at(event, "source") == "user" {
                session.user(&meta, words);
            } else {
                session.thought(&meta, words);
            }
        }
        "think" => session.thought(&meta, thought),
        "finish" => {
            let text = first_str(args, &["final_thought", "thought"]);
            session.add(&meta, Body::Final { text: text.to_string() });
        }
        "reject" => {
            session.add(&meta, Body::Failed { reason: thought });
            session.ended(Outcome::Failed);
        }
        _ => {
            session.thought(&Meta { id: None, ..meta.clone() }, thought);
            called(event, action, &meta, session);
            if let Some(id) = id.clone() {
                places.insert(id, session.last_place());
            }
            if str_at(args, "confirmation_state") == "rejected" {
                let result =
                    ToolResult { status: ResultStatus::Refused, ts: meta.ts, ..ToolResult::default() };
                session.answer(session.last_place(), result);
            }
        }
    }
}

/// A call as the agent made it where the record holds that, else as the host understood it.
fn called(event: &Value, action: &str, meta: &Meta<'_>, session: &mut Session) {
    let call = &event["tool_call_metadata"];
    let id = str_at(call, "tool_call_id");
    let name = match str_at(call, "function_name") {
        "" => action,
        name => name,
    };
    let given = list(&call["model_response"]["choices"])
        .iter()
        .flat_map(|choice| list(&choice["message"]["tool_calls"]))
        .find(|given| str_at(given, "id") == id && !id.is_empty())
        .map(|given| tree::arguments(&given["function"]["arguments"]))
        .filter(Value::is_object);
    session.call(
        meta,
        id.to_string(),
        name.to_string(),
        given.unwrap_or_else(|| own_arguments(&event["args"])),
    );
}

fn own_arguments(args: &Value) -> Value {
    let mut own = Map::new();
    for (key, value) in args.as_object().into_iter().flatten() {
        if !ADDED.contains(&key.as_str()) && !value.is_null() {
            own.insert(key.clone(), value.clone());
        }
    }
    Value::Object(own)
}

fn observed(event: &Value, meta: &Meta<'_>, places: &mut HashMap<String, usize>, session: &mut Session) {
    let kind = str_at(event, "observation");
    if kind.is_empty() || matches!(kind, "agent_state_changed" | "null" | "recall" | "think" | "condense") {
        return;
    }
    let cause = tree::name(&event["cause"]).unwrap_or_default();
    let text = tree::text(&event["content"]);
    let Some(at) = places.remove(&cause) else {
        if kind == "error" {
            unread_call(event, text, meta, session);
        }
        return;
    };
    let metadata = &event["extras"]["metadata"];
    let exit = first(metadata, &["exit_code"]).as_i64().or_else(|| event["extras"]["exit_code"].as_i64());
    let result = match (kind, exit) {
        ("error" | "user_rejected", _) => {
            let status = if kind == "error" { None } else { Some(ResultStatus::Refused) };
            let result = verdict::of_flag(true, "", text);
            ToolResult { status: status.unwrap_or(result.status), ..result }
        }
        // The command had not ended when it was looked at: that proves nothing.
        ("run", Some(-1)) => ToolResult { text, ..ToolResult::default() },
        ("run", Some(exit)) => verdict::of_exit(exit, text),
        ("run", None) => verdict::of_shell(text),
        ("run_ipython", _) => verdict::of_tool("ipython", text),
        _ => of_file_tool(kind, text),
    };
    session.answer(at, ToolResult { ts: meta.ts, ..result });
}

/// Tools on files begin an observation with `ERROR:` where they did not do it; else it is what stands in the file.
fn of_file_tool(kind: &str, text: String) -> ToolResult {
    let told = text.trim_start();
    if told.starts_with("ERROR:") || told.starts_with("[An error occurred") {
        return verdict::of_flag(true, kind, text);
    }
    match kind {
        "read" | "edit" | "write" | "browse" => verdict::of_flag(false, "read", text),
        _ => verdict::of_tool(kind, text),
    }
}

/// The host tells the error of a call that it could not read, and not the call.
fn unread_call(event: &Value, text: String, meta: &Meta<'_>, session: &mut Session) {
    let call = &event["tool_call_metadata"];
    let name = first_str(call, &["function_name"]);
    let name = if name.is_empty() { "unreadable_call" } else { name };
    session.call(meta, str_at(call, "tool_call_id").to_string(), name.to_string(), Value::Null);
    let result = verdict::of_flag(true, name, text);
    session.answer(session.last_place(), ToolResult { ts: meta.ts, ..result });
}

/// What an evaluation says of the run. That the agent calls itself done says nothing.
fn ended(record: &Value, session: &mut Session) {
    let meta = Meta::default();
    let error = tree::text(&record["error"]);
    if error.contains("maximum iteration") || error.contains("budget") {
        session.add(&meta, Body::Incomplete { reason: error });
    } else if !error.is_empty() {
        session.add(&meta, Body::Failed { reason: format!("the run ended in {error}") });
        session.ended(Outcome::Failed);
    }
    let reports = [&record["report"], &record["test_result"]["report"], &record["test_result"]];
    match reports.into_iter().find_map(|report| first(report, &["resolved", "success"]).as_bool()) {
        Some(true) => session.ended(Outcome::Success),
        Some(false) => session.ended(Outcome::Failed),
        None => {}
    }
}

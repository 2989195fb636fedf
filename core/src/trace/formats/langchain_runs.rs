//! Run exports of `LangChain` and `LangGraph`: trees of runs, one run a line, or the events of a stream.
//!
//! Decides which run is a call of a tool or a model and how a tool's run ended. A run of a graph is a session, or its
//! thread is where it has one.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::otel_spans::answer;
use super::spans::{Kind, Runs};
use crate::trace::format::{Parse, parse_value, str_at};
use crate::trace::report::Bad;
use crate::trace::sessions::Sessions;
use crate::trace::tree::{self, first, first_str, list};
use crate::trace::verdict;

/// Reads runs.
#[derive(Debug, Default)]
pub(in crate::trace) struct Parser {
    runs: Runs,
    /// The run of the stream's events that are not told which they belong to.
    stream: String,
}

/// Whether a unit holds runs, or events of a stream.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let first = list(if unit["runs"].is_array() { &unit["runs"] } else { unit }).first().unwrap_or(unit);
    is_run(first) || is_event(first)
}

fn is_run(unit: &Value) -> bool {
    let placed = ["trace_id", "dotted_order", "child_runs", "start_time", "parent_run_id"];
    unit["run_type"].is_string() && placed.iter().any(|key| unit.get(key).is_some())
}

fn is_event(unit: &Value) -> bool {
    unit["event"].as_str().is_some_and(|event| event.starts_with("on_")) && unit["run_id"].is_string()
}

impl Parse for Parser {
    fn take(&mut self, text: &str, _: &mut Sessions) -> Result<(), Bad> {
        let unit = parse_value(text)?;
        let held = if unit["runs"].is_array() { &unit["runs"] } else { &unit };
        let units = held.as_array().map_or(core::slice::from_ref(held), |units| units.as_slice());
        let mut known = false;
        for unit in units {
            if is_run(unit) {
                known = true;
                self.run(unit, "", "");
            } else if is_event(unit) {
                known = true;
                self.event(unit);
            }
        }
        if known { Ok(()) } else { Err(Bad::shape("neither a run nor an event of a stream")) }
    }

    fn finish(&mut self, out: &mut Sessions) {
        self.runs.finish(out);
    }
}

impl Parser {
    fn run(&mut self, unit: &Value, trace: &str, parent: &str) {
        let id = str_at(unit, "id");
        let told = str_at(unit, "trace_id");
        let trace = match (told, trace) {
            ("", "") => id,
            ("", trace) => trace,
            (told, _) => told,
        };
        let above = first_str(unit, &["parent_run_id"]);
        let metadata = &unit["extra"]["metadata"];
        let kind = kind_of(str_at(unit, "run_type"));
        let span = self.runs.span(trace, id);
        span.parent = if above.is_empty() { parent } else { above }.to_string();
        span.kind = kind;
        span.name = str_at(unit, "name").to_string();
        span.start = tree::time(&unit["start_time"]);
        span.end = tree::time(&unit["end_time"]);
        span.session = tree::name(first(metadata, &["thread_id", "session_id", "conversation_id"]));
        let error = verdict::without_stack(str_at(unit, "error")).to_string();
        let (inputs, outputs) = (&unit["inputs"], &unit["outputs"]);
        match kind {
            Kind::Tool => {
                span.args = arguments(inputs);
                let (result, call_id) = answer(&span.name, outputs);
                span.call_id = call_id;
                let result =
                    if error.is_empty() { result } else { verdict::of_flag(true, &span.name, error) };
                span.result = span.end.map(|_| result);
            }
            Kind::Model => {
                span.given = given(inputs);
                span.reply = reply(outputs);
            }
            Kind::Other => {
                span.task = task(inputs);
                span.error = error;
            }
        }
        for child in list(&unit["child_runs"]) {
            self.run(child, trace, id);
        }
    }

    fn event(&mut self, unit: &Value) {
        let id = str_at(unit, "run_id");
        let parents = list(&unit["parent_ids"]);
        let root = parents.first().and_then(Value::as_str).unwrap_or_default();
        if self.stream.is_empty() || parents.is_empty() && unit["parent_ids"].is_array() {
            self.stream = if root.is_empty() { id } else { root }.to_string();
        }
        let run = if root.is_empty() { self.stream.clone() } else { root.to_string() };
        let (event, data) = (str_at(unit, "event"), &unit["data"]);
        let span = self.runs.span(&run, id);
        if let Some(parent) = parents.last().and_then(Value::as_str) {
            span.parent = parent.to_string();
        }
        span.name = str_at(unit, "name").to_string();
        let thread = tree::name(&unit["metadata"]["thread_id"]);
        span.session = thread.or(span.session.take());
        match event {
            "on_tool_start" => {
                span.kind = Kind::Tool;
                span.args = arguments(&data["input"]);
            }
            "on_tool_end" => {
                span.kind = Kind::Tool;
                let (result, call_id) = answer(&span.name, &data["output"]);
                span.call_id = call_id;
                span.result = Some(result);
            }
            "on_tool_error" => {
                span.kind = Kind::Tool;
                let text = verdict::without_stack(&tree::text(first(data, &["error", "output"]))).to_string();
                span.result = Some(verdict::of_flag(true, &span.name, text));
            }
            "on_chat_model_start" | "on_llm_start" => {
                span.kind = Kind::Model;
                span.given = given(&data["input"]);
            }
            "on_chat_model_end" | "on_llm_end" => {
                span.kind = Kind::Model;
                span.reply = reply(&data["output"]);
            }
            "on_chain_start" => span.task = task(&data["input"]),
            "on_chain_error" => span.error = tree::text(&data["error"]),
            _ => {}
        }
    }
}

fn kind_of(run_type: &str) -> Kind {
    match run_type {
        "tool" => Kind::Tool,
        "llm" | "chat_model" => Kind::Model,
        _ => Kind::Other,
    }
}

/// The inputs of a tool: an object, or a text that may be one.
fn arguments(inputs: &Value) -> Value {
    match inputs.as_object() {
        Some(fields) if fields.len() == 1 && inputs["input"].is_string() => tree::unpacked(&inputs["input"]),
        _ => inputs.clone(),
    }
}

/// The messages that a model was given.
fn given(inputs: &Value) -> Vec<Value> {
    let mut messages = first(inputs, &["messages", "input"]);
    if let Some(inner) = list(messages).first().filter(|first| first.is_array()) {
        messages = inner;
    }
    list(messages).iter().map(as_openai).collect()
}

fn reply(outputs: &Value) -> Value {
    let outer = list(&outputs["generations"]).first().unwrap_or(outputs);
    let generation = list(outer).first().unwrap_or(outer);
    as_openai(if generation["message"].is_object() { &generation["message"] } else { generation })
}

/// A message of `LangChain` as OpenAI has it.
fn as_openai(message: &Value) -> Value {
    let mut held = message;
    for key in ["data", "kwargs"] {
        if held[key].is_object() {
            held = &held[key];
        }
    }
    let class = list(&message["id"]).last().and_then(Value::as_str).unwrap_or_default();
    let role = match first_str(held, &["type", "role"]) {
        "" => class,
        kind => kind,
    };
    let role = match role {
        "human" | "user" | "HumanMessage" => "user",
        "ai" | "assistant" | "AIMessage" | "AIMessageChunk" => "assistant",
        "tool" | "ToolMessage" => "tool",
        _ => "system",
    };
    let calls: Vec<Value> = list(&held["tool_calls"])
        .iter()
        .map(|call| json!({"id": call["id"], "function": {"name": call["name"], "arguments": call["args"]}}))
        .collect();
    let content = first(held, &["content", "text"]);
    json!({"role": role, "content": content, "tool_calls": calls, "tool_call_id": held["tool_call_id"]})
}

/// What a run was asked.
fn task(inputs: &Value) -> String {
    let messages = given(inputs);
    match messages.iter().find(|message| str_at(message, "role") == "user") {
        Some(message) => tree::words(&message["content"]),
        None => first_str(inputs, &["input", "question", "query", "task"]).to_string(),
    }
}

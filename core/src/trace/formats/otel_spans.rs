//! `OpenTelemetry` spans of agents, with `OpenInference` or `GenAI` attributes, as SDKs print them or as OTLP JSON.
//!
//! Decides which span is a call of a tool or a model. A tool failed where its span says so, or where what it gave back
//! does.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::otlp;
use super::spans::{Kind, Runs, Span};
use crate::trace::event::ToolResult;
use crate::trace::format::{Parse, parse_value, str_at};
use crate::trace::report::Bad;
use crate::trace::sessions::Sessions;
use crate::trace::tree::{self, first, first_str, list};
use crate::trace::verdict;

/// Reads spans.
#[derive(Debug, Default)]
pub(in crate::trace) struct Parser {
    runs: Runs,
}

/// Whether a unit holds spans with `OpenInference` attributes.
pub(in crate::trace) fn is_openinference(unit: &Value) -> bool {
    let Some(span) = otlp::first_record(unit).filter(|span| is_span(span)) else { return false };
    let attributes = otlp::attributes(span);
    attributes.contains_key("openinference.span.kind")
        || attributes.keys().any(|key| key.starts_with("llm.input_messages"))
}

/// Whether a unit holds spans with `GenAI` attributes.
pub(in crate::trace) fn is_genai(unit: &Value) -> bool {
    let mut spans = Vec::new();
    otlp::records(unit, &mut spans);
    spans.iter().take(50).any(|span| {
        is_span(span)
            && otlp::attributes(span).keys().any(|key| {
                ["gen_ai.", "traceloop.", "ai.toolCall."].iter().any(|start| key.starts_with(start))
            })
    })
}

fn is_span(record: &Value) -> bool {
    let id = record["context"]["span_id"].is_string()
        || record["spanId"].is_string()
        || record["span_id"].is_string();
    id && record.get("name").is_some()
}

impl Parse for Parser {
    fn take(&mut self, text: &str, _: &mut Sessions) -> Result<(), Bad> {
        let unit = parse_value(text)?;
        let mut records = Vec::new();
        otlp::records(&unit, &mut records);
        let mut known = false;
        for record in records.into_iter().filter(|record| is_span(record)) {
            known = true;
            self.span(record);
        }
        if known { Ok(()) } else { Err(Bad::shape("no span")) }
    }

    fn finish(&mut self, out: &mut Sessions) {
        self.runs.finish(out);
    }
}

impl Parser {
    fn span(&mut self, record: &Value) {
        let context = &record["context"];
        let id = bare(first_str(record, &["spanId", "span_id"]), context, "span_id");
        let run = bare(first_str(record, &["traceId", "trace_id"]), context, "trace_id");
        let attributes = otlp::attributes(record);
        let get = |keys: &[&str]| keys.iter().find_map(|key| attributes.get(*key)).unwrap_or(&Value::Null);
        let span = self.runs.span(run, id);
        span.parent =
            bare(first_str(record, &["parentSpanId", "parent_span_id", "parent_id"]), &Value::Null, "")
                .to_string();
        span.start = tree::time(first(record, &["startTimeUnixNano", "start_time", "startTime"]));
        span.end = tree::time(first(record, &["endTimeUnixNano", "end_time", "endTime"]));
        span.session = tree::name(get(&[
            "session.id",
            "gen_ai.conversation.id",
            "traceloop.association.properties.session_id",
        ]));
        span.cwd = get(&["cwd", "process.working_directory"]).as_str().unwrap_or_default().to_string();
        span.kind = kind_of(&attributes);
        let error = error_of(record);
        match span.kind {
            Kind::Tool => tool(span, record, &attributes, error),
            Kind::Model => model(span, &attributes),
            Kind::Other => {
                span.task = task_of(get(&["input.value", "traceloop.entity.input"]));
                span.error = error.unwrap_or_default();
            }
        }
    }
}

/// An id without the mark of its base.
fn bare<'a>(own: &'a str, context: &'a Value, key: &str) -> &'a str {
    let id = if own.is_empty() { str_at(context, key) } else { own };
    id.strip_prefix("0x").unwrap_or(id)
}

fn kind_of(attributes: &Map<String, Value>) -> Kind {
    let get = |key: &str| attributes.get(key).and_then(Value::as_str).unwrap_or_default();
    let told = [get("openinference.span.kind"), get("traceloop.span.kind")];
    let operation = get("gen_ai.operation.name");
    if told.iter().any(|kind| kind.eq_ignore_ascii_case("tool"))
        || operation == "execute_tool"
        || attributes.contains_key("ai.toolCall.name")
    {
        return Kind::Tool;
    }
    let model = told[0] == "LLM"
        || matches!(operation, "chat" | "text_completion" | "generate_content")
        || attributes.contains_key("gen_ai.prompt.0.role");
    if model { Kind::Model } else { Kind::Other }
}

/// What a span says went wrong: its exception, or the description of its status; `None` where it went well.
fn error_of(record: &Value) -> Option<String> {
    let status = &record["status"];
    let failed = match first(status, &["status_code", "code", "statusCode"]) {
        Value::Number(code) => code.as_i64() == Some(2),
        code => code.as_str().is_some_and(|code| code.ends_with("ERROR")),
    };
    if !failed {
        return None;
    }
    let described = first_str(status, &["description", "message"]);
    let thrown = list(&record["events"]).iter().find_map(|event| {
        let attributes = otlp::attributes(event);
        let message = attributes.get("exception.message")?.as_str()?;
        Some(message.to_string()).filter(|message| !message.is_empty())
    });
    Some(thrown.unwrap_or_else(|| verdict::without_stack(described).to_string()))
}

fn tool(span: &mut Span, record: &Value, attributes: &Map<String, Value>, error: Option<String>) {
    let get = |keys: &[&str]| keys.iter().find_map(|key| attributes.get(*key)).unwrap_or(&Value::Null);
    let named = get(&["tool.name", "gen_ai.tool.name", "ai.toolCall.name", "traceloop.entity.name"]);
    span.name = named.as_str().unwrap_or_else(|| str_at(record, "name")).to_string();
    let args = get(&[
        "input.value",
        "gen_ai.tool.call.arguments",
        "ai.toolCall.args",
        "traceloop.entity.input",
        "tool.parameters",
    ]);
    span.args = tree::unpacked(args);
    let output =
        get(&["output.value", "gen_ai.tool.call.result", "ai.toolCall.result", "traceloop.entity.output"]);
    let call_id = tree::name(get(&["gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id"]));
    let (mut result, told_id) = answer(&span.name, &tree::unpacked(output));
    if let Some(error) = error {
        let text = if error.is_empty() { result.text } else { error };
        result = verdict::of_flag(true, &span.name, text);
    }
    span.call_id = call_id.unwrap_or(told_id);
    span.result = span.end.map(|_| result);
}

/// What a tool gave back, and the id of its call where that says it: messages of `LangChain` carry both.
pub(super) fn answer(tool: &str, output: &Value) -> (ToolResult, String) {
    let mut held = output;
    for key in ["output", "data", "kwargs"] {
        if held[key].is_object() {
            held = &held[key];
        }
    }
    let id = str_at(held, "tool_call_id").to_string();
    let is_message = held.get("content").is_some() && (!id.is_empty() || str_at(held, "type") == "tool");
    let result = if is_message {
        let text = tree::text(&held["content"]);
        match str_at(held, "status") {
            "error" => verdict::of_flag(true, tool, text),
            _ => verdict::of_tool(tool, text),
        }
    } else {
        let text = match output {
            Value::Object(map) if map.len() == 1 && map.contains_key("output") => {
                tree::text(&output["output"])
            }
            Value::Object(_) => output.to_string(),
            other => tree::text(other),
        };
        verdict::of_tool(tool, text)
    };
    (result, id)
}

fn model(span: &mut Span, attributes: &Map<String, Value>) {
    let get = |key: &str| attributes.get(key).map(tree::unpacked).unwrap_or_default();
    span.given =
        otlp::nested(attributes, "llm.input_messages").iter().map(|held| message(&held["message"])).collect();
    span.reply = otlp::nested(attributes, "llm.output_messages")
        .first()
        .map(|held| message(&held["message"]))
        .unwrap_or_default();
    if span.given.is_empty() {
        span.given = list(&get("gen_ai.input.messages")).iter().flat_map(of_parts).collect();
        span.reply =
            list(&get("gen_ai.output.messages")).iter().flat_map(of_parts).next().unwrap_or_default();
    }
    if span.given.is_empty() {
        span.given = otlp::nested(attributes, "gen_ai.prompt").iter().map(message).collect();
        span.reply = otlp::nested(attributes, "gen_ai.completion").first().map(message).unwrap_or_default();
    }
}

/// A message that attributes spelled out, as OpenAI has it.
fn message(held: &Value) -> Value {
    let mut calls: Vec<Value> = Vec::new();
    for call in otlp::numbered(&held["tool_calls"]) {
        let call = if call["tool_call"].is_object() { &call["tool_call"] } else { call };
        let function = if call["function"].is_object() { &call["function"] } else { call };
        calls.push(json!({"id": call["id"], "function": {"name": function["name"], "arguments": function["arguments"]}}));
    }
    let content = match &held["content"] {
        Value::Null => otlp::numbered(&held["contents"])
            .iter()
            .map(|part| first(&part["message_content"], &["text"]).clone())
            .collect(),
        content => content.clone(),
    };
    json!({"role": held["role"], "content": content, "tool_calls": calls, "tool_call_id": held["tool_call_id"],
        "name": held["name"]})
}

/// A message in parts, as `GenAI` has it: what is said and called in one, answers in one each.
fn of_parts(held: &Value) -> Vec<Value> {
    let mut calls: Vec<Value> = Vec::new();
    let mut words: Vec<Value> = Vec::new();
    let mut out: Vec<Value> = Vec::new();
    for part in list(&held["parts"]) {
        match str_at(part, "type") {
            "tool_call" => calls.push(json!({"id": part["id"],
                "function": {"name": part["name"], "arguments": part["arguments"]}})),
            "tool_call_response" => out.push(json!({"role": "tool", "tool_call_id": part["id"],
                "content": tree::text(first(part, &["response", "result"]))})),
            _ => words.push(first(part, &["content", "text"]).clone()),
        }
    }
    if !words.is_empty() || !calls.is_empty() {
        out.push(json!({"role": held["role"], "content": words, "tool_calls": calls}));
    }
    out
}

/// What a run was asked: plain words, or those of the first person in messages.
fn task_of(input: &Value) -> String {
    let input = tree::unpacked(input);
    let messages = list(&input["messages"]);
    let asked = messages.iter().find(|message| {
        matches!(first_str(message, &["role", "type"]), "user" | "human") || message["kwargs"].is_object()
    });
    match (asked, &input) {
        (Some(message), _) => {
            let held = if message["kwargs"].is_object() { &message["kwargs"] } else { message };
            tree::words(&held["content"])
        }
        (None, Value::String(words)) => words.clone(),
        _ => String::new(),
    }
}

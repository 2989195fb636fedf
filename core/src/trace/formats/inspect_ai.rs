//! Inspect evaluation logs in JSON: every sample is a run with its messages and scores.
//!
//! Decides how a sample ended from its scores, and which call failed from the error beside its answer. An answer whose
//! call the log left out still tells the tool, so that its failure counts.

use alloc::format;
use alloc::string::ToString;

use serde_json::Value;

use crate::trace::event::{Body, Outcome, ResultStatus};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, list};
use crate::trace::verdict;

/// Reads logs and single samples.
pub(in crate::trace) const PARSER: Alone =
    Alone { read, lacks: "neither an Inspect log nor a sample of one" };

/// Whether a unit is a log, or a sample of one.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let log = unit["eval"].is_object() && (unit.get("version").is_some() || unit.get("samples").is_some());
    log || is_sample(unit)
}

fn is_sample(unit: &Value) -> bool {
    ["id", "epoch", "input", "target"].iter().all(|key| unit.get(key).is_some())
        && unit["messages"].is_array()
}

fn read(unit: &Value, out: &mut Sessions) -> bool {
    if is_sample(unit) {
        sample(unit, "", "", out);
        return true;
    }
    let eval = &unit["eval"];
    let run = str_at(eval, "run_id");
    let remote = str_at(&eval["revision"], "origin");
    for one in list(&unit["samples"]) {
        sample(one, run, remote, out);
    }
    eval.is_object()
}

fn sample(unit: &Value, run: &str, remote: &str, out: &mut Sessions) {
    let uuid = str_at(unit, "uuid");
    let id = tree::name(&unit["id"]).unwrap_or_default();
    let epoch = tree::name(&unit["epoch"]).unwrap_or_default();
    let name = if uuid.is_empty() { format!("{run}/{id}-{epoch}") } else { uuid.to_string() };
    let session = out.fresh(Some(&name));
    session.located("", remote);
    for message in list(&unit["messages"]) {
        add(message, session);
    }
    ended(unit, session);
}

fn add(message: &Value, session: &mut Session) {
    let id = Some(str_at(message, "id")).filter(|id| !id.is_empty());
    let meta = Meta { id, ..Meta::default() };
    match str_at(message, "role") {
        "user" => session.user(&meta, tree::words(&message["content"])),
        "assistant" => {
            session.thought(&meta, tree::words(&message["content"]));
            for call in list(&message["tool_calls"]) {
                let args = tree::arguments(&call["arguments"]);
                session.called(None, str_at(call, "id"), str_at(call, "function"), args);
            }
        }
        "tool" => answered(message, session),
        _ => {}
    }
}

fn answered(message: &Value, session: &mut Session) {
    let (id, tool) = (str_at(message, "tool_call_id"), str_at(message, "function"));
    if session.open_call(id, tool).is_none() && !tool.is_empty() {
        session.called(None, id, tool, Value::Null);
    }
    let error = &message["error"];
    let text = tree::text(&message["content"]);
    let result = if error.is_object() {
        let told = str_at(error, "message").to_string();
        let mut result = verdict::of_flag(true, tool, if told.is_empty() { text } else { told });
        if str_at(error, "type") == "approval" {
            result.status = ResultStatus::Refused;
        }
        result
    } else {
        verdict::of_tool(tool, text)
    };
    session.answered(id, tool, result);
}

fn ended(unit: &Value, session: &mut Session) {
    let error = tree::text(&unit["error"]["message"]);
    let limit = str_at(&unit["limit"], "type");
    if !error.is_empty() {
        session.add(&Meta::default(), Body::Failed { reason: error });
        return session.ended(Outcome::Failed);
    }
    if !limit.is_empty() {
        session.add(&Meta::default(), Body::Incomplete { reason: format!("{limit} limit") });
    }
    session.ended(outcome(&unit["scores"]));
}

/// A sample failed where any of its scores says so, and succeeded where all say so.
fn outcome(scores: &Value) -> Outcome {
    let mut all = Outcome::Unknown;
    for score in scores.as_object().into_iter().flatten().map(|(_, score)| &score["value"]) {
        match graded(score) {
            Outcome::Failed => return Outcome::Failed,
            Outcome::Unknown => return Outcome::Unknown,
            Outcome::Success => all = Outcome::Success,
        }
    }
    all
}

fn graded(score: &Value) -> Outcome {
    match score {
        Value::String(grade) => match grade.as_str() {
            "C" => Outcome::Success,
            "I" | "N" => Outcome::Failed,
            _ => Outcome::Unknown,
        },
        Value::Bool(right) => {
            if *right {
                Outcome::Success
            } else {
                Outcome::Failed
            }
        }
        Value::Number(number) => match number.as_f64() {
            Some(value) if value >= 1.0 => Outcome::Success,
            Some(value) if value <= 0.0 => Outcome::Failed,
            _ => Outcome::Unknown,
        },
        _ => Outcome::Unknown,
    }
}

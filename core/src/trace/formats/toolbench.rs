//! `ToolBench` answers: the tree of calls that an agent tried, dead branches included, and how it ended.
//!
//! Decides which call failed: by the code beside an observation, by its `error`, and by what the service behind it said
//! in `response`. That an answer was given does not say that it is right.

use alloc::string::{String, ToString};

use serde_json::Value;

use crate::trace::event::{Body, Outcome, ResultStatus, ToolResult};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, list};
use crate::trace::verdict;

/// Reads answers.
pub(in crate::trace) const PARSER: Alone = Alone { read, lacks: "no ToolBench answer" };

/// The call that ends a run.
const FINISH: &str = "Finish";

/// What services say in place of an answer, in objects that hold nothing else.
const COMPLAINTS: [&str; 9] = [
    "not subscribed",
    "does not exist",
    "unreachable",
    "too many requests",
    "exceeded the",
    "invalid api key",
    "rate limit",
    "timed out",
    "internal server error",
];

/// Whether a unit is an answer.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let answer = &unit["answer_generation"];
    answer.is_object() || unit["tree"]["tree"]["node_type"].is_string()
}

fn read(unit: &Value, out: &mut Sessions) -> bool {
    let answer = &unit["answer_generation"];
    let root = &unit["tree"]["tree"];
    let chains = list(&answer["train_messages"]);
    if !root.is_object() && chains.is_empty() && !answer.is_object() {
        return false;
    }
    let session = out.fresh(tree::name(&unit["query_id"]).as_deref());
    let query = str_at(answer, "query");
    let longest = chains.iter().max_by_key(|chain| list(chain).len()).unwrap_or(&Value::Null);
    if query.is_empty() {
        list(longest).iter().filter(|message| str_at(message, "role") == "user").take(1).for_each(
            |message| {
                session.user(&Meta::default(), tree::words(&message["content"]));
            },
        );
    } else {
        session.user(&Meta::default(), query.to_string());
    }
    if root.is_object() {
        node(root, "", session);
    } else {
        for message in list(longest) {
            add(message, session);
        }
    }
    if unit["win"].as_bool() == Some(false) || str_at(answer, "finish_type") == "give_up" {
        session.ended(Outcome::Failed);
    }
    true
}

/// A node and its branches, in the order in which they were tried.
fn node(unit: &Value, tool: &str, session: &mut Session) {
    let description = str_at(unit, "description");
    let mut next = tool;
    match str_at(unit, "node_type") {
        "Thought" => session.thought(&Meta::default(), description.to_string()),
        "Action" => next = description,
        "Action Input" if tool == FINISH => finished(description, session),
        "Action Input" if !tool.is_empty() => {
            session.called(None, "", tool, tree::arguments(&Value::String(description.to_string())));
            let result = observed(tree::text(&unit["observation"]), unit["observation_code"].as_i64());
            session.answer(session.last_place(), result);
        }
        _ => {}
    }
    for child in list(&unit["children"]) {
        node(child, next, session);
    }
}

fn add(message: &Value, session: &mut Session) {
    let call = &message["function_call"];
    match str_at(message, "role") {
        "assistant" => {
            session.thought(&Meta::default(), tree::words(&message["content"]));
            let arguments = str_at(call, "arguments");
            match str_at(call, "name") {
                "" => {}
                FINISH => finished(arguments, session),
                name => session.called(None, "", name, tree::arguments(&call["arguments"])),
            }
        }
        "function" => {
            let result = observed(tree::text(&message["content"]), None);
            session.answered("", str_at(message, "name"), result);
        }
        _ => {}
    }
}

fn finished(arguments: &str, session: &mut Session) {
    let given = tree::arguments(&Value::String(arguments.to_string()));
    let meta = Meta::default();
    match str_at(&given, "return_type") {
        "give_up_and_restart" | "give_up" => {
            session.add(&meta, Body::Incomplete { reason: String::from("gave up") });
        }
        _ => {
            let text = match str_at(&given, "final_answer") {
                "" => tree::text(&given),
                text => text.to_string(),
            };
            session.add(&meta, Body::Final { text });
        }
    }
}

fn observed(text: String, code: Option<i64>) -> ToolResult {
    let coded = code.is_some_and(|code| code != 0);
    let Ok(answer) = serde_json::from_str::<Value>(&text) else {
        return if coded { verdict::of_flag(true, "", text) } else { verdict::of_text(text) };
    };
    let error = tree::text(&answer["error"]);
    let response = tree::text(&answer["response"]);
    if coded || !error.is_empty() {
        // The service's own words say more than the code for them.
        let told = if response.is_empty() { error } else { response };
        return verdict::of_flag(true, "", if told.is_empty() { text } else { told });
    }
    let mut result = verdict::of_text(if response.is_empty() { text } else { response });
    if result.status == ResultStatus::Ok && complains(&result.text) {
        result.status = ResultStatus::Failed;
    }
    result
}

/// Whether a short object says only that the service did not do it.
fn complains(response: &str) -> bool {
    let text = response.trim().to_ascii_lowercase();
    text.len() < 400
        && text.starts_with("{'message") | text.starts_with("{\"message") | text.starts_with("{'detail")
        && COMPLAINTS.iter().any(|words| text.contains(words))
}

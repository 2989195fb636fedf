//! SWE-agent trajectories: steps of thought, action and observation.
//!
//! Decides which observation is a failure: the shell's status is not recorded, so only the text can tell, and the
//! agent's own edit command says that it rolled an edit back. A command of the agent's own interface is a tool of that
//! name; every other action is a command of the shell.

use alloc::string::{String, ToString};

use serde_json::{Value, json};

use crate::trace::event::{Body, Outcome, ResultStatus};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, first, list};
use crate::trace::verdict;

/// Reads trajectories.
pub(in crate::trace) const PARSER: Alone = Alone { read, lacks: "no SWE-agent trajectory" };

/// Commands of the agent's own interface, which are no programs.
const OWN: [&str; 16] = [
    "open",
    "goto",
    "scroll_up",
    "scroll_down",
    "create",
    "edit",
    "insert",
    "append",
    "search_dir",
    "search_file",
    "find_file",
    "submit",
    "view",
    "undo_edit",
    "filemap",
    "str_replace_editor",
];

/// How the agent's commands begin when they did not do it.
const REFUSED: [&str; 12] = [
    "Your proposed edit has introduced new syntax error",
    "Your edit was not applied",
    "EXECUTION TIMED OUT",
    "COMMAND TIMED OUT",
    "The command '",
    "Command failed",
    "Usage: ",
    "usage: ",
    "No file open",
    "File ",
    "Text not found",
    "Error: ",
];

/// Whether a unit is a trajectory.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    list(&unit["trajectory"])
        .first()
        .is_some_and(|step| step["action"].is_string() && step.get("observation").is_some())
}

fn read(unit: &Value, out: &mut Sessions) -> bool {
    let Some(steps) = unit["trajectory"].as_array() else { return false };
    let name = first(unit, &["instance_id", "problem_id"]);
    let name = tree::name(name).or_else(|| tree::name(&unit["info"]["instance_id"]));
    let session = out.fresh(name.as_deref());
    if let Some(task) = task(unit) {
        session.user(&Meta::default(), task);
    }
    let mut made = list(&unit["history"]).iter().filter(|message| {
        str_at(message, "role") == "assistant" && message["is_demo"].as_bool() != Some(true)
    });
    for step in steps {
        let action = str_at(step, "action");
        let call = made.next().filter(|message| str_at(message, "action") == action);
        let call = call.and_then(|message| list(&message["tool_calls"]).first()).unwrap_or(&Value::Null);
        add(step, call, session);
    }
    ended(&unit["info"], session);
    true
}

/// The first words of the history that are neither the system's nor a demonstration.
fn task(unit: &Value) -> Option<String> {
    let own =
        |message: &&Value| str_at(message, "role") == "user" && message["is_demo"].as_bool() != Some(true);
    let message = list(&unit["history"]).iter().find(own)?;
    Some(tree::words(&message["content"]))
}

/// Adds a step, with the call behind its action where the agent made one.
fn add(step: &Value, call: &Value, session: &mut Session) {
    let meta = Meta::default();
    session.thought(&meta, tree::words(first(step, &["thought", "response"])));
    let action = str_at(step, "action").trim_end();
    if action.trim().is_empty() {
        return;
    }
    let function = &call["function"];
    match str_at(function, "name") {
        "" => {
            let (name, args) = command(action, open_file(&step["state"]).as_deref());
            session.called(None, "", name, args);
        }
        name => session.called(None, str_at(call, "id"), name, tree::arguments(&function["arguments"])),
    }
    let at = session.last_place();
    let mut result = verdict::of_shell(tree::text(&step["observation"]));
    if result.status == ResultStatus::Ok && says_refused(&result.text) {
        result.status = ResultStatus::Failed;
    }
    session.answer(at, result);
}

/// A command as a call: of the agent's interface by its own name, else of the shell.
fn command<'a>(action: &'a str, open: Option<&str>) -> (&'a str, Value) {
    let (line, text) = action.split_once('\n').unwrap_or((action, ""));
    let (name, operands) = line.split_once(' ').unwrap_or((line, ""));
    if !OWN.contains(&name) {
        return ("bash", json!({"command": action}));
    }
    let mut args = serde_json::Map::new();
    let path = if matches!(name, "open" | "create") { operands.split(' ').next() } else { open };
    if let Some(path) = path.filter(|path| !path.is_empty() && name != "submit") {
        args.insert("path".to_string(), json!(path.trim_matches(['"', '\''])));
    }
    if !operands.is_empty() {
        args.insert("operands".to_string(), json!(operands));
    }
    if !text.is_empty() {
        args.insert("text".to_string(), json!(text.trim_end().trim_end_matches("end_of_edit")));
    }
    (name, Value::Object(args))
}

/// The file that the agent looks at, which the state of a step tells.
fn open_file(state: &Value) -> Option<String> {
    let state = tree::unpacked(state);
    Some(str_at(&state, "open_file").to_string()).filter(|path| !path.is_empty() && path != "n/a")
}

fn says_refused(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    REFUSED.iter().any(|start| {
        line.starts_with(start)
            && match *start {
                "File " => line.contains(" not found") || line.ends_with("does not exist"),
                "The command '" => line.contains("timed out") || line.contains("was cancelled"),
                _ => true,
            }
    })
}

/// The agent was done, or it was stopped; only a report says whether the task was.
fn ended(info: &Value, session: &mut Session) {
    let meta = Meta::default();
    let submission = str_at(info, "submission");
    let status = str_at(info, "exit_status");
    if status.starts_with("submitted") || status.is_empty() && !submission.is_empty() {
        session.add(&meta, Body::Final { text: submission.to_string() });
    } else if !status.is_empty() {
        session.add(&meta, Body::Incomplete { reason: status.to_string() });
    }
    match first(info, &["resolved", "success"]).as_bool() {
        Some(true) => session.ended(Outcome::Success),
        Some(false) => session.ended(Outcome::Failed),
        None => {}
    }
}

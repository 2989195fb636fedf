//! mini-swe-agent trajectories: chat messages in which the agent writes one command and the environment answers.
//!
//! Decides which message is a command, an observation or the host's reminder of the rules. Every answer to a command is
//! an observation, also one without a return code; only the first message is a person's.

use alloc::string::{String, ToString};

use serde_json::{Value, json};

use crate::trace::event::{Body, ToolResult};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, first, list};
use crate::trace::verdict;

/// Reads trajectories.
pub(in crate::trace) const PARSER: Alone = Alone { read, lacks: "no mini-swe-agent trajectory" };

/// The tool that runs the commands.
const SHELL: &str = "bash";

/// Whether a unit is a trajectory.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    if str_at(unit, "trajectory_format").starts_with("mini-swe-agent") {
        return true;
    }
    let messages = messages_of(unit);
    let chat = messages.first().is_some_and(|message| message.get("role").is_some());
    let told = |mark: &str| messages.iter().take(4).any(|message| str_at(message, "content").contains(mark));
    chat && (told("```mswea_bash_command")
        || told("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
        || told("<returncode>"))
}

fn messages_of(unit: &Value) -> &[Value] {
    list(if unit.is_array() { unit } else { &unit["messages"] })
}

fn read(unit: &Value, out: &mut Sessions) -> bool {
    let messages = messages_of(unit);
    if messages.is_empty() || !messages.iter().any(|message| message.get("role").is_some()) {
        return false;
    }
    let name = str_at(unit, "instance_id");
    let session = out.fresh(Some(name).filter(|name| !name.is_empty()));
    for message in messages {
        add(message, session);
    }
    ended(&unit["info"], session);
    true
}

fn add(message: &Value, session: &mut Session) {
    let ts = tree::time(first(message, &["timestamp", "created_at"]))
        .or_else(|| tree::time(&message["extra"]["timestamp"]));
    let meta = Meta { ts, ..Meta::default() };
    let content = tree::words(&message["content"]);
    match str_at(message, "role") {
        "assistant" => {
            let command = command_in(&content);
            session.thought(&meta, thought_of(&content).to_string());
            let calls = list(&message["tool_calls"]);
            for call in calls {
                let function = &call["function"];
                let args = tree::arguments(&function["arguments"]);
                session.called(ts, str_at(call, "id"), str_at(function, "name"), args);
            }
            if let Some(command) = command.filter(|_| calls.is_empty()) {
                session.called(ts, "", SHELL, json!({"command": command}));
            }
        }
        "tool" => {
            let id = str_at(message, "tool_call_id");
            session.answered(id, "", ToolResult { ts, ..observed(&content, &message["extra"]) });
        }
        "user" if session.open_call("", SHELL).is_some() => {
            session.answered("", SHELL, ToolResult { ts, ..observed(&content, &message["extra"]) });
        }
        "user" if session.has_task() => session.add(&meta, Body::Other),
        "user" => session.user(&meta, content),
        _ => {}
    }
}

/// The command in a message: what stands in its only block of shell code.
fn command_in(content: &str) -> Option<&str> {
    let (_, rest) =
        content.split_once("```mswea_bash_command\n").or_else(|| content.split_once("```bash\n"))?;
    let (command, _) = rest.rsplit_once("```")?;
    Some(command.trim_end()).filter(|command| !command.trim().is_empty())
}

fn thought_of(content: &str) -> &str {
    content.find("```").and_then(|at| content.get(..at)).unwrap_or(content).trim()
}

fn observed(content: &str, extra: &Value) -> ToolResult {
    let code = between(content, "<returncode>", "</returncode>").and_then(|code| code.trim().parse().ok());
    let text = between(content, "<output>", "</output>").unwrap_or(content).trim_matches('\n').to_string();
    match code.or_else(|| extra["returncode"].as_i64()) {
        Some(exit) => verdict::of_exit(exit, text),
        None if text.contains("timed out") && text.len() < 2_000 && !text.contains("diff --git") => {
            verdict::of_flag(true, SHELL, text)
        }
        None => verdict::of_shell(text),
    }
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    Some(rest.rsplit_once(close).map_or(rest, |(inner, _)| inner))
}

/// The agent was done, or it was stopped. Neither says whether the task was.
fn ended(info: &Value, session: &mut Session) {
    let meta = Meta::default();
    match str_at(info, "exit_status") {
        "" => {}
        "Submitted" | "submitted" => {
            session.add(&meta, Body::Final { text: str_at(info, "submission").to_string() });
        }
        status => session.add(&meta, Body::Incomplete { reason: String::from(status) }),
    }
}

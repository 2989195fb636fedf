//! Codex rollouts: one line an event, the conversation in items as OpenAI's Responses have them.
//!
//! Decides which call failed, which only the text of an answer tells ("exited with code N"). A command that went on in
//! the background is judged when it ends: by the host's note, or by the answer of the call that looked after it, which
//! itself worked. Never takes the host's instructions for a person's words.

use alloc::string::{String, ToString};

use hashbrown::HashMap;
use serde_json::Value;

use super::items;
use crate::env::Timestamp;
use crate::trace::event::{Body, ResultStatus, ToolResult};
use crate::trace::format::{Parse, parse_value, str_at};
use crate::trace::report::Bad;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, first_str, name};
use crate::trace::verdict;

/// How texts begin that the host writes in the user's place.
const HOST_TEXTS: [&str; 4] = [
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<environment_context>",
    "<permissions instructions>",
];

/// Calls that look after a command in the background.
const POLLS: [&str; 2] = ["write_stdin", "read_output"];

/// Reads rollouts.
#[derive(Debug, Default)]
pub(in crate::trace) struct Parser {
    session: String,
    root: String,
    /// The last words that were taken for a person's, and whether from an event: they come twice.
    said: Option<(String, bool)>,
    /// Commands that went on in the background, by their call and by the host's name for them.
    by_call: HashMap<String, usize>,
    by_process: HashMap<String, usize>,
}

/// Whether a line can only be a rollout's.
pub(in crate::trace) fn recognise(line: &Value) -> bool {
    let payload = &line["payload"];
    match str_at(line, "type") {
        "session_meta" => payload.is_object(),
        "turn_context" | "compacted" => payload.is_object() && line.get("timestamp").is_some(),
        "response_item" | "event_msg" => payload.get("type").is_some(),
        "" => is_first_line(line),
        _ => false,
    }
}

/// Whether a line is the first of an older rollout, which names the session without a type.
fn is_first_line(line: &Value) -> bool {
    let has = |key: &str| line.get(key).is_some();
    has("id") && has("timestamp") && has("instructions") && !has("role")
}

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let line = parse_value(text)?;
        let ts = tree::time(&line["timestamp"]);
        let kind = str_at(&line, "type");
        match kind {
            "session_meta" => self.began(&line["payload"], out),
            "" if is_first_line(&line) => self.began(&line, out),
            "turn_context" => self.session(out).located(str_at(&line["payload"], "cwd"), ""),
            "response_item" => self.item(&line["payload"], ts, out),
            "event_msg" => self.event(&line["payload"], ts, out),
            _ if items::is_item(kind) && line["payload"].is_null() => self.item(&line, ts, out),
            _ if line["payload"].is_object() || line.get("record_type").is_some() => {}
            _ => return Err(Bad::shape("no line of a rollout")),
        }
        Ok(())
    }
}

impl Parser {
    fn session<'s>(&self, out: &'s mut Sessions) -> &'s mut Session {
        if self.session.is_empty() { out.unnamed() } else { out.named(&self.session, &self.root) }
    }

    /// A rollout may begin with the head of the one it goes on from; the first names the session.
    fn began(&mut self, head: &Value, out: &mut Sessions) {
        let id = str_at(head, "id");
        if self.session.is_empty() && !id.is_empty() {
            self.session = id.to_string();
            let spawned = &head["source"]["subagent"];
            let parent = first_str(&spawned["thread_spawn"], &["parent_thread_id"]);
            let parent = if parent.is_empty() { first_str(spawned, &["parent_thread_id"]) } else { parent };
            self.root = if parent.is_empty() { id } else { parent }.to_string();
        }
        self.session(out).located(str_at(head, "cwd"), str_at(&head["git"], "repository_url"));
    }

    fn item(&mut self, item: &Value, ts: Option<Timestamp>, out: &mut Sessions) {
        let session = self.session(out);
        match (str_at(item, "type"), str_at(item, "role")) {
            ("message", "user") => self.words(tree::words(&item["content"]), false, ts, out),
            (kind, _) if kind.ends_with("_call_output") => {
                let id = str_at(item, "call_id");
                match session.open_call(id, "").map(|(tool, at)| (tool.to_string(), at)) {
                    Some((tool, at)) => self.answered(id, &tool, at, &item["output"], ts, out),
                    None => session.add(&Meta { ts, ..Meta::default() }, Body::Other),
                }
            }
            _ => {
                items::add(item, ts, session, items::plain);
            }
        }
    }

    fn answered(
        &mut self,
        id: &str,
        tool: &str,
        at: usize,
        output: &Value,
        ts: Option<Timestamp>,
        out: &mut Sessions,
    ) {
        let answer = Answer::of(output);
        let session = self.session(out);
        let polled = POLLS.contains(&tool).then(|| name(&session.args(at)["session_id"])).flatten();
        if let Some(place) = polled.and_then(|process| self.by_process.get(&process)).copied() {
            if let Some(exit) = answer.exit {
                let whole = session.status(place) == Some(ResultStatus::Missing);
                if whole {
                    session.answer(place, ToolResult { ts, ..verdict::of_exit(exit, answer.text.clone()) });
                }
            }
            let result = verdict::of_tool(tool, answer.text);
            let status = if answer.exit.is_some() { ResultStatus::Ok } else { result.status };
            return session.answer(at, ToolResult { ts, status, exit: None, ..result });
        }
        let result = match answer.exit {
            Some(exit) => with_verdict(exit, answer.text),
            None if answer.process.is_some() => ToolResult { text: answer.text, ..ToolResult::default() },
            None => verdict::of_tool(tool, answer.text),
        };
        session.answer(at, ToolResult { ts, ..result });
        if let Some(process) = answer.process {
            self.by_call.insert(id.to_string(), at);
            self.by_process.insert(process, at);
        }
    }

    fn event(&mut self, event: &Value, ts: Option<Timestamp>, out: &mut Sessions) {
        let meta = Meta { ts, ..Meta::default() };
        match str_at(event, "type") {
            "user_message" => self.words(tree::words(&event["message"]), true, ts, out),
            "exec_command_end" => {
                let place = self.by_call.remove(str_at(event, "call_id"));
                let session = self.session(out);
                if let (Some(at), Some(exit)) = (place, event["exit_code"].as_i64()) {
                    let text =
                        first_str(event, &["aggregated_output", "formatted_output", "stderr", "stdout"]);
                    session.answer(at, ToolResult { ts, ..verdict::of_exit(exit, text.to_string()) });
                }
            }
            "turn_aborted" => self.session(out).cancel_open(),
            "task_complete" => {
                let text = tree::words(&event["last_agent_message"]);
                if !text.is_empty() {
                    self.session(out).add(&meta, Body::Final { text });
                }
            }
            _ => {}
        }
    }

    /// What a person said comes twice, as an item and as an event; the host's texts come as items only.
    fn words(&mut self, words: String, by_event: bool, ts: Option<Timestamp>, out: &mut Sessions) {
        let trimmed = words.trim();
        if HOST_TEXTS.iter().any(|start| trimmed.starts_with(start)) {
            return;
        }
        let twin = self.said.take_if(|(said, event)| said == trimmed && *event != by_event);
        if twin.is_none() {
            self.said = Some((trimmed.to_string(), by_event));
            self.session(out).user(&Meta { ts, ..Meta::default() }, words);
        }
    }
}

/// A status of a process; a host that refused the command says so in place of output.
fn with_verdict(exit: i64, text: String) -> ToolResult {
    let given_up =
        if exit == 0 { None } else { verdict::given_up(&text).or_else(|| verdict::no_success(&text)) };
    let result = verdict::of_exit(exit, text);
    ToolResult { status: given_up.unwrap_or(result.status), ..result }
}

/// An output, without the host's head.
struct Answer {
    text: String,
    exit: Option<i64>,
    /// The host's name for a command that goes on.
    process: Option<String>,
}

impl Answer {
    fn of(output: &Value) -> Self {
        let text = items::output_text(output);
        if let Ok(packed) = serde_json::from_str::<Value>(&text)
            && packed["output"].is_string()
            && packed["metadata"].is_object()
        {
            let exit = packed["metadata"]["exit_code"].as_i64();
            return Self { text: str_at(&packed, "output").to_string(), exit, process: None };
        }
        let headed = ["Chunk ID:", "Wall time:", "Exit code:"].iter().any(|start| text.starts_with(start));
        let Some((head, body)) = text.split_once("Output:\n").filter(|_| headed) else {
            return Self { exit: None, process: None, text };
        };
        let process = head.lines().find_map(|line| line.strip_prefix("Process running with session ID "));
        let body = serde_json::from_str::<Value>(body)
            .ok()
            .filter(Value::is_array)
            .map(|parts| tree::words(&parts))
            .filter(|words| !words.is_empty())
            .unwrap_or_else(|| body.to_string());
        Self { exit: exit_in(head), process: process.map(|id| id.trim().to_string()), text: body }
    }
}

fn exit_in(head: &str) -> Option<i64> {
    head.lines().find_map(|line| {
        let code =
            line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "))?;
        code.trim().parse().ok()
    })
}

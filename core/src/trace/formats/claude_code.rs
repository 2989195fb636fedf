//! Claude Code: session files, sub-agent files, and what `--output-format stream-json` prints.
//!
//! Decides what people said, which calls failed and why not every error is one. Sub-agents are sessions of their own,
//! `<session>/<agent>`, in their session's root run. Never takes what the host wrote into the chat for a person's
//! words.
//!
//! The id of a call's event is that of the line with the call, so that it is the same before and after the answer came.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use hashbrown::HashSet;
use serde::Deserialize;
use serde_json::Value;

use crate::env::Timestamp;
use crate::trace::chat::{Content, Part};
use crate::trace::event::{Body, Outcome, ResultStatus, ToolResult};
use crate::trace::format::{Parse, str_at};
use crate::trace::json::{self, Flag, List, Node, Object, Text, Time};
use crate::trace::report::Bad;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::verdict;

/// How the host begins texts that it writes in the user's place.
const HOST_TEXTS: [&str; 5] = [
    "Caveat: The messages below were generated",
    "This session is being continued from a previous conversation",
    "Base directory for this skill:",
    "[Request interrupted by user",
    "[Image: ",
];

/// Reads Claude Code's lines.
#[derive(Debug, Default)]
pub(in crate::trace) struct Parser {
    /// The session of the last line that named one, for lines that do not.
    session: String,
    /// Lines read, by id and length: a file may hold the same lines twice.
    seen: HashSet<(String, usize)>,
}

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let mut spare = String::new();
        let node = json::parse::<Node<Line<'_>>>(text, &mut spare)?;
        let known = self.node(node, text.len(), out);
        if known { Ok(()) } else { Err(Bad::shape("no line of a Claude Code session")) }
    }
}

/// Whether a line can only be Claude Code's.
pub(in crate::trace) fn recognise(line: &Value) -> bool {
    let line = match line {
        Value::Array(list) => list.first().unwrap_or(line),
        other => other.get("loglines").and_then(|lines| lines.get(0)).unwrap_or(other),
    };
    let has = |key: &str| line.get(key).is_some();
    let session = has("sessionId") || has("session_id");
    match str_at(line, "type") {
        "user" | "assistant" => line.get("message").is_some_and(|message| message.get("content").is_some()),
        "summary" => has("leafUuid"),
        "system" | "result" => has("subtype") && session,
        "file-history-snapshot" => has("snapshot"),
        "" => false,
        _ => session && has("uuid"),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Line<'a> {
    #[serde(rename = "type")]
    kind: Text<'a>,
    subtype: Text<'a>,
    uuid: Text<'a>,
    #[serde(rename = "sessionId")]
    session_id: Text<'a>,
    #[serde(rename = "session_id")]
    stream_session: Text<'a>,
    #[serde(rename = "agentId")]
    agent_id: Text<'a>,
    parent_tool_use_id: Text<'a>,
    #[serde(rename = "isSidechain")]
    sidechain: Flag,
    #[serde(rename = "isMeta")]
    meta: Flag,
    #[serde(rename = "isCompactSummary")]
    compact_summary: Flag,
    timestamp: Time,
    cwd: Text<'a>,
    message: Object<Message<'a>>,
    #[serde(rename = "toolUseResult")]
    outcome: Object<ToolUseResult>,
    is_error: Flag,
    result: Text<'a>,
    loglines: List<Line<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Message<'a> {
    content: Content<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToolUseResult {
    interrupted: Flag,
}

impl Parser {
    fn node(&mut self, node: Node<Line<'_>>, len: usize, out: &mut Sessions) -> bool {
        match node {
            Node::Leaf(mut line) if !line.loglines.0.is_empty() => {
                let mut known = false;
                for line in core::mem::take(&mut line.loglines.0) {
                    known |= self.line(line, 0, out);
                }
                known
            }
            Node::Leaf(line) => self.line(line, len, out),
            Node::Branch(nodes) => {
                let mut known = false;
                for node in nodes {
                    known |= self.node(node, 0, out);
                }
                known
            }
            Node::Nothing => false,
        }
    }

    /// Whether the line is one that the format has; most kinds of line tell nothing about the run.
    fn line(&mut self, line: Line<'_>, len: usize, out: &mut Sessions) -> bool {
        let Some(kind) = line.kind.get() else { return false };
        if !matches!(kind, "user" | "assistant" | "result") {
            let named = matches!(kind, "summary" | "file-history-snapshot" | "system");
            if let Some(cwd) = line.cwd.get()
                && line.subtype.get() == Some("init")
            {
                self.session(&line, out).located(cwd, "");
            }
            return named || line.uuid.get().is_some() || line.session_id.get().is_some();
        }
        if kind != "result"
            && line.message.0.as_ref().is_none_or(|message| message.content == Content::Nothing)
        {
            return false;
        }
        if let Some(uuid) = line.uuid.get()
            && len > 0
            && !self.seen.insert((uuid.to_string(), len))
        {
            return true;
        }
        let session = self.session(&line, out);
        session.located(line.cwd.get().unwrap_or_default(), "");
        match kind {
            "user" => user_line(line, session),
            "assistant" => assistant_line(line, session),
            _ => result_line(line, session),
        }
        true
    }

    fn session<'s>(&mut self, line: &Line<'_>, out: &'s mut Sessions) -> &'s mut Session {
        if let Some(id) = line.session_id.get().or(line.stream_session.get())
            && id != self.session
        {
            self.session = id.to_string();
        }
        if self.session.is_empty() {
            return out.unnamed();
        }
        let agent = match (line.agent_id.get(), line.parent_tool_use_id.get()) {
            (Some(agent), _) if line.sidechain.set() => agent,
            (_, Some(call)) => call,
            _ if line.sidechain.set() => "sidechain",
            _ => return out.named(&self.session, &self.session),
        };
        out.named(&format!("{}/{agent}", self.session), &self.session)
    }
}

fn user_line(line: Line<'_>, session: &mut Session) {
    let meta = Meta { id: line.uuid.get(), global: true, ts: line.timestamp.0 };
    let by_host = line.meta.set() || line.compact_summary.set();
    let interrupted = line.outcome.0.is_some_and(|outcome| outcome.interrupted.set());
    let content = line.message.0.map(|message| message.content).unwrap_or_default();
    match content {
        Content::Nothing => {}
        Content::Text(text) => said(&text, by_host, &meta, session),
        Content::Parts(parts) => {
            for part in parts {
                if part.kind.get() == Some("tool_result") {
                    answered(part, interrupted, &meta, session);
                } else if let Some(text) = part.text.get() {
                    said(text, by_host, &meta, session);
                }
            }
        }
    }
}

fn said(text: &str, by_host: bool, meta: &Meta<'_>, session: &mut Session) {
    if text.starts_with("[Request interrupted by user") {
        return session.cancel_open();
    }
    if by_host {
        return;
    }
    let words = without_reminders(text);
    let words = words.trim();
    if let Some(task) = command(words) {
        if !session.has_task() {
            session.user(meta, task);
        }
    } else if !written_by_host(words) {
        session.user(meta, words.to_string());
    }
}

fn answered(part: Part<'_>, interrupted: bool, meta: &Meta<'_>, session: &mut Session) {
    let Some((tool, at)) = session.open_call(part.tool_use_id.get().unwrap_or_default(), "") else {
        return session.add(meta, Body::Other);
    };
    let (error, shell) = (part.is_error.set(), tool == "Bash");
    let result = judge(part.content.into_text(), error, interrupted, shell, meta.ts);
    session.answer(at, result);
}

fn judge(text: String, error: bool, interrupted: bool, shell: bool, ts: Option<Timestamp>) -> ToolResult {
    let (text, wrapped) = match text.trim().strip_prefix("<tool_use_error>") {
        Some(inner) => (inner.strip_suffix("</tool_use_error>").unwrap_or(inner).to_string(), true),
        None => (text, false),
    };
    let exit = if shell { verdict::leading_exit(&text) } else { None };
    let failed = error || wrapped || exit.is_some_and(|code| code != 0);
    let status =
        if failed { verdict::given_up(&text).unwrap_or(ResultStatus::Failed) } else { ResultStatus::Ok };
    let status =
        if interrupted && status != ResultStatus::Refused { ResultStatus::Cancelled } else { status };
    ToolResult { ts, status, cut: verdict::is_cut(&text), exit, text }
}

fn assistant_line(line: Line<'_>, session: &mut Session) {
    let meta = Meta { id: line.uuid.get(), global: true, ts: line.timestamp.0 };
    match line.message.0.map(|message| message.content).unwrap_or_default() {
        Content::Nothing => {}
        Content::Text(text) => session.thought(&meta, text.into_owned()),
        Content::Parts(parts) => {
            for part in parts {
                match part.kind.get() {
                    Some("tool_use") => session.call(&meta, part.id.owned(), part.name.owned(), part.input),
                    Some("thinking") => session.thought(&meta, part.thinking.owned()),
                    _ => session.thought(&meta, part.text.owned()),
                }
            }
        }
    }
}

/// The last line of a stream. That the program ended well does not say that the task was done.
fn result_line(line: Line<'_>, session: &mut Session) {
    let meta = Meta { id: line.uuid.get(), global: true, ts: line.timestamp.0 };
    let text = line.result.0.map(Cow::into_owned).unwrap_or_default();
    match line.subtype.get() {
        Some("error_max_turns") => {
            session.add(&meta, Body::Incomplete { reason: "error_max_turns".to_string() });
        }
        Some("success") if !line.is_error.set() => session.add(&meta, Body::Final { text }),
        subtype => {
            let reason = if text.is_empty() { subtype.unwrap_or_default().to_string() } else { text };
            session.add(&meta, Body::Failed { reason });
            session.ended(Outcome::Failed);
        }
    }
}

/// What stands after a slash command, with the command: the task, where a session begins with one.
fn command(text: &str) -> Option<String> {
    if !text.starts_with("<command-") {
        return None;
    }
    let name = between(text, "<command-name>", "</command-name>").unwrap_or_default();
    let args = between(text, "<command-args>", "</command-args>").unwrap_or_default();
    Some(if args.is_empty() { String::new() } else { format!("{name} {args}").trim().to_string() })
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    Some(rest.split_once(close).map_or(rest, |(inner, _)| inner).trim())
}

/// Whether a text begins like one of the host's: with a known phrase, or with a tag whose name has several parts.
fn written_by_host(text: &str) -> bool {
    if HOST_TEXTS.iter().any(|phrase| text.starts_with(phrase)) {
        return true;
    }
    let Some((tag, _)) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')) else { return false };
    tag.contains(['-', '_'])
        && tag.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'))
}

fn without_reminders(text: &str) -> Cow<'_, str> {
    const OPEN: &str = "<system-reminder>";
    const CLOSE: &str = "</system-reminder>";
    if !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        out.push_str(before);
        rest = after.split_once(CLOSE).map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

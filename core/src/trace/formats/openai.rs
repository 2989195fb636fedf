//! OpenAI chat messages with tool calls: a list, an object that holds one, a message or a conversation a line, and
//! tau-bench's sessions. Anthropic's messages differ in where calls and answers stand, and are read here too.
//!
//! Decides pairing and failures, which are only in the text of an answer. Never takes instructions (system, developer)
//! for a person's words.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::Value;

use crate::trace::chat::{Content, Function, FunctionCall, Part, arguments};
use crate::trace::event::{Outcome, ToolResult};
use crate::trace::format::{Parse, messages_of, str_at};
use crate::trace::json::{self, List, Name, Node, Number, Object, Text, Time};
use crate::trace::report::Bad;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::verdict;

/// Where objects keep their messages, so that nothing else can be meant. Under other keys they are read when the format
/// was named.
const KEYS: [&str; 2] = ["messages", "traj"];

/// Reads messages and conversations.
#[derive(Debug)]
pub(in crate::trace) struct Parser;

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let mut spare = String::new();
        let known = match json::parse::<Node<Record<'_>>>(text, &mut spare)? {
            Node::Leaf(record) if record.is_message() => {
                let session = match record.session_name() {
                    Some(id) => out.named(id, id),
                    None => out.unnamed(),
                };
                message(record, session);
                true
            }
            node => conversations(node, out),
        };
        if known { Ok(()) } else { Err(Bad::shape("neither a chat message nor a list of them")) }
    }
}

/// Whether a unit holds chat messages of this format.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let messages = messages_of(unit, &KEYS);
    let known = |message: &Value| {
        let speaks = ["content", "tool_calls", "function_call"].iter().any(|key| message.get(key).is_some());
        let role = str_at(message, "role");
        speaks && ["system", "developer", "user", "assistant", "tool", "function"].contains(&role)
    };
    let other = unit.get("trajectory_format").is_some();
    !other && messages.first().is_some_and(known) && !messages.iter().any(has_blocks)
}

/// Whether a unit holds messages with calls or answers as parts of their content, as Anthropic's have them.
pub(in crate::trace) fn has_tool_blocks(unit: &Value) -> bool {
    let messages = messages_of(unit, &KEYS);
    messages
        .iter()
        .any(|message| matches!(str_at(message, "role"), "user" | "assistant") && has_blocks(message))
}

/// Whether a unit holds messages in which nothing tells one chat format from another.
pub(in crate::trace) fn is_plain(unit: &Value) -> bool {
    messages_of(unit, &KEYS).iter().all(|message| {
        let calls =
            ["tool_calls", "function_call", "tool_call_id"].iter().any(|key| message.get(key).is_some());
        !calls && !matches!(str_at(message, "role"), "tool" | "function")
    })
}

/// Adds one message.
pub(in crate::trace) fn add_message(value: &Value, session: &mut Session) {
    if let Ok(record) = Record::deserialize(value) {
        message(record, session);
    }
}

fn has_blocks(message: &Value) -> bool {
    let parts = message.get("content").and_then(Value::as_array);
    parts.is_some_and(|parts| {
        parts.iter().any(|part| {
            let kind = str_at(part, "type");
            kind.ends_with("tool_use") || kind.ends_with("tool_result")
        })
    })
}

/// A message, or an object that holds a conversation.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Record<'a> {
    role: Text<'a>,
    content: Content<'a>,
    name: Text<'a>,
    tool_calls: List<FunctionCall<'a>>,
    function_call: Object<Function<'a>>,
    tool_call_id: Text<'a>,
    timestamp: Time,
    created_at: Time,
    session_id: Name,
    conversation_id: Name,
    thread_id: Name,
    run_id: Name,
    id: Name,
    task_id: Name,
    trial: Name,
    reward: Number,
    messages: Inner<'a>,
    traj: Inner<'a>,
    trajectory: Inner<'a>,
    conversation: Inner<'a>,
    history: Inner<'a>,
}

/// Messages in an object.
type Inner<'a> = Option<Box<Node<Record<'a>>>>;

impl<'a> Record<'a> {
    fn is_message(&self) -> bool {
        self.role.get().is_some() && self.messages.is_none()
    }

    fn session_name(&self) -> Option<&str> {
        let names = [&self.session_id, &self.conversation_id, &self.thread_id, &self.run_id];
        names.into_iter().find_map(Name::get)
    }

    fn inner(&mut self) -> Option<Node<Record<'a>>> {
        let places = [
            &mut self.messages,
            &mut self.traj,
            &mut self.trajectory,
            &mut self.conversation,
            &mut self.history,
        ];
        places.into_iter().find_map(Option::take).map(|inner| *inner)
    }

    fn own_name(&self) -> Option<String> {
        if let (Some(task), Some(trial)) = (self.task_id.get(), self.trial.get()) {
            return Some(format!("t{task}-r{trial}"));
        }
        self.session_name().or(self.id.get()).or(self.task_id.get()).map(ToString::to_string)
    }
}

/// Reads what holds conversations; whether there was one.
fn conversations(node: Node<Record<'_>>, out: &mut Sessions) -> bool {
    match node {
        Node::Nothing => false,
        Node::Leaf(mut record) => {
            let Some(Node::Branch(nodes)) = record.inner() else { return false };
            let session = out.fresh(record.own_name().as_deref());
            if let Some(reward) = record.reward.0 {
                session.ended(if reward >= 1.0 { Outcome::Success } else { Outcome::Failed });
            }
            messages(nodes, session)
        }
        Node::Branch(nodes)
            if nodes.iter().any(|node| matches!(node, Node::Leaf(record) if record.is_message())) =>
        {
            messages(nodes, out.fresh(None))
        }
        Node::Branch(nodes) => {
            let mut known = false;
            for node in nodes {
                known |= conversations(node, out);
            }
            known
        }
    }
}

fn messages(nodes: Vec<Node<Record<'_>>>, session: &mut Session) -> bool {
    let mut known = false;
    for node in nodes {
        if let Node::Leaf(record) = node
            && record.is_message()
        {
            known = true;
            message(record, session);
        }
    }
    known
}

fn message(record: Record<'_>, session: &mut Session) {
    let meta = Meta { ts: record.timestamp.0.or(record.created_at.0), ..Meta::default() };
    match record.role.get() {
        Some("user") => user(record.content, &meta, session),
        Some("assistant") => {
            assistant(record.content, &meta, session);
            for call in record.tool_calls.0 {
                let id = call.id.owned();
                let Object(Some(function)) = call.function else { continue };
                session.called(meta.ts, &id, &function.name.owned(), arguments(function.arguments));
            }
            if let Object(Some(function)) = record.function_call {
                session.called(meta.ts, "", &function.name.owned(), arguments(function.arguments));
            }
        }
        Some("tool" | "function") => {
            let id = record.tool_call_id.0.unwrap_or(Cow::Borrowed(""));
            let name = record.name.get().unwrap_or_default();
            let tool = session.tool_of(&id, name);
            let result = verdict::of_tool(&tool, record.content.into_text());
            session.answered(&id, name, ToolResult { ts: meta.ts, ..result });
        }
        _ => {}
    }
}

/// What a person says; Anthropic's answers of tools stand among it.
fn user(content: Content<'_>, meta: &Meta<'_>, session: &mut Session) {
    let Content::Parts(parts) = content else { return session.user(meta, content.into_text()) };
    let mut words = Vec::new();
    for part in parts {
        if part.kind.get().is_some_and(|kind| kind.ends_with("tool_result")) {
            answered(part, meta, session);
        } else {
            words.push(part);
        }
    }
    session.user(meta, Content::Parts(words).into_text());
}

/// What the agent says; Anthropic's calls stand among it, and answers of tools that the provider ran.
fn assistant(content: Content<'_>, meta: &Meta<'_>, session: &mut Session) {
    let Content::Parts(parts) = content else { return session.thought(meta, content.into_text()) };
    let mut words = Vec::new();
    for part in parts {
        match part.kind.get() {
            Some(kind) if kind.ends_with("tool_use") => {
                let (id, name) = (part.id.owned(), part.name.owned());
                session.thought(meta, Content::Parts(core::mem::take(&mut words)).into_text());
                session.called(meta.ts, &id, &name, part.input);
            }
            Some(kind) if kind.ends_with("tool_result") => answered(part, meta, session),
            Some("thinking") => session.thought(meta, part.thinking.owned()),
            _ => words.push(part),
        }
    }
    session.thought(meta, Content::Parts(words).into_text());
}

fn answered(part: Part<'_>, meta: &Meta<'_>, session: &mut Session) {
    let id = part.tool_use_id.owned();
    let tool = session.tool_of(&id, "");
    let text = part.content.into_text();
    let result = match part.is_error.0 {
        Some(failed) => verdict::of_flag(failed, &tool, text),
        None => verdict::of_tool(&tool, text),
    };
    session.answered(&id, "", ToolResult { ts: meta.ts, ..result });
}

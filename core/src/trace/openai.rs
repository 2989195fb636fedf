//! OpenAI chat messages with tool calls: a list, an object that holds one, a message or a conversation a line, and
//! tau-bench's sessions.
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

use super::chat::{Content, Function, FunctionCall, arguments};
use super::event::{Body, Outcome, ToolResult};
use super::format::{Parse, messages_of, str_at};
use super::json::{self, List, Name, Node, Number, Object, Text, Time};
use super::report::Bad;
use super::sessions::{Meta, Session, Sessions};
use super::verdict;

/// Where objects keep their messages, so that nothing else can be meant. Under other keys they are read when the format
/// was named.
const KEYS: [&str; 2] = ["messages", "traj"];

/// Reads messages and conversations.
#[derive(Debug)]
pub(super) struct Parser;

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
pub(super) fn recognise(unit: &Value) -> bool {
    let messages = messages_of(unit, &KEYS);
    let known = |message: &Value| {
        let speaks = ["content", "tool_calls", "function_call"].iter().any(|key| message.get(key).is_some());
        let role = str_at(message, "role");
        speaks && ["system", "developer", "user", "assistant", "tool", "function"].contains(&role)
    };
    let other = unit.get("trajectory_format").is_some();
    !other && messages.first().is_some_and(known) && !messages.iter().any(has_blocks)
}

/// Whether a message carries calls or answers as parts of its content, as Anthropic's do.
fn has_blocks(message: &Value) -> bool {
    let parts = message.get("content").and_then(Value::as_array);
    parts.is_some_and(|parts| parts.iter().any(|part| str_at(part, "type").starts_with("tool_")))
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
        Some("user") => session.user(&meta, record.content.into_text()),
        Some("assistant") => {
            session.thought(&meta, record.content.into_text());
            for call in record.tool_calls.0 {
                let id = call.id.owned();
                let Object(Some(function)) = call.function else { continue };
                called(id, function, &meta, session);
            }
            if let Object(Some(function)) = record.function_call {
                called(String::new(), function, &meta, session);
            }
        }
        Some("tool" | "function") => {
            let id = record.tool_call_id.0.unwrap_or(Cow::Borrowed(""));
            let place = session.open_call(&id, record.name.get().unwrap_or_default()).map(|(_, at)| at);
            let text = record.content.into_text();
            match place {
                Some(at) => {
                    session.answer(at, ToolResult { ts: meta.ts, ..verdict::of_text(text) });
                }
                None => session.add(&meta, Body::Other),
            }
        }
        _ => {}
    }
}

fn called(id: String, function: Function<'_>, meta: &Meta<'_>, session: &mut Session) {
    let event_id = Some(id.clone()).filter(|id| !id.is_empty());
    let meta = Meta { id: event_id.as_deref(), ..meta.clone() };
    session.call(&meta, id, function.name.owned(), arguments(function.arguments));
}

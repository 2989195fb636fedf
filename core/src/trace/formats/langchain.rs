//! Messages of `LangChain` and `LangGraph`: `messages_to_dict`, flat dictionaries, and the `lc` form of constructors.
//!
//! Decides which form a message has and what it says. Run exports are another format. A message without `status` or
//! with its default, `success`, is judged by its text.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::Value;

use crate::trace::chat::{Content, Function, FunctionCall, arguments};
use crate::trace::event::ToolResult;
use crate::trace::format::{Parse, messages_of, str_at};
use crate::trace::json::{self, List, Name, Node, Object, Text, Time};
use crate::trace::report::Bad;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::verdict;

/// Where objects keep their messages.
const KEYS: [&str; 2] = ["messages", "values"];

/// Reads messages and conversations.
#[derive(Debug)]
pub(in crate::trace) struct Parser;

impl Parse for Parser {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        let mut spare = String::new();
        let known = match json::parse::<Node<Record<'_>>>(text, &mut spare)? {
            Node::Leaf(record) if record.is_message() => {
                message(record, out.unnamed());
                true
            }
            node => conversations(node, out),
        };
        if known { Ok(()) } else { Err(Bad::shape("neither a LangChain message nor a list of them")) }
    }
}

/// Whether a unit holds `LangChain` messages.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    messages_of(unit, &KEYS).first().is_some_and(|message| {
        let kind = str_at(message, "type");
        if kind == "constructor" {
            return message.get("lc").is_some() && message.get("kwargs").is_some();
        }
        let speaks = message.get("data").is_some_and(Value::is_object) || message.get("content").is_some();
        speaks && message.get("message").is_none() && role_of(kind).is_some()
    })
}

/// A message in any of its forms, or an object that holds a conversation.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Record<'a> {
    #[serde(rename = "type")]
    kind: Text<'a>,
    data: Option<Box<Object<Record<'a>>>>,
    kwargs: Option<Box<Object<Record<'a>>>>,
    /// A message's id; in the `lc` form the path of its class.
    id: Value,
    content: Content<'a>,
    name: Text<'a>,
    tool_calls: List<Call<'a>>,
    invalid_tool_calls: List<Call<'a>>,
    additional_kwargs: Object<Extra<'a>>,
    tool_call_id: Text<'a>,
    status: Text<'a>,
    timestamp: Time,
    thread_id: Name,
    session_id: Name,
    run_id: Name,
    messages: Option<Box<Node<Record<'a>>>>,
    /// The state of a graph, with its messages.
    values: Option<Box<Node<Record<'a>>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Call<'a> {
    id: Text<'a>,
    name: Text<'a>,
    args: Value,
}

/// Calls as the provider sent them, in messages that have them nowhere else.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Extra<'a> {
    tool_calls: List<FunctionCall<'a>>,
    function_call: Object<Function<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Human,
    Agent,
    Tool,
    /// System and other messages that nobody of the run says.
    Aside,
}

impl<'a> Record<'a> {
    fn is_message(&self) -> bool {
        self.messages.is_none() && self.role().is_some()
    }

    fn role(&self) -> Option<Role> {
        if self.kwargs.is_some() {
            return self.id.as_array().and_then(|path| path.last()).and_then(Value::as_str).and_then(role_of);
        }
        self.kind.get().and_then(role_of)
    }

    /// The fields of the message, wherever its form keeps them.
    fn fields(self) -> Record<'a> {
        match (self.data, self.kwargs) {
            (Some(inner), _) | (None, Some(inner)) => inner.0.unwrap_or_default(),
            (None, None) => Record { data: None, kwargs: None, ..self },
        }
    }
}

fn role_of(kind: &str) -> Option<Role> {
    Some(match kind {
        "human" | "HumanMessage" | "HumanMessageChunk" => Role::Human,
        "ai" | "AIMessage" | "AIMessageChunk" => Role::Agent,
        "tool" | "ToolMessage" | "function" | "FunctionMessage" => Role::Tool,
        "system" | "SystemMessage" | "chat" | "ChatMessage" | "remove" | "RemoveMessage" => Role::Aside,
        _ => return None,
    })
}

/// Reads what holds conversations; whether there was one.
fn conversations(node: Node<Record<'_>>, out: &mut Sessions) -> bool {
    match node {
        Node::Nothing => false,
        Node::Leaf(mut record) => match record.messages.take().or(record.values.take()).map(|inner| *inner) {
            Some(Node::Branch(nodes)) => {
                let names = [&record.thread_id, &record.session_id, &record.run_id];
                let name =
                    names.into_iter().find_map(Name::get).or(record.id.as_str()).map(ToString::to_string);
                messages(nodes, out.fresh(name.as_deref()))
            }
            Some(inner) => conversations(inner, out),
            None => false,
        },
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
    let Some(role) = record.role() else { return };
    let fields = record.fields();
    let id = fields.id.as_str().map(ToString::to_string);
    let meta = Meta { id: id.as_deref(), global: false, ts: fields.timestamp.0 };
    match role {
        Role::Human => session.user(&meta, fields.content.into_text()),
        Role::Agent => agent(fields, &meta, session),
        Role::Tool => tool(fields, &meta, session),
        Role::Aside => {}
    }
}

fn agent(fields: Record<'_>, meta: &Meta<'_>, session: &mut Session) {
    session.thought(meta, fields.content.into_text());
    let extra = fields.additional_kwargs.0.unwrap_or_default();
    let plain = fields.tool_calls.0.is_empty() && fields.invalid_tool_calls.0.is_empty();
    for call in fields.tool_calls.0.into_iter().chain(fields.invalid_tool_calls.0) {
        called(&call.id.owned(), &call.name.owned(), call.args, meta, session);
    }
    if plain {
        for call in extra.tool_calls.0 {
            let Object(Some(function)) = call.function else { continue };
            called(&call.id.owned(), &function.name.owned(), function.arguments, meta, session);
        }
        if let Object(Some(function)) = extra.function_call {
            called("", &function.name.owned(), function.arguments, meta, session);
        }
    }
}

fn called(id: &str, name: &str, args: Value, meta: &Meta<'_>, session: &mut Session) {
    session.called(meta.ts, id, name, arguments(args));
}

fn tool(fields: Record<'_>, meta: &Meta<'_>, session: &mut Session) {
    let id = fields.tool_call_id.0.unwrap_or(Cow::Borrowed(""));
    let name = fields.name.get().unwrap_or_default();
    let tool = session.tool_of(&id, name);
    let text = fields.content.into_text();
    let result = match fields.status.get() {
        Some("error") => verdict::of_flag(true, &tool, text),
        _ => verdict::of_tool(&tool, text),
    };
    session.answered(&id, name, ToolResult { ts: meta.ts, ..result });
}

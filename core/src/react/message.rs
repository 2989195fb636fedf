//! The messages of the agents' channel.
//!
//! Decides what a message is and to whom it goes. Never decides what follows from one, and never how a channel keeps
//! it: a file has TOML, a program a list.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::env::{Seed, Timestamp};

/// A place in a channel, after a message: it only ever grows. A file counts bytes or lines, a list its entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Position(pub u64);

/// The recipient that stands for everybody.
pub const EVERYBODY: &str = "all";

/// One message of a channel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who posted it.
    pub from: String,
    /// To whom: names with commas between them, or `all`.
    pub to: String,
    /// What it belongs to: an intent and all that is said about it share one.
    pub thread: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// When it was posted: the host takes the time while it holds the lock.
    pub ts: Timestamp,
    /// What it says.
    pub text: String,
}

impl Message {
    /// The names that it goes to, each once, in order; `all` as it is.
    pub fn recipients(&self) -> Vec<&str> {
        let mut out = Vec::new();
        for name in self.to.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if !out.contains(&name) {
                out.push(name);
            }
        }
        out
    }

    /// Whether it goes to this agent; nobody writes to itself.
    pub fn is_to(&self, name: &str) -> bool {
        self.from != name && self.recipients().iter().any(|one| *one == name || *one == EVERYBODY)
    }

    /// The seed of what a memory writes because of it: the same message gives the same operation, so that a message
    /// that is read again after a crash counts once. `what` tells operations on one message apart.
    pub fn seed(&self, what: &str) -> Seed {
        let mut hasher = blake3::Hasher::new();
        let ts = self.ts.0.to_string();
        for part in [what, &self.from, &self.to, &self.thread, self.kind.as_str(), &ts, &self.text] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        let mut out = [0; 16];
        hasher.finalize_xof().fill(&mut out);
        Seed(out)
    }
}

/// What is to be posted: a message without its time, which the host takes at the moment of posting, under the lock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Who posts it.
    pub from: String,
    /// To whom.
    pub to: String,
    /// What it belongs to.
    pub thread: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// What it says.
    pub text: String,
}

impl Draft {
    /// The message, posted at this moment.
    pub fn posted(self, ts: Timestamp) -> Message {
        let Self { from, to, thread, kind, text } = self;
        Message { from, to, thread, kind, ts, text }
    }
}

/// What a message is. Unknown types are kept by their name and ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// Somebody joins; posted before anything is loaded.
    Ready,
    /// Something to know. No answer.
    #[default]
    Info,
    /// A situation and what its sender is about to do in it. Every recipient answers.
    Intent,
    /// Nothing to object, or no longer.
    Ack,
    /// An objection: the initiator answers before it goes on.
    Wait,
    /// The initiator has acted.
    Done,
    /// A fact that somebody is sure of: `s -> p -> o`.
    Learned,
    /// An argument that its parties could not end.
    Escalate,
    /// The lead ends the session.
    Shutdown,
    /// Of a type that this build does not know.
    Other(String),
}

impl MessageKind {
    /// The name in a channel.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Ready => "ready",
            Self::Info => "info",
            Self::Intent => "intent",
            Self::Ack => "ack",
            Self::Wait => "wait",
            Self::Done => "done",
            Self::Learned => "learned",
            Self::Escalate => "escalate",
            Self::Shutdown => "shutdown",
            Self::Other(name) => name,
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Self {
        match name {
            "ready" => Self::Ready,
            "info" => Self::Info,
            "intent" => Self::Intent,
            "ack" => Self::Ack,
            "wait" => Self::Wait,
            "done" => Self::Done,
            "learned" => Self::Learned,
            "escalate" => Self::Escalate,
            "shutdown" => Self::Shutdown,
            other => Self::Other(other.into()),
        }
    }
}

impl Serialize for MessageKind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for MessageKind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(|name| Self::from_name(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_survives_the_wire_and_an_unknown_type_keeps_its_name() {
        let json = concat!(
            r#"{"from":"a","to":"b, c,b","thread":"t","type":"vote","#,
            r#""ts":"2026-05-01T09:30:00.000Z","text":"x\r\n\"\"\""}"#
        );
        let message: Message = serde_json::from_str(json).expect("a message");
        assert_eq!(message.kind, MessageKind::Other("vote".into()));
        assert_eq!(message.recipients(), ["b", "c"]);
        assert_eq!(serde_json::to_string(&message).expect("written"), json);
    }

    #[test]
    fn nobody_writes_to_itself_and_all_are_the_others() {
        let message = Message { from: "a".into(), to: "all".into(), ..Message::default() };
        assert!(message.is_to("b") && !message.is_to("a"));
    }

    #[test]
    fn one_message_has_one_seed_for_each_purpose() {
        let a = Message { text: "x".into(), ..Message::default() };
        let b = Message { ts: Timestamp(1), ..a.clone() };
        assert_eq!(a.seed("heard"), a.clone().seed("heard"));
        assert_ne!(a.seed("heard"), a.seed("settled"));
        assert_ne!(a.seed("heard"), b.seed("heard"));
    }
}

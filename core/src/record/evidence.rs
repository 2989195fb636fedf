//! Evidence: the events that show a lesson, and the wordings they support.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::Subtype;
use crate::env::Timestamp;
use crate::learn::{Action, Strength};

/// One event that shows a lesson, and which run it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Evidence {
    /// What identifies the event over all files and sessions; the same event is never counted twice.
    pub key: EventKey,
    /// The session, as its format names it.
    pub session_id: String,
    /// The root run; recurrence counts distinct ones.
    pub root_run_id: String,
    /// The event: for Claude Code and OpenAI messages the tool-call id of the failing result.
    pub event_id: String,
    /// Its place in the session, since ids may repeat.
    pub position: u32,
    /// When it happened; the time of learning where the trace does not say.
    pub ts: Timestamp,
    /// Whether `ts` is the time of learning.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub undated: bool,
    /// The tool.
    pub tool: String,
    /// Which wording it supports: the [`Variant`] of that text.
    pub says: TextKey,
}

/// A wording of a lesson and how strongly it is supported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Variant {
    /// The text, within the token cap.
    pub text: String,
    /// How strong the remedy in it is.
    pub strength: Strength,
    /// The signal it comes from.
    pub subtype: Subtype,
    /// The shape of the earliest call at which it would have helped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trigger: String,
    /// The kind of thing that a call of that shape must name for the lesson to be about it, for example `gift card`;
    /// empty where the lesson is about every such call.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The remedy in a form that can be applied to a call; `None` where it is prose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Whether the runs that support it met an answer about the world, or mended the matter in one call.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub benign: bool,
}

impl Variant {
    /// What evidence names this wording by. All of it counts: a run that has grown may support the same text otherwise.
    pub fn key(&self) -> TextKey {
        TextKey::of(&crate::codec::canonical(self))
    }
}

/// A wording in a model's words.
///
/// It stands for the [`Variant`] it was made from and for nothing more: evidence, strength, trigger and action stay
/// that wording's own, and it leaves with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rewording {
    /// The wording it stands for: [`Variant::key`].
    pub of: TextKey,
    /// The text, within the token cap.
    pub text: String,
    /// The model that wrote it, as the host names it.
    pub model: String,
}

/// Identifies an event: 64 bits of a hash, as 16 hexadecimal digits on the wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKey(pub u64);

/// Identifies a text: 64 bits of its hash, as 16 hexadecimal digits on the wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextKey(pub u64);

impl EventKey {
    /// The key of an event named by these parts.
    pub fn of(parts: &[&str]) -> Self {
        Self(hash64(parts))
    }
}

impl TextKey {
    /// The key of a text.
    pub fn of(text: &str) -> Self {
        Self(hash64(&[text]))
    }
}

/// 64 bits of the hash of some parts, each with its length, so that no two lists of parts share one by joining.
pub fn hash64(parts: &[&str]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    let mut out = [0; 8];
    hasher.finalize_xof().fill(&mut out);
    u64::from_le_bytes(out)
}

macro_rules! hex_wire {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(&format_args!("{:016x}", self.0))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = String::deserialize(from)?;
                u64::from_str_radix(&text, 16).map(Self).map_err(serde::de::Error::custom)
            }
        }
    };
}

hex_wire!(EventKey);
hex_wire!(TextKey);

//! The agents' protocol: messages.
//!
//! Decides what a message is. Never reads or writes a channel.

use alloc::string::String;

use crate::env::Timestamp;

/// The type of a message; one that nobody knows is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind(String);

impl Kind {
    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Kind {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}

/// One message of the channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who posted it.
    pub from: String,
    /// To whom: names with commas between them, or `all`.
    pub to: String,
    /// The conversation that it belongs to.
    pub thread: String,
    /// Its type.
    pub kind: Kind,
    /// When it was posted.
    pub ts: Timestamp,
    /// What it says.
    pub text: String,
}

//! What a reader says about its input besides the traces: counts, bad lines, and what it could not make sense of.
//!
//! Decides how much of that is kept. Never holds more of the input than short messages.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::format::Format;

/// What was read, and what could not be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadReport {
    /// The format; `None` where the input held nothing at all.
    pub format: Option<Format>,
    /// Lines seen, blank ones included.
    pub lines: u64,
    /// Events delivered, over all traces.
    pub events: u64,
    /// The first bad lines, in order; at most [`super::ReadLimits::max_bad`].
    pub bad: Vec<BadLine>,
    /// How many lines were bad, listed or not.
    pub bad_total: u64,
}

/// A line (or document) that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadLine {
    /// Its number, counted from 1; for a document the number of its first line.
    pub line: u64,
    /// Why, as a code.
    pub reason: BadReason,
    /// Why, in words.
    pub message: String,
}

/// Why a line could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BadReason {
    /// Its bytes are no UTF-8.
    NotUtf8,
    /// It is no JSON.
    NotJson,
    /// It is JSON that ends too early. What was whole in a document is kept.
    Truncated,
    /// It is longer than the limit and was skipped unread.
    TooLong,
    /// It nests deeper than the parser goes.
    TooDeep,
    /// It is JSON, but nothing that the format has.
    WrongShape,
}

impl BadReason {
    /// The code, as on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotUtf8 => "not_utf8",
            Self::NotJson => "not_json",
            Self::Truncated => "truncated",
            Self::TooLong => "too_long",
            Self::TooDeep => "too_deep",
            Self::WrongShape => "wrong_shape",
        }
    }
}

/// The input is in no format that was asked for or is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a known trace format: saw {saw}")]
pub struct Unrecognised {
    /// What the input looks like, for example `a JSON object with keys a, b, c`.
    pub saw: String,
}

/// Why one unit was refused, before it has a line number.
#[derive(Debug)]
pub(super) struct Bad {
    pub(super) reason: BadReason,
    pub(super) message: String,
}

impl Bad {
    pub(super) fn new(reason: BadReason, message: &str) -> Self {
        Self { reason, message: message.to_string() }
    }

    pub(super) fn shape(message: &str) -> Self {
        Self::new(BadReason::WrongShape, message)
    }
}

impl From<&serde_json::Error> for Bad {
    fn from(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let reason = if error.is_eof() {
            BadReason::Truncated
        } else if message.starts_with("recursion limit") {
            BadReason::TooDeep
        } else {
            BadReason::NotJson
        };
        Self { reason, message }
    }
}

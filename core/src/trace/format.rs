//! The formats: their names, how each is told from the others, and who reads it. One row a format.
//!
//! Decides which reader an input gets. Never reads events itself.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::frame::{Framer, Unit, salvage};
use super::json::pair_surrogates;
use super::report::Bad;
use super::sessions::Sessions;
use super::{canonical, claude_code, langchain, openai};

/// Units are long from here on, in bytes.
const LONG: usize = 1 << 18;

/// A trace format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// Our own: JSON Lines, one event a line.
    Canonical,
    /// Claude Code's sessions, sub-agent files and stream-json.
    ClaudeCode,
    /// Messages of `LangChain` and `LangGraph`.
    #[serde(rename = "langchain")]
    LangChain,
    /// OpenAI chat messages with tool calls, also as tau-bench sessions.
    #[serde(rename = "openai")]
    OpenAi,
}

/// How one format is read.
pub(super) trait Parse: fmt::Debug + Send + Sync {
    /// Takes one unit: a line, or a document.
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad>;
}

struct Row {
    format: Format,
    name: &'static str,
    /// Whether a unit can be nothing else. The rows are asked in order.
    recognise: fn(&Value) -> bool,
    parser: fn() -> Box<dyn Parse>,
}

const ROWS: [Row; 4] = [
    Row {
        format: Format::Canonical,
        name: "canonical",
        recognise: canonical::recognise,
        parser: || Box::new(canonical::Parser),
    },
    Row {
        format: Format::ClaudeCode,
        name: "claude_code",
        recognise: claude_code::recognise,
        parser: || Box::<claude_code::Parser>::default(),
    },
    Row {
        format: Format::LangChain,
        name: "langchain",
        recognise: langchain::recognise,
        parser: || Box::new(langchain::Parser),
    },
    Row {
        format: Format::OpenAi,
        name: "openai",
        recognise: openai::recognise,
        parser: || Box::new(openai::Parser),
    },
];

impl Format {
    /// Every format, in the order in which an input is held against them.
    pub const ALL: [Self; ROWS.len()] = {
        let mut all = [Self::Canonical; ROWS.len()];
        let mut at = 0;
        while at < ROWS.len() {
            all[at] = ROWS[at].format;
            at += 1;
        }
        all
    };

    /// The name, as the command and the wire have it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.format)
    }

    fn of(value: &Value) -> Option<Self> {
        ROWS.iter().find(|row| (row.recognise)(value)).map(|row| row.format)
    }

    pub(super) fn parser(self) -> Box<dyn Parse> {
        (self.row().parser)()
    }

    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.format == self).unwrap_or(&ROWS[0])
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The format of an input, from its first bytes (some kilobytes suffice; they may end anywhere).
pub fn detect(head: &[u8]) -> Option<Format> {
    let mut found = None;
    let mut framer = Framer::new(usize::MAX, usize::MAX);
    let mut look = |unit: Unit<'_>| {
        if found.is_none() {
            found = match unit {
                Unit::Whole(_, bytes) => value_of(bytes).as_ref().and_then(Format::of),
                Unit::Cut(_, bytes) => {
                    salvage(bytes).and_then(|bytes| value_of(&bytes)).as_ref().and_then(Format::of)
                }
                Unit::TooLong(_) => None,
            };
        }
    };
    framer.push(head, &mut look);
    framer.finish(&mut look);
    found
}

/// The format of one unit. Of a long one only the beginning is looked at, if that is enough.
pub(super) fn of_unit(text: &str) -> Result<Option<Format>, Bad> {
    if let Some(head) = text.as_bytes().get(..LONG)
        && let found @ Some(_) =
            salvage(head).and_then(|bytes| value_of(&bytes)).as_ref().and_then(Format::of)
    {
        return Ok(found);
    }
    parse_value(text).map(|value| Format::of(&value))
}

fn value_of(bytes: &[u8]) -> Option<Value> {
    parse_value(core::str::from_utf8(bytes).ok()?).ok()
}

/// Reads a unit for a look at its shape.
pub(super) fn parse_value(text: &str) -> Result<Value, Bad> {
    serde_json::from_str(text).or_else(|error| {
        serde_json::from_str(&pair_surrogates(text)).map_err(|_: serde_json::Error| Bad::from(&error))
    })
}

/// The string at a key.
pub(super) fn str_at<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The messages of a unit in a chat format: those of a list, of a list in a list, at one of the keys, or the unit
/// itself.
pub(super) fn messages_of<'a>(mut value: &'a Value, keys: &[&str]) -> &'a [Value] {
    for _ in 0..3 {
        value = match value {
            Value::Array(list) => match list.first() {
                Some(first) if first.is_array() || inner(first, keys).is_some() => first,
                _ => return list,
            },
            object => match inner(object, keys) {
                Some(list) => list,
                None => return core::slice::from_ref(object),
            },
        };
    }
    value.as_array().map_or(&[], Vec::as_slice)
}

fn inner<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    let held = keys.iter().find_map(|key| value.get(key))?;
    (held.is_array() || held.is_object()).then_some(held)
}

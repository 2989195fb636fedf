//! Rows: keys and values of one space in the order of their keys, and a version that every write moves on.
//!
//! Decides what a host has to keep. Never decides what stands in a row.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A key with its value.
pub type Row = (String, String);

/// The rows whose key is at least `0` and less than `1`, by the bytes of the keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span(pub String, pub String);

impl Span {
    /// The row of this key.
    pub fn one(key: &str) -> Self {
        Self(key.into(), format!("{key}\0"))
    }

    /// The rows whose keys begin with this, which ends with `/`.
    pub fn below(prefix: &str) -> Self {
        Self(prefix.into(), format!("{}0", prefix.strip_suffix('/').unwrap_or(prefix)))
    }

    /// Whether a key lies in it.
    pub fn has(&self, key: &str) -> bool {
        *self.0 <= *key && *key < *self.1
    }
}

/// The rows of some spans as they stood together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// The version they are of: another one after every write, and 0 before the first.
    pub version: u64,
    /// The rows, in any order.
    pub rows: Vec<Row>,
}

/// A write: all or nothing, durable before it is answered, and only where the version is still this one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The version that was read.
    pub version: u64,
    /// Rows that begin or change.
    pub puts: Vec<Row>,
    /// Keys of rows that end.
    pub removes: Vec<String>,
    /// Whether the bytes of what ends must be gone from where the host keeps them.
    pub erases: bool,
}

/// A host's rows, where they answer at once.
pub trait Rows {
    /// The rows of these spans, all of one version.
    fn read(&mut self, spans: &[Span]) -> Result<Page, Error>;

    /// Writes; `false` where the version is another one, and nothing was written.
    fn write(&mut self, change: &Change) -> Result<bool, Error>;
}

/// Rows that live as long as this value.
#[derive(Debug, Clone, Default)]
pub struct KeptRows {
    version: u64,
    rows: BTreeMap<String, String>,
}

impl KeptRows {
    /// Rows with which to begin, in the order of their keys.
    pub fn new(rows: Vec<Row>) -> Self {
        Self { version: u64::from(!rows.is_empty()), rows: rows.into_iter().collect() }
    }

    /// Every row, in the order of the keys.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.rows.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

impl Rows for KeptRows {
    fn read(&mut self, spans: &[Span]) -> Result<Page, Error> {
        let found = spans.iter().flat_map(|span| self.rows.range(span.0.clone()..span.1.clone()));
        let rows = found.map(|(key, value)| (key.clone(), value.clone())).collect();
        Ok(Page { version: self.version, rows })
    }

    fn write(&mut self, change: &Change) -> Result<bool, Error> {
        if change.version != self.version {
            return Ok(false);
        }
        self.version += 1;
        for key in &change.removes {
            self.rows.remove(key);
        }
        self.rows.extend(change.puts.iter().cloned());
        Ok(true)
    }
}

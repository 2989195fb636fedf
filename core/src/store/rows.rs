//! Rows: keys and values of one space in the order of their keys, and a version that every write moves on.
//!
//! Decides what a host has to keep. Never decides what stands in a row.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::env::Revision;
use crate::error::Error;
use crate::image::Image;

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

    /// Every row: keys are plain text.
    pub fn all() -> Self {
        Self(String::new(), "\u{10ffff}".into())
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

    /// The image that lies beside the rows as it is, with the revision it is of. Most hosts have none: theirs is a row.
    fn image(&self) -> Option<(Revision, Image)> {
        None
    }
}

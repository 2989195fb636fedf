//! What the rows have said so far in one task, and what the task changes.
//!
//! Decides nothing. What was not asked is a stop that names the spans to read; the task is then decided again.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Bound;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::rows::{Change, Page, Span};
use crate::codec::canonical;
use crate::env::Revision;
use crate::error::Error;
use crate::sort;

/// Why a task stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// Rows that it has to see first.
    Read(Vec<Span>),
    /// It cannot be done.
    Fail(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

/// Where a space stands.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) rev: Revision,
    pub(super) horizon: Revision,
}

/// The key of [`Head`].
pub(super) const HEAD: &str = "head";

/// The rows that have been read, all of one version.
#[derive(Debug, Default)]
pub(super) struct Known {
    version: Option<u64>,
    spans: Vec<Span>,
    rows: BTreeMap<String, String>,
}

impl Known {
    pub(super) fn version(&self) -> u64 {
        self.version.unwrap_or_default()
    }

    /// Takes in what was read; what is of another version makes all of it void.
    pub(super) fn take(&mut self, spans: Vec<Span>, page: Page) {
        if self.version.is_some_and(|version| version != page.version) {
            *self = Self::default();
            return;
        }
        self.version = Some(page.version);
        // A host may answer with more than it was asked for.
        self.rows.extend(page.rows.into_iter().filter(|(key, _)| spans.iter().any(|span| span.has(key))));
        self.spans.extend(spans);
    }

    /// Stops for those of the spans that have not been read.
    pub(super) fn need(&self, spans: impl IntoIterator<Item = Span>) -> Result<(), Stop> {
        let missing: Vec<Span> = spans.into_iter().filter(|span| !self.spans.contains(span)).collect();
        if missing.is_empty() { Ok(()) } else { Err(Stop::Read(missing)) }
    }

    /// The value of a row.
    pub(super) fn row(&self, key: &str) -> Option<&str> {
        self.rows.get(key).map(String::as_str)
    }

    /// The rows below a prefix, each without it.
    pub(super) fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let rows = self
            .rows
            .range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
            .map(|(key, value)| (key.as_str(), value.as_str()));
        rows.map_while(move |(key, value)| Some((key.strip_prefix(prefix)?, value)))
    }

    /// The values below a prefix, read.
    pub(super) fn list<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<T>, Stop> {
        self.below(prefix).map(|(key, value)| read(prefix, key, value)).collect()
    }

    /// Where the space stands.
    pub(super) fn head(&self) -> Result<Head, Stop> {
        self.row(HEAD).map_or(Ok(Head::default()), |value| read(HEAD, "", value))
    }
}

/// What a row says.
pub(super) fn read<T: DeserializeOwned>(prefix: &str, key: &str, value: &str) -> Result<T, Stop> {
    serde_json::from_str(value).map_err(|problem| {
        Stop::Fail(Error::corrupt(format!("the row {prefix}{key} cannot be read: {problem}")))
    })
}

/// What a task changes, over what is known.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) known: &'a Known,
    changed: BTreeMap<String, Option<String>>,
    pub(super) erases: bool,
}

impl<'a> Draft<'a> {
    pub(super) fn new(known: &'a Known) -> Self {
        Self { known, changed: BTreeMap::new(), erases: false }
    }

    pub(super) fn put(&mut self, key: String, value: String) {
        self.changed.insert(key, Some(value));
    }

    pub(super) fn put_json<T: Serialize>(&mut self, key: String, value: &T) {
        self.put(key, canonical(value));
    }

    pub(super) fn remove(&mut self, key: String) {
        self.changed.insert(key, None);
    }

    /// The value of a row as it stands after the change.
    pub(super) fn row(&self, key: &str) -> Option<&str> {
        self.changed.get(key).map_or_else(|| self.known.row(key), |changed| changed.as_deref())
    }

    /// The rows below a prefix as they stand after the change, each with its whole key.
    pub(super) fn below(&self, prefix: &str) -> Vec<(String, String)> {
        let old = self.known.below(prefix).map(|(key, value)| (format!("{prefix}{key}"), value));
        let kept =
            old.filter(|(key, _)| !self.changed.contains_key(key)).map(|(key, value)| (key, value.into()));
        let new = self
            .changed
            .range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
            .take_while(|(key, _)| key.starts_with(prefix));
        let new = new.filter_map(|(key, value)| Some((key.clone(), value.clone()?)));
        let mut all: Vec<(String, String)> = kept.chain(new).collect();
        sort::sort(&mut all);
        all
    }

    pub(super) fn finish(self) -> Change {
        let mut change = Change { version: self.known.version(), erases: self.erases, ..Change::default() };
        for (key, value) in self.changed {
            match value {
                Some(value) => change.puts.push((key, value)),
                None => change.removes.push(key),
            }
        }
        change
    }
}

//! What a fact claims, and who says so.
//!
//! Decides what of a claim is kept. Never decides which of two claims holds.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::SourceClass;
use crate::env::Timestamp;

/// A claim in parts. A statement that was not taken apart has its words in the record's text and no subject here.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Claim {
    /// What it is about, for example `svc-3`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// What is said of it, for example `is hosted on`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub predicate: String,
    /// The value, for example `host-7`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub object: String,
    /// The value that it says this is in place of: `npm` of "we use bun, not npm".
    #[serde(skip_serializing_if = "String::is_empty")]
    pub instead_of: String,
    /// Whether it says that this is not so.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub negated: bool,
    /// Whether the predicate has many values that hold beside each other.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub many: bool,
    /// Whether `valid_from` was given; else it is the time of the claim.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub dated: bool,
    /// Why it is so, for a decision.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rationale: String,
    /// How to check it again.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub freshness: String,
}

/// Somebody or something that says a fact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Support {
    /// What kind of source it is.
    pub source: SourceClass,
    /// When it was said.
    pub at: Timestamp,
    /// How sure it is, in millionths, at most the cap of its class.
    pub confidence: u32,
    /// Where it stands: a file and commit, an address, a session or message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reference: String,
    /// Who said it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// The source's own words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
}

impl Support {
    /// Whether both are from one place, so that the newer one stands for both.
    pub fn is_same_place(&self, other: &Self) -> bool {
        (self.source, &self.reference, &self.author) == (other.source, &other.reference, &other.author)
    }

    /// What its source is known by: its reference and its author, else its class.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let named = [self.reference.as_str(), self.author.as_str()];
        let class = named.iter().all(|name| name.is_empty()).then(|| self.source.as_str());
        named.into_iter().filter(|name| !name.is_empty()).chain(class)
    }

    /// Whether it comes from the source of that name.
    pub fn is_from(&self, name: &str) -> bool {
        self.names().any(|one| one == name)
    }
}

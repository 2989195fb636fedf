//! Scope: to whom a record applies inside a space. One function decides, on every read and write path.

use alloc::collections::BTreeMap;
use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::sort;
use crate::text::nfc;

/// The keys a scope may fix, in the order that breaks ties of narrowness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeKey {
    /// A person.
    User,
    /// A project.
    Project,
    /// A repository, by its git common directory and remote.
    Repo,
    /// A part of a repository or system.
    Subsystem,
    /// One agent.
    Agent,
}

impl ScopeKey {
    /// Every key, in order.
    pub const ALL: [Self; 5] = [Self::User, Self::Project, Self::Repo, Self::Subsystem, Self::Agent];

    /// Its name on the wire and in the command.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Repo => "repo",
            Self::Subsystem => "subsystem",
            Self::Agent => "agent",
        }
    }
}

/// What a record or a query fixes; `{}` is global. Values are opaque strings in normal form C.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scope(BTreeMap<ScopeKey, String>);

impl Scope {
    /// The scope that applies everywhere.
    pub fn global() -> Self {
        Self::default()
    }

    /// This scope with `key` fixed to `value`.
    #[must_use]
    pub fn with(mut self, key: ScopeKey, value: &str) -> Self {
        self.0.insert(key, nfc(value));
        self
    }

    /// The same scope with every value in normal form.
    #[must_use]
    pub fn normalised(self) -> Self {
        Self(sort::map(self.0.into_iter().map(|(key, value)| (key, nfc(&value)))))
    }

    /// Whether a record of this scope applies to a query: every key that the record fixes equals the query's.
    pub fn applies_to(&self, query: &Self) -> bool {
        self.0.iter().all(|(key, value)| query.0.get(key) == Some(value))
    }

    /// The fixed keys with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (ScopeKey, &str)> {
        self.0.iter().map(|(key, value)| (*key, value.as_str()))
    }

    /// How many keys are fixed; more is narrower.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it applies everywhere.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_applies_where_each_of_its_keys_is_met() {
        let repo = Scope::global().with(ScopeKey::Repo, "r");
        let both = repo.clone().with(ScopeKey::User, "u");
        assert!(Scope::global().applies_to(&both) && repo.applies_to(&both) && both.applies_to(&both));
        assert!(!both.applies_to(&repo) && !repo.applies_to(&Scope::global()));
    }

    #[test]
    fn values_compare_in_normal_form() {
        let composed = Scope::global().with(ScopeKey::User, "caf\u{e9}");
        assert_eq!(composed, Scope::global().with(ScopeKey::User, "cafe\u{301}"));
    }
}

//! Predicates that are known: how many values they have, and which say the opposite of another.
//!
//! Decides by small tables. A predicate that is in none has one value: with many, a contradiction would go unseen.

use alloc::string::String;

use crate::text::{predicate_key, value_key};

/// Predicates whose values hold beside each other.
const MANY: &[&str] = &[
    "likes",
    "uses",
    "prefers",
    "contains",
    "includes",
    "depends on",
    "imports",
    "exports",
    "knows",
    "speaks",
    "supports",
    "owns",
    "has",
    "reviewed by",
    "maintained by",
    "written by",
    "works with",
    "member of",
    "interested in",
    "allergic to",
    "calls",
    "provides",
    "allows",
    "tagged with",
    "visits",
    "reads",
    "consists of",
    "talks to",
    "works on",
    "linked to",
    "related to",
    "tested with",
    "integrates with",
    "mentions",
    "teaches",
    "learns",
];

/// Predicates that deny another one.
const OPPOSITES: &[(&str, &str)] = &[
    ("hates", "likes"),
    ("dislikes", "likes"),
    ("avoids", "uses"),
    ("forbids", "allows"),
    ("rejects", "allows"),
    ("excludes", "includes"),
    ("lacks", "has"),
];

/// Other words for a predicate.
const SPELLINGS: &[(&str, &str)] = &[
    ("loves", "likes"),
    ("enjoys", "likes"),
    ("using", "uses"),
    ("resides in", "lives in"),
    ("have", "has"),
    ("requires", "depends on"),
    ("needs", "depends on"),
];

/// Values of which one is used at a time, with the predicate that they are values of.
const CHOICES: &[(&str, &[&str])] = &[
    ("use package manager", &["npm", "pnpm", "yarn", "bun"]),
    ("use python package manager", &["pip", "uv", "poetry", "pipenv", "conda", "pdm"]),
    ("use indentation", &["tabs", "spaces", "tab indentation", "space indentation"]),
    ("use quotes", &["single quotes", "double quotes"]),
    ("use colour scheme", &["dark mode", "light mode", "dark theme", "light theme"]),
];

/// The key of a predicate with these values, and whether it denies: opposites share the key of what they deny, and a
/// value that is one of a choice has the predicate of that choice.
pub(crate) fn refined(predicate: &str, object: &str) -> (String, bool) {
    let (key, denies) = predicate_key(predicate);
    let (key, denies) = match named(OPPOSITES, &key) {
        Some(of) => (of, !denies),
        None => (key, denies),
    };
    let key = named(SPELLINGS, &key).unwrap_or(key);
    if object.is_empty() || !matches!(key.as_str(), "use" | "prefer") {
        return (key, denies);
    }
    let value = value_key(object);
    let choice = CHOICES.iter().find(|(_, values)| values.contains(&value.as_str()));
    (choice.map_or(key, |(of, _)| predicate_key(of).0), denies)
}

/// Whether the predicate of this key has many values, as far as the table knows.
pub(crate) fn is_many(key: &str) -> bool {
    MANY.iter().any(|one| is_key_of(key, one))
}

/// The key of what a table has beside the predicate of this key.
fn named(table: &[(&str, &str)], key: &str) -> Option<String> {
    table.iter().find(|(one, _)| is_key_of(key, one)).map(|(_, of)| predicate_key(of).0)
}

/// Whether a key is that of this predicate. Endings are cut off a key, and never its first letter.
fn is_key_of(key: &str, predicate: &str) -> bool {
    key.as_bytes().first() == predicate.as_bytes().first() && predicate_key(predicate).0 == key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_share_a_key_and_choices_have_one_value() {
        assert_eq!(refined("likes", "tea"), ("like".into(), false));
        assert_eq!(refined("hates", "tea"), ("like".into(), true));
        assert_eq!(refined("does not hate", "tea"), ("like".into(), false));
        assert_eq!(refined("uses", "Bun").0, refined("uses package manager", "npm").0);
        assert_ne!(refined("uses", "sqlite").0, refined("uses", "npm").0);
        for many in
            ["depends on", "likes", "uses", "contains", "is reviewed by", "requires", "is tagged with"]
        {
            assert!(is_many(&refined(many, "x").0), "{many}: {}", refined(many, "x").0);
        }
        for one in ["lives in", "is hosted on", "uses package manager", "frobnicates"] {
            assert!(!is_many(&refined(one, "x").0), "{one}");
        }
    }
}

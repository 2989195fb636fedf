//! Redaction of whole JSON values.
//!
//! Decides which strings of a value, keys included, are secrets by themselves or by the key they stand under.
//! Never touches numbers, and never recurses: any depth is walked with a list.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::{placeholder, redact, secret};

/// Replaces every secret in every string of `value`, keys included, as [`redact`] does.
///
/// A string under a key such as `password` counts by the key, too, as does the `value` beside a `name` that says so.
/// Returns how many strings and keys were changed.
pub fn redact_value(value: &mut Value) -> usize {
    let mut changed = 0;
    let mut open: Vec<(Option<Field>, &mut Value)> = vec![(None, value)];
    while let Some((kind, value)) = open.pop() {
        match value {
            Value::String(text) => changed += usize::from(redact_string(kind, text)),
            Value::Array(items) => open.extend(items.iter_mut().map(|item| (kind, item))),
            Value::Object(map) => {
                changed += redact_keys(map);
                let named = named(map);
                for (key, value) in map.iter_mut() {
                    let by_name = named.filter(|_| key == "value");
                    open.push((Field::of(key).or(by_name), value));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    changed
}

/// What a key says about the values under it.
#[derive(Debug, Clone, Copy)]
struct Field {
    kind: &'static str,
    /// Whether the key is long enough to announce a plain word.
    plain: bool,
}

impl Field {
    fn of(key: &str) -> Option<Self> {
        secret::kind_of_field(key).map(|kind| Self { kind, plain: !secret::is_short(key) })
    }
}

fn redact_string(field: Option<Field>, text: &mut String) -> bool {
    let clean = redact(text);
    let clean = match field {
        Some(Field { kind, plain }) if secret::is_field_value(kind, plain, &clean) => {
            Cow::Owned(placeholder(kind))
        }
        _ => clean,
    };
    let Cow::Owned(clean) = clean else { return false };
    *text = clean;
    true
}

/// What an entry such as `{"name": "DB_PASSWORD", "value": …}` says about its value.
fn named(map: &Map<String, Value>) -> Option<Field> {
    ["name", "key"].iter().find_map(|&key| Field::of(map.get(key)?.as_str()?))
}

fn redact_keys(map: &mut Map<String, Value>) -> usize {
    let renamed: Vec<(String, String)> = map
        .keys()
        .filter_map(|key| match redact(key) {
            Cow::Owned(clean) => Some((key.clone(), clean)),
            Cow::Borrowed(_) => None,
        })
        .collect();
    for (key, clean) in &renamed {
        if let Some(value) = map.remove(key) {
            map.insert(free_key(map, clean), value);
        }
    }
    renamed.len()
}

/// `key`, or `key 2`, `key 3` and so on where two keys became the same.
fn free_key(map: &Map<String, Value>, key: &str) -> String {
    let numbered = (2..).map(|n| format!("{key} {n}"));
    core::iter::once(String::from(key)).chain(numbered).find(|k| !map.contains_key(k)).unwrap_or_default()
}

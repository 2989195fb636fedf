//! Says in a few words what an input looks like, for the error of an unknown format.
//!
//! Decides nothing. Never repeats contents: names of keys only, shortened.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::format::parse_value;

const MAX_KEYS: usize = 8;
const MAX_KEY_CHARS: usize = 40;

/// Starts of files that are no text.
const MAGIC: [(&[u8], &str); 6] = [
    (b"\x1f\x8b", "gzip data"),
    (b"PK\x03\x04", "a zip archive (the command unpacks those of Inspect)"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
];

/// What the first unit of an input looks like.
pub(super) fn describe(unit: &[u8]) -> String {
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| unit.starts_with(magic)) {
        return (*what).to_string();
    }
    let Ok(text) = core::str::from_utf8(unit) else { return "binary data".to_string() };
    if text.contains('\0') {
        return "binary data".to_string();
    }
    match parse_value(text) {
        Ok(value) => describe_value(&value),
        Err(bad) if text.starts_with(['{', '[']) => {
            format!("what begins like JSON but is none ({})", bad.message)
        }
        Err(_) => "plain text".to_string(),
    }
}

fn describe_value(value: &Value) -> String {
    match value {
        Value::Object(map) => format!("a JSON object {}", keys(map)),
        Value::Array(list) => match list.first() {
            None => "an empty JSON array".to_string(),
            Some(Value::Object(map)) => {
                format!("a JSON array of {} objects, the first {}", list.len(), keys(map))
            }
            Some(_) => format!("a JSON array of {} values that are no objects", list.len()),
        },
        Value::String(_) => "a JSON string".to_string(),
        Value::Number(_) => "a JSON number".to_string(),
        Value::Bool(_) | Value::Null => format!("the JSON value {value}"),
    }
}

fn keys(map: &Map<String, Value>) -> String {
    if map.is_empty() {
        return "without keys".to_string();
    }
    let mut names: Vec<String> = map.keys().take(MAX_KEYS).map(|key| shorten(key)).collect();
    if map.len() > MAX_KEYS {
        names.push("…".to_string());
    }
    let kind = match map.get("type") {
        Some(Value::String(kind)) => format!(" and type {}", shorten(kind)),
        _ => String::new(),
    };
    format!("with keys {}{kind}", names.join(", "))
}

fn shorten(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(MAX_KEY_CHARS).collect()
}

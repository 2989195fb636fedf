//! What a scenario's author expects of an answer: a part of it, and not the whole.
//!
//! Decides whether an answer holds what is expected. `{"$has": "…"}` asks for a part of a string, `{"$len": 3}` for a
//! length, `{"$absent": true}` for no such key; anything else must be equal.

use serde_json::Value;

/// The first place where `got` lacks what is expected.
pub fn differs(expected: &Value, got: &Value) -> Option<String> {
    walk("", expected, Some(got))
}

fn walk(path: &str, expected: &Value, got: Option<&Value>) -> Option<String> {
    if expected["$absent"] == true {
        return got.map(|got| format!("{path} should be absent and is {got}"));
    }
    let Some(got) = got else { return Some(format!("{path} is missing, expected {expected}")) };
    if let Some(part) = expected["$has"].as_str() {
        let holds = got.as_str().is_some_and(|text| text.contains(part));
        return (!holds).then(|| format!("{path} should hold {part:?} and is {got}"));
    }
    if let Some(part) = expected["$lacks"].as_str() {
        let holds = got.to_string().contains(part);
        return holds.then(|| format!("{path} should not hold {part:?} and is {got}"));
    }
    if let Some(length) = expected["$len"].as_u64() {
        let is = length_of(got);
        return (is != Some(length)).then(|| format!("{path} should have length {length} and is {got}"));
    }
    match (expected, got) {
        (Value::Object(parts), Value::Object(all)) => {
            parts.iter().find_map(|(key, part)| walk(&format!("{path}/{key}"), part, all.get(key)))
        }
        (Value::Array(parts), Value::Array(all)) if parts.len() == all.len() => {
            let pairs = parts.iter().zip(all).enumerate();
            pairs.into_iter().find_map(|(at, (part, one))| walk(&format!("{path}/{at}"), part, Some(one)))
        }
        _ => (expected != got).then(|| format!("{path} should be {expected} and is {got}")),
    }
}

fn length_of(value: &Value) -> Option<u64> {
    let length = match value {
        Value::Array(list) => list.len(),
        Value::Object(map) => map.len(),
        Value::String(text) => text.len(),
        _ => return None,
    };
    Some(length as u64)
}

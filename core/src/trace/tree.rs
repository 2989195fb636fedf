//! Looks into JSON values whose shape varies: contents in any form, times, names, lists.
//!
//! Decides how a content becomes text. Never decides who said it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde_json::Value;

use super::format::{Parse, parse_value, str_at};
use super::json::Time;
use super::report::Bad;
use super::sessions::Sessions;
use crate::env::Timestamp;

/// Contents nested deeper than this say nothing.
const MAX_DEPTH: usize = 8;

/// Where parts of a content keep their words.
const WORDS: [&str; 7] = ["text", "output_text", "content", "thinking", "output", "value", "refusal"];

/// Reads formats whose units stand alone.
pub(super) struct Alone {
    /// Reads a unit; whether it was of the format.
    pub(super) read: fn(&Value, &mut Sessions) -> bool,
    /// What a unit that was not lacks.
    pub(super) lacks: &'static str,
}

impl fmt::Debug for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.lacks)
    }
}

impl Parse for Alone {
    fn take(&mut self, text: &str, out: &mut Sessions) -> Result<(), Bad> {
        if (self.read)(&parse_value(text)?, out) { Ok(()) } else { Err(Bad::shape(self.lacks)) }
    }
}

/// The elements of a list; none where the value is none.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The words of a content: a text, parts of text joined by line ends, or an object that holds one of these. Images and
/// other parts without words are left out.
pub(super) fn words(content: &Value) -> String {
    let mut out = String::new();
    add_words(content, MAX_DEPTH, &mut out);
    out
}

/// A value as text: words where it holds any, else its JSON; null as nothing.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => match words(other) {
            words if words.is_empty() => other.to_string(),
            words => words,
        },
    }
}

/// A string or number as a name.
pub(super) fn name(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A date, or seconds, milliseconds, microseconds or nanoseconds since 1970 as a number or as digits.
pub(super) fn time(value: &Value) -> Option<Timestamp> {
    let digits =
        value.as_str().filter(|text| text.len() > 9 && text.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(count) = digits.map_or_else(|| value.as_f64(), |text| text.parse().ok())
        && count >= 1e14
    {
        let millis = if count >= 1e17 { count / 1e6 } else { count / 1e3 };
        return (millis < 1e14).then_some(Timestamp(millis as i64));
    }
    if let Some(digits) = digits.and_then(|text| text.parse::<i64>().ok()) {
        return time(&Value::from(digits));
    }
    serde_json::from_value::<Time>(value.clone()).ok().and_then(|time| time.0).or_else(|| local_time(value))
}

/// The first of some keys that holds something.
pub(super) fn first<'a>(value: &'a Value, keys: &[&str]) -> &'a Value {
    keys.iter().map(|key| &value[*key]).find(|held| !held.is_null()).unwrap_or(&Value::Null)
}

/// The first of some keys that holds a string that says something; empty where none does.
pub(super) fn first_str<'a>(value: &'a Value, keys: &[&str]) -> &'a str {
    keys.iter().map(|key| str_at(value, key)).find(|text| !text.is_empty()).unwrap_or_default()
}

/// Arguments as a value: of a string the JSON in it.
pub(super) fn arguments(given: &Value) -> Value {
    super::chat::arguments(given.clone())
}

/// A value that may be JSON in a string.
pub(super) fn unpacked(value: &Value) -> Value {
    match value {
        Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
            super::json::value_or_text(text.clone())
        }
        other => other.clone(),
    }
}

/// A date without an offset is taken as UTC: order within a run is what counts.
fn local_time(value: &Value) -> Option<Timestamp> {
    let text = value.as_str().filter(|text| text.is_ascii() && (19..=32).contains(&text.len()))?;
    let mut dated = text.replacen(' ', "T", 1);
    dated.push('Z');
    Timestamp::parse(&dated)
}

fn add_words(content: &Value, depth: usize, out: &mut String) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match content {
        Value::String(text) if !text.is_empty() => {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(text);
        }
        Value::Array(parts) => parts.iter().for_each(|part| add_words(part, depth, out)),
        Value::Object(part) => {
            if let Some(held) = WORDS.iter().find_map(|key| part.get(*key).filter(|held| !held.is_null())) {
                add_words(held, depth, out);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn contents_become_text_in_any_form() {
        let cases = [
            (json!("a"), "a"),
            (json!(["a", {"type": "text", "text": "b"}, {"type": "image", "source": {}}]), "a\nb"),
            (json!({"content": [{"type": "output_text", "text": "c"}]}), "c"),
            (json!({"rows": 3}), r#"{"rows":3}"#),
            (json!([1, 2]), "[1,2]"),
            (json!(null), ""),
            (json!(false), "false"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(&value), expected, "{value}");
        }
    }

    #[test]
    fn times_come_in_any_unit() {
        let at = Timestamp::parse("2026-03-01T10:00:00.500Z");
        let forms = [
            json!("2026-03-01T10:00:00.500Z"),
            json!("2026-03-01T10:00:00.500"),
            json!("2026-03-01 10:00:00.500"),
            json!(1_772_359_200.5),
            json!(1_772_359_200_500_i64),
            json!(1_772_359_200_500_000_i64),
            json!(1_772_359_200_500_000_000_i64),
            json!("1772359200500000000"),
            json!("1772359200500"),
        ];
        for form in forms {
            assert_eq!(time(&form), at, "{form}");
        }
        for none in
            [json!(null), json!("soon"), json!(-1e300), json!(1e300), json!("99999999999999999999999999")]
        {
            assert_eq!(time(&none), None, "{none}");
        }
    }
}

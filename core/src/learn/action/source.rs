//! Values for slots: from the call, from its error, from an earlier output.
//!
//! Decides which listed value is meant: the one most like the value that failed. Never picks one of several that fit
//! alike.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Number, Value};

use super::Slot;
use crate::learn::run::stands_in;
use crate::sort;
use crate::trace::{Body, Event, ResultStatus, ToolCall};

/// How much of an output is searched, in bytes.
const LIMIT: usize = 256 * 1024;
/// How many values of an output are looked at.
const VALUES: usize = 2000;

/// Whether an earlier output of the run shows this value as a whole word.
pub(super) fn was_shown(value: &str, run: &[Event]) -> bool {
    let shows =
        |call: &ToolCall| call.result.status == ResultStatus::Ok && stands_in(&call.result.text, value);
    run.iter().any(|event| matches!(&event.body, Body::ToolCall(call) if shows(call)))
}

/// Whether an event is a call of this tool that worked.
pub(super) fn worked(event: &Event, tool: &str) -> bool {
    matches!(&event.body, Body::ToolCall(call) if call.name == tool && call.result.status == ResultStatus::Ok)
}

/// The failing call's arguments with one of them set, wherever among them its key stands.
pub(super) fn set(key: &str, slot: &Slot, failing: &ToolCall, run: &[Event]) -> Option<Value> {
    let mut args = failing.args.clone();
    let mut old = None;
    find_text(&args, key, &mut old);
    let new = value(slot, old.as_deref(), failing, run)?;
    match &old {
        Some(old) => drop(replace_text(&mut args, key, old, &new)),
        None => drop(args.as_object_mut()?.insert(key.to_string(), new)),
    }
    Some(args)
}

/// The value a slot stands for; `old` is the value that failed, where there is one.
pub(super) fn value(slot: &Slot, old: Option<&str>, failing: &ToolCall, run: &[Event]) -> Option<Value> {
    match slot {
        Slot::Word { word } => Some(match word.as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            word => Value::String(word.to_string()),
        }),
        Slot::Argument { key } => failing.args.get(key).cloned(),
        Slot::Output { tool, field } => {
            let text = run.iter().rev().find_map(|event| match &event.body {
                Body::ToolCall(call) if call.name == *tool && call.result.status == ResultStatus::Ok => {
                    Some(call.result.text.as_str())
                }
                _ => None,
            })?;
            let items = items(text, field);
            pick(&items, old).map(|word| Value::String(word.to_string()))
        }
    }
}

/// The first text that stands under a key.
fn find_text(value: &Value, key: &str, out: &mut Option<String>) {
    let mut rest = alloc::vec![value];
    while let Some(value) = rest.pop().filter(|_| out.is_none()) {
        match value {
            Value::Object(map) => {
                *out = map.get(key).and_then(Value::as_str).map(ToString::to_string);
                rest.extend(map.values());
            }
            Value::Array(items) => rest.extend(items.iter().rev()),
            _ => {}
        }
    }
}

/// Puts `new` where the key has the old text, once.
fn replace_text(value: &mut Value, key: &str, old: &str, new: &Value) -> bool {
    let mut rest = alloc::vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Object(map) => {
                if let Some(place) = map.get_mut(key).filter(|place| place.as_str() == Some(old)) {
                    *place = new.clone();
                    return true;
                }
                rest.extend(map.values_mut());
            }
            Value::Array(items) => rest.extend(items.iter_mut().rev()),
            _ => {}
        }
    }
    false
}

/// A listed word with the text of what it names, empty where that is not told apart.
type Item = (String, String);

/// The words that an output lists under a field.
pub(crate) fn listed(text: &str, field: &str) -> Vec<String> {
    items(text, field).into_iter().map(|(word, _)| word).collect()
}

/// The words that an output lists under a field, each once: names of its members and texts; all words of a plain text.
fn items(text: &str, field: &str) -> Vec<Item> {
    let parsed = (text.len() <= LIMIT).then(|| serde_json::from_str::<Value>(text).ok()).flatten();
    let mut out: Vec<Item> = Vec::new();
    if let Some(value) = parsed {
        under(&value, field, &mut out);
    } else {
        let cut = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@'));
        let words = text.split(cut).filter(|word| word.len() >= 3).take(VALUES);
        out.extend(words.map(|word| (String::from(word), String::new())));
    }
    sort::sort_by(&mut out, |a, b| (&a.0, b.1.len()).cmp(&(&b.0, a.1.len())));
    out.dedup_by(|a, b| a.0 == b.0);
    out
}

fn under(value: &Value, field: &str, out: &mut Vec<Item>) {
    // Each value with whether it stands under the field.
    let mut rest = alloc::vec![(value, field.is_empty())];
    while let Some((value, inside)) = rest.pop().filter(|_| out.len() < VALUES) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    if inside {
                        out.push((key.clone(), content(value)));
                    }
                    rest.push((value, inside || key == field));
                }
            }
            Value::Array(items) => rest.extend(items.iter().map(|item| (item, inside))),
            Value::String(text) if inside => out.push((text.clone(), String::new())),
            _ => {}
        }
    }
}

/// What stands under a name, where it is short.
fn content(value: &Value) -> String {
    match value {
        Value::Object(map) if map.len() <= 16 => value.to_string(),
        _ => String::new(),
    }
}

/// The listed value that is meant by one that failed: with the same end, else the one that the end describes, else of
/// the same kind, else the only one.
fn pick<'a>(items: &'a [Item], old: Option<&str>) -> Option<&'a str> {
    let Some(old) = old else { return only(items.iter().map(|(word, _)| word.as_str())) };
    let all = || items.iter().filter(|(word, _)| word != old && is_alike(word, old));
    let words = |part: fn(&str) -> Option<&str>| {
        let same = all().filter(|(word, _)| part(old).is_some_and(|own| part(word) == Some(own)));
        only(same.map(|(word, _)| word.as_str()))
    };
    let described = || {
        let number = number_of(old)?;
        let about = all().filter(|(_, content)| content.len() <= LIMIT && stands_in(content, number));
        only(about.map(|(word, _)| word.as_str()))
    };
    words(number_of)
        .or_else(described)
        .or_else(|| words(kind_of))
        .or_else(|| only(all().map(|(word, _)| word.as_str())))
}

fn only<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    words.next().filter(|_| words.next().is_none())
}

/// What stands before the last separator: `credit_card` in `credit_card_12`.
pub(crate) fn kind_of(word: &str) -> Option<&str> {
    word.rsplit_once(['_', '-']).map(|(kind, _)| kind).filter(|kind| !kind.is_empty())
}

fn number_of(word: &str) -> Option<&str> {
    word.rsplit_once(['_', '-']).map(|(_, number)| number).filter(|number| number.len() >= 3)
}

/// Whether two words have one form: the same separators, both with digits or both without.
pub(crate) fn is_alike(word: &str, other: &str) -> bool {
    let form = |text: &str| {
        (
            text.contains('_'),
            text.contains('-'),
            text.contains('/'),
            text.contains('@'),
            text.contains(|c: char| c.is_ascii_digit()),
            text.contains(' '),
        )
    };
    word.len() >= 3
        && word.len() <= other.len() * 3
        && other.len() <= word.len() * 3
        && form(word) == form(other)
}

/// The arguments with the last item that counts changed so that the sum is what the error asks for.
pub(super) fn sum_to(key: &str, field: &str, after: &str, failing: &ToolCall) -> Option<Value> {
    let total = number_after(&failing.result.text, after)?;
    let mut args: Map<String, Value> = failing.args.as_object()?.clone();
    let items = args.get_mut(key)?.as_array_mut()?;
    let amount = |item: &Value| item.get(field).and_then(Value::as_f64);
    let sum: f64 = items.iter().filter_map(amount).sum();
    let last = items.iter_mut().rev().find(|item| amount(item).is_some_and(|amount| amount > 0.0))?;
    let new = amount(last)? + total - sum;
    if new <= 0.0 {
        return None;
    }
    last.as_object_mut()?.insert(field.to_string(), number(new)?);
    Some(Value::Object(args))
}

/// A number as JSON has it: whole where it is whole.
fn number(value: f64) -> Option<Value> {
    let cents = (value * 100.0 + 0.5) as i64;
    if cents % 100 == 0 {
        return Some(Value::Number((cents / 100).into()));
    }
    Number::from_f64(cents as f64 / 100.0).map(Value::Number)
}

/// The number that follows some words in a text.
fn number_after(text: &str, after: &str) -> Option<f64> {
    let at = text.find(after)? + after.len();
    let rest = text[at..].trim_start_matches([' ', ':', '$', '=']);
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    rest[..end].trim_end_matches('.').parse().ok()
}

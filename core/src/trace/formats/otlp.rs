//! `OpenTelemetry` data in the shapes that exporters write: OTLP as JSON, and what SDKs print of one span or record.
//!
//! Decides how attributes and nested lists become flat. Never decides what they mean.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::sort;
use crate::trace::tree::{first, list};

/// The spans or log records of a unit, each with its own fields.
pub(super) fn records<'a>(unit: &'a Value, out: &mut Vec<&'a Value>) {
    if let Some(elements) = unit.as_array() {
        return elements.iter().for_each(|element| records(element, out));
    }
    for (resource, scope, leaf) in [
        ("resourceSpans", "scopeSpans", "spans"),
        ("resource_spans", "scope_spans", "spans"),
        ("resourceLogs", "scopeLogs", "logRecords"),
        ("resource_logs", "scope_logs", "log_records"),
    ] {
        for scopes in list(&unit[resource]) {
            for leaves in list(&scopes[scope]) {
                out.extend(list(&leaves[leaf]));
            }
        }
    }
    if unit["spans"].is_array() {
        out.extend(list(&unit["spans"]));
    } else if ["attributes", "attrs", "body"].iter().any(|key| unit.get(*key).is_some()) {
        out.push(unit);
    }
}

/// The first record of a unit, to look at.
pub(super) fn first_record(unit: &Value) -> Option<&Value> {
    let mut all = Vec::new();
    records(unit, &mut all);
    all.into_iter().next()
}

/// The attributes of a record by name.
pub(super) fn attributes(record: &Value) -> Map<String, Value> {
    match first(record, &["attributes", "attrs"]) {
        Value::Object(map) => map.clone(),
        Value::Array(pairs) => object(pairs),
        _ => Map::new(),
    }
}

fn object(pairs: &[Value]) -> Map<String, Value> {
    let mut out = Map::new();
    let named = |pair: &Value| Some((pair["key"].as_str()?.to_string(), plain(&pair["value"])));
    out.extend(pairs.iter().filter_map(named));
    out
}

/// A value without the name of its type around it.
pub(super) fn plain(value: &Value) -> Value {
    let Some(map) = value.as_object().filter(|map| map.len() == 1) else { return value.clone() };
    let Some((kind, held)) = map.iter().next() else { return Value::Null };
    match kind.as_str() {
        "stringValue" | "boolValue" | "doubleValue" | "string_value" | "bool_value" | "double_value" => {
            held.clone()
        }
        "intValue" | "int_value" => match held.as_str().and_then(|digits| digits.parse::<i64>().ok()) {
            Some(number) => number.into(),
            None => held.clone(),
        },
        "arrayValue" | "array_value" => list(&held["values"]).iter().map(plain).collect(),
        "kvlistValue" | "kvlist_value" => Value::Object(object(list(&held["values"]))),
        _ => value.clone(),
    }
}

/// The messages that attributes spell out one field each: `PREFIX.0.message.role` and so on, as objects.
pub(super) fn nested(attributes: &Map<String, Value>, prefix: &str) -> Vec<Value> {
    let mut tree = Value::Object(Map::new());
    for (key, value) in attributes {
        if let Some(path) = key.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('.')) {
            place(&mut tree, path, value);
        }
    }
    let Value::Object(map) = tree else { return Vec::new() };
    let mut numbered: Vec<(u32, Value)> =
        map.into_iter().filter_map(|(key, value)| Some((key.parse().ok()?, value))).collect();
    sort::sort_by_key(&mut numbered, |(number, _)| *number);
    numbered.into_iter().map(|(_, value)| value).collect()
}

fn place(tree: &mut Value, path: &str, value: &Value) {
    let mut at = tree;
    for step in path.split('.').take(24) {
        if !at.is_object() {
            *at = Value::Object(Map::new());
        }
        let Some(map) = at.as_object_mut() else { return };
        at = map.entry(step.to_string()).or_insert(Value::Null);
    }
    if at.is_null() {
        *at = value.clone();
    }
}

/// The values of an object whose keys are numbers, in their order.
pub(super) fn numbered(value: &Value) -> Vec<&Value> {
    let mut all: Vec<(u32, &Value)> = value
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((key.parse().ok()?, value)))
        .collect();
    sort::sort_by_key(&mut all, |(number, _)| *number);
    all.into_iter().map(|(_, value)| value).collect()
}

//! Holds a value against a schema of `docs/schema`.
//!
//! Decides by the part of JSON Schema that those files use; a keyword it does not know is a failure, not a pass.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Panics unless the value fits the schema of that file.
pub(crate) fn check(value: &Value, file: &str) {
    if let Err(problem) = fits(value, &load(file)) {
        panic!("{file}: {problem}\n{value}");
    }
}

/// Panics unless the value fits the schema that an agent has for what its hooks answer.
pub(crate) fn check_agent(value: &Value, file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()));
    if let Err(problem) = fits(value, &serde_json::from_str(&text).expect("a schema is JSON")) {
        panic!("{file}: {problem}\n{value}");
    }
}

fn load(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()));
    serde_json::from_str(&text).expect("a schema is JSON")
}

fn fits(value: &Value, schema: &Value) -> Result<(), String> {
    for (keyword, wanted) in schema.as_object().ok_or("a schema is an object")? {
        keyword_fits(value, keyword, wanted, schema).map_err(|problem| format!("{keyword}: {problem}"))?;
    }
    Ok(())
}

fn keyword_fits(value: &Value, keyword: &str, wanted: &Value, schema: &Value) -> Result<(), String> {
    let is = |yes: bool, what: String| if yes { Ok(()) } else { Err(what) };
    match keyword {
        "$schema" | "title" | "description" => Ok(()),
        "$ref" => fits(value, &load(wanted.as_str().unwrap_or_default())),
        "const" => is(value == wanted, format!("{value} is not {wanted}")),
        "enum" => is(list(wanted).contains(value), format!("{value} is not one of {wanted}")),
        "type" => {
            let names = if wanted.is_array() { list(wanted).to_vec() } else { vec![wanted.clone()] };
            is(names.iter().any(|name| has_type(value, name)), format!("{value} is no {wanted}"))
        }
        "minimum" => {
            is(value.as_i64() >= wanted.as_i64() || value.is_null(), format!("{value} is below {wanted}"))
        }
        "maximum" => is(value.as_i64() <= wanted.as_i64(), format!("{value} is above {wanted}")),
        "pattern" => is(
            value.as_str().is_none_or(|text| matches_pattern(text, wanted)),
            format!("{value} is not like {wanted}"),
        ),
        "required" => {
            let missing =
                list(wanted).iter().find(|name| value.get(name.as_str().unwrap_or_default()).is_none());
            // As the other keywords about fields it says nothing of a value that is no object.
            let missing = missing.filter(|_| value.is_object());
            missing.map_or(Ok(()), |name| Err(format!("{name} is missing")))
        }
        "properties" => fields(value).try_for_each(|(name, inner)| match wanted.get(name) {
            Some(schema) => fits(inner, schema).map_err(|problem| format!("{name}: {problem}")),
            None => Ok(()),
        }),
        "additionalProperties" => fields(value).try_for_each(|(name, inner)| {
            match (schema.pointer("/properties").and_then(|known| known.get(name)), wanted) {
                (Some(_), _) => Ok(()),
                (None, Value::Bool(false)) => Err(format!("{name} is not in the schema")),
                (None, schema) => fits(inner, schema).map_err(|problem| format!("{name}: {problem}")),
            }
        }),
        "items" => list(value).iter().try_for_each(|item| fits(item, wanted)),
        "oneOf" => {
            let fitting = list(wanted).iter().filter(|schema| fits(value, schema).is_ok()).count();
            is(fitting == 1, format!("{fitting} of the schemas fit"))
        }
        other => Err(format!("this check does not know {other}")),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

/// The two patterns in use: a number of hexadecimal digits, and a time in UTC.
fn matches_pattern(text: &str, pattern: &Value) -> bool {
    let hex =
        |n: usize| text.len() == n && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    match pattern.as_str() {
        Some("^[0-9a-f]{32}$") => hex(32),
        Some("^[0-9a-f]{16}$") => hex(16),
        Some(pattern) if pattern.contains('T') => text.contains('T') && text.ends_with('Z'),
        _ => false,
    }
}

/// That the check can fail: called by one test.
pub(crate) fn self_test() {
    let error = |json: &str| fits(&serde_json::from_str(json).expect("JSON"), &load("error.json"));
    assert!(error(r#"{"code": "a", "message": "b", "exit": 2}"#).is_ok());
    for wrong in [
        r#"{"code": "a", "message": "b"}"#,
        r#"{"code": 1, "message": "b", "exit": 2}"#,
        r#"{"code": "a", "message": "b", "exit": 8}"#,
        r#"{"code": "a", "message": "b", "exit": 2, "more": 1}"#,
        "[]",
    ] {
        assert!(error(wrong).is_err(), "{wrong}");
    }
}

//! Canonical JSON: sorted keys, integers, RFC 3339. The one wire form of the step protocol, vectors and export.

use alloc::string::{String, ToString};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;

/// The canonical JSON of a value: objects with sorted keys, no white space.
pub fn canonical<T: Serialize>(value: &T) -> String {
    // `Value` keeps objects sorted; the types of this crate have string keys only, so this cannot fail.
    serde_json::to_value(value).unwrap_or(Value::Null).to_string()
}

/// Reads JSON of a known type; the error says what is wrong and where.
pub fn parse<T: DeserializeOwned>(what: &str, json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|problem| Error::invalid("json", alloc::format!("{what}: {problem}")))
}

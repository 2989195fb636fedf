//! What an agent tells its hooks, read from the fields that the agents share and from those each has of its own.
//!
//! Decides which field means what. Never fails on a field that is missing or of another type: it counts as empty.

use std::path::PathBuf;

use serde_json::{Map, Value};

/// An event of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Call {
    pub(super) session: String,
    pub(super) cwd: PathBuf,
    pub(super) transcript: Option<PathBuf>,
    /// What the user wrote.
    pub(super) prompt: String,
    pub(super) tool: String,
    pub(super) args: Value,
    pub(super) id: String,
    /// What the tool answered.
    pub(super) response: Value,
    pub(super) error: String,
    pub(super) is_interrupt: bool,
    /// What the agent said at the end of its turn.
    pub(super) said: String,
}

impl Call {
    /// Reads what came on stdin; `None` where it is no JSON object.
    pub(super) fn read(input: &str) -> Option<Self> {
        let fields: Map<String, Value> = serde_json::from_str(input.trim_start_matches('\u{feff}')).ok()?;
        let text = |names: &[&str]| text(&fields, names);
        // Cursor names a conversation, and its workspaces in place of a directory.
        let root = fields.get("workspace_roots").and_then(|roots| roots.get(0)).and_then(Value::as_str);
        let cwd = match text(&["cwd"]) {
            given if given.is_empty() => root.unwrap_or_default().to_owned(),
            given => given,
        };
        let transcript = text(&["transcript_path"]);
        Some(Self {
            session: text(&["session_id", "conversation_id"]),
            cwd: cwd.into(),
            transcript: (!transcript.is_empty()).then(|| transcript.into()),
            prompt: text(&["prompt"]),
            tool: text(&["tool_name"]),
            args: inner(fields.get("tool_input")),
            id: text(&["tool_use_id"]),
            response: inner(fields.get("tool_response").or_else(|| fields.get("tool_output"))),
            error: text(&["error", "error_message"]),
            is_interrupt: fields.get("is_interrupt") == Some(&Value::Bool(true)),
            said: text(&["last_assistant_message"]),
        })
    }
}

fn text(fields: &Map<String, Value>, names: &[&str]) -> String {
    names
        .iter()
        .find_map(|name| fields.get(*name).and_then(Value::as_str).filter(|text| !text.is_empty()))
        .unwrap_or_default()
        .to_owned()
}

/// A value, out of the JSON text that some agents put it into.
fn inner(value: Option<&Value>) -> Value {
    match value {
        Some(Value::String(text)) if text.trim_start().starts_with(['{', '[']) => {
            serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
        }
        Some(value) => value.clone(),
        None => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_agents_say_the_same_in_their_own_fields() {
        let ours = Call::read(
            &json!({"session_id": "s", "cwd": "/w", "tool_name": "Bash", "tool_input": {"command": "ls"},
                    "tool_response": {"stdout": "a"}, "tool_use_id": "t1", "transcript_path": null})
            .to_string(),
        )
        .expect("an object");
        let theirs = Call::read(
            &json!({"conversation_id": "s", "workspace_roots": ["/w"], "tool_name": "Bash",
                    "tool_input": "{\"command\": \"ls\"}", "tool_output": "{\"stdout\": \"a\"}", "tool_use_id": "t1"})
            .to_string(),
        )
        .expect("an object");
        assert_eq!(ours, theirs);
    }

    #[test]
    fn fields_of_another_type_are_empty_and_no_object_is_none() {
        let odd = Call::read(r#"{"session_id": 5, "tool_name": ["x"], "is_interrupt": "yes", "cwd": null}"#);
        assert_eq!(odd, Some(Call::default()));
        for input in ["", "[]", "null", "{", "\u{0}"] {
            assert_eq!(Call::read(input), None, "{input:?}");
        }
    }
}

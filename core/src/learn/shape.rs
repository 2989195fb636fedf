//! The shape of a call: what two calls of the same purpose have in common.
//!
//! Decides by tool name, argument keys and value classes, or for shells by the parsed command line. Never keeps a
//! value.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::shell::{Command, CommandLine};
use crate::sort;

/// What a call does, by its form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shape {
    /// Tools that may share a lesson: the tool's name, or `shell:<program>`.
    pub group: String,
    /// What it does: the tool's name, or `shell:<program> <subcommand>`.
    pub head: String,
    /// Flags, or argument keys with value classes, in order of the alphabet.
    pub features: Vec<String>,
}

impl Shape {
    /// The shape of a call of `name` with `args`.
    pub fn of(name: &str, args: &Value) -> Self {
        match command_text(name, args) {
            Some(text) => Self::of_line(&CommandLine::parse(&text)),
            None => {
                Self { group: name.to_string(), head: name.to_string(), features: argument_features(args) }
            }
        }
    }

    /// The shape of a command line: that of its principal command.
    pub fn of_line(line: &CommandLine) -> Self {
        line.principal().map_or_else(|| Self::of_command(&Command::default()), Self::of_command)
    }

    fn of_command(command: &Command) -> Self {
        let mut features = command.flags.clone();
        sort::sort(&mut features);
        features.dedup();
        Self {
            group: format!("shell:{}", command.program),
            head: format!("shell:{}", command.head()),
            features,
        }
    }

    /// The head of a shape in its text form.
    pub fn head_of(text: &str) -> &str {
        text.split_once(" | ").map_or(text, |(head, _)| head)
    }

    /// The features of a shape in its text form.
    pub fn features_of(text: &str) -> impl Iterator<Item = &str> {
        text.split_once(" | ")
            .map_or("", |(_, features)| features)
            .split(' ')
            .filter(|feature| !feature.is_empty())
    }
}

/// `shell:git push | --force`, `Edit | file_path:path new_string:text`.
impl core::fmt::Display for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.head)?;
        for (at, feature) in self.features.iter().enumerate() {
            f.write_str(if at == 0 { " | " } else { " " })?;
            f.write_str(feature)?;
        }
        Ok(())
    }
}

/// The command line of a call, if its tool is a shell.
pub fn command_text<'a>(name: &str, args: &'a Value) -> Option<Cow<'a, str>> {
    script(&name_words(name), args)
}

/// [`command_text`] for a name whose words are known.
pub(crate) fn script<'a>(words: &[String], args: &'a Value) -> Option<Cow<'a, str>> {
    if !is_shell_name(words) {
        return None;
    }
    match args {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Object(map) => {
            let keys =
                ["command", "cmd", "script", "commands", "shell_command", "code", "input", "keystrokes"];
            keys.iter().find_map(|key| map.get(*key)).and_then(joined)
        }
        _ => None,
    }
}

/// A command given as text, or as a list of words.
fn joined(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [shell, flag, script, ..]
                    if shell.ends_with("sh") && flag.starts_with('-') && flag.ends_with('c') =>
                {
                    Some(Cow::Owned((*script).to_string()))
                }
                [] => None,
                words => Some(Cow::Owned(words.join(" "))),
            }
        }
        _ => None,
    }
}

fn is_shell_name(words: &[String]) -> bool {
    let mut shell = false;
    for word in words {
        match word.as_str() {
            "bash" | "shell" | "terminal" | "sh" | "zsh" | "powershell" | "pwsh" | "cmd" | "exec"
            | "command" | "run" => shell = true,
            "python" | "ipython" | "editor" | "edit" | "file" | "test" | "tests" | "query" | "sql"
            | "search" | "browser" | "agent" | "js" | "javascript" | "notebook" | "output" | "kill"
            | "task" | "stdin" | "cell" => return false,
            _ => {}
        }
    }
    shell
}

/// The words of a tool's name: `mcp__github__createIssue` is mcp, github, create, issue.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && lower {
            out.extend((!word.is_empty()).then(|| core::mem::take(&mut word)));
        }
        lower = c.is_lowercase();
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    out.extend((!word.is_empty()).then_some(word));
    out
}

fn argument_features(args: &Value) -> Vec<String> {
    let Value::Object(map) = args else { return Vec::new() };
    let mut out: Vec<String> =
        map.iter().map(|(key, value)| format!("{key}:{}", value_class(value))).collect();
    sort::sort(&mut out);
    out
}

/// The class of an argument's value: `path`, `abspath`, `url`, `number`, `date`, `word`, `text`, `empty`, `bool`,
/// `null`, `list`, `object`. An id is a word: whether one has a digit in it is chance.
pub(crate) fn value_class(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
        Value::String(text) => text_class(text),
    }
}

fn text_class(text: &str) -> &'static str {
    let has = |test: fn(char) -> bool| text.contains(test);
    if text.is_empty() {
        "empty"
    } else if text.len() > 256 || has(char::is_whitespace) {
        "text"
    } else if text.contains("://") {
        "url"
    } else if text.starts_with(['/', '~']) || text.get(1..3) == Some(":\\") {
        "abspath"
    } else if text.contains(['/', '\\']) {
        "path"
    } else if !has(char::is_alphabetic) {
        if text.matches('-').count() == 2 { "date" } else { "number" }
    } else if text
        .rsplit_once('.')
        .is_some_and(|(stem, end)| !stem.is_empty() && (1..=5).contains(&end.len()))
    {
        "path"
    } else {
        "word"
    }
}

/// Whether a call changes files: an editing tool, or a shell line that edits in place or writes to a file.
pub(crate) fn edited_path<'a>(
    words: &[String],
    args: &'a Value,
    line: Option<&'a CommandLine>,
) -> Option<&'a str> {
    if let Some(line) = line {
        return line.commands().find_map(|command| {
            let written = command
                .writes
                .iter()
                .find(|path| path.rsplit('.').next() != Some("log") && !path.starts_with("/tmp/"));
            let in_place = command.edits_in_place().then(|| command.operands.last());
            written.or(in_place.flatten()).map(String::as_str)
        });
    }
    let says = |verbs: &[&str]| words.iter().any(|word| verbs.contains(&word.as_str()));
    let views = args.get("command").and_then(Value::as_str).is_some_and(|command| command == "view");
    let path = [
        "file_path",
        "path",
        "filename",
        "file",
        "notebook_path",
        "filePath",
        "target_file",
        "filepath",
        "relative_path",
    ]
    .iter()
    .find_map(|key| args.get(*key).and_then(Value::as_str));
    let edits = says(&[
        "edit",
        "multiedit",
        "write",
        "replace",
        "patch",
        "insert",
        "create",
        "editor",
        "update",
        "append",
        "notebookedit",
    ]);
    let by_name = says(&["edit", "multiedit", "patch", "insert"]) && words.len() <= 3;
    match path {
        Some(path) if edits && !views => Some(path),
        None if by_name && !views => Some(args.as_str().unwrap_or("")),
        _ => None,
    }
}

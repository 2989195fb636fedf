//! The entries of each agent's hook settings.
//!
//! Decides which event runs which command, and which entries are ours. Never changes those that are not.

use serde_json::{Value, json};

use super::edit::Document;
use super::{Site, Target};

/// Seconds an agent waits before it goes on without us.
const TIMEOUT: u32 = 5;

/// Events of an agent and what they are to us.
const CLAUDE: [(&str, &str); 7] = [
    ("SessionStart", "session-start"),
    ("UserPromptSubmit", "prompt"),
    ("PreToolUse", "pre-tool"),
    ("PostToolUse", "post-tool"),
    ("PostToolUseFailure", "post-tool-failure"),
    ("Stop", "stop"),
    ("SessionEnd", "session-end"),
];
const CODEX: [(&str, &str); 5] = [
    ("SessionStart", "session-start"),
    ("UserPromptSubmit", "prompt"),
    ("PreToolUse", "pre-tool"),
    ("PostToolUse", "post-tool"),
    ("Stop", "stop"),
];
const CURSOR: [(&str, &str); 7] = [
    ("sessionStart", "session-start"),
    ("beforeSubmitPrompt", "prompt"),
    ("preToolUse", "pre-tool"),
    ("postToolUse", "post-tool"),
    ("postToolUseFailure", "post-tool-failure"),
    ("stop", "stop"),
    ("sessionEnd", "session-end"),
];

/// The settings with our entries, or without them; `None` where nothing is left to keep a file for.
pub(super) fn apply(site: &Site, before: Option<&str>, wanted: bool) -> Result<Option<String>, String> {
    let Some(text) = before.filter(|text| !text.trim().is_empty()) else {
        let fresh = if site.target == Target::Cursor { "{\n  \"version\": 1\n}\n" } else { "{}\n" };
        return if wanted { put(site, fresh).map(Some) } else { Ok(before.map(String::from)) };
    };
    if wanted {
        return put(site, text).map(Some);
    }
    let after = take(text)?;
    let is_bare = matches!(serde_json::from_str::<Value>(&after), Ok(rest) if rest == json!({}) || rest == json!({"version": 1}));
    Ok((!(is_bare && after != text)).then_some(after))
}

fn put(site: &Site, text: &str) -> Result<String, String> {
    let mut document = Document::new(text)?;
    for &(event, ours) in events(site.target) {
        let entry = entry(site, event, ours);
        let entries = document.items(&["hooks", event])?;
        let own: Vec<usize> = own(&entries);
        if let [at] = own[..]
            && entries.get(at) == Some(&entry)
        {
            continue;
        }
        for at in own.into_iter().rev() {
            document.remove_item(&["hooks", event], at)?;
        }
        document.append(&["hooks", event], &entry)?;
    }
    Ok(document.into_text())
}

fn take(text: &str) -> Result<String, String> {
    let mut document = Document::new(text)?;
    for event in document.keys(&["hooks"])? {
        let path = ["hooks", event.as_str()];
        // A list of another form has nothing of ours.
        let Ok(entries) = document.items(&path) else { continue };
        let own = own(&entries);
        let is_emptied = !own.is_empty() && own.len() == entries.len();
        for at in own.into_iter().rev() {
            document.remove_item(&path, at)?;
        }
        if is_emptied {
            document.remove_member(&["hooks"], &event)?;
            if document.keys(&["hooks"])?.is_empty() {
                document.remove_member(&[], "hooks")?;
            }
        }
    }
    Ok(document.into_text())
}

const fn events(target: Target) -> &'static [(&'static str, &'static str)] {
    match target {
        Target::Claude => &CLAUDE,
        Target::Codex => &CODEX,
        Target::Cursor => &CURSOR,
        Target::OpenCode => &[],
    }
}

fn entry(site: &Site, event: &str, ours: &str) -> Value {
    let agent = match site.target {
        Target::Codex => "codex",
        Target::Cursor => "cursor",
        _ => "claude",
    };
    let command = format!("{} hook {ours} --agent {agent}", site.command);
    if site.target == Target::Cursor {
        return json!({ "command": command, "timeout": TIMEOUT });
    }
    let hooks = json!([{ "type": "command", "command": command, "timeout": TIMEOUT }]);
    if event.contains("Tool") { json!({ "matcher": "*", "hooks": hooks }) } else { json!({ "hooks": hooks }) }
}

/// The places of our entries: those of which every command is ours.
fn own(entries: &[Value]) -> Vec<usize> {
    let is_ours = |entry: &Value| match entry.get("hooks").and_then(Value::as_array) {
        Some(hooks) => !hooks.is_empty() && hooks.iter().all(runs_us),
        None => runs_us(entry),
    };
    (0..entries.len()).filter(|&at| entries.get(at).is_some_and(is_ours)).collect()
}

/// Whether a handler runs our command, wherever it is installed.
fn runs_us(handler: &Value) -> bool {
    let command = handler.get("command").and_then(Value::as_str).unwrap_or_default();
    command.split_once(" hook ").is_some_and(|(program, rest)| {
        program.contains("hardwon") && rest.contains("--agent ") && !rest.contains([';', '|', '&'])
    })
}

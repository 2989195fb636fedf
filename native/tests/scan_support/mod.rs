//! Sessions of coding agents for the tests of `scan`, written for them.
//!
//! Decides what went wrong in them. Never holds anything of a real history.

#![allow(dead_code, reason = "each test binary uses a part")]

use serde_json::{Value, json};

/// A session under way: its lines as Claude Code writes them.
pub(crate) struct Session {
    id: String,
    cwd: String,
    day: u32,
    lines: Vec<Value>,
}

impl Session {
    /// A session of that day of May 2026, with its task.
    pub(crate) fn new(id: &str, cwd: &str, day: u32, task: &str) -> Self {
        let mut out = Self { id: id.into(), cwd: cwd.into(), day, lines: Vec::new() };
        out.line("user", &json!({ "role": "user", "content": task }));
        out
    }

    fn line(&mut self, kind: &str, message: &Value) {
        let n = self.lines.len();
        self.lines.push(json!({
            "type": kind, "sessionId": self.id, "uuid": format!("{}-{n}", self.id), "cwd": self.cwd,
            "timestamp": format!("2026-05-{:02}T09:{n:02}:00.000Z", self.day), "message": message,
        }));
    }

    /// A call and its answer.
    pub(crate) fn call(mut self, tool: &str, input: &Value, is_error: bool, answer: &str) -> Self {
        let call = format!("toolu_{}_{}", self.id, self.lines.len());
        let uses = json!([{ "type": "tool_use", "id": call, "name": tool, "input": input }]);
        self.line("assistant", &json!({ "role": "assistant", "content": uses }));
        let result =
            json!([{ "type": "tool_result", "tool_use_id": call, "is_error": is_error, "content": answer }]);
        self.line("user", &json!({ "role": "user", "content": result }));
        self
    }

    pub(crate) fn shell(self, command: &str, is_error: bool, answer: &str) -> Self {
        self.call("Bash", &json!({ "command": command }), is_error, answer)
    }

    /// The file, with the last word.
    pub(crate) fn ends(mut self, word: &str) -> String {
        self.line(
            "assistant",
            &json!({ "role": "assistant", "content": [{ "type": "text", "text": word }] }),
        );
        let lines: Vec<String> = self.lines.iter().map(Value::to_string).collect();
        lines.join("\n")
    }
}

/// A branch that has no upstream, and what the error says to do.
pub(crate) fn push(session: Session, branch: &str) -> Session {
    let refused = format!(
        "Exit code 128\nfatal: The current branch {branch} has no upstream branch.\nTo push the current branch and set \
         the remote as upstream, use\n\n    git push --set-upstream origin {branch}\n"
    );
    session.shell("git push", true, &refused).shell(
        &format!("git push --set-upstream origin {branch}"),
        false,
        "branch set up to track",
    )
}

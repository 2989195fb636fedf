//! Traces for tests, written as a script of what happened.
//!
//! Decides nothing; only builds.

use alloc::format;
use alloc::string::{String, ToString};

use serde_json::{Value, json};

use crate::learn::{Draft, Mined, mine};
use crate::record::Mark;
use crate::trace::{Body, Event, Outcome, ResultStatus, ToolCall, ToolResult, Trace};

/// A run that is being written down.
pub(crate) struct Script {
    pub(crate) trace: Trace,
}

/// The start of a run.
pub(crate) fn run(name: &str) -> Script {
    let trace = Trace { session_id: name.to_string(), root_run_id: name.to_string(), ..Trace::default() };
    Script { trace }
}

impl Script {
    fn event(mut self, body: Body) -> Self {
        let position = self.trace.events.len() as u32;
        self.trace.events.push(Event { id: None, id_is_global: false, ts: None, position, body });
        self
    }

    fn call(self, name: &str, args: Value, status: ResultStatus, text: &str) -> Self {
        let call_id = format!("call_{}", self.trace.events.len());
        let result = ToolResult { status, text: text.to_string(), ..ToolResult::default() };
        self.event(Body::ToolCall(ToolCall { call_id, name: name.to_string(), args, result }))
    }

    pub(crate) fn task(self, text: &str) -> Self {
        self.event(Body::Start { task: text.to_string() })
    }

    pub(crate) fn user(self, text: &str) -> Self {
        self.event(Body::User { text: text.to_string() })
    }

    pub(crate) fn says(self, text: &str) -> Self {
        self.event(Body::Thought { text: text.to_string() })
    }

    pub(crate) fn ends(self, text: &str) -> Self {
        self.event(Body::Final { text: text.to_string() })
    }

    pub(crate) fn ok(self, name: &str, args: Value, text: &str) -> Self {
        self.call(name, args, ResultStatus::Ok, text)
    }

    pub(crate) fn fails(self, name: &str, args: Value, text: &str) -> Self {
        self.call(name, args, ResultStatus::Failed, text)
    }

    pub(crate) fn refused(self, name: &str, args: Value, text: &str) -> Self {
        self.call(name, args, ResultStatus::Refused, text)
    }

    pub(crate) fn shell_ok(self, command: &str, text: &str) -> Self {
        self.ok("Bash", json!({ "command": command }), text)
    }

    pub(crate) fn shell_fails(self, command: &str, text: &str) -> Self {
        self.fails("Bash", json!({ "command": command }), text)
    }

    pub(crate) fn edits(self, path: &str) -> Self {
        self.ok(
            "Edit",
            json!({ "file_path": path, "old_string": "a", "new_string": "b" }),
            "The file has been updated.",
        )
    }

    pub(crate) fn outcome(mut self, outcome: Outcome) -> Self {
        self.trace.outcome = outcome;
        self
    }

    /// Marks the last result as cut.
    pub(crate) fn cut(mut self) -> Self {
        if let Some(Event { body: Body::ToolCall(call), .. }) = self.trace.events.last_mut() {
            call.result.cut = true;
        }
        self
    }

    pub(crate) fn mined(&self) -> Mined {
        mine(&self.trace)
    }

    /// The only draft that does not wait for review.
    pub(crate) fn draft(&self) -> Draft {
        let mut drafts = self.mined().drafts;
        drafts.retain(|draft| !draft.marks.contains(&Mark::Bypass));
        assert_eq!(drafts.len(), 1, "{drafts:#?}");
        drafts.remove(0)
    }

    /// The reasons of what was skipped.
    pub(crate) fn skipped(&self) -> alloc::vec::Vec<String> {
        self.mined().skipped.iter().map(|skipped| skipped.reason.to_string()).collect()
    }
}

//! What a run consists of: events in order, as every reader delivers them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::env::Timestamp;

/// The moment of a retrieval that was said before a call.
pub(crate) const BEFORE_TOOL: &str = "before_tool";

/// One run of one agent (or sub-agent): its events in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// The session as the format or the caller names it, for example a Claude Code session id or `t3-r0`.
    pub session_id: String,
    /// The run that counts for recurrence: sub-agents share their root's.
    pub root_run_id: String,
    /// How the run ended, as far as the trace says.
    pub outcome: Outcome,
    /// Whether the session has no name of its own, so that only its content identifies it.
    pub anonymous: bool,
    /// The working directory of the session, where the format has one.
    pub cwd: Option<String>,
    /// The repository by its remote, in the form of [`super::repo::of_remote`], where the format tells the remote.
    pub repo: Option<String>,
    /// The events, oldest first.
    pub events: Vec<Event>,
}

impl Trace {
    /// The repository of the run, the same for all its worktrees: by remote where the trace tells one, else the main
    /// working directory that the run's directory belongs to. `None` where the trace tells neither.
    pub fn repository(&self) -> Option<String> {
        self.repo
            .clone()
            .or_else(|| self.cwd.as_deref().map(|cwd| super::repo::of_directory(cwd).to_string()))
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The run is marked as successful (a reward of 1, a `final` with success).
    Success,
    /// The run is marked as failed.
    Failed,
    /// Nothing speaks for or against it.
    #[default]
    Unknown,
}

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The format's id of this event where it has one (Claude Code's uuid, a canonical `event_id`).
    pub id: Option<String>,
    /// Whether `id` is unique by itself, over all sessions and files. A tool-call id is not.
    pub id_is_global: bool,
    /// When it happened; `None` where the trace does not say.
    pub ts: Option<Timestamp>,
    /// Its place in the session, counted from 0.
    pub position: u32,
    /// What happened.
    pub body: Body,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// The run's task.
    Start {
        /// The task's text.
        task: String,
    },
    /// The agent said or thought something.
    Thought {
        /// Its words.
        text: String,
    },
    /// A person (or the environment that plays one) said something.
    User {
        /// Their words.
        text: String,
    },
    /// A tool was called and answered.
    ToolCall(ToolCall),
    /// The run's last word.
    Final {
        /// Its text.
        text: String,
    },
    /// The run failed.
    Failed {
        /// Why.
        reason: String,
    },
    /// The run stopped before its end.
    Incomplete {
        /// Why.
        reason: String,
    },
    /// The host found that a claimed write did not land.
    Discrepancy {
        /// What was claimed to be written.
        path: String,
        /// What the host saw instead.
        reason: String,
    },
    /// Lessons were shown to the agent.
    Retrieval {
        /// When: `start`, `before_tool`, `after_failure` or `before_done`; empty where it is not said.
        moment: String,
        /// The ids of the records shown.
        items: Vec<String>,
        /// The ids of records that the holdback kept from the agent.
        withheld: Vec<String>,
    },
    /// Kept and ignored.
    Other,
}

/// A call with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The id that pairs call and result in the format, for example `toolu_…` or `call_…`.
    pub call_id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as given; a string where they were no JSON.
    pub args: Value,
    /// The result.
    pub result: ToolResult,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResult {
    /// When the answer came; `None` where the trace does not say.
    pub ts: Option<Timestamp>,
    /// Whether and how it worked.
    pub status: ResultStatus,
    /// The text of the answer: output, or the error message.
    pub text: String,
    /// Whether the recorded text is cut, so that "not seen" proves nothing.
    pub cut: bool,
    /// Exit status of a process, where the trace tells it.
    pub exit: Option<i64>,
}

/// Whether and how a call worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultStatus {
    /// The tool says it worked.
    Ok,
    /// The tool, or a rule of its reader, says it failed.
    Failed,
    /// A person refused the call.
    Refused,
    /// The call was given up because another one failed, or the run was interrupted.
    Cancelled,
    /// No answer was recorded.
    #[default]
    Missing,
}

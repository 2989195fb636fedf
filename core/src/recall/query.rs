//! The query: what is asked, at which moment, for whom.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::env::Timestamp;
use crate::learn::{CallIdentity, identify};
use crate::op::Recall;
use crate::record::Scope;
use crate::text::{nfc, terms};
use crate::trace::BEFORE_TOOL;
use crate::trace::json::value_or_text;

/// When memory is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// A task begins.
    Start,
    /// A tool is about to be called.
    BeforeTool,
    /// A call has failed.
    AfterFailure,
    /// Success is about to be claimed.
    BeforeDone,
}

impl Moment {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::BeforeTool => BEFORE_TOOL,
            Self::AfterFailure => "after_failure",
            Self::BeforeDone => "before_done",
        }
    }
}

/// A query, compiled.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    pub(crate) moment: Moment,
    /// All of its text, in one.
    pub(crate) text: String,
    /// The search terms of `text`.
    pub(crate) terms: Vec<String>,
    /// The search terms of the task alone.
    pub(crate) task_terms: Vec<String>,
    /// What the call is, as mining would name it; its signature is that of the error.
    pub(crate) call: Option<CallIdentity>,
    /// The tools that have places: called, named by the task, or listed by the host.
    pub(crate) tools: BTreeSet<String>,
    pub(crate) scope: Scope,
    /// The time that is asked about, where it is not now.
    pub(crate) as_of: Option<Timestamp>,
}

impl Query {
    /// Compiles the options of `recall`.
    pub(crate) fn new(input: &Recall) -> Self {
        let (task, error, claim) = (nfc(&input.task), nfc(&input.error), nfc(&input.claim));
        let moment = if !claim.is_empty() {
            Moment::BeforeDone
        } else if !error.is_empty() {
            Moment::AfterFailure
        } else if !input.tool.is_empty() {
            Moment::BeforeTool
        } else {
            Moment::Start
        };
        let args = value_or_text(input.args.clone());
        let call =
            (!input.tool.is_empty() || !error.is_empty()).then(|| identify(&input.tool, &args, &error));
        let parts = [task.as_str(), claim.as_str(), error.as_str(), input.args.as_str()];
        let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
        let mut tools = input.tools.clone();
        tools.extend((!input.tool.is_empty()).then(|| input.tool.clone()));
        Self {
            moment,
            terms: terms(&text),
            task_terms: terms(&task),
            text,
            call,
            tools,
            scope: input.scope.clone().normalised(),
            as_of: input.as_of,
        }
    }

    /// Whether the text names this tool as a whole word.
    pub(crate) fn names(&self, tool: &str) -> bool {
        let text = self.text.as_str();
        !tool.is_empty()
            && text.match_indices(tool).any(|(at, _)| {
                let before = text.get(..at).and_then(|head| head.chars().next_back());
                let after = text.get(at + tool.len()..).and_then(|tail| tail.chars().next());
                let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                !joins(before) && !joins(after)
            })
    }
}

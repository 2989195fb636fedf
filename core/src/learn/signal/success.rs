//! Success patterns: how a clean run got there.
//!
//! Decides only for runs that ended well, without a failure, in a few kinds of steps. Says which steps, never with
//! which values.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::learn::run::Run;
use crate::trace::{Body, Outcome};

/// More kinds of steps than this are no pattern that a line can hold.
const STEPS: usize = 6;

/// The steps of a clean run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// The kinds of steps in order of their first use.
    pub(crate) steps: Vec<String>,
    /// The advice.
    pub(crate) text: String,
    /// The tools used.
    pub(crate) tools: BTreeSet<String>,
    /// Index of the event that ends the run.
    pub(crate) event: usize,
}

/// The pattern of a clean run with an end and at least two kinds of real steps.
pub(crate) fn success_pattern(run: &Run<'_>) -> Option<Pattern> {
    let clean =
        run.trace.outcome != Outcome::Failed && !run.calls.iter().any(super::super::run::Call::failed);
    let (end, event) = run.trace.events.iter().enumerate().next_back()?;
    let ended = run.trace.outcome == Outcome::Success || matches!(event.body, Body::Final { .. });
    if !clean || !ended {
        return None;
    }
    let mut steps: Vec<String> = Vec::new();
    let mut tools = BTreeSet::new();
    for call in run.calls.iter().filter(|call| call.worked() && !is_inner(&call.words)) {
        let title = call.title();
        if !steps.contains(&title) {
            steps.push(title);
        }
        tools.insert(call.tool.name.clone());
        if steps.len() > STEPS {
            return None;
        }
    }
    if steps.len() < 2 {
        return None;
    }
    let text = format!(
        "Steps that worked: {}",
        steps.iter().map(|step| format!("`{step}`")).collect::<Vec<_>>().join(", then ")
    );
    Some(Pattern { steps, text, tools, event: end })
}

/// Tools that only talk to the agent itself.
fn is_inner(words: &[String]) -> bool {
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "think" | "todo" | "todowrite" | "plan" | "calculate" | "final" | "finish" | "respond"
        )
    })
}

//! Success patterns: how a clean run got there.
//!
//! Decides only for runs that ended well, without a failure, in a few kinds of steps. Says which steps, never with
//! which values.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::learn::lexicon;
use crate::learn::run::{Call, Run};
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

/// The pattern of a clean run with an end and a step that did something, or several that looked things up.
pub(crate) fn success_pattern(run: &Run<'_>) -> Option<Pattern> {
    let clean = run.trace.outcome != Outcome::Failed && !run.calls.iter().any(Call::failed);
    let (end, event) = run.trace.events.iter().enumerate().next_back()?;
    let ended = run.trace.outcome == Outcome::Success || matches!(event.body, Body::Final { .. });
    if !clean || !ended {
        return None;
    }
    let mut steps: Vec<String> = Vec::new();
    let mut tools = BTreeSet::new();
    let mut acted = false;
    for call in run.calls.iter().filter(|call| call.worked() && !is_inner(&call.words)) {
        acted |= acts(call);
        let title = call.title();
        if !steps.contains(&title) {
            steps.push(title);
        }
        tools.insert(call.tool.name.clone());
        if steps.len() > STEPS {
            return None;
        }
    }
    if steps.len() < 2 && !acted {
        return None;
    }
    let text = format!(
        "Steps that worked: {}",
        steps.iter().map(|step| format!("`{step}`")).collect::<Vec<_>>().join(", then ")
    );
    Some(Pattern { steps, text, tools, event: end })
}

/// Whether a call did more than look something up.
fn acts(call: &Call<'_>) -> bool {
    match call.line().and_then(|line| line.principal()) {
        Some(command) => !command.looks_only() && !command.is_preparation(),
        None => !call.words.iter().any(|word| lexicon::has(lexicon::LOOKUPS, word)),
    }
}

/// Tools that only talk to the agent itself.
pub(super) fn is_inner(words: &[String]) -> bool {
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "think" | "todo" | "todowrite" | "plan" | "calculate" | "final" | "finish" | "respond"
        )
    })
}

//! Postmortems: one line on a run as a whole.
//!
//! Decides nothing; counts what failed and says how the run ended. Without values.

use alloc::string::String;
use alloc::vec::Vec;

use crate::learn::run::{Call, Run};
use crate::learn::template;
use crate::trace::{Body, Outcome};

/// How many kinds of failed calls are named.
const KINDS: usize = 3;

/// The line on a run; `None` where nothing was called.
pub(crate) fn postmortem(run: &Run<'_>) -> Option<String> {
    let failed: Vec<&Call<'_>> = run.calls.iter().filter(|call| call.failed()).collect();
    let mut kinds: Vec<String> = Vec::new();
    for title in failed.iter().map(|call| call.title()) {
        if kinds.len() < KINDS && !kinds.contains(&title) {
            kinds.push(title);
        }
    }
    let stopped = run.trace.events.iter().any(|event| matches!(event.body, Body::Incomplete { .. }));
    let ended = run.trace.events.iter().any(|event| matches!(event.body, Body::Final { .. }));
    let end = match run.trace.outcome {
        Outcome::Success => "succeeded",
        _ if run.failed() => "failed",
        _ if stopped => "was stopped",
        _ if ended => "ended without a verdict",
        Outcome::Failed | Outcome::Unknown => "has no end",
    };
    (!run.calls.is_empty()).then(|| template::postmortem(run.calls.len(), failed.len(), &kinds, end))
}

//! Recoveries by a bypass: kept for review, apart from the lesson of the failure itself.
//!
//! Decides which calls went round a failure. Teaches none of them.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::{WINDOW, same_call};
use crate::learn::run::Run;
use crate::learn::{bypass, template};

/// A failure that a bypass made go away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bypassed {
    /// Index of the failed call.
    pub(crate) failed: usize,
    /// Index of the call that is the bypass.
    pub(crate) by: usize,
    /// The flag, argument, command or mark.
    pub(crate) what: String,
    /// What happened, for the reviewer.
    pub(crate) text: String,
}

/// Every failure that was followed by a success of the same purpose through a bypass; each bypass once.
pub(crate) fn bypasses(run: &Run<'_>) -> Vec<Bypassed> {
    let mut used = BTreeSet::new();
    let mut out = Vec::new();
    for failed in (0..run.calls.len()).filter(|&call| run.calls[call].failed()) {
        if let Some((by, what)) = bypass_of(run, failed).filter(|(by, _)| used.insert(*by)) {
            let reason = template::reason(&run.signature(failed));
            let text = template::bypass(&what, &run.calls[failed].title(), &reason);
            out.push(Bypassed { failed, by, what, text });
        }
    }
    out
}

fn bypass_of(run: &Run<'_>, failed: usize) -> Option<(usize, String)> {
    let this = &run.calls[failed];
    let mut later = run.calls.iter().enumerate().skip(failed + 1).take(WINDOW);
    let (at, success) = later.find(|(_, later)| later.worked() && later.shape().head == this.shape().head)?;
    if let Some(what) = bypass::added(this, success) {
        return Some((at, what));
    }
    // A step between counts only when the call itself stayed the same, so that the step made the difference.
    if !same_call(this, success) {
        return None;
    }
    let mut between = run.calls[failed + 1..at].iter().enumerate().filter(|(_, call)| call.worked());
    between.find_map(|(n, call)| bypass::step(call).map(|what| (failed + 1 + n, what)))
}

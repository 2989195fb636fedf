//! Signals: what a trace shows beyond the bare failure.
//!
//! Decides which remedy the trace supports and how strongly. A signal never makes a second lesson of one failure: it
//! words it better.

mod contrast;
mod correction;
mod dead_end;
mod discrepancy;
mod hint;
mod named;
mod postmortem;
mod provenance;
mod recovery;
mod success;
mod sum;

use alloc::string::String;
use alloc::vec::Vec;

use super::action::Action;
use super::draft::Strength;
use super::run::Run;
use super::signature::Signature;
use crate::record::Subtype;

pub(crate) use contrast::{Contrast, contrasts};
pub(crate) use correction::corrections;
pub(crate) use discrepancy::discrepancies;
pub(crate) use hint::is_override;
pub(crate) use postmortem::postmortem;
pub(crate) use provenance::invented;
pub(crate) use recovery::bypasses;
pub(crate) use success::success_pattern;
pub(crate) use sum::sum;

/// A wording with the signal that supports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remedy {
    pub(crate) subtype: Subtype,
    pub(crate) strength: Strength,
    pub(crate) text: String,
    /// The remedy in a form that can be applied.
    pub(crate) action: Option<Action>,
    /// The shape of the earliest call at which it would have helped, where that is not the call that failed.
    pub(crate) trigger: Option<String>,
}

impl Remedy {
    pub(crate) fn new(subtype: Subtype, strength: Strength, text: String) -> Self {
        Self { subtype, strength, text, action: None, trigger: None }
    }

    pub(crate) fn with(self, action: Option<Action>) -> Self {
        Self { action, ..self }
    }
}

/// How many failures of one kind are looked at for a remedy: enough for two recoveries to agree.
pub(crate) const LOOKED_AT: usize = 16;

/// The failures of one kind in one run.
pub(crate) struct Failures<'s> {
    /// Indices of the failed calls, in order.
    pub(crate) calls: Vec<usize>,
    /// What they say; of the first where words differ.
    pub(crate) signature: &'s Signature,
}

/// The best supported remedy that the run shows for these failures.
pub(crate) fn remedy(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    let mut found: Vec<Remedy> = hint::remedies(run, failures);
    for change in recovery::changes(run, failures) {
        // The error named what the run then changed: its sentence says it best.
        match found.iter_mut().find(|hint| change.named && hint.text.contains(&change.what)) {
            Some(hint) => {
                if hint.strength <= Strength::Named && !run.failed() {
                    (hint.subtype, hint.strength) = (Subtype::HintFollowed, Strength::Proven);
                }
                hint.action = hint.action.take().or(change.action);
            }
            None => found.push(change.into_remedy(run, failures)),
        }
    }
    found.extend(named::required(run, failures));
    found.extend(named::check(run, failures));
    found.extend(named::program(run, failures));
    found.extend(named::offline(run, failures));
    found.extend(dead_end::remedy(run, failures));
    // Of equal strength the first one: where a value comes from, then the error's own words, then what the run did.
    let first = provenance::remedy(run, failures);
    first.into_iter().chain(found).rev().max_by_key(|remedy| remedy.strength)
}

/// A remedy that only the run's course supports counts for less when the run failed.
pub(crate) fn gated(run: &Run<'_>, strength: Strength) -> Strength {
    if run.failed() { Strength::Weak } else { strength }
}

#[cfg(test)]
mod tests;

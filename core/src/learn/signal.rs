//! Signals: what a trace shows beyond the bare failure.
//!
//! Decides which remedy the trace supports and how strongly. A signal never makes a second lesson of one failure: it
//! words it better.

mod discrepancy;
mod hint;
mod provenance;
mod recovery;
mod success;

use alloc::string::String;
use alloc::vec::Vec;

use super::draft::Strength;
use super::run::Run;
use super::signature::Signature;
use crate::record::Subtype;

pub(crate) use discrepancy::discrepancies;
pub(crate) use hint::is_override;
pub(crate) use provenance::invented;
pub(crate) use success::success_pattern;

/// A wording with the signal that supports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remedy {
    pub(crate) subtype: Subtype,
    pub(crate) strength: Strength,
    pub(crate) text: String,
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
            Some(hint) if hint.strength <= Strength::Named && !run.failed() => {
                (hint.subtype, hint.strength) = (Subtype::HintFollowed, Strength::Proven);
            }
            Some(_) => {}
            None => found.push(change.into_remedy(run)),
        }
    }
    found.extend(provenance::remedy(run, failures));
    found.extend(recovery::dead_end(run, failures));
    // Of equal strength the first one: the error's own words before what the run made of them.
    found.into_iter().rev().max_by_key(|remedy| remedy.strength)
}

/// A remedy that only the run's course supports counts for less when the run failed.
pub(crate) fn gated(run: &Run<'_>, strength: Strength) -> Strength {
    if run.failed() { Strength::Weak } else { strength }
}

#[cfg(test)]
mod tests;

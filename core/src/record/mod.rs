//! Records: the one envelope that lessons, facts, feedback and items share.
//!
//! Decides what a record is and what follows from its parts. Never decides when one changes.

mod brief;
mod claim;
mod counters;
mod evidence;
mod feedback;
mod kind;
#[allow(clippy::module_inception, reason = "the record is what this folder is about")]
mod record;
mod scope;
mod set;
#[cfg(test)]
pub(crate) mod testing;

pub(crate) use brief::Brief;
pub use claim::{Claim, Support};
pub use counters::{Counter, Counters};
pub use evidence::{EventKey, Evidence, Rewording, TextKey, Variant, hash64};
pub use feedback::Feedback;
pub use kind::{Kind, LoadSet, Mark, Pin, SourceClass, Status, StatusReason, Subtype, Tier};
pub use record::Record;
pub use scope::{Scope, ScopeKey};
pub use set::Set;

//! Lessons: from a trace to drafts, from drafts to merged, promoted and evicted records.
//!
//! Decides what a trace teaches and what becomes of it. Never does IO and never shows anything.

mod about;
mod action;
mod bypass;
mod compress;
mod correction;
mod draft;
mod evict;
mod identify;
mod lexicon;
mod merge;
mod mine;
mod noise;
mod outcome;
mod run;
mod seen;
mod shape;
mod shell;
mod signal;
mod signature;
mod similar;
mod summary;
mod template;
#[cfg(test)]
mod testing;
mod words;

pub(crate) use about::{concerns, narrowed};
pub(crate) use action::is_done;
pub use action::{Action, Applied, Slot, apply};
pub(crate) use compress::Words;
pub(crate) use correction::instruction;
pub use correction::{Correction, correction};
pub use draft::{Draft, Mined, Skipped, Strength};
pub(crate) use evict::{decay, hold_cap, leave_summary};
pub use identify::{CallIdentity, identify};
pub(crate) use merge::{MinedRun, likeness, merge_run, salted_event, salted_key};
pub use mine::{contrast, mine, postmortem};
pub(crate) use outcome::demote;
pub(crate) use run::Run;
pub(crate) use seen::Seen;
pub use shape::{Shape, command_text};
pub use shell::{Command, CommandLine, Joiner, Pipeline};
pub use similar::{Likeness, MIN_OVERLAP, groups_meet, joins};
pub(crate) use template::clip;
pub(crate) use words::content_words;

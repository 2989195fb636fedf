//! Facts: what is claimed, by whom, and which of two claims holds.
//!
//! Decides whether a claim is new, known, or contradicts what is held, and what becomes of both. Never leaves two
//! active facts of one scope that contradict each other, and never destroys what was believed.

mod audit;
mod check;
mod exchange;
mod extract;
mod hold;
mod predicate;
mod rank;
mod read;
mod seen;
mod topic;
mod write;

pub(crate) use audit::{INDEX, audit};
pub(crate) use check::Checked;
pub(crate) use exchange::{Edit, Harvest, Taken, edits, harvest, written};
pub(crate) use extract::{Found, is_person, judged, prompt, prompts, sentences, spoken};
pub(crate) use hold::{holds_on, is_believed, shadow};
pub(crate) use read::read;
pub(crate) use seen::Seen;
pub(crate) use topic::{is_standing, topic_key};
pub(crate) use write::{EDITED, ENDED, Order, confirm, hold_truths, is_same_fact, remember, supersede};

/// The key of a predicate with a value.
pub(crate) fn predicate_name(predicate: &str, object: &str) -> alloc::string::String {
    predicate::refined(predicate, object).0
}

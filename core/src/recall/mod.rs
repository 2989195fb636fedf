//! Recall: what comes back for a moment, in which order, and why.
//!
//! Decides relevance, places and order over a view. Never writes: reading leaves no trace in the records.

mod pick;
mod query;
mod score;
#[cfg(test)]
mod tests;

pub(crate) use pick::{Picked, pick};
pub(crate) use query::Query;
pub(crate) use score::{Candidate, Scorer, excluded};

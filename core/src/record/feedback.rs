//! What a behavioural correction says.
//!
//! Decides what of a correction is kept. Never decides whether it fits.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// A correction in parts. The record's text is the situation: it is found by what an agent knows before the mistake.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Feedback {
    /// When it applies, as it looks before the mistake.
    pub situation: String,
    /// What was done and is not to be done.
    pub behavior: String,
    /// What came of it.
    pub impact: String,
    /// What is to be done.
    pub action: String,
}

//! Claims in a conversation: what people plainly ask to have kept, and what a model reads out of it.
//!
//! Decides which sentences are claims. Without a model only explicit forms are; what was not looked at is counted.
//! Never decides whether a claim is kept: each goes the way of any other.

mod model;
mod spoken;

use alloc::string::String;

use crate::record::{SourceClass, Subtype};

pub(crate) use model::{judged, prompt, prompts};
pub(crate) use spoken::{is_person, sentences, spoken};

/// A claim that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) subtype: Subtype,
    pub(crate) source: SourceClass,
    /// The claim in words; empty where it has parts.
    pub(crate) text: String,
    pub(crate) subject: String,
    pub(crate) predicate: String,
    pub(crate) object: String,
    pub(crate) rationale: String,
    /// The words of the message.
    pub(crate) quote: String,
}

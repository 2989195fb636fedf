//! Feedback: corrections of behaviour, when they fit, and what they teach.
//!
//! Decides which memories a message brings up, whether an intent does what one warns of, and what is made of a
//! correction. Writes through the editor alone, and says nothing that is not stored.

mod argue;
mod judge;
mod learn;
mod matching;
mod parts;
mod promote;
mod told;

pub(crate) use self::argue::{decided, settled};
pub(crate) use self::judge::{Judge, does_it, prompts};
pub(crate) use self::learn::{Correcting, confirms, correct, key};
pub(crate) use self::matching::{fact_line, facts, feedback};
pub(crate) use self::parts::Parts;
pub(crate) use self::promote::keep_core;
pub(crate) use self::told::tell_facts;

use alloc::string::String;

use crate::record::Record;

/// What a memory says to a person, in one line.
pub(crate) fn line(record: &Record) -> String {
    let Some(said) = &record.feedback else { return record.text.clone() };
    let mut out = alloc::format!("{}: {}", said.situation, said.action);
    if !said.behavior.is_empty() {
        out.push_str(&alloc::format!(" (not: {})", said.behavior));
    }
    if !said.impact.is_empty() {
        out.push_str(&alloc::format!(". {}", said.impact));
    }
    out
}

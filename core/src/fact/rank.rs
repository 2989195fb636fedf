//! Which of two contradicting claims holds.
//!
//! Decides by the world's time where both are dated, then by source class, confidence and recency. What a user wants
//! yields only to the user; what is said about a repository yields to the repository. Never by nearness of words.

use core::cmp::Ordering;

use super::topic::start_of;
use crate::env::Timestamp;
use crate::record::{Pin, Record, SourceClass, Subtype};

/// What becomes of a new claim beside one that is held and contradicts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// It takes the place of what is held.
    Wins,
    /// It waits beside what is held.
    Yields,
    /// It was so before what is held began.
    Past,
    /// Nothing tells which holds.
    Tied,
}

/// Judges a new claim against one that is held. `is_current` says that its evidence was taken at this moment: a word of
/// the user in this call, a file read now. `is_later` says that it was given after what is held.
pub(crate) fn judge(new: &Record, held: &Record, is_current: bool, is_later: bool) -> Ruling {
    let dated = |record: &Record| record.claim.as_ref().is_some_and(|claim| claim.dated);
    if dated(new) && dated(held) && start_of(new) < start_of(held) {
        return Ruling::Past;
    }
    if held.pin != Pin::None {
        return Ruling::Yields;
    }
    match by_class(new, held, is_current).then(new.confidence.cmp(&held.confidence)) {
        Ordering::Greater => Ruling::Wins,
        Ordering::Less => Ruling::Yields,
        Ordering::Equal => match new.last_confirmed_at.cmp(&held.last_confirmed_at) {
            Ordering::Greater => Ruling::Wins,
            Ordering::Less => Ruling::Past,
            Ordering::Equal if is_later => Ruling::Wins,
            Ordering::Equal => Ruling::Tied,
        },
    }
}

fn by_class(new: &Record, held: &Record, is_current: bool) -> Ordering {
    let is_preference = new.subtype == Subtype::Preference || held.subtype == Subtype::Preference;
    match (new.source, held.source) {
        (SourceClass::User, SourceClass::Repo) if is_current || is_preference => Ordering::Greater,
        (SourceClass::User, SourceClass::Repo) => Ordering::Less,
        (SourceClass::Repo, SourceClass::User) if is_current && !is_preference => Ordering::Greater,
        (new, held) => new.cmp(&held),
    }
}

/// Of two stored facts, which is the better founded; equal where nothing tells.
pub(crate) fn stronger(a: &Record, b: &Record) -> Ordering {
    let strength = |record: &Record| -> (bool, SourceClass, u32, Timestamp) {
        (record.pin != Pin::None, record.source, record.confidence, record.last_confirmed_at)
    };
    strength(a).cmp(&strength(b))
}

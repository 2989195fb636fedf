//! What a caller sees at this moment, held against what is remembered.
//!
//! Decides whether a remembered fact contradicts it. Changes nothing: the caller asks for that with `remember`.

use super::predicate::refined;
use super::read::read;
use super::topic::{claims_contradict, contradicts_text, topic_key};
use crate::op::Current;
use crate::record::{Claim, Kind, Record};

/// A piece of current evidence.
#[derive(Debug)]
pub(crate) struct Seen<'a> {
    claim: Claim,
    key: alloc::string::String,
    text: &'a str,
}

impl<'a> Seen<'a> {
    /// Reads what the caller gives.
    pub(crate) fn new(given: &'a Current) -> Self {
        let mut claim = Claim {
            subject: given.subject.clone(),
            predicate: given.predicate.clone(),
            object: given.object.clone(),
            ..Claim::default()
        };
        if claim.subject.is_empty() {
            claim = read(&given.text).filter(|one| !one.retracts).map(|one| one.claim).unwrap_or_default();
        }
        claim.negated ^= refined(&claim.predicate, &claim.object).1;
        Self { key: topic_key(&claim, &given.text), claim, text: &given.text }
    }

    /// Whether it shows that a fact does not hold.
    pub(crate) fn overrules(&self, record: &Record, min_overlap: u32) -> bool {
        let Some(claim) = record.claim.as_ref().filter(|_| record.kind == Kind::Fact) else { return false };
        if self.claim.subject.is_empty() || claim.subject.is_empty() {
            return !self.text.is_empty() && contradicts_text(self.text, &record.text, min_overlap);
        }
        let seen = Claim { many: claim.many, ..self.claim.clone() };
        self.key == record.key && claims_contradict(&seen, claim)
    }
}

//! A memory as a record, and a record as a memory.
//!
//! Decides how sure a file's source is, and what of a record a file has a place for. Never decides what a memory does.

use hardwon_core::env::{RecordId, Timestamp};
use hardwon_core::record::{
    Claim, Counters, Feedback, Kind, Pin, Record, Scope, ScopeKey, SourceClass, Status, Subtype, Support,
};

use super::file::{Held, Sort};

/// The record that a file stands for.
pub(super) fn record(id: RecordId, held: &Held, now: Timestamp) -> Record {
    let source = class(&held.source);
    let (kind, subtype) = match held.sort {
        Sort::Feedback => (Kind::Feedback, Subtype::Correction),
        Sort::Fact => (Kind::Fact, Subtype::Constraint),
    };
    let created = held.created_at.or(held.updated_at).unwrap_or(now);
    let mut record = Record::new(id, kind, subtype, source, created);
    record.updated_at = held.updated_at.unwrap_or(created);
    record.confidence = held.initial_confidence.min(source.confidence_cap());
    record.counters = counters(held.counts);
    record.pin = if held.core { Pin::AutoCore } else { Pin::None };
    record.scope = scope(held);
    let [a, b, c] = held.parts.clone();
    match held.sort {
        Sort::Feedback => {
            record.text.clone_from(&held.situation);
            let situation = held.situation.clone();
            record.feedback = Some(Box::new(Feedback { situation, behavior: a, impact: b, action: c }));
            record.author.clone_from(&held.source);
        }
        Sort::Fact => {
            record.text = format!("{a} {b} {c}");
            record.claim = Some(Box::new(Claim { subject: a, predicate: b, object: c, ..Claim::default() }));
            if !held.situation.is_empty() {
                record.situations.insert(held.situation.clone());
            }
            let (reference, confidence) = (held.source.clone(), record.confidence);
            let (author, quote) = (String::new(), String::new());
            record.supports.insert(Support { source, at: created, confidence, reference, author, quote });
        }
    }
    record
}

/// What a file says of a record; none of a record that has no place in one.
pub(super) fn held(record: &Record) -> Option<Held> {
    let (sort, situation, parts, source) = match (record.kind, &record.feedback, &record.claim) {
        (Kind::Feedback, Some(said), _) => {
            let parts = [&said.behavior, &said.impact, &said.action].map(Clone::clone);
            (Sort::Feedback, said.situation.clone(), parts, record.author.clone())
        }
        (Kind::Fact, _, Some(claim)) if !claim.subject.is_empty() && !claim.negated => {
            let parts = [&claim.subject, &claim.predicate, &claim.object].map(Clone::clone);
            let situation = record.situations.iter().next().cloned().unwrap_or_default();
            let reference =
                record.supports.iter().map(|one| one.reference.clone()).find(|name| !name.is_empty());
            (Sort::Fact, situation, parts, reference.unwrap_or_default())
        }
        _ => return None,
    };
    let project =
        record.scope.iter().find(|(key, _)| *key == ScopeKey::Project).map(|(_, value)| value.to_owned());
    let source = match source.as_str() {
        "" => record.source.as_str().to_owned(),
        // What the class is must be read in it again.
        name if class(name) == record.source => name.to_owned(),
        name => format!("{}: {name}", record.source.as_str()),
    };
    Some(Held {
        sort,
        situation,
        source,
        core: record.pin != Pin::None,
        project_scoped: project.is_some(),
        project_slug: project.unwrap_or_default(),
        parts,
        counts: counts(&record.counters),
        initial_confidence: record.confidence,
        created_at: Some(record.created_at),
        updated_at: Some(record.updated_at),
    })
}

/// To whom a memory applies.
pub(super) fn scope(held: &Held) -> Scope {
    if held.project_scoped && !held.project_slug.is_empty() {
        return Scope::global().with(ScopeKey::Project, &held.project_slug);
    }
    Scope::global()
}

/// Whether a record belongs into a file: it is active, or left only because it waits.
pub(super) fn is_kept(record: &Record) -> bool {
    matches!(record.status, Status::Active | Status::Quarantined | Status::Conflicted)
}

/// Surfaced, followed, not followed, irrelevant, missed.
pub(super) const fn counts(counters: &Counters) -> [u32; 5] {
    [counters.surfaced, counters.followed, counters.not_followed, counters.irrelevant, counters.missed]
}

fn counters([surfaced, followed, not_followed, irrelevant, missed]: [u32; 5]) -> Counters {
    Counters { surfaced, followed, not_followed, irrelevant, missed, ..Counters::default() }
}

/// What a file says of its source is a claim: a person's word where it names one first, else a model's.
fn class(source: &str) -> SourceClass {
    let lower = source.to_lowercase();
    let first = lower.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match first {
        "user" | "human" => SourceClass::User,
        "review" => SourceClass::Review,
        "repo" => SourceClass::Repo,
        "tool" => SourceClass::Tool,
        "web" => SourceClass::Web,
        _ => SourceClass::Model,
    }
}

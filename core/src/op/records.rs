//! `export_records` and `import_records`: everything out, and in again with its original dates.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::{ExportRecords, ImportRecords, Tally};
use super::output::Output;
use super::space::Space;
use crate::change::{Delta, Member};
use crate::error::Error;
use crate::fact;
use crate::feedback;
use crate::gate;
use crate::learn::{Words, hold_cap};
use crate::record::{Kind, Record, Status};
use crate::sort;
use crate::step::StoredVector;

pub(crate) struct ExportVerb(pub(crate) ExportRecords);

impl Decide for ExportVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let scope = self.0.scope.clone().map(crate::record::Scope::normalised);
        let mut records: Vec<Record> = cx
            .view
            .records()
            .filter(|record| scope.as_ref().is_none_or(|scope| record.scope.applies_to(scope)))
            .cloned()
            .collect();
        sort::sort_by_key(&mut records, |record| record.id);
        let embedder = cx.ports.embedder.info().map(|info| info.id).unwrap_or_default();
        let vectors = if self.0.without_vectors {
            Vec::new()
        } else {
            let stored = |record: &Record| {
                let vector = cx.view.vector(record.id)?;
                Some(StoredVector { record: record.id, embedder: embedder.clone(), vector })
            };
            records.iter().filter_map(stored).collect()
        };
        Ok(Decision::answer(Output::Exported { records, vectors }))
    }
}

pub(crate) struct ImportVerb(ImportRecords);

impl ImportVerb {
    pub(crate) fn new(input: ImportRecords, space: &Space) -> Result<Self, Error> {
        let limit = space.policy.limits.batch as usize;
        if input.records.len() > limit {
            let message = alloc::format!(
                "{} records in one import; the limit is {limit}, split it",
                input.records.len()
            );
            return Err(Error::limit("batch", message));
        }
        Ok(Self(input))
    }
}

impl Decide for ImportVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut ed = Editor::new(*cx);
        let (mut inserted, mut merged, mut unchanged) = (0, 0, 0);
        let mut refused = Tally::new();
        for record in &self.0.records {
            match import(&mut ed, record, cx)? {
                Imported::Inserted => inserted += 1,
                Imported::Merged => merged += 1,
                Imported::Unchanged => unchanged += 1,
                Imported::Refused(reason) => *refused.entry(reason).or_default() += 1,
            }
        }
        self.vectors(&mut ed, cx)?;
        hold_cap(&mut ed, &mut Words::new(*cx, false))?;
        fact::hold_truths(&mut ed)?;
        let op = ed.op();
        let mut decision = ed.finish(Output::Imported { inserted, merged, unchanged, refused, op });
        decision.actor.clone_from(&self.0.actor);
        Ok(decision)
    }
}

impl ImportVerb {
    /// Takes over the vectors of new records that the same embedder made of the same text.
    fn vectors(&self, ed: &mut Editor<'_>, cx: &Context<'_>) -> Result<(), Error> {
        let Some(info) = cx.ports.embedder.info() else { return Ok(()) };
        for one in self.0.vectors.iter().filter(|one| one.embedder == info.id) {
            let text =
                self.0.records.iter().find(|record| record.id == one.record).map(|record| &record.text);
            let is_new = cx.view.get(one.record).is_none();
            let fits = one.vector.components().len() == info.dims as usize;
            if is_new && fits && text.is_some() && ed.get(one.record).map(|record| &record.text) == text {
                ed.push(one.record, Delta::Vector { embedder: info.id.clone(), vector: one.vector.clone() })?;
            }
        }
        Ok(())
    }
}

enum Imported {
    Inserted,
    Merged,
    Unchanged,
    Refused(String),
}

fn import(ed: &mut Editor<'_>, record: &Record, cx: &Context<'_>) -> Result<Imported, Error> {
    if let Some(reason) = unfit(record, cx) {
        return Ok(Imported::Refused(reason.into()));
    }
    let record = &keyed(record);
    let by_id = ed.get(record.id).map(|known| known.id);
    // All facts of a topic share a key; of other records it makes two the same.
    let is_same = |known: &Record| record.kind != Kind::Fact || fact::is_same_fact(known, record);
    let by_key =
        || ed.by_key(&record.scope, &record.key).into_iter().find(|&id| ed.get(id).is_some_and(is_same));
    let Some(id) = by_id.or_else(by_key) else {
        ed.create(admitted(record))?;
        return Ok(Imported::Inserted);
    };
    let mut changed = false;
    for member in members(record) {
        changed |= ed.add(id, member)?;
    }
    Ok(if changed { Imported::Merged } else { Imported::Unchanged })
}

/// A record with the key that its parts give it, where it comes without one: files of other tools have none.
fn keyed(record: &Record) -> Cow<'_, Record> {
    let key = match (record.key.as_str(), &record.feedback, &record.claim) {
        ("", Some(said), _) => feedback::key(said),
        ("", None, Some(claim)) => fact::topic_key(claim, &record.text),
        _ => return Cow::Borrowed(record),
    };
    Cow::Owned(Record { key, ..record.clone() })
}

/// Why a record cannot be taken, as a reason code.
fn unfit(record: &Record, cx: &Context<'_>) -> Option<&'static str> {
    if record.text.trim().is_empty() {
        return Some("empty_text");
    }
    let limits = &cx.policy.limits;
    if !texts(record).all(|text| limits.holds(text)) {
        return Some("text_too_long");
    }
    let sets = [&record.tools, &record.tags, &record.situations];
    if sets.iter().any(|set| set.len() > limits.members as usize) {
        return Some("too_many_members");
    }
    cx.view.tombstones().any(|one| one.record == record.id).then_some("erased")
}

/// Every text of a record.
pub(crate) fn texts(record: &Record) -> impl Iterator<Item = &str> {
    let Record { text, key, signature, tool_group, trigger, status_reason, author, .. } = record;
    let own = [text, key, signature, tool_group, trigger, status_reason, author].into_iter();
    let sets = record.situations.iter().chain(record.tools.iter()).chain(record.tags.iter());
    let wordings = record.variants.iter().flat_map(|one| [&one.text, &one.trigger, &one.about]);
    let reworded = record.rewordings.iter().flat_map(|one| [&one.text, &one.model]);
    let events =
        record.evidence.iter().flat_map(|one| [&one.session_id, &one.root_run_id, &one.event_id, &one.tool]);
    let claim = record.claim.iter().flat_map(|claim| {
        [&claim.subject, &claim.predicate, &claim.object, &claim.rationale, &claim.freshness]
    });
    let feedback = record.feedback.iter();
    let feedback = feedback.flat_map(|one| [&one.situation, &one.behavior, &one.impact, &one.action]);
    let supports = record.supports.iter().flat_map(|one| [&one.reference, &one.author, &one.quote]);
    let events = events.chain(claim).chain(feedback).chain(supports);
    let scope = record.scope.iter().map(|(_, value)| value);
    own.chain(sets).chain(wordings).chain(reworded).chain(events).map(String::as_str).chain(scope)
}

/// The record as it may enter: its confidence within its source's cap, and waiting for review where its words look as
/// if they were to steer a reader. What a file says of its source is a claim: it exempts from nothing.
fn admitted(record: &Record) -> Record {
    let mut record = record.clone();
    if record.status == Status::Active
        && let Some(reason) = steering(&record)
    {
        record.status = Status::Quarantined;
        record.status_reason = reason.into();
    }
    record.confidence = record.confidence.min(record.source.confidence_cap());
    record.scope = record.scope.normalised();
    record
}

/// Why the words of a record look as if they were to steer a reader.
fn steering(record: &Record) -> Option<&'static str> {
    let variants = record.variants.iter().map(|one| &one.text);
    let rewordings = record.rewordings.iter().map(|one| &one.text);
    let feedback = record.feedback.iter().flat_map(|one| [&one.behavior, &one.impact, &one.action]);
    let mut texts = core::iter::once(&record.text).chain(variants).chain(rewordings).chain(feedback);
    texts.find_map(|text| gate::injection::suspect_words(text))
}

fn members(record: &Record) -> Vec<Member> {
    let mut out: Vec<Member> = Vec::new();
    if record.status != Status::Active {
        return out;
    }
    out.extend(record.tools.iter().cloned().map(Member::Tool));
    out.extend(record.tags.iter().cloned().map(Member::Tag));
    out.extend(record.situations.iter().cloned().map(Member::Situation));
    out.extend(record.variants.iter().cloned().map(Member::Variant));
    out.extend(record.rewordings.iter().cloned().map(Member::Rewording));
    out.extend(record.evidence.iter().cloned().map(Member::Evidence));
    out.extend(record.supports.iter().cloned().map(Member::Support));
    out
}

//! `forget` and `restore`. A soft forget can be restored; a hard one erases and leaves only salted hashes.

use alloc::collections::BTreeSet;
use alloc::string::String;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::{Forget, Get};
use super::output::{Outcome, Output, Written};
use super::read::existing;
use crate::change::{Delta, Member, Scalar, Tombstone};
use crate::env::{RecordId, Seed};
use crate::error::Error;
use crate::learn::{Words, hold_cap, leave_summary, salted_event, salted_key};
use crate::record::{EventKey, Record, Status, Subtype};
use crate::step::LogQuery;

pub(crate) struct ForgetVerb(pub(crate) Forget);

impl Decide for ForgetVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let record = existing(cx, self.0.id)?;
        let mut ed = Editor::new(*cx);
        if self.0.hard {
            erase(&mut ed, record)?;
            // A summary was made from its words, and says them.
            let summary = record.superseded_by.and_then(|id| cx.view.get(id));
            if let Some(summary) = summary.filter(|one| one.subtype == Subtype::Summary) {
                erase(&mut ed, summary)?;
            }
            return Ok(written(ed, Outcome::Erased, record.id));
        }
        let changed = ed.set(record.id, Scalar::Status(Status::Retracted, "forgotten".into()))?;
        let outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
        let mut decision = written(ed, outcome, record.id);
        decision.actor.clone_from(&self.0.actor);
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }
}

pub(crate) struct RestoreVerb(pub(crate) Get);

impl Decide for RestoreVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let record = existing(cx, self.0.id)?;
        let mut ed = Editor::new(*cx);
        match record.status {
            Status::Active => return Ok(written(ed, Outcome::Unchanged, record.id)),
            Status::Archived | Status::Retracted => {}
            other => {
                let message = alloc::format!(
                    "record {} is {other}; only archived and forgotten ones are restored",
                    record.id
                );
                return Err(Error::invalid("status", message).into());
            }
        }
        let days = cx.env.now.days_since(record.updated_at);
        let retention = cx.policy.learn.retention_days;
        if days > f64::from(retention) {
            let message = alloc::format!(
                "record {} left {days:.0} days ago; it can be restored for {retention}",
                record.id
            );
            return Err(Error::invalid("retention", message).into());
        }
        ed.set(record.id, Scalar::Status(Status::Active, String::new()))?;
        leave_summary(&mut ed, record.id)?;
        hold_cap(&mut ed, &mut Words::new(*cx, false))?;
        let mut decision = written(ed, Outcome::Changed, record.id);
        decision.actor.clone_from(&self.0.actor);
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }
}

/// Erases a record with its earlier lives; what it stood for stands for itself again.
fn erase(ed: &mut Editor<'_>, record: &Record) -> Result<(), Stop> {
    let cx = ed.cx;
    let salt = cx.view.salt().unwrap_or(cx.env.seed);
    let lives = lives(&cx, record)?;
    let stone = tombstone(record, salt, &shown(&cx, &lives)?);
    for id in lives {
        ed.bury(Tombstone { record: id, ..stone.clone() });
    }
    for &id in &record.supersedes {
        if ed.get(id).is_some_and(|member| member.superseded_by == Some(record.id)) {
            ed.set(id, Scalar::SupersededBy(None))?;
        }
    }
    Ok(ed.push(record.id, Delta::Remove(None))?)
}

/// The record, and those of the same scope and key that ended before: their words are still in the log.
fn lives(cx: &Context<'_>, record: &Record) -> Result<BTreeSet<RecordId>, Stop> {
    let log = cx.log(LogQuery { last: u32::MAX, ..LogQuery::default() })?;
    let begun = log.iter().flat_map(|entry| &entry.set.changes).filter_map(|change| match &change.delta {
        Delta::Create(begun) if begun.scope == record.scope && begun.key == record.key => Some(change.record),
        _ => None,
    });
    let ended = begun.filter(|&id| cx.view.get(id).is_none());
    Ok(ended.chain([record.id]).collect())
}

/// The events that have ever shown these records: with the marks of their sessions gone, the tombstone alone keeps
/// them from teaching again.
fn shown(cx: &Context<'_>, lives: &BTreeSet<RecordId>) -> Result<BTreeSet<EventKey>, Stop> {
    let log = cx.log(LogQuery { last: u32::MAX, ..LogQuery::default() })?;
    let changes = log.iter().flat_map(|entry| &entry.set.changes);
    let mut out = BTreeSet::new();
    for change in changes.filter(|change| lives.contains(&change.record)) {
        match &change.delta {
            Delta::Create(record) | Delta::Remove(Some(record)) => {
                out.extend(record.evidence.iter().map(|one| one.key));
            }
            Delta::Add(Member::Evidence(one)) | Delta::Drop(Member::Evidence(one)) => {
                out.insert(one.key);
            }
            _ => {}
        }
    }
    Ok(out)
}

fn written(ed: Editor<'_>, outcome: Outcome, id: RecordId) -> Decision {
    let op = ed.op();
    ed.finish(Output::Written(Written { outcome, reason: String::new(), id: Some(id), op }))
}

fn tombstone(record: &Record, salt: Seed, shown: &BTreeSet<EventKey>) -> Tombstone {
    let evidence = record.evidence.iter().map(|one| one.key);
    let events = evidence.chain(shown.iter().copied()).map(|key| salted_event(salt, key)).collect();
    Tombstone { record: record.id, salt, key: salted_key(salt, &record.scope, &record.key), events }
}

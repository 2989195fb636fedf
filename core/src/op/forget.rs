//! `forget` and `restore`. A soft forget can be restored; a hard one erases and leaves only salted hashes.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::{Forget, ForgetSource, Get};
use super::output::{Forgotten, Outcome, Output, Written};
use super::read::existing;
use crate::change::{Delta, Member, Scalar, Tombstone};
use crate::env::{RecordId, Seed};
use crate::error::Error;
use crate::fact;
use crate::learn::{Words, hold_cap, leave_summary, salted_event, salted_key};
use crate::record::{EventKey, Evidence, Kind, Record, Status, Subtype};
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
        if record.status_reason == fact::ENDED {
            ed.set(record.id, Scalar::ValidTo(None))?;
        }
        leave_summary(&mut ed, record.id)?;
        hold_cap(&mut ed, &mut Words::new(*cx, false))?;
        fact::hold_truths(&mut ed)?;
        let is_contested = ed.get(record.id).is_some_and(|record| record.status == Status::Conflicted);
        let outcome = if is_contested { Outcome::Conflicted } else { Outcome::Changed };
        let mut decision = written(ed, outcome, record.id);
        decision.actor.clone_from(&self.0.actor);
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }
}

pub(crate) struct ForgetSourceVerb(ForgetSource);

impl ForgetSourceVerb {
    pub(crate) fn new(input: ForgetSource) -> Result<Self, Error> {
        if input.source.is_empty() {
            return Err(Error::invalid("source", "name the source: a reference, an author, a session"));
        }
        Ok(Self(input))
    }
}

impl Decide for ForgetSourceVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let name = self.0.source.as_str();
        let mut ed = Editor::new(*cx);
        let mut answer = Forgotten::default();
        let held = |record: &&Record| record.status != Status::Retracted;
        for record in cx.view.records().filter(held) {
            let lost = lose(&mut ed, record, name)?;
            if lost == 0 {
                continue;
            }
            if lost < record.supports.len() + record.evidence.len() {
                answer.weakened.push(record.id);
                continue;
            }
            let stood = record.status == Status::Active || fact::is_standing(record);
            ed.set(record.id, Scalar::Status(Status::Retracted, "source_forgotten".into()))?;
            answer.forgotten.push(record.id);
            if stood {
                answer.revived.extend(revive(&mut ed, record)?);
            }
        }
        fact::hold_truths(&mut ed)?;
        let still = |id: &RecordId| ed.get(*id).is_some_and(|record| record.status == Status::Active);
        answer.revived.retain(still);
        answer.op = ed.op();
        let mut decision = ed.finish(Output::Forgotten(answer));
        decision.actor.clone_from(&self.0.actor);
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }
}

/// Takes out of a record what a source has said; answers how much that was. The last word stays with what is taken
/// back.
fn lose(ed: &mut Editor<'_>, record: &Record, name: &str) -> Result<usize, Error> {
    let said: Vec<Member> =
        record.supports.iter().filter(|one| one.is_from(name)).cloned().map(Member::Support).collect();
    let is_from = |one: &&Evidence| one.session_id == name || one.root_run_id == name;
    let shown = record.evidence.iter().filter(is_from).cloned().map(Member::Evidence);
    let all: Vec<Member> = said.into_iter().chain(shown).collect();
    let is_all = all.len() == record.supports.len() + record.evidence.len();
    for member in all.iter().filter(|_| !is_all) {
        ed.drop(record.id, member.clone())?;
    }
    Ok(all.len())
}

/// What a forgotten fact had taken the place of holds again.
fn revive(ed: &mut Editor<'_>, record: &Record) -> Result<Vec<RecordId>, Error> {
    let mut out = Vec::new();
    for &id in &record.supersedes {
        let was =
            ed.get(id).filter(|one| one.status == Status::Superseded && one.superseded_by == Some(record.id));
        if was.is_some_and(|one| one.kind == Kind::Fact) {
            ed.set(id, Scalar::Status(Status::Active, String::new()))?;
            ed.set(id, Scalar::SupersededBy(None))?;
            ed.set(id, Scalar::ValidTo(None))?;
            out.push(id);
        }
    }
    Ok(out)
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
    for &id in &record.rivals {
        ed.drop(id, Member::Rival(record.id))?;
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

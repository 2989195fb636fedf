//! `forget` and `restore`. A soft forget can be restored; a hard one erases and leaves only salted hashes.

use alloc::collections::BTreeSet;
use alloc::string::String;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::{Forget, Get};
use super::output::{Outcome, Output, Written};
use super::read::existing;
use crate::change::{Delta, Scalar, Tombstone};
use crate::env::{RecordId, Seed};
use crate::error::Error;
use crate::learn::{hold_cap, salted_event, salted_key};
use crate::record::{Record, Status};
use crate::step::LogQuery;

pub(crate) struct ForgetVerb(pub(crate) Forget);

impl Decide for ForgetVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let record = existing(cx, self.0.id)?;
        let mut ed = Editor::new(*cx);
        if self.0.hard {
            let salt = cx.view.salt().unwrap_or(cx.env.seed);
            ed.bury(tombstone(record, salt));
            for id in earlier_lives(cx, record)? {
                ed.bury(Tombstone { record: id, ..tombstone(record, salt) });
            }
            ed.push(record.id, Delta::Remove(None))?;
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
        hold_cap(&mut ed)?;
        let mut decision = written(ed, Outcome::Changed, record.id);
        decision.actor.clone_from(&self.0.actor);
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }
}

/// Records of the same scope and key that ended before: their words are still in the log.
fn earlier_lives(cx: &Context<'_>, record: &Record) -> Result<BTreeSet<RecordId>, Stop> {
    let log = cx.log(LogQuery { last: u32::MAX, ..LogQuery::default() })?;
    let begun = log.iter().flat_map(|entry| &entry.set.changes).filter_map(|change| match &change.delta {
        Delta::Create(begun) if begun.scope == record.scope && begun.key == record.key => Some(change.record),
        _ => None,
    });
    Ok(begun.filter(|&id| id != record.id && cx.view.get(id).is_none()).collect())
}

fn written(ed: Editor<'_>, outcome: Outcome, id: RecordId) -> Decision {
    let op = ed.op();
    ed.finish(Output::Written(Written { outcome, reason: String::new(), id: Some(id), op }))
}

fn tombstone(record: &Record, salt: Seed) -> Tombstone {
    let events: BTreeSet<_> = record.evidence.iter().map(|one| salted_event(salt, one.key)).collect();
    Tombstone { record: record.id, salt, key: salted_key(salt, &record.scope, &record.key), events }
}

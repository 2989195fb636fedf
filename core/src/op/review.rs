//! `review`, `resolve`, `settle`, `mute`: what only a person, or what a host saw, can decide about a record.

use alloc::string::String;
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::{Choice, Get, Resolve, Review, Settle, Settlement};
use super::output::{Outcome, Output, Waiting, Written};
use super::read::existing;
use super::teach::rivals;
use crate::change::{Delta, Member, Scalar};
use crate::env::{RecordId, Timestamp};
use crate::error::Error;
use crate::fact::{self, supersede};
use crate::feedback::keep_core;
use crate::learn::demote;
use crate::record::{Counter, Kind, Mark, Record, Scope, Status};
use crate::sort;
use crate::view::View;

/// After how many days a record that a person has confirmed may be asked about again.
const CONFIRMED_DAYS: i64 = 90;

pub(crate) struct ReviewVerb(pub(crate) Review);

impl Decide for ReviewVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let scope = self.0.scope.clone().map(Scope::normalised);
        let fits = |record: &&Record| scope.as_ref().is_none_or(|scope| record.scope.applies_to(scope));
        let mut items: Vec<Waiting> =
            cx.view.records().filter(fits).filter_map(|record| waiting(cx, record)).collect();
        sort::sort_by_key(&mut items, |one| order(&one.record));
        let total = items.len() as u32;
        if self.0.limit > 0 {
            items.truncate(self.0.limit as usize);
        }
        Ok(Decision::answer(Output::Reviewed { items, total }))
    }
}

/// What came back most often waits for the shortest time.
fn order(record: &Record) -> impl Ord + use<> {
    (
        record.status == Status::Active,
        core::cmp::Reverse((record.hits(), record.last_confirmed_at)),
        record.id,
    )
}

/// How many records wait for a person.
pub(crate) fn waiting_count(cx: &Context<'_>) -> u32 {
    cx.view.records().filter(|record| waiting(cx, record).is_some()).count() as u32
}

fn waiting(cx: &Context<'_>, record: &Record) -> Option<Waiting> {
    let (cause, detail) = match record.status {
        Status::Quarantined | Status::Conflicted => {
            let cause = if record.status_reason.is_empty() { "unknown" } else { &record.status_reason };
            (String::from(cause), held_detail(cx, record))
        }
        Status::Active => stale(cx, record).map(|(cause, detail)| (String::from(cause), detail))?,
        _ => return None,
    };
    Some(Waiting { record: record.clone(), cause, detail })
}

/// What keeps a record from holding: of a contradiction what it contradicts.
fn held_detail(cx: &Context<'_>, record: &Record) -> String {
    let rival = record.rivals.iter().filter_map(|&id| cx.view.get(id)).find(|one| fact::is_standing(one));
    match rival {
        Some(rival) => alloc::format!("it contradicts: {} (from {})", rival.text, rival.source),
        None => alloc::format!("it is {} and does not speak", record.status),
    }
}

/// Why an active record should be looked at again. One that a person has just confirmed is left alone for a while.
fn stale(cx: &Context<'_>, record: &Record) -> Option<(&'static str, String)> {
    if let Some(due) = record.revalidate_after {
        let is_due = due <= cx.env.now;
        return is_due.then(|| ("revalidate", alloc::format!("it was to be checked again after {due}")));
    }
    if record.outcomes_turned() {
        let detail = alloc::format!(
            "after it was shown it failed {} times and helped {} times",
            record.counters.failures(),
            record.counters.successes()
        );
        return Some(("outcomes_turned", detail));
    }
    if record.evidence.is_empty() || record.trigger.is_empty() {
        return None;
    }
    newer_runs(cx, record)
}

/// What runs that were read since it was last seen say about its calls.
fn newer_runs(cx: &Context<'_>, record: &Record) -> Option<(&'static str, String)> {
    let policy = &cx.policy.review;
    let runs = record.sessions();
    let newer = cx
        .view
        .runs()
        .filter(|mark| mark.at > seen_at(cx.view, record) && !runs.contains(mark.session_id.as_str()));
    let (mut all, mut passed, mut of_tool) = (0, 0, 0);
    let shape = crate::record::TextKey::of(&record.trigger);
    let group = crate::record::TextKey::of(&record.tool_group);
    for mark in newer {
        all += 1;
        of_tool += u32::from(mark.shapes.iter().any(|one| one.shape == group));
        if let Some(one) = mark.shapes.iter().find(|one| one.shape == shape) {
            if one.failed > 0 {
                return None;
            }
            passed += 1;
        }
    }
    if passed >= policy.passed_runs {
        let detail = alloc::format!("in the last {passed} runs its calls all passed");
        return Some(("no_longer_fails", detail));
    }
    let is_unseen = all >= policy.unseen_runs && of_tool == 0;
    is_unseen.then(|| ("unseen", alloc::format!("none of the last {all} runs called its tools")))
}

/// When the last run was read that taught it.
fn seen_at(view: &View, record: &Record) -> Timestamp {
    record
        .sessions()
        .iter()
        .filter_map(|session| view.run(session))
        .map(|mark| mark.at)
        .max()
        .unwrap_or_default()
}

pub(crate) struct ResolveVerb(pub(crate) Resolve);

impl Decide for ResolveVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let record = existing(cx, self.0.id)?;
        let mut ed = Editor::new(*cx);
        match self.0.choice {
            Choice::Confirm => confirm(&mut ed, record, &self.0.actor)?,
            Choice::Block => {
                confirm(&mut ed, record, &self.0.actor)?;
                ed.add(record.id, Member::Mark(Mark::Blocking))?;
            }
            Choice::Archive => {
                ed.set(record.id, Scalar::Status(Status::Archived, "reviewed".into()))?;
            }
            Choice::Supersede => self.supersede(&mut ed, record)?,
        }
        fact::hold_truths(&mut ed)?;
        Ok(changed(ed, record.id, &self.0.actor, &self.0.reason))
    }
}

impl ResolveVerb {
    fn supersede(&self, ed: &mut Editor<'_>, record: &Record) -> Result<(), Stop> {
        let Some(by) = self.0.by.filter(|by| *by != record.id) else {
            return Err(Error::invalid("by", "supersede needs `by`: the record that takes its place").into());
        };
        let other = existing(&ed.cx, by)?;
        if other.status != Status::Active {
            let message = alloc::format!("record {by} is {}; only an active one takes a place", other.status);
            return Err(Error::invalid("status", message).into());
        }
        Ok(supersede(ed, record.id, by, "reviewed")?)
    }
}

/// It holds: what says the opposite in its scope gives way, and for a while nobody is asked again.
fn confirm(ed: &mut Editor<'_>, record: &Record, actor: &str) -> Result<(), Error> {
    if matches!(record.status, Status::Superseded | Status::Retracted | Status::Archived) {
        let message = alloc::format!("record {} is {}; `restore` brings it back", record.id, record.status);
        return Err(Error::invalid("status", message));
    }
    if record.kind == Kind::Fact {
        return confirm_fact(ed, record, actor);
    }
    // The text of feedback is its situation: which one it contradicts was noted when it came.
    let rivals = match record.kind {
        Kind::Feedback => record.rivals.to_vec(),
        _ => rivals(&ed.cx, &record.text, &record.scope, record.id),
    };
    for rival in rivals {
        supersede(ed, rival, record.id, "reviewed")?;
    }
    ed.set(record.id, Scalar::Status(Status::Active, String::new()))?;
    ed.set(record.id, Scalar::Tier(None))?;
    let due = Timestamp(ed.cx.env.now.0.saturating_add(CONFIRMED_DAYS * Timestamp::DAY));
    ed.set(record.id, Scalar::RevalidateAfter(Some(due))).map(drop)
}

/// A fact holds, by a person's word: what contradicts it gives way, and where it must be checked now and then, it is
/// checked.
fn confirm_fact(ed: &mut Editor<'_>, record: &Record, actor: &str) -> Result<(), Error> {
    fact::confirm(ed, record.id, actor)?;
    ed.set(record.id, Scalar::Status(Status::Active, String::new()))?;
    if record.revalidate_after.is_some() {
        let days = i64::from(ed.cx.policy.facts.revalidate_days);
        let due = Timestamp(ed.cx.env.now.0.saturating_add(days * Timestamp::DAY));
        ed.set(record.id, Scalar::RevalidateAfter(Some(due)))?;
    }
    Ok(())
}

pub(crate) struct SettleVerb(pub(crate) Settle);

impl Decide for SettleVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let record = existing(cx, self.0.id)?;
        let counter = match self.0.outcome {
            Settlement::Followed => Counter::Followed,
            Settlement::NotFollowed => Counter::NotFollowed,
            Settlement::Irrelevant => Counter::Irrelevant,
        };
        let mut ed = Editor::new(*cx);
        ed.push(record.id, Delta::Count { counter, by: 1 })?;
        demote(&mut ed, record.id)?;
        keep_core(&mut ed, record.id)?;
        Ok(changed(ed, record.id, &self.0.actor, &self.0.reason))
    }
}

pub(crate) struct MuteVerb {
    pub(crate) input: Get,
    pub(crate) muted: bool,
}

impl Decide for MuteVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let record = existing(cx, self.input.id)?;
        let mut ed = Editor::new(*cx);
        let mark = Member::Mark(Mark::Muted);
        if self.muted {
            ed.add(record.id, mark)?
        } else {
            ed.drop(record.id, mark)?
        };
        Ok(changed(ed, record.id, &self.input.actor, &self.input.reason))
    }
}

fn changed(ed: Editor<'_>, id: RecordId, actor: &str, reason: &str) -> Decision {
    let op = ed.op();
    let outcome = if op.is_some() { Outcome::Changed } else { Outcome::Unchanged };
    let written = Written { outcome, reason: String::new(), id: Some(id), op };
    let mut decision = ed.finish(Output::Written(written));
    decision.actor = actor.into();
    decision.reason = reason.into();
    decision
}

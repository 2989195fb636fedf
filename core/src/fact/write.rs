//! The way of a claim into memory: screened, held against its topic, and written with what follows for others.
//!
//! Decides what becomes of a claim and of the facts that it contradicts. Every delta goes through the editor. Never
//! erases: what is replaced or ended stays, linked both ways.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::check::{Checked, held_back, refusal};
use super::predicate::{is_many, refined};
use super::rank::{Ruling, judge, stronger};
use super::topic::{UNORDERED, contradicts, end_of, is_standing, same_claim, start_of};
use crate::change::{Member, Scalar};
use crate::env::{RecordId, Timestamp};
use crate::error::Error;
use crate::op::{Editor, Outcome};
use crate::record::{Kind, Record, SourceClass, Status, Support};
use crate::sort;
use crate::text::{Hits, subject_key, terms};

/// The reason of a claim that contradicts what is held.
const CONTRADICTS: &str = "contradicts";
/// The reason of a fact whose place a newer claim has taken.
const SUPERSEDED: &str = "superseded";
/// The reason of a claim that was said before what holds.
const OLDER: &str = "older";
/// The reason of a fact that a person has edited.
pub(crate) const EDITED: &str = "edited";
/// The reason of a fact that holds no longer.
pub(crate) const ENDED: &str = "ended";
/// How many of the nearest statements, and of those of the same operation, a statement is held against.
const NEAREST: usize = 64;
/// How many facts about the same are named.
const BESIDE: usize = 8;

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fate {
    pub(crate) outcome: Outcome,
    pub(crate) reason: String,
    pub(crate) id: Option<RecordId>,
    /// The facts that it took the place of, or that it ended.
    pub(crate) replaced: Vec<RecordId>,
    /// The facts that it contradicts and that stay.
    pub(crate) rivals: Vec<RecordId>,
    /// Facts about the same that hold beside it.
    pub(crate) beside: Vec<RecordId>,
}

impl Fate {
    fn of(outcome: Outcome, id: Option<RecordId>) -> Self {
        let (reason, replaced, rivals, beside) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        Self { outcome, reason, id, replaced, rivals, beside }
    }
}

/// How claims of one operation come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// One alone, given at this moment.
    Now,
    /// One after the other, as people say them.
    Told,
    /// Side by side, as a file has them: nothing but their dates orders them.
    Filed,
}

/// Writes a claim.
pub(crate) fn remember(ed: &mut Editor<'_>, claim: &Checked, order: Order) -> Result<Fate, Error> {
    if let Some(reason) = refusal(ed, claim) {
        return Ok(Fate { reason, ..Fate::of(Outcome::Refused, None) });
    }
    let mut record = claim.record(ed.fresh_id(), ed.cx.env.now);
    let topic = ed.by_key(&record.scope, &record.key);
    set_cardinality(ed, claim, &mut record, &topic);
    let moment = Moment {
        is_current: order == Order::Now && claim.is_current,
        is_later: order == Order::Told || order == Order::Now && claim.is_current,
    };
    if claim.retracts {
        return retract(ed, record, &topic, claim.ends_at(ed.cx.env.now), moment);
    }
    let others = neighbours(ed, &record, claim.is_sentence, &topic);
    let known = others.iter().copied().find(|&id| ed.get(id).is_some_and(|other| is_known(&record, other)));
    if let Some(id) = known {
        return refresh(ed, id, &record, claim, moment);
    }
    if let Some(reason) = held_back(ed, claim) {
        (record.status, record.status_reason) = (Status::Quarantined, reason.into());
        let id = ed.create(record)?;
        return Ok(Fate { reason: reason.into(), ..Fate::of(Outcome::Quarantined, Some(id)) });
    }
    let plan = plan(ed, &record, &others, moment);
    let beside = beside(ed, &record, &plan);
    (record.status, record.status_reason) = (plan.status, plan.reason.into());
    record.valid_to = plan.valid_to.or(record.valid_to);
    let id = ed.create(record)?;
    link(ed, id, &plan)?;
    Ok(plan.fate(id, beside))
}

/// Whether a stored fact and one of a file are the same fact: history stays apart from what holds.
pub(crate) fn is_same_fact(one: &Record, other: &Record) -> bool {
    let is_active = |record: &Record| record.status == Status::Active;
    is_active(one) && is_active(other) && is_known(one, other)
}

/// Whether a stored fact says what a new one says, for some of the same time.
fn is_known(new: &Record, other: &Record) -> bool {
    let is_open = matches!(other.status, Status::Active | Status::Conflicted | Status::Quarantined);
    is_open && super::topic::overlap(new, other) && same_claim(new, other)
}

/// How a claim comes: see [`judge`].
#[derive(Debug, Clone, Copy)]
struct Moment {
    is_current: bool,
    is_later: bool,
}

/// What is said about the cardinality now, else what was said before, else what the policy and the table know.
fn set_cardinality(ed: &Editor<'_>, input: &Checked, record: &mut Record, topic: &[RecordId]) {
    let Some(claim) = record.claim.as_mut().filter(|claim| !claim.subject.is_empty()) else { return };
    let (key, _) = refined(&claim.predicate, &claim.object);
    let was_many = || {
        topic
            .iter()
            .filter_map(|&id| ed.get(id))
            .any(|one| one.claim.as_ref().is_some_and(|claim| claim.many))
    };
    let declared = || ed.cx.policy.facts.many.iter().any(|one| refined(one, "").0 == key);
    claim.many = input.many.unwrap_or_else(|| is_many(&key) || was_many() || declared());
}

/// The stored facts that a claim is held against.
fn neighbours(ed: &Editor<'_>, record: &Record, is_sentence: bool, topic: &[RecordId]) -> Vec<RecordId> {
    let mut out = topic.to_vec();
    if is_sentence {
        let view = ed.cx.view;
        let mut hits = Hits::new();
        view.text_index().search(&terms(&record.text), &mut hits);
        let near = hits.top(NEAREST).into_iter().filter(|hit| view.brief(hit.doc).is_current);
        let stored = near.filter_map(|hit| view.record(hit.doc)).map(|one| one.id);
        let made = ed.made().iter().rev().take(NEAREST).copied();
        let fits = |id: &RecordId| {
            ed.get(*id).is_some_and(|one| one.kind == Kind::Fact && one.scope == record.scope)
        };
        let fresh: Vec<RecordId> = stored.chain(made).filter(fits).filter(|id| !topic.contains(id)).collect();
        out.extend(fresh);
    }
    out
}

/// What a claim does to what is held.
#[derive(Debug)]
struct Plan {
    status: Status,
    reason: &'static str,
    valid_to: Option<Timestamp>,
    replaced: Vec<RecordId>,
    tied: Vec<RecordId>,
    rivals: Vec<RecordId>,
    /// The fact that was said later and holds.
    later: Option<RecordId>,
}

fn plan(ed: &Editor<'_>, record: &Record, others: &[RecordId], moment: Moment) -> Plan {
    let mut plan = Plan {
        status: Status::Active,
        reason: "",
        valid_to: None,
        replaced: Vec::new(),
        tied: Vec::new(),
        rivals: Vec::new(),
        later: None,
    };
    let mut new = record.clone();
    for ruling in [Ruling::Past, Ruling::Yields, Ruling::Tied, Ruling::Wins] {
        for held in against(ed, &new, others) {
            if judge(&new, held, moment.is_current, moment.is_later) != ruling {
                continue;
            }
            match ruling {
                Ruling::Past => {
                    if start_of(held) <= start_of(&new) {
                        plan.later = Some(held.id);
                    }
                    let end = start_of(held).max(start_of(&new)).min(end_of(&new));
                    (new.valid_to, plan.valid_to) = (Some(end), Some(end));
                }
                Ruling::Yields => plan.rivals.push(held.id),
                Ruling::Tied => plan.tied.push(held.id),
                Ruling::Wins => plan.replaced.push(held.id),
            }
        }
    }
    if plan.later.is_some() {
        (plan.status, plan.reason) = (Status::Superseded, OLDER);
    } else if !plan.rivals.is_empty() {
        (plan.status, plan.reason) = (Status::Conflicted, CONTRADICTS);
        plan.replaced.clear();
        plan.rivals.append(&mut plan.tied);
    } else if !plan.tied.is_empty() {
        (plan.status, plan.reason) = (Status::Conflicted, UNORDERED);
    }
    plan
}

/// The facts that stand and contradict this one.
fn against<'a>(ed: &'a Editor<'_>, new: &Record, others: &[RecordId]) -> Vec<&'a Record> {
    let min_overlap = ed.cx.policy.learn.overlap;
    let held = others.iter().filter_map(|&id| ed.get(id)).filter(|one| is_standing(one));
    held.filter(|one| contradicts(new, one, min_overlap)).collect()
}

impl Plan {
    fn fate(self, id: RecordId, beside: Vec<RecordId>) -> Fate {
        let outcome = match self.status {
            Status::Conflicted => Outcome::Conflicted,
            Status::Superseded => Outcome::Coexists,
            _ if !self.replaced.is_empty() => Outcome::Superseded,
            _ if !beside.is_empty() || self.valid_to.is_some() => Outcome::Coexists,
            _ => Outcome::Created,
        };
        let rivals = if self.rivals.is_empty() { self.tied } else { self.rivals };
        let reason = self.reason.into();
        Fate { outcome, reason, id: Some(id), replaced: self.replaced, rivals, beside }
    }
}

/// Writes what a plan does to others.
fn link(ed: &mut Editor<'_>, id: RecordId, plan: &Plan) -> Result<(), Error> {
    if let Some(later) = plan.later {
        ed.set(id, Scalar::SupersededBy(Some(later)))?;
        ed.add(later, Member::Supersedes(id))?;
    }
    for &old in &plan.replaced {
        supersede(ed, old, id, SUPERSEDED)?;
    }
    for &held in &plan.rivals {
        oppose(ed, id, held)?;
    }
    for &held in &plan.tied {
        if plan.status == Status::Conflicted && plan.reason == UNORDERED {
            ed.set(held, Scalar::Status(Status::Conflicted, UNORDERED.into()))?;
            oppose(ed, id, held)?;
        }
    }
    Ok(())
}

fn oppose(ed: &mut Editor<'_>, a: RecordId, b: RecordId) -> Result<(), Error> {
    ed.add(a, Member::Rival(b))?;
    ed.add(b, Member::Rival(a)).map(drop)
}

/// Lets one record take the place of another; of a fact, what held until then is kept as history, and who challenged it
/// challenges what comes after it.
pub(crate) fn supersede(
    ed: &mut Editor<'_>,
    old: RecordId,
    new: RecordId,
    reason: &str,
) -> Result<(), Error> {
    ed.set(old, Scalar::Status(Status::Superseded, reason.into()))?;
    ed.set(old, Scalar::SupersededBy(Some(new)))?;
    ed.add(new, Member::Supersedes(old))?;
    let (Some(before), Some(after)) = (ed.get(old), ed.get(new)) else { return Ok(()) };
    if before.kind != Kind::Fact {
        return Ok(());
    }
    let began = |record: &Record| record.valid_from.unwrap_or(record.created_at);
    let end = began(before).max(began(after).min(end_of(before)));
    let challengers: Vec<RecordId> = before.rivals.iter().copied().filter(|id| *id != new).collect();
    ed.set(old, Scalar::ValidTo(Some(end)))?;
    ed.drop(old, Member::Rival(new))?;
    ed.drop(new, Member::Rival(old))?;
    for id in challengers {
        let min_overlap = ed.cx.policy.learn.overlap;
        let waits = |one: &Record| one.status == Status::Conflicted;
        let opposes =
            ed.get(id).zip(ed.get(new)).is_some_and(|(a, b)| waits(a) && contradicts(a, b, min_overlap));
        if opposes {
            oppose(ed, id, new)?;
        }
    }
    Ok(())
}

/// Facts about the same that hold beside a new one: other values, other scopes, other times.
fn beside(ed: &Editor<'_>, record: &Record, plan: &Plan) -> Vec<RecordId> {
    let Some(claim) = record.claim.as_ref().filter(|claim| !claim.subject.is_empty()) else {
        return Vec::new();
    };
    let view = ed.cx.view;
    let about = view.by_subject(&subject_key(&claim.subject)).iter();
    let stored = about.filter(|slot| view.brief(**slot).is_current).filter_map(|&slot| view.record(slot));
    let made = ed.made().iter().rev().take(NEAREST).filter_map(|&id| ed.get(id));
    // What is said in other scopes is nobody's business here.
    let fits =
        |one: &&Record| one.key == record.key && is_standing(one) && one.scope.applies_to(&record.scope);
    let ids = stored.chain(made).filter(fits).map(|one| one.id);
    ids.filter(|id| !plan.replaced.contains(id) && !plan.rivals.contains(id) && !plan.tied.contains(id))
        .take(BESIDE)
        .collect()
}

/// The same again: its source is noted, and what waited for a better one is judged anew.
fn refresh(
    ed: &mut Editor<'_>,
    id: RecordId,
    new: &Record,
    claim: &Checked,
    moment: Moment,
) -> Result<Fate, Error> {
    for support in &new.supports {
        add_support(ed, id, support.clone())?;
    }
    for tag in &new.tags {
        ed.add(id, Member::Tag(tag.clone()))?;
    }
    let due = ed.get(id).and_then(|record| record.revalidate_after).max(new.revalidate_after);
    ed.set(id, Scalar::RevalidateAfter(due))?;
    let Some(record) = ed.get(id).cloned() else { return Ok(Fate::of(Outcome::Unchanged, None)) };
    let is_held = record.status == Status::Quarantined && held_back(ed, claim).is_some();
    if record.status == Status::Active || is_held {
        let outcome = if is_held { Outcome::Quarantined } else { Outcome::Refreshed };
        return Ok(Fate { reason: record.status_reason, ..Fate::of(outcome, Some(id)) });
    }
    let topic = ed.by_key(&record.scope, &record.key);
    let others: Vec<RecordId> =
        neighbours(ed, &record, claim.is_sentence, &topic).into_iter().filter(|one| *one != id).collect();
    let plan = plan(ed, &record, &others, moment);
    ed.set(id, Scalar::Status(plan.status, plan.reason.into()))?;
    if let Some(end) = plan.valid_to {
        ed.set(id, Scalar::ValidTo(Some(end)))?;
    }
    link(ed, id, &plan)?;
    let fate = plan.fate(id, Vec::new());
    let is_news = fate.outcome != Outcome::Created;
    Ok(if is_news { fate } else { Fate { outcome: Outcome::Refreshed, ..fate } })
}

/// Notes a source; a newer word from the same place takes the older one's.
pub(crate) fn add_support(ed: &mut Editor<'_>, id: RecordId, new: Support) -> Result<(), Error> {
    let Some(record) = ed.get(id) else { return Ok(()) };
    let limit = ed.cx.policy.limits.members as usize;
    let same = record.supports.iter().find(|one| one.is_same_place(&new)).cloned();
    let weakest = || record.supports.iter().min_by_key(|one| (one.source, one.at)).cloned();
    let leaves = same.or_else(|| (record.supports.len() >= limit).then(weakest).flatten());
    match leaves {
        Some(old) if old.is_same_place(&new) && old.at >= new.at => return Ok(()),
        Some(old) => {
            ed.drop(id, Member::Support(old))?;
        }
        None => {}
    }
    ed.add(id, Member::Support(new)).map(drop)
}

/// Ends what is held of a topic. A source that may not end it leaves a contradiction that waits.
fn retract(
    ed: &mut Editor<'_>,
    record: Record,
    topic: &[RecordId],
    at: Timestamp,
    moment: Moment,
) -> Result<Fate, Error> {
    let value = record.claim.as_ref().map(|claim| claim.object.clone()).unwrap_or_default();
    let is_meant = |held: &Record| is_standing(held) && (value.is_empty() || same_claim(&record, held));
    let held: Vec<Record> =
        topic.iter().filter_map(|&id| ed.get(id)).filter(|one| is_meant(one)).cloned().collect();
    let mut fate = Fate::of(Outcome::Unchanged, None);
    for one in held.iter().filter(|one| end_of(one) > at) {
        match judge(&record, one, moment.is_current, moment.is_later) {
            Ruling::Wins => {
                ed.set(one.id, Scalar::Status(Status::Retracted, ENDED.into()))?;
                ed.set(one.id, Scalar::ValidTo(Some(at.max(start_of(one)))))?;
                fate.replaced.push(one.id);
                (fate.outcome, fate.id) = (Outcome::Retracted, Some(one.id));
            }
            Ruling::Past => {}
            Ruling::Yields | Ruling::Tied => fate.rivals.push(one.id),
        }
    }
    if fate.replaced.is_empty() && !fate.rivals.is_empty() {
        return challenge(ed, record, fate.rivals);
    }
    Ok(fate)
}

/// A denial that waits beside what it denies.
fn challenge(ed: &mut Editor<'_>, mut record: Record, rivals: Vec<RecordId>) -> Result<Fate, Error> {
    if let (Some(claim), Some(held)) = (&mut record.claim, rivals.first().and_then(|&id| ed.get(id))) {
        let denied = held.claim.clone().unwrap_or_default();
        (claim.object, claim.negated) = (denied.object, !denied.negated);
    }
    (record.status, record.status_reason) = (Status::Conflicted, CONTRADICTS.into());
    let id = ed.create(record)?;
    for &held in &rivals {
        oppose(ed, id, held)?;
    }
    Ok(Fate { reason: CONTRADICTS.into(), rivals, ..Fate::of(Outcome::Conflicted, Some(id)) })
}

/// Marks contradictions that a change has brought to light: of two active facts the weaker waits, and where nothing
/// tells them apart, both do.
pub(crate) fn hold_truths(ed: &mut Editor<'_>) -> Result<(), Error> {
    let min_overlap = ed.cx.policy.learn.overlap;
    for id in ed.touched() {
        let is_fact = |one: &&Record| one.kind == Kind::Fact && one.status == Status::Active;
        let Some(record) = ed.get(id).filter(is_fact).cloned() else { continue };
        let is_statement = record.claim.as_ref().is_none_or(|claim| claim.subject.is_empty());
        let topic = ed.by_key(&record.scope, &record.key);
        for other in neighbours(ed, &record, is_statement, &topic) {
            let (Some(one), Some(held)) = (ed.get(id).filter(is_fact), ed.get(other).filter(is_fact)) else {
                continue;
            };
            if !contradicts(one, held, min_overlap) {
                continue;
            }
            let weaker = match stronger(one, held) {
                Ordering::Greater => Some(other),
                Ordering::Less => Some(id),
                Ordering::Equal => None,
            };
            if let Some(weaker) = weaker {
                ed.set(weaker, Scalar::Status(Status::Conflicted, CONTRADICTS.into()))?;
            } else {
                ed.set(id, Scalar::Status(Status::Conflicted, UNORDERED.into()))?;
                ed.set(other, Scalar::Status(Status::Conflicted, UNORDERED.into()))?;
            }
            oppose(ed, id, other)?;
        }
    }
    Ok(())
}

/// A person says that a fact holds: that is a source of its own, and what contradicts it gives way.
pub(crate) fn confirm(ed: &mut Editor<'_>, id: RecordId, actor: &str) -> Result<(), Error> {
    let now = ed.cx.env.now;
    let source = SourceClass::Review;
    let review = Support {
        source,
        at: now,
        confidence: source.confidence_cap(),
        reference: String::new(),
        author: actor.into(),
        quote: String::new(),
    };
    add_support(ed, id, review)?;
    let Some(record) = ed.get(id).cloned() else { return Ok(()) };
    let topic = ed.by_key(&record.scope, &record.key);
    let mut others = neighbours(ed, &record, true, &topic);
    others.extend(record.rivals.iter().copied());
    sort::sort(&mut others);
    others.dedup();
    let min_overlap = ed.cx.policy.learn.overlap;
    for other in others {
        if ed.get(other).is_some_and(|held| is_standing(held) && contradicts(&record, held, min_overlap)) {
            supersede(ed, other, id, "reviewed")?;
        }
    }
    Ok(())
}

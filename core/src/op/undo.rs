//! `undo`: takes an operation's own deltas back. It never damages what came later: where a later operation built on
//! what it wrote, that is said and nothing changes, unless the later ones are to be taken back too.

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::Undo;
use super::output::{Output, Undone};
use crate::change::{Change, Delta, Member, Scalar, inverse, scalar};
use crate::env::{OpId, RecordId, Revision};
use crate::error::Error;
use crate::fact;
use crate::record::Record;
use crate::sort;
use crate::step::{LogEntry, LogQuery};

pub(crate) struct UndoVerb(pub(crate) Undo);

impl Decide for UndoVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let Some(entry) = entry(cx, self.0.op)? else {
            let message = alloc::format!(
                "there is no operation {} in this space; `history` shows what is there",
                self.0.op
            );
            return Err(Error::invalid("not_found", message).into());
        };
        if let Some(why) = nothing_left(&entry) {
            let message = alloc::format!("nothing of operation {} can be taken back: {why}", self.0.op);
            return Err(Error::invalid("undo", message).into());
        }
        if is_undone(cx, self.0.op)? {
            return Ok(Decision::answer(Output::Undone(Undone::default())));
        }
        let mut chosen: BTreeMap<Revision, LogEntry> = BTreeMap::new();
        chosen.insert(entry.rev, entry.clone());
        loop {
            let mut ed = Editor::new(*cx);
            let entangled = take_back(&mut ed, &chosen, cx)?;
            if entangled.is_empty() {
                fact::hold_truths(&mut ed)?;
                return Ok(self.done(ed, &chosen));
            }
            if !self.0.cascade {
                let entangled = entangled.into_values().map(|entry| entry.set.op_id).collect();
                return Ok(Decision::answer(Output::Undone(Undone { entangled, ..Undone::default() })));
            }
            chosen.extend(entangled);
        }
    }
}

impl UndoVerb {
    fn done(&self, ed: Editor<'_>, chosen: &BTreeMap<Revision, LogEntry>) -> Decision {
        let undone: Vec<OpId> = chosen.values().rev().map(|entry| entry.set.op_id).collect();
        let records = sort::set(chosen.values().flat_map(touched));
        let answer = Undone {
            done: ed.op().is_some(),
            undone: undone.clone(),
            entangled: Vec::new(),
            records: records.into_iter().collect(),
            op: ed.op(),
        };
        let mut decision = ed.finish(Output::Undone(answer));
        decision.undoes = undone;
        decision.actor.clone_from(&self.0.actor);
        decision.reason = if self.0.reason.is_empty() { "undo".to_string() } else { self.0.reason.clone() };
        decision
    }
}

/// Takes the chosen operations back, newest first; answers the later ones that stand in the way.
fn take_back(
    ed: &mut Editor<'_>,
    chosen: &BTreeMap<Revision, LogEntry>,
    cx: &Context<'_>,
) -> Result<BTreeMap<Revision, LogEntry>, Stop> {
    let mut entangled = BTreeMap::new();
    for entry in chosen.values().rev() {
        for change in entry.set.changes.iter().rev() {
            for rival in take_back_one(ed, change, entry.rev, chosen, cx)? {
                entangled.insert(rival.rev, rival);
            }
        }
    }
    let records = sort::set(chosen.values().flat_map(touched));
    for id in records {
        for rival in end_if_unsupported(ed, id, chosen, cx)? {
            entangled.insert(rival.rev, rival);
        }
    }
    entangled.retain(|rev, _| !chosen.contains_key(rev));
    Ok(entangled)
}

/// Ends a record that no evidence is left for, where the operation that began it has been taken back before.
fn end_if_unsupported(
    ed: &mut Editor<'_>,
    id: RecordId,
    chosen: &BTreeMap<Revision, LogEntry>,
    cx: &Context<'_>,
) -> Result<Vec<LogEntry>, Stop> {
    let lost_all = ed.get(id).is_some_and(|record| record.evidence.is_empty())
        && cx.view.get(id).is_some_and(|before| !before.evidence.is_empty());
    if !lost_all {
        return Ok(Vec::new());
    }
    let log = cx.log(LogQuery { records: alloc::vec![id], ..LogQuery::default() })?;
    let begins = |change: &Change| change.record == id && matches!(change.delta, Delta::Create(_));
    let Some(birth) = log.iter().rfind(|entry| entry.set.changes.iter().any(begins)) else {
        return Ok(Vec::new());
    };
    let (rev, op) = (birth.rev, birth.set.op_id);
    if chosen.contains_key(&rev) || !is_undone(cx, op)? {
        return Ok(Vec::new());
    }
    let later: Vec<LogEntry> =
        later(cx, id, rev, |_| true)?.into_iter().filter(|entry| !chosen.contains_key(&entry.rev)).collect();
    if later.is_empty() {
        ed.remove(id)?;
    }
    Ok(later)
}

/// Takes one delta back, or answers the later operations that built on it.
fn take_back_one(
    ed: &mut Editor<'_>,
    change: &Change,
    rev: Revision,
    chosen: &BTreeMap<Revision, LogEntry>,
    cx: &Context<'_>,
) -> Result<Vec<LogEntry>, Stop> {
    let id = change.record;
    let Some(back) = inverse(&change.delta) else { return Ok(Vec::new()) };
    let Some(record) = ed.get(id).cloned() else {
        if let Delta::Create(_) = back {
            ed.push(id, back)?;
        }
        return Ok(Vec::new());
    };
    match &change.delta {
        Delta::Create(born) if record.evidence.iter().any(|one| !born.evidence.contains(one)) => {
            for one in &born.evidence {
                ed.drop(id, Member::Evidence(one.clone()))?;
            }
            Ok(Vec::new())
        }
        Delta::Create(_) => {
            let later: Vec<LogEntry> = later(cx, id, rev, |_| true)?
                .into_iter()
                .filter(|entry| !chosen.contains_key(&entry.rev))
                .collect();
            if later.is_empty() {
                ed.remove(id)?;
            }
            Ok(later)
        }
        Delta::Set { after, .. } if scalar(&record, after) != *after => {
            later(cx, id, rev, |delta| writes_same(delta, after))
        }
        // Another undo has brought it back already.
        Delta::Remove(_) => Ok(Vec::new()),
        Delta::Add(member) if still_supported(&record, member) => Ok(Vec::new()),
        Delta::Add(member) => {
            ed.drop(id, member.clone())?;
            Ok(Vec::new())
        }
        Delta::Drop(member) => {
            ed.add(id, member.clone())?;
            Ok(Vec::new())
        }
        _ => {
            ed.push(id, back)?;
            Ok(Vec::new())
        }
    }
}

/// Whether evidence that stays still carries a member that the operation was first to add.
fn still_supported(record: &Record, member: &Member) -> bool {
    match member {
        Member::Tool(tool) => record.evidence.iter().any(|one| one.tool == *tool),
        Member::Variant(variant) => record.evidence.iter().any(|one| one.says == variant.key()),
        Member::Rewording(words) => record.evidence.iter().any(|one| one.says == words.of),
        Member::Mark(_) | Member::Situation(_) => !record.evidence.is_empty(),
        _ => false,
    }
}

fn writes_same(delta: &Delta, field: &Scalar) -> bool {
    matches!(delta, Delta::Set { after, .. } if core::mem::discriminant(after) == core::mem::discriminant(field))
}

/// Operations after `rev` that changed this record in a way that matters and have not been taken back.
fn later(
    cx: &Context<'_>,
    id: RecordId,
    rev: Revision,
    matters: impl Fn(&Delta) -> bool,
) -> Result<Vec<LogEntry>, Stop> {
    let log = cx.log(LogQuery { records: alloc::vec![id], ..LogQuery::default() })?;
    let gone = sort::set(log.iter().flat_map(|entry| entry.set.undoes.iter().copied()));
    let concerns = |change: &Change| {
        change.record == id && !matches!(change.delta, Delta::Vector { .. }) && matters(&change.delta)
    };
    Ok(log
        .iter()
        .filter(|entry| entry.rev > rev && entry.set.undoes.is_empty() && !gone.contains(&entry.set.op_id))
        .filter(|entry| entry.set.changes.iter().any(concerns))
        .cloned()
        .collect())
}

fn entry(cx: &Context<'_>, op: OpId) -> Result<Option<LogEntry>, Stop> {
    let log = cx.log(LogQuery { op: Some(op), ..LogQuery::default() })?;
    Ok(log.iter().find(|entry| entry.set.op_id == op).cloned())
}

/// Why nothing of an operation can be taken back, where that is so.
fn nothing_left(entry: &LogEntry) -> Option<&'static str> {
    let changes = &entry.set.changes;
    if changes.is_empty() {
        return Some("it changed no record, or the records it changed have been erased since");
    }
    if changes.iter().all(|change| matches!(change.delta, Delta::Vector { .. })) {
        return Some("it wrote vectors alone, which follow their texts");
    }
    let is_final = |change: &Change| matches!(change.delta, Delta::Remove(None) | Delta::Vector { .. });
    changes.iter().all(is_final).then_some("its records were erased")
}

/// Whether an operation has been taken back, by an undo that has not been taken back itself.
fn is_undone(cx: &Context<'_>, op: OpId) -> Result<bool, Stop> {
    let undoers: Vec<OpId> = cx
        .log(LogQuery { op: Some(op), ..LogQuery::default() })?
        .iter()
        .filter(|entry| entry.set.undoes.contains(&op))
        .map(|entry| entry.set.op_id)
        .collect();
    for undoer in undoers {
        if !is_undone(cx, undoer)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn touched(entry: &LogEntry) -> impl Iterator<Item = RecordId> + '_ {
    entry.set.changes.iter().map(|change| change.record)
}

//! The verbs that only read records: `get`, `list`, `stats`, `history`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::input::{Get, History, List, Tally};
use super::output::{Figures, HistoryEntry, Outcomes, Output};
use crate::change::{Change, Delta, Member, Scalar};
use crate::env::RecordId;
use crate::error::Error;
use crate::record::{Kind, Pin, Record, Status};
use crate::sort;
use crate::stat::share;
use crate::step::{LogEntry, LogQuery};

/// How many history entries are answered where no limit is given.
const HISTORY: u32 = 50;

/// The record of that id, or the error that says there is none.
pub(crate) fn existing<'a>(cx: &Context<'a>, id: RecordId) -> Result<&'a Record, Error> {
    cx.view.get(id).ok_or_else(|| {
        Error::invalid(
            "not_found",
            alloc::format!("there is no record {id} in this space; `list` shows what is there"),
        )
    })
}

pub(crate) struct GetVerb(pub(crate) Get);

impl Decide for GetVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        Ok(Decision::answer(Output::Got { record: existing(cx, self.0.id)?.clone() }))
    }
}

pub(crate) struct ListVerb(pub(crate) List);

impl Decide for ListVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut found: Vec<&Record> = cx.view.records().filter(|record| self.takes(record)).collect();
        sort::sort_by(&mut found, |a, b| {
            let order = |r: &Record| (core::cmp::Reverse((r.tier, r.hits(), r.last_confirmed_at)), r.id);
            order(a).cmp(&order(b))
        });
        let limit = if self.0.limit == 0 { usize::MAX } else { self.0.limit as usize };
        let total = found.len() as u32;
        let records = found.into_iter().skip(self.0.offset as usize).take(limit).cloned().collect();
        Ok(Decision::answer(Output::Listed { records, total }))
    }
}

impl ListVerb {
    fn takes(&self, record: &Record) -> bool {
        let List { kind, status, tier, tool, tag, scope, .. } = &self.0;
        let status_fits =
            if status.is_empty() { record.status == Status::Active } else { status.contains(&record.status) };
        status_fits
            && kind.is_none_or(|kind| record.kind == kind)
            && tier.is_none_or(|tier| record.tier == tier)
            && tool.as_ref().is_none_or(|tool| record.tools.contains(tool))
            && tag.as_ref().is_none_or(|tag| record.tags.contains(tag))
            && scope.as_ref().is_none_or(|scope| record.scope.applies_to(&scope.clone().normalised()))
    }
}

pub(crate) struct StatsVerb;

impl Decide for StatsVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut figures = Figures {
            revision: cx.view.revision().0,
            sessions: cx.view.run_count() as u32,
            embedder: cx.ports.embedder.info().map(|info| info.id).unwrap_or_default(),
            tokenizer: cx.ports.counter.name().into(),
            tombstones: cx.view.tombstones().count() as u32,
            ..Figures::default()
        };
        for record in cx.view.records() {
            count(&mut figures, record, cx.view.is_embedded(record.id));
        }
        let all = &mut figures.outcomes;
        let known = all.followed + all.not_followed;
        all.effectiveness = (known > 0).then(|| share(all.followed.into(), known.into()));
        Ok(Decision::answer(Output::Stats(figures)))
    }
}

fn count(figures: &mut Figures, record: &Record, has_vector: bool) {
    let add = |tally: &mut Tally, name: &str| *tally.entry(name.to_string()).or_default() += 1;
    add(&mut figures.kinds, record.kind.as_str());
    add(&mut figures.statuses, record.status.as_str());
    if record.status != Status::Active {
        return;
    }
    if record.kind == Kind::Lesson {
        add(&mut figures.tiers, record.tier.as_str());
        add(&mut figures.subtypes, record.subtype.as_str());
    }
    tally(&mut figures.outcomes, record);
    figures.pinned += u32::from(record.pin != Pin::None);
    figures.without_vector += u32::from(!has_vector);
}

/// What came of showing a record.
fn tally(all: &mut Outcomes, record: &Record) {
    let counters = &record.counters;
    let Outcomes { surfaced, followed, not_followed, irrelevant, missed, unresolved, .. } = all;
    for (sum, count) in [
        (surfaced, counters.surfaced),
        (followed, counters.followed),
        (not_followed, counters.not_followed),
        (irrelevant, counters.irrelevant),
        (missed, counters.missed),
        (unresolved, counters.unresolved()),
    ] {
        *sum = sum.saturating_add(count);
    }
    let count = if record.outcomes_turned() {
        &mut all.failing
    } else if counters.successes() > 0 {
        &mut all.proven
    } else {
        &mut all.unproven
    };
    *count += 1;
    all.core += u32::from(record.pin == Pin::AutoCore);
}

pub(crate) struct HistoryVerb(pub(crate) History);

impl Decide for HistoryVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let limit = if self.0.limit == 0 { HISTORY } else { self.0.limit };
        let query = match self.0.id {
            Some(id) => LogQuery { records: alloc::vec![id], ..LogQuery::default() },
            None => LogQuery { last: limit, ..LogQuery::default() },
        };
        let entries = cx.log(query)?;
        let skip = entries.len().saturating_sub(limit as usize);
        let entries = entries.iter().skip(skip).map(|entry| told(entry, self.0.id)).collect();
        Ok(Decision::answer(Output::History { entries }))
    }
}

fn told(entry: &LogEntry, id: Option<RecordId>) -> HistoryEntry {
    let LogEntry { rev, set } = entry;
    let concerned = set.changes.iter().filter(|change| id.is_none_or(|id| change.record == id));
    HistoryEntry {
        rev: *rev,
        op: set.op_id,
        verb: set.verb.clone(),
        at: set.at,
        actor: set.actor.clone(),
        reason: set.reason.clone(),
        undoes: set.undoes.clone(),
        changes: concerned.filter_map(|change| line(change, id.is_none())).collect(),
    }
}

/// A change in a short line; vectors say nothing to a reader.
fn line(change: &Change, named: bool) -> Option<String> {
    let what = match &change.delta {
        Delta::Create(record) => alloc::format!("created: {}", first_text(record)),
        Delta::Remove(_) => "ended".into(),
        Delta::Add(member) => alloc::format!("gained {}", member_text(member)),
        Delta::Drop(member) => alloc::format!("lost {}", member_text(member)),
        Delta::Count { counter, by } => alloc::format!("{counter:?} {by:+}").to_lowercase(),
        Delta::Set { before, after } => {
            let (field, before) = scalar_text(before);
            alloc::format!("{field}: {before} -> {}", scalar_text(after).1)
        }
        Delta::Vector { .. } => return None,
    };
    let id = change.record.to_string();
    Some(if named { alloc::format!("{} {what}", id.get(..8).unwrap_or(&id)) } else { what })
}

fn first_text(record: &Record) -> &str {
    if record.text.is_empty() { &record.key } else { &record.text }
}

fn member_text(member: &Member) -> String {
    match member {
        Member::Tool(x) => alloc::format!("tool {x}"),
        Member::Tag(x) => alloc::format!("tag {x}"),
        Member::Situation(x) => alloc::format!("situation {x}"),
        Member::Mark(x) => alloc::format!("mark {x}"),
        Member::Evidence(x) => alloc::format!("evidence {} in {}", x.event_id, x.session_id),
        Member::Variant(x) => alloc::format!("wording {}", x.text),
        Member::Rewording(x) => alloc::format!("wording by {}: {}", x.model, x.text),
        Member::Supersedes(x) => alloc::format!("supersedes {x}"),
        Member::Support(x) if x.reference.is_empty() => alloc::format!("source {}", x.source),
        Member::Support(x) => alloc::format!("source {}: {}", x.source, x.reference),
        Member::Rival(x) => alloc::format!("contradiction of {x}"),
    }
}

/// The name of a field and its value, in words.
fn scalar_text(scalar: &Scalar) -> (&'static str, String) {
    let time = |at: &Option<crate::env::Timestamp>| at.map_or_else(|| "none".into(), |at| at.to_string());
    match scalar {
        Scalar::Status(status, reason) if reason.is_empty() => ("status", status.to_string()),
        Scalar::Status(status, reason) => ("status", alloc::format!("{status} ({reason})")),
        Scalar::Tier(tier) => ("tier", tier.map_or("by recurrence", |tier| tier.as_str()).into()),
        Scalar::Pin(pin) => ("pin", pin.to_string()),
        Scalar::Text(text) => ("text", text.clone()),
        Scalar::Confidence(x) => ("confidence", x.to_string()),
        Scalar::LastConfirmedAt(at) => ("last confirmed", at.to_string()),
        Scalar::ValidTo(at) => ("valid to", time(at)),
        Scalar::RevalidateAfter(at) => ("revalidate after", time(at)),
        Scalar::SupersededBy(id) => ("superseded by", id.map_or_else(|| "none".into(), |id| id.to_string())),
    }
}

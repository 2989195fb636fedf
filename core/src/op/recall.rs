//! `recall` and `explain`: reading memory, which writes nothing.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use super::believed::at_day;
use super::context::{Context, Decide, Decision, Stop};
use super::input::{Explain, Recall};
use super::output::{Check, Explained, Item, Output, Recalled, Slot};
use super::read::existing;
use super::space::Space;
use crate::env::RecordId;
use crate::fact::Seen;
use crate::feedback::line;
use crate::recall::{Candidate, Picked, Query, Scorer, excluded, pick};
use crate::record::{Kind, Record, Status, Support, hash64};
use crate::sort;
use crate::text::{Block, Entry, fence};
use crate::vector::Quantized;

/// How many of its newest events an item names.
const EVENTS: usize = 3;

/// `recall`, compiled.
pub(crate) struct RecallVerb {
    input: Recall,
    pub(crate) query: Query,
}

impl RecallVerb {
    pub(crate) fn new(mut input: Recall, space: &Space) -> Self {
        if input.scope.is_empty() {
            input.scope = space.policy.scope.clone();
        }
        let query = Query::new(&input);
        Self { input, query }
    }

    fn picked(&self, cx: &Context<'_>) -> Result<Picked, Stop> {
        let vector = self.vector(cx)?;
        let scorer = Scorer::new(cx, &self.query, vector.as_ref());
        let top_k = self.input.top_k.unwrap_or(cx.policy.recall.top_k) as usize;
        pick(cx, &self.query, &scorer, top_k)
    }

    /// Takes out what contradicts the caller's own eyes.
    fn overrule(&self, cx: &Context<'_>, picked: &mut Picked) -> Vec<RecordId> {
        let mut out = Vec::new();
        if self.input.current.is_empty() {
            return out;
        }
        let min_overlap = cx.policy.learn.overlap;
        let seen: Vec<Seen> = self.input.current.iter().map(Seen::new).collect();
        let mut keep = |one: &Candidate| {
            let Some(record) = cx.view.record(one.slot) else { return false };
            let is_overruled = seen.iter().any(|seen| seen.overrules(record, min_overlap));
            out.extend(is_overruled.then_some(record.id));
            !is_overruled
        };
        picked.items.retain(&mut keep);
        picked.cut.retain(&mut keep);
        out
    }

    /// Takes out what the holdback withholds; what a person has pinned is always shown.
    fn hold_back(&self, cx: &Context<'_>, picked: &mut Picked) -> Vec<RecordId> {
        let run = match self.input.session_id.as_str() {
            "" => cx.env.op_id().to_string(),
            session_id => session_id.to_string(),
        };
        let mut out = Vec::new();
        picked.items.retain(|one| {
            let Some(record) = cx.view.record(one.slot) else { return false };
            let is_withheld = one.why.slot != Slot::Core && withheld(cx, &run, record.id);
            out.extend(is_withheld.then_some(record.id));
            !is_withheld
        });
        out
    }

    pub(crate) fn vector(&self, cx: &Context<'_>) -> Result<Option<Quantized>, Stop> {
        if self.query.text.is_empty() || cx.view.is_empty() {
            return Ok(None);
        }
        Ok(cx.vectors(&[self.query.text.as_str()])?.pop().flatten())
    }

    fn shown(&self, cx: &Context<'_>, picked: &Picked) -> (Block, Vec<Item>) {
        let items: Vec<Item> = picked.items.iter().filter_map(|one| item(cx, one)).collect();
        let entries: Vec<Entry<'_>> = items.iter().map(entry).collect();
        let budget = self.input.budget.unwrap_or(cx.policy.recall.budget) as usize;
        let block = fence(&entries, budget, cx.ports.counter.as_ref());
        (block, items)
    }
}

impl Decide for RecallVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        match at_day(cx, self.input.as_of, self.input.believed)? {
            Some(view) => self.answer(&Context { view: &view, ..*cx }),
            None => self.answer(cx),
        }
    }
}

impl RecallVerb {
    fn answer(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut picked = self.picked(cx)?;
        let overruled = self.overrule(cx, &mut picked);
        let kept_back = self.hold_back(cx, &mut picked);
        let (block, mut items) = self.shown(cx, &picked);
        let mut omitted: Vec<RecordId> =
            block.omitted.iter().filter_map(|&at| items.get(at)).map(|one| one.id).collect();
        omitted.extend(picked.cut.iter().filter_map(|one| cx.view.record(one.slot)).map(|record| record.id));
        let mut at = 0;
        items.retain(|_| {
            at += 1;
            !block.omitted.contains(&(at - 1))
        });
        let shown: Vec<RecordId> = items.iter().map(|item| item.id).collect();
        let counter = &cx.ports.counter;
        let mut notices = Vec::new();
        if !counter.is_exact() {
            notices.push("No token table is linked: the budget was kept in bytes.".to_string());
        }
        if !overruled.is_empty() {
            notices.push(
                "What you see now contradicts facts that are held; `remember` it to replace them."
                    .to_string(),
            );
        }
        Ok(Decision::answer(Output::Recalled(Recalled {
            moment: self.query.moment.as_str().into(),
            event: retrieval(cx, self.query.moment.as_str(), &shown, &kept_back),
            tokens: block.tokens as u32,
            tokenizer: counter.name().into(),
            block: block.text,
            items,
            omitted,
            overruled,
            notices,
        })))
    }
}

pub(crate) fn item(cx: &Context<'_>, one: &Candidate) -> Option<Item> {
    let record = cx.view.record(one.slot)?;
    Some(Item {
        id: record.id,
        text: line(record),
        kind: record.kind.as_str().into(),
        tier: record.tier.as_str().into(),
        age_days: cx.env.now.days_since(record.last_confirmed_at) as u32,
        confidence: record.trust(),
        why: one.why,
        evidence: newest_events(record),
        due: record.revalidate_after.is_some_and(|at| at <= cx.env.now),
        rivals: record.rivals.iter().copied().filter(|&id| waits(cx, id)).collect(),
        superseded_by: record.superseded_by.filter(|_| record.kind == Kind::Fact),
        valid_from: record.valid_from.filter(|_| record.kind == Kind::Fact),
        valid_to: record.valid_to,
    })
}

/// Whether a contradiction of a record has not been settled yet.
fn waits(cx: &Context<'_>, id: RecordId) -> bool {
    cx.view.get(id).is_some_and(|rival| rival.status == Status::Conflicted)
}

fn newest_events(record: &Record) -> Vec<String> {
    if record.kind == Kind::Fact {
        let mut sources: Vec<&Support> =
            record.supports.iter().filter(|one| !one.reference.is_empty()).collect();
        sort::sort_by(&mut sources, |a, b| {
            (b.source, b.at).cmp(&(a.source, a.at)).then_with(|| a.reference.cmp(&b.reference))
        });
        return sources.iter().take(EVENTS).map(|one| one.reference.clone()).collect();
    }
    let mut events: Vec<_> = record.evidence.iter().collect();
    sort::sort_by_key(&mut events, |one| (core::cmp::Reverse(one.ts), one.key));
    events.iter().take(EVENTS).map(|one| alloc::format!("{} {}", one.session_id, one.event_id)).collect()
}

/// What kind of thing an item is, with what its reader must know.
fn label(item: &Item) -> &str {
    if item.kind != Kind::Fact.as_str() {
        return &item.tier;
    }
    match (item.superseded_by.is_some(), !item.rivals.is_empty(), item.due) {
        (true, ..) => "fact, replaced since",
        (_, true, true) => "fact, contested, to be checked again",
        (_, true, false) => "fact, contested",
        (_, false, true) => "fact, to be checked again",
        _ => "fact",
    }
}

pub(crate) fn entry(item: &Item) -> Entry<'_> {
    Entry { text: &item.text, kind: label(item), age_days: item.age_days, confidence: item.confidence }
}

/// A canonical `retrieval` event that says what was shown and what the holdback kept from the agent.
pub(crate) fn retrieval(
    cx: &Context<'_>,
    moment: &str,
    shown: &[RecordId],
    kept_back: &[RecordId],
) -> String {
    if shown.is_empty() && kept_back.is_empty() {
        return String::new();
    }
    let event_id = cx.env.op_id().to_string();
    let mut event = json!({"type": "retrieval", "ts": cx.env.now, "event_id": event_id, "moment": moment, "items": shown});
    if !kept_back.is_empty() {
        event["withheld"] = json!(kept_back);
    }
    event.to_string()
}

/// Whether the holdback keeps a record from the agent: the same for all of one run, drawn by run and record.
pub(crate) fn withheld(cx: &Context<'_>, session_id: &str, id: RecordId) -> bool {
    let share = u64::from(cx.policy.guard.holdback);
    share > 0 && hash64(&["holdback", session_id, &id.to_string()]) % 1_000_000 < share
}

/// `explain`, compiled.
pub(crate) struct ExplainVerb {
    id: RecordId,
    recall: RecallVerb,
}

impl ExplainVerb {
    pub(crate) fn new(input: Explain, space: &Space) -> Self {
        Self { id: input.id, recall: RecallVerb::new(input.query, space) }
    }

    fn checks(&self, cx: &Context<'_>, record: &Record, relevance: i64) -> Vec<Check> {
        let filter = excluded(record, &self.recall.query, cx);
        let mut checks: Vec<Check> = ["status", "scope", "validity", "benign"]
            .into_iter()
            .map(|name| {
                let failed = filter.as_ref().filter(|(which, _)| *which == name);
                let detail = failed.map(|(_, detail)| detail.clone()).unwrap_or_default();
                Check { name: name.into(), passed: failed.is_none(), detail }
            })
            .collect();
        if let Some((name @ "shadowed", detail)) = filter {
            checks.push(Check { name: name.into(), passed: false, detail });
        }
        let gate = i64::from(cx.policy.recall.gate);
        let detail = alloc::format!("relevance {relevance}, gate {gate}");
        checks.push(Check { name: "gate".into(), passed: relevance >= gate, detail });
        checks
    }
}

impl Decide for ExplainVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let record = existing(cx, self.id)?;
        let slot = cx.view.slot(self.id).unwrap_or_default();
        let vector = self.recall.vector(cx)?;
        let scorer = Scorer::new(cx, &self.recall.query, vector.as_ref());
        let picked = self.recall.picked(cx)?;
        let place = picked.items.iter().position(|one| one.slot == slot);
        let why = match place.and_then(|at| picked.items.get(at)) {
            Some(one) => one.why,
            None => scorer.scores(slot).why,
        };
        let mut checks = self.checks(cx, record, why.relevance);
        let (block, items) = self.recall.shown(cx, &picked);
        let is_cut = place.is_none() && checks.iter().all(|check| check.passed);
        checks.push(check("top_k", !is_cut, &alloc::format!("{} came back", items.len())));
        let is_omitted = place.is_some_and(|at| block.omitted.contains(&at));
        checks.push(check(
            "budget",
            !is_omitted,
            &alloc::format!("the block leaves {} out", block.omitted.len()),
        ));
        let rank = place.filter(|_| !is_omitted).map(|at| at as u32 + 1);
        let answer = Explained { id: self.id, comes_back: rank.is_some(), rank, checks, why };
        Ok(Decision::answer(Output::Explained(answer)))
    }
}

fn check(name: &str, passed: bool, detail: &str) -> Check {
    let detail = if passed { String::new() } else { detail.into() };
    Check { name: name.into(), passed, detail }
}

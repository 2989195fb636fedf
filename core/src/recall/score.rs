//! Scores: how well each record fits a query. All are absolute and in millionths, so that a gate means the same in
//! every space.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::query::{Moment, Query};
use crate::env::Timestamp;
use crate::fact::{holds_on, is_believed, shadow};
use crate::image::Cue;
use crate::learn::{CallIdentity, decay, joins, likeness};
use crate::op::{Context, Why};
use crate::record::{Kind, Mark, Record, Status, Subtype};
use crate::sort;
use crate::text::Hits;
use crate::vector::Quantized;

const ONE: i64 = 1_000_000;
/// How an error fits that says the same in other words.
const NEARLY: i64 = 900_000;
/// What the words of another error must make up for.
const OTHER_ERROR: i64 = 150_000;
/// What two tasks with words in common weigh against a task and a text with as many: one task is seldom told twice in
/// the same words.
const TASK_WEIGHT: i64 = 1_500_000;
/// From how many words on a task tells what it is about.
const TELLING_WORDS: usize = 4;

/// A record that may come back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Its slot in the view's indexes.
    pub(crate) slot: u32,
    /// Its scores.
    pub(crate) why: Why,
}

/// The scores of one query over a whole view.
#[derive(Debug)]
pub(crate) struct Scorer<'a> {
    cx: &'a Context<'a>,
    query: &'a Query,
    text: Hits,
    tasks: Hits,
    cosines: Vec<i32>,
    /// What the query's call is told by from afar.
    cue: Option<Cue>,
}

impl<'a> Scorer<'a> {
    /// Searches once; every score is then read off.
    pub(crate) fn new(cx: &'a Context<'a>, query: &'a Query, vector: Option<&Quantized>) -> Self {
        let (mut text, mut tasks, mut cosines) = (Hits::new(), Hits::new(), Vec::new());
        cx.view.text_index().search(&query.terms, &mut text);
        if query.moment == Moment::Start {
            cx.view.task_index().search(&query.task_terms, &mut tasks);
        }
        if let Some(vector) = vector.filter(|vector| !vector.is_zero()) {
            cx.view.vector_index().scan(vector, &mut cosines);
        }
        let cue_of = |call: &CallIdentity| {
            Cue::of(&call.key, core::iter::once(call.trigger.as_str()), &call.signature)
        };
        let cue = query.call.as_ref().map(cue_of);
        Self { cx, query, text, tasks, cosines, cue }
    }

    /// The best `limit` records that pass the filters and the gate, best first.
    ///
    /// Records are scored in the order of the most they can score, and only until no other can come among the best.
    pub(crate) fn ranked(&self, limit: usize) -> Vec<Candidate> {
        let gate = i64::from(self.cx.policy.recall.gate);
        let mut waiting = BinaryHeap::from(self.bounds(gate));
        let mut found: Vec<Candidate> = Vec::new();
        loop {
            let batch = next(&mut waiting, limit).into_iter();
            let candidates = batch.filter_map(|bound| self.candidate(bound.slot()));
            found.extend(candidates.filter(|one| one.why.relevance >= gate));
            sort::sort_by(&mut found, |a, b| self.order(a, b));
            found.truncate(limit);
            let last = found.last().filter(|_| found.len() == limit).map_or(0, |one| one.why.score);
            let is_whole = !self.cx.view.lacks();
            if !is_whole || waiting.peek().is_none_or(|bound| bound.most() < last) || limit == 0 {
                return found;
            }
        }
    }

    /// The scores of a record, if it passes the filters.
    pub(crate) fn candidate(&self, slot: u32) -> Option<Candidate> {
        let passes = |record| excluded(record, self.query, self.cx).is_none();
        let brief = self.cx.view.brief(slot);
        if !brief.is_current && self.query.as_of.is_none() {
            return None;
        }
        let is_in = brief.is_plain || self.cx.view.record(slot).is_some_and(passes);
        is_in.then(|| self.scores(slot))
    }

    /// The scores of the record in a slot, whether or not it passes the filters.
    pub(crate) fn scores(&self, slot: u32) -> Candidate {
        let mut why = Why {
            lexical: i64::from(self.text.score(slot)),
            cosine: self.cosine(slot),
            situation: self.situation(slot),
            signature: self.signature(slot),
            ..Why::default()
        };
        why.relevance = self.relevance(slot, &why);
        why.score = self.score(slot, why.relevance);
        Candidate { slot, why }
    }

    /// Best first; ties by confirmation, then by id, so that equal input has equal order.
    pub(crate) fn order(&self, a: &Candidate, b: &Candidate) -> core::cmp::Ordering {
        let rest = |one: &Candidate| {
            (Reverse(self.cx.view.brief(one.slot).last_confirmed_at), self.cx.view.id(one.slot))
        };
        b.why.score.cmp(&a.why.score).then_with(|| rest(a).cmp(&rest(b)))
    }

    /// The most each record can score, told without a look at it, of those that can pass the gate: its relevance, but
    /// for what only some are granted and for what its own words make of a likeness that is told from afar.
    fn bounds(&self, gate: i64) -> Vec<Bound> {
        let slots = 0..self.cx.view.slot_count();
        let (grant, has_tasks) = (self.grant(true), !self.tasks.is_empty());
        let is_other_error = self.query.moment == Moment::AfterFailure;
        let enough = (gate - grant) * ONE;
        let mut out = Vec::with_capacity(slots.len());
        for slot in slots {
            if self.may_fit(slot) {
                out.push(Bound::new(ONE, slot));
                continue;
            }
            let less = if is_other_error && self.has_error(slot) { OTHER_ERROR } else { 0 };
            let weight = self.weight(slot, i64::from(self.text.score(slot)), self.cosine(slot)) - less * ONE;
            let situation = if has_tasks { self.situation(slot) } else { 0 };
            if weight >= enough || situation >= gate {
                out.push(Bound::new((weight / ONE + grant).max(situation), slot));
            }
        }
        out
    }

    /// Whether a record can fit the query's call by its signature.
    fn may_fit(&self, slot: u32) -> bool {
        let (Some(call), Some(cue)) = (&self.cue, self.cx.view.cue(slot)) else { return false };
        match self.query.moment {
            Moment::BeforeTool => cue.may_trigger(call),
            _ => cue.may_join(call, self.min_overlap()),
        }
    }

    /// Whether a record is about an error.
    fn has_error(&self, slot: u32) -> bool {
        self.cx.view.cue(slot).is_some_and(Cue::has_error)
    }

    /// How the task fits the tasks of the runs where a record was learned. A task of a word or two fits too many.
    fn situation(&self, slot: u32) -> i64 {
        let words = self.query.task_terms.len().min(TELLING_WORDS);
        let shared = i64::from(self.tasks.score(slot)) * words as i64 / TELLING_WORDS as i64;
        (shared * TASK_WEIGHT / ONE).min(ONE)
    }

    fn cosine(&self, slot: u32) -> i64 {
        self.cosines.get(slot as usize).copied().map_or(0, i64::from)
    }

    /// Whether words alone decide: the query or the record has no vector with an opinion.
    fn is_lexical(&self, slot: u32) -> bool {
        self.cosines.is_empty() || !self.cx.view.vector_index().has(slot)
    }

    /// Words and meaning together, [`ONE`] times over.
    fn weight(&self, slot: u32, lexical: i64, cosine: i64) -> i64 {
        // A cosine other than 0 is that of two vectors.
        if cosine == 0 && self.is_lexical(slot) {
            return lexical * ONE;
        }
        let share = i64::from(self.cx.policy.recall.lexical);
        share * lexical + (ONE - share) * cosine.max(0)
    }

    fn relevance(&self, slot: u32, why: &Why) -> i64 {
        let fused = self.weight(slot, why.lexical, why.cosine) / ONE;
        let shows = |what: fn(&Record) -> bool| self.cx.view.record(slot).is_some_and(what);
        match self.query.moment {
            Moment::Start => fused.max(why.situation),
            // After a failure a mined lesson fits by its error; words in common with another error mislead easily.
            Moment::AfterFailure if self.has_error(slot) => why.signature.max(fused - OTHER_ERROR),
            Moment::AfterFailure => fused,
            Moment::BeforeTool => fused.max(why.signature),
            Moment::BeforeDone => fused + self.grant(shows(|record| record.subtype == Subtype::Discrepancy)),
        }
        .min(ONE)
    }

    /// A lesson about overclaiming has something to say on every claim: it starts half way to the gate.
    fn grant(&self, is_discrepancy: bool) -> i64 {
        let applies = is_discrepancy && self.query.moment == Moment::BeforeDone;
        if applies { i64::from(self.cx.policy.recall.gate) / 2 } else { 0 }
    }

    /// How the query's error, or before a call its shape, fits what the record was learned from.
    fn signature(&self, slot: u32) -> i64 {
        let Some(call) = &self.query.call else { return 0 };
        // Most cannot fit, and need no look.
        if !self.may_fit(slot) {
            return 0;
        }
        let Some(record) = self.cx.view.record(slot) else { return 0 };
        match self.query.moment {
            Moment::BeforeTool if record.is_triggered_by(&call.trigger) => ONE,
            Moment::BeforeTool => 0,
            _ if record.key == call.key => ONE,
            _ if joins(&likeness(record), &call.likeness(), self.min_overlap()) => NEARLY,
            _ => 0,
        }
    }

    fn min_overlap(&self) -> f64 {
        f64::from(self.cx.policy.learn.overlap) / ONE as f64
    }

    /// Relevance, moved by age and tier within the policy's importance; a bare statement gives way.
    fn score(&self, slot: u32, relevance: i64) -> i64 {
        let (policy, brief) = (self.cx.policy, self.cx.view.brief(slot));
        let age = self.cx.env.now.days_since(brief.last_confirmed_at);
        let fresh = (decay(age, policy.evict.half_life_days) * ONE as f64) as i64;
        let earned = if brief.is_strategic { ONE } else { 0 };
        let remedy = if brief.is_bare || brief.is_pattern { 0 } else { ONE };
        let merit = (fresh + earned + remedy) / 3;
        let importance = i64::from(policy.recall.importance);
        relevance * (ONE - importance + importance * merit / ONE) / ONE
    }
}

/// The most that the record in a slot can score. Greater is to be scored sooner: by the score, then by the slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bound(u64);

impl Bound {
    /// `most` counts up to [`ONE`].
    fn new(most: i64, slot: u32) -> Self {
        Self((most.clamp(0, ONE) as u64) << 32 | u64::from(!slot))
    }

    fn most(self) -> i64 {
        (self.0 >> 32) as i64
    }

    fn slot(self) -> u32 {
        !(self.0 as u32)
    }
}

/// Those with the highest bounds, at least `least` of them, and all that have the same bound as the last: one of these
/// is as likely to be needed as another.
fn next(waiting: &mut BinaryHeap<Bound>, least: usize) -> Vec<Bound> {
    let mut out: Vec<Bound> = Vec::new();
    let is_next = |out: &[Bound], bound: &Bound| {
        out.len() < least.max(1) || out.last().is_some_and(|last| last.most() == bound.most())
    };
    while let Some(bound) = waiting.peek().copied().filter(|bound| is_next(&out, bound)) {
        out.push(bound);
        waiting.pop();
    }
    out
}

/// Why a record cannot come back for this query whatever its scores, as the name of the filter with its values.
pub(crate) fn excluded(
    record: &Record,
    query: &Query,
    cx: &Context<'_>,
) -> Option<(&'static str, alloc::string::String)> {
    let is_held = match record.kind {
        Kind::Fact => is_believed(record, query.as_of.is_some()),
        _ => record.status == Status::Active,
    };
    if !is_held {
        return Some(("status", alloc::format!("it is {} ({})", record.status, record.status_reason)));
    }
    if !record.scope.applies_to(&query.scope) {
        let scope = crate::codec::canonical(&record.scope);
        return Some(("scope", alloc::format!("it applies to {scope} alone")));
    }
    let day = query.as_of.unwrap_or(cx.env.now);
    if record.valid_to.is_some_and(|end| end <= day) {
        return Some(("validity", "it no longer holds".into()));
    }
    if record.kind == Kind::Fact {
        return unfit(record, query, cx, day);
    }
    let is_benign = record.kind == Kind::Lesson && record.marks.contains(&Mark::Benign);
    if record.marks.contains(&Mark::Looped) {
        return Some(("looped", "one run repaired it in its own code; it waits for a second run".into()));
    }
    if is_benign && query.moment != Moment::AfterFailure {
        return Some(("benign", "it recurs and does no harm; it is shown after the failure alone".into()));
    }
    None
}

/// Why a fact that is believed is left out: its time has not come, or a narrower one stands in its place.
fn unfit(
    record: &Record,
    query: &Query,
    cx: &Context<'_>,
    day: Timestamp,
) -> Option<(&'static str, alloc::string::String)> {
    if !holds_on(record, day) {
        return Some(("validity", "it does not hold yet".into()));
    }
    let narrower = shadow(cx.view, record, &query.scope, day, query.as_of.is_some())?;
    Some(("shadowed", alloc::format!("the narrower {} stands in its place", narrower.id)))
}

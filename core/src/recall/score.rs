//! Scores: how well each record fits a query. All are absolute and in millionths, so that a gate means the same in
//! every space.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::query::{Moment, Query};
use crate::image::Cue;
use crate::learn::{decay, joins, likeness};
use crate::op::{Context, Why};
use crate::record::{Kind, Mark, Record, Status, Subtype, Tier};
use crate::text::Hits;
use crate::vector::Quantized;

const ONE: i64 = 1_000_000;
/// How an error fits that says the same in other words.
const NEARLY: i64 = 900_000;
/// What the words of another error must make up for.
const OTHER_ERROR: i64 = 150_000;
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
}

impl<'a> Scorer<'a> {
    /// Searches once; every score is then read off.
    pub(crate) fn new(cx: &'a Context<'a>, query: &'a Query, vector: Option<&Quantized>) -> Self {
        let (mut text, mut tasks, mut cosines) = (Hits::new(), Hits::new(), Vec::new());
        cx.view.text_index().search(&query.terms, &|_| true, &mut text);
        if query.moment == Moment::Start {
            cx.view.task_index().search(&query.task_terms, &|_| true, &mut tasks);
        }
        if let Some(vector) = vector.filter(|vector| !vector.is_zero()) {
            cx.view.vector_index().scan(vector, &mut cosines);
        }
        Self { cx, query, text, tasks, cosines }
    }

    /// The best `limit` records that pass the filters and the gate, best first.
    ///
    /// Records are read in the order of the most they can score, and only until no other can come among the best:
    /// the reading is what costs.
    pub(crate) fn ranked(&self, limit: usize) -> Vec<Candidate> {
        let gate = i64::from(self.cx.policy.recall.gate);
        let mut waiting = BinaryHeap::from(self.bounds(gate));
        let mut found: Vec<Candidate> = Vec::new();
        loop {
            let candidates =
                next(&mut waiting, limit).into_iter().filter_map(|Reverse(slot)| self.candidate(slot));
            found.extend(candidates.filter(|one| one.why.relevance >= gate));
            found.sort_by(|a, b| self.order(a, b));
            found.truncate(limit);
            let last = found.last().filter(|_| found.len() == limit).map_or(0, |one| one.why.score);
            let is_whole = !self.cx.view.lacks();
            if !is_whole || waiting.peek().is_none_or(|(bound, _)| *bound < last) || limit == 0 {
                return found;
            }
        }
    }

    /// The scores of a record, if it passes the filters.
    pub(crate) fn candidate(&self, slot: u32) -> Option<Candidate> {
        let record = self.cx.view.record(slot)?;
        excluded(record, self.query, self.cx).is_none().then(|| self.scores(slot, record))
    }

    /// The scores of a record, whether or not it passes the filters.
    pub(crate) fn scores(&self, slot: u32, record: &Record) -> Candidate {
        let mut why = Why {
            lexical: i64::from(self.text.score(slot)),
            cosine: self.cosine(slot),
            situation: self.situation(slot),
            signature: self.signature(record),
            ..Why::default()
        };
        why.relevance = self.relevance(slot, record, &why);
        why.score = self.score(record, why.relevance);
        Candidate { slot, why }
    }

    /// Best first; ties by confirmation, then by id, so that equal input has equal order.
    pub(crate) fn order(&self, a: &Candidate, b: &Candidate) -> core::cmp::Ordering {
        let rest = |one: &Candidate| {
            self.cx.view.record(one.slot).map(|record| (Reverse(record.last_confirmed_at), record.id))
        };
        b.why.score.cmp(&a.why.score).then_with(|| rest(a).cmp(&rest(b)))
    }

    /// The most each record can score, told without a look at it, of those that can pass the gate: its relevance, but
    /// for what only some are granted and for what its own words make of a likeness that is told from afar.
    fn bounds(&self, gate: i64) -> Vec<(i64, Reverse<u32>)> {
        let call = self.query.call.as_ref().map(|call| Cue::of(&call.key, &call.trigger, &call.signature));
        let none = Cue::default();
        let bound = |slot| {
            let cue = self.cx.view.cue(slot).unwrap_or(&none);
            let fits = call.as_ref().is_some_and(|call| self.may_fit(cue, call));
            (if fits { ONE } else { self.most(slot, cue) }, Reverse(slot))
        };
        (0..self.cx.view.slot_count()).map(bound).filter(|(bound, _)| *bound >= gate).collect()
    }

    /// The most a record can score that does not fit the query's call.
    fn most(&self, slot: u32, cue: &Cue) -> i64 {
        let fused = self.fused(slot, i64::from(self.text.score(slot)), self.cosine(slot));
        match self.query.moment {
            Moment::AfterFailure if cue.has_error() => fused - OTHER_ERROR,
            Moment::Start if !self.tasks.is_empty() => fused.max(self.situation(slot)),
            _ => fused + self.grant(true),
        }
        .min(ONE)
    }

    /// Whether a record can fit the query's call by its signature.
    fn may_fit(&self, cue: &Cue, call: &Cue) -> bool {
        match self.query.moment {
            Moment::BeforeTool => cue.may_trigger(call),
            _ => cue.may_join(call, self.min_overlap()),
        }
    }

    /// How the task fits the tasks of the runs where a record was learned. A task of a word or two fits too many.
    fn situation(&self, slot: u32) -> i64 {
        let words = self.query.task_terms.len().min(TELLING_WORDS);
        i64::from(self.tasks.score(slot)) * words as i64 / TELLING_WORDS as i64
    }

    fn cosine(&self, slot: u32) -> i64 {
        self.cosines.get(slot as usize).copied().map_or(0, i64::from)
    }

    /// Whether words alone decide: the query or the record has no vector with an opinion.
    fn is_lexical(&self, slot: u32) -> bool {
        self.cosines.is_empty() || !self.cx.view.vector_index().has(slot)
    }

    fn fused(&self, slot: u32, lexical: i64, cosine: i64) -> i64 {
        if self.is_lexical(slot) {
            return lexical;
        }
        let share = i64::from(self.cx.policy.recall.lexical);
        (share * lexical + (ONE - share) * cosine.max(0)) / ONE
    }

    fn relevance(&self, slot: u32, record: &Record, why: &Why) -> i64 {
        let fused = self.fused(slot, why.lexical, why.cosine);
        let is_mined = !record.signature.is_empty();
        match self.query.moment {
            Moment::Start => fused.max(why.situation),
            // After a failure a mined lesson fits by its error; words in common with another error mislead easily.
            Moment::AfterFailure if is_mined => why.signature.max(fused - OTHER_ERROR),
            Moment::AfterFailure => fused,
            Moment::BeforeTool => fused.max(why.signature),
            Moment::BeforeDone => fused + self.grant(record.subtype == Subtype::Discrepancy),
        }
        .min(ONE)
    }

    /// A lesson about overclaiming has something to say on every claim: it starts half way to the gate.
    fn grant(&self, is_discrepancy: bool) -> i64 {
        let applies = is_discrepancy && self.query.moment == Moment::BeforeDone;
        if applies { i64::from(self.cx.policy.recall.gate) / 2 } else { 0 }
    }

    /// How the query's error, or before a call its shape, fits what the record was learned from.
    fn signature(&self, record: &Record) -> i64 {
        let Some(call) = &self.query.call else { return 0 };
        match self.query.moment {
            Moment::BeforeTool if !record.trigger.is_empty() && record.trigger == call.trigger => ONE,
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
    fn score(&self, record: &Record, relevance: i64) -> i64 {
        let policy = self.cx.policy;
        let age = self.cx.env.now.days_since(record.last_confirmed_at);
        let fresh = (decay(age, policy.evict.half_life_days) * ONE as f64) as i64;
        let earned = if record.tier == Tier::Strategic { ONE } else { 0 };
        let remedy = if record.marks.contains(&Mark::Bare) { 0 } else { ONE };
        let merit = (fresh + earned + remedy) / 3;
        let importance = i64::from(policy.recall.importance);
        relevance * (ONE - importance + importance * merit / ONE) / ONE
    }
}

/// Those with the highest bounds, at least `least` of them, and all that have the same bound as the last: one of these
/// is as likely to be needed as another.
fn next(waiting: &mut BinaryHeap<(i64, Reverse<u32>)>, least: usize) -> Vec<Reverse<u32>> {
    let mut out = Vec::new();
    let mut last = ONE;
    while let Some(&(bound, slot)) =
        waiting.peek().filter(|(bound, _)| out.len() < least.max(1) || *bound == last)
    {
        out.push(slot);
        last = bound;
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
    if record.status != Status::Active {
        return Some(("status", alloc::format!("it is {} ({})", record.status, record.status_reason)));
    }
    if !record.scope.applies_to(&query.scope) {
        let scope = crate::codec::canonical(&record.scope);
        return Some(("scope", alloc::format!("it applies to {scope} alone")));
    }
    if record.valid_to.is_some_and(|end| end <= cx.env.now) {
        return Some(("validity", "it no longer holds".into()));
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

//! Places: which of the candidates come back, in which order.
//!
//! Core and pinned records first, then guaranteed places of tools, then the rest by relevance and diversity.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::query::{Moment, Query};
use super::score::{Candidate, Scorer};
use crate::learn::groups_meet;
use crate::op::{Context, Slot, Stop};
use crate::record::{Mark, Record};
use crate::sort;
use crate::text::{content_words, jaccard};

const ONE: i64 = 1_000_000;

/// How many records that found no place are named, best first. A common word fits thousands.
const NAMED: usize = 32;
/// Beyond so many, or twice the places, nothing is likely to win a place by diversity.
const POOL: usize = 16;

/// What comes back, in order, and the best of what `top_k` cut.
#[derive(Debug, Default)]
pub(crate) struct Picked {
    pub(crate) items: Vec<Candidate>,
    pub(crate) cut: Vec<Candidate>,
}

/// Fills the places.
pub(crate) fn pick(
    cx: &Context<'_>,
    query: &Query,
    scorer: &Scorer<'_>,
    top_k: usize,
) -> Result<Picked, Stop> {
    let mut taken: BTreeSet<u32> = BTreeSet::new();
    let mut picked = Picked::default();
    let pinned = pinned(cx, scorer);
    let ranked = scorer.ranked(pool(top_k).saturating_add(NAMED + pinned.len()));
    for mut one in pinned {
        one.why.slot = Slot::Core;
        if picked.items.len() < top_k {
            picked.items.push(one);
        } else {
            picked.cut.push(one);
        }
        taken.insert(one.slot);
    }
    let best = ranked.iter().find(|one| !taken.contains(&one.slot)).copied();
    let free = top_k.saturating_sub(picked.items.len());
    // The best match keeps its place: tools take what is left of their share beside it.
    let share = (top_k as i64 * i64::from(cx.policy.recall.tool_share) / ONE) as usize;
    let places = share.min(free.saturating_sub(usize::from(best.is_some())));
    for mut one in tool_places(cx, query, scorer, &taken, places) {
        one.why.slot = Slot::Tool;
        taken.insert(one.slot);
        picked.items.push(one);
    }
    let mut rest: Vec<Candidate> = ranked.into_iter().filter(|one| !taken.contains(&one.slot)).collect();
    let free = top_k.saturating_sub(picked.items.len());
    let competing = if free == 0 { 0 } else { pool(free).min(rest.len()) };
    rerank(cx, query, rest.get_mut(..competing).unwrap_or_default())?;
    for rest in turns(cx, query, rest) {
        let free = top_k.saturating_sub(picked.items.len());
        let (chosen, cut) = diverse(cx, rest, free);
        picked.items.extend(chosen);
        picked.cut.extend(cut);
    }
    picked.cut.truncate(NAMED);
    Ok(picked)
}

/// Who competes with whom: at the start what warns goes first and what once worked takes the places that are left, for
/// steps that are unlike every warning would win them by being unlike.
fn turns(cx: &Context<'_>, query: &Query, rest: Vec<Candidate>) -> [Vec<Candidate>; 2] {
    let is_last = |one: &Candidate| query.moment == Moment::Start && cx.view.brief(one.slot).is_pattern;
    let (last, first) = rest.into_iter().partition(is_last);
    [first, last]
}

/// How many of the best compete for places.
fn pool(places: usize) -> usize {
    places.saturating_mul(2).max(POOL)
}

fn pinned(cx: &Context<'_>, scorer: &Scorer<'_>) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = cx.view.pinned().filter_map(|slot| scorer.candidate(slot)).collect();
    sort::sort_by(&mut out, |a, b| scorer.order(a, b));
    out
}

/// The best records of each tool that has places, taking turns by score.
fn tool_places(
    cx: &Context<'_>,
    query: &Query,
    scorer: &Scorer<'_>,
    taken: &BTreeSet<u32>,
    places: usize,
) -> Vec<Candidate> {
    if places == 0 || query.moment == Moment::AfterFailure {
        return Vec::new();
    }
    let named = cx.view.tools().filter(|tool| query.tools.contains(*tool) || query.names(tool));
    let slots = sort::set(named.flat_map(|tool| cx.view.by_tool(tool)));
    let mut out: Vec<Candidate> = slots
        .into_iter()
        .filter(|slot| !taken.contains(slot))
        .filter_map(|slot| scorer.candidate(slot))
        .filter(|one| cx.view.record(one.slot).is_some_and(|record| has_place(record, query)))
        .collect();
    sort::sort_by(&mut out, |a, b| scorer.order(a, b));
    out.truncate(places);
    out
}

/// Whether a record may take a guaranteed place. "Bash" says nothing about a call: a lesson about a shell program has a
/// place where that program is called or named. A bare statement has one only before a call like its own.
fn has_place(record: &Record, query: &Query) -> bool {
    let called = query.call.as_ref().map(|call| call.tool_group.as_str());
    let program = record.tool_group.strip_prefix("shell:");
    let fits = match (called, program) {
        (Some(group), _) if !record.tool_group.is_empty() => groups_meet(&record.tool_group, group),
        (_, Some(program)) => query.names(program),
        _ => true,
    };
    fits && (called.is_some() || !record.marks.contains(&Mark::Bare))
}

/// Puts those who compete for the ranked places in the order of the host's reranker. It is asked about what has passed
/// the filters and the gate, and brings nothing else back.
fn rerank(cx: &Context<'_>, query: &Query, competing: &mut [Candidate]) -> Result<(), Stop> {
    if !cx.ports.has_reranker {
        return Ok(());
    }
    let text =
        |one: &Candidate| cx.view.record(one.slot).map(|record| record.text.clone()).unwrap_or_default();
    let texts = competing.iter().map(text).collect();
    if let Some(scores) = cx.reranked(&query.text, texts)? {
        for (one, score) in competing.iter_mut().zip(scores) {
            one.why.reranked = Some(*score);
        }
        sort::sort_by_key(competing, |one| core::cmp::Reverse(one.why.reranked));
    }
    Ok(())
}

/// Chooses by relevance less likeness to what was chosen (MMR), both on one scale.
fn diverse(cx: &Context<'_>, mut rest: Vec<Candidate>, places: usize) -> (Vec<Candidate>, Vec<Candidate>) {
    let weight = i64::from(cx.policy.recall.mmr);
    let mut cut = rest.split_off(pool(places).min(rest.len()));
    let mut chosen: Vec<Candidate> = Vec::new();
    // How alike each candidate is to the most alike of the chosen.
    let mut alike: Vec<i64> = alloc::vec![0; rest.len()];
    while chosen.len() < places && !rest.is_empty() {
        let value = |at: usize, one: &Candidate| {
            weight * one.why.reranked.unwrap_or(one.why.score) - (ONE - weight) * alike.get(at).unwrap_or(&0)
        };
        let best = rest.iter().enumerate().max_by_key(|(at, one)| (value(*at, one), core::cmp::Reverse(*at)));
        let Some((at, _)) = best else { break };
        let taken = rest.remove(at);
        alike.remove(at);
        for (most, one) in alike.iter_mut().zip(&rest) {
            *most = (*most).max(likeness(cx, one.slot, taken.slot));
        }
        chosen.push(taken);
    }
    rest.append(&mut cut);
    (chosen, rest)
}

/// How alike two records are: the cosine of their vectors, or the overlap of their words where one has none.
fn likeness(cx: &Context<'_>, a: u32, b: u32) -> i64 {
    if let Some(cosine) = cx.view.vector_index().between(a, b) {
        return i64::from(cosine).max(0);
    }
    let words =
        |slot: u32| cx.view.record(slot).map(|record| content_words(&record.text)).unwrap_or_default();
    i64::from(jaccard(&words(a), &words(b)))
}

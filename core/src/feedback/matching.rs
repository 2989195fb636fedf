//! Which memories a message brings up.
//!
//! Decides by the situation alone for feedback, and by subject and object for facts. Scope, status and validity are
//! those of every recall. Never brings up what is below its floor; what nobody has confirmed needs more.

use alloc::string::String;
use alloc::vec::Vec;

use crate::fact::{holds_on, is_believed};
use crate::op::{Context, Recall, Stop};
use crate::policy::Policy;
use crate::recall::{Query, Scorer, excluded};
use crate::record::{Kind, Mark, Record, Scope};
use crate::text::{Hits, content_words, subject_key, terms};

/// How many of the best records are looked at.
const LOOKED_AT: usize = 256;
/// How many facts are told of one intent, and how many that are related to these.
const FACTS: usize = 3;
/// How many facts of one subject are looked at.
const BESIDE: usize = 8;

/// The feedback whose situation fits, best first: at most so many as the policy has, and of these only a few that
/// nobody has followed yet.
pub(crate) fn feedback<'a>(
    cx: &Context<'a>,
    situation: &str,
    scope: &Scope,
) -> Result<Vec<&'a Record>, Stop> {
    let react = &cx.policy.react;
    let mut unproven = 0;
    let mut out = near(cx, situation, scope)?;
    out.retain(|record| !record.marks.contains(&Mark::Muted));
    out.retain(|record| {
        let is_proven = record.counters.successes() > 0;
        unproven += u32::from(!is_proven);
        is_proven || unproven <= react.cold_slots
    });
    out.truncate(react.memories as usize);
    Ok(out)
}

/// All feedback whose situation fits, best first.
pub(super) fn near<'a>(cx: &Context<'a>, situation: &str, scope: &Scope) -> Result<Vec<&'a Record>, Stop> {
    let react = &cx.policy.react;
    let mut policy = Policy::clone(cx.policy);
    policy.recall.gate = react.floor.min(react.unproven_floor);
    let query = Query::new(&Recall { task: situation.into(), scope: scope.clone(), ..Recall::default() });
    let vector = if cx.view.is_empty() { None } else { cx.vectors(&[query.text.as_str()])?.pop().flatten() };
    let loose = Context { policy: &policy, ..*cx };
    let ranked = Scorer::new(&loose, &query, vector.as_ref()).ranked(LOOKED_AT);
    let found = ranked.into_iter().filter_map(|one| Some((one.why.relevance, cx.view.record(one.slot)?)));
    let fits = |relevance: i64, record: &Record| {
        let is_proven = record.counters.successes() > 0;
        relevance >= i64::from(if is_proven { react.floor } else { react.unproven_floor })
    };
    let found = found.filter(|(relevance, record)| record.feedback.is_some() && fits(*relevance, record));
    Ok(found.map(|(_, record)| record).collect())
}

/// The facts whose subject or object a text names, best first, and those one step further: they share a subject or an
/// object with one of them.
pub(crate) fn facts<'a>(cx: &Context<'a>, text: &str, scope: &Scope) -> Vec<&'a Record> {
    let query = Query::new(&Recall { task: text.into(), scope: scope.clone(), ..Recall::default() });
    let words = content_words(text);
    let mut hits = Hits::new();
    cx.view.text_index().search(&terms(text), &mut hits);
    let holds = |record: &&Record| {
        record.kind == Kind::Fact
            && is_believed(record, false)
            && holds_on(record, cx.env.now)
            && excluded(record, &query, cx).is_none()
    };
    let found = hits.top(LOOKED_AT).into_iter().filter_map(|hit| cx.view.record(hit.doc)).filter(holds);
    let mut out: Vec<&'a Record> = found.filter(|record| names(&words, record)).take(FACTS).collect();
    let mut related: Vec<&'a Record> = Vec::new();
    for record in &out {
        for name in ends(record) {
            let slots = cx.view.by_subject(&subject_key(name)).iter().take(BESIDE);
            for other in slots.filter_map(|&slot| cx.view.record(slot)).filter(holds) {
                let is_known = out.iter().chain(&related).any(|one| one.id == other.id);
                if !is_known && related.len() < FACTS {
                    related.push(other);
                }
            }
        }
    }
    out.extend(related);
    out
}

/// How a fact is told.
pub(crate) fn fact_line(record: &Record) -> String {
    let said = match &record.claim {
        Some(claim) if !claim.subject.is_empty() => {
            let not = if claim.negated { "not " } else { "" };
            alloc::format!("{} {not}{} {}", claim.subject, claim.predicate, claim.object)
        }
        _ => record.text.clone(),
    };
    match record.situations.iter().next() {
        Some(situation) => alloc::format!("[FACT] {said} (situation: {situation})"),
        None => alloc::format!("[FACT] {said}"),
    }
}

/// The subject and the object of a fact.
fn ends(record: &Record) -> impl Iterator<Item = &str> {
    let claim = record.claim.iter();
    claim.flat_map(|claim| [claim.subject.as_str(), claim.object.as_str()]).filter(|name| !name.is_empty())
}

/// Whether a text names the subject or the object of a fact, in all of its words.
fn names(words: &[String], record: &Record) -> bool {
    ends(record).any(|name| {
        let name = content_words(name);
        !name.is_empty() && name.iter().all(|word| words.contains(word))
    })
}

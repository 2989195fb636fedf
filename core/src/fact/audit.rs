//! The audit: the six ways in which a memory of facts goes wrong, found in what is stored.
//!
//! Decides what is wrong and which remedies are safe: those that lose nothing and that an undo takes back. What needs a
//! person's word is named, and left as it is.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::check::{is_local, speaks_of_here};
use super::topic::{contradicts, is_standing, overlap, same_claim};
use super::write::{add_support, hold_truths, supersede};
use crate::change::Scalar;
use crate::env::{RecordId, Timestamp};
use crate::error::Error;
use crate::gate::{self, Verdict, worth};
use crate::op::{Audited, Editor, Flaw, texts_of};
use crate::record::{Kind, Pin, Record, Scope, SourceClass, Status, Subtype};
use crate::text::content_words;

/// The six classes.
const DUPLICATE: &str = "duplicate";
const SCOPE_LEAK: &str = "scope_leak";
const STALE: &str = "stale";
const CONTRADICTION: &str = "contradiction";
const INFERENCE: &str = "inference";
const SECRET: &str = "secret";
/// The class of a flaw that is in no record: the indexes are out of step.
pub(crate) const INDEX: &str = "index";

/// How many facts of one group are compared with each other.
const GROUP: usize = 256;

/// Looks at every record that applies to a scope, and mends what is safe to mend where `fix` says so.
pub(crate) fn audit(ed: &mut Editor<'_>, scope: Option<&Scope>, fix: bool) -> Result<Audited, Error> {
    let applies = |record: &&Record| scope.is_none_or(|scope| record.scope.applies_to(scope));
    let all: Vec<&Record> = ed.cx.view.records().filter(applies).collect();
    let mut answer = Audited { checked: all.len() as u32, ..Audited::default() };
    let facts: Vec<&Record> = all.iter().copied().filter(|record| is_standing(record)).collect();
    compare(ed, &facts, &mut answer.flaws);
    for record in &facts {
        answer.flaws.extend(leak(record));
        answer.flaws.extend(stale(record, ed.cx.env.now));
        answer.flaws.extend(hardened(record));
    }
    answer.flaws.extend(all.iter().copied().filter_map(secret));
    if fix {
        mend(ed, &mut answer.flaws)?;
    }
    answer.fixed = answer.flaws.iter().filter(|flaw| flaw.fixed).count() as u32;
    Ok(answer)
}

fn flaw(class: &str, records: &[&Record], detail: String, remedy: &str, is_safe: bool) -> Flaw {
    let records = records.iter().map(|record| record.id).collect();
    Flaw { class: class.into(), records, detail, remedy: remedy.into(), safe: is_safe, fixed: false }
}

/// Duplicates and contradictions: of one topic, and of statements with the same words.
fn compare(ed: &Editor<'_>, facts: &[&Record], flaws: &mut Vec<Flaw>) {
    let min_overlap = ed.cx.policy.learn.overlap;
    let mut groups: BTreeMap<(&Scope, String), Vec<&Record>> = BTreeMap::new();
    for record in facts.iter().filter(|record| record.status == Status::Active) {
        let is_statement = record.claim.as_ref().is_none_or(|claim| claim.subject.is_empty());
        let words = || {
            content_words(&record.text).into_iter().filter(|word| !word.contains(|c: char| c.is_numeric()))
        };
        let key = if is_statement { words().collect::<Vec<_>>().join(" ") } else { record.key.clone() };
        groups.entry((&record.scope, key)).or_default().push(record);
    }
    for group in groups.values() {
        for (at, one) in group.iter().take(GROUP).enumerate() {
            for other in group.iter().take(GROUP).skip(at + 1) {
                if same_claim(one, other) && overlap(one, other) {
                    let detail = alloc::format!("both say: {}", one.text);
                    flaws.push(flaw(
                        DUPLICATE,
                        &[one, other],
                        detail,
                        "the better founded one stands for both",
                        true,
                    ));
                } else if contradicts(one, other, min_overlap) {
                    let detail = alloc::format!("{} / {}", one.text, other.text);
                    flaws.push(flaw(
                        CONTRADICTION,
                        &[one, other],
                        detail,
                        "the weaker one waits for a person",
                        true,
                    ));
                }
            }
        }
    }
}

fn leak(record: &Record) -> Option<Flaw> {
    let speaks = speaks_of_here(&record.text) || record.supports.iter().any(|one| speaks_of_here(&one.quote));
    (speaks && !is_local(&record.scope)).then(|| {
        let detail =
            alloc::format!("it speaks of one repository or project and applies beyond it: {}", record.text);
        flaw(SCOPE_LEAK, &[record], detail, "remember it with its scope, and forget this one", false)
    })
}

fn stale(record: &Record, now: Timestamp) -> Option<Flaw> {
    match record.revalidate_after {
        Some(due) if due <= now => {
            let detail = alloc::format!("it was to be checked again after {due}: {}", record.text);
            Some(flaw(
                STALE,
                &[record],
                detail,
                "check it, then `resolve` it or remember what holds now",
                false,
            ))
        }
        None if record.subtype == Subtype::External => {
            let detail =
                alloc::format!("it is about the world outside and has no day of checking: {}", record.text);
            Some(flaw(STALE, &[record], detail, "it gets the usual day of checking", true))
        }
        _ => None,
    }
}

/// What was only supposed, or comes from a class that may not carry it so far.
fn hardened(record: &Record) -> Option<Flaw> {
    let supposed = record.supports.iter().find_map(|one| {
        worth::unworthy(&one.quote).filter(|code| {
            matches!(*code, worth::HYPOTHETICAL | worth::OPINION | worth::PROPOSAL | worth::QUESTION)
        })
    });
    if let Some(code) = supposed {
        let detail = alloc::format!("its source only says a {code}: {}", record.text);
        return Some(flaw(INFERENCE, &[record], detail, "it waits for a person", true));
    }
    if record.confidence > record.source.confidence_cap() {
        let detail =
            alloc::format!("{} is more than a {} may say: {}", record.confidence, record.source, record.text);
        return Some(flaw(
            INFERENCE,
            &[record],
            detail,
            "its confidence is cut to the cap of its source",
            true,
        ));
    }
    let is_core = record.pin == Pin::AutoCore && record.source < SourceClass::Review;
    is_core.then(|| {
        let detail = alloc::format!("it is core and nobody but a {} says it: {}", record.source, record.text);
        flaw(INFERENCE, &[record], detail, "it is let go from the core", true)
    })
}

fn secret(record: &Record) -> Option<Flaw> {
    let kind = texts_of(record).find_map(|text| match gate::screen(text) {
        Verdict::Secret { kind, .. } => Some(kind),
        Verdict::Clean => None,
    })?;
    let detail = alloc::format!("a {kind} stands in it");
    Some(flaw(SECRET, &[record], detail, "rotate it, and erase the record: `forget` with `hard`", false))
}

/// Carries the safe remedies out.
fn mend(ed: &mut Editor<'_>, flaws: &mut [Flaw]) -> Result<(), Error> {
    for flaw in flaws.iter_mut().filter(|flaw| flaw.safe) {
        let active = |ed: &Editor<'_>, id: &RecordId| {
            ed.get(*id).is_some_and(|record| record.status == Status::Active)
        };
        if !flaw.records.iter().all(|id| active(ed, id)) {
            continue;
        }
        match (flaw.class.as_str(), flaw.records.as_slice()) {
            (DUPLICATE, [a, b]) => unite(ed, *a, *b)?,
            (CONTRADICTION, ids) => {
                for id in ids {
                    ed.touch(*id);
                }
                hold_truths(ed)?;
            }
            (STALE, [id]) => {
                let days = i64::from(ed.cx.policy.facts.revalidate_days);
                let said = ed.get(*id).map_or(ed.cx.env.now, |record| record.last_confirmed_at);
                let due = Timestamp(said.0.saturating_add(days * Timestamp::DAY));
                ed.set(*id, Scalar::RevalidateAfter(Some(due)))?;
            }
            (INFERENCE, [id]) => soften(ed, *id)?,
            _ => continue,
        }
        flaw.fixed = true;
    }
    Ok(())
}

fn unite(ed: &mut Editor<'_>, a: RecordId, b: RecordId) -> Result<(), Error> {
    let (Some(one), Some(other)) = (ed.get(a).cloned(), ed.get(b).cloned()) else { return Ok(()) };
    let (kept, left) =
        if super::rank::stronger(&one, &other) == Ordering::Less { (other, one) } else { (one, other) };
    for support in &left.supports {
        add_support(ed, kept.id, support.clone())?;
    }
    supersede(ed, left.id, kept.id, DUPLICATE)
}

fn soften(ed: &mut Editor<'_>, id: RecordId) -> Result<(), Error> {
    let Some(record) = ed.get(id).cloned() else { return Ok(()) };
    let cap = record.source.confidence_cap();
    if record.kind == Kind::Fact && record.confidence > cap {
        return ed.set(id, Scalar::Confidence(cap)).map(drop);
    }
    if record.pin == Pin::AutoCore && record.source < SourceClass::Review {
        return ed.set(id, Scalar::Pin(Pin::None)).map(drop);
    }
    ed.set(id, Scalar::Status(Status::Quarantined, INFERENCE.to_string())).map(drop)
}

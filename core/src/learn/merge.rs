//! Merging: what a mined run becomes among what is already known.
//!
//! Decides which record a draft belongs to and which evidence counts. Never widens a scope, and never counts an event
//! twice: what a run contributes is replaced when the run has grown, not added again.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::compress::Said;
use super::outcome::count_outcomes;
use super::{Draft, Likeness, Seen, Words, groups_meet, joins, leave_summary};
use crate::change::{Member, RunMark, Scalar};
use crate::env::{RecordId, Timestamp};
use crate::error::Error;
use crate::gate;
use crate::op::{Editor, Learned, Stop};
use crate::record::{
    EventKey, Evidence, Kind, Mark, Pin, Record, Rewording, Scope, SourceClass, Status, Subtype, TextKey,
    Tier, Variant, hash64,
};
use crate::sort;
use crate::text::{Agreement, Guard, cap};
use crate::vector::VectorIndex;

/// How many tasks a lesson keeps as its situations.
const SITUATIONS: usize = 16;
/// How many wordings it keeps; further evidence then supports the one that speaks.
const VARIANTS: usize = 32;

/// One mined run, ready to be merged.
#[derive(Debug, Clone)]
pub(crate) struct MinedRun {
    pub(crate) session_id: String,
    pub(crate) root_run_id: String,
    pub(crate) anonymous: bool,
    /// The repository that its lessons apply to, where that is to be taken from the trace.
    pub(crate) repository: Option<String>,
    pub(crate) keys: Vec<EventKey>,
    pub(crate) drafts: Vec<Draft>,
    pub(crate) seen: Seen,
}

/// Merges one run into the space.
pub(crate) fn merge_run(
    ed: &mut Editor<'_>,
    run: &MinedRun,
    scope: &Scope,
    words: &mut Words<'_>,
    report: &mut Learned,
) -> Result<(), Stop> {
    let Some(name) = resolve(ed, run) else {
        report.known += 1;
        return Ok(());
    };
    report.sessions += 1;
    let mut supported: BTreeSet<(RecordId, EventKey)> = BTreeSet::new();
    for draft in &run.drafts {
        let evidence = countable(ed, run, &name, draft, report);
        if evidence.is_empty() {
            continue;
        }
        let outcome = merge_draft(ed, draft, &evidence, scope, words, report)?;
        if let Some(id) = outcome {
            supported.extend(evidence.iter().map(|one| (id, one.key)));
        }
    }
    withdraw(ed, run, &name.session_id, &supported)?;
    count_outcomes(ed, run, &name.session_id)?;
    ed.mark_run(RunMark {
        session_id: name.session_id,
        root_run_id: name.root_run_id,
        events: run.keys.len() as u32,
        first: run.keys.first().copied().unwrap_or_default(),
        last: run.keys.last().copied().unwrap_or_default(),
        chain: if run.anonymous { run.keys.clone() } else { Vec::new() },
        at: ed.cx.env.now,
        shapes: run.seen.shapes.clone(),
    });
    Ok(())
}

struct Name {
    session_id: String,
    root_run_id: String,
}

/// The run's name, or `None` when nothing of it is new.
fn resolve(ed: &Editor<'_>, run: &MinedRun) -> Option<Name> {
    let (first, last) = (run.keys.first().copied()?, run.keys.last().copied()?);
    let Some(read) = read_before(ed, run, last) else {
        // What a reader calls an unnamed session says how it begins; two that begin alike are two runs.
        let unnamed = |given: &str| run.anonymous || given.is_empty();
        let name =
            |given: &str| if unnamed(given) { alloc::format!("run-{:016x}", last.0) } else { given.into() };
        return Some(Name { session_id: name(&run.session_id), root_run_id: name(&run.root_run_id) });
    };
    let events = read.events as usize;
    let has_grown = run.keys.len() > events;
    let differs = first != read.first || (run.keys.len() == events && last != read.last);
    let name = || Name { session_id: read.session_id.clone(), root_run_id: read.root_run_id.clone() };
    (has_grown || differs).then(name)
}

/// What has been read of this session: by its name, or for an unnamed one by the chain of its events, of which the
/// shorter is the beginning of the longer.
fn read_before<'a>(ed: &'a Editor<'_>, run: &MinedRun, last: EventKey) -> Option<&'a RunMark> {
    if !run.anonymous {
        return ed.run(&run.session_id);
    }
    let is_last = |key: &EventKey| ed.chain_owner(*key).filter(|mark| mark.last == *key);
    ed.chain_owner(last).or_else(|| run.keys.iter().rev().find_map(is_last))
}

/// The draft's evidence that may count: not buried by a hard forget, and not shown by another session already.
fn countable(
    ed: &Editor<'_>,
    run: &MinedRun,
    name: &Name,
    draft: &Draft,
    report: &mut Learned,
) -> Vec<Evidence> {
    let mut out = Vec::new();
    for one in &draft.evidence {
        let owner = ed.cx.view.event_owner(one.key);
        let elsewhere = owner.is_some_and(|record| {
            record.evidence.iter().any(|known| known.key == one.key && known.session_id != name.session_id)
        });
        if elsewhere || is_buried(ed, one.key) {
            *report.skipped.entry(if elsewhere { "known_event" } else { "forgotten" }.into()).or_default() +=
                1;
            continue;
        }
        let mut one = one.clone();
        if run.anonymous || one.session_id.is_empty() {
            one.session_id.clone_from(&name.session_id);
            one.root_run_id.clone_from(&name.root_run_id);
        }
        if one.undated {
            // The time of learning stands in; what is known of an event already keeps the time it was given then.
            one.ts = owner.and_then(|record| known_time(record, one.key)).unwrap_or(ed.cx.env.now);
        }
        out.push(one);
    }
    out
}

fn known_time(record: &Record, key: EventKey) -> Option<Timestamp> {
    record.evidence.iter().find(|one| one.key == key).map(|one| one.ts)
}

fn merge_draft(
    ed: &mut Editor<'_>,
    draft: &Draft,
    evidence: &[Evidence],
    scope: &Scope,
    words: &mut Words<'_>,
    report: &mut Learned,
) -> Result<Option<RecordId>, Stop> {
    let Some(variants) = wordings(ed, draft) else {
        *report.skipped.entry("needs_token_table".into()).or_default() += 1;
        return Ok(None);
    };
    let says = variants.first().map(Variant::key).unwrap_or_default();
    let target = match find(ed, draft, scope) {
        Some(id) => Some(id),
        None => find_alike(ed, draft, &variants, scope)?,
    };
    let said = said(ed, draft, evidence, target, says, words);
    if said == Said::Nothing {
        *report.skipped.entry("no_lesson".into()).or_default() += 1;
        return Ok(None);
    }
    let id = match target {
        Some(id) => {
            if !revive(ed, id, evidence)? {
                *report.skipped.entry("forgotten".into()).or_default() += evidence.len() as u32;
                return Ok(Some(id));
            }
            id
        }
        None => insert(ed, draft, variants.first(), evidence, scope)?,
    };
    // What must wait for review counts for a lesson that speaks, and lends it no words.
    let may_speak = ed.get(id).is_some_and(|record| record.status == Status::Active);
    let variants = if may_speak && held_back(draft).is_some() { Vec::new() } else { variants };
    let before = ed.get(id).map(|record| (record.tier, record.hits()));
    contribute(ed, id, draft, evidence, &variants, says)?;
    let has_wording = ed.get(id).is_some_and(|record| record.variants.iter().any(|one| one.key() == says));
    if let Said::Words { text, model } = said
        && has_wording
    {
        ed.add(id, Member::Rewording(Rewording { of: says, text, model }))?;
    }
    let after = ed.get(id).map(|record| (record.tier, record.hits()));
    match (target, before, after) {
        (None, ..) => report.inserted += 1,
        (Some(_), before, after) if before != after || !ed_untouched(ed, id) => report.merged += 1,
        _ => {}
    }
    if before.is_some_and(|(tier, _)| tier == Tier::Tactical)
        && after.is_some_and(|(tier, _)| tier == Tier::Strategic)
    {
        report.promoted += 1;
    }
    if !report.records.contains(&id) {
        report.records.push(id);
    }
    Ok(Some(id))
}

/// What a draft is to say: in a model's words only where it begins a lesson. A lesson that nothing but this session
/// shows begins with it however much of the session was read before, so that a prefix and then the whole is the whole.
fn said(
    ed: &Editor<'_>,
    draft: &Draft,
    evidence: &[Evidence],
    target: Option<RecordId>,
    says: TextKey,
    words: &mut Words<'_>,
) -> Said {
    let session = evidence.first().map(|one| one.session_id.as_str());
    let begins = target.and_then(|id| ed.get(id)).is_none_or(|record| {
        record.status == Status::Active
            && record.pin == Pin::None
            && record.subtype != Subtype::Taught
            && !record.evidence.is_empty()
            && record.evidence.iter().all(|one| Some(one.session_id.as_str()) == session)
            && record.rewordings.iter().all(|one| one.of != says)
    });
    // What waits for a person, or would wait if it were said, is sent nowhere.
    let is_clean = held_back(draft).is_none() && gate::injection::suspect(&draft.signature).is_none();
    if begins && is_clean { words.of(draft) } else { Said::Fixed }
}

fn ed_untouched(ed: &Editor<'_>, id: RecordId) -> bool {
    ed.get(id) == ed.cx.view.get(id)
}

/// The wordings a draft brings, the one it speaks first. A remedy that is only weakly supported is kept beside the
/// bare statement and does not speak. `None` where a cut is needed and no exact counter is there to make it.
fn wordings(ed: &Editor<'_>, draft: &Draft) -> Option<Vec<Variant>> {
    let limit = ed.cx.policy.learn.token_cap;
    let counter = ed.cx.ports.counter.as_ref();
    let text = gate::redact(&draft.text);
    if ed.cx.over(&text, limit) && !counter.is_exact() {
        return None;
    }
    let text = cap(&text, limit as usize, counter);
    (!text.is_empty()).then(|| {
        alloc::vec![Variant {
            text,
            strength: draft.strength,
            subtype: draft.subtype,
            trigger: draft.trigger.clone(),
            about: draft.about.clone(),
            action: draft.action.clone(),
            benign: draft.marks.contains(&Mark::Benign),
        }]
    })
}

/// The record a draft belongs to by its words: same key, then word overlap in its tool group.
fn find(ed: &Editor<'_>, draft: &Draft, scope: &Scope) -> Option<RecordId> {
    let fits = |id: &RecordId| ed.get(*id).is_some_and(|record| may_share(record, draft, scope));
    if let Some(id) = ed.by_key(scope, &draft.key).into_iter().find(fits) {
        return Some(id);
    }
    let wanted = share(ed.cx.policy.learn.overlap);
    let same_words = |record: &Record| joins(&likeness(record), &draft_likeness(draft), wanted);
    ed.by_groups(|group| groups_meet(group, &draft.tool_group))
        .into_iter()
        .filter(fits)
        .find(|&id| ed.get(id).is_some_and(same_words))
}

/// What a record's error is compared by.
pub(crate) fn likeness(record: &Record) -> Likeness<'_> {
    Likeness { key: &record.key, signature: &record.signature, tool_group: &record.tool_group }
}

fn draft_likeness(draft: &Draft) -> Likeness<'_> {
    Likeness { key: &draft.key, signature: &draft.signature, tool_group: &draft.tool_group }
}

fn share(millionths: u32) -> f64 {
    f64::from(millionths) / 1_000_000.0
}

/// The record whose text is as near as the embedder's own threshold asks. Where both are about an error, the errors
/// must share words too: texts made from one template are alike without meaning the same.
fn find_alike(
    ed: &Editor<'_>,
    draft: &Draft,
    variants: &[Variant],
    scope: &Scope,
) -> Result<Option<RecordId>, Stop> {
    let (Some(info), Some(first)) = (ed.cx.ports.embedder.info(), variants.first()) else { return Ok(None) };
    let Some(vector) = ed.cx.vectors(&[first.text.as_str()])?.pop().flatten() else { return Ok(None) };
    let view = ed.cx.view;
    let half = share(ed.cx.policy.learn.overlap / 2);
    let guard = Guard::of(&first.text);
    let fits = |slot: u32| {
        view.record(slot).is_some_and(|record| {
            may_share(record, draft, scope)
                && record.tool_group == draft.tool_group
                && guard.agrees(&Guard::of(record.fixed_text())) == Agreement::Same
                && joins(&likeness(record), &draft_likeness(draft), half)
        })
    };
    let nearest = view.vector_index().nearest(&vector, 1, &fits);
    let near = nearest.first().filter(|one| i64::from(one.cosine) >= i64::from(info.merge));
    Ok(near.and_then(|one| view.record(one.slot)).map(|record| record.id))
}

/// Whether a record and a draft are of one scope and kind group, so that they may be one lesson.
fn may_share(record: &Record, draft: &Draft, scope: &Scope) -> bool {
    record.kind == Kind::Lesson
        && record.scope == *scope
        && record.subtype.group() == draft.subtype.group()
        && record.status != Status::Superseded
}

fn insert(
    ed: &mut Editor<'_>,
    draft: &Draft,
    variant: Option<&Variant>,
    evidence: &[Evidence],
    scope: &Scope,
) -> Result<RecordId, Error> {
    let now = ed.cx.env.now;
    let mut record = Record::new(ed.fresh_id(), Kind::Lesson, draft.subtype, SourceClass::Tool, now);
    record.scope = scope.clone();
    record.key.clone_from(&draft.key);
    record.signature.clone_from(&draft.signature);
    record.tool_group.clone_from(&draft.tool_group);
    record.trigger.clone_from(&draft.trigger);
    record.text = variant.map(|one| one.text.clone()).unwrap_or_default();
    record.created_at = evidence.iter().map(|one| one.ts).min().unwrap_or(now).min(now);
    if let Some(reason) = held_back(draft) {
        record.status = Status::Quarantined;
        record.status_reason = reason.into();
    }
    if was_buried(ed, scope, &draft.key) {
        record.marks.insert(Mark::Relapse);
    }
    ed.create(record)
}

/// Why a draft waits for review before anybody sees it, if it does.
fn held_back(draft: &Draft) -> Option<&'static str> {
    if draft.marks.contains(&Mark::Bypass) {
        return Some("bypass");
    }
    gate::injection::suspect(&draft.text)
}

/// Adds what a draft knows to a record.
fn contribute(
    ed: &mut Editor<'_>,
    id: RecordId,
    draft: &Draft,
    evidence: &[Evidence],
    variants: &[Variant],
    says: TextKey,
) -> Result<(), Error> {
    let mut says = says;
    for variant in variants {
        let full = ed.get(id).is_some_and(|record| record.variants.len() >= VARIANTS);
        match ed.get(id).filter(|record| full && !record.variants.contains(variant)) {
            Some(record) => says = record.best_variant().map(Variant::key).unwrap_or_default(),
            None => drop(ed.add(id, Member::Variant(variant.clone()))?),
        }
    }
    for one in evidence {
        let one = Evidence { says, ..one.clone() };
        let known =
            ed.get(id).and_then(|record| record.evidence.iter().find(|known| known.key == one.key)).cloned();
        if let Some(known) = known.filter(|known| *known != one) {
            ed.drop(id, Member::Evidence(known))?;
        }
        if ed.get(id).is_some_and(|record| record.evidence.len() < ed.cx.policy.limits.evidence as usize) {
            ed.add(id, Member::Evidence(one))?;
        }
    }
    let limit = ed.cx.policy.limits.members as usize;
    for tool in &draft.tools {
        if ed.get(id).is_some_and(|record| record.tools.len() < limit) {
            ed.add(id, Member::Tool(tool.clone()))?;
        }
    }
    for mark in draft
        .marks
        .iter()
        .filter(|mark| !matches!(mark, Mark::Bare | Mark::Weak | Mark::Benign | Mark::Looped))
    {
        ed.add(id, Member::Mark(*mark))?;
    }
    let has_room = ed.get(id).is_some_and(|record| record.situations.len() < SITUATIONS);
    if has_room && !draft.situation.is_empty() {
        ed.add(id, Member::Situation(draft.situation.clone()))?;
    }
    forget_unsupported(ed, id)
}

/// Takes wordings away that no evidence supports any more.
fn forget_unsupported(ed: &mut Editor<'_>, id: RecordId) -> Result<(), Error> {
    let Some(record) = ed.get(id) else { return Ok(()) };
    let said = sort::set(record.evidence.iter().map(|one| one.says));
    let idle: Vec<Variant> = record.variants.iter().filter(|v| !said.contains(&v.key())).cloned().collect();
    let idle_words: Vec<Rewording> =
        record.rewordings.iter().filter(|one| !said.contains(&one.of)).cloned().collect();
    for variant in idle {
        ed.drop(id, Member::Variant(variant))?;
    }
    for words in idle_words {
        ed.drop(id, Member::Rewording(words))?;
    }
    Ok(())
}

/// Makes an archived or forgotten record active again when a new run shows it; `false` when no new run does.
fn revive(ed: &mut Editor<'_>, id: RecordId, evidence: &[Evidence]) -> Result<bool, Error> {
    let Some(record) = ed.get(id) else { return Ok(true) };
    if !matches!(record.status, Status::Archived | Status::Retracted) {
        return Ok(true);
    }
    let runs = record.root_runs();
    if evidence.iter().all(|one| runs.contains(one.root_run_id.as_str())) {
        return Ok(false);
    }
    if record.status == Status::Retracted {
        ed.add(id, Member::Mark(Mark::Relapse))?;
    }
    ed.set(id, Scalar::Status(Status::Active, String::new()))?;
    leave_summary(ed, id)?;
    Ok(true)
}

/// Takes back what an earlier, shorter reading of this run contributed and the longer one does not support.
fn withdraw(
    ed: &mut Editor<'_>,
    run: &MinedRun,
    session_id: &str,
    supported: &BTreeSet<(RecordId, EventKey)>,
) -> Result<(), Error> {
    for &key in &run.keys {
        let Some(record) = ed.cx.view.event_owner(key) else { continue };
        let id = record.id;
        let is_evicted = matches!(record.status, Status::Archived | Status::Retracted);
        if supported.contains(&(id, key)) || is_evicted {
            continue;
        }
        // A copy of a session under another name takes nothing from the one it was copied from.
        let ours = |one: &&Evidence| one.key == key && one.session_id == session_id;
        let stale: Vec<Evidence> = record.evidence.iter().filter(ours).cloned().collect();
        for one in stale {
            ed.drop(id, Member::Evidence(one))?;
        }
        forget_unsupported(ed, id)?;
        if ed.get(id).is_some_and(|left| left.evidence.is_empty() && left.subtype != Subtype::Taught) {
            ed.remove(id)?;
        }
    }
    Ok(())
}

fn is_buried(ed: &Editor<'_>, key: EventKey) -> bool {
    ed.cx.view.salt().is_some_and(|salt| {
        let salted = salted_event(salt, key);
        ed.cx.view.tombstones().any(|one| one.events.contains(&salted))
    })
}

fn was_buried(ed: &Editor<'_>, scope: &Scope, key: &str) -> bool {
    ed.cx.view.salt().is_some_and(|salt| {
        let salted = salted_key(salt, scope, key);
        ed.cx.view.tombstones().any(|one| one.key == salted)
    })
}

/// The salted hash of an event, as tombstones keep it.
pub(crate) fn salted_event(salt: crate::env::Seed, key: EventKey) -> EventKey {
    EventKey(hash64(&[&alloc::format!("{salt}"), &alloc::format!("{:016x}", key.0)]))
}

/// The salted hash of a scope and key, as tombstones keep it.
pub(crate) fn salted_key(salt: crate::env::Seed, scope: &Scope, key: &str) -> EventKey {
    EventKey(hash64(&[&alloc::format!("{salt}"), &crate::codec::canonical(scope), key]))
}

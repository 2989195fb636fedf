//! `teach`: a lesson by hand. Over the cap it is refused with its count, never cut; a secret is never stored.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::{Editor, clean_scope};
use super::input::Teach;
use super::output::{Outcome, Output, Written};
use crate::change::{Member, Scalar};
use crate::env::RecordId;
use crate::error::Error;
use crate::gate::{self, Verdict};
use crate::learn::{Words, hold_cap};
use crate::record::{Kind, Record, Scope, SourceClass, Status, Subtype};
use crate::text::{Agreement, Guard, Hits, content_words, jaccard, nfc, terms, words};

/// How many of the nearest lessons are checked for saying the opposite.
const RIVALS: usize = 64;

pub(crate) struct TeachVerb(Teach);

impl TeachVerb {
    pub(crate) fn new(mut input: Teach) -> Result<Self, Error> {
        input.text = nfc(&input.text.split_whitespace().collect::<Vec<_>>().join(" "));
        if input.text.is_empty() {
            return Err(Error::invalid("text", "teach needs a text; say what to do and when, in one line"));
        }
        Ok(Self(input))
    }
}

impl Decide for TeachVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let input = &self.0;
        if let Some(reason) = refusal(cx, input) {
            let written = Written { outcome: Outcome::Refused, reason, id: None, op: None };
            return Ok(Decision::answer(Output::Written(written)));
        }
        let scope = clean_scope(input.scope.as_ref().unwrap_or(&cx.policy.scope));
        let mut ed = Editor::new(*cx);
        let (outcome, id) = match known(&ed, &scope, &key(&input.text)) {
            Some(id) => (refresh(&mut ed, id, input)?, id),
            None => insert(&mut ed, input, scope)?,
        };
        let reason = ed.get(id).map(|record| record.status_reason.clone()).unwrap_or_default();
        hold_cap(&mut ed, &mut Words::new(*cx, false))?;
        let op = ed.op();
        let mut decision = ed.finish(Output::Written(Written { outcome, reason, id: Some(id), op }));
        decision.actor.clone_from(&input.actor);
        decision.reason.clone_from(&input.reason);
        Ok(decision)
    }
}

/// Why the lesson is not stored, as a reason code with what it is about.
fn refusal(cx: &Context<'_>, input: &Teach) -> Option<String> {
    let fields = [&input.text, &input.situation, &input.actor, &input.reason];
    for text in fields.into_iter().chain(&input.tools).chain(&input.tags) {
        if let Verdict::Secret { kind, .. } = gate::screen(text) {
            return Some(alloc::format!("secret: {kind}; store it where secrets are kept, and rotate it"));
        }
    }
    let cap = cx.policy.learn.token_cap;
    if !cx.over(&input.text, cap) {
        return None;
    }
    let counter = &cx.ports.counter;
    if !counter.is_exact() {
        return Some(alloc::format!(
            "needs_token_table: whether this fits {cap} tokens can't be told without one"
        ));
    }
    Some(alloc::format!("over_cap: {} of {cap} tokens ({})", counter.count(&input.text), counter.name()))
}

fn key(text: &str) -> String {
    alloc::format!("taught: {}", words(text).join(" "))
}

fn known(ed: &Editor<'_>, scope: &Scope, key: &str) -> Option<RecordId> {
    ed.by_key(scope, key).into_iter().find(|&id| ed.get(id).is_some_and(|r| r.status != Status::Superseded))
}

fn refresh(ed: &mut Editor<'_>, id: RecordId, input: &Teach) -> Result<Outcome, Error> {
    let now = ed.cx.env.now;
    let newest = ed.get(id).map_or(now, |record| record.last_confirmed_at.max(now));
    ed.set(id, Scalar::LastConfirmedAt(newest))?;
    if ed.get(id).is_some_and(|record| matches!(record.status, Status::Archived | Status::Retracted)) {
        ed.set(id, Scalar::Status(Status::Active, String::new()))?;
    }
    describe(ed, id, input)?;
    Ok(Outcome::Refreshed)
}

fn insert(ed: &mut Editor<'_>, input: &Teach, scope: Scope) -> Result<(Outcome, RecordId), Error> {
    let rival = rival(ed, input, &scope);
    let now = ed.cx.env.now;
    let mut record = Record::new(ed.fresh_id(), Kind::Lesson, Subtype::Taught, SourceClass::User, now);
    record.scope = scope;
    record.text.clone_from(&input.text);
    record.key = key(&input.text);
    record.author = if input.actor.is_empty() { "user".to_string() } else { input.actor.clone() };
    if let Some((_, class)) = rival
        && class >= record.source
    {
        record.status = Status::Conflicted;
        record.status_reason = "contradicts".into();
    }
    let conflicted = record.status == Status::Conflicted;
    let id = ed.create(record)?;
    describe(ed, id, input)?;
    match rival {
        Some((rival, _)) if !conflicted => {
            ed.set(rival, Scalar::Status(Status::Quarantined, "contradicted".into()))?;
            Ok((Outcome::Created, id))
        }
        Some(_) => Ok((Outcome::Conflicted, id)),
        None => Ok((Outcome::Created, id)),
    }
}

fn describe(ed: &mut Editor<'_>, id: RecordId, input: &Teach) -> Result<(), Error> {
    for tool in &input.tools {
        ed.add(id, Member::Tool(nfc(tool)))?;
    }
    for tag in &input.tags {
        ed.add(id, Member::Tag(nfc(tag)))?;
    }
    if !input.situation.is_empty() {
        ed.add(id, Member::Situation(nfc(&input.situation)))?;
    }
    Ok(())
}

/// An active lesson of the same scope that says the opposite, with its source class.
fn rival(ed: &Editor<'_>, input: &Teach, scope: &Scope) -> Option<(RecordId, SourceClass)> {
    let found = rivals(&ed.cx, &input.text, scope, RecordId::default()).into_iter().next()?;
    ed.get(found).map(|record| (record.id, record.source))
}

/// The active lessons of a scope that say the opposite of a text, `except` one, nearest first.
pub(crate) fn rivals(cx: &Context<'_>, text: &str, scope: &Scope, except: RecordId) -> Vec<RecordId> {
    let (said, guard) = (content_words(text), Guard::of(text));
    let mut hits = Hits::new();
    cx.view.text_index().search(&terms(text), &mut hits);
    hits.top(RIVALS)
        .into_iter()
        .filter_map(|hit| cx.view.record(hit.doc))
        .filter(|record| record.status == Status::Active && record.kind == Kind::Lesson)
        .filter(|record| record.scope == *scope && record.id != except)
        .filter(|record| jaccard(&content_words(&record.text), &said) >= cx.policy.learn.overlap)
        .filter(|record| guard.agrees(&Guard::of(&record.text)) == Agreement::Contradiction)
        .map(|record| record.id)
        .collect()
}

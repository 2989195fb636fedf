//! The editor: collects deltas and keeps the records they lead to, so that a decision sees its own changes.
//!
//! Every delta of every verb passes here. It drops deltas that change nothing and lets no secret into a record.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::context::{Context, Decision};
use super::output::Output;
use crate::change::{Change, Delta, Member, RunMark, Scalar, Tombstone, apply, has, scalar};
use crate::env::{OpId, RecordId};
use crate::error::Error;
use crate::gate;
use crate::record::{
    Claim, EventKey, Evidence, Feedback, Record, Rewording, Scope, Status, Support, Variant,
};
use crate::sort;

/// Collects the deltas of one decision.
#[derive(Debug)]
pub(crate) struct Editor<'a> {
    pub(crate) cx: Context<'a>,
    changes: Vec<Change>,
    runs: Vec<RunMark>,
    run_names: HashMap<String, usize>,
    run_chains: HashMap<EventKey, usize>,
    tombstones: Vec<Tombstone>,
    touched: BTreeMap<RecordId, Option<Record>>,
    created: Vec<RecordId>,
    created_keys: HashMap<String, Vec<RecordId>>,
}

impl<'a> Editor<'a> {
    pub(crate) fn new(cx: Context<'a>) -> Self {
        Self {
            cx,
            changes: Vec::new(),
            runs: Vec::new(),
            run_names: HashMap::new(),
            run_chains: HashMap::new(),
            tombstones: Vec::new(),
            touched: BTreeMap::new(),
            created: Vec::new(),
            created_keys: HashMap::new(),
        }
    }

    /// The record as the deltas so far leave it.
    pub(crate) fn get(&self, id: RecordId) -> Option<&Record> {
        match self.touched.get(&id) {
            Some(record) => record.as_ref(),
            None => self.cx.view.get(id),
        }
    }

    /// The records of this scope and key, those just made included, in the order they were made.
    pub(crate) fn by_key(&self, scope: &Scope, key: &str) -> Vec<RecordId> {
        let stored = self.cx.view.by_key(scope, key).map(|record| record.id);
        let made = self.created_keys.get(key).into_iter().flatten().copied();
        stored.chain(made).filter(|&id| self.get(id).is_some_and(|r| r.scope == *scope)).collect()
    }

    /// The records of the tool groups that `fits` takes, those just made included.
    pub(crate) fn by_groups(&self, fits: impl Fn(&str) -> bool) -> Vec<RecordId> {
        let groups = self.cx.view.groups().filter(|group| fits(group));
        let stored = groups.flat_map(|group| self.cx.view.by_group(group)).map(|record| record.id);
        let made =
            self.created.iter().copied().filter(|&id| self.get(id).is_some_and(|r| fits(&r.tool_group)));
        let mut ids: Vec<RecordId> = stored.filter(|&id| self.get(id).is_some()).collect();
        sort::sort_by_key(&mut ids, |&id| self.cx.view.slot(id));
        ids.extend(made);
        ids
    }

    /// Every record as the deltas so far leave it.
    pub(crate) fn records(&self) -> impl Iterator<Item = &Record> {
        let stored = self.cx.view.records().filter(|record| !self.touched.contains_key(&record.id));
        stored.chain(self.touched.values().flatten())
    }

    /// The records that this operation makes, in order.
    pub(crate) fn made(&self) -> &[RecordId] {
        &self.created
    }

    /// Counts a record among those that it changes.
    pub(crate) fn touch(&mut self, id: RecordId) {
        let view = self.cx.view;
        self.touched.entry(id).or_insert_with(|| view.get(id).cloned());
    }

    /// The records that it changes.
    pub(crate) fn touched(&self) -> Vec<RecordId> {
        self.touched.keys().copied().collect()
    }

    /// A fresh id for a record that this operation makes.
    pub(crate) fn fresh_id(&self) -> RecordId {
        self.cx.env.record_id(self.created.len() as u64)
    }

    /// Makes a record.
    pub(crate) fn create(&mut self, record: Record) -> Result<RecordId, Error> {
        let limit = self.cx.policy.limits.records as usize;
        if self.cx.view.len() + self.created.len() >= limit {
            let message = alloc::format!(
                "the space already holds {limit} records; forget some or raise limits.records"
            );
            return Err(Error::limit("records", message));
        }
        let id = record.id;
        self.created_keys.entry(record.key.clone()).or_default().push(id);
        self.created.push(id);
        self.push(id, Delta::Create(Box::new(clean(record))))?;
        Ok(id)
    }

    /// Ends a record; an undo can bring it back.
    pub(crate) fn remove(&mut self, id: RecordId) -> Result<(), Error> {
        let last = self.get(id).cloned().map(Box::new);
        self.push(id, Delta::Remove(last))
    }

    /// Adds a member to a set, unless it is there.
    pub(crate) fn add(&mut self, id: RecordId, member: Member) -> Result<bool, Error> {
        let member = clean_member(member);
        // A wording that looks as if it were to steer a reader never joins one that may speak.
        if let Member::Variant(Variant { text, .. }) | Member::Rewording(Rewording { text, .. }) = &member
            && self.get(id).is_some_and(|record| record.status == Status::Active)
            && gate::injection::suspect(text).is_some()
        {
            return Ok(false);
        }
        match self.get(id) {
            Some(record) if !has(record, &member) => self.push(id, Delta::Add(member)).map(|()| true),
            _ => Ok(false),
        }
    }

    /// Takes a member out of a set, if it is there.
    pub(crate) fn drop(&mut self, id: RecordId, member: Member) -> Result<bool, Error> {
        match self.get(id) {
            Some(record) if has(record, &member) => self.push(id, Delta::Drop(member)).map(|()| true),
            _ => Ok(false),
        }
    }

    /// Gives a scalar a new value, unless it has it.
    pub(crate) fn set(&mut self, id: RecordId, after: Scalar) -> Result<bool, Error> {
        let Some(record) = self.get(id) else { return Ok(false) };
        let before = scalar(record, &after);
        if before == after {
            return Ok(false);
        }
        self.push(id, Delta::Set { before, after }).map(|()| true)
    }

    /// Pushes a delta as it is.
    pub(crate) fn push(&mut self, id: RecordId, delta: Delta) -> Result<(), Error> {
        let view = self.cx.view;
        let record = self.touched.entry(id).or_insert_with(|| view.get(id).cloned());
        apply(record, &delta)?;
        if let Some(record) = record {
            record.derive(self.cx.policy.learn.promote_at);
        }
        self.changes.push(Change { record: id, delta });
        Ok(())
    }

    /// Notes how far a session has been read.
    pub(crate) fn mark_run(&mut self, mut mark: RunMark) {
        clean_text(&mut mark.session_id);
        clean_text(&mut mark.root_run_id);
        let at = self.runs.len();
        self.run_names.insert(mark.session_id.clone(), at);
        self.run_chains.extend(mark.chain.iter().map(|&key| (key, at)));
        self.runs.push(mark);
    }

    /// How much of a session has been read, by this operation or before.
    pub(crate) fn run(&self, session_id: &str) -> Option<&RunMark> {
        let pending = self.run_names.get(session_id).and_then(|&at| self.runs.get(at));
        pending.or_else(|| self.cx.view.run(session_id))
    }

    /// The unnamed session whose chain of events holds this key, read by this operation or before.
    pub(crate) fn chain_owner(&self, key: EventKey) -> Option<&RunMark> {
        let pending = self.run_chains.get(&key).and_then(|&at| self.runs.get(at));
        pending.or_else(|| self.cx.view.chain_owner(key))
    }

    /// Leaves a tombstone.
    pub(crate) fn bury(&mut self, tombstone: Tombstone) {
        self.tombstones.push(tombstone);
    }

    /// The operation's id, if anything changes.
    pub(crate) fn op(&self) -> Option<OpId> {
        let changes = !self.changes.is_empty() || !self.runs.is_empty() || !self.tombstones.is_empty();
        changes.then(|| self.cx.env.op_id())
    }

    /// The decision.
    pub(crate) fn finish(self, output: Output) -> Decision {
        Decision {
            changes: self.changes,
            runs: self.runs,
            tombstones: self.tombstones,
            ..Decision::answer(output)
        }
    }
}

/// The record without secrets in any of its texts.
fn clean(mut record: Record) -> Record {
    let Record { text, key, signature, tool_group, trigger, author, .. } = &mut record;
    for text in [text, key, signature, tool_group, trigger, author] {
        clean_text(text);
    }
    record.scope = clean_scope(&record.scope);
    record.evidence = record.evidence.into_iter().map(clean_evidence).collect();
    record.situations = record.situations.into_iter().map(cleaned).collect();
    record.tools = record.tools.into_iter().map(cleaned).collect();
    record.tags = record.tags.into_iter().map(cleaned).collect();
    record.variants = record.variants.into_iter().map(clean_variant).collect();
    record.rewordings = record.rewordings.into_iter().map(clean_rewording).collect();
    record.supports = record.supports.into_iter().map(clean_support).collect();
    if let Some(claim) = &mut record.claim {
        let Claim { subject, predicate, object, rationale, freshness, .. } = claim.as_mut();
        [subject, predicate, object, rationale, freshness].into_iter().for_each(clean_text);
    }
    if let Some(feedback) = &mut record.feedback {
        let Feedback { situation, behavior, impact, action } = feedback.as_mut();
        [situation, behavior, impact, action].into_iter().for_each(clean_text);
    }
    record
}

fn clean_member(member: Member) -> Member {
    match member {
        Member::Tool(x) => Member::Tool(cleaned(x)),
        Member::Tag(x) => Member::Tag(cleaned(x)),
        Member::Situation(x) => Member::Situation(cleaned(x)),
        Member::Variant(x) => Member::Variant(clean_variant(x)),
        Member::Rewording(x) => Member::Rewording(clean_rewording(x)),
        Member::Evidence(x) => Member::Evidence(clean_evidence(x)),
        Member::Support(x) => Member::Support(clean_support(x)),
        other => other,
    }
}

fn clean_variant(variant: Variant) -> Variant {
    let action = variant.action.map(|action| action.map_texts(&mut cleaned));
    let Variant { text, trigger, about, .. } = variant;
    Variant { text: cleaned(text), trigger: cleaned(trigger), about: cleaned(about), action, ..variant }
}

fn clean_rewording(one: Rewording) -> Rewording {
    Rewording { text: cleaned(one.text), model: cleaned(one.model), ..one }
}

fn clean_support(mut one: Support) -> Support {
    [&mut one.reference, &mut one.author, &mut one.quote].into_iter().for_each(clean_text);
    one
}

fn clean_evidence(mut one: Evidence) -> Evidence {
    for text in [&mut one.session_id, &mut one.root_run_id, &mut one.event_id, &mut one.tool] {
        clean_text(text);
    }
    one
}

/// A scope in normal form without secrets in its values.
pub(crate) fn clean_scope(scope: &Scope) -> Scope {
    scope.iter().fold(Scope::global(), |clean, (key, value)| clean.with(key, &gate::redact(value)))
}

fn cleaned(mut text: String) -> String {
    clean_text(&mut text);
    text
}

/// Takes secrets out of a text, in place.
pub(crate) fn clean_text(text: &mut String) {
    if let Cow::Owned(redacted) = gate::redact(text) {
        *text = redacted;
    }
}

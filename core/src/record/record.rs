//! The record itself, and what is derived from its parts.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::{
    Claim, Counters, EventKey, Evidence, Feedback, Kind, LoadSet, Mark, Pin, Rewording, Scope, Set,
    SourceClass, Status, Subtype, Support, Tier, Variant,
};
use crate::env::{RecordId, Timestamp};
use crate::learn::Strength;
use crate::sort;

/// For how many days after a change a record counts as recent.
const RECENT_DAYS: f64 = 7.0;

/// From how many failures on outcomes can speak against a record.
const TURNED: u32 = 3;

/// One version of a record.
///
/// Fields that follow from others (`text`, `tier`, `tools`' part from evidence, `last_confirmed_at`) are kept in step
/// by [`Record::derive`], so that taking evidence away again needs no memory of what was there before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its id.
    pub id: RecordId,
    /// What kind of thing it is.
    pub kind: Kind,
    /// The signal it came from.
    pub subtype: Subtype,
    /// To whom it applies.
    #[serde(default, skip_serializing_if = "Scope::is_empty")]
    pub scope: Scope,
    /// What it says: for a mined lesson the wording with the strongest evidence, in a model's words where it has them.
    pub text: String,
    /// What makes two records the same at once.
    pub key: String,
    /// The error message it is about, with classes in place of instance values.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// The tools that may share it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tool_group: String,
    /// The shape of the earliest call at which it helps.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trigger: String,
    /// The tasks of runs in which it was learned, shortened.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub situations: Set<String>,
    /// The tools concerned.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub tools: Set<String>,
    /// Words of the host's own.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub tags: Set<String>,
    /// What reviewers and ranking must know.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub marks: Set<Mark>,
    /// Whether it holds.
    pub status: Status,
    /// Why it does not, as a reason code; empty while it is active.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub status_reason: String,
    /// How often it came back.
    pub tier: Tier,
    /// The tier given by evidence other than recurrence (a demotion, an import); `None` lets recurrence decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier_set: Option<Tier>,
    /// Whether it is held in place.
    pub pin: Pin,
    /// Where it comes from.
    pub source: SourceClass,
    /// Who wrote it, where a person did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// How sure it is, in millionths, at most its source's cap.
    pub confidence: u32,
    /// What a fact claims; none of any other kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Box<Claim>>,
    /// What a correction says; none of any other kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Box<Feedback>>,
    /// Who says so, of a fact.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub supports: Set<Support>,
    /// The records that contradict it and have not been settled.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub rivals: Set<RecordId>,
    /// What came of showing it.
    #[serde(default)]
    pub counters: Counters,
    /// The events that show it.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub evidence: Set<Evidence>,
    /// Its wordings; empty for a record whose text was written by hand.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub variants: Set<Variant>,
    /// Wordings in a model's words, each with the model that wrote it.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub rewordings: Set<Rewording>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When anything of it last changed, counters too.
    pub updated_at: Timestamp,
    /// The newest event that shows it. Never moves back while its evidence stays.
    pub last_confirmed_at: Timestamp,
    /// Since when it holds in the world; `None` is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// When it must be checked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revalidate_after: Option<Timestamp>,
    /// The records it took the place of.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub supersedes: Set<RecordId>,
    /// The record that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<RecordId>,
    /// Counted up by each change set that touches it; 1 for a new record.
    pub version: u32,
}

impl Record {
    /// A new active record of this kind, with nothing in it yet.
    pub fn new(id: RecordId, kind: Kind, subtype: Subtype, source: SourceClass, now: Timestamp) -> Self {
        Self {
            id,
            kind,
            subtype,
            scope: Scope::default(),
            text: String::new(),
            key: String::new(),
            signature: String::new(),
            tool_group: String::new(),
            trigger: String::new(),
            situations: Set::new(),
            tools: Set::new(),
            tags: Set::new(),
            marks: Set::new(),
            status: Status::Active,
            status_reason: String::new(),
            tier: Tier::Tactical,
            tier_set: None,
            pin: Pin::None,
            source,
            author: String::new(),
            confidence: source.confidence_cap(),
            claim: None,
            feedback: None,
            supports: Set::new(),
            rivals: Set::new(),
            counters: Counters::default(),
            evidence: Set::new(),
            variants: Set::new(),
            rewordings: Set::new(),
            created_at: now,
            updated_at: now,
            last_confirmed_at: now,
            valid_from: None,
            valid_to: None,
            revalidate_after: None,
            supersedes: Set::new(),
            superseded_by: None,
            version: 0,
        }
    }

    /// The distinct root runs it was seen in; recurrence counts these.
    pub fn root_runs(&self) -> Set<&str> {
        self.evidence.iter().map(|one| one.root_run_id.as_str()).collect()
    }

    /// The distinct sessions it was seen in.
    pub fn sessions(&self) -> Set<&str> {
        self.evidence.iter().map(|one| one.session_id.as_str()).collect()
    }

    /// How often it came back: its distinct root runs, and 1 for a record without evidence.
    pub fn hits(&self) -> u32 {
        self.root_runs().len().max(1) as u32
    }

    /// The shapes of calls that it was learned from, each once: of the wording that speaks first.
    pub fn triggers(&self) -> impl Iterator<Item = &str> {
        let own = self.trigger.as_str();
        let others: Set<&str> = self.variants.iter().map(|one| one.trigger.as_str()).collect();
        core::iter::once(own)
            .chain(others.into_iter().filter(move |other| *other != own))
            .filter(|shape| !shape.is_empty())
    }

    /// Whether it was learned from calls of this shape.
    pub fn is_triggered_by(&self, shape: &str) -> bool {
        !shape.is_empty() && (self.trigger == shape || self.variants.iter().any(|one| one.trigger == shape))
    }

    /// The kind of thing that a call must name for it to be about the call; empty where it is about every such call.
    pub fn about(&self) -> &str {
        self.best_variant().map_or("", |best| &best.about)
    }

    /// Whether its outcomes speak against it: it failed three times or more, and more often than it helped.
    pub fn outcomes_turned(&self) -> bool {
        self.counters.failures() >= TURNED && self.counters.failures() > self.counters.successes()
    }

    /// Which load set it belongs to: core where it is held, recent where it changed within seven days.
    pub fn load_set(&self, now: Timestamp) -> LoadSet {
        match self.pin {
            Pin::Pinned | Pin::AutoCore => LoadSet::Core,
            Pin::None if now.days_since(self.updated_at) <= RECENT_DAYS => LoadSet::Recent,
            Pin::None => LoadSet::OnDemand,
        }
    }

    /// Whether this event already counts for it.
    pub fn has_event(&self, key: EventKey) -> bool {
        self.evidence.iter().any(|one| one.key == key)
    }

    /// Brings what follows from other fields in step with them: text, tier, the last
    /// confirmation, and of a fact its source and confidence.
    pub fn derive(&mut self, promote_at: u32) {
        if let Some(best) = self.best_variant() {
            let Variant { text, strength, subtype, trigger, benign, .. } = best.clone();
            let text = self.reworded(best).map_or(text, |words| words.text.clone());
            (self.text, self.subtype, self.trigger) = (text, subtype, trigger);
            self.mark(Mark::Bare, strength.is_bare());
            self.mark(Mark::Weak, strength.is_weak());
            self.mark(Mark::Benign, benign);
            // What a run repaired in its own code counts; a second root run shows that it was not the code alone.
            self.mark(Mark::Looped, strength == Strength::Looped && self.hits() < 2);
        }
        if let Some(newest) = self.evidence.iter().map(|one| one.ts).max() {
            self.last_confirmed_at = newest;
        }
        self.derive_from_supports();
        let earned = if self.hits() >= promote_at { Tier::Strategic } else { Tier::Tactical };
        self.tier = self.tier_set.unwrap_or(earned);
    }

    /// How far what it says can be trusted, in millionths: its confidence, and where a model's words speak no more than
    /// a model may have.
    pub fn trust(&self) -> u32 {
        let is_reworded = self.best_variant().is_some_and(|best| self.reworded(best).is_some());
        let cap = if is_reworded { SourceClass::Model } else { self.source };
        self.confidence.min(cap.confidence_cap())
    }

    /// What it says in the fixed wording. What a lesson may do is decided by these words, never by a model's.
    pub(crate) fn fixed_text(&self) -> &str {
        self.best_variant().map_or(&self.text, |best| &best.text)
    }

    /// A wording in a model's words, if it has them.
    pub(crate) fn reworded(&self, variant: &Variant) -> Option<&Rewording> {
        let key = (!self.rewordings.is_empty()).then(|| variant.key())?;
        self.rewordings.iter().find(|one| one.of == key)
    }

    /// The wording that may speak with the strongest remedy, then the most root runs behind it, then the first by
    /// spelling. A weakly supported remedy gives way to a bare statement.
    pub(crate) fn best_variant(&self) -> Option<&Variant> {
        let strength = |variant: &&Variant| (!variant.strength.is_weak(), variant.strength);
        let top = self.variants.iter().map(|variant| strength(&variant)).max()?;
        let mut strongest = self.variants.iter().filter(|variant| strength(variant) == top);
        // Who supports which wording is costly to tell, and seldom decides.
        if let (Some(one), None) = (strongest.next(), strongest.next()) {
            return Some(one);
        }
        let texts = sort::map(self.variants.iter().map(|variant| (variant.key(), variant.text.as_str())));
        let mut runs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for one in &self.evidence {
            if let Some(text) = texts.get(&one.says) {
                runs.entry(text).or_default().insert(&one.root_run_id);
            }
        }
        self.variants.iter().max_by_key(|variant| {
            let support = runs.get(variant.text.as_str()).map_or(0, BTreeSet::len);
            let speaks = !variant.strength.is_weak();
            (speaks, variant.strength, support, core::cmp::Reverse(&variant.text), !variant.benign)
        })
    }

    /// A fact is as good as the best of those who say it, and as fresh as the latest.
    fn derive_from_supports(&mut self) {
        let sure = |one: &Support| one.confidence.min(one.source.confidence_cap());
        if let Some(best) = self.supports.iter().map(|one| one.source).max() {
            self.source = best;
            self.confidence = self.supports.iter().map(sure).max().unwrap_or_default();
        }
        if let Some(latest) = self.supports.iter().map(|one| one.at).max() {
            self.last_confirmed_at = latest;
        }
    }

    fn mark(&mut self, mark: Mark, set: bool) {
        if set {
            self.marks.insert(mark);
        } else {
            self.marks.remove(&mark);
        }
    }
}

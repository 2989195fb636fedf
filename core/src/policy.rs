//! Every number of the lifecycle in one place, grouped by stage, validated once.
//!
//! Decides the defaults and what values are allowed. `docs/architecture.md` has the same table with the reasons.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::record::{Scope, SourceClass};

/// All thresholds and limits. Shares and scores are in millionths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// From traces to lessons.
    pub learn: LearnPolicy,
    /// What leaves, and when.
    pub evict: EvictPolicy,
    /// What comes back, and how much.
    pub recall: RecallPolicy,
    /// What speaks at a call, and how often.
    pub guard: GuardPolicy,
    /// What counts as stale.
    pub review: ReviewPolicy,
    /// What is kept of claims, and from whom.
    pub facts: FactPolicy,
    /// Which memories an intent brings up, and which are core.
    pub react: ReactPolicy,
    /// How large anything may be.
    pub limits: Limits,
    /// The scope of `learn` and `teach` where the caller gives none.
    pub scope: Scope,
}

/// From traces to lessons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearnPolicy {
    /// The most tokens a lesson's text may have, the ellipsis included. Profiles: 30, 60, 120.
    pub token_cap: u32,
    /// From how many distinct root runs on a lesson is strategic.
    pub promote_at: u32,
    /// The word overlap (Jaccard of content words) from which two signatures of one tool group are one lesson.
    pub overlap: u32,
    /// Whether a clean run with a successful call becomes a success pattern.
    pub success_patterns: bool,
    /// Whether each run leaves one summary of what failed and how it ended.
    pub postmortems: bool,
    /// How long an archived or forgotten record can be restored, in days.
    pub retention_days: u32,
    /// The most calls of a model that one operation makes, where it is told to use one.
    pub model_calls: u32,
}

impl Default for LearnPolicy {
    fn default() -> Self {
        Self {
            token_cap: 30,
            promote_at: 3,
            overlap: 600_000,
            success_patterns: true,
            postmortems: false,
            retention_days: 30,
            model_calls: 100,
        }
    }
}

/// What leaves, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvictPolicy {
    /// The most active lessons a space holds, pinned ones not counted. `None` is no limit.
    pub max_entries: Option<u32>,
    /// After how many days without confirmation a lesson counts half.
    pub half_life_days: u32,
    /// What becomes of those that leave.
    pub strategy: EvictStrategy,
}

/// What becomes of lessons that leave. Either way they are archived, can be restored, and come back when they recur.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvictStrategy {
    /// They are archived.
    #[default]
    Archive,
    /// Five similar ones leave one summary, where the operation may use a model; else they are archived.
    Summarize,
}

impl Default for EvictPolicy {
    fn default() -> Self {
        Self { max_entries: None, half_life_days: 30, strategy: EvictStrategy::Archive }
    }
}

/// What comes back, and how much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecallPolicy {
    /// The most records that come back.
    pub top_k: u32,
    /// The most tokens the whole block has.
    pub budget: u32,
    /// The share of the lexical score in the fused one; the rest is cosine.
    pub lexical: u32,
    /// The fused score below which nothing that is ranked comes back.
    pub gate: u32,
    /// The largest share of `top_k` that tool slots may take.
    pub tool_share: u32,
    /// The weight of relevance against diversity (MMR); 1,000,000 is relevance alone.
    pub mmr: u32,
    /// How much age and tier may move a score, at most.
    pub importance: u32,
}

impl Default for RecallPolicy {
    fn default() -> Self {
        Self {
            top_k: 12,
            budget: 600,
            lexical: 350_000,
            gate: 300_000,
            tool_share: 500_000,
            mmr: 700_000,
            importance: 100_000,
        }
    }
}

/// What speaks at a call, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GuardPolicy {
    /// How many lessons may speak in one run.
    pub per_run: u32,
    /// How often calls of a lesson's shape must fail, at the lower end of an 80 % interval, for it to speak.
    pub failure_rate: u32,
    /// From how many failures after it was shown on a lesson is quiet for a while.
    pub ignored: u32,
    /// For how many hours.
    pub quiet_hours: u32,
    /// The share of what would be shown that is withheld and logged, so that `report` can tell the effect. 0 is none.
    pub holdback: u32,
}

impl Default for GuardPolicy {
    fn default() -> Self {
        Self { per_run: 3, failure_rate: 50_000, ignored: 2, quiet_hours: 24, holdback: 0 }
    }
}

/// What counts as stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewPolicy {
    /// In how many newer runs the calls of a lesson's shape must all have passed for it to be reviewed.
    pub passed_runs: u32,
    /// After how many newer runs without any call of its tools it is reviewed.
    pub unseen_runs: u32,
}

impl Default for ReviewPolicy {
    fn default() -> Self {
        Self { passed_runs: 5, unseen_runs: 50 }
    }
}

/// What is kept of claims, and from whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FactPolicy {
    /// After how many days a fact about the world outside must be checked again, where nobody says when.
    pub revalidate_days: u32,
    /// The least source class whose claims hold at once; what comes from lower ones waits for a person or a better
    /// source.
    pub least_source: SourceClass,
    /// The most facts that one source below a human review may teach.
    pub per_source: u32,
    /// Predicates that have many values beside those that are known to.
    pub many: BTreeSet<String>,
}

impl Default for FactPolicy {
    fn default() -> Self {
        Self {
            revalidate_days: 90,
            least_source: SourceClass::Model,
            per_source: 1_000,
            many: BTreeSet::new(),
        }
    }
}

/// Which memories an intent brings up, and which are core.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReactPolicy {
    /// How well its situation must fit for a memory that was followed before.
    pub floor: u32,
    /// The same, of one that nobody has followed yet.
    pub unproven_floor: u32,
    /// How many of these one intent brings up.
    pub cold_slots: u32,
    /// How many memories one intent brings up in all.
    pub memories: u32,
    /// The share of the times it was shown above which a memory that was followed becomes core.
    pub core_rate: u32,
    /// How often it must have been shown for that.
    pub core_surfaced: u32,
    /// How many are core by their outcomes, at most.
    pub core_most: u32,
    /// How often a core memory may be shown without being followed once.
    pub drop_surfaced: u32,
    /// The share under which the lower end of the interval of a core memory may not fall.
    pub drop_bound: u32,
}

impl Default for ReactPolicy {
    fn default() -> Self {
        Self {
            floor: 200_000,
            unproven_floor: 300_000,
            cold_slots: 2,
            memories: 5,
            core_rate: 700_000,
            core_surfaced: 5,
            core_most: 20,
            drop_surfaced: 10,
            drop_bound: 200_000,
        }
    }
}

/// How large anything may be. Passing one is `limit.*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of any one text that a caller gives: lesson, query, reason, actor, tool, tag, scope value, session, space.
    pub text_bytes: u32,
    /// Tools, or tags, or situations of one record; tools and tags that a caller gives at once.
    pub members: u32,
    /// Evidence kept of one record; the oldest of a run already counted is left out first.
    pub evidence: u32,
    /// Records of one space.
    pub records: u32,
    /// Records of one import or one `learn`.
    pub batch: u32,
    /// Bytes of traces given to one `learn`.
    pub trace_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text_bytes: 65_536,
            members: 256,
            evidence: 4_096,
            records: 1_000_000,
            batch: 100_000,
            trace_bytes: 1 << 30,
        }
    }
}

impl Limits {
    /// An error that names the field, where a text is longer than any may be.
    pub fn text(&self, field: &str, text: &str) -> Result<(), Error> {
        if self.holds(text) {
            return Ok(());
        }
        let message =
            format!("`{field}` has {} bytes and the limit is {}; shorten it", text.len(), self.text_bytes);
        Err(Error::limit("text_bytes", message))
    }

    /// Whether a text is within the limit.
    pub(crate) fn holds(&self, text: &str) -> bool {
        text.len() <= self.text_bytes as usize
    }
}

impl Policy {
    /// The policy itself, if every number makes sense; else an error that names the field.
    pub fn validated(self) -> Result<Self, Error> {
        at_least("learn.promote_at", self.learn.promote_at, 1)?;
        at_least("evict.half_life_days", self.evict.half_life_days, 1)?;
        at_least("recall.top_k", self.recall.top_k, 1)?;
        at_least("limits.text_bytes", self.limits.text_bytes, 64)?;
        at_least("limits.records", self.limits.records, 1)?;
        at_least("limits.evidence", self.limits.evidence, self.learn.promote_at)?;
        share("learn.overlap", self.learn.overlap)?;
        share("recall.lexical", self.recall.lexical)?;
        share("recall.gate", self.recall.gate)?;
        share("recall.tool_share", self.recall.tool_share)?;
        share("recall.mmr", self.recall.mmr)?;
        share("recall.importance", self.recall.importance)?;
        share("guard.failure_rate", self.guard.failure_rate)?;
        share("guard.holdback", self.guard.holdback)?;
        at_least("guard.ignored", self.guard.ignored, 1)?;
        at_least("facts.revalidate_days", self.facts.revalidate_days, 1)?;
        share("react.floor", self.react.floor)?;
        share("react.unproven_floor", self.react.unproven_floor)?;
        share("react.core_rate", self.react.core_rate)?;
        share("react.drop_bound", self.react.drop_bound)?;
        at_least("react.core_surfaced", self.react.core_surfaced, 1)?;
        at_least("react.drop_surfaced", self.react.drop_surfaced, 1)?;
        at_least("review.passed_runs", self.review.passed_runs, 1)?;
        at_least("review.unseen_runs", self.review.unseen_runs, 1)?;
        for (key, value) in self.scope.iter() {
            self.limits.text(&format!("policy.scope.{}", key.as_str()), value)?;
        }
        Ok(Self { scope: self.scope.normalised(), ..self })
    }
}

fn at_least(field: &str, value: u32, least: u32) -> Result<(), Error> {
    if value >= least {
        return Ok(());
    }
    Err(bad(format!("policy.{field} is {value}; it must be at least {least}")))
}

fn share(field: &str, value: u32) -> Result<(), Error> {
    if value <= 1_000_000 {
        return Ok(());
    }
    Err(bad(format!("policy.{field} is {value}; a share in millionths is at most 1000000")))
}

fn bad(message: String) -> Error {
    Error::invalid("policy", message)
}

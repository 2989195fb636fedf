//! The screen before a claim: what is missing, what may not be stored, and what waits for a person.
//!
//! Decides from the claim alone, and from how much its source has taught. Never looks at what else is held.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::predicate::refined;
use super::read::read;
use super::topic::topic_key;
use crate::env::{RecordId, Timestamp};
use crate::error::Error;
use crate::gate::{self, Verdict, worth};
use crate::op::{Cardinality, Editor, Remember};
use crate::policy::Policy;
use crate::record::{Claim, Kind, Record, Scope, ScopeKey, SourceClass, Subtype, Support};
use crate::text::nfc;

/// It says more than its source or its scope.
const OVER_GENERALISED: &str = "over_generalised";
/// It is about the world outside and has no date.
const UNDATED: &str = "undated";
/// Words that speak of one place.
const HERE: &[&str] = &[
    "this repo",
    "this repository",
    "this project",
    "this codebase",
    "this code base",
    "in here",
    "dieses repo",
    "diesem repo",
    "dieses projekt",
    "diesem projekt",
    "ce dépôt",
    "ce projet",
    "este repositorio",
    "este proyecto",
    "本仓库",
    "本项目",
    "这个项目",
    "这个仓库",
    "このプロジェクト",
    "このリポジトリ",
];
/// Words that speak of every place.
const EVERYWHERE: &[&str] = &[
    "everywhere",
    "all projects",
    "every project",
    "all repositories",
    "every repository",
    "all repos",
    "every repo",
    "globally",
    "all users",
    "everyone",
    "in general",
    "überall",
    "alle projekte",
    "allen projekten",
    "partout",
    "tous les projets",
    "en todas partes",
    "todos los proyectos",
    "所有项目",
    "全部项目",
    "すべてのプロジェクト",
];

/// A claim that is whole.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is an answer of its own about how the claim came")]
pub(crate) struct Checked {
    input: Remember,
    claim: Claim,
    text: String,
    scope: Scope,
    subtype: Subtype,
    source: SourceClass,
    /// Whether it came as a sentence, and not in parts.
    pub(crate) is_sentence: bool,
    /// Whether it takes back.
    pub(crate) retracts: bool,
    /// What the caller says of the predicate's values.
    pub(crate) many: Option<bool>,
    /// Whether it was said at the time of the operation.
    pub(crate) is_current: bool,
    is_candidate: bool,
    revalidate_days: u32,
}

impl Checked {
    /// Checks that a claim is whole; the error says what is missing.
    pub(crate) fn new(mut input: Remember, policy: &Policy) -> Result<Self, Error> {
        for text in [&mut input.text, &mut input.subject, &mut input.predicate, &mut input.object] {
            *text = nfc(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        let scope = input.scope.clone().or_else(|| (!policy.scope.is_empty()).then(|| policy.scope.clone()));
        let mut missing: Vec<&str> = Vec::new();
        let has_parts = !input.subject.is_empty() && !input.predicate.is_empty();
        let has_any =
            [&input.subject, &input.predicate, &input.object].into_iter().any(|part| !part.is_empty());
        let is_partial = has_any && !has_parts;
        if is_partial || has_parts && input.object.is_empty() && !input.retract {
            missing.push("`subject`, `predicate` and `object` together");
        } else if !has_parts && input.text.is_empty() {
            missing.push("`text`, or `subject`, `predicate` and `object`");
        }
        let subtype = input.subtype.filter(|one| Subtype::FACTS.contains(one));
        if subtype.is_none() && !input.retract {
            missing.push("`subtype`: preference, constraint, decision, workflow or external");
        }
        if scope.is_none() {
            missing.push("`scope`: to whom it applies, `{}` for everywhere");
        }
        if input.source.is_none() {
            missing.push("`source`: user, repo, review, tool, model or web");
        }
        if subtype == Some(Subtype::Decision) && input.rationale.trim().is_empty() && !input.retract {
            missing.push("`rationale`: why it was decided");
        }
        let needs_reference = subtype == Some(Subtype::External) || input.source == Some(SourceClass::Web);
        if needs_reference && input.reference.trim().is_empty() && !input.retract {
            missing.push("`reference`: where it stands");
        }
        let (Some(scope), Some(source), true) = (scope, input.source, missing.is_empty()) else {
            return Err(Error::invalid("claim", alloc::format!("a fact needs {}", missing.join("; "))));
        };
        if input.valid_from.zip(input.valid_to).is_some_and(|(from, to)| to <= from) {
            return Err(Error::invalid("claim", "`valid_to` must lie after `valid_from`"));
        }
        Ok(Self::read(input, &scope, source, subtype.unwrap_or(Subtype::Constraint), policy))
    }

    fn read(input: Remember, scope: &Scope, source: SourceClass, subtype: Subtype, policy: &Policy) -> Self {
        let is_sentence = input.subject.is_empty();
        let reading =
            if is_sentence { read(&input.text).unwrap_or_default() } else { super::read::Reading::default() };
        let retracts = input.retract || reading.retracts;
        let mut claim = reading.claim;
        if !is_sentence {
            (claim.subject, claim.predicate, claim.object) =
                (input.subject.clone(), input.predicate.clone(), input.object.clone());
        }
        claim.negated ^= refined(&claim.predicate, &claim.object).1;
        claim.dated = input.valid_from.is_some();
        input.rationale.trim().clone_into(&mut claim.rationale);
        input.freshness.trim().clone_into(&mut claim.freshness);
        let text = if input.text.is_empty() {
            [claim.subject.as_str(), &claim.predicate, &claim.object].join(" ").trim_end().to_owned()
        } else {
            input.text.clone()
        };
        Self {
            claim,
            text,
            scope: crate::op::clean_scope(scope),
            subtype,
            source,
            is_sentence,
            retracts,
            many: input.cardinality.map(|one| one == Cardinality::Many),
            is_current: input.claimed_at.is_none(),
            is_candidate: false,
            revalidate_days: policy.facts.revalidate_days,
            input,
        }
    }

    /// The same, waiting for a person whatever its source, where `is_candidate` says so.
    pub(crate) fn candidate(self, is_candidate: bool) -> Self {
        Self { is_candidate, ..self }
    }

    /// The record that it would be.
    pub(crate) fn record(&self, id: RecordId, now: Timestamp) -> Record {
        let input = &self.input;
        let said = input.claimed_at.unwrap_or(now);
        let mut record = Record::new(id, Kind::Fact, self.subtype, self.source, now);
        record.scope = self.scope.clone();
        record.key = topic_key(&self.claim, &self.text);
        record.text.clone_from(&self.text);
        record.tags = input.tags.iter().map(|tag| nfc(tag)).collect();
        record.author.clone_from(&input.actor);
        record.supports.insert(Support {
            source: self.source,
            at: said,
            confidence: input.confidence.unwrap_or(u32::MAX).min(self.source.confidence_cap()),
            reference: input.reference.trim().to_owned(),
            author: input.actor.clone(),
            quote: input.quote.trim().to_owned(),
        });
        record.claim = Some(Box::new(self.claim.clone()));
        record.valid_from = Some(input.valid_from.unwrap_or(said));
        record.valid_to = input.valid_to;
        let due = Timestamp(said.0.saturating_add(i64::from(self.revalidate_days) * Timestamp::DAY));
        record.revalidate_after =
            input.revalidate_after.or_else(|| (self.subtype == Subtype::External).then_some(due));
        record.derive(u32::MAX);
        record
    }

    /// When what it takes back ended.
    pub(crate) fn ends_at(&self, now: Timestamp) -> Timestamp {
        self.input.valid_to.or(self.input.claimed_at).unwrap_or(now)
    }

    /// What a reader of the fact should know about how it was said.
    pub(crate) fn flags(&self) -> Vec<&'static str> {
        let mut flags = Vec::new();
        let (text, quote) = (self.text.to_lowercase(), self.input.quote.to_lowercase());
        let is_wide = |text: &str| EVERYWHERE.iter().any(|words| text.contains(words));
        let adds = |word: &str| !quote.is_empty() && has_word(&text, word) && !has_word(&quote, word);
        let is_narrow = !self.scope.is_empty() || !quote.is_empty() && !is_wide(&quote);
        if is_wide(&text) && is_narrow || adds("always") || adds("never") || adds("all") {
            flags.push(OVER_GENERALISED);
        }
        if self.subtype == Subtype::External && !self.claim.dated && self.is_current {
            flags.push(UNDATED);
        }
        flags
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let Remember {
            text,
            subject,
            predicate,
            object,
            reference,
            rationale,
            freshness,
            quote,
            actor,
            reason,
            ..
        } = &self.input;
        let own = [text, subject, predicate, object, reference, rationale, freshness, quote, actor, reason];
        let scope = self.input.scope.iter().flat_map(Scope::iter).map(|(_, value)| value);
        own.into_iter().chain(&self.input.tags).map(String::as_str).chain(scope)
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|one| one == word)
}

/// Why a claim is not stored, as a reason code with what it is about.
pub(crate) fn refusal(ed: &Editor<'_>, claim: &Checked) -> Option<String> {
    for text in claim.texts() {
        if let Verdict::Secret { kind, .. } = gate::screen(text) {
            return Some(alloc::format!("secret: {kind}; store it where secrets are kept, and rotate it"));
        }
    }
    if claim.retracts {
        return None;
    }
    if let Some(code) = worth::unworthy(&claim.text).or_else(|| worth::unworthy(&claim.input.quote)) {
        return Some(code.into());
    }
    let is_here = speaks_of_here(&claim.text) || speaks_of_here(&claim.input.quote);
    if is_here && !is_local(&claim.scope) {
        return Some("scope_leak: it speaks of one repository or project; name it in the scope".into());
    }
    let limit = ed.cx.policy.facts.per_source as usize;
    (claim.source < SourceClass::Review && taught(ed, claim) >= limit)
        .then(|| alloc::format!("source_limit: this source has taught {limit} facts already"))
}

/// Whether a text speaks of one repository or project without naming it.
pub(super) fn speaks_of_here(text: &str) -> bool {
    let text = text.to_lowercase();
    HERE.iter().any(|words| text.contains(words))
}

/// Whether a scope fixes a repository or a project.
pub(super) fn is_local(scope: &Scope) -> bool {
    scope.iter().any(|(key, _)| matches!(key, ScopeKey::Repo | ScopeKey::Project))
}

/// How many facts the source of a claim has taught.
fn taught(ed: &Editor<'_>, claim: &Checked) -> usize {
    let names = [claim.input.reference.trim(), &claim.input.actor, claim.source.as_str()];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    let made = ed.made().iter().filter_map(|&id| ed.get(id));
    let made = made.filter(|one| one.supports.iter().any(|support| support.is_from(name))).count();
    ed.cx.view.by_source(name).len() + made
}

/// Why a claim waits for a person or a better source, as a reason code.
pub(crate) fn held_back(ed: &Editor<'_>, claim: &Checked) -> Option<&'static str> {
    if claim.is_candidate {
        return Some("candidate");
    }
    if claim.source >= SourceClass::Review {
        return None;
    }
    let suspect = claim.texts().find_map(gate::injection::suspect_words);
    suspect.or_else(|| (claim.source < ed.cx.policy.facts.least_source).then_some("unconfirmed"))
}

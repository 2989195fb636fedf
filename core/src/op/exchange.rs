//! `import_facts` and `export_facts`: facts of other memories in, facts for people out and their edits in again.
//!
//! Decides who stands for a file's claims. Each claim goes the way of any other; the dates are those of the file.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::extract::outcome_name;
use super::input::{ExportFacts, FactFormat, ImportFacts, Remember};
use super::output::{Gathered, Outcome, Output, Told};
use super::space::Space;
use crate::change::Scalar;
use crate::env::RecordId;
use crate::error::Error;
use crate::fact::{self, Checked, Edit, Harvest, Order, Taken, supersede};
use crate::gate;
use crate::record::{Kind, Record, Scope, SourceClass, Status, Subtype};

pub(crate) struct ExportFactsVerb(pub(crate) ExportFacts);

impl Decide for ExportFactsVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let scope = self.0.scope.clone().map(Scope::normalised);
        let is_out = |record: &&Record| {
            record.kind == Kind::Fact
                && record.status == Status::Active
                && scope.as_ref().is_none_or(|scope| record.scope.applies_to(scope))
        };
        let facts: Vec<&Record> = cx.view.records().filter(is_out).collect();
        let total = facts.len() as u32;
        Ok(Decision::answer(Output::FactsWritten { text: fact::written(&facts), total }))
    }
}

pub(crate) struct ImportFactsVerb {
    input: ImportFacts,
    format: FactFormat,
    harvest: Harvest,
}

impl ImportFactsVerb {
    pub(crate) fn new(mut input: ImportFacts, space: &Space) -> Result<Self, Error> {
        let (format, harvest) = fact::harvest(&input.documents, input.format)?;
        let limit = space.policy.limits.batch as usize;
        if harvest.taken.len() > limit {
            let message =
                alloc::format!("{} facts in one import; the limit is {limit}, split it", harvest.taken.len());
            return Err(Error::limit("batch", message));
        }
        if input.scope.is_none() && format != FactFormat::Markdown {
            if space.policy.scope.is_empty() {
                return Err(Error::invalid(
                    "claim",
                    "a fact needs `scope`: to whom it applies, `{}` for everywhere",
                ));
            }
            input.scope = Some(space.policy.scope.clone());
        }
        Ok(Self { input, format, harvest })
    }

    /// The class that stands for the claims of a file: what other memories hold was mostly inferred by a model.
    fn source(&self) -> SourceClass {
        self.input.source.unwrap_or(match self.format {
            FactFormat::Markdown => SourceClass::Review,
            FactFormat::Instructions | FactFormat::Notes => SourceClass::Repo,
            _ => SourceClass::Model,
        })
    }

    fn take(&self, ed: &mut Editor<'_>, taken: &Taken, answer: &mut Gathered) -> Result<(), Error> {
        let scope = taken
            .scope
            .iter()
            .fold(self.input.scope.clone().unwrap_or_default(), |scope, (key, value)| scope.with(key, value));
        let subtype = taken.subtype.or(self.input.subtype).unwrap_or(Subtype::Constraint);
        let is_bare = subtype == Subtype::Decision && taken.rationale.is_empty();
        let actor =
            if self.input.actor.is_empty() { self.format.name().into() } else { self.input.actor.clone() };
        let input = Remember {
            text: taken.text.clone(),
            subject: taken.subject.clone(),
            predicate: taken.predicate.clone(),
            object: taken.object.clone(),
            cardinality: taken.many.then_some(super::Cardinality::Many),
            subtype: Some(if is_bare { Subtype::Constraint } else { subtype }),
            scope: Some(scope),
            source: Some(self.source()),
            reference: if taken.place.is_empty() { self.format.name().into() } else { taken.place.clone() },
            rationale: taken.rationale.clone(),
            tags: taken.tags.iter().cloned().collect(),
            claimed_at: taken.said_at,
            valid_to: taken.valid_to.filter(|end| taken.said_at.is_none_or(|from| *end > from)),
            actor,
            ..Remember::default()
        };
        let claim = Checked::new(input, ed.cx.policy)?.candidate(taken.is_candidate);
        let fate = fact::remember(ed, &claim, Order::Filed)?;
        note(answer, &taken_text(taken), fate.outcome, fate.reason, fate.id);
        Ok(())
    }

    /// A line that a person has edited; `None` where nothing came of it.
    fn edit(
        &self,
        ed: &mut Editor<'_>,
        id: Option<RecordId>,
        edit: Edit,
        answer: &mut Gathered,
    ) -> Result<(), Error> {
        let held = id.and_then(|id| ed.get(id)).cloned();
        let is_stale = |version: u32| {
            held.as_ref().is_none_or(|record| record.version != version || record.status != Status::Active)
        };
        match edit {
            Edit::Kept => note(answer, "", Outcome::Unchanged, String::new(), id),
            Edit::Removed(version) | Edit::Changed(_, version) if is_stale(version) => {
                *answer.skipped.entry("changed_since".into()).or_default() += 1;
            }
            Edit::Removed(_) => {
                let Some(record) = held else { return Ok(()) };
                ed.set(record.id, Scalar::Status(Status::Archived, "reviewed".into()))?;
                note(answer, &record.text, Outcome::Changed, String::new(), id);
            }
            Edit::Changed(text, _) => {
                let Some(record) = held else { return Ok(()) };
                let fate = fact::remember(
                    ed,
                    &Checked::new(self.reworded(&record, &text), ed.cx.policy)?,
                    Order::Filed,
                )?;
                if let Some(new) = fate.id.filter(|new| {
                    *new != record.id && ed.get(*new).is_some_and(|one| one.status == Status::Active)
                }) {
                    supersede(ed, record.id, new, fact::EDITED)?;
                }
                note(answer, &text, fate.outcome, fate.reason, fate.id);
            }
            Edit::Added(text, scope, subtype) => {
                let subtype = subtype.filter(|one| *one != Subtype::Decision).unwrap_or(Subtype::Constraint);
                let input = Remember {
                    text: text.clone(),
                    scope: Some(scope),
                    subtype: Some(subtype),
                    ..self.by_hand(self.source())
                };
                let fate = fact::remember(ed, &Checked::new(input, ed.cx.policy)?, Order::Filed)?;
                note(answer, &text, fate.outcome, fate.reason, fate.id);
            }
        }
        Ok(())
    }

    fn by_hand(&self, source: SourceClass) -> Remember {
        Remember {
            source: Some(source),
            reference: "edited by hand".into(),
            actor: self.input.actor.clone(),
            ..Remember::default()
        }
    }

    /// A fact in the words of a person: as much to be trusted as it was, and at least as a review.
    fn reworded(&self, record: &Record, text: &str) -> Remember {
        let claim = record.claim.clone().unwrap_or_default();
        Remember {
            text: text.into(),
            scope: Some(record.scope.clone()),
            subtype: Some(record.subtype),
            rationale: claim.rationale,
            freshness: claim.freshness,
            revalidate_after: record.revalidate_after,
            tags: record.tags.iter().cloned().collect(),
            ..self.by_hand(record.source.max(self.source()))
        }
    }
}

fn taken_text(taken: &Taken) -> String {
    if taken.text.is_empty() {
        [taken.subject.as_str(), &taken.predicate, &taken.object].join(" ")
    } else {
        taken.text.clone()
    }
}

fn note(answer: &mut Gathered, text: &str, outcome: Outcome, reason: String, id: Option<RecordId>) {
    *answer.outcomes.entry(outcome_name(outcome)).or_default() += 1;
    if outcome != Outcome::Unchanged {
        let text = gate::redact(text).into_owned();
        answer.told.push(Told { message: answer.told.len() as u32, text, outcome, reason, id });
    }
}

impl Decide for ImportFactsVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut ed = Editor::new(*cx);
        let mut answer = Gathered {
            format: self.format.name().to_string(),
            skipped: self.harvest.skipped.clone(),
            ..Gathered::default()
        };
        for taken in &self.harvest.taken {
            self.take(&mut ed, taken, &mut answer)?;
        }
        if self.format == FactFormat::Markdown {
            let text_of = |id: RecordId| cx.view.get(id).map(|record| record.text.clone());
            for document in &self.input.documents {
                for (id, edit) in fact::edits(&document.text, text_of) {
                    self.edit(&mut ed, id, edit, &mut answer)?;
                }
            }
        }
        fact::hold_truths(&mut ed)?;
        answer.op = ed.op();
        let mut decision = ed.finish(Output::Gathered(answer));
        decision.actor.clone_from(&self.input.actor);
        decision.reason.clone_from(&self.input.reason);
        Ok(decision)
    }
}

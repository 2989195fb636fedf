//! `extract`: the claims in a conversation, each on the way of any other claim.
//!
//! Decides which messages are read, and by whom. A model is asked only where the caller says so; the answer tells what
//! nobody looked at.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::{Extract, Remember, Said};
use super::output::{Extracted, Outcome, Output, Told, Worded};
use super::space::Space;
use crate::error::Error;
use crate::fact::{self, Checked, Found, Order};
use crate::gate;
use crate::record::Scope;
use crate::step::{Completion, Request};

pub(crate) struct ExtractVerb(Extract);

impl ExtractVerb {
    pub(crate) fn new(mut input: Extract, space: &Space) -> Result<Self, Error> {
        let limit = space.policy.limits.batch as usize;
        if input.messages.len() > limit {
            let message =
                alloc::format!("{} messages at once; the limit is {limit}, split them", input.messages.len());
            return Err(Error::limit("batch", message));
        }
        if input.scope.is_none() && space.policy.scope.is_empty() {
            return Err(Error::invalid(
                "claim",
                "a fact needs `scope`: to whom it applies, `{}` for everywhere",
            ));
        }
        input.scope = Some(input.scope.unwrap_or_else(|| space.policy.scope.clone()));
        Ok(Self(input))
    }
}

impl Decide for ExtractVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut ed = Editor::new(*cx);
        let mut answer = Extracted { messages: self.0.messages.len() as u32, ..Extracted::default() };
        let asked = self.ask(cx)?;
        let mut worded =
            Worded { model: String::new(), asked: asked.len() as u32, worded: 0, unused: BTreeMap::new() };
        for (at, message) in self.0.messages.iter().enumerate() {
            let mut found = heard(message, &mut answer);
            if asked.contains(&at) {
                found.extend(read_by_model(cx, message, &mut worded));
            }
            for one in found {
                let told = self.tell(&mut ed, cx, at, message, one)?;
                *answer.outcomes.entry(outcome_name(told.outcome)).or_default() += 1;
                answer.told.push(told);
            }
        }
        if self.0.model && !asked.is_empty() {
            worded.model = gate::redact(&cx.known.model.name).into_owned();
            answer.model = Some(worded);
            answer.unread = 0;
        }
        fact::hold_truths(&mut ed)?;
        answer.op = ed.op();
        let mut decision = ed.finish(Output::Extracted(answer));
        decision.actor.clone_from(&self.0.actor);
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }
}

impl ExtractVerb {
    /// The messages that a model has been asked about; what is missing is asked in one round.
    fn ask(&self, cx: &Context<'_>) -> Result<BTreeSet<usize>, Stop> {
        if !self.0.model || cx.known.model.is_missing {
            return Ok(BTreeSet::new());
        }
        let limit = cx.policy.learn.model_calls as usize;
        let wanted: Vec<(usize, String)> = self
            .0
            .messages
            .iter()
            .enumerate()
            .filter(|(_, one)| !one.text.trim().is_empty())
            .take(limit)
            .map(|(at, one)| (at, fact::prompt(&one.text)))
            .collect();
        let mut missing: Vec<String> = Vec::new();
        for (_, prompt) in wanted.iter().filter(|(_, prompt)| cx.known.model.get(prompt).is_none()) {
            if !missing.contains(prompt) {
                missing.push(prompt.clone());
            }
        }
        if missing.is_empty() {
            return Ok(wanted.into_iter().map(|(at, _)| at).collect());
        }
        Err(Stop::Need(Request::Complete(fact::prompts(missing))))
    }

    fn tell(
        &self,
        ed: &mut Editor<'_>,
        cx: &Context<'_>,
        at: usize,
        message: &Said,
        found: Found,
    ) -> Result<Told, Stop> {
        let place = if message.id.is_empty() { (at + 1).to_string() } else { message.id.clone() };
        let reference =
            if self.0.session_id.is_empty() { place } else { [&self.0.session_id, "#", &place].concat() };
        let input = Remember {
            text: found.text.clone(),
            subject: found.subject,
            predicate: found.predicate,
            object: found.object,
            subtype: Some(found.subtype),
            scope: self.0.scope.clone().map(Scope::normalised),
            source: Some(found.source),
            reference,
            quote: found.quote.clone(),
            rationale: found.rationale,
            claimed_at: message.at,
            actor: self.0.actor.clone(),
            ..Remember::default()
        };
        let claim = Checked::new(input, cx.policy)?;
        let fate = fact::remember(ed, &claim, Order::Told)?;
        let text = fate.id.and_then(|id| ed.get(id)).map_or(found.quote, |record| record.text.clone());
        Ok(Told {
            message: at as u32,
            text: gate::redact(&text).into_owned(),
            outcome: fate.outcome,
            reason: fate.reason,
            id: fate.id,
        })
    }
}

/// What a person says in explicit words; every other sentence is counted.
fn heard(message: &Said, answer: &mut Extracted) -> Vec<Found> {
    let all = fact::sentences(&message.text);
    answer.sentences += all.len() as u32;
    let is_person = fact::is_person(&message.role);
    let found: Vec<Found> = all.iter().filter(|_| is_person).filter_map(|one| fact::spoken(one)).collect();
    answer.unread += (all.len() - found.len()) as u32;
    found
}

fn read_by_model(cx: &Context<'_>, message: &Said, worded: &mut Worded) -> Vec<Found> {
    let unused = |worded: &mut Worded, reason: &str| *worded.unused.entry(reason.into()).or_default() += 1;
    let Some(Completion::Text(text)) = cx.known.model.get(&fact::prompt(&message.text)) else {
        unused(worded, "call_failed");
        return Vec::new();
    };
    let read = fact::judged(text, &message.text);
    worded.worded += read.found.len() as u32;
    for reason in read.unused {
        unused(worded, reason);
    }
    read.found
}

/// The name of an outcome on the wire.
pub(super) fn outcome_name(outcome: Outcome) -> String {
    serde_json::to_value(outcome).ok().and_then(|value| value.as_str().map(String::from)).unwrap_or_default()
}

//! `react`: what the memory says to a message of other agents. What it shows is counted before it is judged.
//!
//! Decides the order: what a message corrects, what it tells, which feedback it brings up, which facts. One change set
//! holds all of it, under the seed of the message, so that a message that is read again counts once.

use alloc::vec::Vec;
use core::fmt::Write as _;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::React;
use super::output::Output;
use crate::change::Delta;
use crate::env::RecordId;
use crate::error::Error;
use crate::fact;
use crate::feedback::{
    self, Correcting, Judge, Parts, confirms, correct, does_it, fact_line, keep_core, line, tell_facts,
};
use crate::react::{About, Message, MessageKind, Objection, Opinion, Question, Verdict};
use crate::record::{Counter, Record, Scope};

/// What an `ack` says where nothing is known.
const NOTHING: &str = "No relevant memories. Proceed.";

impl From<Question> for React {
    fn from(asked: Question) -> Self {
        let Question { about, message, before, intent, memories, counted, seed: _ } = asked;
        Self { about, message, before, intent, memories, counted, ..Self::default() }
    }
}

pub(crate) struct ReactVerb(React);

impl ReactVerb {
    pub(crate) fn new(input: React) -> Result<Self, Error> {
        if input.message.from.is_empty() {
            return Err(Error::invalid("message", "react needs a message with a sender"));
        }
        Ok(Self(input))
    }

    fn scope(&self, cx: &Context<'_>) -> Scope {
        self.0.scope.clone().map_or_else(|| cx.policy.scope.clone(), Scope::normalised)
    }

    /// What there is to learn, to tell and to object.
    fn heard(&self, ed: &mut Editor<'_>, answer: &mut Opinion, scope: &Scope) -> Result<(), Stop> {
        let message = &self.0.message;
        let from = Correcting {
            message,
            before: self.0.before.as_ref(),
            intent: self.0.intent.as_ref(),
            counted: &self.0.counted,
            scope,
            confirmed: None,
        };
        correct(ed, &from, answer)?;
        tell_facts(ed, message, scope, answer)?;
        if message.kind == MessageKind::Intent {
            self.objects(ed, message, answer, scope)?;
        }
        Ok(())
    }

    fn objects(
        &self,
        ed: &mut Editor<'_>,
        message: &Message,
        answer: &mut Opinion,
        scope: &Scope,
    ) -> Result<(), Stop> {
        let cx = ed.cx;
        let parts = Parts::of(&message.text);
        let shown = feedback::feedback(&cx, &parts.situation, scope)?;
        for record in &shown {
            surface(ed, record, answer)?;
        }
        let judge = if self.0.model { Judge::Model } else { Judge::Words };
        if judge == Judge::Model {
            feedback::prompts(&cx, &shown, &parts.behavior)?;
        }
        let mut against: Vec<&Record> = Vec::new();
        for record in &shown {
            if does_it(&cx, record, &parts.behavior, judge)? {
                against.push(record);
            }
        }
        answer.objection = objection(&against);
        for record in feedback::facts(&cx, &message.text, scope) {
            // What this very message has said is no news to its sender.
            if !answer.made.contains(&record.id) {
                surface(ed, record, answer)?;
                answer.infos.push(fact_line(record));
            }
        }
        if answer.objection.is_none() {
            answer.ack = match (shown.len(), answer.infos.is_empty()) {
                (0, true) => NOTHING.into(),
                (0, false) => "Nothing speaks against it. Proceed.".into(),
                (count, _) => {
                    alloc::format!("{count} memories fit the situation, and none speaks against it. Proceed.")
                }
            };
        }
        Ok(())
    }

    /// A person says yes to what was asked, or answers it; anything else is a message like any other.
    fn confirmed(&self, ed: &mut Editor<'_>, answer: &mut Opinion, scope: &Scope) -> Result<(), Stop> {
        let message = &self.0.message;
        let instructs = crate::learn::instruction(&message.text).is_some();
        let Some(asked) = self.0.before.as_ref().filter(|_| confirms(&message.text) || instructs) else {
            let plain = Self(React { before: None, ..self.0.clone() });
            return plain.heard(ed, answer, scope);
        };
        let from = Correcting {
            message: asked,
            before: None,
            intent: self.0.intent.as_ref(),
            counted: &self.0.counted,
            scope,
            confirmed: Some(message),
        };
        correct(ed, &from, answer)
    }

    fn argued(&self, cx: &Context<'_>) -> Result<Verdict, Stop> {
        let held = self.0.memories.iter().filter_map(|&id| cx.view.get(id));
        let held: Vec<&Record> = held.collect();
        let text = &self.0.message.text;
        if self.0.about == About::Argued {
            return feedback::settled(cx, &held, text);
        }
        Ok(Verdict::Settled(feedback::decided(cx, &held, text)?))
    }
}

impl Decide for ReactVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut ed = Editor::new(*cx);
        let mut answer = Opinion::default();
        let scope = self.scope(cx);
        match self.0.about {
            About::Heard => self.heard(&mut ed, &mut answer, &scope)?,
            About::Confirmed => self.confirmed(&mut ed, &mut answer, &scope)?,
            About::Argued | About::Decided => answer.verdict = Some(self.argued(cx)?),
        }
        fact::hold_truths(&mut ed)?;
        answer.op = ed.op();
        let mut decision = ed.finish(Output::Reacted(answer));
        decision.actor.clone_from(if self.0.actor.is_empty() { &self.0.message.from } else { &self.0.actor });
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }
}

/// Counts a memory as shown, and what follows for its place.
fn surface(ed: &mut Editor<'_>, record: &Record, answer: &mut Opinion) -> Result<(), Error> {
    let id: RecordId = record.id;
    if answer.surfaced.contains(&id) {
        return Ok(());
    }
    ed.push(id, Delta::Count { counter: Counter::Surfaced, by: 1 })?;
    answer.surfaced.push(id);
    keep_core(ed, id)
}

fn objection(against: &[&Record]) -> Option<Objection> {
    let first = against.first()?;
    let mut text = alloc::format!("A memory speaks against it. {}", line(first));
    for other in against.iter().skip(1) {
        let _ = write!(text, "\nAlso: {}", line(other));
    }
    let rate = match (first.counters.followed, first.counters.not_followed) {
        (0, 0) => alloc::string::String::new(),
        (followed, not) => alloc::format!(" (followed {followed} of {} times)", followed + not),
    };
    text.push_str(&rate);
    Some(Objection { memories: against.iter().map(|record| record.id).collect(), text })
}

//! `remember`: a fact, screened, held against what is known, written and read back.

use alloc::string::{String, ToString};
use core::fmt::Write as _;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::Remember;
use super::output::{Output, Remembered};
use super::space::Space;
use crate::error::Error;
use crate::fact::{self, Checked, Order};
use crate::record::Record;

pub(crate) struct RememberVerb {
    claim: Checked,
    actor: String,
    reason: String,
}

impl RememberVerb {
    pub(crate) fn new(input: Remember, space: &Space) -> Result<Self, Error> {
        let (actor, reason) = (input.actor.clone(), input.reason.clone());
        Ok(Self { claim: Checked::new(input, &space.policy)?, actor, reason })
    }
}

impl Decide for RememberVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut ed = Editor::new(*cx);
        let fate = fact::remember(&mut ed, &self.claim, Order::Now)?;
        let read_back = fate.id.and_then(|id| ed.get(id)).map(read_back).unwrap_or_default();
        let flags = if fate.id.is_some() { self.claim.flags() } else { alloc::vec::Vec::new() };
        let op = ed.op();
        let mut decision = ed.finish(Output::Remembered(Remembered {
            outcome: fate.outcome,
            reason: fate.reason,
            id: fate.id,
            replaced: fate.replaced,
            rivals: fate.rivals,
            beside: fate.beside,
            read_back,
            flags: flags.into_iter().map(String::from).collect(),
            op,
        }));
        decision.actor.clone_from(&self.actor);
        decision.reason.clone_from(&self.reason);
        Ok(decision)
    }
}

/// A fact with all that a reader has to know beside its words.
pub(crate) fn read_back(record: &Record) -> String {
    let scope = record.scope.iter().map(|(key, value)| alloc::format!("{}={value}", key.as_str()));
    let scope = scope.collect::<alloc::vec::Vec<_>>().join(" ");
    let scope = if scope.is_empty() { "everywhere" } else { &scope };
    let mut out = alloc::format!("{} [{}; {scope}; {}", record.text, record.subtype, record.source);
    for reference in record.supports.iter().map(|one| &one.reference).filter(|text| !text.is_empty()).take(1)
    {
        let _ = write!(out, " {reference}");
    }
    let hundredths = record.confidence.min(1_000_000) / 10_000;
    let _ = write!(out, "; confidence {}.{:02}", hundredths / 100, hundredths % 100);
    let day = |at: crate::env::Timestamp| at.to_string().get(..10).map(String::from).unwrap_or_default();
    for (word, at) in [
        ("since", record.valid_from),
        ("until", record.valid_to),
        ("check again after", record.revalidate_after),
    ] {
        if let Some(at) = at {
            let _ = write!(out, "; {word} {}", day(at));
        }
    }
    out.push(']');
    out
}

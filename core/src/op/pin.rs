//! `pin` and `unpin`: a person holds a record in place. A pin is a human review and is logged as such.

use alloc::string::String;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::Get;
use super::output::{Outcome, Output, Written};
use super::read::existing;
use crate::change::Scalar;
use crate::error::Error;
use crate::record::{Pin, Status};

pub(crate) struct PinVerb {
    pub(crate) input: Get,
    pub(crate) pinned: bool,
}

impl Decide for PinVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let record = existing(cx, self.input.id)?;
        if self.pinned && record.status != Status::Active {
            let message =
                alloc::format!("record {} is {}; restore it before you pin it", record.id, record.status);
            return Err(Error::invalid("status", message).into());
        }
        let mut ed = Editor::new(*cx);
        let pin = if self.pinned { Pin::Pinned } else { Pin::None };
        let changed = ed.set(record.id, Scalar::Pin(pin))?;
        let outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
        let written = Written { outcome, reason: String::new(), id: Some(record.id), op: ed.op() };
        let mut decision = ed.finish(Output::Written(written));
        decision.actor.clone_from(&self.input.actor);
        decision.reason.clone_from(&self.input.reason);
        Ok(decision)
    }
}

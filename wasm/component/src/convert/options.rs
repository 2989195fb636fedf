//! Between the options of `wit/` and the engine's.
//!
//! Made by wasm/component/generate.py from the engine's source. Change that, and run it again.

use hardwon_core::error::Error;
use hardwon_core::op::{Current, Document, Said};
use hardwon_core::react::Message;

use crate::exports::hardwon::memory::options as wit;
use crate::plain::Lift;

impl Lift for Current {
    type From = wit::Current;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            subject: Lift::lift(from.subject)?,
            predicate: Lift::lift(from.predicate)?,
            object: Lift::lift(from.object)?,
            text: Lift::lift(from.text)?,
        })
    }
}

impl Lift for Document {
    type From = wit::Document;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self { name: Lift::lift(from.name)?, text: Lift::lift(from.text)? })
    }
}

impl Lift for Message {
    type From = wit::Message;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            from: Lift::lift(from.from)?,
            to: Lift::lift(from.to)?,
            thread: Lift::lift(from.thread)?,
            kind: Lift::lift(from.type_)?,
            ts: Lift::lift(from.ts)?,
            text: Lift::lift(from.text)?,
        })
    }
}

impl Lift for Said {
    type From = wit::Said;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            role: Lift::lift(from.role)?,
            text: Lift::lift(from.text)?,
            id: Lift::lift(from.id)?,
            at: Lift::lift(from.at)?,
        })
    }
}

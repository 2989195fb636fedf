//! The step protocol as texts, and a store's requests as reads and writes of rows.
//!
//! Decides nothing. Never reads what a text says: what the core says is what the host sees.

use std::cell::RefCell;

use hardwon_core::codec::{canonical, parse};
use hardwon_core::error::Error;
use hardwon_core::op;
use hardwon_core::store::{self, Act, Page, Task};

use crate::Component;
use crate::exports::hardwon::memory::stepping as api;
use crate::tables;

/// A stepper behind a handle.
pub struct Stepper(RefCell<op::Stepper>);

/// A task behind a handle.
pub struct Keeper(RefCell<store::Keeper>);

impl api::Guest for Component {
    type Stepper = Stepper;
    type Keeper = Keeper;
}

impl api::GuestStepper for Stepper {
    fn make(setup: String) -> Result<api::Stepper, String> {
        let linked = || Ok((tables::counter()?, tables::embedder()?));
        let (counter, embedder) = linked().map_err(|error| said(Err(error)))?;
        let (counters, embedders) = (counter.into_iter().collect(), embedder.into_iter().collect());
        let stepper = op::Stepper::with_counters(&setup, counters, embedders)?;
        Ok(api::Stepper::new(Self(RefCell::new(stepper))))
    }

    fn start(&self, number: u32, json: String) -> String {
        self.0.borrow_mut().start_as(number, &json)
    }

    fn resume(&self, number: u32, json: String) -> String {
        self.0.borrow_mut().resume_as(number, &json)
    }

    fn abandon(&self, number: u32) {
        self.0.borrow_mut().abandon(number);
    }

    fn revision(&self) -> u64 {
        self.0.borrow().revision()
    }
}

impl api::GuestKeeper for Keeper {
    fn make(task: String) -> Result<api::Keeper, String> {
        match parse::<Task>("the task", &task) {
            Ok(task) => Ok(api::Keeper::new(Self(RefCell::new(store::Keeper::new(task))))),
            Err(error) => Err(said(Err(error))),
        }
    }

    fn next(&self) -> String {
        said(self.0.borrow_mut().act())
    }

    fn read(&self, json: String) -> String {
        said(parse::<Page>("the rows", &json).and_then(|page| self.0.borrow_mut().read(page)))
    }

    fn written(&self, is_written: bool) -> String {
        said(self.0.borrow_mut().written(is_written))
    }
}

fn said(act: Result<Act, Error>) -> String {
    match act {
        Ok(act) => canonical(&act),
        Err(error) => op::error_json(&error),
    }
}

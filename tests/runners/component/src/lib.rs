//! The step protocol as a component: strings in, strings out.
//!
//! Decides nothing. Never reads or writes JSON: what the core says is what the host sees.

use std::cell::RefCell;
use std::sync::Arc;

use exports::steps::{Guest, GuestStepper, Stepper as Handle};
use hardwon_core::op;
use hardwon_model::tokens::O200kCounter;

wit_bindgen::generate!({ path: "wit", world: "vectors" });

struct Vectors;
struct Stepper(RefCell<op::Stepper>);

export!(Vectors);

impl Guest for Vectors {
    type Stepper = Stepper;
}

impl GuestStepper for Stepper {
    fn make(setup: String) -> Result<Handle, String> {
        let stepper = op::Stepper::with_counters(&setup, vec![Arc::new(O200kCounter)], Vec::new())?;
        Ok(Handle::new(Self(RefCell::new(stepper))))
    }

    fn start(&self, json: String) -> String {
        self.0.borrow_mut().start(&json)
    }

    fn resume(&self, json: String) -> String {
        self.0.borrow_mut().resume(&json)
    }
}

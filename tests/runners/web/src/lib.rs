//! The step protocol in JavaScript: strings in, strings out.
//!
//! Decides nothing. Never reads or writes JSON: what the core says is what JavaScript sees.

use std::sync::Arc;

use hardwon_core::text::TokenCounter;
use wasm_bindgen::prelude::wasm_bindgen;

/// One stepper; a setup that the core refuses throws the core's JSON.
#[wasm_bindgen]
pub struct Stepper(hardwon_core::op::Stepper);

#[wasm_bindgen]
impl Stepper {
    /// A stepper for this setup.
    #[wasm_bindgen(constructor)]
    pub fn new(setup: &str) -> Result<Stepper, String> {
        hardwon_core::op::Stepper::with_counters(setup, counters(), Vec::new()).map(Self)
    }

    /// Starts an operation.
    pub fn start(&mut self, json: &str) -> String {
        self.0.start(json)
    }

    /// Goes on with what the host answered.
    pub fn resume(&mut self, json: &str) -> String {
        self.0.resume(json)
    }
}

fn counters() -> Vec<Arc<dyn TokenCounter>> {
    vec![
        #[cfg(feature = "tokens")]
        Arc::new(hardwon_model::tokens::O200kCounter),
    ]
}

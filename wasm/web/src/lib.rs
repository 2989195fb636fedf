//! The engine in JavaScript: strings in, strings out, and the two tables handed over as bytes.
//!
//! Decides nothing. Never reads or writes JSON, keeps no data and calls nothing of the host: what the core says is what
//! JavaScript sees, and what it asks for is answered there.

use std::sync::{Arc, OnceLock};

use hardwon_core::gate;
use hardwon_core::op::Stepper;
use hardwon_core::step::Prompts;
use hardwon_core::text::TokenCounter;
use hardwon_core::vector::Embedder;
use hardwon_model::embed::{Table, TableEmbedder};
use hardwon_model::tokens::{Pairs, TableCounter};
use wasm_bindgen::prelude::wasm_bindgen;

/// The tables serve every engine of this instance for as long as it lives.
static TOKENS: OnceLock<TableCounter<'static>> = OnceLock::new();
static EMBEDDER: OnceLock<TableEmbedder<'static>> = OnceLock::new();

/// Takes the o200k token table; a second one is left aside. Throws what is wrong with bytes that are none.
#[wasm_bindgen(js_name = takeTokens)]
pub fn take_tokens(bytes: Box<[u8]>) -> Result<(), String> {
    if TOKENS.get().is_none() {
        let pairs = Pairs::open(Box::leak(bytes)).map_err(|cause| cause.to_string())?;
        let _ = TOKENS.set(TableCounter::new(pairs));
    }
    Ok(())
}

/// Takes the embedding table; a second one is left aside. Throws what is wrong with bytes that are none.
#[wasm_bindgen(js_name = takeEmbedder)]
pub fn take_embedder(bytes: Box<[u8]>) -> Result<(), String> {
    if EMBEDDER.get().is_none() {
        let table = Table::open(Box::leak(bytes)).map_err(|cause| cause.to_string())?;
        let _ = EMBEDDER.set(TableEmbedder::standard(table));
    }
    Ok(())
}

/// The name of the token counter, once its table is there.
#[wasm_bindgen(js_name = tokensName)]
pub fn tokens_name() -> Option<String> {
    TOKENS.get().map(|counter| counter.name().into())
}

/// The id of the built-in embedder, once its table is there.
#[wasm_bindgen(js_name = embedderId)]
pub fn embedder_id() -> Option<String> {
    EMBEDDER.get().map(|embedder| embedder.info().id)
}

/// Under what the answer of a model to a prompt is kept.
#[wasm_bindgen(js_name = answerKey)]
pub fn answer_key(model: &str, instructions: String, max_tokens: u32, prompt: &str) -> String {
    Prompts { instructions, max_tokens, prompts: Vec::new() }.key(model, prompt)
}

/// A text without the secrets that the gate knows.
#[wasm_bindgen]
pub fn redact(text: &str) -> String {
    gate::redact(text).into_owned()
}

/// One space, with any number of operations under way, each by its number.
#[wasm_bindgen]
pub struct Engine(Stepper);

#[wasm_bindgen]
impl Engine {
    /// An engine for this setup; a setup that the core refuses throws the core's JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(setup: &str) -> Result<Engine, String> {
        Stepper::with_counters(setup, counters(), embedders()).map(Self)
    }

    /// Starts an operation.
    pub fn start(&mut self, number: u32, json: &str) -> String {
        self.0.start_as(number, json)
    }

    /// Goes on with what the host answered.
    pub fn resume(&mut self, number: u32, json: &str) -> String {
        self.0.resume_as(number, json)
    }

    /// Goes on with a reset that stands on an image of `all` records; `undefined` where the image is none of ours, and
    /// the operation waits for a reset that holds everything.
    #[wasm_bindgen(js_name = resumeOnImage)]
    pub fn resume_on_image(&mut self, number: u32, json: &str, image: Vec<u8>, all: f64) -> Option<String> {
        self.0.resume_on_image(number, json, image, all as u64)
    }

    /// An image of the view at its revision, once it is worth saving.
    #[wasm_bindgen(js_name = dueImage)]
    pub fn due_image(&mut self) -> Option<Vec<u8>> {
        self.0.due_image()
    }

    /// The id of the embedder whose vectors an image holds; empty for none.
    pub fn embedder(&self) -> String {
        self.0.embedder()
    }

    /// The ids of the records that are wanted at the view's revision, as JSON.
    pub fn wanted(&self) -> String {
        self.0.wanted()
    }

    /// Drops an operation.
    pub fn abandon(&mut self, number: u32) {
        self.0.abandon(number);
    }

    /// The revision from which the next load is to be answered.
    pub fn revision(&self) -> f64 {
        self.0.revision() as f64
    }
}

fn counters() -> Vec<Arc<dyn TokenCounter>> {
    TOKENS.get().map(|counter| Arc::new(*counter) as Arc<dyn TokenCounter>).into_iter().collect()
}

fn embedders() -> Vec<Arc<dyn Embedder>> {
    EMBEDDER.get().map(|embedder| Arc::new(*embedder) as Arc<dyn Embedder>).into_iter().collect()
}

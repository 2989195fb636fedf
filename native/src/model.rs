//! Models on a native host: what answers the core's prompts, and the answers that are kept.
//!
//! Decides which prompts cost a call. Never decides what becomes of an answer; that is the core's.

#[cfg(feature = "model-http")]
mod http;

use core::fmt;

use hardwon_core::error::Error;
use hardwon_core::gate;
use hardwon_core::step::{Completed, Completion, Prompts};

#[cfg(feature = "model-http")]
pub use http::{HttpModel, HttpOptions};

use crate::store::Store;

/// Something that answers prompts with text.
pub trait Model: fmt::Debug + Send {
    /// Its name, which is recorded with what it wrote. Answers are kept by it: another model is asked anew.
    fn name(&self) -> &str;

    /// An answer to each prompt, in their order. A call that fails is one failed answer.
    fn complete(&mut self, prompts: &Prompts) -> Vec<Completion>;
}

/// A batch of prompts between the answers that a store has kept and those that a model is still to give.
#[derive(Debug)]
pub struct Batch {
    name: String,
    prompts: Prompts,
    keys: Vec<String>,
    answers: Vec<Option<Completion>>,
}

impl Batch {
    /// A batch that nothing has answered yet, for the model of this name.
    pub fn new(name: &str, prompts: Prompts) -> Self {
        let keys: Vec<String> = prompts.prompts.iter().map(|prompt| prompts.key(name, prompt)).collect();
        Self { name: name.into(), answers: vec![None; keys.len()], keys, prompts }
    }

    /// What each answer is kept under, in the order of the prompts.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Takes what has been kept under each key.
    pub fn take_kept(&mut self, kept: Vec<Option<String>>) {
        self.answers = kept.into_iter().map(|text| text.map(Completion::Text)).collect();
        self.answers.resize(self.keys.len(), None);
    }

    /// What the model has to be asked; `None` where everything has been kept.
    pub fn open(&self) -> Option<Prompts> {
        let pairs = self.prompts.prompts.iter().zip(&self.answers);
        let prompts: Vec<String> =
            pairs.filter(|(_, kept)| kept.is_none()).map(|(one, _)| one.clone()).collect();
        (!prompts.is_empty()).then(|| Prompts { prompts, ..self.frame() })
    }

    /// Puts what the model said in its places; answers what is to be kept. A failed call is tried again another time.
    pub fn take_said(&mut self, said: Vec<Completion>) -> Vec<(String, String)> {
        let mut said = said.into_iter();
        let mut kept = Vec::new();
        for (answer, key) in self.answers.iter_mut().zip(&self.keys).filter(|(answer, _)| answer.is_none()) {
            // What is kept holds no secret, and the answer of today is the one that is found tomorrow.
            let one = match said.next() {
                Some(Completion::Text(text)) => Completion::Text(gate::redact(&text).into_owned()),
                Some(failed @ Completion::Failed(_)) => failed,
                None => Completion::Failed("the model gave no answer to this prompt".into()),
            };
            if let Completion::Text(text) = &one {
                kept.push((key.clone(), text.clone()));
            }
            *answer = Some(one);
        }
        kept
    }

    /// The answer to the whole batch.
    pub fn into_completed(self) -> Completed {
        Completed { model: self.name, answers: self.answers.into_iter().flatten().collect() }
    }

    fn frame(&self) -> Prompts {
        let Prompts { instructions, max_tokens, .. } = &self.prompts;
        Prompts { instructions: instructions.clone(), max_tokens: *max_tokens, prompts: Vec::new() }
    }
}

/// Answers a batch: from what the store has kept, and for the rest by the model.
pub(crate) fn answer<S: Store>(
    model: &mut dyn Model,
    store: &mut S,
    space: &str,
    prompts: Prompts,
) -> Result<Completed, Error> {
    let mut batch = Batch::new(model.name(), prompts);
    let kept = batch.keys().iter().map(|key| store.answer_get(space, key)).collect::<Result<_, _>>()?;
    batch.take_kept(kept);
    if let Some(prompts) = batch.open() {
        // Nobody else waits for the store while a model thinks.
        store.release()?;
        let said = model.complete(&prompts);
        store.answer_put(space, &batch.take_said(said))?;
    }
    Ok(batch.into_completed())
}

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

/// Answers a batch: from what the store has kept, and for the rest by the model.
pub(crate) fn answer<S: Store>(
    model: &mut dyn Model,
    store: &mut S,
    space: &str,
    prompts: Prompts,
) -> Result<Completed, Error> {
    let name = model.name().to_owned();
    let keys: Vec<String> = prompts.prompts.iter().map(|prompt| prompts.key(&name, prompt)).collect();
    let mut answers = Vec::with_capacity(keys.len());
    for key in &keys {
        answers.push(store.answer_get(space, key)?.map(Completion::Text));
    }
    let Prompts { instructions, max_tokens, prompts } = prompts;
    let asked: Vec<String> =
        prompts.into_iter().zip(&answers).filter(|(_, kept)| kept.is_none()).map(|(one, _)| one).collect();
    if !asked.is_empty() {
        // Nobody else waits for the store while a model thinks.
        store.release()?;
        let count = asked.len();
        let mut said = model.complete(&Prompts { instructions, max_tokens, prompts: asked });
        said.resize(count, Completion::Failed("the model gave no answer to this prompt".into()));
        store.answer_put(space, &fill(&mut answers, &keys, said))?;
    }
    Ok(Completed { model: name, answers: answers.into_iter().flatten().collect() })
}

/// Puts what was said in its places; answers what is to be kept. A failed call is tried again another time.
fn fill(answers: &mut [Option<Completion>], keys: &[String], said: Vec<Completion>) -> Vec<(String, String)> {
    let mut kept = Vec::new();
    let open = answers.iter_mut().zip(keys).filter(|(answer, _)| answer.is_none());
    for ((answer, key), one) in open.zip(said) {
        // What is kept holds no secret, and the answer of today is the one that is found tomorrow.
        let one = match one {
            Completion::Text(text) => Completion::Text(gate::redact(&text).into_owned()),
            failed @ Completion::Failed(_) => failed,
        };
        if let Completion::Text(text) = &one {
            kept.push((key.clone(), text.clone()));
        }
        *answer = Some(one);
    }
    kept
}

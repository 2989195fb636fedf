//! The host's vectors and words.
//!
//! Decides what an `unsupported` means for each. Never believes an answer that the core does not check.

use hardwon_core::error::Error;
use hardwon_core::gate;
use hardwon_core::step::{Completion, Prompts, Reply};
use hardwon_core::vector::EmbedderInfo;

use crate::error::host;
use crate::hardwon::memory::host_embed;
use crate::hardwon::memory::host_model;
use crate::hardwon::memory::host_types::Failure;

/// The host's embedder, where it has one.
pub fn embedder() -> Result<Option<EmbedderInfo>, Error> {
    match host_embed::describe() {
        Ok(host_embed::Embedder { id, dims, merge, candidate }) => {
            Ok(Some(EmbedderInfo { id, dims, merge, candidate }))
        }
        Err(Failure::Unsupported) => Ok(None),
        Err(failure) => Err(host("embedder", failure)),
    }
}

/// The host's vectors of texts.
pub fn embed(texts: &[String]) -> Result<Reply, Error> {
    host_embed::embed(texts).map(Reply::Embedded).map_err(|failure| host("embedder", failure))
}

/// The name of the host's model, where it has one.
pub fn model() -> Result<Option<String>, Error> {
    match host_model::name() {
        Ok(name) => Ok(Some(name)),
        Err(Failure::Unsupported) => Ok(None),
        Err(failure) => Err(host("model", failure)),
    }
}

/// The answers of the host's model, each without the secrets that the gate knows: what is kept of it holds none.
pub fn complete(prompts: &Prompts) -> Vec<Completion> {
    let asked = host_model::Prompts {
        instructions: prompts.instructions.clone(),
        max_tokens: prompts.max_tokens,
        prompts: prompts.prompts.clone(),
    };
    let said = match host_model::complete(&asked) {
        Ok(said) => said,
        // Nothing depends on a model: where it fails, each of its calls has.
        Err(failure) => {
            let why = host("model", failure).to_string();
            return prompts.prompts.iter().map(|_| Completion::Failed(why.clone())).collect();
        }
    };
    let answers = said.into_iter().map(|one| match one {
        host_model::Completion::Text(text) => Completion::Text(gate::redact(&text).into_owned()),
        host_model::Completion::Failed(why) => Completion::Failed(why),
    });
    answers.collect()
}

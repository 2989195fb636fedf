//! What a decision reads, and how it says that something is missing.
//!
//! A decision is a pure function. Where it lacks something that only the host has, it stops and names the request; the
//! machine fetches the answer and decides again, so that the decision itself reads top to bottom.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::output::Output;
use super::space::{EmbedderPort, Ports};
use crate::change::{Change, RunMark, Tombstone};
use crate::env::{Env, OpId};
use crate::error::Error;
use crate::policy::Policy;
use crate::step::{Completed, Completion, LogEntry, LogQuery, Request, Reranking};
use crate::vector::{Quantized, embed_one};
use crate::view::View;

/// A verb, ready to be decided as often as it takes.
pub(crate) trait Decide: Send {
    /// The change set and answer of this verb at this view, or what is missing for them.
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop>;

    /// Whether it reads the view: what does not is decided without a look at the store.
    fn reads(&self) -> bool {
        true
    }

    /// Whether the indexes are made anew of the records once it is done.
    fn renews(&self) -> bool {
        false
    }

    /// A request to make once the commit is durable.
    fn afterwards(&self, _cx: &Context<'_>) -> Option<Request> {
        None
    }
}

/// What is decided.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) changes: Vec<Change>,
    pub(crate) runs: Vec<RunMark>,
    pub(crate) tombstones: Vec<Tombstone>,
    pub(crate) undoes: Vec<OpId>,
    pub(crate) actor: String,
    pub(crate) reason: String,
    pub(crate) output: Output,
}

impl Decision {
    /// A decision that changes nothing.
    pub(crate) fn answer(output: Output) -> Self {
        Self {
            changes: Vec::new(),
            runs: Vec::new(),
            tombstones: Vec::new(),
            undoes: Vec::new(),
            actor: String::new(),
            reason: String::new(),
            output,
        }
    }

    pub(crate) fn changes_nothing(&self) -> bool {
        self.changes.is_empty() && self.runs.is_empty() && self.tombstones.is_empty()
    }
}

/// Why a decision stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It needs an answer of the host first.
    Need(Request),
    /// It cannot be made.
    Fail(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

/// Answers of the host so far. They stay good when the decision is made again after a conflict, except the log.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) vectors: HashMap<String, Quantized>,
    pub(crate) log: Vec<(LogQuery, Vec<LogEntry>)>,
    pub(crate) traces: Option<Vec<(String, Vec<String>)>>,
    pub(crate) appended: bool,
    pub(crate) model: ModelAnswers,
    pub(crate) reranked: Vec<(Reranking, Vec<i64>)>,
}

/// What the host's model has answered so far.
#[derive(Debug, Default)]
pub(crate) struct ModelAnswers {
    /// The model's name, as the host gave it last.
    pub(crate) name: String,
    /// Whether the host said that it has none.
    pub(crate) is_missing: bool,
    by_prompt: HashMap<String, Completion>,
}

impl ModelAnswers {
    /// The answer to a prompt, once it was asked.
    pub(crate) fn get(&self, prompt: &str) -> Option<&Completion> {
        self.by_prompt.get(prompt)
    }

    /// Takes in the answers to a batch.
    pub(crate) fn take(&mut self, prompts: Vec<String>, answer: Completed) -> Result<(), Error> {
        if prompts.len() != answer.answers.len() || answer.model.is_empty() {
            let message = alloc::format!(
                "{} prompts got {} answers by {:?}; answer each, and name the model",
                prompts.len(),
                answer.answers.len(),
                answer.model
            );
            return Err(Error::host("model", message));
        }
        self.name = answer.model;
        self.by_prompt.extend(prompts.into_iter().zip(answer.answers));
        Ok(())
    }

    /// Notes that every call of a batch failed.
    pub(crate) fn fail(&mut self, prompts: Vec<String>, message: &str) {
        let failed = || Completion::Failed(message.to_string());
        self.by_prompt.extend(prompts.into_iter().map(|prompt| (prompt, failed())));
    }
}

/// What a decision reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) env: Env,
    pub(crate) view: &'a View,
    pub(crate) policy: &'a Policy,
    pub(crate) ports: &'a Ports,
    pub(crate) known: &'a Known,
}

impl Context<'_> {
    /// The vectors of texts by the primary embedder; `None` each where there is no embedder.
    pub(crate) fn vectors(&self, texts: &[&str]) -> Result<Vec<Option<Quantized>>, Stop> {
        match &self.ports.embedder {
            EmbedderPort::None => Ok(texts.iter().map(|_| None).collect()),
            EmbedderPort::BuiltIn(embedder) => Ok(texts
                .iter()
                .map(|text| Some(Quantized::of(&embed_one(embedder.as_ref(), text))))
                .collect()),
            EmbedderPort::Host(_) => self.host_vectors(texts),
        }
    }

    /// Asks a host's embedder for many texts in one round; a built-in one is called when it is needed.
    pub(crate) fn vectors_of_host(&self, texts: &[&str]) -> Result<(), Stop> {
        match &self.ports.embedder {
            EmbedderPort::Host(_) => self.host_vectors(texts).map(drop),
            _ => Ok(()),
        }
    }

    /// How well each of these texts fits a query, by the host's reranker; `None` where there is none to ask.
    pub(crate) fn reranked(&self, query: &str, texts: Vec<String>) -> Result<Option<&[i64]>, Stop> {
        if !self.ports.has_reranker || query.is_empty() || texts.len() < 2 {
            return Ok(None);
        }
        let asked = Reranking { query: query.into(), texts };
        match self.known.reranked.iter().find(|(one, _)| *one == asked) {
            Some((_, scores)) => Ok(Some(scores)),
            None => Err(Stop::Need(Request::Rerank(asked))),
        }
    }

    /// The log entries that answer a query.
    pub(crate) fn log(&self, query: LogQuery) -> Result<&[LogEntry], Stop> {
        match self.known.log.iter().find(|(asked, _)| *asked == query) {
            Some((_, entries)) => Ok(entries),
            None => Err(Stop::Need(Request::Log(query))),
        }
    }

    /// The number of tokens of a text, and whether it is more than `cap`.
    pub(crate) fn over(&self, text: &str, cap: u32) -> bool {
        self.ports.counter.exceeds(text, cap as usize)
    }

    fn host_vectors(&self, texts: &[&str]) -> Result<Vec<Option<Quantized>>, Stop> {
        let mut missing: Vec<String> = Vec::new();
        for text in texts {
            if !self.known.vectors.contains_key(*text) && !missing.iter().any(|other| other == text) {
                missing.push((*text).to_string());
            }
        }
        if missing.is_empty() {
            return Ok(texts.iter().map(|text| self.known.vectors.get(*text).cloned()).collect());
        }
        Err(Stop::Need(Request::Embed { texts: missing }))
    }
}

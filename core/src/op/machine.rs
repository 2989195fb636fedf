//! The one machine of every verb: load, decide, commit.
//!
//! Decides the order of requests and what a conflict or a lost answer means. Never decides what a verb does.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;

use super::context::{Context, Decide, Decision, Known, Stop};
use super::input::Input;
use super::output::Output;
use super::space::Space;
use super::verb;
use crate::change::{Change, ChangeSet, Delta};
use crate::env::{Env, Revision};
use crate::error::Error;
use crate::gate;
use crate::step::{Commit, Loaded, LogQuery, Reply, Request};
use crate::vector::Quantized;

/// What a reranker may say.
const SCORES: core::ops::RangeInclusive<i64> = 0..=1_000_000;

/// Where an operation stands: it needs something, or is done.
#[derive(Debug)]
#[must_use]
pub enum Step {
    /// Answer the request and resume.
    Need(Box<Operation>, Request),
    /// The answer of the verb.
    Done(Output),
}

/// A verb under way. Resuming consumes it: a half-done operation cannot be re-entered.
pub struct Operation {
    env: Env,
    name: &'static str,
    verb: Box<dyn Decide>,
    known: Known,
    /// The answer of a commit that may have become durable though its acknowledgement was lost.
    answer: Option<Output>,
    state: State,
}

enum State {
    Loading,
    Asking(Request),
    Committing(Box<Commit>),
    /// Whether an earlier try got through is asked of the log.
    Verifying,
    /// Committed by an earlier try: the view has yet to see it.
    Syncing,
    After,
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation").field("verb", &self.name).field("env", &self.env).finish_non_exhaustive()
    }
}

/// Begins a verb.
pub fn start(space: &Space, env: Env, input: Input) -> Result<Step, Error> {
    let name = input.verb();
    let verb = verb::prepare(space, input)?;
    let operation =
        Operation { env, name, verb, known: Known::default(), answer: None, state: State::Loading };
    if operation.verb.reads() { Ok(operation.load(space)) } else { Box::new(operation).decide(space) }
}

impl Operation {
    /// Goes on with the host's answer.
    pub fn resume(self: Box<Self>, space: &mut Space, reply: Reply) -> Result<Step, Error> {
        let renews = self.verb.renews();
        let step = self.advance(space, reply)?;
        if renews && matches!(step, Step::Done(_)) {
            space.view.renew();
        }
        Ok(step)
    }

    fn advance(mut self: Box<Self>, space: &mut Space, reply: Reply) -> Result<Step, Error> {
        // Nothing depends on a model: where it fails, the operation goes on without.
        let asks_model = matches!(self.state, State::Asking(Request::Complete(_)));
        if let Reply::Failed { port, message } = &reply
            && !(asks_model && port == "model")
        {
            return Err(Error::host(port.as_str(), message.as_str()));
        }
        match (core::mem::replace(&mut self.state, State::Loading), reply) {
            // The space may have moved on while sealed records were asked for.
            (State::Loading | State::Asking(Request::Records { .. }), Reply::Loaded(loaded)) => {
                self.loaded(space, loaded)
            }
            (state @ State::Syncing, Reply::Loaded(loaded)) => {
                if space.view.must_reset(&loaded) {
                    self.state = state;
                    return Ok(Step::Need(self, Request::Load { since: Revision::default() }));
                }
                space.view.advance(loaded)?;
                self.after(space)
            }
            (State::Asking(Request::Records { .. }), Reply::Records(records)) => {
                space.view.fill(records)?;
                self.decide(space)
            }
            (State::Verifying, Reply::Logged(entries)) => {
                let own = self.env.op_id();
                let is_done = entries.iter().any(|entry| entry.set.op_id == own);
                if is_done { self.after(space) } else { self.decide(space) }
            }
            (State::Asking(request), reply) => {
                self.learn_answer(request, reply, space)?;
                self.decide(space)
            }
            (State::Committing(commit), Reply::Committed(rev)) => self.committed(space, *commit, rev),
            (State::Committing(_), Reply::Conflict) => {
                self.known.log.clear();
                Ok((*self).load(space))
            }
            (State::After, Reply::Done) => self.finish(),
            (state, reply) => Err(unexpected(&state, &reply)),
        }
    }

    fn load(mut self, space: &Space) -> Step {
        self.state = State::Loading;
        Step::Need(Box::new(self), Request::Load { since: space.view.revision() })
    }

    /// Where an earlier try of the commit got through, its answer is the answer, whatever others have done since.
    fn loaded(mut self: Box<Self>, space: &mut Space, loaded: Loaded) -> Result<Step, Error> {
        if space.view.must_reset(&loaded) {
            return Ok(Step::Need(self, Request::Load { since: Revision::default() }));
        }
        let own = self.env.op_id();
        let is_done = match &loaded {
            Loaded::Changes { list, .. } => Some(list.iter().any(|set| set.op_id == own)),
            // Nobody has committed anything since.
            Loaded::Reset(snapshot) if snapshot.rev == space.view.revision() => Some(false),
            // Everything anew tells what holds and not which operations led to it.
            Loaded::Reset(_) => None,
        };
        space.view.advance(loaded)?;
        match is_done {
            Some(true) if self.answer.is_some() => self.after(space),
            None if self.answer.is_some() => {
                self.state = State::Verifying;
                Ok(Step::Need(self, Request::Log(LogQuery { op: Some(own), ..LogQuery::default() })))
            }
            _ => self.decide(space),
        }
    }

    fn decide(mut self: Box<Self>, space: &Space) -> Result<Step, Error> {
        let cx = context(self.env, space, &self.known);
        let decided = self.verb.decide(&cx).and_then(|decision| self.change_set(&cx, decision));
        if space.view.lacks() {
            // Whatever was decided, it was without records that count.
            let request = Request::Records { rev: space.view.revision(), ids: space.view.wanted() };
            self.state = State::Asking(request.clone());
            return Ok(Step::Need(self, request));
        }
        match decided {
            Err(Stop::Fail(error)) => Err(error),
            Err(Stop::Need(request)) => {
                self.state = State::Asking(request.clone());
                Ok(Step::Need(self, request))
            }
            Ok((output, None)) => {
                self.answer = Some(output);
                self.after(space)
            }
            Ok((output, Some(commit))) => {
                self.answer = Some(output);
                self.state = State::Committing(Box::new(commit.clone()));
                Ok(Step::Need(self, Request::Commit(commit)))
            }
        }
    }

    /// The commit of a decision, with the vectors of every text it changes.
    fn change_set(&self, cx: &Context<'_>, decision: Decision) -> Result<(Output, Option<Commit>), Stop> {
        if decision.changes_nothing() {
            return Ok((decision.output, None));
        }
        let mut set = ChangeSet {
            base: cx.view.revision(),
            op_id: self.env.op_id(),
            verb: self.name.to_string(),
            at: self.env.now,
            actor: gate::redact(&decision.actor).into_owned(),
            reason: gate::redact(&decision.reason).into_owned(),
            undoes: decision.undoes,
            promote_at: cx.policy.learn.promote_at,
            changes: decision.changes,
            runs: decision.runs,
            tombstones: decision.tombstones,
        };
        let rows = cx.view.rows(&set)?;
        let changed = rows.iter().filter_map(|row| row.record.as_ref()).filter(|record| {
            cx.view.get(record.id).is_none_or(|before| before.text != record.text)
                && !set
                    .changes
                    .iter()
                    .any(|one| one.record == record.id && matches!(one.delta, Delta::Vector { .. }))
        });
        let (ids, texts): (alloc::vec::Vec<_>, alloc::vec::Vec<_>) =
            changed.map(|record| (record.id, record.text.as_str())).unzip();
        let vectors = cx.vectors(&texts)?;
        if let Some(info) = cx.ports.embedder.info() {
            for (record, vector) in ids.into_iter().zip(vectors) {
                if let Some(vector) = vector {
                    let delta = Delta::Vector { embedder: info.id.clone(), vector };
                    set.changes.push(Change { record, delta });
                }
            }
        }
        Ok((decision.output, Some(Commit { set, rows })))
    }

    fn committed(
        mut self: Box<Self>,
        space: &mut Space,
        commit: Commit,
        rev: Revision,
    ) -> Result<Step, Error> {
        let base = commit.set.base;
        // Another revision means that an earlier try got through: the log has it, and perhaps others' changes too. What
        // an erasure has reached, the store alone knows: whoever erased starts anew as every other reader does.
        let erased = !commit.set.tombstones.is_empty();
        if !erased && space.view.revision() == base && rev.0 == base.0 + 1 {
            space.view.install(commit);
            return self.after(space);
        }
        self.state = State::Syncing;
        Ok(Step::Need(self, Request::Load { since: space.view.revision() }))
    }

    fn after(mut self: Box<Self>, space: &Space) -> Result<Step, Error> {
        match self.verb.afterwards(&context(self.env, space, &self.known)) {
            Some(request) => {
                self.state = State::After;
                Ok(Step::Need(self, request))
            }
            None => self.finish(),
        }
    }

    fn finish(self: Box<Self>) -> Result<Step, Error> {
        self.answer.map(Step::Done).ok_or_else(|| Error::protocol("the operation ended without an answer"))
    }

    fn learn_answer(&mut self, request: Request, reply: Reply, space: &Space) -> Result<(), Error> {
        match (request, reply) {
            (Request::Embed { texts }, Reply::Embedded(vectors)) => {
                let dims = space.ports.embedder.info().map_or(0, |info| info.dims as usize);
                if texts.len() != vectors.len() || vectors.iter().any(|vector| vector.len() != dims) {
                    return Err(Error::host("embedder", shape_problem(texts.len(), dims, &vectors)));
                }
                self.known.vectors.extend(texts.into_iter().zip(vectors.iter().map(|v| Quantized::of(v))));
            }
            (Request::Rerank(asked), Reply::Reranked(scores)) => {
                if scores.len() != asked.texts.len() || scores.iter().any(|score| !SCORES.contains(score)) {
                    return Err(Error::host("reranker", score_problem(asked.texts.len(), &scores)));
                }
                self.known.reranked.push((asked, scores));
            }
            (Request::Log(query), Reply::Logged(entries)) => self.known.log.push((query, entries)),
            (Request::TraceLoad { .. }, Reply::Traces(traces)) => self.known.traces = Some(traces),
            (Request::TraceAppend { .. }, Reply::Done) => self.known.appended = true,
            (Request::Complete(asked), Reply::Completed(answer)) => {
                self.known.model.take(asked.prompts, answer)?;
            }
            (Request::Complete(_), Reply::Unsupported) => self.known.model.is_missing = true,
            (Request::Complete(asked), Reply::Failed { message, .. }) => {
                self.known.model.fail(asked.prompts, &message);
            }
            (request, reply) => return Err(unexpected(&State::Asking(request), &reply)),
        }
        Ok(())
    }
}

fn context<'a>(env: Env, space: &'a Space, known: &'a Known) -> Context<'a> {
    Context { env, view: &space.view, policy: &space.policy, ports: &space.ports, known }
}

fn shape_problem(texts: usize, dims: usize, vectors: &[alloc::vec::Vec<f32>]) -> String {
    let got = vectors.iter().map(alloc::vec::Vec::len).find(|&len| len != dims).unwrap_or(dims);
    alloc::format!(
        "asked for {texts} vectors of {dims} components, got {} with one of {got}; check the embedder's `dims`",
        vectors.len()
    )
}

fn score_problem(texts: usize, scores: &[i64]) -> String {
    let stray = scores.iter().find(|score| !SCORES.contains(score));
    let stray = stray.map(|score| alloc::format!(" with one of {score}")).unwrap_or_default();
    alloc::format!(
        "asked for {texts} scores of 0 to 1000000, got {}{stray}; give each text one",
        scores.len()
    )
}

fn unexpected(state: &State, reply: &Reply) -> Error {
    let expected = match state {
        State::Loading | State::Syncing => "`loaded`",
        State::Asking(Request::Embed { .. }) => "`embedded`",
        State::Asking(Request::Records { .. }) => "`records` or `loaded`",
        State::Asking(Request::Rerank(_)) => "`reranked`",
        State::Asking(Request::Complete(_)) => "`completed` or `unsupported`",
        State::Verifying | State::Asking(Request::Log(_)) => "`logged`",
        State::Asking(Request::TraceLoad { .. }) => "`traces`",
        State::Asking(_) | State::After => "`done`",
        State::Committing(_) => "`committed` or `conflict`",
    };
    let got = match reply {
        Reply::Loaded(_) => "`loaded`",
        Reply::Committed(_) => "`committed`",
        Reply::Conflict => "`conflict`",
        Reply::Records(_) => "`records`",
        Reply::Embedded(_) => "`embedded`",
        Reply::Reranked(_) => "`reranked`",
        Reply::Completed(_) => "`completed`",
        Reply::Unsupported => "`unsupported`",
        Reply::Logged(_) => "`logged`",
        Reply::Done => "`done`",
        Reply::Traces(_) => "`traces`",
        Reply::Failed { .. } => "`failed`",
    };
    Error::protocol(alloc::format!("expected {expected}, got {got}; answer each request with its own reply"))
}

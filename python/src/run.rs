//! An operation under way: what Python is asked, and how its answer carries the operation on.
//!
//! Decides what a question is called and what its answer means. Never asks anything itself.

use std::sync::{Arc, Mutex, PoisonError};

use hardwon::clock::{Backoff, PATIENCE};
use hardwon::model::Batch;
use hardwon_core::error::Error;
use hardwon_core::op::{Operation, Output, Step};
use hardwon_core::step::{Completion, Reply, Request};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::convert::{from_python, to_python};
use crate::engine::Inner;
use crate::errors::{OrRaise, raised};

/// What goes with an operation from question to question.
#[derive(Debug)]
pub(crate) struct Flight {
    backoff: Backoff,
}

impl Flight {
    pub(crate) fn new() -> Self {
        Self { backoff: Backoff::new(PATIENCE) }
    }
}

/// What comes next.
#[derive(Debug)]
pub(crate) enum Next {
    Done(Output),
    Ask(Box<Question>),
}

/// A question to Python, and what waits for its answer.
#[derive(Debug)]
pub(crate) struct Question {
    kind: String,
    payload: Value,
    waiting: Waiting,
    operation: Box<Operation>,
    flight: Flight,
}

#[derive(Debug)]
enum Waiting {
    /// A reply of the step protocol.
    Reply(Request),
    /// Nothing, after a conflict: the time to wait has passed.
    Pause,
    /// What a store of Python's has kept of a batch.
    Kept(Batch),
    /// What the model said.
    Said(Batch),
    /// Nothing: what it said has been kept.
    Noted(Batch),
}

/// Carries an operation on until Python is needed, or it is done.
pub(crate) fn go_on(inner: &Inner, flight: Flight, step: Step) -> Result<Next, Error> {
    match step {
        Step::Done(output) => Ok(Next::Done(output)),
        Step::Need(operation, Request::Complete(prompts)) => match inner.model() {
            None => resume(inner, flight, operation, Reply::Unsupported),
            Some(name) => {
                let batch = Batch::new(name, prompts);
                if let Some(kept) = inner.kept(batch.keys())? {
                    return with_kept(inner, flight, operation, batch, kept);
                }
                let keys = json!(batch.keys());
                Ok(ask("answers_get", keys, Waiting::Kept(batch), operation, flight))
            }
        },
        Step::Need(operation, request) => request_of(request, operation, flight),
    }
}

fn resume(inner: &Inner, flight: Flight, operation: Box<Operation>, reply: Reply) -> Result<Next, Error> {
    let step = inner.resume(operation, reply, None)?;
    go_on(inner, flight, step)
}

fn with_kept(
    inner: &Inner,
    flight: Flight,
    operation: Box<Operation>,
    mut batch: Batch,
    kept: Vec<Option<String>>,
) -> Result<Next, Error> {
    batch.take_kept(kept);
    match batch.open() {
        Some(prompts) => Ok(ask("complete", json!(prompts), Waiting::Said(batch), operation, flight)),
        None => resume(inner, flight, operation, Reply::Completed(batch.into_completed())),
    }
}

/// A request of the step protocol as a question: its name, and what stands under it.
fn request_of(request: Request, operation: Box<Operation>, flight: Flight) -> Result<Next, Error> {
    let wire = serde_json::to_value(&request).map_err(|problem| Error::protocol(problem.to_string()))?;
    match wire {
        Value::Object(fields) => match fields.into_iter().next() {
            Some((kind, payload)) => Ok(ask(&kind, payload, Waiting::Reply(request), operation, flight)),
            None => Err(Error::protocol("a request without a name")),
        },
        other => Err(Error::protocol(format!("a request of an unknown form: {other}"))),
    }
}

fn ask(kind: &str, payload: Value, waiting: Waiting, operation: Box<Operation>, flight: Flight) -> Next {
    Next::Ask(Box::new(Question { kind: kind.into(), payload, waiting, operation, flight }))
}

impl Question {
    /// Whether the answer is a reply of the step protocol, a list of texts, a list of answers, or nothing.
    fn take(&self, value: &Bound<'_, PyAny>) -> PyResult<Answer> {
        Ok(match &self.waiting {
            Waiting::Reply(request) => {
                let reply = from_python("the reply", value);
                Answer::Reply(reply.map_err(|problem| at_port(value.py(), request, problem))?)
            }
            Waiting::Kept(_) => Answer::Kept(from_python("the kept answers", value)?),
            Waiting::Said(_) => Answer::Said(from_python("the answers", value)?),
            Waiting::Pause | Waiting::Noted(_) => Answer::Nothing,
        })
    }

    fn answered(self, inner: &Inner, answer: Answer) -> Result<Next, Error> {
        let Self { waiting, operation, mut flight, .. } = self;
        match (waiting, answer) {
            (Waiting::Reply(_), Answer::Reply(Reply::Conflict)) => {
                let pause = json!(flight.backoff.pause()?.as_secs_f64());
                Ok(ask("wait", pause, Waiting::Pause, operation, flight))
            }
            (Waiting::Reply(request), Answer::Reply(reply)) => {
                let step = inner.resume(operation, reply, Some(&request))?;
                go_on(inner, flight, step)
            }
            (Waiting::Pause, _) => resume(inner, flight, operation, Reply::Conflict),
            (Waiting::Kept(batch), Answer::Kept(kept)) => with_kept(inner, flight, operation, batch, kept),
            (Waiting::Said(mut batch), Answer::Said(said)) => {
                let kept = batch.take_said(said);
                // What a model takes is no waiting for others.
                flight = Flight::new();
                if kept.is_empty() || inner.keep(&kept)? {
                    return resume(inner, flight, operation, Reply::Completed(batch.into_completed()));
                }
                Ok(ask("answers_put", json!(kept), Waiting::Noted(batch), operation, flight))
            }
            (Waiting::Noted(batch), _) => {
                resume(inner, flight, operation, Reply::Completed(batch.into_completed()))
            }
            (waiting, _) => Err(Error::protocol(format!("the answer is not one to {waiting:?}"))),
        }
    }
}

/// What an answer of no form is an error of: of the port that was asked, where that is not the store.
fn at_port(py: Python<'_>, request: &Request, problem: PyErr) -> PyErr {
    let port = match request {
        Request::Embed { .. } => "embedder",
        Request::Rerank(_) => "reranker",
        _ => return problem,
    };
    let told = raised(py, &Error::host(port, problem.to_string()));
    told.set_cause(py, Some(problem));
    told
}

/// What Python answers.
#[derive(Debug)]
enum Answer {
    Reply(Reply),
    Kept(Vec<Option<String>>),
    Said(Vec<Completion>),
    Nothing,
}

/// Something that Python has to answer before an operation goes on.
#[pyclass(frozen, module = "hardwon._native")]
#[derive(Debug)]
pub(crate) struct Asked {
    /// What is asked: a request of the step protocol, `answers_get`, `answers_put` or `wait`.
    #[pyo3(get)]
    kind: String,
    /// What it is about.
    #[pyo3(get)]
    payload: Py<PyAny>,
    inner: Arc<Inner>,
    question: Mutex<Option<Box<Question>>>,
}

#[pymethods]
impl Asked {
    /// Goes on with the answer; answers as `Engine.start` does. A question is answered once.
    #[pyo3(signature = (answer = None))]
    fn resume(&self, py: Python<'_>, answer: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let question = self.question.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(question) = question else {
            return Err(raised(py, &Error::protocol("this question has been answered; a step goes on once")));
        };
        let none = py.None().into_bound(py);
        let answer = question.take(answer.unwrap_or(&none))?;
        let inner = &self.inner;
        let next = py.detach(|| question.answered(inner, answer));
        self::answer(py, inner, next.or_raise(py)?)
    }
}

/// What Python gets: the output of the verb, or a question.
pub(crate) fn answer(py: Python<'_>, inner: &Arc<Inner>, next: Next) -> PyResult<Py<PyAny>> {
    match next {
        Next::Done(output) => to_python(py, &output),
        Next::Ask(mut question) => {
            let payload = to_python(py, &question.payload.take())?;
            let asked = Asked {
                kind: question.kind.clone(),
                payload,
                inner: Arc::clone(inner),
                question: Mutex::new(Some(question)),
            };
            Ok(Py::new(py, asked)?.into_any())
        }
    }
}

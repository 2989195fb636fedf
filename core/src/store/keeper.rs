//! The keeper: a store's requests as reads and writes of rows.
//!
//! Decides in which order rows are asked for, and when a task begins anew. Never holds rows beyond a task.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::known::{Draft, Known, Stop};
use super::rows::{Change, Page, Rows, Span};
use super::{commit, log, snapshot, trace};
use crate::env::Revision;
use crate::error::Error;
use crate::image::Image;
use crate::step::{Reply, Request};

/// How often a task begins anew because others write, before it says so.
const TRIES: u32 = 1000;

/// What is asked of a store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Task {
    /// A request of the step protocol that is a store's.
    Request(Request),
    /// Everything for a reader with this embedder, who knows nothing yet: with an image, where one of it is kept.
    Open(String),
    /// The answers of a model that are kept under these keys.
    Answers(Vec<String>),
    /// Keep these answers of a model by their keys.
    KeepAnswers(Vec<(String, String)>),
    /// The derived index that was kept under a name at exactly this revision.
    Cached(String, Revision),
    /// Keep a derived index under a name at this revision; an older one goes. The bytes are hexadecimal digits.
    Cache(String, Revision, String),
}

/// What a store answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Told {
    /// To a request and to what keeps something.
    Reply(Reply),
    /// To [`Task::Answers`], in their order.
    Answers(Vec<Option<String>>),
    /// To [`Task::Cached`], in hexadecimal digits.
    Cached(Option<String>),
}

/// What a keeper needs next, or what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Read these spans at one version, and answer with [`Keeper::read`].
    Read(Vec<Span>),
    /// Write this, and answer with [`Keeper::written`].
    Write(Change),
    /// The answer to the task.
    Done(Told),
}

/// One task under way.
#[derive(Debug)]
pub struct Keeper {
    task: Task,
    image: Option<(Revision, Image)>,
    known: Known,
    state: State,
    tries: u32,
}

#[derive(Debug)]
enum State {
    Deciding,
    Reading(Vec<Span>),
    Writing(Told),
}

impl Keeper {
    /// A task that has read nothing.
    pub fn new(task: Task) -> Self {
        Self { task, image: None, known: Known::default(), state: State::Deciding, tries: 0 }
    }

    /// What it needs, or its answer.
    pub fn act(&mut self) -> Result<Act, Error> {
        let mut draft = Draft::new(&self.known);
        let told = match decide(&self.task, self.image.as_ref(), &mut draft) {
            Err(Stop::Fail(error)) => return Err(error),
            Err(Stop::Read(spans)) => {
                self.state = State::Reading(spans.clone());
                return Ok(Act::Read(spans));
            }
            Ok(told) => told,
        };
        let change = draft.finish();
        if change.puts.is_empty() && change.removes.is_empty() {
            return Ok(Act::Done(told));
        }
        self.state = State::Writing(told);
        Ok(Act::Write(change))
    }

    /// Takes what was read.
    pub fn read(&mut self, page: Page) -> Result<Act, Error> {
        match core::mem::replace(&mut self.state, State::Deciding) {
            State::Reading(spans) => {
                self.again()?;
                self.known.take(spans, page);
                self.act()
            }
            _ => Err(Error::protocol("rows came that nobody asked for")),
        }
    }

    /// Takes whether it was written.
    pub fn written(&mut self, is_written: bool) -> Result<Act, Error> {
        match core::mem::replace(&mut self.state, State::Deciding) {
            State::Writing(told) if is_written => Ok(Act::Done(told)),
            State::Writing(_) => {
                self.again()?;
                self.known = Known::default();
                self.act()
            }
            _ => Err(Error::protocol("nothing was to be written")),
        }
    }

    /// Carries the task out on rows that answer at once.
    pub fn carry_out(mut self, rows: &mut dyn Rows) -> Result<Told, Error> {
        self.image = rows.image();
        let mut act = self.act()?;
        loop {
            act = match act {
                Act::Done(told) => return Ok(told),
                Act::Read(spans) => self.read(rows.read(&spans)?)?,
                Act::Write(change) => self.written(rows.write(&change)?)?,
            };
        }
    }

    fn again(&mut self) -> Result<(), Error> {
        self.tries += 1;
        if self.tries > TRIES { Err(Error::Contended { waited_ms: 0 }) } else { Ok(()) }
    }
}

fn decide(task: &Task, image: Option<&(Revision, Image)>, draft: &mut Draft<'_>) -> Result<Told, Stop> {
    Ok(match task {
        Task::Request(request) => Told::Reply(reply(request, draft)?),
        Task::Open(embedder) => Told::Reply(Reply::Loaded(snapshot::open(draft.known, image, embedder)?)),
        Task::Answers(keys) => Told::Answers(trace::answers(draft.known, keys)?),
        Task::KeepAnswers(answers) => Told::Reply(trace::keep_answers(draft, answers)?),
        Task::Cached(name, rev) => Told::Cached(snapshot::cached(draft.known, name, *rev)?),
        Task::Cache(name, rev, digits) => Told::Reply(snapshot::cache(draft, name, *rev, digits)?),
    })
}

fn reply(request: &Request, draft: &mut Draft<'_>) -> Result<Reply, Stop> {
    Ok(match request {
        Request::Load { since } => Reply::Loaded(snapshot::load(draft.known, *since)?),
        Request::Records { rev, ids } => snapshot::records(draft.known, *rev, ids)?,
        Request::Commit(commit) => commit::commit(draft, commit)?,
        Request::Log(query) => Reply::Logged(log::query(draft.known, query)?),
        Request::TraceAppend { session_id, lines } => trace::append(draft, session_id, lines)?,
        Request::TraceLoad { session_id } => Reply::Traces(trace::load(draft.known, session_id.as_deref())?),
        Request::TraceMined { sessions, ended } => trace::mined(draft, sessions, ended)?,
        _ => return Err(Stop::Fail(Error::protocol("this request is not for a store"))),
    })
}

//! A space in an instance: the core's space, the rows it is kept in, and the driver between them.
//!
//! Decides which port answers which request, and how often a conflict is tried again. Never decides what is committed.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hardwon_core::codec::parse;
use hardwon_core::env::{Env, Revision};
use hardwon_core::error::Error;
use hardwon_core::op::{EmbedderPort, Input, Output, Ports, Space as Core, Stats, Step, start};
use hardwon_core::policy::Policy;
use hardwon_core::step::{Completed, Completion, Prompts, Reply, Request};
use hardwon_core::store::{Keeper, KeptRows, Rows, Span, Task, Told};
use hardwon_core::text::{ByteCounter, TokenCounter};
use hardwon_core::vector::HashingEmbedder;

use crate::exports::hardwon::memory::engine::{CounterChoice, EmbedderChoice, Setup, Store};
use crate::exports::hardwon::memory::types as wit;
use crate::host::Kept;
use crate::plain::Lift;
use crate::{ports, tables};

/// How often a commit that others overtook is decided again, before it says so.
const TRIES: u32 = 100;

/// A space that its handles share.
#[derive(Clone)]
pub struct Shared(Rc<RefCell<Memory>>);

/// The handle that may do anything.
pub struct Space(pub Shared);

/// The handle that may read.
pub struct Reader(pub Shared);

struct Memory {
    space: Core,
    kept: Kept,
}

impl Space {
    /// Opens what a store holds.
    pub fn open_store(store: Option<Store>, setup: Option<Setup>) -> Result<Self, wit::Error> {
        Ok(Self::new(core(setup)?, Kept::new(store)?))
    }

    /// Opens what a snapshot holds.
    pub fn open_bytes(snapshot: Vec<u8>, setup: Option<Setup>) -> Result<Self, wit::Error> {
        Ok(Self::new(core(setup)?, Kept::Here(KeptRows::from_bytes(snapshot)?)))
    }

    fn new(space: Core, kept: Kept) -> Self {
        Self(Shared(Rc::new(RefCell::new(Memory { space, kept }))))
    }
}

impl Shared {
    /// Carries out a verb.
    pub fn run(&self, env: wit::Env, input: Input) -> Result<Output, wit::Error> {
        Ok(self.0.borrow_mut().run(Lift::lift(env)?, input)?)
    }

    /// The whole space in bytes.
    pub fn snapshot(&self) -> Result<Vec<u8>, wit::Error> {
        Ok(self.0.borrow_mut().snapshot()?)
    }
}

impl Memory {
    fn run(&mut self, env: Env, input: Input) -> Result<Output, Error> {
        let mut step = start(&self.space, env, input)?;
        let mut lost = 0;
        loop {
            let (operation, request) = match step {
                Step::Done(output) => return Ok(output),
                Step::Need(operation, request) => (operation, request),
            };
            let reply = self.answer(request)?;
            if reply == Reply::Conflict {
                lost += 1;
                if lost > TRIES {
                    return Err(Error::Contended { waited_ms: 0 });
                }
            }
            step = operation.resume(&mut self.space, reply)?;
        }
    }

    fn answer(&mut self, request: Request) -> Result<Reply, Error> {
        match request {
            Request::Embed { texts } => ports::embed(&texts),
            Request::Complete(prompts) => self.complete(prompts),
            Request::Load { since: Revision(0) } => {
                let embedder = self.space.embedder().map(|info| info.id).unwrap_or_default();
                self.reply(Task::Open(embedder))
            }
            request => self.reply(Task::Request(request)),
        }
    }

    /// The answers of the host's model, those that are kept without a call.
    fn complete(&mut self, prompts: Prompts) -> Result<Reply, Error> {
        let Some(model) = ports::model()? else { return Ok(Reply::Unsupported) };
        let keys: Vec<String> = prompts.prompts.iter().map(|prompt| prompts.key(&model, prompt)).collect();
        let Told::Answers(kept) = self.ask(Task::Answers(keys.clone()))? else { return Err(strange_core()) };
        let open = prompts.prompts.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
        let asked = Prompts { prompts: open.map(|(prompt, _)| prompt.clone()).collect(), ..prompts };
        let mut said =
            if asked.prompts.is_empty() { Vec::new() } else { ports::complete(&asked) }.into_iter();
        let (mut answers, mut new) = (Vec::new(), Vec::new());
        for (key, kept) in keys.into_iter().zip(kept) {
            let one = kept.map(Completion::Text).or_else(|| {
                let one = said.next();
                if let Some(Completion::Text(text)) = &one {
                    new.push((key, text.clone()));
                }
                one
            });
            answers.extend(one);
        }
        // Too many are as wrong as too few, and the core says so.
        answers.extend(said);
        self.ask(Task::KeepAnswers(new))?;
        Ok(Reply::Completed(Completed { model, answers }))
    }

    fn reply(&mut self, task: Task) -> Result<Reply, Error> {
        match self.ask(task)? {
            Told::Reply(reply) => Ok(reply),
            _ => Err(strange_core()),
        }
    }

    fn ask(&mut self, task: Task) -> Result<Told, Error> {
        Keeper::new(task).carry_out(&mut self.kept)
    }

    fn snapshot(&mut self) -> Result<Vec<u8>, Error> {
        // Any verb that reads brings the view to what is kept.
        self.run(Env::default(), Input::Stats(Stats {}))?;
        let page = self.kept.read(&[Span::all()])?;
        let (rev, image) = (self.space.view().revision(), self.space.image());
        KeptRows::new(page.rows).with_image(rev, image).to_bytes()
    }
}

/// What an answer in another verb's form is.
pub fn strange() -> wit::Error {
    Error::protocol("a verb answered in another verb's form").into()
}

fn strange_core() -> Error {
    Error::protocol("a store answered another task")
}

fn core(setup: Option<Setup>) -> Result<Core, Error> {
    let setup = setup.unwrap_or(Setup {
        policy: String::new(),
        embedder: EmbedderChoice::Best,
        counter: CounterChoice::Best,
    });
    let policy = match setup.policy.as_str() {
        "" => Policy::default(),
        json => parse("the policy", json)?,
    };
    Core::new(
        policy,
        Ports { counter: counter(setup.counter)?, embedder: embedder(setup.embedder)?, has_reranker: false },
    )
}

fn counter(choice: CounterChoice) -> Result<Arc<dyn TokenCounter>, Error> {
    let table = match choice {
        CounterChoice::Bytes => None,
        CounterChoice::Best => tables::counter()?,
        CounterChoice::O200k => Some(tables::counter()?.ok_or_else(|| missing("a token table"))?),
    };
    Ok(table.unwrap_or_else(|| Arc::new(ByteCounter)))
}

fn embedder(choice: EmbedderChoice) -> Result<EmbedderPort, Error> {
    let host = || Ok(ports::embedder()?.map(EmbedderPort::Host));
    let table = || Ok(tables::embedder()?.map(EmbedderPort::BuiltIn));
    let found: Option<EmbedderPort> = match choice {
        EmbedderChoice::None => Some(EmbedderPort::None),
        EmbedderChoice::Hashing => Some(EmbedderPort::BuiltIn(Arc::new(HashingEmbedder::default()))),
        EmbedderChoice::Host => Some(host()?.ok_or_else(|| missing("an embedder"))?),
        EmbedderChoice::Table => Some(table()?.ok_or_else(|| missing("an embedding table"))?),
        EmbedderChoice::Best => match host()? {
            None => table()?,
            found => found,
        },
    };
    match found {
        Some(EmbedderPort::Host(info)) if info.dims == 0 => {
            Err(Error::invalid("setup", "the host's embedder has 0 dimensions"))
        }
        found => Ok(found.unwrap_or(EmbedderPort::None)),
    }
}

fn missing(what: &str) -> Error {
    Error::invalid("setup", format!("this host has not handed over {what}; do so, or choose `best`"))
}

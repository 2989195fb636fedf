//! Memory on a native host: a space, a store, and the driver between them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hardwon_core::env::{Env, Revision};
use hardwon_core::error::Error;
use hardwon_core::op::{EmbedderPort, Input, Operation, Output, Ports, Space, Step, start};
use hardwon_core::policy::Policy;
use hardwon_core::step::{Reply, Request};
use hardwon_core::view::View;
use hardwon_model::embed::TableEmbedder;
use hardwon_model::tokens::O200kCounter;

use crate::clock::{self, Backoff};
use crate::model::{self, Model};
use crate::rerank::Reranker;
use crate::store::{Committed, SqliteStore, Store, store_file};

/// Where and how to open a memory.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The store: its directory, or the SQLite file itself; see [`store_file`].
    pub path: PathBuf,
    /// The space inside the store.
    pub space: String,
    /// Every number of the lifecycle.
    pub policy: Policy,
    /// Open for reading alone; nothing is created.
    pub read_only: bool,
}

impl OpenOptions {
    /// The space `default` of the store at `path`, with the default policy.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), space: "default".into(), policy: Policy::default(), read_only: false }
    }
}

/// One space of a store, with every verb.
#[derive(Debug)]
pub struct Memory<S: Store = SqliteStore> {
    store: S,
    name: String,
    space: Space,
    model: Option<Box<dyn Model>>,
    reranker: Option<Box<dyn Reranker>>,
}

impl Memory<SqliteStore> {
    /// Opens a memory, making the store where there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use hardwon::{Memory, OpenOptions};
    /// # let dir = tempfile::tempdir()?;
    /// let memory = Memory::open(OpenOptions::new(dir.path().join("memory")))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(options: OpenOptions) -> Result<Self, Error> {
        Self::open_with_ports(options, built_in())
    }

    /// Opens a memory with ports of the caller's.
    pub fn open_with_ports(options: OpenOptions, ports: Ports) -> Result<Self, Error> {
        let file = store_file(&options.path);
        if !options.read_only && file != options.path {
            make_folder(&options.path)?;
        }
        let store =
            if options.read_only { SqliteStore::open_read_only(&file)? } else { SqliteStore::open(&file)? };
        Self::with_ports(store, &options.space, options.policy, ports)
    }
}

impl<S: Store> Memory<S> {
    /// A memory over any store, with the built-in embedder and token table.
    pub fn with_store(store: S, space: &str, policy: Policy) -> Result<Self, Error> {
        Self::with_ports(store, space, policy, built_in())
    }

    /// A memory over any store and ports.
    pub fn with_ports(store: S, space: &str, policy: Policy, ports: Ports) -> Result<Self, Error> {
        if space.is_empty() {
            return Err(Error::invalid("space", "a space needs a name; `default` is the usual one"));
        }
        policy.limits.text("space", space)?;
        Ok(Self { store, name: space.into(), space: Space::new(policy, ports)?, model: None, reranker: None })
    }

    /// Gives the memory a model, which words new lessons where `learn` is told to use one.
    pub fn set_model(&mut self, model: Box<dyn Model>) {
        self.model = Some(model);
    }

    /// Gives the memory a reranker, which is asked in each `recall` and `explain`.
    pub fn set_reranker(&mut self, reranker: Box<dyn Reranker>) {
        self.reranker = Some(reranker);
        self.space.add_reranker();
    }

    /// Carries out a verb.
    pub fn run(&mut self, input: Input) -> Result<Output, Error> {
        self.run_in(Env { now: clock::now(), seed: clock::seed()? }, input)
    }

    /// Carries out a verb at a given time with a given seed, for repeatable runs.
    pub fn run_in(&mut self, env: Env, input: Input) -> Result<Output, Error> {
        self.carry_out(start(&self.space, env, input)?)
    }

    /// Carries out a verb that was begun on any space of the same policy and ports: beginning it reads and mines, and
    /// may be done elsewhere, for many at once.
    pub(crate) fn carry_out(&mut self, step: Step) -> Result<Output, Error> {
        match self.carry_on(step, |_| false)? {
            Step::Done(output) => Ok(output),
            Step::Need(_, request) => Err(Error::protocol(format!("nobody answered {request:?}"))),
        }
    }

    /// Carries a verb that has just begun on until it is done, or asks for something that `is_foreign`: what the caller
    /// alone can answer, and answers with [`Self::resume`]. Nobody waits for the store meanwhile, and other verbs may
    /// go on.
    pub fn carry_on(&mut self, begun: Step, is_foreign: fn(&Request) -> bool) -> Result<Step, Error> {
        self.go_on(from_here(begun, self.space.view().revision()), is_foreign)
    }

    fn go_on(&mut self, step: Step, is_foreign: fn(&Request) -> bool) -> Result<Step, Error> {
        let step = self.drive(step, is_foreign);
        self.store.release()?;
        if !matches!(step, Ok(Step::Need(..))) {
            self.keep_image();
        }
        step
    }

    /// Goes on with the caller's answer to a foreign request.
    pub fn resume(
        &mut self,
        operation: Box<Operation>,
        reply: Reply,
        is_foreign: fn(&Request) -> bool,
    ) -> Result<Step, Error> {
        let step = operation.resume(&mut self.space, reply)?;
        self.go_on(step, is_foreign)
    }

    /// Saves what the view has found out about records, once the next opening would do much of it again.
    fn keep_image(&mut self) {
        if !self.store.wants_image() {
            return;
        }
        if let Some(bytes) = self.space.due_image() {
            let rev = self.space.view().revision();
            // It is nothing's only copy: where it cannot be kept, opening takes longer.
            let _ = self.store.keep_image(&self.name, rev, &bytes);
        }
    }

    fn drive(&mut self, mut step: Step, is_foreign: fn(&Request) -> bool) -> Result<Step, Error> {
        let mut backoff = Backoff::new(clock::PATIENCE);
        loop {
            match step {
                Step::Done(_) => return Ok(step),
                Step::Need(_, ref request) if is_foreign(request) => return Ok(step),
                Step::Need(operation, request) => {
                    let asks_model = matches!(request, Request::Complete(_));
                    let reply = self.answer(request)?;
                    if asks_model {
                        // What a model takes is no waiting for others.
                        backoff = Backoff::new(clock::PATIENCE);
                    }
                    if reply == Reply::Conflict {
                        backoff.wait()?;
                        // Whoever lost the race once goes next, so that busy writers starve nobody.
                        self.store.reserve()?;
                    }
                    step = operation.resume(&mut self.space, reply)?;
                }
            }
        }
    }

    /// Brings the view to what the store holds; every verb does so by itself.
    pub fn refresh(&mut self) -> Result<(), Error> {
        loop {
            let mut loaded = self.store.load(&self.name, self.space.view().revision())?;
            if self.space.view().must_reset(&loaded) {
                loaded = self.store.load(&self.name, Revision::default())?;
            }
            self.space.advance(loaded)?;
            // To look at every record makes each one wanted that is not there.
            self.space.view().records().for_each(drop);
            let (rev, ids) = (self.space.view().revision(), self.space.view().wanted());
            if ids.is_empty() {
                return Ok(());
            }
            if let Some(records) = self.store.records(&self.name, rev, &ids)? {
                return self.space.fill(records);
            }
        }
    }

    /// The view at the last operation. Records of a store that no operation has looked at are in it only after
    /// [`Self::refresh`].
    pub fn view(&self) -> &View {
        self.space.view()
    }

    /// The store.
    pub fn store(&mut self) -> &mut S {
        &mut self.store
    }

    /// Ends without giving the view's memory back piece by piece: for a process that is about to end itself.
    #[cfg(feature = "cli")]
    pub(crate) fn abandon(self) {
        core::mem::forget(self.space);
    }

    /// The policy in force.
    #[cfg(feature = "cli")]
    pub(crate) fn policy(&self) -> &Policy {
        self.space.policy()
    }

    /// The name of the space.
    pub fn space_name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, request: Request) -> Result<Reply, Error> {
        let space = self.name.as_str();
        Ok(match request {
            Request::Load { since } => Reply::Loaded(self.store.load(space, since)?),
            Request::Records { rev, ids } => match self.store.records(space, rev, &ids)? {
                Some(records) => Reply::Records(records),
                None => Reply::Loaded(self.store.load(space, rev)?),
            },
            Request::Commit(commit) => match self.store.commit(space, &commit)? {
                Committed::At(rev) => Reply::Committed(rev),
                Committed::Conflict => Reply::Conflict,
            },
            Request::Log(query) => Reply::Logged(self.store.log(space, &query)?),
            Request::TraceAppend { session_id, lines } => {
                self.store.trace_append(space, &session_id, &lines)?;
                Reply::Done
            }
            Request::TraceLoad { session_id } => {
                Reply::Traces(self.store.trace_load(space, session_id.as_deref())?)
            }
            Request::TraceMined { sessions, ended } => {
                for (session_id, lines) in sessions {
                    self.store.trace_mined(space, &session_id, lines)?;
                }
                for session_id in ended {
                    self.store.trace_drop(space, &session_id)?;
                }
                Reply::Done
            }
            Request::Complete(prompts) => match self.model.as_deref_mut() {
                Some(one) => Reply::Completed(model::answer(one, &mut self.store, space, prompts)?),
                None => Reply::Unsupported,
            },
            Request::Rerank(asked) => match self.reranker.as_deref_mut() {
                Some(one) => match one.rerank(&asked.query, &asked.texts) {
                    Ok(scores) => Reply::Reranked(scores),
                    Err(message) => Reply::Failed { port: "reranker".into(), message },
                },
                None => Reply::Failed {
                    port: "reranker".into(),
                    message: "no reranker is set; give the memory one".into(),
                },
            },
            Request::Embed { .. } => Reply::Failed {
                port: "embedder".into(),
                message: "no host embedder is set; use a built-in one".into(),
            },
            other => return Err(Error::protocol(format!("this host does not answer {other:?}; update it"))),
        })
    }
}

/// The first step of a verb that was begun on an empty space of the same policy and ports: it loads from this revision.
pub fn from_here(begun: Step, since: Revision) -> Step {
    match begun {
        Step::Need(operation, Request::Load { .. }) => Step::Need(operation, Request::Load { since }),
        other => other,
    }
}

fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|cause| {
        Error::host(
            "store",
            format!("cannot make the directory {}: {cause}; choose another place", path.display()),
        )
    })
}

/// The embedding table and the token table, linked in.
pub fn built_in() -> Ports {
    Ports {
        counter: Arc::new(O200kCounter),
        embedder: EmbedderPort::BuiltIn(Arc::new(TableEmbedder::builtin())),
        has_reranker: false,
    }
}

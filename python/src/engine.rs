//! One space of a store, with the ports that are linked in, and what is left to the host.
//!
//! Decides which requests are answered here and which are Python's. Never calls Python: what is Python's comes back as
//! a question, with no lock held, so that whoever answers may use the same memory meanwhile.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use hardwon::clock;
use hardwon::store::Store as _;
use hardwon::{Memory, OpenOptions, built_in, from_here};
use hardwon_core::env::Env;
use hardwon_core::error::Error;
use hardwon_core::op::{EmbedderPort, Input, Operation, Ports, Space, Step, start};
use hardwon_core::policy::Policy;
use hardwon_core::step::{Loaded, Reply, Request};
use hardwon_core::vector::{EmbedderInfo, HashingEmbedder};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::from_python;
use crate::errors::{OrRaise, raised};
use crate::run::{self, Flight};
use crate::store::{MemoryStore, Shared, SqliteStore};

/// Where a memory's data is.
#[derive(Debug)]
enum Home {
    File(Box<Memory<hardwon::store::SqliteStore>>),
    Shared(Box<Memory<Shared<hardwon::store::MemoryStore>>>),
    /// In a store of Python's.
    Host(Box<Space>),
    Closed,
}

/// What every operation of one memory has in common.
#[derive(Debug)]
pub(crate) struct Inner {
    home: Mutex<Home>,
    /// A space of the same policy and ports that is never filled: operations begin on it, many at once.
    desk: Space,
    name: String,
    model: Option<String>,
}

/// One open memory.
#[pyclass(frozen, module = "hardwon._native")]
#[derive(Debug)]
pub(crate) struct Engine(Arc<Inner>);

#[pymethods]
impl Engine {
    /// Opens a memory: `{"space", "policy", "embedder", "reranker", "model", "path", "read_only"}`, at the path or in
    /// the store. Where neither is given, the store is Python's.
    #[new]
    #[pyo3(signature = (setup, store = None))]
    fn new(setup: &Bound<'_, PyDict>, store: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = setup.py();
        let get = |name: &str| setup.get_item(name).map(|value| value.filter(|value| !value.is_none()));
        let policy: Policy =
            get("policy")?.map(|one| from_python("the policy", &one)).transpose()?.unwrap_or_default();
        let space: String =
            get("space")?.map(|one| one.extract()).transpose()?.unwrap_or_else(|| "default".into());
        let mut ports = ports(get("embedder")?.as_ref())?;
        ports.has_reranker = get("reranker")?.map(|one| one.extract()).transpose()?.unwrap_or_default();
        let model: Option<String> = get("model")?.map(|one| one.extract()).transpose()?;
        let path: Option<PathBuf> = get("path")?.map(|one| one.extract()).transpose()?;
        let read_only: bool = get("read_only")?.map(|one| one.extract()).transpose()?.unwrap_or_default();
        let (mut path, mut shared) = (path, None);
        if let Some(store) = store {
            if let Ok(file) = store.cast::<SqliteStore>() {
                path = Some(file.get().1.clone());
            } else {
                shared = Some(store.cast::<MemoryStore>()?.get().0.clone());
            }
        }
        let inner = py.detach(|| {
            let desk = Space::new(policy.clone(), ports.clone())?;
            let home = match (path, shared) {
                (Some(path), _) => {
                    let options = OpenOptions { path, space: space.clone(), policy, read_only };
                    Home::File(Box::new(Memory::open_with_ports(options, ports)?))
                }
                (None, Some(store)) => {
                    Home::Shared(Box::new(Memory::with_ports(store, &space, policy, ports)?))
                }
                (None, None) => Home::Host(Box::new(Space::new(policy, ports)?)),
            };
            Ok(Inner { home: Mutex::new(home), desk, name: space, model })
        });
        Ok(Self(Arc::new(inner.or_raise(py)?)))
    }

    /// Begins a verb; answers what came of it, or an `Asked` where Python has to answer first.
    fn start(&self, py: Python<'_>, input: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let input: Input = from_python("the operation", input)?;
        let inner = &self.0;
        let next = py.detach(|| {
            let env = Env { now: clock::now(), seed: clock::seed()? };
            let step = start(&inner.desk, env, input)?;
            run::go_on(inner, Flight::new(), inner.carry_on(step)?)
        });
        run::answer(py, inner, next.or_raise(py)?)
    }

    /// The store's file, where the memory is in one.
    #[getter]
    fn path(&self, py: Python<'_>) -> Option<OsString> {
        let inner = &self.0;
        py.detach(|| match &mut *inner.home() {
            Home::File(memory) => Some(memory.store().path().as_os_str().to_owned()),
            _ => None,
        })
    }

    /// Ends the use of the memory.
    fn close(&self, py: Python<'_>) {
        let inner = &self.0;
        py.detach(|| *inner.home() = Home::Closed);
    }

    /// In a child of the process that opened it: gives the memory up without touching what it holds, a file that the
    /// parent goes on using.
    fn abandon(&self) {
        core::mem::forget(Arc::clone(&self.0));
    }
}

impl Inner {
    /// The model's name, where the host has one.
    pub(crate) fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Carries an operation that was begun at the desk on, as far as nothing of Python's is needed.
    pub(crate) fn carry_on(&self, step: Step) -> Result<Step, Error> {
        match &mut *self.home() {
            Home::File(memory) => memory.carry_on(step, self.is_foreign()),
            Home::Shared(memory) => memory.carry_on(step, self.is_foreign()),
            Home::Host(space) => Ok(from_here(step, space.view().revision())),
            Home::Closed => Err(closed()),
        }
    }

    /// Goes on with a reply to a request. Changes that come too late, since another operation has moved the view on
    /// meanwhile, are asked for anew.
    pub(crate) fn resume(
        &self,
        operation: Box<Operation>,
        reply: Reply,
        asked: Option<&Request>,
    ) -> Result<Step, Error> {
        match &mut *self.home() {
            Home::File(memory) => memory.resume(operation, reply, self.is_foreign()),
            Home::Shared(memory) => memory.resume(operation, reply, self.is_foreign()),
            Home::Host(space) => {
                let since = space.view().revision();
                match (asked, &reply) {
                    (Some(Request::Load { since: before }), Reply::Loaded(Loaded::Changes { .. }))
                        if *before != since =>
                    {
                        Ok(Step::Need(operation, Request::Load { since }))
                    }
                    _ => operation.resume(space, reply),
                }
            }
            Home::Closed => Err(closed()),
        }
    }

    /// The kept answers of a model; `None` where Python's store has to be asked.
    pub(crate) fn kept(&self, keys: &[String]) -> Result<Option<Vec<Option<String>>>, Error> {
        let space = self.name.as_str();
        match &mut *self.home() {
            Home::File(memory) => keys
                .iter()
                .map(|key| memory.store().answer_get(space, key))
                .collect::<Result<_, _>>()
                .map(Some),
            Home::Shared(memory) => keys
                .iter()
                .map(|key| memory.store().answer_get(space, key))
                .collect::<Result<_, _>>()
                .map(Some),
            Home::Host(_) => Ok(None),
            Home::Closed => Err(closed()),
        }
    }

    /// Keeps answers of a model; whether it was done, and Python's store has not to be asked.
    pub(crate) fn keep(&self, answers: &[(String, String)]) -> Result<bool, Error> {
        match &mut *self.home() {
            Home::File(memory) => memory.store().answer_put(&self.name, answers).map(|()| true),
            Home::Shared(memory) => memory.store().answer_put(&self.name, answers).map(|()| true),
            Home::Host(_) => Ok(false),
            Home::Closed => Err(closed()),
        }
    }

    fn home(&self) -> std::sync::MutexGuard<'_, Home> {
        self.home.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_foreign(&self) -> fn(&Request) -> bool {
        if self.model.is_some() {
            |request| matches!(request, Request::Embed { .. } | Request::Rerank(_) | Request::Complete(_))
        } else {
            |request| matches!(request, Request::Embed { .. } | Request::Rerank(_))
        }
    }
}

fn closed() -> Error {
    Error::host("store", "this memory has been closed; open it again")
}

fn ports(embedder: Option<&Bound<'_, PyAny>>) -> PyResult<Ports> {
    let mut ports = built_in();
    let Some(embedder) = embedder else { return Ok(ports) };
    ports.embedder = match embedder.extract::<String>().as_deref() {
        Ok("built_in") => ports.embedder,
        Ok("hash") => EmbedderPort::BuiltIn(Arc::new(HashingEmbedder::default())),
        Ok("none") => EmbedderPort::None,
        Ok(name) => {
            let message =
                format!("there is no embedder {name:?}; take \"built_in\", \"hash\", \"none\" or your own");
            return Err(raised(embedder.py(), &Error::invalid("setup", message)));
        }
        Err(_) => {
            let info: EmbedderInfo = from_python("the embedder", embedder)?;
            if info.dims == 0 {
                let message = "the embedder has 0 dimensions; give the length of its vectors as `dims`";
                return Err(raised(embedder.py(), &Error::invalid("setup", message)));
            }
            EmbedderPort::Host(info)
        }
    };
    Ok(ports)
}

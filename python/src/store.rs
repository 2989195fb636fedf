//! The built-in stores as objects of Python: to be given to a memory, or to be wrapped by a store of the host's own.
//!
//! Decides nothing about what is kept. Answers in the wire form, as any store of Python does.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use hardwon::store::{self as native, Committed, Store, store_file};
use hardwon_core::env::Revision;
use hardwon_core::error::Error;
use hardwon_core::step::{Commit, Loaded, LogEntry, LogQuery};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::convert::{from_python, to_python};
use crate::errors::OrRaise;

/// A store that several memories may have in common.
#[derive(Debug)]
pub(crate) struct Shared<S> {
    store: Arc<Mutex<Option<S>>>,
    /// In a child of this process a lock may be held by a thread that does not exist there.
    process: u32,
}

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self { store: Arc::clone(&self.store), process: self.process }
    }
}

impl<S: Store> Shared<S> {
    fn new(store: S) -> Self {
        Self { store: Arc::new(Mutex::new(Some(store))), process: process::id() }
    }

    fn with<T>(&self, work: impl FnOnce(&mut S) -> Result<T, Error>) -> Result<T, Error> {
        let mut held = if self.process == process::id() {
            self.store.lock().unwrap_or_else(PoisonError::into_inner)
        } else {
            let forked = "it was in use when the process was forked; open another one in the child";
            self.store.try_lock().map_err(|_| Error::host("store", forked))?
        };
        match held.as_mut() {
            Some(store) => work(store),
            None => Err(Error::host("store", "it has been closed; open it again")),
        }
    }

    fn close(&self) {
        if let Ok(mut held) = self.store.lock() {
            *held = None;
        }
    }
}

impl<S: Store> Store for Shared<S> {
    fn load(&mut self, space: &str, since: Revision) -> Result<Loaded, Error> {
        self.with(|store| store.load(space, since))
    }

    fn commit(&mut self, space: &str, commit: &Commit) -> Result<Committed, Error> {
        self.with(|store| store.commit(space, commit))
    }

    fn log(&mut self, space: &str, query: &LogQuery) -> Result<Vec<LogEntry>, Error> {
        self.with(|store| store.log(space, query))
    }

    fn trace_append(&mut self, space: &str, session_id: &str, lines: &[String]) -> Result<(), Error> {
        self.with(|store| store.trace_append(space, session_id, lines))
    }

    fn trace_load(
        &mut self,
        space: &str,
        session_id: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, Error> {
        self.with(|store| store.trace_load(space, session_id))
    }

    fn trace_mined(&mut self, space: &str, session_id: &str, lines: u64) -> Result<(), Error> {
        self.with(|store| store.trace_mined(space, session_id, lines))
    }

    fn trace_drop(&mut self, space: &str, session_id: &str) -> Result<(), Error> {
        self.with(|store| store.trace_drop(space, session_id))
    }

    fn cache_get(&mut self, space: &str, name: &str, rev: Revision) -> Result<Option<Vec<u8>>, Error> {
        self.with(|store| store.cache_get(space, name, rev))
    }

    fn cache_put(&mut self, space: &str, name: &str, rev: Revision, bytes: &[u8]) -> Result<(), Error> {
        self.with(|store| store.cache_put(space, name, rev, bytes))
    }

    fn answer_get(&mut self, space: &str, key: &str) -> Result<Option<String>, Error> {
        self.with(|store| store.answer_get(space, key))
    }

    fn answer_put(&mut self, space: &str, answers: &[(String, String)]) -> Result<(), Error> {
        self.with(|store| store.answer_put(space, answers))
    }

    fn spaces(&mut self) -> Result<Vec<String>, Error> {
        self.with(Store::spaces)
    }
}

/// A store whose resets hold everything by themselves, as the wire wants them.
trait Whole: Store {
    fn load_whole(&mut self, space: &str, since: Revision) -> Result<Loaded, Error> {
        self.load(space, since)
    }
}

impl Whole for native::MemoryStore {}

impl Whole for native::SqliteStore {
    fn load_whole(&mut self, space: &str, since: Revision) -> Result<Loaded, Error> {
        self.load_without_image(space, since)
    }
}

macro_rules! store_methods {
    ($class:ident { $($own:tt)* }) => {
        #[pymethods]
        impl $class {
            $($own)*

            fn load(&self, py: Python<'_>, space: &str, since: u64) -> PyResult<Py<PyAny>> {
                let held = &self.0;
                let loaded = py.detach(|| held.with(|store| store.load_whole(space, Revision(since))));
                to_python(py, &loaded.or_raise(py)?)
            }

            fn commit(&self, py: Python<'_>, space: &str, commit: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let held = &self.0;
                let commit: Commit = from_python("the commit", commit)?;
                match py.detach(|| held.with(|store| store.commit(space, &commit))).or_raise(py)? {
                    Committed::At(rev) => to_python(py, &json!({ "committed": rev })),
                    Committed::Conflict => to_python(py, &json!("conflict")),
                }
            }

            fn log(&self, py: Python<'_>, space: &str, query: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let held = &self.0;
                let query: LogQuery = from_python("the query", query)?;
                to_python(py, &py.detach(|| held.with(|store| store.log(space, &query))).or_raise(py)?)
            }

            fn trace_append(
                &self,
                py: Python<'_>,
                space: &str,
                session_id: &str,
                lines: Vec<String>,
            ) -> PyResult<()> {
                let held = &self.0;
                py.detach(|| held.with(|store| store.trace_append(space, session_id, &lines))).or_raise(py)
            }

            #[pyo3(signature = (space, session_id = None))]
            fn trace_load(
                &self,
                py: Python<'_>,
                space: &str,
                session_id: Option<&str>,
            ) -> PyResult<Vec<(String, Vec<String>)>> {
                let held = &self.0;
                py.detach(|| held.with(|store| store.trace_load(space, session_id))).or_raise(py)
            }

            fn trace_mined(&self, py: Python<'_>, space: &str, session_id: &str, lines: u64) -> PyResult<()> {
                let held = &self.0;
                py.detach(|| held.with(|store| store.trace_mined(space, session_id, lines))).or_raise(py)
            }

            fn trace_drop(&self, py: Python<'_>, space: &str, session_id: &str) -> PyResult<()> {
                let held = &self.0;
                py.detach(|| held.with(|store| store.trace_drop(space, session_id))).or_raise(py)
            }

            fn cache_get(
                &self,
                py: Python<'_>,
                space: &str,
                name: &str,
                rev: u64,
            ) -> PyResult<Option<Py<PyBytes>>> {
                let held = &self.0;
                let bytes = py.detach(|| held.with(|store| store.cache_get(space, name, Revision(rev))));
                Ok(bytes.or_raise(py)?.map(|bytes| PyBytes::new(py, &bytes).unbind()))
            }

            fn cache_put(
                &self,
                py: Python<'_>,
                space: &str,
                name: &str,
                rev: u64,
                bytes: Vec<u8>,
            ) -> PyResult<()> {
                let held = &self.0;
                let put = || held.with(|store| store.cache_put(space, name, Revision(rev), &bytes));
                py.detach(put).or_raise(py)
            }

            fn answer_get(&self, py: Python<'_>, space: &str, key: &str) -> PyResult<Option<String>> {
                let held = &self.0;
                py.detach(|| held.with(|store| store.answer_get(space, key))).or_raise(py)
            }

            fn answer_put(
                &self,
                py: Python<'_>,
                space: &str,
                answers: Vec<(String, String)>,
            ) -> PyResult<()> {
                let held = &self.0;
                py.detach(|| held.with(|store| store.answer_put(space, &answers))).or_raise(py)
            }

            fn spaces(&self, py: Python<'_>) -> PyResult<Vec<String>> {
                let held = &self.0;
                py.detach(|| held.with(Store::spaces)).or_raise(py)
            }

            /// Ends the use of this object. A memory that was opened with it stays open where its store is a file.
            fn close(&self, py: Python<'_>) {
                let held = &self.0;
                py.detach(|| held.close());
            }
        }
    };
}

/// A store that lives as long as its object.
#[pyclass(frozen, module = "hardwon")]
#[derive(Debug)]
pub(crate) struct MemoryStore(pub(crate) Shared<native::MemoryStore>);

/// A store in one SQLite file, which other processes and hosts share.
#[pyclass(frozen, module = "hardwon")]
#[derive(Debug)]
pub(crate) struct SqliteStore(Shared<native::SqliteStore>, pub(crate) PathBuf);

store_methods! { MemoryStore {
    #[new]
    fn new() -> Self {
        Self(Shared::new(native::MemoryStore::new()))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<MemoryStore at {:#x}>", slf.as_ptr().addr())
    }
} }

store_methods! { SqliteStore {
    /// Opens the store at a path (its directory, or the file itself) and makes the file where there is none.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = store_file(&path);
        let opened = py.detach(|| native::SqliteStore::open(&file));
        Ok(Self(Shared::new(opened.or_raise(py)?), file))
    }

    /// The store's file.
    #[getter]
    fn path(&self) -> OsString {
        self.1.clone().into_os_string()
    }

    fn __repr__(&self) -> String {
        format!("SqliteStore({:?})", self.1.display().to_string())
    }
} }

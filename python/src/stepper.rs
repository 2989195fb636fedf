//! The step protocol as strings: what every host exposes, for whoever drives the core on their own.
//!
//! Decides nothing. Never reads or writes JSON: what the core says is what Python sees.

use std::sync::{Arc, Mutex, PoisonError};

use hardwon_core::op;
use hardwon_model::embed::TableEmbedder;
use hardwon_model::tokens::O200kCounter;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// One space behind strings. One operation is under way at a time.
#[pyclass(frozen, module = "hardwon")]
#[derive(Debug)]
pub(crate) struct Stepper(Mutex<op::Stepper>);

#[pymethods]
impl Stepper {
    /// A setup that the core refuses raises `ValueError` with the core's JSON.
    #[new]
    fn new(py: Python<'_>, setup: &str) -> PyResult<Self> {
        let made = py.detach(|| {
            let table = Arc::new(TableEmbedder::builtin());
            op::Stepper::with_counters(setup, vec![Arc::new(O200kCounter)], vec![table])
        });
        made.map(|stepper| Self(Mutex::new(stepper))).map_err(PyValueError::new_err)
    }

    /// Begins an operation, given as JSON; answers what it needs, or what came of it.
    fn start(&self, py: Python<'_>, json: &str) -> String {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).start(json))
    }

    /// Goes on with the reply to the last request.
    fn resume(&self, py: Python<'_>, json: &str) -> String {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).resume(json))
    }

    /// The hash of the view: equal for equal contents.
    fn view_hash(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).view_hash())
    }
}

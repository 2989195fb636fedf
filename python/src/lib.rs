//! The extension module of the Python package: one engine, its step protocol, the built-in stores and the command.
//!
//! Decides nothing about memory; that is the core's. Never holds a lock while it waits for the interpreter, and never
//! holds the interpreter while it works or waits for a lock.

#![allow(clippy::needless_pass_by_value, reason = "what Python gives is handed over")]

mod command;
mod convert;
mod engine;
mod errors;
mod run;
mod stepper;
mod store;

use pyo3::prelude::*;

/// What `hardwon` is made of; see `_native.pyi`.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::command::{command, usual_place};
    #[pymodule_export]
    use crate::convert::{json_text, new_id, now};
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::run::Asked;
    #[pymodule_export]
    use crate::stepper::Stepper;
    #[pymodule_export]
    use crate::store::{MemoryStore, SqliteStore};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

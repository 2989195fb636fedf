//! The command `hardwon`, run inside the interpreter's process.
//!
//! Decides nothing: the command is the crate's own.

use std::ffi::OsString;
use std::path::PathBuf;

use hardwon::cli::{self, Program};
use pyo3::prelude::*;

use crate::convert::to_python;
use crate::errors;

/// Runs the command with these arguments, the first of them the script; answers the exit status.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let program = arguments.first().map(Program::script).unwrap_or_default();
        cli::run_as(program, &arguments)
    })
}

/// The store and the policy that the command would use, given this path or none.
#[pyfunction]
#[pyo3(signature = (path = None))]
pub(crate) fn usual_place(py: Python<'_>, path: Option<PathBuf>) -> PyResult<(OsString, Py<PyAny>)> {
    let found = py.detach(|| cli::usual_place(path.as_deref()));
    let (path, policy) = found.map_err(|(code, message)| errors::of(py, &code, &message))?;
    Ok((path.into_os_string(), to_python(py, &policy)?))
}

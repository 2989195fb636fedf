//! Errors of the core as exceptions.
//!
//! Decides nothing: the code names the class, in `hardwon._errors`.

use hardwon_core::error::Error;
use pyo3::prelude::*;

/// The exception of an error.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    of(py, &error.code(), &error.to_string())
}

/// The exception of a code.
pub(crate) fn of(py: Python<'_>, code: &str, message: &str) -> PyErr {
    let made = py.import("hardwon._errors").and_then(|module| module.call_method1("of", (code, message)));
    made.map_or_else(|problem| problem, PyErr::from_value)
}

/// A result of the core as one of Python.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception of the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, &error))
    }
}

//! The step protocol in Python: strings in, strings out.
//!
//! Decides nothing. Never reads or writes JSON: what the core says is what Python sees.

use pyo3::prelude::*;

#[pymodule]
mod hardwon_vectors {
    use std::sync::Arc;

    use hardwon_model::tokens::O200kCounter;
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;

    /// One stepper; a setup that the core refuses raises `ValueError` with the core's JSON.
    #[pyclass(unsendable)]
    struct Stepper(hardwon_core::op::Stepper);

    #[pymethods]
    impl Stepper {
        #[new]
        fn new(setup: &str) -> PyResult<Self> {
            hardwon_core::op::Stepper::with_counters(setup, vec![Arc::new(O200kCounter)], Vec::new())
                .map(Self)
                .map_err(PyValueError::new_err)
        }

        fn start(&mut self, json: &str) -> String {
            self.0.start(json)
        }

        fn resume(&mut self, json: &str) -> String {
            self.0.resume(json)
        }
    }
}

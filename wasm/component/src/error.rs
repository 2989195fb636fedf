//! Errors of the engine as the variant of `wit/types.wit`.
//!
//! Decides nothing: the code of an error says which case it is.

use hardwon_core::error::Error;

use crate::exports::hardwon::memory::types as wit;
use crate::hardwon::memory::host_types::Failure;

impl From<Error> for wit::Error {
    fn from(error: Error) -> Self {
        let problem = wit::Problem { code: error.code(), message: error.to_string() };
        match error {
            Error::Host { .. } => Self::Host(problem),
            Error::Contended { .. } => Self::Contended(problem),
            Error::Corrupt { .. } => Self::Corrupt(problem),
            Error::Incompatible { .. } => Self::Incompatible(problem),
            Error::Protocol { .. } => Self::Protocol(problem),
            Error::Limit { .. } => Self::Limit(problem),
            _ => Self::Invalid(problem),
        }
    }
}

/// What a failure of a host's port is to the engine.
pub fn host(port: &str, failure: Failure) -> Error {
    match failure {
        Failure::Failed(message) => Error::host(port, message),
        Failure::Unsupported => Error::host(port, "this host has none"),
    }
}

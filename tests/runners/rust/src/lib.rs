//! Conformance vectors: transcripts of the step protocol that every host must repeat, string for string.
//!
//! [`scenario`] makes vectors from the sources in `tests/vectors/src`; [`play`] runs them. This runner alone may
//! rewrite vectors; see `tests/vectors/README.md`.

pub mod files;
pub mod host;
pub mod matching;
pub mod play;
pub mod scenario;

//! The error of a table that cannot be read; says what is wrong with it, never where it came from.

/// The bytes are not a table of the expected layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("corrupt table: {0}")]
pub struct Corrupt(pub &'static str);

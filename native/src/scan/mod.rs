//! Scanning: what the histories of coding agents on this machine show, before anybody has learned from them.
//!
//! Decides where histories are looked for and which mistakes came back in them. Nothing leaves the machine and nothing
//! is written: lessons are made by the engine itself, in a memory that ends with the command.

pub(crate) mod digest;
pub(crate) mod finding;
pub(crate) mod page;
pub(crate) mod places;
pub(crate) mod pool;
pub(crate) mod repo;
pub(crate) mod report;
pub(crate) mod study;
pub(crate) mod words;

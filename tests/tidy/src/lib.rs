//! The rules of `CONTRIBUTING.md` as functions from files to problems.
//!
//! Decides what a source file may look like. Never changes one.

pub mod arrows;
pub mod codes;
pub mod files;
pub mod functions;
pub mod lines;
pub mod modules;

/// A broken rule: where, and what to do.
pub type Problem = String;

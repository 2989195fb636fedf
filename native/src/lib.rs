//! hardwon on a native host: stores, the driver, and memory with every verb.
//!
//! Decides how the core's requests are carried out here. Never decides what is remembered; that is the core's.

#[cfg(feature = "cli")]
mod agent;
#[cfg(feature = "bpe-openai")]
mod bpe;
#[cfg(feature = "cli")]
pub mod chat;
#[cfg(feature = "cli")]
pub mod cli;
pub mod clock;
#[cfg(feature = "cli")]
pub mod demo;
#[cfg(feature = "cli")]
pub mod hook;
#[cfg(feature = "cli")]
pub mod install;
#[cfg(feature = "cli")]
mod lock;
mod memory;
pub mod model;
pub mod rerank;
#[cfg(feature = "cli")]
mod scan;
pub mod store;
mod verbs;

#[cfg(feature = "bpe-openai")]
pub use bpe::BpeCounter;
pub use hardwon_core as core;
pub use memory::{Memory, OpenOptions, built_in, from_here};

/// The quick start of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

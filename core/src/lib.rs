//! The pure core of hardwon, an agent memory engine.
//!
//! Decisions are functions over a [`view`] that return a change set; each verb is a step machine that asks its host
//! for IO by returning a request. The core has no clock, no randomness and no IO.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod bytes;
pub mod change;
pub mod codec;
pub mod env;
pub mod error;
mod fact;
mod feedback;
pub mod gate;
pub mod guard;
pub mod image;
pub mod learn;
pub mod op;
pub mod policy;
pub mod react;
mod recall;
pub mod record;
mod sort;
mod stat;
pub mod step;
pub mod store;
pub mod text;
mod time;
pub mod trace;
pub mod vector;
pub mod view;

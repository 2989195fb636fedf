//! The engine as a component: what `wit/` says, over the core.
//!
//! Decides which import answers which request of the core. Never decides what a verb does; that is the core's.

#[cfg(feature = "built-in")]
mod built_in;
mod convert;
mod error;
mod handles;
mod host;
mod memory;
mod plain;
#[cfg(not(feature = "built-in"))]
mod ports;
mod stepping;
#[cfg(not(feature = "built-in"))]
mod tables;
mod verbs;

#[cfg(feature = "built-in")]
use built_in::{self as ports, tables};

#[cfg(not(feature = "built-in"))]
wit_bindgen::generate!({ path: "../../wit", world: "memory-engine" });
// Of the package `built-in`, whose folder is one further down.
#[cfg(feature = "built-in")]
wit_bindgen::generate!({ path: "../../../wit", world: "memory" });

/// What the component exports.
struct Component;

export!(Component);

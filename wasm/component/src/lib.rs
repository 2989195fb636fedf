//! The engine as a component: what `wit/` says, over the core.
//!
//! Decides which import answers which request of the core. Never decides what a verb does; that is the core's.

mod convert;
mod error;
mod handles;
mod host;
mod memory;
mod plain;
mod stepping;
mod tables;
mod verbs;

wit_bindgen::generate!({ path: "../../wit", world: "memory-engine" });

/// What the component exports.
struct Component;

export!(Component);

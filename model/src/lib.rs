//! Built-in data of hardwon, read in place: the embedding table and the o200k token table.
//!
//! Decides vectors and token counts from fixed bytes, alike on every host. Never copies a table, never needs a
//! start-up pass, and never panics on a table that is corrupt.
//!
//! Where the data comes from: `NOTICE`; its layout: `FORMAT.md`; how it was made: `RECIPE.md`.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod corrupt;
pub mod embed;
mod le;
pub mod tokens;

pub use corrupt::Corrupt;

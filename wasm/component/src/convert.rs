//! Between the types of `wit/` and the engine's, field by field.
//!
//! Decides nothing. Made by `generate.py`, all of it.

mod answers;
mod names;
mod options;
mod records;

//! The verbs as functions of a memory, those that read and those that write.
//!
//! Decides nothing. Made by `generate.py`, all of it.

pub mod reads;
pub mod writes;

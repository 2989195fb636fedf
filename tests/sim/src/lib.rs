//! The simulation: every short sequence of operations against a reference interpreter, and every interleaving of a few.
//!
//! Decides nothing of the product; it says what the product must do in a second, naive way and compares.

pub mod parrot;
pub mod reference;
pub mod world;

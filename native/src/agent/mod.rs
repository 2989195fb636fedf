//! The memory agent on this machine: a directory of memories and a channel.
//!
//! Decides when files and messages are looked at. Never decides what a memory says to a message: that is the core's.

mod file;
mod folder;

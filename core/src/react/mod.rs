//! The agents' channel: its messages, and the protocol as a pure machine for both sides.
//!
//! Decides what an agent posts, when it may act, and when the memory is asked. Never reads a channel, a clock or a
//! memory: a host carries out its actions, whether its channel is a file or a list.

mod active;
mod argument;
mod machine;
mod memory;
mod message;
mod say;
mod state;

pub use machine::step;
pub use memory::USER_INPUT;
pub use message::{Draft, EVERYBODY, Message, MessageKind, Position};
pub use say::{About, Action, Came, Input, Objection, Opinion, Question, Role, Verdict};
pub use state::{Counts, Phase, Standing, State, Timers};

#[cfg(test)]
mod tests;

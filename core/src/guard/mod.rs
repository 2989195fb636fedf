//! Interruptions: whether a lesson that fits a call speaks before it.
//!
//! Speaking has a price. Decides by what is known of the lesson and by what the run has shown; never looks at other
//! runs' traces, and never stops a call by itself.

mod run_state;
mod speak;

pub(crate) use run_state::RunState;
pub use speak::may_speak;
pub(crate) use speak::{fits, silence, silence_in_run};

//! Operations: one step machine for every verb, and the verbs as pure decisions.
//!
//! Decides how a verb is carried out: load, decide, commit. Never does IO; hosts drive it.

mod context;
mod editor;
mod forget;
mod guard;
mod input;
mod learn;
mod limits;
mod machine;
mod output;
mod pin;
mod read;
mod recall;
mod records;
mod report;
mod review;
mod space;
mod stepper;
mod teach;
mod undo;
mod upkeep;
mod verb;
mod wire;

#[cfg(test)]
pub(crate) use context::Known;
pub(crate) use context::{Context, Stop};
pub(crate) use editor::Editor;
pub use input::{
    Choice, Explain, ExportRecords, Forget, Get, Guard, History, ImportRecords, Input, Learn, List, Maintain,
    Observe, Recall, Report, Resolve, Review, Settle, Settlement, Stats, Tally, Teach, Undo,
};
pub use machine::{Operation, Step, start};
pub use output::{
    Advice, Check, Effect, Explained, Figures, Guarded, HistoryEntry, Interval, Item, Learned, Maintained,
    Outcome, Output, Rate, Recalled, ShownRecord, Silent, Slot, Undone, Waiting, Why, Worded, Written,
};
pub use space::{EmbedderPort, Ports, Space};
pub use stepper::{Stepper, error_json};

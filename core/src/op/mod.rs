//! Operations: one step machine for every verb, and the verbs as pure decisions.
//!
//! Decides how a verb is carried out: load, decide, commit. Never does IO; hosts drive it.

mod audit;
mod believed;
mod context;
mod editor;
mod exchange;
mod extract;
mod facts;
mod forget;
mod guard;
mod input;
mod learn;
mod limits;
mod machine;
mod output;
mod pin;
mod react;
mod read;
mod recall;
mod records;
mod remember;
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
pub(crate) use editor::{Editor, clean_scope};
pub use input::{
    Audit, Cardinality, Choice, Current, Document, Explain, ExportFacts, ExportRecords, Extract, FactFormat,
    Facts, Forget, ForgetSource, Get, Guard, History, ImportFacts, ImportRecords, Input, Learn, List,
    Maintain, Observe, React, Recall, Remember, Report, Resolve, Review, Said, Settle, Settlement, Stats,
    Tally, Teach, Undo,
};
pub use machine::{Operation, Step, start};
pub use output::{
    Advice, Audited, Check, Effect, Explained, Extracted, Figures, Flaw, Forgotten, Gathered, Guarded,
    HistoryEntry, Interval, Item, Learned, Maintained, Outcome, Outcomes, Output, Rate, Recalled, Remembered,
    ShownRecord, Silent, Slot, Told, Undone, Waiting, Why, Worded, Written,
};
pub(crate) use records::texts as texts_of;
pub use space::{EmbedderPort, Ports, Space};
pub use stepper::{Stepper, error_json};

//! Traces: what agents did, read from the formats they write.
//!
//! Decides what happened: calls, results, failures, outcomes. Never decides what is worth learning from it.

pub mod canonical;
mod chat;
mod describe;
mod event;
mod format;
mod formats;
mod frame;
pub mod identity;
pub(crate) mod json;
mod literal;
mod masked;
mod reader;
pub mod repo;
mod report;
mod sessions;
mod tree;
mod verdict;

pub(crate) use event::BEFORE_TOOL;
pub use event::{Body, Event, Outcome, ResultStatus, ToolCall, ToolResult, Trace};
pub use format::{Format, detect};
pub use reader::{ReadLimits, Reader, Reading};
pub use report::{BadLine, BadReason, ReadReport, Unrecognised};
pub use verdict::of_answer;

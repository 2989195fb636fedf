//! Traces: what agents did, read from the formats they write.
//!
//! Decides what happened: calls, results, failures, outcomes. Never decides what is worth learning from it.

pub mod canonical;
mod chat;
mod claude_code;
mod describe;
mod event;
mod format;
mod frame;
pub mod identity;
mod json;
mod langchain;
mod openai;
mod reader;
mod report;
mod sessions;
mod verdict;

pub use event::{Body, Event, Outcome, ResultStatus, ToolCall, ToolResult, Trace};
pub use format::{Format, detect};
pub use reader::{ReadLimits, Reader, Reading};
pub use report::{BadLine, BadReason, ReadReport, Unrecognised};

//! What a call is to mining: the names by which a query finds what was learned from calls like it.

use alloc::string::{String, ToString};
use alloc::vec;

use serde_json::Value;

use super::mine::key;
use super::run::Run;
use super::similar::Likeness;
use crate::trace::{Body, Event, ResultStatus, ToolCall, ToolResult, Trace};

/// A call as mining would name it, had it failed with this error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallIdentity {
    /// The key of its lesson.
    pub key: String,
    /// The error with classes in place of instance values.
    pub signature: String,
    /// The tools that may share its lesson.
    pub tool_group: String,
    /// The shape of the call.
    pub trigger: String,
}

impl CallIdentity {
    /// What it is compared by.
    pub fn likeness(&self) -> Likeness<'_> {
        Likeness { key: &self.key, signature: &self.signature, tool_group: &self.tool_group }
    }
}

/// Names a call of `tool` with `args` that failed, or would fail, with `error`.
pub fn identify(tool: &str, args: &Value, error: &str) -> CallIdentity {
    let result =
        ToolResult { status: ResultStatus::Failed, text: error.to_string(), ..ToolResult::default() };
    let call = ToolCall { call_id: String::new(), name: tool.to_string(), args: args.clone(), result };
    let event = Event { id: None, id_is_global: false, ts: None, position: 0, body: Body::ToolCall(call) };
    let trace = Trace { events: vec![event], ..Trace::default() };
    let run = Run::of(&trace);
    let signature = run.signature(0);
    let Some(call) = run.calls.first() else { return CallIdentity::none() };
    CallIdentity {
        key: key(&signature, call),
        tool_group: call.shape().group.clone(),
        trigger: call.shape().to_string(),
        signature: signature.text,
    }
}

impl CallIdentity {
    fn none() -> Self {
        Self {
            key: String::new(),
            signature: String::new(),
            tool_group: String::new(),
            trigger: String::new(),
        }
    }
}

//! What the tests of the readers share.

use hardwon_core::trace::{
    Body, Format, ReadLimits, Reader, Reading, ResultStatus, ToolCall, Trace, Unrecognised,
};

pub(crate) fn read_as(format: Option<Format>, bytes: &[u8]) -> Result<Reading, Unrecognised> {
    let mut reader = Reader::new(format, ReadLimits::default());
    reader.push(bytes);
    reader.finish()
}

pub(crate) fn read(bytes: &[u8]) -> Reading {
    read_as(None, bytes).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn calls(trace: &Trace) -> Vec<&ToolCall> {
    trace
        .events
        .iter()
        .filter_map(|event| match &event.body {
            Body::ToolCall(call) => Some(call),
            _ => None,
        })
        .collect()
}

/// How many calls of the traces ended in each way: ok, failed, refused, cancelled, missing.
pub(crate) fn tally(traces: &[Trace]) -> [usize; 5] {
    let mut counts = [0; 5];
    for call in traces.iter().flat_map(calls) {
        counts[match call.result.status {
            ResultStatus::Ok => 0,
            ResultStatus::Failed => 1,
            ResultStatus::Refused => 2,
            ResultStatus::Cancelled => 3,
            ResultStatus::Missing => 4,
        }] += 1;
    }
    counts
}

/// What people said, the task first.
pub(crate) fn words(trace: &Trace) -> Vec<&str> {
    trace
        .events
        .iter()
        .filter_map(|event| match &event.body {
            Body::Start { task: text } | Body::User { text } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

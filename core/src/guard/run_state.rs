//! What a run has shown so far, read from its live trace.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::learn::Run;
use crate::trace::{BEFORE_TOOL, Body, Event, Trace};

/// A run up to the call that is about to be made.
#[derive(Debug, Default)]
pub(crate) struct RunState {
    /// The records that have spoken at a call.
    pub(crate) spoken: BTreeSet<String>,
    /// The shapes whose last call is known to have worked.
    passed: BTreeSet<String>,
    /// What happened, oldest first.
    pub(crate) events: Vec<Event>,
}

impl RunState {
    /// Of the runs of one session.
    pub(crate) fn of(traces: Vec<Trace>) -> Self {
        let mut state = Self::default();
        for trace in traces {
            state.add(&trace);
            state.events.extend(trace.events);
        }
        state
    }

    fn add(&mut self, trace: &Trace) {
        for event in &trace.events {
            if let Body::Retrieval { moment, items, .. } = &event.body
                && moment == BEFORE_TOOL
            {
                self.spoken.extend(items.iter().cloned());
            }
        }
        for call in Run::of(trace).calls {
            let shape = call.shape().to_string();
            if call.worked() {
                self.passed.insert(shape);
            } else if call.failed() {
                self.passed.remove(&shape);
            }
        }
    }

    /// Whether the last call of this shape is known to have worked.
    pub(crate) fn has_passed(&self, shape: &str) -> bool {
        self.passed.contains(shape)
    }
}

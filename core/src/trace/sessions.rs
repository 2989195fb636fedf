//! Traces while they are being read: which session an event goes to, and which call an answer belongs to.
//!
//! Decides pairing and positions. Never decides whether a call failed.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use hashbrown::HashMap;
use serde_json::Value;

use super::event::{Body, Event, Outcome, ResultStatus, ToolCall, ToolResult, Trace};
use super::{identity, masked, repo};
use crate::env::Timestamp;

/// An answer is looked for among this many unanswered calls, newest first.
const MAX_OPEN: usize = 4_096;

/// The sessions of one input, in the order of their first event.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    list: Vec<Session>,
    by_id: HashMap<String, usize>,
    /// Where events go that name no session, if the caller says it.
    given: Option<String>,
}

/// One session.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) trace: Trace,
    /// Whether a task was seen.
    started: bool,
    /// The events that are calls without an answer, oldest first.
    open: Vec<usize>,
}

/// What an event has besides its body.
#[derive(Debug, Clone, Default)]
pub(super) struct Meta<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) global: bool,
    pub(super) ts: Option<Timestamp>,
}

impl Sessions {
    /// The sessions of an input that was taken down for one of them.
    pub(super) fn of(session_id: &str) -> Self {
        Self { given: Some(session_id.to_owned()), ..Self::default() }
    }

    /// The session of that name. Its root run is the first one told.
    pub(super) fn named(&mut self, id: &str, root: &str) -> &mut Session {
        if let Some(&at) = self.by_id.get(id) {
            return &mut self.list[at];
        }
        self.by_id.insert(id.to_owned(), self.list.len());
        self.begin(id, root)
    }

    /// The session of an input whose events name none: the given one, else the one without a name.
    pub(super) fn unnamed(&mut self) -> &mut Session {
        if let Some(id) = self.given.clone() {
            return self.named(&id, &id);
        }
        let session = self.named("", "");
        session.trace.anonymous = true;
        session
    }

    /// A new session, for a format that has one a unit: a conversation that is there twice (or longer the second time)
    /// is read twice, with the same keys.
    pub(super) fn fresh(&mut self, name: Option<&str>) -> &mut Session {
        let id = name.unwrap_or_default();
        let session = self.begin(id, id);
        session.trace.anonymous = name.is_none();
        session
    }

    /// The session that began last; the unnamed one where none did.
    pub(super) fn latest(&mut self) -> &mut Session {
        if self.list.is_empty() {
            return self.unnamed();
        }
        let at = self.list.len() - 1;
        &mut self.list[at]
    }

    /// The traces that have events; unnamed ones get a label from their first event.
    pub(super) fn into_traces(self) -> Vec<Trace> {
        let mut traces: Vec<Trace> = self
            .list
            .into_iter()
            .map(|session| session.trace)
            .filter(|trace| !trace.events.is_empty())
            .collect();
        for trace in traces.iter_mut().filter(|trace| trace.session_id.is_empty()) {
            trace.session_id = identity::label(trace);
            trace.root_run_id.clone_from(&trace.session_id);
        }
        traces
    }

    fn begin(&mut self, id: &str, root: &str) -> &mut Session {
        let trace = Trace { session_id: id.to_owned(), root_run_id: root.to_owned(), ..Trace::default() };
        let at = self.list.len();
        self.list.push(Session { trace, ..Session::default() });
        &mut self.list[at]
    }
}

impl Session {
    /// Whether the session has its task.
    pub(super) fn has_task(&self) -> bool {
        self.started
    }

    /// Adds an event.
    pub(super) fn add(&mut self, meta: &Meta<'_>, body: Body) {
        self.started |= matches!(body, Body::Start { .. });
        self.trace.events.push(Event {
            id: meta.id.map(ToOwned::to_owned),
            id_is_global: meta.global && meta.id.is_some(),
            ts: meta.ts,
            position: self.trace.events.len() as u32,
            body,
        });
    }

    /// Adds what a person said: the first such words are the task.
    pub(super) fn user(&mut self, meta: &Meta<'_>, text: String) {
        if text.trim().is_empty() {
            return;
        }
        let body = if self.started { Body::User { text } } else { Body::Start { task: text } };
        self.add(meta, body);
    }

    /// Adds what the agent said or thought.
    pub(super) fn thought(&mut self, meta: &Meta<'_>, text: String) {
        if !text.trim().is_empty() {
            self.add(meta, Body::Thought { text });
        }
    }

    /// Adds a call that has no answer yet.
    pub(super) fn call(&mut self, meta: &Meta<'_>, call_id: String, name: String, args: Value) {
        self.open.push(self.trace.events.len());
        self.add(meta, Body::ToolCall(ToolCall { call_id, name, args, result: ToolResult::default() }));
    }

    /// Adds a call without an answer whose event has the call's id, if that says something.
    pub(super) fn called(&mut self, ts: Option<Timestamp>, call_id: &str, name: &str, args: Value) {
        let id = Some(call_id).filter(|id| !id.is_empty());
        self.call(&Meta { id, global: false, ts }, call_id.to_owned(), name.to_owned(), args);
    }

    /// Gives the nearest unanswered call of that id (or tool) its answer. An answer to no call is kept as an event.
    pub(super) fn answered(&mut self, call_id: &str, name: &str, result: ToolResult) {
        match self.open_call(call_id, name).map(|(_, at)| at) {
            Some(at) => self.answer(at, result),
            None => self.add(&Meta { ts: result.ts, ..Meta::default() }, Body::Other),
        }
    }

    /// The name of the tool whose call that id (or tool) would answer; empty where there is none.
    pub(super) fn tool_of(&self, call_id: &str, name: &str) -> String {
        self.open_call(call_id, name).map(|(tool, _)| tool.to_owned()).unwrap_or_default()
    }

    /// The arguments of the call at that place; null where there is none.
    pub(super) fn args(&self, at: usize) -> &Value {
        match self.trace.events.get(at) {
            Some(Event { body: Body::ToolCall(call), .. }) => &call.args,
            _ => &Value::Null,
        }
    }

    /// Gives the call at that place other arguments.
    pub(super) fn set_args(&mut self, at: usize, args: Value) {
        if let Some(Event { body: Body::ToolCall(call), .. }) = self.trace.events.get_mut(at) {
            call.args = args;
        }
    }

    /// How the call at that place ended; `None` where there is none.
    pub(super) fn status(&self, at: usize) -> Option<ResultStatus> {
        match self.trace.events.get(at) {
            Some(Event { body: Body::ToolCall(call), .. }) => Some(call.result.status),
            _ => None,
        }
    }

    /// The place of the latest event, for a call that gets its answer by place.
    pub(super) fn last_place(&self) -> usize {
        self.trace.events.len().saturating_sub(1)
    }

    /// Notes the working directory and the remote of the repository; the first one told counts.
    pub(super) fn located(&mut self, cwd: &str, remote: &str) {
        if self.trace.cwd.is_none() && !cwd.is_empty() {
            self.trace.cwd = Some(cwd.to_owned());
        }
        if self.trace.repo.is_none() {
            self.trace.repo = repo::of_remote(remote);
        }
    }

    /// The nearest unanswered call of that id (of that tool where there is no id), as tool name and place.
    pub(super) fn open_call(&self, call_id: &str, name: &str) -> Option<(&str, usize)> {
        self.open.iter().rev().take(MAX_OPEN).find_map(|&at| match self.trace.events.get(at)?.body {
            Body::ToolCall(ref call)
                if call.call_id == call_id
                    && (!call_id.is_empty() || name.is_empty() || call.name == name) =>
            {
                Some((call.name.as_str(), at))
            }
            _ => None,
        })
    }

    /// Gives the call at that place its answer.
    pub(super) fn answer(&mut self, at: usize, mut result: ToolResult) {
        if let Some(Event { body: Body::ToolCall(call), .. }) = self.trace.events.get_mut(at) {
            if result.status == ResultStatus::Ok && masked::failed(&call.args, &result.text) {
                result.status = ResultStatus::Failed;
            }
            call.result = result;
            let from = self.open.len().saturating_sub(MAX_OPEN);
            if let Some(found) = self.open.iter().skip(from).rposition(|&open| open == at) {
                self.open.remove(from + found);
            }
        }
    }

    /// Marks every call without an answer as given up.
    pub(super) fn cancel_open(&mut self) {
        for at in mem::take(&mut self.open) {
            if let Some(Event { body: Body::ToolCall(call), .. }) = self.trace.events.get_mut(at) {
                call.result.status = ResultStatus::Cancelled;
            }
        }
    }

    /// Notes how the run ended. A failure, once told, stays.
    pub(super) fn ended(&mut self, outcome: Outcome) {
        if outcome != Outcome::Unknown && self.trace.outcome != Outcome::Failed {
            self.trace.outcome = outcome;
        }
    }
}

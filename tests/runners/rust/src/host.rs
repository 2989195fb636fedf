//! A host in memory that answers requests, honestly or with a fault from a scenario.
//!
//! Decides what a fault means for the store. Never decides what an operation does.

use std::collections::{BTreeMap, VecDeque};

use hardwon::store::{Committed, MemoryStore, Store};
use hardwon_core::error::Error;
use hardwon_core::step::Request;
use serde_json::{Value, json};

/// The space of every scenario.
const SPACE: &str = "default";

/// The store with its faults: by kind of request, what befalls the first, the second and so on.
#[derive(Debug, Default)]
pub struct Host {
    store: MemoryStore,
    dims: usize,
    faults: BTreeMap<String, VecDeque<Value>>,
}

/// How the host deals with a request.
#[derive(Debug)]
pub enum Dealt {
    /// This is the reply.
    Reply(Value),
    /// Another operation is to be run first, and then the request again.
    Rival(Value),
}

impl Host {
    /// A host with an empty store and, where the setup asks for a host's embedder, that embedder.
    pub fn new(setup: &Value) -> Self {
        let dims = setup["embedder"]["dims"].as_u64().unwrap_or(0) as usize;
        Self { dims, ..Self::default() }
    }

    /// Sets the faults of the next operation; an earlier one that never came about is an error.
    pub fn set_faults(&mut self, faults: &Value) -> Result<(), String> {
        if let Some((kind, left)) = self.faults.iter().find(|(_, left)| !left.is_empty()) {
            return Err(format!("{} faults of {kind} never came about", left.len()));
        }
        let lists = faults.as_object().into_iter().flatten();
        let queue = |list: &Value| list.as_array().into_iter().flatten().cloned().collect();
        self.faults = lists.map(|(kind, list)| (kind.clone(), queue(list))).collect();
        Ok(())
    }

    /// Deals with the request in an answer.
    pub fn deal(&mut self, need: &Value) -> Result<Dealt, String> {
        let kind = kind_of(need);
        match self.faults.get_mut(&kind).and_then(VecDeque::pop_front).unwrap_or(Value::Null) {
            Value::Null => self.honest(need).map(Dealt::Reply),
            Value::String(fault) if fault == "conflict" => Ok(Dealt::Reply(json!("conflict"))),
            Value::String(fault) if fault == "lost" => {
                self.honest(need)?;
                Ok(Dealt::Reply(json!("conflict")))
            }
            fault if fault["rival"].is_object() => Ok(Dealt::Rival(fault["rival"].clone())),
            fault if !fault["reply"].is_null() => Ok(Dealt::Reply(fault["reply"].clone())),
            fault => Err(format!("unknown fault {fault}")),
        }
    }

    fn honest(&mut self, need: &Value) -> Result<Value, String> {
        let request: Request = serde_json::from_value(need.clone()).map_err(|problem| problem.to_string())?;
        self.answer(request).map_err(|problem| problem.to_string())
    }

    fn answer(&mut self, request: Request) -> Result<Value, Error> {
        let store = &mut self.store;
        Ok(match request {
            Request::Load { since } => json!({ "loaded": value(&store.load(SPACE, since)?) }),
            Request::Commit(commit) => match store.commit(SPACE, &commit)? {
                Committed::At(rev) => json!({ "committed": rev.0 }),
                Committed::Conflict => json!("conflict"),
            },
            Request::Embed { texts } => {
                json!({ "embedded": texts.iter().map(|text| embed(text, self.dims)).collect::<Vec<_>>() })
            }
            Request::Complete(_) => json!("unsupported"),
            Request::Log(query) => json!({ "logged": value(&store.log(SPACE, &query)?) }),
            Request::TraceAppend { session_id, lines } => {
                store.trace_append(SPACE, &session_id, &lines)?;
                json!("done")
            }
            Request::TraceLoad { session_id } => {
                json!({ "traces": value(&store.trace_load(SPACE, session_id.as_deref())?) })
            }
            Request::TraceMined { sessions, ended } => {
                for (session, lines) in sessions {
                    store.trace_mined(SPACE, &session, lines)?;
                }
                for session in ended {
                    store.trace_drop(SPACE, &session)?;
                }
                json!("done")
            }
            other => return Err(Error::protocol(format!("the host has no answer to {other:?}"))),
        })
    }
}

/// The kind of a request, as faults name it.
pub fn kind_of(need: &Value) -> String {
    match need {
        Value::String(kind) => kind.clone(),
        other => other.as_object().and_then(|map| map.keys().next()).cloned().unwrap_or_default(),
    }
}

/// A vector of whole numbers, so that vectors hold no fractions: how many bytes fall on each component.
fn embed(text: &str, dims: usize) -> Vec<u32> {
    let mut out = vec![0; dims];
    for byte in text.bytes().filter(u8::is_ascii_alphanumeric) {
        if let Some(slot) = out.get_mut(usize::from(byte) % dims.max(1)) {
            *slot += 1;
        }
    }
    out
}

fn value<T: serde::Serialize>(of: &T) -> Value {
    serde_json::to_value(of).unwrap_or_default()
}

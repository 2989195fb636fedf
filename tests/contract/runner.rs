//! Runs `store.jsonl` against any store. See the README beside it for the form of a step.
//!
//! Decides whether an answer equals the expected one. Never knows which store it talks to.

use std::collections::BTreeMap;

use hardwon::store::{Committed, Store};
use hardwon_core::env::Revision;
use hardwon_core::error::Error;
use hardwon_core::step::{Commit, Loaded, LogEntry, LogQuery};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const SCRIPT: &str = include_str!("store.jsonl");

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Line {
    Let { r#let: BTreeMap<String, Value> },
    Case { case: String },
    Step { call: Value, expect: Value },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Call {
    Load { space: String, since: Revision },
    Commit { space: String, commit: Commit },
    Log { space: String, query: LogQuery },
    TraceAppend { space: String, session_id: String, lines: Vec<String> },
    TraceLoad { space: String, session_id: Option<String> },
    TraceMined { space: String, session_id: String, lines: u64 },
    TraceDrop { space: String, session_id: String },
    CacheGet { space: String, name: String, rev: Revision },
    CachePut { space: String, name: String, rev: Revision, bytes: String },
    AnswerGet { space: String, key: String },
    AnswerPut { space: String, answers: Vec<(String, String)> },
    Spaces {},
}

/// Runs every case on a store that `fresh` makes; `between` may close and reopen it after each step. Answers how many
/// cases and steps there were.
pub(crate) fn run<S: Store>(mut fresh: impl FnMut() -> S, mut between: impl FnMut(S) -> S) -> (usize, usize) {
    let (mut names, mut cases, mut steps) = (BTreeMap::new(), 0, 0);
    let (mut store, mut case) = (fresh(), String::new());
    for (number, line) in (1..).zip(SCRIPT.lines()) {
        match parse(line, "a line of the script") {
            Line::Let { r#let } => {
                for (name, value) in r#let {
                    let value = filled_in(value, &names);
                    names.insert(name, value);
                }
            }
            Line::Case { case: next } => {
                (store, case) = (fresh(), next);
                cases += 1;
            }
            Line::Step { call, expect } => {
                let call = filled_in(call, &names);
                let said = answer(&mut store, &call);
                let wanted = as_typed(&call, filled_in(expect, &names));
                assert_eq!(said, wanted, "\nline {number}, case: {case}\ncall: {call}");
                store = between(store);
                steps += 1;
            }
        }
    }
    (cases, steps)
}

fn answer(store: &mut impl Store, call: &Value) -> Value {
    let done = |()| json!("done");
    let said = match parse::<Call>(&call.to_string(), "a call") {
        Call::Load { space, since } => store.load(&space, since).map(plain),
        Call::Commit { space, commit } => store.commit(&space, &commit).map(|answer| match answer {
            Committed::At(rev) => json!({ "committed": rev }),
            Committed::Conflict => json!("conflict"),
        }),
        Call::Log { space, query } => store.log(&space, &query).map(plain),
        Call::TraceAppend { space, session_id, lines } => {
            store.trace_append(&space, &session_id, &lines).map(done)
        }
        Call::TraceLoad { space, session_id } => store.trace_load(&space, session_id.as_deref()).map(plain),
        Call::TraceMined { space, session_id, lines } => {
            store.trace_mined(&space, &session_id, lines).map(done)
        }
        Call::TraceDrop { space, session_id } => store.trace_drop(&space, &session_id).map(done),
        Call::CacheGet { space, name, rev } => {
            store.cache_get(&space, &name, rev).map(|bytes| plain(bytes.map(|bytes| hex(&bytes))))
        }
        Call::CachePut { space, name, rev, bytes } => {
            store.cache_put(&space, &name, rev, &unhex(&bytes)).map(done)
        }
        Call::AnswerGet { space, key } => store.answer_get(&space, &key).map(plain),
        Call::AnswerPut { space, answers } => store.answer_put(&space, &answers).map(done),
        Call::Spaces {} => store.spaces().map(plain),
    };
    said.unwrap_or_else(|error: Error| json!({ "error": error.code() }))
}

/// The expected answer as its type writes it, so that fields with a default may be left out in the script.
fn as_typed(call: &Value, expect: Value) -> Value {
    let is = |method: &str| call.get(method).is_some();
    match () {
        () if expect.get("error").is_some() => expect,
        () if is("load") => plain(parse::<Loaded>(&expect.to_string(), "an expected load")),
        () if is("log") => plain(parse::<Vec<LogEntry>>(&expect.to_string(), "an expected log")),
        () => expect,
    }
}

fn filled_in(value: Value, names: &BTreeMap<String, Value>) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix('$') {
            Some(name) => names.get(name).unwrap_or_else(|| panic!("${name} has no value")).clone(),
            None => Value::String(text),
        },
        Value::Array(list) => list.into_iter().map(|one| filled_in(one, names)).collect(),
        Value::Object(map) => map.into_iter().map(|(key, one)| (key, filled_in(one, names))).collect(),
        other => other,
    }
}

fn parse<T: DeserializeOwned>(json: &str, what: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|cause| panic!("{what} does not parse: {cause}\n{json}"))
}

fn plain(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("protocol types are JSON")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |out, byte| out + &format!("{byte:02x}"))
}

fn unhex(text: &str) -> Vec<u8> {
    let digits =
        text.as_bytes().chunks(2).map(|pair| core::str::from_utf8(pair).expect("hexadecimal digits"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal digits")).collect()
}

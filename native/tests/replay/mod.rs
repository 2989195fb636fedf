//! Real sessions in the order of time, and the lessons of other formats that stand beside theirs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::op::{Learn, List};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Mark, Record, Scope, Subtype};
use hardwon_core::trace::canonical::to_jsonl;
use hardwon_core::trace::{Body, Event, ReadLimits, Reader, ResultStatus, Trace};

/// How many lessons beside the point a memory has at least before the first session is played.
const DISTRACTORS: usize = 100;

/// The formats whose sessions are played, in this order.
pub(crate) const PLAYED: [&str; 2] = ["claude_code", "tau_bench"];

/// A memory with the lessons of every format but those that are played, and a hundred made ones.
pub(crate) fn distracted(dir: &Path) -> Memory<MemoryStore> {
    let memory = Memory::with_store(MemoryStore::new(), "default", Policy::default());
    let mut memory = memory.expect("the default policy is valid");
    for entry in fs::read_dir(dir).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !PLAYED.iter().any(|name| path.ends_with(name)) {
            learn_all(&mut memory, &path);
        }
    }
    let real = lessons(&mut memory).len();
    for number in 0..DISTRACTORS {
        learn(&mut memory, made(number));
    }
    assert!(
        lessons(&mut memory).len() >= DISTRACTORS,
        "too little stands beside the lessons of the sessions"
    );
    println!("{real} lessons of other formats, {} made ones", lessons(&mut memory).len() - real);
    memory
}

/// A session of our own in which a tool fails in its own way.
fn made(number: usize) -> String {
    let (a, b, c) = (word(number * 3), word(number * 3 + 1), word(number * 3 + 2));
    format!(
        r#"{{"type":"tool_call","session_id":"made-{number}","name":"{a}_{b}","args":{{"part":"p7"}},"result":{{"ok":false,"error":"the {b} {c} has no {a} beside it"}}}}"#
    )
}

/// A word that no other number has.
fn word(number: usize) -> String {
    let parts = ["ba", "ko", "ri", "mu", "se", "lo", "ta", "ne"];
    [number / 64 % 8, number / 8 % 8, number % 8].map(|at| parts[at]).concat() + "n"
}

fn learn_all(memory: &mut Memory<MemoryStore>, dir: &Path) {
    for entry in fs::read_dir(dir).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        let Ok(data) = fs::read(&path) else { continue };
        learn(memory, String::from_utf8_lossy(&data).into_owned());
    }
}

/// Learns a file. One that is no trace teaches nothing.
fn learn(memory: &mut Memory<MemoryStore>, data: String) {
    let _ = memory.learn(Learn { data: Some(data), scope: Some(Scope::global()), ..Learn::default() });
}

/// Learns a session as it went, and answers what it repeats of these lessons. Who acted in it did not hear what was
/// said here: its outcome says nothing about that.
pub(crate) fn learned(
    memory: &mut Memory<MemoryStore>,
    trace: &Trace,
    known: &BTreeSet<String>,
) -> Vec<Repeat> {
    let learn = Learn { data: Some(to_jsonl(trace)), scope: Some(Scope::global()), ..Learn::default() };
    memory.learn(learn).expect("a session learned");
    repeats(memory, known, trace)
}

/// All lessons but success patterns.
pub(crate) fn lessons(memory: &mut Memory<MemoryStore>) -> Vec<Record> {
    let mut all = memory.list(List::default()).expect("a list").0;
    all.retain(|record| record.subtype != Subtype::SuccessPattern);
    all
}

/// What a session repeats: a lesson known before it, and the place of the call that failed as it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repeat {
    pub(crate) lesson: String,
    pub(crate) position: u32,
    /// Whether it recurs and does no harm, and is not to be said before a call.
    pub(crate) benign: bool,
}

/// The repeats of a session that has been learned, of the lessons that were known before.
fn repeats(memory: &mut Memory<MemoryStore>, known: &BTreeSet<String>, trace: &Trace) -> Vec<Repeat> {
    let mut out = Vec::new();
    for record in lessons(memory) {
        let (lesson, benign) = (record.id.to_string(), record.marks.contains(&Mark::Benign));
        if known.contains(&lesson) {
            let here = record.evidence.iter().filter(|one| one.session_id == trace.session_id);
            out.extend(here.map(|one| Repeat { lesson: lesson.clone(), position: one.position, benign }));
        }
    }
    out
}

/// The ids of all lessons.
pub(crate) fn ids(memory: &mut Memory<MemoryStore>) -> BTreeSet<String> {
    lessons(memory).iter().map(|one| one.id.to_string()).collect()
}

/// How a call ended; `None` for an event that is no call.
pub(crate) fn status(event: &Event) -> Option<ResultStatus> {
    match &event.body {
        Body::ToolCall(call) => Some(call.result.status),
        _ => None,
    }
}

fn read(path: &Path) -> Vec<Trace> {
    let mut reader = Reader::new(None, ReadLimits::default());
    reader.push(&fs::read(path).expect("a readable sample"));
    reader.finish().map(|reading| reading.traces).unwrap_or_default()
}

/// The sessions of a folder, oldest first; those without times by the numbers in their names.
pub(crate) fn sessions(dir: &Path) -> Vec<Trace> {
    let files = fs::read_dir(dir).expect("a readable folder").map(|entry| entry.expect("an entry").path());
    let mut out: Vec<Trace> = files.flat_map(|file| read(&file)).collect();
    let mut seen = BTreeSet::new();
    out.retain(|trace| seen.insert(trace.session_id.clone()));
    let time = |trace: &Trace| trace.events.iter().find_map(|event| event.ts);
    let number = |trace: &Trace| -> Vec<u32> {
        trace.session_id.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
    };
    out.sort_by_key(|trace| (time(trace), number(trace)));
    out
}

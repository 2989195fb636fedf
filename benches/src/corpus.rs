//! A corpus of lesson-like records, made from word lists by a fixed generator.

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::env::{RecordId, Seed, Timestamp};
use hardwon_core::learn::Strength;
use hardwon_core::op::{ImportRecords, Input, Output};
use hardwon_core::policy::Policy;
use hardwon_core::record::{EventKey, Evidence, Kind, Record, SourceClass, Subtype, Variant};

const VERBS: [&str; 16] = [
    "check", "pass", "create", "restart", "quote", "pin", "lock", "sort", "close", "flush", "retry",
    "validate", "mount", "escape", "rebuild", "trim",
];
const THINGS: [&str; 32] = [
    "schema",
    "branch",
    "directory",
    "token",
    "header",
    "index",
    "worker",
    "cache",
    "socket",
    "migration",
    "fixture",
    "payload",
    "manifest",
    "cursor",
    "replica",
    "snapshot",
    "container",
    "queue",
    "certificate",
    "archive",
    "session",
    "pipeline",
    "renderer",
    "compiler",
    "linter",
    "bucket",
    "tenant",
    "gateway",
    "shard",
    "ledger",
    "sprite",
    "volume",
];
const REASONS: [&str; 16] = [
    "it is not created for you",
    "the default is too small",
    "names are case sensitive",
    "the remote rejects it",
    "the id must come from the list",
    "a stale copy is served otherwise",
    "the order is not kept",
    "two writers race for it",
    "the flag was renamed",
    "the path is relative",
    "empty values are dropped",
    "the port is taken",
    "the file is locked",
    "time zones differ",
    "the limit is per user",
    "it needs a restart",
];

/// The text of record `n`.
pub(crate) fn text(n: usize) -> String {
    let mut state = mix(n as u64 + 1);
    let mut pick = |list: &[&'static str]| {
        state = mix(state);
        list[(state >> 33) as usize % list.len()]
    };
    let (verb, first, second, reason) = (pick(&VERBS), pick(&THINGS), pick(&THINGS), pick(&REASONS));
    format!("{verb} the {first} before the {second} step {}: {reason}", n % 997)
}

/// A query near some record.
pub(crate) fn query(n: usize) -> String {
    let words: Vec<String> = text(n * 7919 % 10_007).split(' ').map(String::from).collect();
    words
        .iter()
        .enumerate()
        .filter(|(at, _)| at % 3 != 1)
        .map(|(_, word)| word.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A memory of `n` records, in memory, with the built-in embedder.
pub(crate) fn memory(n: usize) -> Memory<MemoryStore> {
    let mut memory =
        Memory::with_store(MemoryStore::new(), "bench", Policy::default()).expect("a valid policy");
    for start in (0..n).step_by(10_000) {
        let records = (start..n.min(start + 10_000)).map(record).collect();
        let input = Input::ImportRecords(ImportRecords { records, ..ImportRecords::default() });
        let Output::Imported { .. } = memory.run(input).expect("an import") else {
            unreachable!("an import answers")
        };
    }
    memory
}

/// Record `n`.
pub(crate) fn record(n: usize) -> Record {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&mix(n as u64).to_be_bytes());
    id[8..].copy_from_slice(&(n as u64).to_be_bytes());
    let now = Timestamp(1_790_000_000_000 + n as i64);
    let mut record = Record::new(RecordId(id), Kind::Lesson, Subtype::Taught, SourceClass::User, now);
    record.text = text(n);
    record.key = format!("bench {n}");
    record.tools.insert(format!("tool_{}", n % 40));
    record
}

/// An error as a tool tells it.
pub(crate) fn error(n: usize) -> String {
    let (thing, reason) = (THINGS[n % 32], REASONS[n / 32 % 16]);
    format!("cannot open the {thing} of stage{}: {reason}", n % 61)
}

/// Record `n` as mining makes them: an error, its evidence, a wording, a task. Each hundredth is taught by a person.
pub(crate) fn lesson(n: usize) -> Record {
    let mut lesson = record(n);
    if n.is_multiple_of(100) {
        return lesson;
    }
    let tool = format!("tool_{}", n % 40);
    lesson.subtype = Subtype::Failure;
    lesson.source = SourceClass::Tool;
    lesson.signature = error(n);
    lesson.key = format!("error:{} {n}", lesson.signature);
    lesson.tool_group.clone_from(&tool);
    lesson.trigger = format!("{tool}:mode,path");
    lesson.situations.insert(format!(
        "Mend the {} of stage {} and say what was wrong with it",
        THINGS[n % 32],
        n % 61
    ));
    let variant = Variant {
        text: lesson.text.clone(),
        strength: Strength::Seen,
        subtype: lesson.subtype,
        trigger: lesson.trigger.clone(),
        about: String::new(),
        action: None,
        benign: false,
    };
    for event in 0..=n % 4 {
        let run = format!("run-{}-{event}", n % 300);
        lesson.evidence.insert(Evidence {
            key: EventKey(mix((n * 4 + event) as u64)),
            session_id: run.clone(),
            root_run_id: run,
            event_id: format!("toolu_{n:08}_{event}"),
            position: 17,
            ts: lesson.created_at,
            undated: false,
            tool: tool.clone(),
            says: variant.key(),
        });
    }
    lesson.variants.insert(variant);
    lesson
}

/// A seed for operation `n`.
pub(crate) fn seed(n: usize) -> Seed {
    let mut seed = [1; 16];
    seed[..8].copy_from_slice(&(n as u64).to_le_bytes());
    Seed(seed)
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

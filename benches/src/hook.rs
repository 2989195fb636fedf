//! Hooks from the start of the process to the answer, on a store of 2,000 records and a session of 300 events.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use hardwon::store::Store as _;
use hardwon::{Memory, OpenOptions};
use hardwon_core::op::{ImportRecords, Input, Learn};
use hardwon_core::record::Scope;
use serde_json::{Value, json};

use crate::corpus;
use crate::measure::Report;

/// Records of the store, and sessions that have been learned from.
const RECORDS: usize = 2_000;
const SESSIONS: usize = 200;
/// Events of the session.
const EVENTS: usize = 300;
/// The median of an event may cost this many bare starts of the same program (`--version`).
const BOUND: f64 = 9.0;

/// Runs every event `runs` times, each beside a bare start.
pub(crate) fn run(report: &mut Report, runs: usize) {
    let Some(program) = program() else {
        report.missing("hook: build the command first, `cargo build --release -p hardwon`");
        return;
    };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let store = filled(dir.path());
    let mut bare = Vec::new();
    let mut medians = Vec::new();
    for (name, event, fields) in events() {
        let mut input = json!({"session_id": "bench", "cwd": dir.path()});
        input.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        let times = (0..runs).map(|_| {
            bare.push(time(Command::new(&program).arg("--version"), ""));
            let mut command = Command::new(&program);
            command.args(["hook", event, "--agent", "claude", "--store"]).arg(&store);
            time(&mut command, &input.to_string())
        });
        let times = sorted(times.collect());
        report.figure(&format!("hook {name}, p50"), RECORDS, "ms", share(&times, 50));
        report.figure(&format!("hook {name}, p95"), RECORDS, "ms", share(&times, 95));
        // What mines the session runs beside the next ones, and is no part of the answer.
        medians.extend((event != "stop").then(|| (name, share(&times, 50))));
    }
    let bare = share(&sorted(bare), 50);
    report.figure("bare start, p50", RECORDS, "ms", bare);
    for (name, median) in medians {
        report.ratio(&format!("hook {name} / bare start"), RECORDS, median / bare, BOUND);
    }
}

/// The command, built beside the benchmarks.
pub(crate) fn program() -> Option<PathBuf> {
    let path =
        std::env::current_exe().ok()?.with_file_name(format!("hardwon{}", std::env::consts::EXE_SUFFIX));
    path.is_file().then_some(path)
}

/// Each event as Claude Code tells it: a name for the figure, the event, its fields.
fn events() -> Vec<(&'static str, &'static str, Value)> {
    let unknown = json!({"tool_name": "Bash", "tool_input": {"command": "ls -la src"}, "tool_use_id": "t"});
    let known =
        json!({"tool_name": "tool_3", "tool_input": {"path": "out/a.txt", "mode": "w"}, "tool_use_id": "t"});
    let with = |call: &Value, field: &str, value: Value| {
        let mut call = call.clone();
        call[field] = value;
        call
    };
    vec![
        ("session-start", "session-start", json!({"source": "startup"})),
        ("prompt", "prompt", json!({"prompt": corpus::query(7)})),
        ("pre-tool", "pre-tool", unknown.clone()),
        ("pre-tool with lessons", "pre-tool", known.clone()),
        ("post-tool", "post-tool", with(&unknown, "tool_response", json!({"stdout": "line\n".repeat(400)}))),
        ("post-tool-failure", "post-tool-failure", with(&known, "error", json!(corpus::error(3)))),
        ("stop", "stop", json!({"last_assistant_message": ""})),
    ]
}

fn filled(dir: &Path) -> PathBuf {
    let path = dir.join("bench");
    let mut memory = Memory::open(OpenOptions::new(&path)).expect("a store");
    let learn = Learn { data: Some(sessions()), scope: Some(Scope::global()), ..Learn::default() };
    memory.run(Input::Learn(learn)).expect("a readable trace");
    let records = (0..RECORDS).map(corpus::lesson).collect();
    memory
        .run(Input::ImportRecords(ImportRecords { records, ..ImportRecords::default() }))
        .expect("an import");
    let lines: Vec<String> = (0..EVENTS).map(|n| call("bench", n)).collect();
    memory.store().trace_append("default", "bench", &lines).expect("a live trace");
    path
}

/// Sessions without a failure: marks of runs, as a store has many.
fn sessions() -> String {
    let lines = (0..SESSIONS).flat_map(|session| (0..40).map(move |n| call(&format!("s{session}"), n)));
    lines.collect::<Vec<_>>().join("\n")
}

fn call(session: &str, n: usize) -> String {
    json!({
        "type": "tool_call", "session_id": session, "event_id": format!("{session}-{n}"), "call_id": format!("{n}"),
        "name": "Bash", "args": {"command": format!("make stage{}", n % 12)},
        "result": {"ok": true, "result": "compiled without a warning; wrote 12 artefacts. ".repeat(20)},
    })
    .to_string()
}

/// Milliseconds of a run from its start to its end.
fn time(command: &mut Command, input: &str) -> f64 {
    let started = now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the command");
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).expect("its input");
    }
    child.wait_with_output().expect("its end");
    started.elapsed().as_secs_f64() * 1e3
}

#[allow(clippy::disallowed_methods, reason = "a process's start is felt by the clock on the wall")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times
}

/// The time that so many of a hundred runs stay under.
fn share(times: &[f64], percent: usize) -> f64 {
    times.get(times.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default()
}

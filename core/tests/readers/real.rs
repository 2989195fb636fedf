//! The readers on real traces. The numbers do not come from the readers: totals are those of a separate count of
//! the JSON, and each answer with an error flag, or with error words near its beginning, was looked at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hardwon_core::trace::{Outcome, Reading, ResultStatus};
use serde_json::Value;

use super::common::{calls, read, tally, words};

/// The folder of real traces; `None`, with a notice, where it is missing.
fn traces() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/traces");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("NOTICE: {} is missing; tests on real traces are skipped", folder.display());
    None
}

fn file(path: &Path) -> Reading {
    read(&std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Per file: ok, failed, refused, cancelled, missing, and how often a person spoke.
const CLAUDE_CODE: [(&str, [usize; 5], usize); 15] = [
    // Three writes, a read, an edit, an `rm`; three prompts.
    ("4c2ddfdc-b619-4525-8d03-1950fb1b0257.jsonl", [6, 0, 0, 0, 0], 3),
    // A warm-up without calls.
    ("agent-36541525.jsonl", [0, 0, 0, 0, 0], 1),
    // Line 8 "File does not exist."; lines 10 to 22 are its seven siblings. The `find` of line 111 has `is_error:
    // false`.
    ("agent-a2898e3.jsonl", [25, 1, 0, 7, 0], 1),
    // Line 5 has `is_error`; line 17 calls TodoWrite without an answer, and so does line 9. Lines 6 to 8 are the
    // host's.
    ("edge_cases.jsonl", [0, 1, 0, 0, 2], 4),
    ("representative_messages.jsonl", [2, 0, 0, 0, 0], 4),
    // Entry 21: a red test, exit code 1.
    ("sample_session.json", [11, 1, 0, 0, 0], 5),
    ("sample_session.jsonl", [2, 0, 0, 0, 0], 2),
    // Line 121 refused; 153 push without upstream; 241, 251, 263, 272 tests; 469 a file that is gone.
    // Of six texts in user lines two are a person's; the others are an interrupt, a summary and notifications.
    ("session-258c7280-condensed.jsonl", [179, 6, 1, 0, 0], 2),
    // Lines 287 ignored paths, 301, 326, 361 hooks of a commit, 385 push. "continue" is line 59.
    ("session-4d5611e5-condensed.jsonl", [145, 5, 0, 0, 0], 2),
    // Lines 25, 98, 165, 229, 324, 341, 352, 367, 378, 383, 391, 432; line 325 is a sibling of 324.
    ("session-8463c716-condensed.jsonl", [164, 12, 0, 1, 0], 1),
    // Lines 85, 161, 230, 318, 351, 364, 372, 380, 388, 396, 402, 599. Line 30 is a skill's text, 407 to 410 the
    // host's.
    ("session-ae4a77f8-condensed.jsonl", [230, 12, 0, 0, 0], 2),
    // Lines 85, 113, 121, 151, 258, 276, 342, 467.
    ("session-fa812bfe-condensed.jsonl", [189, 8, 0, 0, 0], 2),
    // Both calls were refused.
    ("short.jsonl", [0, 0, 2, 0, 0], 1),
    // The task is what stands after the slash command of line 4; "create the beads" is line 71.
    ("subagent.jsonl", [16, 0, 0, 0, 0], 2),
    // Interrupted twice, each time after the answers. Lines 20 to 22 are a command without arguments.
    ("tool_heavy.jsonl", [6, 0, 0, 0, 0], 2),
];

#[test]
fn claude_code_files_hold_what_was_counted() {
    let Some(folder) = traces() else { return };
    for (name, counts, spoken) in CLAUDE_CODE {
        let reading = file(&folder.join("claude_code").join(name));
        assert_eq!(tally(&reading.traces), counts, "{name}");
        assert_eq!(reading.traces.iter().map(|trace| words(trace).len()).sum::<usize>(), spoken, "{name}");
        assert_eq!(reading.report.bad_total, if name == "edge_cases.jsonl" { 6 } else { 0 }, "{name}");
    }
}

#[test]
fn claude_code_edge_cases_are_reported_by_line() {
    let Some(folder) = traces() else { return };
    let reading = file(&folder.join("claude_code/edge_cases.jsonl"));
    // A misspelt `content`, a message that is a string, a string, an object, a number, an array.
    let lines: Vec<u64> = reading.report.bad.iter().map(|bad| bad.line).collect();
    assert_eq!(lines, [10, 11, 13, 14, 15, 16]);
}

#[test]
fn a_claude_code_sub_agent_counts_for_its_session() {
    let Some(folder) = traces() else { return };
    let main = file(&folder.join("claude_code/session-4d5611e5-condensed.jsonl"));
    let agent = file(&folder.join("claude_code/agent-a2898e3.jsonl"));
    assert_eq!(agent.traces[0].root_run_id, main.traces[0].session_id);
    assert_eq!(agent.traces[0].session_id, format!("{}/a2898e3", main.traces[0].session_id));
}

#[test]
fn condensed_claude_code_results_are_known_to_be_cut() {
    let Some(folder) = traces() else { return };
    let reading = file(&folder.join("claude_code/session-ae4a77f8-condensed.jsonl"));
    // One of them ends with a sub-agent's figures after the mark.
    let cut =
        calls(&reading.traces[0]).iter().filter(|call| call.result.text.contains(" chars cut]")).count();
    let marked = calls(&reading.traces[0]).iter().filter(|call| call.result.cut).count();
    assert!(cut == 131 && marked == cut, "{cut} are cut, {marked} are marked");
}

#[test]
fn a_claude_code_stream_holds_what_was_counted() {
    let Some(folder) = traces() else { return };
    let reading = file(&folder.join("claude_code_stream/engram-g1-correction-1.jsonl"));
    // Two skills launched, two commands; the texts of the skills are no person's words.
    assert_eq!(tally(&reading.traces), [4, 0, 0, 0, 0]);
    assert!(words(&reading.traces[0]).is_empty());
    assert_eq!(reading.traces[0].session_id, "3339245b-1851-4522-b276-3c8eca52e845");
}

#[test]
fn tau_bench_failures_are_exactly_the_labelled_ones() {
    let Some(folder) = traces() else { return };
    let mut found: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let (mut sessions, mut all, mut succeeded) = (0, 0, 0);
    for path in tau_files(&folder) {
        for trace in file(&path).traces {
            sessions += 1;
            succeeded += usize::from(trace.outcome == Outcome::Success);
            for call in calls(&trace) {
                all += 1;
                assert_ne!(call.result.status, ResultStatus::Missing, "{}", trace.session_id);
                if call.result.status == ResultStatus::Failed {
                    let key = (trace.session_id.clone(), call.name.clone(), call.result.text.clone());
                    *found.entry(key).or_default() += 1;
                }
            }
        }
    }
    // 200 sessions, 84 with reward 1; 1164 calls, each with its answer.
    assert_eq!((sessions, succeeded, all), (200, 84, 1164));
    assert_eq!(found.values().sum::<usize>(), 73);
    assert_eq!(found, labels(&folder, "error"));
}

#[test]
fn tau_bench_failures_have_the_labelled_arguments() {
    let Some(folder) = traces() else { return };
    let mut found: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for path in tau_files(&folder) {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        for (line, trace) in text.lines().zip(file(&path).traces) {
            let source: Value = serde_json::from_str(line).expect("a session");
            let given = source["traj"]
                .as_array()
                .expect("messages")
                .iter()
                .flat_map(|message| message["tool_calls"].as_array().cloned().unwrap_or_default());
            for (given, call) in given.zip(calls(&trace)) {
                let text = given["function"]["arguments"].as_str().expect("a string");
                assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), call.args);
                if call.result.status == ResultStatus::Failed {
                    let input: String = text.chars().take(400).collect();
                    *found.entry((trace.session_id.clone(), call.name.clone(), input)).or_default() += 1;
                }
            }
        }
    }
    assert_eq!(found, labels(&folder, "input"));
}

fn tau_files(folder: &Path) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(folder.join("tau_bench")).expect("a folder");
    let mut files: Vec<PathBuf> = listing.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.to_string_lossy().contains("_sessions_"));
    files.sort();
    files
}

fn labels(folder: &Path, field: &str) -> BTreeMap<(String, String, String), usize> {
    let mut out = BTreeMap::new();
    let text = std::fs::read_to_string(folder.join("tau_bench/failures_gold.jsonl")).expect("labels");
    for line in text.lines() {
        let label: Value = serde_json::from_str(line).expect("a label");
        let text = |key: &str| label[key].as_str().expect("a string").to_string();
        *out.entry((text("session"), text("tool"), text(field))).or_default() += 1;
    }
    out
}

#[test]
fn langchain_messages_hold_what_was_counted() {
    let Some(folder) = traces() else { return };
    let reading = file(&folder.join("langchain_runs/messages.json"));
    // Three runs with three, two and one calls; the first call of the first two writes into a missing folder.
    assert_eq!(reading.traces.len(), 3);
    assert_eq!(tally(&reading.traces), [4, 2, 0, 0, 0]);
    for (trace, calls_made) in reading.traces.iter().zip([3, 2, 1]) {
        assert_eq!(calls(trace).len(), calls_made);
        assert!(trace.anonymous);
    }
}

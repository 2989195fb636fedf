//! Signals from trace to store: what counts and stays silent, what waits for review, what a switch turns on.

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::op::{Learn, List, Recall};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Mark, Record, Scope, Status, Subtype};
use serde_json::{Value, json};

fn memory(policy: Policy) -> Memory<MemoryStore> {
    Memory::with_store(MemoryStore::new(), "default", policy).expect("a valid policy")
}

/// A run written as calls: tool, arguments, whether it worked, and what it said.
fn run(session: &str, calls: &[(&str, Value, bool, &str)]) -> Vec<Value> {
    let mut lines = vec![json!({ "type": "start", "task": "Make the build pass", "session_id": session })];
    for (step, (name, args, ok, said)) in calls.iter().enumerate() {
        let result =
            if *ok { json!({ "ok": true, "result": said }) } else { json!({ "ok": false, "error": said }) };
        lines.push(json!({ "type": "tool_call", "step": step, "call_index": 0, "name": name, "args": args,
            "result": result, "session_id": session, "event_id": format!("{session}-{step}") }));
    }
    lines
}

fn learn(memory: &mut Memory<MemoryStore>, lines: &[Value]) {
    let data = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let learn = Learn { data: Some(data), scope: Some(Scope::global()), ..Learn::default() };
    memory.learn(learn).expect("a readable trace");
}

fn lessons(memory: &mut Memory<MemoryStore>) -> Vec<Record> {
    memory.list(List { status: Status::ALL.iter().copied().collect(), ..List::default() }).expect("a list").0
}

fn shell(command: &str) -> Value {
    json!({ "command": command })
}

/// A failing build that the run mends by editing its code.
fn edit_test_loop(session: &str) -> Vec<Value> {
    let edit = json!({ "file_path": "src/a.rs", "old_string": "a", "new_string": "b" });
    let error = "error[E0382]: borrow of a value that was moved before";
    run(
        session,
        &[
            ("bash", shell("cargo build"), false, error),
            ("edit", edit, true, "edited"),
            ("bash", shell("cargo build"), true, "Finished"),
        ],
    )
}

#[test]
fn a_loop_is_silent_until_a_second_root_run_shows_it() {
    let mut memory = memory(Policy::default());
    learn(&mut memory, &edit_test_loop("a"));
    let once = lessons(&mut memory).into_iter().find(|record| record.subtype == Subtype::Failure);
    let once = once.expect("it is counted");
    assert!(once.marks.contains(&Mark::Looped) && once.marks.contains(&Mark::Bare));
    let shown = |memory: &mut Memory<MemoryStore>| {
        let recall = Recall {
            tool: "bash".to_owned(),
            args: shell("cargo build").to_string(),
            error: "error[E0382]: borrow of a value that was moved before".to_owned(),
            ..Recall::default()
        };
        memory.recall(recall).expect("an answer").items.iter().any(|item| item.text == once.text)
    };
    assert!(!shown(&mut memory), "one run's own code is no lesson yet");
    learn(&mut memory, &edit_test_loop("b"));
    let twice =
        lessons(&mut memory).into_iter().find(|record| record.id == once.id).expect("the same lesson");
    assert!(!twice.marks.contains(&Mark::Looped) && twice.hits() == 2);
    assert!(shown(&mut memory), "a second run shows that it was not the code alone");
}

#[test]
fn a_bypass_waits_for_review_and_the_failure_counts_without_it() {
    let mut memory = memory(Policy::default());
    for session in ["a", "b", "c"] {
        let calls = [
            ("bash", shell("git commit -m x"), false, "hook: the style check refused the commit"),
            ("bash", shell("git commit --no-verify -m x"), true, "1 file changed"),
        ];
        learn(&mut memory, &run(session, &calls));
    }
    let all = lessons(&mut memory);
    let (held, spoken): (Vec<&Record>, Vec<&Record>) =
        all.iter().partition(|record| record.marks.contains(&Mark::Bypass));
    assert_eq!(held.len(), 1, "{all:#?}");
    assert_eq!(
        (held[0].status, held[0].status_reason.as_str(), held[0].hits()),
        (Status::Quarantined, "bypass", 3)
    );
    assert!(spoken.iter().any(|record| record.hits() == 3), "the failure itself is promoted");
    assert!(spoken.iter().all(|record| !record.text.contains("no-verify")));
}

#[test]
fn postmortems_are_off_until_the_policy_asks_for_them() {
    let of = |on: bool| {
        let mut policy = Policy::default();
        policy.learn.postmortems = on;
        let mut memory = memory(policy);
        learn(&mut memory, &edit_test_loop("a"));
        lessons(&mut memory).into_iter().filter(|record| record.subtype == Subtype::Postmortem).count()
    };
    assert_eq!((of(false), of(true)), (0, 1));
}

#[test]
fn runs_of_one_task_are_contrasted_only_when_they_are_learned_together() {
    let book = |session: &str, confirmed: bool| {
        let mut calls = vec![("book", json!({ "room": "q" }), true, "booked")];
        if confirmed {
            calls.push(("confirm", json!({ "room": "q" }), true, "ok"));
        }
        let mut lines = run(session, &calls);
        let end = if confirmed {
            json!({ "type": "final", "text": "Booked.", "outcome": "success", "session_id": session })
        } else {
            json!({ "type": "failed", "reason": "the room was not held", "session_id": session })
        };
        lines.push(end);
        lines
    };
    let contrasts = |memory: &mut Memory<MemoryStore>| {
        lessons(memory).into_iter().filter(|record| record.subtype == Subtype::Contrast).count()
    };
    let runs = [book("a", true), book("b", false), book("c", true)];
    let mut together = memory(Policy::default());
    learn(&mut together, &runs.concat());
    assert_eq!(contrasts(&mut together), 1);
    let mut apart = memory(Policy::default());
    for lines in &runs {
        learn(&mut apart, lines);
    }
    assert_eq!(contrasts(&mut apart), 0);
}

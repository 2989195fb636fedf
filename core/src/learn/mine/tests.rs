use super::*;
use crate::learn::testing::{Script, run};
use crate::trace::{Body, Event, Outcome, ResultStatus, ToolCall, ToolResult};
use alloc::string::ToString;
use proptest::prelude::*;
use serde_json::json;
use std::vec;

const NO_UPSTREAM: &str = "fatal: The current branch feat-x has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream origin feat-x\n";

#[test]
fn five_identical_failures_are_one_draft_with_five_evidences() {
    let mut script = run("s");
    for _ in 0..5 {
        script = script.fails(
            "send_mail",
            json!({ "to": "nobody" }),
            "Error: the mail server refused the recipient",
        );
    }
    let draft = script.draft();
    assert_eq!(draft.evidence.len(), 5);
    let ids: Vec<&str> = draft.evidence.iter().map(|one| one.event_id.as_str()).collect();
    assert_eq!(ids, ["call_0", "call_1", "call_2", "call_3", "call_4"]);
    assert!(draft.evidence.iter().all(|one| one.undated && one.tool == "send_mail" && one.session_id == "s"));
    assert!(draft.evidence.iter().all(|one| one.says == TextKey::of(&draft.text)));
}

#[test]
fn values_of_a_run_are_in_no_text_and_no_key() {
    let one = |user: &str, amount: &str| {
        run(user)
            .user(&format!("I am {user}"))
            .fails(
                "pay",
                json!({ "user": user, "amount": amount }),
                &format!("Error: account of {user} cannot cover the amount {amount}"),
            )
            .draft()
    };
    let (a, b) = (one("mia_li_3668", "1203"), one("sven_oe_11", "17"));
    assert_eq!((&a.key, &a.text, &a.signature), (&b.key, &b.text, &b.signature));
    for draft in [a, b] {
        let all = format!("{} {} {} {}", draft.key, draft.text, draft.signature, draft.trigger);
        assert!(!["mia", "sven", "1203", "17"].iter().any(|value| all.contains(value)), "{all}");
    }
}

#[test]
fn a_generic_error_is_keyed_by_what_was_called() {
    let key = |command: &str| run("s").shell_fails(command, "Exit code 3\nfailed").draft().key;
    assert_eq!(key("foo sync --all a"), key("foo sync b"));
    assert_ne!(key("foo sync a"), key("foo drop a"));
}

#[test]
fn a_specific_error_is_one_lesson_whatever_the_tool() {
    let by = |script: Script| script.draft().key;
    let tool = by(run("a").fails("deploy", json!({}), "Error: the region list is empty"));
    let shell = by(run("b").shell_fails("cloud up", "cloud: the region list is empty"));
    assert_eq!(tool, shell);
}

#[test]
fn a_remedy_is_the_text_and_never_a_second_lesson() {
    let script = run("s").shell_fails("git push", NO_UPSTREAM).shell_ok("git push -u origin feat-x", "done");
    let draft = script.draft();
    assert_eq!((draft.subtype, draft.strength), (Subtype::HintFollowed, Strength::Proven));
    assert_eq!(
        draft.text,
        "Use `git push --set-upstream origin <name>`: The current branch has no upstream branch"
    );
}

#[test]
fn what_only_states_a_failure_is_marked_bare() {
    let draft = run("s").fails("render", json!({}), "The palette has an odd number of colours").draft();
    assert!(draft.marks.contains(&Mark::Bare) && draft.strength == Strength::Bare);
}

#[test]
fn an_answer_about_the_world_is_kept_and_marked_benign() {
    let draft = run("s").fails("book", json!({ "show": "S1" }), "Error: the show is sold out").draft();
    assert!(draft.marks.contains(&Mark::Benign));
}

#[test]
fn a_run_without_failure_gives_no_lesson_from_failures() {
    let mined = run("s").ok("look", json!({}), "fine").mined();
    assert!(mined.drafts.is_empty() && mined.skipped.is_empty());
}

#[test]
fn the_same_trace_gives_the_same_drafts() {
    let script = run("s")
        .shell_fails("git push", NO_UPSTREAM)
        .fails("a", json!({}), "Error: the first thing went wrong")
        .fails("b", json!({}), "Error: the second thing went wrong");
    assert_eq!(script.mined(), script.mined());
    let positions: Vec<u32> = script.mined().drafts.iter().map(|draft| draft.evidence[0].position).collect();
    assert_eq!(positions, [0, 1, 2]);
}

#[test]
fn texts_are_short() {
    let long = "word ".repeat(400);
    let draft = run("s").fails("x", json!({}), &format!("Error: {long}")).draft();
    assert!(draft.text.len() <= 160, "{}", draft.text.len());
}

#[test]
fn the_situation_is_the_task_without_values() {
    let draft = run("s")
        .task("Book flight HAT136 for user mia_li_3668 on 2024-05-20")
        .fails("x", json!({}), "Error: no such thing at all")
        .draft();
    assert_eq!(draft.situation, "Book flight <id> for user <name> on <date>");
}

fn any_event() -> impl Strategy<Value = Body> {
    let text = prop_oneof![
        "\\PC{0,80}",
        prop::sample::select(vec![
            "Exit code 1\nTraceback (most recent call last):\n  File \"x\", line 1\nKeyError: 'a'",
            "fatal: pathspec 'x' did not match any files",
            "{\"error\": {\"message\": \"no\"}}",
            "`",
            "error:",
            "[X]",
            "Error: a.\u{301} '",
            "use 'git pull'",
        ])
        .prop_map(str::to_string),
    ];
    let command = prop_oneof![
        "\\PC{0,40}",
        prop::sample::select(vec!["git push", "pytest a.py | tail", "sed -i s/a/b/ x", "$("])
            .prop_map(str::to_string)
    ];
    let status = prop::sample::select(vec![
        ResultStatus::Ok,
        ResultStatus::Failed,
        ResultStatus::Refused,
        ResultStatus::Cancelled,
        ResultStatus::Missing,
    ]);
    let name = prop::sample::select(vec!["Bash", "Edit", "list_things", "", "é"]);
    (text, command, status, name, 0..4_u8).prop_map(|(text, command, status, name, kind)| match kind {
        0 => Body::Final { text },
        1 => Body::User { text },
        _ => Body::ToolCall(ToolCall {
            call_id: command.clone(),
            name: name.to_string(),
            args: json!({ "command": command, "file_path": text.clone() }),
            result: ToolResult { status, text, ..ToolResult::default() },
        }),
    })
}

proptest! {
    #[test]
    fn every_failure_is_drafted_or_skipped_with_a_reason(bodies in proptest::collection::vec(any_event(), 0..30)) {
        let event = |(at, body): (usize, _)| Event {
            id: None, id_is_global: false, ts: None, position: at as u32, body,
        };
        let events = bodies.into_iter().enumerate().map(event).collect();
        let trace = Trace { events, outcome: Outcome::Unknown, ..Trace::default() };
        let mined = mine(&trace);
        prop_assert_eq!(&mined, &mine(&trace));
        for event in &trace.events {
            let Body::ToolCall(call) = &event.body else { continue };
            if call.result.status != ResultStatus::Failed {
                continue;
            }
            let errors = mined.drafts.iter().filter(|draft| draft.key.starts_with(ERROR_KEY));
            let evidence = errors.flat_map(|draft| &draft.evidence);
            let drafted = evidence.filter(|one| one.position == event.position).count();
            let skipped = mined.skipped.iter().filter(|one| one.position == event.position).count();
            prop_assert_eq!(drafted + skipped, 1);
        }
        for draft in &mined.drafts {
            prop_assert!(!draft.text.is_empty() && !draft.text.contains('\n'));
        }
    }
}

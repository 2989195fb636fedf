use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::*;
use crate::learn::testing::{Script, run};
use crate::trace::{ResultStatus, ToolResult};

fn call(name: &str, args: Value, error: &str) -> ToolCall {
    let result =
        ToolResult { status: ResultStatus::Failed, text: error.to_string(), ..ToolResult::default() };
    ToolCall { call_id: String::new(), name: name.to_string(), args, result }
}

fn shell(command: &str, error: &str) -> ToolCall {
    call("Bash", json!({ "command": command, "description": "x" }), error)
}

/// The command line that an action learned from one run proposes for a failing call.
fn proposed(learned: &Script, failing: &ToolCall) -> Option<String> {
    let action = learned.draft().action?;
    let applied = apply(&action, failing, &[])?;
    applied.args["command"].as_str().map(ToString::to_string)
}

#[test]
fn a_hinted_command_takes_its_values_from_the_new_error() {
    let error = |branch: &str| {
        alloc::format!(
            "fatal: The current branch {branch} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream origin {branch}\n"
        )
    };
    let learned = run("a")
        .shell_fails("git push", &error("one"))
        .shell_ok("git push --set-upstream origin one", "done");
    let failing = shell("git push", &error("two"));
    assert_eq!(proposed(&learned, &failing).as_deref(), Some("git push --set-upstream origin two"));
    // Without the error there is nothing to take the branch from.
    assert_eq!(proposed(&learned, &shell("git push", "")), None);
}

#[test]
fn a_flag_and_a_program_change_only_their_word() {
    let flag = run("a")
        .shell_fails("tool pull a", "the remote hung up: --slow was not given")
        .shell_ok("tool pull --slow a", "ok");
    let line = "cd x && tool pull b | tail -1";
    assert_eq!(proposed(&flag, &shell(line, "")).as_deref(), Some("cd x && tool pull --slow b | tail -1"));
    assert_eq!(proposed(&flag, &shell("tool pull --slow b", "")), None, "it is there already");
    let program = run("b")
        .shell_fails("python -m http.server", "bash: python: command not found")
        .shell_ok("python3 -m http.server", "ok");
    assert_eq!(program.draft().text, "Use `python3` instead of `python` here: command not found");
    assert_eq!(proposed(&program, &shell("cd a; python b.py", "")).as_deref(), Some("cd a; python3 b.py"));
}

#[test]
fn a_step_before_is_proposed_with_the_call_to_follow() {
    let error = "File has not been read yet. Read it first before writing to it.";
    let edit = |path: &str| json!({ "file_path": path, "old_string": "x", "new_string": "y" });
    let learned = run("a").fails("Edit", edit("/a"), error).ok("Read", json!({ "file_path": "/a" }), "x").ok(
        "Edit",
        edit("/a"),
        "done",
    );
    let action = learned.draft().action.expect("an action");
    let applied = apply(&action, &call("Edit", edit("/b"), error), &[]).expect("a proposal");
    assert_eq!((applied.name.as_str(), applied.again), ("Read", true));
    assert_eq!(applied.args, json!({ "file_path": "/b" }));
}

/// A shop where the right id stands in the output of another tool.
fn shop(user: &str, wrong: &str, right: &str) -> Script {
    let profile =
        json!({ "name": user, "methods": { right: { "id": right }, "coupon_77": { "id": "coupon_77" } } });
    run(user)
        .user("Pay my order, please")
        .ok("get_profile", json!({ "user": user }), &profile.to_string())
        .fails("pay", json!({ "method": wrong }), "Error: payment method not found")
        .ok("pay", json!({ "method": right }), "paid")
}

#[test]
fn a_value_is_taken_from_the_output_that_lists_it() {
    let draft = shop("ann", "card_1", "card_9074").draft();
    assert_eq!(draft.text, "Take `method` for `pay` from `get_profile`: payment method not found");
    let action = draft.action.expect("an action");
    let slot = Slot::Output { tool: "get_profile".to_string(), field: "methods".to_string() };
    assert_eq!(action, Action::SetArgument { key: "method".to_string(), value: slot });
    let later = shop("bob", "card_5", "card_6021");
    let failing = call("pay", json!({ "method": "card_5" }), "Error: payment method not found");
    let applied = apply(&action, &failing, &later.trace.events[..2]).expect("a proposal");
    assert_eq!(applied.args, json!({ "method": "card_6021" }));
    // The one whose entry has the number that the wrong id was made of.
    let described =
        json!({ "methods": { "card_1111": { "last_four": "5005" }, "card_2222": { "last_four": "1" } } });
    let told = run("d").ok("get_profile", json!({}), &described.to_string());
    let guessed = call("pay", json!({ "method": "card_5005" }), "Error: payment method not found");
    let applied = apply(&action, &guessed, &told.trace.events).expect("a proposal");
    assert_eq!(applied.args, json!({ "method": "card_1111" }));
    // Two that fit alike: nothing is proposed.
    let two = json!({ "methods": { "card_1111": {}, "card_2222": {} } }).to_string();
    let unclear = run("c").ok("get_profile", json!({}), &two);
    assert_eq!(apply(&action, &failing, &unclear.trace.events), None);
}

#[test]
fn amounts_are_made_to_add_up() {
    let pay = |a: u32, b: u32| json!({ "order": "o", "parts": [{ "id": "x", "amount": a }, { "id": "y", "amount": b }] });
    let draft = run("a")
        .fails("pay", pay(10, 20), "Error: the amount does not add up, total price is 40, but paid 30")
        .ok("pay", pay(10, 30), "paid")
        .draft();
    let action = draft.action.expect("an action");
    let error = "Error: the amount does not add up, total price is 99.5, but paid 7";
    let applied = apply(&action, &call("pay", pay(3, 4), error), &[]).expect("a proposal");
    assert_eq!(applied.args["parts"][1]["amount"], json!(96.5));
}

#[test]
fn an_action_holds_no_value_of_the_run() {
    let draft = shop("mia_li_3668", "card_1", "card_9074831").draft();
    let text = serde_json::to_string(&draft.action).expect("it serialises");
    assert!(!["mia", "9074831", "card"].iter().any(|value| text.contains(value)), "{text}");
    let back: Option<Action> = serde_json::from_str(&text).expect("it reads back");
    assert_eq!(back, draft.action);
}

#[test]
fn applying_anything_to_anything_never_panics() {
    let actions: Vec<Action> = alloc::vec![
        Action::AddFlag { flag: "--a".into() },
        Action::DropFlag { flag: "é".into() },
        Action::Use { command: "<name> <name>".into() },
        Action::SetArgument { key: "k".into(), value: Slot::Argument { key: "none".into() } },
        Action::DropArgument { key: "k".into() },
        Action::SumTo { key: "k".into(), field: "f".into(), after: "é".into() },
    ];
    let calls = [
        shell("", ""),
        shell("é|&&", "é 12"),
        call("Bash", json!(null), ""),
        call("", json!([1, { "k": [] }]), "é"),
        call("x", json!({ "k": [{ "f": 1 }] }), "é1.2.3"),
    ];
    for action in &actions {
        for call in &calls {
            drop(apply(action, call, &[]));
        }
    }
}

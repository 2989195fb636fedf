//! Hooks as agents call them: what is answered, what is learned from the session, and that nothing goes wrong loudly.

mod cli_support;

use core::time::Duration;
use std::fs;
use std::thread;
use std::time::Instant;

use cli_support::{Home, schema, text};
use serde_json::{Value, json};

const ERROR: &str = "ENOENT: no such file or directory, open 'out/report.txt'";

/// A home with a repository in it.
fn home() -> Home {
    let home = Home::new();
    home.put("work/.git/HEAD", "ref: refs/heads/main\n");
    home.put("work/.git/config", "[remote \"origin\"]\n\turl = git@example.org:ann/game.git\n");
    home
}

/// What a hook answers; `None` where it says nothing. Its exit status is always 0, and what it says fits the agent.
fn hook(home: &Home, agent: &str, event: &str, session: &str, fields: impl Into<Value>) -> Option<Value> {
    let mut input = json!({"session_id": session, "cwd": home.join("work")});
    let fields: Value = fields.into();
    input.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    let run = home.run_with_stdin(&["hook", event, "--agent", agent], input.to_string().as_bytes());
    assert_eq!((run.exit, run.err.as_str()), (0, ""), "{run:?}");
    if run.out.is_empty() {
        return None;
    }
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    schema::check_agent(&answer, &format!("{agent}-{event}.json"));
    Some(answer)
}

fn call(path: &str) -> Value {
    json!({"tool_name": "write_file", "tool_input": {"path": path, "text": "x"}, "tool_use_id": format!("id-{path}")})
}

fn failed(path: &str) -> Value {
    let mut fields = call(path);
    fields["error"] = json!(ERROR);
    fields
}

/// A session in which a write fails, a folder is made, and the write works.
fn play(home: &Home, agent: &str, session: &str) {
    hook(home, agent, "session-start", session, json!({"source": "startup"}));
    hook(home, agent, "prompt", session, json!({"prompt": "Write the report of the week"}));
    hook(home, agent, "pre-tool", session, call("out/report.txt"));
    hook(home, agent, "post-tool-failure", session, failed("out/report.txt"));
    let made = json!({"tool_name": "make_folder", "tool_input": {"path": "out"}, "tool_use_id": "id-2", "tool_response": {"ok": true}});
    hook(home, agent, "post-tool", session, made);
    let mut written = call("out/report.txt");
    written["tool_use_id"] = json!("id-3");
    written["tool_response"] = json!("written");
    hook(home, agent, "post-tool", session, written);
    hook(home, agent, "stop", session, json!({"last_assistant_message": "The report is written."}));
}

/// The lessons, once the process that mines apart has made at least `n`.
#[allow(
    clippy::disallowed_methods,
    reason = "the miner is a process of its own: its end can only be waited for"
)]
fn lessons(home: &Home, n: usize) -> Vec<Value> {
    let started = Instant::now();
    loop {
        let records = home.json(&["list"])["records"].as_array().expect("a list").clone();
        if records.len() >= n || started.elapsed() > Duration::from_mins(1) {
            return records;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_session_teaches_and_the_next_one_hears_it_after_the_failure() {
    let home = home();
    play(&home, "claude", "s1");
    let learned = lessons(&home, 1);
    let lesson =
        learned.iter().find(|one| one["trigger"].as_str().is_some_and(|text| text.contains("write_file")));
    let lesson = lesson.unwrap_or_else(|| panic!("{learned:?}"));
    assert_eq!(lesson["scope"], json!({"repo": "example.org/ann/game"}));
    for agent in ["claude", "cursor"] {
        let answer = hook(&home, agent, "post-tool-failure", "s2", failed("out/b.txt"));
        assert!(answer.is_some_and(|answer| answer.to_string().contains("write_file")), "{agent}");
    }
    assert_eq!(
        hook(
            &home,
            "claude",
            "post-tool-failure",
            "s2",
            json!({
                "tool_name": "send_mail", "tool_input": {"to": "ann"}, "tool_use_id": "m", "error": "mailbox full",
            })
        ),
        None,
        "an unrelated failure hears nothing"
    );
    home.put("other/.git/HEAD", "ref: refs/heads/main\n");
    let elsewhere = json!({"cwd": home.join("other")});
    let mut fields = failed("out/b.txt");
    fields.as_object_mut().expect("an object").extend(elsewhere.as_object().expect("an object").clone());
    assert_eq!(
        hook(&home, "claude", "post-tool-failure", "s3", fields),
        None,
        "another repository hears nothing"
    );
}

#[test]
fn codex_tells_failures_in_the_answer_of_the_tool() {
    let home = home();
    play(&home, "claude", "s1");
    lessons(&home, 1);
    let mut fields = call("out/c.txt");
    fields["tool_response"] = json!({"exit_code": 1, "output": ERROR});
    let answer = hook(&home, "codex", "post-tool", "s2", fields).expect("advice");
    assert!(text(&answer["hookSpecificOutput"]["additionalContext"]).contains("write_file"), "{answer}");
    let mut fields = call("out/c.txt");
    fields["tool_response"] = json!({"exit_code": 0, "output": "fine"});
    assert_eq!(hook(&home, "codex", "post-tool", "s2", fields), None);
}

#[test]
fn the_hook_says_before_a_call_what_guard_says_and_once_a_run() {
    let home = home();
    let id = text(
        &home.json(&[
            "teach",
            "Create the folder before write_file: it does not create it.",
            "--tool",
            "write_file",
        ])["id"],
    );
    let lesson = "Create the folder before write_file: it does not create it.";
    let args = json!({"path": "out/report.txt", "note": lesson});
    let fields = json!({"tool_name": "write_file", "tool_input": args, "tool_use_id": "t"});
    let said = home.json(&["guard", "--session", "s1", "--tool", "write_file", "--args", &args.to_string()]);
    assert_eq!(said["verdict"], "advise", "{said}");
    for (agent, pointer) in [
        ("claude", "/hookSpecificOutput/additionalContext"),
        ("codex", "/hookSpecificOutput/additionalContext"),
        ("cursor", "/agent_message"),
    ] {
        let session = format!("{agent}-1");
        let answer = hook(&home, agent, "pre-tool", &session, fields.clone()).expect("advice");
        assert_eq!(answer.pointer(pointer), Some(&said["block"]), "{agent}: {answer}");
        assert_eq!(hook(&home, agent, "pre-tool", &session, fields.clone()), None, "{agent} has heard it");
    }
    home.json(&["resolve", &id, "block"]);
    let answer = hook(&home, "claude", "pre-tool", "s9", fields.clone()).expect("a question");
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask", "{answer}");
    let answer = hook(&home, "cursor", "pre-tool", "s10", fields).expect("a question");
    assert_eq!(answer["permission"], "ask", "{answer}");
}

#[test]
fn the_index_of_calls_answers_as_the_whole_store_does() {
    let home = home();
    // The same call fails in every run until something is done before it; calls of other shapes pass.
    for n in 0..6 {
        let session = format!("run-{n}");
        let mut lines = vec![json!({"type": "start", "task": format!("Ship part {n}"), "event_id": "e0"})];
        for k in 0..4 {
            lines.push(json!({"type": "tool_call", "event_id": format!("p{k}"), "name": "Bash",
                "args": {"command": format!("cat notes{k}.txt")}, "result": {"ok": true, "result": "text"}}));
        }
        lines.push(json!({"type": "tool_call", "event_id": "f", "name": "Bash", "args": {"command": "npm run build"},
            "result": {"ok": false, "error": "Error: Cannot find module 'left-pad'. Run npm install to fix", "exit": 1}}));
        lines.push(json!({"type": "tool_call", "event_id": "r", "name": "Bash", "args": {"command": "npm install"}, "result": {"ok": true, "result": "added 1 package"}}));
        lines.push(json!({"type": "tool_call", "event_id": "g", "name": "Bash", "args": {"command": "npm run build"}, "result": {"ok": true, "result": "built"}}));
        lines.push(json!({"type": "final", "text": "Built.", "outcome": "success", "event_id": "z"}));
        let text = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        let path = home.put(&format!("run{n}.jsonl"), text);
        home.json(&["observe", "--session", &session, path.to_str().expect("a path")]);
    }
    home.json(&["learn"]);
    let mut spoke = 0;
    for command in ["npm run build", "npm install", "cat notes1.txt", "npm run test", "ls"] {
        let args = json!({"command": command});
        let fields = json!({"tool_name": "Bash", "tool_input": args, "tool_use_id": "t"});
        let said = home.json(&["guard", "--session", "w", "--tool", "Bash", "--args", &args.to_string()]);
        // The first answer makes the index, the second is read off it.
        for session in ["i1", "i2"] {
            let session = format!("{session} {command}");
            let answer = hook(&home, "claude", "pre-tool", &session, fields.clone());
            let block = answer.map(|answer| answer["hookSpecificOutput"]["additionalContext"].clone());
            assert_eq!(block.unwrap_or_else(|| json!("")), said["block"], "{command}");
        }
        spoke += i32::from(said["verdict"] == "advise");
    }
    assert!((1..5).contains(&spoke), "some calls are advised on, some are not: {spoke}");
}

#[test]
fn a_transcript_teaches_where_no_call_was_observed() {
    let home = home();
    let lines = [
        json!({"type": "user", "sessionId": "t1", "uuid": "u1", "timestamp": "2026-05-04T09:00:00Z", "cwd": "/w", "message": {"role": "user", "content": "Write it"}}),
        json!({"type": "assistant", "sessionId": "t1", "uuid": "u2", "timestamp": "2026-05-04T09:00:01Z", "message": {"role": "assistant", "content": [
            {"type": "tool_use", "id": "c1", "name": "write_file", "input": {"path": "out/a.txt", "text": "x"}}]}}),
        json!({"type": "user", "sessionId": "t1", "uuid": "u3", "timestamp": "2026-05-04T09:00:02Z", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "is_error": true, "content": ERROR}]}}),
    ];
    let path = home.put("t1.jsonl", lines.map(|line| line.to_string()).join("\n"));
    assert_eq!(
        hook(&home, "claude", "session-end", "t1", json!({"transcript_path": path, "reason": "exit"})),
        None
    );
    let learned = lessons(&home, 1);
    assert_eq!(learned[0]["evidence"][0]["session_id"], "t1", "{learned:?}");
}

#[test]
fn nothing_that_goes_wrong_reaches_the_agent_and_the_log_holds_codes_alone() {
    let home = home();
    let secret = "the word that must not be written down";
    for input in ["", "[]", "{", secret, "{\"session_id\": 5}", &format!("{{\"cwd\": \"{secret}\"}}")] {
        let run = home.run_with_stdin(&["hook", "pre-tool", "--agent", "claude"], input.as_bytes());
        assert_eq!((run.exit, run.out.as_str(), run.err.as_str()), (0, "", ""), "{input}");
    }
    let wrong = home.run_with_stdin(&["hook", "no-such-event", "--agent", "claude"], b"{}");
    assert_eq!((wrong.exit, wrong.out.as_str()), (0, ""), "{wrong:?}");
    let store =
        home.put("store/memory.db", "no database at all, but a text of some length that is none".repeat(40));
    let input = json!({"session_id": "s", "cwd": home.join("work"), "tool_name": secret, "tool_input": {"a": secret}});
    let run = home.run_with_stdin(
        &["hook", "pre-tool", "--agent", "claude", "--store", store.to_str().expect("a path")],
        input.to_string().as_bytes(),
    );
    assert_eq!((run.exit, run.out.as_str(), run.err.as_str()), (0, "", ""), "{run:?}");
    let log = fs::read_to_string(home.join("store/hook.log")).expect("a log");
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(log.ends_with('\n') && log.contains(" claude pre-tool "), "{log}");
    assert!(!log.contains("word"), "{log}");
}

#[test]
fn no_secret_of_a_call_reaches_the_store() {
    let home = home();
    let token = format!("ghp_{}", "Zx9Kq2Lm7Rt4Wv8Yb3Nc6Hd1Jf5Ps0Ga2Te4");
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": format!("curl -H 'Authorization: Bearer {token}' x")},
        "tool_use_id": "t", "tool_response": {"stdout": token, "exit_code": 22}});
    hook(&home, "codex", "post-tool", "s", fields);
    hook(&home, "codex", "prompt", "s", json!({"prompt": format!("use {token}")}));
    let mut found = 0;
    for entry in fs::read_dir(home.join("data/hardwon")).expect("a store") {
        let bytes = fs::read(entry.expect("an entry").path()).expect("read");
        found += usize::from(bytes.windows(token.len()).any(|window| window == token.as_bytes()));
    }
    assert_eq!(found, 0);
}

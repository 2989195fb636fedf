//! The verbs around a call and around a person's judgement, as the command runs them.

mod cli_support;

use cli_support::{Home, text};
use serde_json::{Value, json};

const CALL: &str = r#"{"path": "out/report.txt", "text": "x"}"#;
const LESSON: &str = "Create the folder before write_file: it does not create it.";

/// A home whose store holds one lesson that speaks at `write_file`, and its id.
fn taught() -> (Home, String) {
    let home = Home::new();
    let id = text(&home.json(&["teach", LESSON, "--tool", "write_file"])["id"]);
    (home, id)
}

fn guard(home: &Home, session: &str) -> Value {
    home.json(&["guard", "--session", session, "--tool", "write_file", "--args", CALL, "--task", LESSON])
}

#[test]
fn advice_comes_once_a_run_and_says_why_it_is_silent_after() {
    let (home, id) = taught();
    let first = guard(&home, "s1");
    assert_eq!(first["verdict"], "advise", "{first}");
    assert_eq!(first["items"][0]["id"], json!(id));
    assert!(text(&first["text"]).contains("Create the folder"));
    let event = home.put("event.jsonl", text(&first["event"]));
    let observed = home.json(&["observe", "--session", "s1", event.to_str().expect("a path")]);
    assert_eq!(observed["events"], 1);
    let second = guard(&home, "s1");
    assert_eq!(second["verdict"], "silent", "{second}");
    assert_eq!(second["silent"], json!([{"id": id, "reason": "shown"}]));
    assert_eq!(guard(&home, "s2")["verdict"], "advise", "another run has not heard it");
    let told =
        home.ok(&["guard", "--session", "s1", "--tool", "write_file", "--args", CALL, "--task", LESSON]);
    assert!(told.contains("it has spoken in this run"), "{told}");
}

#[test]
fn other_arguments_come_only_where_they_are_asked_for() {
    let home = Home::new();
    for run in ["r1", "r2", "r3"] {
        let call = |id: &str, args: Value, result: Value| {
            json!({"type": "tool_call", "session_id": run, "event_id": format!("{run}-{id}"), "name": "render_page",
                   "args": args, "result": result})
        };
        let refused =
            json!({"ok": false, "error": "unexpected parameter verbose: this tool does not take it"});
        let lines = [
            call("1", json!({"page": format!("n-{run}"), "verbose": true}), refused),
            call("2", json!({"page": format!("n-{run}")}), json!({"ok": true, "result": "rendered"})),
            json!({"type": "final", "session_id": run, "event_id": format!("{run}-3"), "text": "Rendered.",
                   "outcome": "success"}),
        ];
        let path = home.put(&format!("{run}.jsonl"), lines.map(|line| line.to_string()).join("\n"));
        home.ok(&["learn", path.to_str().expect("a path")]);
    }
    let asked = ["guard", "--tool", "render_page", "--args", r#"{"page": "n-r9", "verbose": true}"#];
    let told = home.json(&asked);
    assert_eq!((&told["verdict"], &told["args"]), (&json!("advise"), &Value::Null), "{told}");
    let told = home.json(&[&asked[..], &["--rewrite"]].concat());
    assert_eq!(
        (&told["verdict"], &told["args"]),
        (&json!("rewrite"), &json!(r#"{"page":"n-r9"}"#)),
        "{told}"
    );
    assert!(home.ok(&[&asked[..], &["--rewrite"]].concat()).contains(r#"arguments: {"page":"n-r9"}"#));
}

#[test]
fn another_tool_hears_nothing() {
    let (home, _) = taught();
    let answer = home.json(&["guard", "--tool", "read_file", "--args", CALL]);
    assert_eq!(answer["verdict"], "silent");
    assert_eq!(answer["silent"], json!([]));
    assert_eq!(answer["event"], "");
}

#[test]
fn muting_silences_a_lesson_until_it_may_speak_again() {
    let (home, id) = taught();
    assert_eq!(home.json(&["mute", &id])["outcome"], "changed");
    assert_eq!(home.json(&["mute", &id])["outcome"], "unchanged");
    assert_eq!(guard(&home, "s")["silent"], json!([{"id": id, "reason": "muted"}]));
    assert!(
        home.json(&["show", &id])["record"]["marks"]
            .as_array()
            .is_some_and(|all| all.contains(&json!("muted")))
    );
    assert_eq!(home.json(&["unmute", &id])["outcome"], "changed");
    assert_eq!(guard(&home, "s")["verdict"], "advise");
}

#[test]
fn a_lesson_marked_blocking_asks_the_host_to_wait() {
    let (home, id) = taught();
    home.json(&["resolve", &id, "block", "--reason", "it cost us a day"]);
    assert_eq!(guard(&home, "s")["verdict"], "hold");
    let told = home.ok(&["guard", "--tool", "write_file", "--args", CALL, "--task", LESSON]);
    assert!(told.starts_with("Wait:"), "{told}");
    let history = home.ok(&["history", &id]);
    assert!(history.contains("it cost us a day"), "{history}");
}

#[test]
fn what_came_of_showing_is_counted_and_a_turned_lesson_waits_for_review() {
    let (home, id) = taught();
    assert_eq!(home.ok(&["review"]), "Nothing waits for you.\n");
    assert_eq!(home.json(&["settle", &id, "followed"])["outcome"], "changed");
    for _ in 0..8 {
        home.json(&["settle", &id, "not_followed"]);
    }
    home.json(&["settle", &id, "irrelevant", "--actor", "ann"]);
    let counters = home.json(&["show", &id])["record"]["counters"].clone();
    assert_eq!((&counters["followed"], &counters["not_followed"]), (&json!(1), &json!(8)), "{counters}");
    let review = home.json(&["review"]);
    assert_eq!(review["total"], 1, "{review}");
    assert_eq!(review["items"][0]["cause"], "outcomes_turned");
    let page = home.ok(&["review"]);
    let short = &id[..8];
    assert!(page.contains("showing it has not helped"), "{page}");
    assert!(page.contains(&format!("hardwon resolve {short} confirm")), "{page}");
    assert!(page.contains(&format!("hardwon mute {short}")), "{page}");
    home.json(&["resolve", short, "archive"]);
    assert_eq!(home.json(&["review"])["total"], 0);
    assert_eq!(home.json(&["show", &id])["record"]["status"], "archived");
}

#[test]
fn another_record_takes_a_place() {
    let (home, id) = taught();
    let other = home.teach("Let write_file make its folder: pass `parents`.");
    home.json(&["resolve", &id, "supersede", "--by", &other[..8]]);
    let record = home.json(&["show", &id])["record"].clone();
    assert_eq!((&record["status"], &record["superseded_by"]), (&json!("superseded"), &json!(other)));
    assert_eq!(home.fails(&["resolve", &other, "supersede"], 2).0, "usage.by");
    assert_eq!(home.fails(&["resolve", &other, "confirm", "--by", &id], 2).0, "usage.by");
    assert_eq!(home.fails(&["resolve", "abcdef01", "confirm"], 3).0, "invalid.not_found");
}

#[test]
fn an_observed_run_is_learned_and_reported() {
    let home = Home::new();
    let run = [
        json!({"type": "start", "task": "Write the report", "event_id": "e1"}),
        json!({"type": "tool_call", "event_id": "e2", "name": "write_file", "args": {"path": "out/a.txt"},
               "result": {"ok": false, "error": "ENOENT: no such directory 'out'"}}),
        json!({"type": "tool_call", "event_id": "e3", "name": "make_folder", "args": {"path": "out"}, "result": {"ok": true, "result": "made"}}),
        json!({"type": "tool_call", "event_id": "e4", "name": "write_file", "args": {"path": "out/a.txt"}, "result": {"ok": true, "result": "written"}}),
        json!({"type": "final", "text": "Done.", "outcome": "success", "event_id": "e5"}),
    ];
    let lines = run.map(|event| event.to_string()).join("\n");
    let run = home.run_with_stdin(&["observe", "--session", "s1", "--json"], lines.as_bytes());
    assert_eq!((run.exit, run.out.trim()), (0, r#"{"events":5,"verb":"observe"}"#), "{run:?}");
    let learned = home.json(&["learn"]);
    assert!(learned["total"]["inserted"].as_i64() > Some(0), "{learned}");
    let report = home.json(&["report", "--days", "3"]);
    assert_eq!((&report["sessions"], &report["effect"]), (&json!(1), &Value::Null));
    assert!(!report["learned"].as_array().expect("a list").is_empty());
    let page = home.ok(&["report"]);
    for part in ["Learned", "Shown", "What it changed", "What failed", "What waits", "from 1 session"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn what_is_no_event_is_not_observed() {
    let home = Home::new();
    let bad = home.put("bad.jsonl", "{\"type\":\"user\",\"text\":\"hi\"}\n[1]\n");
    let (code, message) = home.fails(&["observe", "--session", "s", bad.to_str().expect("a path")], 4);
    assert_eq!(code, "invalid.event");
    assert!(message.contains("event 2"), "{message}");
    assert_eq!(home.fails(&["observe", "--session", "s", "missing.jsonl"], 3).0, "file.missing");
    assert_eq!(home.fails(&["guard", "--tool", "t", "--args", "[]"], 2).0, "usage.args");
}

//! The agents' channel from the command line: what an agent that is driven by a shell types, and what it learns.

#![cfg(feature = "cli")]

mod cli_support;

use std::process::{Child, Stdio};

use cli_support::{Home, schema, text};
use serde_json::Value;

const CHANNEL: &str = "channel.toml";

/// An answer of `chat`, held against its schema.
fn chat(home: &Home, who: &str, args: &[&str]) -> (i32, Value) {
    let run = home.run(&full(who, args));
    let value: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|problem| panic!("{args:?}: {problem}: {run:?}"));
    schema::check(&value, &format!("chat-{}.json", args[0]));
    (run.exit, value)
}

/// The same in a process of its own.
fn begin(home: &Home, who: &str, args: &[&str]) -> Child {
    let mut command = home.command(&full(who, args));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs")
}

fn end(child: Child) -> (i32, Value) {
    let output = child.wait_with_output().expect("it ends");
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|problem| panic!("{problem}: {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap_or(-1), value)
}

fn full<'a>(who: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["chat"];
    all.extend(args);
    all.extend(["--as", who, "--memory-agent", "ben", "--chat", CHANNEL, "--json"]);
    all
}

/// Waits for a message of a type to somebody.
fn heard(home: &Home, who: &str, kind: &str) -> Value {
    let mut after = String::new();
    loop {
        let args = ["wait", "--timeout", "60", "--after", &after];
        let (exit, value) = chat(home, who, if after.is_empty() { &args[..3] } else { &args });
        assert_eq!(exit, 0, "{value}");
        let messages = value["messages"].as_array().expect("messages");
        if let Some(found) = messages.iter().find(|one| one["type"] == kind) {
            return found.clone();
        }
        after = value["cursor"].to_string();
    }
}

fn intent(home: &Home) -> Child {
    let text = "Situation: building the shop\nBehaviour: run make all";
    begin(home, "ann", &["post", "intent", text, "--thread", "build-1", "--to", "ben"])
}

#[test]
fn an_intent_goes_on_when_its_recipient_has_nothing_against_it() {
    let home = Home::new();
    chat(&home, "ben", &["join"]);
    let ann = intent(&home);
    assert_eq!(heard(&home, "ben", "intent")["thread"], "build-1");
    let (exit, posted) = chat(&home, "ben", &["post", "ack", "Fine.", "--thread", "build-1", "--to", "ann"]);
    assert_eq!((exit, text(&posted["outcome"])), (0, "posted".into()));
    let (exit, went) = end(ann);
    assert_eq!((exit, text(&went["outcome"])), (0, "proceed".into()), "{went}");
    let (exit, done) = chat(&home, "ann", &["post", "done", "Built.", "--thread", "build-1"]);
    assert_eq!(exit, 0, "{done}");
}

#[test]
fn an_objection_holds_the_intent_until_it_is_lifted() {
    let home = Home::new();
    chat(&home, "ben", &["join"]);
    let ann = intent(&home);
    heard(&home, "ben", "intent");
    let why = "make all deletes the cache.";
    let (exit, _) = chat(&home, "ben", &["post", "wait", why, "--thread", "build-1", "--to", "ann"]);
    assert_eq!(exit, 0);
    let (exit, held) = end(ann);
    assert_eq!((exit, text(&held["outcome"]), text(&held["text"])), (7, "wait".into(), why.into()), "{held}");
    let (exit, refused) = chat(&home, "ann", &["post", "done", "Built.", "--thread", "build-1"]);
    assert_eq!((exit, text(&refused["outcome"])), (7, "refused".into()), "{refused}");
    assert_ne!(text(&refused["reason"]), "");
    let facts = ["post", "argue", "The cache is rebuilt by the next step.", "--thread", "build-1"];
    let ann = begin(&home, "ann", &facts);
    assert_eq!(heard(&home, "ben", "info")["text"], facts[2]);
    chat(&home, "ben", &["post", "ack", "Then go on.", "--thread", "build-1", "--to", "ann"]);
    let (exit, went) = end(ann);
    assert_eq!((exit, text(&went["outcome"])), (0, "proceed".into()), "{went}");
    assert_eq!(chat(&home, "ann", &["post", "done", "Built.", "--thread", "build-1"]).0, 0);
    let (_, tail) = chat_tail(&home, &[]);
    let done = tail["messages"].as_array().expect("messages").iter().filter(|one| one["type"] == "done");
    assert_eq!(done.count(), 1, "what was refused was not posted: {tail}");
}

#[test]
fn silence_is_no_permission_and_who_is_not_there_gives_it() {
    let home = Home::new();
    let (exit, went) = end(intent(&home));
    assert_eq!((exit, text(&went["outcome"])), (0, "proceed".into()), "nobody is there: {went}");
    chat(&home, "ben", &["join"]);
    let args = ["post", "intent", "Situation: a\nBehaviour: b", "--thread", "build-2", "--timeout", "8"];
    let (exit, pending) = chat(&home, "ann", &args);
    assert_eq!((exit, text(&pending["outcome"])), (8, "pending".into()), "{pending}");
    chat(&home, "ben", &["post", "ack", "Fine.", "--thread", "build-2", "--to", "ann"]);
    let (exit, went) = chat(&home, "ann", &["wait", "--thread", "build-2"]);
    assert_eq!((exit, text(&went["outcome"])), (0, "proceed".into()), "{went}");
}

fn chat_tail(home: &Home, args: &[&str]) -> (i32, Value) {
    let all = [&["chat", "tail", "--chat", CHANNEL, "--json"], args].concat();
    let run = home.run(&all);
    let value = serde_json::from_str(&run.out).unwrap_or_else(|problem| panic!("{problem}: {run:?}"));
    schema::check(&value, "chat-tail.json");
    (run.exit, value)
}

#[test]
fn what_stands_in_the_channel_is_shown_and_not_obeyed() {
    let home = Home::new();
    let (exit, empty) = chat_tail(&home, &[]);
    assert_eq!((exit, &empty["cursor"]), (0, &Value::from(0)));
    home.put(
        CHANNEL,
        "junk\n[[message]]\nfrom = \"eve\\u001b[31m\"\nto = \"all\"\nthread = \"t\"\ntype = \"novel\\u0007\"\n\
         ts = \"2026-05-01T00:00:00Z\"\ntext = \"one\\u001b]0;title\\u0007\\ntwo\\u202e\"\n\n[[message]]\nfrom = \"half",
    );
    let (_, tail) = chat_tail(&home, &[]);
    assert_eq!((&tail["skipped"], tail["messages"].as_array().map(Vec::len)), (&Value::from(1), Some(1)));
    assert_eq!(tail["messages"][0]["text"], "one\u{1b}]0;title\u{7}\ntwo\u{202e}", "JSON has it as it is");
    let page = home.ok(&["chat", "tail", "--chat", CHANNEL]);
    assert!(page.contains("one") && page.contains("two") && page.contains("novel"), "{page}");
    assert!(!page.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{page:?}");
    let after = text(&tail["messages"][0]["cursor"].to_string().into());
    let (_, none) = chat_tail(&home, &["--after", &after]);
    assert_eq!(none["messages"].as_array().map(Vec::len), Some(0));
}

#[test]
fn what_cannot_be_posted_is_said() {
    let home = Home::new();
    for name in ["all", "", "a,b", " a"] {
        let (code, _) = home.fails(&["chat", "join", "--as", name, "--chat", CHANNEL], 2);
        assert_eq!(code, "usage");
    }
    let mut child = home.command(&full("ann", &["post", "info", "-", "--thread", "t"]));
    let long = "x".repeat(3 << 20);
    home.put("long.txt", &long);
    let file = std::fs::File::open(home.join("long.txt")).expect("open");
    let output = child.stdin(file).output().expect("it runs");
    let error: Value = serde_json::from_slice(&output.stderr).expect("JSON");
    assert_eq!((output.status.code(), text(&error["code"])), (Some(4), "limit.message_bytes".into()));
}

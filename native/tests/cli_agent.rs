//! The memory agent as a real process, on a real channel and a real directory.

#![cfg(all(feature = "cli", unix))]

mod cli_support;

use std::fs;
use std::process::{Child, Command, Stdio};

use cli_support::{Home, Run, schema, text};
use serde_json::Value;

const CHANNEL: &str = "channel.toml";
const BUILD: &str = "memories/feedback/build.toml";
const MEMORY: &str = "schema_version = 1\ntype = \"feedback\"\n\
    situation = \"When building the shop before a release\"\nsource = \"user correction, 2026-04-02\"\n\n[content]\n\
    behavior = \"Running make all\"\nimpact = \"It deletes the cache, and the next build takes an hour\"\n\
    action = \"Run make shop instead\"\n";
const INTENT: &str = "Situation: building the shop before a release\nBehavior: running make all";

fn home() -> Home {
    let home = Home::new();
    home.put(BUILD, MEMORY);
    home
}

/// Starts the agent and waits until it takes part.
fn agent(home: &Home) -> Child {
    let ready = said(home, "initialisation complete");
    let args = ["agent", "--memory", "memories", "--chat", CHANNEL, "--json"];
    let mut command = home.command(&args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    while said(home, "initialisation complete") + said(home, "is back") == ready {
        home.ok(&["chat", "tail", "--chat", CHANNEL]);
    }
    child
}

/// How often something stands in the channel.
fn said(home: &Home, words: &str) -> usize {
    fs::read_to_string(home.join(CHANNEL)).map_or(0, |text| text.matches(words).count())
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([name, &id]).status().expect("kill runs").success());
}

fn ended(child: Child) -> Run {
    Run::of(&child.wait_with_output().expect("it ends"))
}

fn stop(child: Child) -> Value {
    signal(&child, "-TERM");
    let run = ended(child);
    assert_eq!(run.exit, 0, "{run:?}");
    let value: Value = serde_json::from_str(&run.out).expect("JSON");
    schema::check(&value, "agent.json");
    value
}

fn post(home: &Home, args: &[&str]) -> (i32, Value) {
    let all = [&["chat", "post"], args, &["--as", "ann", "--chat", CHANNEL, "--json"]].concat();
    let run = home.run(&all);
    let value = serde_json::from_str(&run.out).unwrap_or_else(|problem| panic!("{problem}: {run:?}"));
    schema::check(&value, "chat-post.json");
    (run.exit, value)
}

fn memory(home: &Home) -> String {
    fs::read_to_string(home.join(BUILD)).expect("a memory")
}

#[test]
fn a_memory_objects_and_is_followed_in_the_end() {
    let home = home();
    let agent = agent(&home);
    let (exit, held) = post(&home, &["intent", INTENT, "--thread", "b1"]);
    assert_eq!((exit, text(&held["outcome"])), (7, "wait".into()), "{held}");
    assert!(text(&held["text"]).contains("make shop"), "{held}");
    let (exit, _) = post(&home, &["done", "Built.", "--thread", "b1"]);
    assert_eq!(exit, 7, "an objection stands");
    let (exit, again) = post(&home, &["argue", "It is late and the cache is small.", "--thread", "b1"]);
    assert_ne!(exit, 0, "a memory does not give in because it is answered: {again}");
    let (exit, went) = post(&home, &["concede", "I run make shop instead.", "--thread", "b1"]);
    assert_eq!((exit, text(&went["outcome"])), (0, "proceed".into()), "{went}");
    assert_eq!(post(&home, &["done", "Ran make shop.", "--thread", "b1"]).0, 0);
    let (exit, went) =
        post(&home, &["intent", "Situation: naming a cat\nBehavior: calling it Tom", "--thread", "b2"]);
    assert_eq!(
        (exit, text(&went["messages"][0]["text"])),
        (0, "No relevant memories. Proceed.".into()),
        "{went}"
    );
    let left = stop(agent);
    assert_eq!((&left["intents"], &left["checked"]), (&Value::from(2), &Value::from(2)), "{left}");
    let file = memory(&home);
    assert!(file.contains("surfaced_count = 1") && file.contains("followed_count = 1"), "{file}");
    assert!(file.contains("source = \"user correction, 2026-04-02\"\n\n[content]"), "{file}");
}

#[test]
fn what_was_killed_comes_back_and_counts_nothing_twice() {
    let home = home();
    let first = agent(&home);
    assert_eq!(post(&home, &["intent", INTENT, "--thread", "b1"]).0, 7);
    signal(&first, "-KILL");
    ended(first);
    let text_of = "Situation: naming a cat\nBehavior: calling it Tom";
    let mut waiting = home.command(&[
        "chat", "post", "intent", text_of, "--thread", "b2", "--as", "ann", "--chat", CHANNEL, "--json",
    ]);
    let waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    while said(&home, "calling it Tom") == 0 {
        home.ok(&["chat", "tail", "--chat", CHANNEL]);
    }
    let again = agent(&home);
    let run = ended(waiting);
    assert_eq!(run.exit, 0, "what was asked meanwhile is answered: {run:?}");
    assert_eq!(post(&home, &["concede", "I run make shop instead.", "--thread", "b1"]).0, 0);
    stop(again);
    let file = memory(&home);
    assert!(file.contains("surfaced_count = 1\n") && file.contains("followed_count = 1\n"), "{file}");
    assert_eq!(said(&home, "joins"), 2, "it came back, and did not join anew");
}

#[test]
fn the_lead_ends_the_session() {
    let home = home();
    let agent = agent(&home);
    let args =
        ["chat", "post", "shutdown", "Good night.", "--thread", "end", "--as", "lead", "--chat", CHANNEL];
    home.ok(&args);
    let run = ended(agent);
    assert_eq!(run.exit, 0, "{run:?}");
    let tail = home.ok(&["chat", "tail", "-n", "1", "--chat", CHANNEL]);
    assert!(tail.contains("done") && tail.contains("engram-agent"), "its last word: {tail}");
}

#[test]
fn edits_of_others_are_heeded_while_it_runs() {
    let home = home();
    let agent = agent(&home);
    home.put(
        BUILD,
        MEMORY
            .replace("make shop", "just shop")
            .replace("schema_version", "mine = 'kept' # yes\nschema_version"),
    );
    home.put("memories/feedback/half.toml", "type = \"feedback\"\nsituation = \"half");
    let (exit, held) = post(&home, &["intent", INTENT, "--thread", "b1"]);
    assert_eq!(exit, 7);
    assert!(text(&held["text"]).contains("just shop"), "{held}");
    while !memory(&home).contains("surfaced_count = 1") {
        home.ok(&["chat", "tail", "--chat", CHANNEL]);
    }
    fs::remove_file(home.join(BUILD)).expect("removed");
    let (exit, went) = post(&home, &["intent", INTENT, "--thread", "b2"]);
    assert_eq!(exit, 0, "{went}");
    stop(agent);
    assert_eq!(
        fs::read_to_string(home.join("memories/feedback/half.toml")).expect("there").lines().count(),
        2
    );
}

#[test]
fn a_messy_directory_of_another_tool_loses_nothing() {
    let home = home();
    let at_root = "\u{feff}# made by hand\nschema_version = 1\ntype = \"feedback\"\nsituation = '''When naming things'''\n\
        surfaced_count = 3 # so far\ncolour = \"red\"\nupdated_at = 2026-04-02T10:00:00Z\n[content]\n\
        behavior = \"Using hyphens\" # really\naction = \"Use underscores\"\n[[pending_evaluations]]\nid = 1\n[tool.x]\nkey = [1,\n 2]\n";
    let root = home.put("memories/feedback/root.toml", at_root.replace('\n', "\r\n"));
    let fact = "type = \"fact\"\nsituation = \"deploys\"\nsource = \"user\"\n[content]\nsubject = \"shop\"\n\
        predicate = \"runs on\"\nobject = \"host-3\"\nsurfaced_count = 1\n";
    home.put("memories/facts/shop.toml", fact);
    let agent = agent(&home);
    let naming = "Situation: naming things\nBehavior: using hyphens";
    assert_eq!(post(&home, &["intent", naming, "--thread", "n1"]).0, 7);
    let (exit, told) =
        post(&home, &["intent", "Situation: deploying shop\nBehavior: open a ticket", "--thread", "n2"]);
    assert_eq!(exit, 0, "a fact is told and objects to nothing");
    assert!(told["messages"].to_string().contains("[FACT] shop runs on host-3"), "{told}");
    stop(agent);
    let wanted = at_root
        .replace("surfaced_count = 3", "surfaced_count = 4")
        .replace("[[pending_evaluations]]\nid = 1\n", "")
        .replace('\n', "\r\n");
    let written = fs::read_to_string(&root).expect("read");
    let but_time = |text: &str| -> Vec<String> {
        text.split_inclusive('\n').filter(|line| !line.starts_with("updated_at")).map(str::to_owned).collect()
    };
    assert_eq!(but_time(&written), but_time(&wanted));
    assert!(
        fs::read_to_string(home.join("memories/facts/shop.toml"))
            .expect("read")
            .contains("surfaced_count = 2")
    );
}

#[test]
fn a_directory_and_a_store_are_kept_in_step() {
    let home = home();
    let sync = |args: &[&str]| {
        let run = home.run(&[&["sync", "memories", "--json"], args].concat());
        let value: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
        schema::check(&value, "sync.json");
        value
    };
    assert_eq!(sync(&[])["imported"], 1);
    let again = sync(&[]);
    assert_eq!([&again["imported"], &again["exported"], &again["updated"]], [0, 0, 0], "{again}");
    let list = home.json(&["list", "--kind", "feedback"]);
    let id = text(&list["records"][0]["id"]);
    assert_eq!(list["records"][0]["feedback"]["action"], "Run make shop instead", "{list}");
    home.ok(&["settle", &id, "followed"]);
    home.ok(&[
        "remember",
        "--subject",
        "shop",
        "--predicate",
        "runs on",
        "--object",
        "host-3",
        "--type",
        "constraint",
        "--source",
        "user",
        "--everywhere",
    ]);
    let out = sync(&["--only", "export"]);
    assert_eq!([&out["exported"], &out["updated"]], [1, 1], "{out}");
    assert!(memory(&home).contains("followed_count = 1"));
    assert_eq!(fs::read_dir(home.join("memories/facts")).expect("facts").count(), 1);
    fs::remove_file(home.join(BUILD)).expect("removed");
    assert_eq!(sync(&[])["removed"], 1);
    assert_eq!(home.json(&["list", "--kind", "feedback"])["total"], 0);
    home.ok(&["restore", &id]);
    assert_eq!(sync(&[])["exported"], 1, "it comes back under a name of its own");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the example finds its shell tools where the test does")]
fn the_example_runs_from_intent_to_outcome() {
    let home = Home::new();
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/shell/argument.sh");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_hardwon")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.arg(script).env("PATH", format!("{}:{path}", program.display())).env("TMPDIR", home.path());
    command.env("HOME", home.path()).env("XDG_DATA_HOME", home.join("data")).env_remove("HARDWON_STORE");
    let run = Run::of(&command.output().expect("it runs"));
    assert_eq!(run.exit, 0, "{run:?}");
    assert!(run.out.contains("followed_count = 1") && run.out.contains("surfaced_count = 1"), "{}", run.out);
}

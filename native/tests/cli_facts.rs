//! The command's verbs about facts do what they say, and their JSON fits its schema.

#![cfg(feature = "cli")]

mod cli_support;

use std::fs;

use cli_support::{Home, schema};
use serde_json::{Value, json};

const CLAIM: [&str; 7] = ["--type", "constraint", "--source", "user", "--scope", "repo=r", "--json"];

fn json_of(home: &Home, args: &[&str], file: &str) -> Value {
    let run = home.run(args);
    let value: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{args:?}: {} {}", run.out, run.err));
    schema::check(&value, file);
    value
}

fn remember(home: &Home, args: &[&str]) -> Value {
    let args: Vec<&str> = ["remember"].into_iter().chain(args.iter().copied()).chain(CLAIM).collect();
    json_of(home, &args, "remember.json")
}

#[test]
fn a_fact_is_remembered_replaced_and_found_on_its_day() {
    let home = Home::new();
    let first = remember(&home, &["svc-1 is hosted on host-3", "--claimed-at", "2026-01-05"]);
    assert_eq!(first["outcome"], "created", "{first}");
    let second = remember(
        &home,
        &["--subject", "svc-1", "--predicate", "hosted on", "--object", "host-4", "--ref", "ops.md@1f"],
    );
    assert_eq!(
        (&second["outcome"], &second["replaced"]),
        (&json!("superseded"), &json!([first["id"]])),
        "{second}"
    );
    let now = json_of(&home, &["facts", "svc-1", "--json"], "facts.json");
    assert_eq!(now["records"][0]["id"], second["id"]);
    let then =
        json_of(&home, &["facts", "svc-1", "hosted on", "--as-of", "2026-01-05", "--json"], "facts.json");
    assert_eq!(then["records"][0]["id"], first["id"], "{then}");
    let believed =
        json_of(&home, &["facts", "svc-1", "--as-of", "2026-01-05", "--believed", "--json"], "facts.json");
    assert_eq!(believed["total"], 0, "nothing had been recorded on that day");
    let recalled = json_of(
        &home,
        &[
            "recall",
            "--task",
            "where is svc-1 hosted",
            "--scope",
            "repo=r",
            "--as-of",
            "2026-01-05",
            "--json",
        ],
        "recall.json",
    );
    assert_eq!(recalled["items"][0]["superseded_by"], second["id"], "{recalled}");
    let table = home.ok(&["facts"]);
    assert!(table.contains("host-4") && !table.contains("host-3"), "{table}");
    let page = home.ok(&["show", first["id"].as_str().expect("an id")]);
    assert!(page.contains("superseded") && page.contains("host-3"), "{page}");
}

#[test]
fn what_is_refused_and_what_is_missing_is_told() {
    let home = Home::new();
    let refused = home.run(&[
        "remember",
        "CI is failing on main.",
        "--type",
        "constraint",
        "--source",
        "user",
        "--everywhere",
    ]);
    assert_eq!(refused.exit, 7, "{}", refused.out);
    assert!(refused.out.contains("over when the session is"), "{}", refused.out);
    let missing = home.run(&["remember", "The API listens on port 80."]);
    assert!(
        missing.exit != 0 && missing.err.contains("`scope`") && missing.err.contains("`source`"),
        "{}",
        missing.err
    );
    let bad = home.run(&["remember", "x", "--valid-from", "soon"]);
    assert_eq!(bad.exit, 2, "{}", bad.err);
}

#[test]
fn what_waits_is_reviewed_and_resolved() {
    let home = Home::new();
    let held = remember(&home, &["--subject", "api", "--predicate", "port", "--object", "80"]);
    let args = [
        "remember",
        "--subject",
        "api",
        "--predicate",
        "port",
        "--object",
        "81",
        "--type",
        "constraint",
        "--source",
        "model",
        "--scope",
        "repo=r",
        "--json",
    ];
    let waits = json_of(&home, &args, "remember.json");
    assert_eq!((&waits["outcome"], &waits["rivals"]), (&json!("conflicted"), &json!([held["id"]])));
    let review = json_of(&home, &["review", "--json"], "review.json");
    assert_eq!(review["items"][0]["record"]["id"], waits["id"]);
    let id = waits["id"].as_str().expect("an id");
    home.ok(&["resolve", id, "confirm"]);
    let now = json_of(&home, &["facts", "api", "--json"], "facts.json");
    assert_eq!((&now["total"], &now["records"][0]["id"]), (&json!(1), &waits["id"]));
}

#[test]
fn audit_and_forgetting_a_source() {
    let home = Home::new();
    remember(&home, &["--subject", "api", "--predicate", "port", "--object", "80", "--ref", "wiki"]);
    let audit = json_of(&home, &["audit", "--json"], "audit.json");
    assert_eq!((&audit["checked"], &audit["flaws"]), (&json!(1), &json!([])));
    assert_eq!(home.ok(&["audit", "--fix"]), "Nothing is wrong with 1 record.\n");
    let gone = json_of(&home, &["forget", "--source", "wiki", "--json"], "forget-source.json");
    assert_eq!(gone["forgotten"].as_array().map(Vec::len), Some(1), "{gone}");
    assert_eq!(home.run(&["forget"]).exit, 2);
}

#[test]
fn facts_go_out_for_people_and_their_edits_come_in() {
    let home = Home::new();
    remember(&home, &["--subject", "api", "--predicate", "is hosted on", "--object", "h-1"]);
    remember(&home, &["--subject", "api", "--predicate", "is owned by", "--object", "ann"]);
    let told = json_of(&home, &["export", "--facts", "facts.md", "--json"], "export-facts.json");
    assert_eq!(told["facts"], 2);
    let text = fs::read_to_string(home.join("facts.md")).expect("written");
    let edited: Vec<String> = text
        .lines()
        .filter(|line| !line.contains("api is owned by"))
        .map(|line| line.replace("h-1", "h-2"))
        .collect();
    home.put("edited.md", edited.join("\n") + "\n## Everywhere\n- [preference] I like tea\n");
    let taken = json_of(&home, &["import", "--facts", "edited.md", "--json"], "import-facts.json");
    assert_eq!(taken["outcomes"], json!({"changed": 1, "created": 1, "superseded": 1}), "{taken}\n{text}");
    let table = home.ok(&["facts"]);
    assert!(table.contains("h-2") && table.contains("I like tea") && !table.contains("ann"), "{table}");
    let again = json_of(&home, &["import", "--facts", "edited.md", "--json"], "import-facts.json");
    assert_eq!(again["skipped"]["changed_since"], 2, "{again}");
}

#[test]
fn a_folder_of_notes_comes_in() {
    let home = Home::new();
    home.put("memory/MEMORY.md", "- [Tabs](tabs.md)\n");
    home.put("memory/tabs.md", "---\nname: tabs\ndescription: The user wants tabs.\ntype: user\n---\n");
    let taken =
        json_of(&home, &["import", "--facts", "memory", "--everywhere", "--json"], "import-facts.json");
    assert_eq!((&taken["format"], &taken["outcomes"]["created"]), (&json!("notes"), &json!(1)), "{taken}");
}

#[test]
fn an_index_out_of_step_is_found_and_mended() {
    let home = Home::new();
    for n in 0..40 {
        remember(&home, &[&format!("svc-{n} is hosted on alpha-{n}")]);
    }
    let flaws = |args: &[&str]| json_of(&home, args, "audit.json")["flaws"].clone();
    assert_eq!(flaws(&["audit", "--json"]), json!([]));
    let raw = rusqlite::Connection::open(home.join("data/hardwon/memory.db")).expect("a connection");
    let changed =
        raw.execute("UPDATE record SET json = replace(json, 'alpha-7', 'omega-7')", []).expect("an update");
    assert_eq!(changed, 40);
    drop(raw);
    let found = flaws(&["audit", "--json"]);
    assert_eq!(found[0]["class"], "index", "{found}");
    assert_eq!(found[0]["records"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(flaws(&["audit", "--fix", "--json"])[0]["fixed"], true);
    assert_eq!(flaws(&["audit", "--json"]), json!([]));
    let hit = json_of(
        &home,
        &["recall", "--task", "is svc-7 hosted on omega-7", "--scope", "repo=r", "--json"],
        "recall.json",
    );
    assert!(hit["items"][0]["text"].as_str().is_some_and(|text| text.contains("omega-7")), "{hit}");
}

//! Every verb of the command does what it says, and its JSON fits its schema.

#![cfg(feature = "cli")]

mod cli_support;

use std::fs;

use cli_support::{Home, schema, text};
use serde_json::Value;

#[test]
fn the_schema_check_can_fail() {
    schema::self_test();
}

#[test]
fn learning_reports_what_came_of_each_file_and_twice_is_once() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    let first = home.json(&["learn", "traces"]);
    assert_eq!(first["files"].as_array().map(Vec::len), Some(3));
    assert_eq!(first["total"]["promoted"], 1, "{first}");
    assert!(first["total"]["inserted"].as_u64() >= Some(2), "{first}");
    let ops: Vec<&Value> = first["files"].as_array().into_iter().flatten().map(|file| &file["op"]).collect();
    assert!(ops.iter().all(|op| op.is_string()) && ops[0] != ops[1], "one commit a file: {ops:?}");

    let second = home.json(&["learn", "traces"]);
    for name in ["inserted", "merged", "promoted"] {
        assert_eq!(second["total"][name], 0, "{second}");
    }
    assert_eq!(second["total"]["known"], 3, "{second}");
    assert_eq!(home.json(&["history"])["entries"].as_array().map(Vec::len), Some(3));
}

#[test]
fn evidence_names_the_failing_result() {
    let home = Home::new();
    home.learn_demo();
    let list = home.json(&["list", "--tier", "strategic"]);
    let record = &list["records"][0];
    assert_eq!(record["sessions"], serde_json::json!(["demo-run-1", "demo-run-2", "demo-run-3"]));
    let evidence = record["evidence"].as_array().expect("evidence");
    assert!(evidence.iter().all(|one| one["tool"] == "place_sprite"), "{record}");
    assert!(
        evidence.iter().all(|one| one["ts"].as_str().is_some_and(|ts| ts.starts_with("2026-05-0"))),
        "{record}"
    );
}

#[test]
fn traces_come_from_stdin_too() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    let trace = fs::read(home.join("traces/run-1.jsonl")).expect("written");
    let run = home.run_with_stdin(&["learn", "-", "--json"], &trace);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    schema::check(&report, "learn.json");
    assert_eq!((run.exit, &report["files"][0]["path"]), (0, &Value::from("-")));
    assert_eq!(report["files"][0]["format"], "canonical");
}

#[test]
fn nothing_to_learn_is_no_failure() {
    let home = Home::new();
    fs::create_dir(home.join("empty")).expect("made");
    home.put("empty.jsonl", "");
    for args in [&["learn"][..], &["learn", "empty"], &["learn", "empty.jsonl"]] {
        let report = home.json(args);
        assert_eq!(report["total"]["inserted"], 0, "{report}");
    }
}

#[test]
fn a_walk_counts_what_is_no_trace_and_goes_on() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "mixed/deep"]);
    home.put("mixed/package.json", r#"{"name": "x", "version": "1"}"#);
    home.put("mixed/notes.md", "hello");
    home.put("mixed/image.json", b"\x89PNG\0\0\0");
    let report = home.json(&["learn", "mixed"]);
    assert_eq!((&report["not_traces"], &report["total"]["files"]), (&3.into(), &3.into()), "{report}");
    assert_eq!(report["failed"], serde_json::json!([]));
}

#[test]
fn bad_lines_are_told_with_their_numbers_and_the_good_ones_are_kept() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    let mut bytes = fs::read(home.join("traces/run-1.jsonl")).expect("written");
    bytes.extend_from_slice(b"{\"type\": \"tool_call\", \n\xff\xfe\xfd\n");
    home.put("bad.jsonl", bytes);
    let report = home.json(&["learn", "bad.jsonl"]);
    let file = &report["files"][0];
    assert_eq!(file["bad_lines"]["not_utf8"], 1, "{report}");
    let bad: Vec<String> = file["bad"].as_array().into_iter().flatten().map(text).collect();
    assert!(
        bad.iter().any(|line| line.starts_with("line 8:"))
            && bad.iter().any(|line| line.starts_with("line 9:")),
        "{bad:?}"
    );
    assert!(file["inserted"].as_u64() >= Some(1), "{report}");
}

#[test]
fn recall_gives_the_block_and_silence_where_nothing_fits() {
    let home = Home::new();
    home.learn_demo();
    let block = home.ok(&["recall", "--task", "Place a bat sprite", "--tool", "place_sprite"]);
    assert!(block.starts_with("<retrieved_guidelines") && block.ends_with('\n'), "{block}");
    let whole = home.json(&["recall", "--tool", "place_sprite", "--error", "unknown sprite id \"bat_blue\""]);
    assert_eq!(whole["moment"], "after_failure");
    assert!(whole["items"].as_array().is_some_and(|items| !items.is_empty()), "{whole}");

    let none = home.run(&["recall", "--task", "zxqv wplk ghrt"]);
    assert_eq!((none.exit, none.out.as_str()), (0, ""));
    let quiet = home.run(&["recall", "--task", "zxqv wplk ghrt", "--quiet"]);
    assert_eq!((quiet.exit, quiet.out.as_str(), quiet.err.as_str()), (0, "", ""));
}

#[test]
fn a_taught_lesson_can_be_listed_shown_and_found() {
    let home = Home::new();
    let lesson = "Run the migration before the tests: they need the new column.";
    let id = text(
        &home.json(&["teach", lesson, "--tool", "pytest", "--tag", "db", "--scope", "project=shop"])["id"],
    );
    let record = home.json(&["show", &id[..6]])["record"].clone();
    assert_eq!((&record["text"], &record["scope"]["project"]), (&lesson.into(), &"shop".into()));
    assert_eq!(home.json(&["list", "--tag", "db", "--tool", "pytest"])["total"], 1);
    assert_eq!(home.json(&["list", "--tag", "other"])["total"], 0);
    let found = ["recall", "--task", "run the tests after the migration", "--scope", "project=shop"];
    assert!(home.ok(&found).contains("migration"));
    assert_eq!(
        home.ok(&["recall", "--task", "run the tests after the migration", "--scope", "project=other"]),
        ""
    );
}

#[test]
fn a_table_is_aligned_and_holds_the_whole_text_in_a_pipe() {
    let home = Home::new();
    home.learn_demo();
    let table = home.ok(&["list"]);
    let lines: Vec<&str> = table.lines().collect();
    let column = lines[0].find("TEXT").expect("a heading");
    assert!(lines.len() > 2);
    for line in &lines[1..] {
        assert!(
            line.is_char_boundary(column)
                && line.as_bytes()[column - 1] == b' '
                && line.as_bytes()[column] != b' ',
            "{table}"
        );
    }
}

#[test]
fn explain_says_why_a_record_does_or_does_not_come_back() {
    let home = Home::new();
    home.learn_demo();
    let id = text(&home.json(&["list", "--tier", "strategic"])["records"][0]["id"]);
    let yes = home.json(&["explain", &id, "--task", "place a sprite", "--tool", "place_sprite"]);
    assert_eq!(yes["comes_back"], true, "{yes}");
    let no = home.json(&["explain", &id, "--task", "zxqv wplk ghrt"]);
    assert_eq!(no["comes_back"], false, "{no}");
    assert!(
        no["checks"].as_array().is_some_and(|checks| checks.iter().any(|check| check["passed"] == false)),
        "{no}"
    );
    assert!(home.ok(&["explain", &id, "--task", "zxqv wplk ghrt"]).contains("does not come back"));
}

#[test]
fn forget_restore_and_history() {
    let home = Home::new();
    let id = home.teach("Always pass --frozen-lockfile in CI.");
    assert_eq!(home.json(&["forget", &id, "--reason", "moved to npm"])["outcome"], "changed");
    assert_eq!(home.json(&["list"])["total"], 0);
    assert_eq!(home.json(&["list", "--all"])["records"][0]["status"], "retracted");
    assert_eq!(home.json(&["restore", &id])["outcome"], "changed");
    assert_eq!(home.json(&["list"])["total"], 1);
    let entries = home.json(&["history", &id])["entries"].clone();
    let verbs: Vec<String> =
        entries.as_array().into_iter().flatten().map(|entry| text(&entry["verb"])).collect();
    assert_eq!(verbs, ["teach", "forget", "restore"]);
    assert_eq!(entries[1]["reason"], "moved to npm");
}

#[test]
fn a_hard_forget_leaves_nothing_to_show_or_restore() {
    let home = Home::new();
    let id = home.teach("Ask Quentin Marlowe before you touch the billing table.");
    assert_eq!(home.json(&["forget", &id, "--hard", "--yes"])["outcome"], "erased");
    home.fails(&["show", &id], 3);
    home.fails(&["restore", &id], 3);
    for name in ["memory.db", "memory.db-wal"] {
        let bytes = fs::read(home.join("data/hardwon").join(name)).unwrap_or_default();
        assert!(!bytes.windows(7).any(|part| part == b"Quentin"), "{name} still holds it");
    }
}

#[test]
fn a_hard_forget_reaches_sessions_actors_and_reasons_and_the_trace_teaches_nothing_again() {
    let home = Home::new();
    let line = |fields: &str| format!("{{\"session_id\":\"session-zq71\",{fields}}}\n");
    let trace = [
        line(r#""type":"start","task":"ship the zeppelin""#),
        line(
            r#""type":"tool_call","call_id":"call-zq72","name":"moor","args":{"mast":"north"},"result":{"ok":false,"error":"mast is taken by another ship"}"#,
        ),
        line(r#""type":"final","text":"could not moor""#),
    ];
    home.put("zq.jsonl", trace.concat());
    home.ok(&["learn", "zq.jsonl", "--actor", "actor-zq73"]);
    let id = text(&home.json(&["list"])["records"][0]["id"]);
    home.ok(&["pin", &id, "--reason", "reason-zq74", "--actor", "actor-zq75"]);
    let other = home.teach("Keep the changelog in the present tense.");
    home.ok(&["pin", &other, "--reason", &format!("unlike {id}: reason-zq76"), "--actor", "kept-zq77"]);

    let found = |word: &str| {
        let files = fs::read_dir(home.join("data/hardwon")).expect("the store");
        files
            .filter_map(|entry| fs::read(entry.ok()?.path()).ok())
            .any(|bytes| bytes.windows(word.len()).any(|part| part == word.as_bytes()))
    };
    let gone = [
        "session-zq71",
        "call-zq72",
        "actor-zq73",
        "reason-zq74",
        "actor-zq75",
        "reason-zq76",
        "mast is taken",
        "zeppelin",
    ];
    for word in gone.iter().chain(&["kept-zq77"]) {
        assert!(found(word), "{word} is looked for in vain");
    }
    assert_eq!(home.json(&["forget", &id, "--hard", "--yes"])["outcome"], "erased");
    for word in gone {
        assert!(!found(word), "{word} is still there");
    }
    assert!(found("kept-zq77"), "what is said of another record stays");
    assert_eq!(home.json(&["doctor"])["findings"], serde_json::json!([]));
    home.ok(&["learn", "zq.jsonl"]);
    assert_eq!(home.json(&["list", "--all"])["total"], 1, "the same events never teach it again");
}

#[test]
fn pins_hold_and_let_go() {
    let home = Home::new();
    let id = home.teach("Keep the changelog in the present tense.");
    assert_eq!(home.json(&["pin", &id])["outcome"], "changed");
    assert_eq!(home.json(&["pin", &id])["outcome"], "unchanged");
    assert_eq!(home.json(&["show", &id])["record"]["pin"], "pinned");
    assert!(
        home.ok(&["recall", "--task", "zxqv wplk ghrt"]).contains("changelog"),
        "a pinned record always comes"
    );
    assert_eq!(home.json(&["unpin", &id])["outcome"], "changed");
    assert_eq!(home.ok(&["recall", "--task", "zxqv wplk ghrt"]), "");
}

#[test]
fn undo_takes_an_operation_back_by_the_first_digits_of_its_id() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let op = text(&home.json(&["history"])["entries"][0]["op"]);
    assert_eq!(home.json(&["undo", &op[..8]])["done"], true);
    assert_eq!(home.json(&["list", "--all"])["total"], 0);
    assert_eq!(home.json(&["history"])["entries"][1]["undoes"][0], op.as_str());
    assert!(home.ok(&["history"]).contains(&format!("took back {}", &op[..8])));
    let (exit, again) = home.json_with_exit(&["undo", &op]);
    assert_eq!((exit, &again["done"]), (7, &false.into()), "{again}");
}

#[test]
fn maintain_holds_the_cap() {
    let home = Home::new();
    let file = home.export_of(6, "ab");
    home.ok(&["import", &file.display().to_string()]);
    let done = home.json(&["maintain", "--max-entries", "4"]);
    assert_eq!((&done["archived"], &done["missing"]), (&2.into(), &0.into()), "{done}");
    assert_eq!(home.json(&["list"])["total"], 4);
    assert_eq!(home.json(&["list", "--status", "archived"])["total"], 2);
}

#[test]
fn an_export_comes_back_as_it_was() {
    let home = Home::new();
    home.learn_demo();
    home.teach("Keep the changelog in the present tense.");
    assert_eq!(home.json(&["export", "all.jsonl"])["file"], "all.jsonl");
    let file = fs::read_to_string(home.join("all.jsonl")).expect("written");
    assert_eq!(file, home.ok(&["export"]), "the same to a file and to stdout");

    let other = Home::new();
    other.put("all.jsonl", &file);
    let taken = other.json(&["import", "all.jsonl"]);
    assert_eq!(taken["inserted"], file.lines().count() - 1, "{taken}");
    assert_eq!(other.json(&["import", "all.jsonl"])["inserted"], 0);
    let texts = |home: &Home| home.ok(&["list", "--all", "--json"]);
    let strip = |list: String| -> Vec<Value> {
        let mut list: Value = serde_json::from_str(&list).expect("JSON");
        let records = list["records"].as_array_mut().expect("records");
        for record in records.iter_mut() {
            for name in ["version", "updated_at"] {
                record[name] = Value::Null;
            }
        }
        core::mem::take(records)
    };
    assert_eq!(strip(texts(&home)), strip(texts(&other)));
}

#[test]
fn figures_and_check_up() {
    let home = Home::new();
    home.learn_demo();
    let stats = home.json(&["stats"]);
    assert_eq!(stats["sessions"], 3, "{stats}");
    assert_eq!(stats["without_vector"], 0, "{stats}");
    let doctor = home.json(&["doctor"]);
    assert_eq!(doctor["findings"], serde_json::json!([]), "{doctor}");
    assert!(home.ok(&["doctor"]).contains("healthy"));
}

#[test]
fn reading_makes_no_store() {
    let home = Home::new();
    for args in [
        &["list"][..],
        &["recall", "--task", "x"],
        &["stats"],
        &["doctor"],
        &["history"],
        &["export"],
        &["maintain"],
    ] {
        assert_eq!(home.run(args).exit, 0, "{args:?}");
    }
    assert!(!home.join("data/hardwon").exists());
}

#[test]
fn the_store_is_chosen_in_order() {
    let home = Home::new();
    let run = |extra: &[(&str, &str)], args: &[&str]| {
        let mut command = home.command(args);
        command.envs(extra.iter().copied());
        assert!(command.output().expect("it runs").status.success());
    };
    run(&[], &["teach", "One lesson for the user."]);
    assert!(home.join("data/hardwon/memory.db").exists());
    fs::create_dir(home.join(".hardwon")).expect("made");
    run(&[], &["teach", "One lesson for the project."]);
    assert!(home.join(".hardwon/memory.db").exists());
    run(&[("HARDWON_STORE", "named")], &["teach", "One lesson for the variable."]);
    assert!(home.join("named/memory.db").exists());
    run(&[("HARDWON_STORE", "named")], &["--store", "other.db", "teach", "One lesson for the option."]);
    assert!(home.join("other.db").exists());
    for store in ["data/hardwon", ".hardwon", "named", "other.db"] {
        assert_eq!(home.json(&["list", "--store", store])["total"], 1, "{store}");
    }
}

#[test]
fn spaces_do_not_meet() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    assert_eq!(home.json(&["list", "--space", "other"])["total"], 0);
    home.ok(&["teach", "Another lesson for another space.", "--space", "other"]);
    assert_eq!(home.json(&["list"])["total"], 1);
}

#[test]
fn a_policy_beside_the_store_is_in_force() {
    let home = Home::new();
    home.put(".hardwon/policy.toml", "[learn]\npromote_at = 2\n");
    home.ok(&["demo", "--traces", "traces"]);
    let report = home.json(&["learn", "traces/run-1.jsonl", "traces/run-2.jsonl"]);
    assert_eq!(report["total"]["promoted"], 1, "{report}");
}

#[test]
fn sub_agent_files_come_with_their_session() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    fs::create_dir_all(home.join("traces/run-1/subagents")).expect("made");
    fs::rename(home.join("traces/run-2.jsonl"), home.join("traces/run-1/subagents/agent-a.jsonl"))
        .expect("moved");
    let report = home.json(&["learn", "traces/run-1.jsonl"]);
    assert_eq!(report["total"]["files"], 2, "{report}");
}

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    assert!(!home.ok(&["list"]).contains('\u{1b}'));
    assert!(home.ok(&["list", "--color", "always"]).contains('\u{1b}'));
    assert!(!home.ok(&["list", "--color", "never"]).contains('\u{1b}'));
}

#[test]
fn help_version_and_completions() {
    let home = Home::new();
    let help = home.ok(&["--help"]);
    for part in ["Exit status:", "HARDWON_STORE", "recall", "completions"] {
        assert!(help.contains(part), "{part}");
    }
    assert!(home.ok(&["--version"]).starts_with("hardwon "));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(home.ok(&["completions", shell]).contains("hardwon"), "{shell}");
    }
}

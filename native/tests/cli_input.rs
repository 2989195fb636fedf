//! Paths, streams, arguments and surroundings of every odd kind: told in words, with code and status, nothing lost.

#![cfg(feature = "cli")]

mod cli_support;
mod samples;

use std::fs;
use std::process::Stdio;

use cli_support::{Home, schema, text};
use serde_json::Value;

#[test]
fn an_archive_of_inspect_is_unpacked() {
    let name = "inspect_ai/log_read_sample.eval";
    let Some(file) = samples::traces().map(|dir| dir.join(name)) else { return };
    let home = Home::new();
    let done = home.json(&["learn", &file.display().to_string()]);
    assert_eq!(
        (&done["files"][0]["sessions"], &done["files"][0]["format"]),
        (&1.into(), &"inspect_ai".into()),
        "{done}"
    );
    // Cut short it has lost its table of contents, and nothing tells that it was one.
    home.put("half.eval", &std::fs::read(&file).expect("the archive")[..2000]);
    assert_eq!(home.fails(&["learn", "half.eval"], 4).0, "file.binary");
}

#[test]
fn a_hyphen_is_a_stream_where_there_is_one_and_an_error_where_not() {
    let home = Home::new();
    home.learn_demo();
    assert_eq!(home.ok(&["export", "-"]), home.ok(&["export"]));
    assert!(!home.join("-").exists());
    let export = home.ok(&["export"]);
    let run = home.run_with_stdin(&["import", "-", "--space", "other"], export.as_bytes());
    assert_eq!(run.exit, 0, "{run:?}");
    for args in
        [&["--store", "-", "list"][..], &["--store", "-", "teach", "Keep it."], &["demo", "--traces", "-"]]
    {
        let (code, message) = home.fails(args, 2);
        assert!(code == "usage" && message.contains("./-"), "{args:?}: {message}");
    }
    home.ok(&["export", "./-"]);
    assert!(home.join("-").is_file());
}

#[test]
fn one_bad_path_keeps_no_other_from_being_learned() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    home.put("bad.json", r#"{"name": "x"}"#);
    let run =
        home.run(&["learn", "gone.jsonl", "traces/run-1.jsonl", "bad.json", "gone/too", "traces", "--json"]);
    assert_eq!(run.exit, 3, "the first failure decides: {run:?}");
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    schema::check(&report, "learn.json");
    assert_eq!((&report["total"]["files"], &report["total"]["promoted"]), (&3.into(), &1.into()), "{report}");
    let failed: Vec<(String, String)> = report["failed"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| (text(&one["path"]), text(&one["code"])))
        .collect();
    let expected =
        [("gone.jsonl", "file.missing"), ("gone/too", "file.missing"), ("bad.json", "invalid.format")];
    assert_eq!(failed, expected.map(|(path, code)| (path.to_string(), code.to_string())));
    for (line, (path, code)) in run.err.lines().zip(expected) {
        assert!(line.contains(path) && line.contains(code), "{line}");
    }
    assert_eq!(run.err.lines().count(), 3, "{run:?}");
}

#[test]
fn where_nothing_can_be_read_no_store_is_made() {
    let home = Home::new();
    assert_eq!(home.fails(&["learn", "gone.jsonl", "gone"], 3).0, "file.missing");
    assert!(!home.join("data").exists());
}

#[test]
fn a_file_that_was_walked_and_is_named_too_is_told_when_it_fails() {
    let home = Home::new();
    home.put("d/bad.json", r#"{"name": "x"}"#);
    assert_eq!(home.json(&["learn", "d"])["not_traces"], 1);
    for args in [&["learn", "d", "d/bad.json"], &["learn", "d/bad.json", "d"]] {
        let (code, message) = home.fails(args, 4);
        assert!(code == "invalid.format" && message.starts_with("d/bad.json: "), "{message}");
    }
}

#[test]
fn lines_that_are_no_utf8_are_never_passed_over_in_silence() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    let mut bytes = b"\xe9\xe8\n".repeat(9);
    bytes.extend(fs::read(home.join("traces/run-1.jsonl")).expect("written"));
    home.put("mixed.jsonl", bytes);
    let out = home.ok(&["learn", "mixed.jsonl"]);
    assert!(out.contains("Left out 9 lines: 9 not UTF-8."), "{out}");
    assert!(out.contains("mixed.jsonl, line 1: it is not UTF-8") && out.contains("and 4 more"), "{out}");
    home.put("none.json", b"\xe9\n{\"name\": 5}\n\xe9".as_slice());
    let (code, message) = home.fails(&["learn", "none.json"], 4);
    assert_eq!(code, "invalid.format");
    assert!(
        message.starts_with("none.json") && message.contains("2 lines that are not UTF-8 (first line 1)"),
        "{message}"
    );
}

#[cfg(unix)]
#[test]
fn a_walk_passes_over_pipes_and_links_to_nothing() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "d"]);
    assert!(
        std::process::Command::new("mkfifo")
            .arg(home.join("d/pipe.jsonl"))
            .status()
            .expect("mkfifo")
            .success()
    );
    std::os::unix::fs::symlink("nowhere", home.join("d/link.jsonl")).expect("a link");
    std::os::unix::fs::symlink(".", home.join("d/round.jsonl")).expect("a link");
    let report = home.json(&["learn", "d"]);
    assert_eq!((&report["total"]["files"], &report["not_traces"]), (&3.into(), &2.into()), "{report}");
}

#[test]
fn the_arguments_of_a_call_are_a_json_object_of_a_tool() {
    let home = Home::new();
    let recall = |args: &str| home.fails(&["recall", "--tool", "x", "--args", args], 2);
    for bad in ["{bad", "", " ", "[1]", "5", "null", "\"a\"", "{\"a\": 1} 2", "{\"a\": \u{1}}"] {
        let (code, message) = recall(bad);
        assert!(code == "usage.args" && message.contains("JSON object"), "{bad:?}: {message}");
    }
    let (code, message) = home.fails(&["recall", "--task", "x", "--args", "{}"], 2);
    assert!(code == "usage.args" && message.contains("--tool"), "{message}");
    home.ok(&["recall", "--tool", "x", "--args", r#"{"a": [1, {"b": null}]}"#]);
    let id = home.teach("Keep the changelog in the present tense.");
    assert_eq!(home.fails(&["explain", &id, "--tool", "x", "--args", "{"], 2).0, "usage.args");
}

#[test]
fn an_empty_variable_names_no_store_and_an_empty_option_is_an_error() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let output = home.command(&["list", "--json"]).env("HARDWON_STORE", "").output().expect("it runs");
    let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(list["total"], 1, "as if it were not set");
    assert_eq!(home.fails(&["--store", "", "list"], 2).0, "usage");
}

#[test]
fn what_cannot_be_undone_says_why() {
    let home = Home::new();
    home.put(
        "nothing.jsonl",
        "{\"type\":\"start\",\"session_id\":\"n\",\"task\":\"say hello\"}\n{\"type\":\"final\",\"session_id\":\"n\",\"text\":\"hello\"}\n",
    );
    home.ok(&["learn", "nothing.jsonl"]);
    let op = text(&home.json(&["history"])["entries"][0]["op"]);
    let (code, message) = home.fails(&["undo", &op], 4);
    assert_eq!(code, "invalid.undo");
    assert!(message.contains("changed no record"), "{message}");
    assert!(home.ok(&["history"]).contains("changed no record"));
}

#[test]
fn a_lesson_that_was_forgotten_is_told_so_when_it_comes_again() {
    let home = Home::new();
    let id = home.teach("Keep the changelog in the present tense.");
    home.ok(&["forget", &id]);
    assert!(home.ok(&["show", &id]).contains("retracted (forgotten: `hardwon restore` brings it back)"));
    let again = home.run(&["teach", "Keep the changelog in the present tense."]);
    assert!(again.exit == 0 && again.err.contains("active again"), "{again:?}");
    home.learn_demo();
    let lesson = text(&home.json(&["list", "--tier", "strategic"])["records"][0]["id"]);
    home.ok(&["forget", &lesson]);
    let out = home.ok(&["learn", "traces"]);
    assert!(out.contains("read before") && out.contains("hardwon restore"), "{out}");
}

#[test]
fn nothing_internal_is_left_untranslated() {
    let home = Home::new();
    home.learn_demo();
    let id = text(&home.json(&["list", "--tier", "strategic"])["records"][0]["id"]);
    let screens = [
        home.ok(&["show", &id]),
        home.ok(&["stats"]),
        home.ok(&["explain", &id, "--task", "place a sprite"]),
        home.run(&["teach", &"word ".repeat(60)]).out,
    ];
    for screen in screens {
        for name in ["invented_value", "top_k", "over_cap", "749859"] {
            assert!(!screen.contains(name), "{name}: {screen}");
        }
        assert!(screen.lines().all(|line| !line.ends_with(' ')), "{screen:?}");
    }
}

#[test]
fn names_from_outside_never_steer_the_terminal() {
    let home = Home::new();
    let evil = "\u{1b}[2Jevil\u{202e}";
    home.put(&format!("{evil}.jsonl"), "{\"name\": 1}");
    home.put(&format!("{evil}.db"), "no store at all");
    for args in [
        &["learn", &format!("{evil}.jsonl")][..],
        &["learn", &format!("{evil}.missing")],
        &["--store", &format!("{evil}.db"), "list"],
        &["--store", evil, "list"],
        &["--space", evil, "doctor"],
        &["show", evil],
        &["teach", "Keep it well.", "--actor", evil, "--reason", evil],
        &["history"],
        &["import", &format!("{evil}.jsonl")],
        &["export", &format!("{evil}.out")],
        &["demo", "--traces", &format!("{evil}.d")],
        &["list", "--kind", evil],
        &[evil],
    ] {
        let run = home.run(args);
        assert!(!run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'), "{args:?}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_utf8_are_told_and_paths_may_be_so() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    let odd = OsStr::from_bytes(b"odd\xff.jsonl");
    if fs::copy(home.join("traces/run-1.jsonl"), home.path().join(odd)).is_ok() {
        let output = home.command(&["learn"]).arg(odd).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
    }
    let output =
        home.command(&["teach", "--json"]).arg(OsStr::from_bytes(b"\xff")).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error: Value = serde_json::from_slice(&output.stderr).expect("JSON");
    assert_eq!(error["code"], "usage");
}

#[test]
fn huge_arguments_are_limits_and_not_crashes() {
    let home = Home::new();
    let huge = "a".repeat(100_000);
    assert_eq!(home.fails(&["teach", &huge], 4).0, "limit.text_bytes");
    assert_eq!(home.fails(&["recall", "--task", &huge], 4).0, "limit.text_bytes");
    for option in ["--actor", "--reason", "--tool", "--tag", "--situation", "--space"] {
        let (code, message) = home.fails(&["teach", "Keep it.", option, &huge], 4);
        assert_eq!(code, "limit.text_bytes", "{option}");
        assert!(message.contains(&option[2..]) && message.len() < 300, "{message}");
    }
    let (code, message) = home.fails(&["show", &huge], 2);
    assert!(code == "usage.id" && message.len() < 300, "{message}");
    assert_eq!(home.fails(&["learn", &huge], 4).0, "file.unreadable");
    assert_eq!(home.fails(&["--store", &huge, "list"], 5).0, "host.store");
    assert_eq!(home.fails(&["--store", &huge, "teach", "Keep it."], 5).0, "host.store");
}

#[test]
fn lessons_apply_to_the_repository_that_their_trace_names() {
    let home = Home::new();
    let run = |session: &str, place: &str| {
        let head = format!(
            r#"{{"type":"start","session_id":"{session}","event_id":"{session}1","task":"Write it"{place}}}"#
        );
        let call = format!(
            r#"{{"type":"tool_call","session_id":"{session}","event_id":"{session}2","name":"write_file","args":{{"path":"a/b"}},"result":{{"ok":false,"error":"parent directory does not exist"}}}}"#
        );
        [head, call].join("\n")
    };
    home.put("here/.git/config", "[remote \"origin\"]\n\turl = git@example.org:team/web.git\n");
    let here = home.join("here/src");
    let runs = [
        run("d", &format!(r#","cwd":{:?}"#, here.display().to_string())),
        run("a", r#","repo":"git@example.org:team/app.git","cwd":"/tmp/x""#),
        run("b", r#","cwd":"/home/me/tool/.worktrees/fix""#),
        run("c", ""),
    ];
    let file = home.put("runs.jsonl", runs.join("\n"));
    let file = file.display().to_string();
    let learned = home.json(&["learn", &file, "--scope-from-trace", "--scope", "user=me"]);
    let notices = learned["files"][0]["notices"].to_string();
    assert!(notices.contains("1 of 4 runs name no repository"), "{notices}");
    let listed = home.json(&["list"]);
    let mut scopes: Vec<String> = listed["records"]
        .as_array()
        .expect("records")
        .iter()
        .map(|record| record["scope"].to_string())
        .collect();
    scopes.sort();
    let expected = [
        r#"{"repo":"/home/me/tool","user":"me"}"#,
        r#"{"repo":"example.org/team/app","user":"me"}"#,
        r#"{"repo":"example.org/team/web","user":"me"}"#,
        r#"{"user":"me"}"#,
    ];
    assert_eq!(scopes, expected, "{listed}");
}

#[test]
fn it_runs_in_any_surroundings() {
    let home = Home::new();
    home.learn_demo();
    let with = |change: &dyn Fn(&mut std::process::Command)| {
        let mut command = home.command(&["list", "--store", "data/hardwon"]);
        change(&mut command);
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let usual = home.ok(&["list"]);
    let set = |pairs: &'static [(&str, &str)]| {
        with(&move |command| {
            command.envs(pairs.iter().copied());
        })
    };
    assert_eq!(set(&[("TERM", "dumb")]), usual);
    assert_eq!(set(&[("NO_COLOR", "1")]), usual);
    assert_eq!(set(&[("COLUMNS", "10"), ("LC_ALL", "C")]), usual);
    let bare = with(&|command| {
        command.env_clear();
    });
    assert_eq!(bare, usual);
}

#[cfg(unix)]
#[test]
fn closed_streams_are_no_crash() {
    let home = Home::new();
    home.learn_demo();
    let shell = |script: &str| {
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", script, env!("CARGO_BIN_EXE_hardwon")])
            .current_dir(home.path())
            .stdin(Stdio::null());
        command.env("HOME", home.path()).env("XDG_DATA_HOME", home.join("data")).env_remove("HARDWON_STORE");
        let output = command.output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!err.contains("panicked"), "{script}: {err}");
        (output.status.code(), err)
    };
    for (script, exit) in [
        ("\"$0\" list >&-", 0),
        ("\"$0\" list --json >&-", 0),
        ("\"$0\" learn - <&-", 0),
        ("\"$0\" import - <&-", 4),
        ("\"$0\" show ffff 2>&-", 3),
        ("\"$0\" --nonsense 2>&-", 2),
        ("\"$0\" --nonsense --json 2>&-", 2),
        ("\"$0\" demo >&- 2>&- <&-", 0),
    ] {
        assert_eq!(shell(script).0, Some(exit), "{script}");
    }
    for verb in ["list", "--help", "demo", "history", "completions bash", "export -", "export /dev/stdout"] {
        let (_, err) = shell(&format!("{{ \"$0\" {verb}; echo \"status $?\" >&2; }} | head -c 1 >/dev/null"));
        assert_eq!(err.trim(), "status 0", "{verb}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_export_to_a_device_writes_to_it_and_one_to_a_link_keeps_it() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let output = home.command(&["export", "/dev/stdout"]).output().expect("it runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).lines().count(),
        3,
        "two lines and the answer: {output:?}"
    );
    home.put("real.jsonl", "");
    std::os::unix::fs::symlink("real.jsonl", home.join("link.jsonl")).expect("a link");
    home.ok(&["export", "link.jsonl"]);
    assert!(home.join("link.jsonl").is_symlink());
    assert!(fs::read_to_string(home.join("real.jsonl")).expect("there").contains("hardwon-export"));
    let (code, message) = home.fails(&["export", "nowhere/out.jsonl"], 4);
    assert!(code == "file.unwritable" && message.contains("folder does not exist"), "{message}");
}

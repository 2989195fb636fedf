//! Every kind of error says what to do, has its code and exit status, and loses nothing.

#![cfg(feature = "cli")]

mod cli_support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use cli_support::{Home, text};

#[test]
fn a_wrong_command_line_is_2() {
    let home = Home::new();
    assert_eq!(home.fails(&["list", "--nonsense"], 2).0, "usage");
    assert_eq!(home.fails(&["recall"], 2).0, "usage.query");
    assert_eq!(home.fails(&["list", "--scope", "planet=mars"], 2).0, "usage");
    assert_eq!(home.fails(&["show", "xyz"], 2).0, "usage.id");
    assert_eq!(home.fails(&["show", "abc"], 2).0, "usage.id");
    let run = home.run(&["nonsense"]);
    assert_eq!(run.exit, 2);
    assert!(run.err.contains("Usage"), "{run:?}");
}

#[test]
fn what_is_not_there_is_3() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let unknown = "0123456789abcdef0123456789abcdef";
    for args in [
        &["show", unknown][..],
        &["forget", unknown],
        &["pin", unknown],
        &["history", unknown],
        &["undo", unknown],
    ] {
        assert_eq!(home.fails(args, 3).0, "invalid.not_found", "{args:?}");
    }
    let (code, message) = home.fails(&["learn", "nowhere.jsonl"], 3);
    assert_eq!(code, "file.missing");
    assert!(message.contains("nowhere.jsonl"), "{message}");
}

#[test]
fn an_unknown_prefix_is_3_and_an_ambiguous_one_lists_its_matches() {
    let home = Home::new();
    let file = home.export_of(3, "abcd");
    home.ok(&["import", &file.display().to_string()]);
    assert_eq!(home.fails(&["show", "dcba"], 3).0, "invalid.not_found");
    let (code, message) = home.fails(&["show", "abcd"], 2);
    assert_eq!(code, "usage.ambiguous");
    assert!(message.contains("machine0") && message.contains("machine2"), "{message}");
}

#[test]
fn a_named_file_of_unknown_format_is_4_and_says_what_was_seen() {
    let home = Home::new();
    home.put("package.json", r#"{"name": "x", "dependencies": {}}"#);
    let (code, message) = home.fails(&["learn", "package.json"], 4);
    assert_eq!(code, "invalid.format");
    assert!(message.contains("dependencies"), "{message}");
    home.put("prose.txt", "Once upon a time.\n");
    assert_eq!(home.fails(&["learn", "prose.txt"], 4).0, "invalid.format");
}

#[test]
fn a_bad_file_does_not_keep_the_good_ones_from_being_learned() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    home.put("package.json", r#"{"name": "x"}"#);
    let run = home.run(&["learn", "package.json", "traces/run-1.jsonl"]);
    assert_eq!(run.exit, 4, "{run:?}");
    assert!(home.json(&["list"])["total"].as_u64() >= Some(1));
}

#[test]
fn binary_files_and_directories_in_the_wrong_place_are_4() {
    let home = Home::new();
    home.put("image.jsonl", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let (code, message) = home.fails(&["learn", "image.jsonl"], 4);
    assert_eq!(code, "file.binary");
    assert!(message.contains("UTF-8"), "{message}");
    fs::create_dir(home.join("folder")).expect("made");
    assert_eq!(home.fails(&["import", "folder"], 4).0, "invalid.export");
}

#[test]
fn a_trace_over_the_limit_is_4() {
    let home = Home::new();
    home.put(".hardwon/policy.toml", "[limits]\ntrace_bytes = 200\n");
    home.ok(&["demo", "--traces", "traces"]);
    let (code, message) = home.fails(&["learn", "traces/run-1.jsonl"], 4);
    assert_eq!(code, "limit.trace_bytes");
    assert!(message.contains("200"), "{message}");
}

#[test]
fn a_line_of_200_megabytes_is_a_bad_line_and_the_others_are_kept() {
    let home = Home::new();
    home.ok(&["demo", "--traces", "traces"]);
    let mut bytes = fs::read(home.join("traces/run-1.jsonl")).expect("written");
    bytes.extend_from_slice(br#"{"type": "thought", "session_id": "demo-run-1", "text": ""#);
    bytes.resize(bytes.len() + 200_000_000, b'x');
    bytes.extend_from_slice(b"\"}\n");
    home.put("long.jsonl", bytes);
    let report = home.json(&["learn", "long.jsonl"]);
    assert_eq!(report["total"]["bad_lines"]["too_long"], 1, "{report}");
    assert!(report["total"]["inserted"].as_u64() >= Some(1), "{report}");
}

#[test]
fn a_wrong_policy_is_4_and_names_the_field() {
    let home = Home::new();
    home.put(".hardwon/policy.toml", "[learn]\npromote_att = 2\n");
    let (code, message) = home.fails(&["list"], 4);
    assert_eq!(code, "invalid.policy");
    assert!(message.contains("promote_att") && message.contains("policy.toml"), "{message}");
}

#[test]
fn a_damaged_export_is_refused_whole() {
    let home = Home::new();
    let path = home.export_of(5, "ab");
    let good = fs::read_to_string(&path).expect("written");
    let cut: String = good.lines().take(4).collect::<Vec<_>>().join("\n");
    home.put("cut.jsonl", cut);
    home.put("broken.jsonl", good.replacen("\"kind\":\"lesson\"", "\"kind\":\"nonsense\"", 2));
    home.put("newer.jsonl", good.replacen("\"version\":1", "\"version\":9", 1));
    home.put("empty.jsonl", "");
    assert_eq!(home.fails(&["import", "cut.jsonl"], 4).0, "invalid.export");
    let (code, message) = home.fails(&["import", "broken.jsonl"], 4);
    assert!(code == "invalid.export" && message.contains("line 2"), "{message}");
    assert_eq!(home.fails(&["import", "newer.jsonl"], 6).0, "incompatible");
    assert_eq!(home.fails(&["import", "empty.jsonl"], 4).0, "invalid.export");
    assert_eq!(home.json(&["list", "--all"])["total"], 0);
}

#[test]
fn erasing_is_confirmed() {
    let home = Home::new();
    let id = home.teach("Keep the changelog in the present tense.");
    assert_eq!(home.fails(&["forget", &id, "--hard"], 2).0, "usage.confirm");
    assert_eq!(home.json(&["list"])["total"], 1);
}

#[test]
fn what_the_engine_declines_is_7_with_its_reason() {
    let home = Home::new();
    let (exit, answer) =
        home.json_with_exit(&["teach", "Connect with postgres://app:Tr0ub4dor3x@db/shop first."]);
    assert_eq!((exit, &answer["outcome"]), (7, &"refused".into()), "{answer}");
    assert!(!text(&answer["reason"]).is_empty());
    assert_eq!(home.json(&["list", "--all"])["total"], 0);
}

#[test]
fn a_store_that_cannot_be_is_5() {
    let home = Home::new();
    home.put("file", "not a folder");
    let (code, message) = home.fails(&["--store", "file/store", "teach", "Keep it."], 5);
    assert_eq!(code, "host.store");
    assert!(message.contains("file"), "{message}");
    home.put("other.db", "This is not a database, it is only text that happens to be here.".repeat(100));
    let before = fs::read(home.join("other.db")).expect("there");
    let (_, message) = home.fails(&["--store", "other.db", "teach", "Keep it."], 5);
    assert!(message.contains("other.db"), "{message}");
    assert_eq!(
        fs::read(home.join("other.db")).expect("there"),
        before,
        "another program's file is left alone"
    );
}

#[test]
fn a_store_of_a_newer_version_is_6_and_left_alone() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let path = home.join("data/hardwon/memory.db");
    let conn = rusqlite::Connection::open(&path).expect("opens");
    conn.pragma_update(None, "user_version", 999).expect("set");
    drop(conn);
    let before = fs::read(&path).expect("there");
    for args in [&["list"][..], &["teach", "Another lesson."]] {
        let (code, message) = home.fails(args, 6);
        assert_eq!(code, "incompatible");
        assert!(message.contains("999") && message.contains("update"), "{message}");
    }
    assert_eq!(fs::read(&path).expect("there"), before);
}

#[test]
fn a_damaged_store_is_6() {
    let home = Home::new();
    home.learn_demo();
    let path = home.join("data/hardwon/memory.db");
    let conn = rusqlite::Connection::open(&path).expect("opens");
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("folded in");
    drop(conn);
    let mut bytes = fs::read(&path).expect("there");
    let half = bytes.len() / 2;
    bytes[4096..half].fill(0x5a);
    fs::write(&path, bytes).expect("written");
    let run = home.run(&["doctor"]);
    assert_eq!(run.exit, 6, "{run:?}");
}

#[test]
fn others_who_keep_writing_are_waited_for_and_then_it_is_5() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let conn = rusqlite::Connection::open(home.join("data/hardwon/memory.db")).expect("opens");
    conn.execute_batch("BEGIN IMMEDIATE").expect("locked");
    assert_eq!(home.fails(&["teach", "Another lesson to keep."], 5).0, "contended");
    assert_eq!(home.json(&["list"])["total"], 1, "reading goes on");
    conn.execute_batch("ROLLBACK").expect("unlocked");
    home.teach("Another lesson to keep.");
    assert_eq!(home.json(&["list"])["total"], 2);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_5_and_loses_nothing() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let file = home.export_of(2000, "ab");
    let script = r#"trap "" XFSZ; ulimit -f 600; exec "$0" import "$1" --json"#;
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_hardwon")]).arg(file).current_dir(home.path());
    command.env("HOME", home.path()).env("XDG_DATA_HOME", home.join("data")).env_remove("HARDWON_STORE");
    let output = command.output().expect("it runs");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{err}");
    assert!(err.contains("host.store") && err.contains("Nothing was changed"), "{err}");
    assert_eq!(home.json(&["list", "--all"])["total"], 1);
    assert_eq!(home.json(&["doctor"])["healthy"], true);
}

#[cfg(unix)]
#[test]
fn a_read_only_store_can_be_read_and_says_why_it_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let folder = home.join("data/hardwon");
    let mode = |mode: u32| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("set");
    let file_mode = |mode: u32| {
        fs::set_permissions(folder.join("memory.db"), fs::Permissions::from_mode(mode)).expect("set");
    };
    file_mode(0o400);
    mode(0o500);
    if fs::write(folder.join("probe"), "").is_ok() {
        println!("skipped: this user may write anywhere");
    } else {
        let (code, message) = home.fails(&["teach", "Another lesson."], 5);
        assert_eq!(code, "host.store");
        assert!(message.contains("read-only"), "{message}");
    }
    mode(0o700);
    file_mode(0o600);
    assert_eq!(home.json(&["list"])["total"], 1);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = Home::new();
    let file = home.export_of(3000, "ab");
    home.ok(&["import", &file.display().to_string()]);
    for args in [&["list"][..], &["list", "--json"], &["export"]] {
        let mut command = home.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut line = [0; 16];
        let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("piped"));
        std::io::Read::read_exact(&mut reader, &mut line).expect("an answer begins");
        drop(reader);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{args:?}: {output:?}");
        assert_eq!(output.stderr.lines().count(), 0, "{args:?}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_1() {
    let home = Home::new();
    home.teach("Keep the changelog in the present tense.");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("opens");
    let output = home.command(&["list"]).stdout(full).stderr(Stdio::piped()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[cfg(not(feature = "model-http"))]
#[test]
fn a_build_without_a_model_client_says_so() {
    let home = Home::new();
    let (code, message) =
        home.fails(&["learn", "run.jsonl", "--model=m", "--model-url", "https://host.example/v1"], 2);
    assert!(code == "usage.no_model_client" && message.contains("model-http"), "{message}");
}

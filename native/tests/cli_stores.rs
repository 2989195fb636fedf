//! Whatever the store's path leads to: the verbs work, or a message says what happened, to what, and what to do.

#![cfg(feature = "cli")]

mod cli_support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use cli_support::Home;
use serde_json::Value;

const LESSON: &str = "Keep the changelog in the present tense.";

/// A verb that reads and one that writes.
const BOTH: [&[&str]; 2] = [&["list"], &["teach", "Another lesson to keep."]];

#[test]
fn an_empty_file_is_no_store_yet_and_becomes_one() {
    let home = Home::new();
    home.put("zero.db", "");
    assert_eq!(home.json(&["--store=zero.db", "list"])["total"], 0);
    assert_eq!(fs::metadata(home.join("zero.db")).expect("there").len(), 0, "reading makes nothing of it");
    home.ok(&["--store", "zero.db", "teach", LESSON]);
    assert_eq!(home.json(&["--store=zero.db", "list"])["total"], 1);
}

#[test]
fn folders_and_files_in_the_wrong_place_are_named() {
    let home = Home::new();
    fs::create_dir_all(home.join("odd/memory.db")).expect("made");
    home.put("file", "not a folder");
    for args in BOTH {
        let (code, message) = home.fails(&[&["--store", "odd"], args].concat(), 5);
        assert!(code == "host.store" && message.contains("memory.db: it is a folder"), "{message}");
        let (code, message) = home.fails(&[&["--store", "file/store"], args].concat(), 5);
        assert!(code == "host.store" && message.contains("is a file"), "{message}");
    }
}

#[test]
fn files_that_are_no_stores_are_left_alone() {
    let home = Home::new();
    let store = store(&home);
    let whole = fs::read(&store).expect("there");
    home.put("words.db", "just a few words\n");
    home.put("cut.db", &whole[..whole.len() / 3]);
    home.put("page.db", &whole[..3000]);
    let other = rusqlite::Connection::open(home.join("other.db")).expect("a database");
    other.execute_batch("CREATE TABLE t(x)").expect("a table");
    drop(other);
    for (name, exit, words) in [
        ("words.db", 5, "is not a hardwon store"),
        ("other.db", 5, "another program"),
        ("cut.db", 6, "put a backup or an export in its place"),
        ("page.db", 6, "put a backup or an export in its place"),
    ] {
        let before = fs::read(home.join(name)).expect("there");
        for args in BOTH {
            let (_, message) = home.fails(&[&["--store", name], args].concat(), exit);
            assert!(message.contains(words) && message.contains(name), "{name}: {message}");
        }
        assert!(fs::read(home.join(name)).expect("there") == before, "{name} was changed");
    }
}

#[test]
fn vectors_of_another_embedder_leave_search_by_words_and_can_be_written_anew() {
    let home = Home::new();
    let raw = rusqlite::Connection::open(store(&home)).expect("a connection");
    raw.execute_batch("UPDATE vector SET embedder = 'another-7'").expect("another embedder");
    drop(raw);
    assert_eq!(home.json(&["stats"])["without_vector"], 1);
    assert!(home.ok(&["stats"]).contains("1 record without a vector: `hardwon maintain` writes them"));
    assert!(home.ok(&["recall", "--task", "the changelog in the present tense"]).contains("changelog"));
    assert_eq!(home.json(&["maintain"])["embedded"], 1);
    assert_eq!(home.json(&["stats"])["without_vector"], 0);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let home = Home::new();
    pipe(&home.join("pipe.db"));
    pipe(&home.join("pipe"));
    for path in ["pipe.db", "pipe", "/dev/null", "/dev/zero"] {
        for args in BOTH {
            let (code, message) = home.fails(&[&["--store", path], args].concat(), 5);
            assert!(
                code == "host.store" && message.contains("a device") && message.contains("--store"),
                "{message}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_one_to_itself_is_told() {
    use std::os::unix::fs::symlink;
    let home = Home::new();
    let store = store(&home);
    symlink(&store, home.join("link.db")).expect("a link");
    symlink(store.parent().expect("inside"), home.join("folder")).expect("a link");
    for path in ["link.db", "folder"] {
        assert_eq!(home.json(&["list", "--store", path])["total"], 1);
    }
    home.ok(&["--store", "link.db", "teach", "Another lesson to keep."]);
    assert_eq!(home.json(&["list"])["total"], 2);
    assert!(home.join("link.db").is_symlink());
    symlink("loop.db", home.join("loop.db")).expect("a link");
    for args in BOTH {
        assert_eq!(home.fails(&[&["--store", "loop.db"], args].concat(), 5).0, "host.store");
    }
}

/// As another user, where this one may write anywhere.
#[cfg(unix)]
#[test]
fn a_read_only_folder_is_read_as_it_stands_and_a_closed_one_is_told() {
    let home = Home::new();
    let store = store(&home);
    let (open, closed) = (home.join("open"), home.join("closed"));
    for folder in [&open, &closed] {
        fs::create_dir(folder).expect("made");
        fs::copy(&store, folder.join("memory.db")).expect("copied");
        mode(&folder.join("memory.db"), 0o444);
    }
    mode(&open, 0o555);
    mode(&closed, 0o000);
    mode(home.path(), 0o755);
    let command = home.join("hardwon");
    fs::copy(env!("CARGO_BIN_EXE_hardwon"), &command).expect("copied");
    mode(&command, 0o755);
    let Some(run) = plain_user(&home, &open) else {
        println!("skipped: this user may write anywhere, and cannot become another");
        return;
    };
    let list = run(&["--store", "open", "list", "--json"]);
    assert_eq!(list.0, 0, "{list:?}");
    assert_eq!(serde_json::from_str::<Value>(&list.1).expect("JSON")["total"], 1);
    for args in [&["recall", "--task", "the changelog"][..], &["doctor"], &["export"], &["history"]] {
        let read = run(&[&["--store", "open"], args].concat());
        assert_eq!(read.0, 0, "{args:?}: {read:?}");
    }
    for args in [&["teach", "Another lesson."][..], &["learn", "-"], &["forget", "0123"]] {
        let write = run(&[&["--store", "open"], args].concat());
        assert!(write.0 == 5 && write.2.contains("read-only"), "{args:?}: {write:?}");
    }
    for args in BOTH {
        let told = run(&[&["--store", "closed"], args].concat());
        assert!(told.0 == 5 && told.2.contains("may not look there"), "{args:?}: {told:?}");
    }
    assert_eq!(fs::read_dir(&open).expect("it").count(), 1, "nothing is left beside it");
    mode(&open, 0o755);
    mode(&closed, 0o755);
}

/// Without a shell that has the signal ignored: the command does so itself.
#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_as_a_full_disk() {
    let home = Home::new();
    home.teach(LESSON);
    let file = home.export_of(2000, "ab").display().to_string();
    let limited = |blocks: u32, args: &[&str]| {
        let mut command = Command::new("sh");
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_hardwon")]).args(args).current_dir(home.path());
        command.env("HOME", home.path()).env("XDG_DATA_HOME", home.join("data")).env_remove("HARDWON_STORE");
        command.stdin(Stdio::null()).output().expect("it runs")
    };
    for blocks in [0, 1, 8, 64, 600] {
        let output = limited(blocks, &["import", &file]);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{blocks}: {output:?}");
        assert!(err.contains("host.store") && err.contains("memory.db"), "{blocks}: {err}");
    }
    let output = limited(8, &["export", "out.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "a small one fits: {output:?}");
    assert_eq!(home.json(&["list", "--all"])["total"], 1);
    assert_eq!(home.json(&["doctor"])["healthy"], true);
    home.ok(&["import", &file]);
    let before = fs::read(home.join("out.jsonl")).expect("there");
    let output = limited(8, &["export", "out.jsonl"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(fs::read(home.join("out.jsonl")).expect("there") == before, "the older export is as it was");
}

/// A closed store with one lesson, and its path.
fn store(home: &Home) -> std::path::PathBuf {
    home.teach(LESSON);
    home.join("data/hardwon/memory.db")
}

#[cfg(unix)]
fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

#[cfg(unix)]
fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).expect("set");
}

type Told = (i32, String, String);

/// Runs the command as a user who may not write into `folder`; `None` where there is no such user.
#[cfg(unix)]
fn plain_user<'a>(home: &'a Home, folder: &Path) -> Option<impl Fn(&[&str]) -> Told + use<'a>> {
    let is_bound = fs::write(folder.join("probe"), "").is_err();
    let _ = fs::remove_file(folder.join("probe"));
    let become_nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let start = move || {
        if is_bound {
            return Command::new(home.join("hardwon"));
        }
        let mut command = Command::new("setpriv");
        command.args(become_nobody).arg(home.join("hardwon"));
        command
    };
    let run = move |args: &[&str]| {
        let mut command = start();
        command.args(args).current_dir(home.path()).stdin(Stdio::null());
        command.env("HOME", home.path()).env("XDG_DATA_HOME", home.join("data")).env_remove("HARDWON_STORE");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        match command.output() {
            Ok(out) => (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr)),
            Err(cause) => (-1, String::new(), cause.to_string()),
        }
    };
    (run(&["--version"]).0 == 0).then_some(run)
}

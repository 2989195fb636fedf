//! Real processes on one file: killed at any moment, writing at once, opening at once, and out of space.
//!
//! `HARDWON_LONG=1` runs the long form.
#![cfg(unix)]

mod support;

use core::time::Duration;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::Child;
use std::thread;

use hardwon::store::{Committed, SqliteStore, Store};
use hardwon_core::env::{OpId, Revision};
use hardwon_core::record::hash64;
use hardwon_core::step::LogQuery;
use support::child::{part, play, play_limited, said, say, text, words};
use support::{
    SPACE, Writer, change_set, creates, env, erasing, first_commit, noise, rounds, stretches_left,
};

#[test]
fn what_was_acknowledged_before_a_kill_is_found_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut known = Acknowledged::default();
    for round in 0..rounds(20, 500) {
        let who = format!("{}", round + 1);
        let child = play(&["commit", text(&path), &who, "1000000"]).spawn().expect("a child");
        pause(Duration::from_millis(20 + chance(round, 120)));
        known.hear(&killed(child));
        let mut store = SqliteStore::open(&path).expect("a store that was killed");
        known.all_found(&mut store);
        assert_eq!(store.check().expect("a check"), [], "after round {round}");
    }
    println!("{} acknowledged commits, all found", known.ops.len());
    assert!(known.ops.len() > 20, "children were killed before they did anything");
}

#[test]
fn a_file_whose_making_was_killed_is_made_by_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..rounds(20, 300) {
        let path = folder.path().join(format!("{round}.db"));
        let child = play(&["commit", text(&path), "1", "2"]).spawn().expect("a child");
        thread::yield_now();
        pause(Duration::from_micros(1000 + chance(round, 9000)));
        let mut known = Acknowledged::default();
        known.hear(&killed(child));
        let mut store = SqliteStore::open(&path).expect("a store in the making");
        known.all_found(&mut store);
        assert_eq!(store.check().expect("a check"), [], "after round {round}");
    }
}

#[test]
fn eight_processes_write_one_file_and_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let each = rounds(25, 250);
    let start = |who: u32| {
        let (who, each) = (format!("{who}"), format!("{each}"));
        play(&["commit", text(&path), &who, &each]).spawn().expect("a child")
    };
    let children: Vec<Child> = (1..=8).map(start).collect();
    let mut known = Acknowledged::default();
    for child in children {
        known.hear(&said(child));
    }
    let mut store = SqliteStore::open(&path).expect("the store");
    assert_eq!(known.ops.len() as u32, 8 * each);
    let erased =
        |who: u64| (15..u64::from(each)).step_by(16).map(move |n| child_text(who, n - 7).into_bytes());
    assert_eq!(stretches_left(folder.path(), (1..=8).flat_map(erased)), 0, "what was erased is still there");
    known.all_found(&mut store);
    assert_eq!(
        store.log(SPACE, &LogQuery { last: u32::MAX, ..LogQuery::default() }).expect("a log").len(),
        known.ops.len()
    );
    assert_eq!(store.check().expect("a check"), []);
}

#[test]
fn a_slow_decision_is_not_overtaken_for_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let start = |who| play(&["commit", text(&path), who, "1000000"]).spawn().expect("a child");
    let hasty: Vec<Child> = ["1", "2", "3"].into_iter().map(start).collect();
    let mut slow = Writer::new(SqliteStore::open(&path).expect("the store"));
    for n in 0..5 {
        let env = env(9, n);
        slow.commit(|view| {
            pause(Duration::from_millis(100));
            change_set(
                view.revision(),
                &env,
                creates(env.record_id(0), &noise(&format!("slow {n}"), 100), env.now),
            )
        });
    }
    let mut known = Acknowledged::default();
    for child in hasty {
        known.hear(&killed(child));
    }
    assert!(known.ops.len() > 20, "the others did not write");
    known.all_found(&mut slow.store);
}

#[test]
fn eight_processes_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..rounds(5, 50) {
        let path = folder.path().join(format!("{round}.db"));
        let start = |_| play(&["open", text(&path)]).spawn().expect("a child");
        let children: Vec<Child> = (0..8).map(start).collect();
        for child in children {
            assert_eq!(said(child), [["opened"]]);
        }
    }
}

#[test]
fn a_relative_path_is_a_file_whatever_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in [":memory:", "file:memory.db?mode=memory", "plain.db"] {
        let child = play(&["commit", name, "1", "1"]).current_dir(folder.path()).spawn().expect("a child");
        let mut known = Acknowledged::default();
        known.hear(&said(child));
        known.all_found(&mut SqliteStore::open(folder.path().join(name)).expect("its file"));
        assert_eq!(known.ops.len(), 1);
    }
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let child = play_limited(600, &["fill", text(&path)]).spawn().expect("a child");
    let said = said(child);
    let (end, before) = said.split_last().expect("the child said something");
    assert_eq!(end.first().map(String::as_str), Some("full"), "{end:?}");
    assert_eq!(end.get(1).map(String::as_str), Some("host.store"), "{end:?}");
    assert!(end[2].contains(text(&path)) && end[2].contains("space"), "{end:?}");
    let mut known = Acknowledged::default();
    known.hear(before);
    assert!(known.ops.len() > 3, "the disk was full from the start");

    let mut writer = Writer::new(SqliteStore::open(&path).expect("the store"));
    known.all_found(&mut writer.store);
    assert_eq!(writer.store.check().expect("a check"), []);
    writer.create(&env(99, 0), "there is room again");
    assert_eq!(writer.view.revision().0, known.ops.len() as u64);
}

#[test]
fn without_the_right_to_write_reading_works_and_writing_says_why() {
    for folder_mode in [0o777, 0o555] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.db");
        let mut store = SqliteStore::open(&path).expect("a store");
        store.commit(SPACE, &first_commit(&env(1, 0), "readable")).expect("a commit");
        drop(store);
        allow(&path, 0o444);
        allow(folder.path(), folder_mode);
        let Some(child) = as_nobody(&["read", text(&path)]) else { return };
        let said = said(child);
        allow(folder.path(), 0o700);
        assert_eq!(said[0][..2], ["write", "host.store"], "{said:?}");
        assert!(said[0][2].contains("read-only for you"), "{said:?}");
        assert_eq!(said[1][..2], ["read", "readable"], "{said:?}");
        assert!(said[1][2].contains("for reading alone"), "{said:?}");
    }
}

/// The parts of children.
#[test]
fn child() {
    let Some(part) = part() else { return };
    let word = |n: usize| part.get(n).map(String::as_str).expect("another word");
    match word(0) {
        "open" => drop(open(word(1)).map(|_| say(&["opened"]))),
        "commit" => commit(word(1), word(2).parse().expect("who"), word(3).parse().expect("how many")),
        "fill" => fill(word(1)),
        "read" => read(word(1)),
        other => panic!("no part {other}"),
    }
}

fn open(path: &str) -> Option<SqliteStore> {
    SqliteStore::open(path).map_err(|error| say(&["error", &error.code(), &error.to_string()])).ok()
}

/// Commits records, and now and then erases one, saying each that was acknowledged.
fn commit(path: &str, who: u64, how_many: u64) {
    let Some(store) = open(path) else { return };
    let mut writer = Writer::new(store);
    for n in 0..how_many {
        let env = env(who, n);
        let erased = (n % 16 == 15).then(|| support::env(who, n - 7).record_id(0));
        let text = child_text(who, n);
        let rev = writer.commit(|view| match erased {
            Some(id) => erasing(view.revision(), &env, &[id], view),
            None => change_set(view.revision(), &env, creates(env.record_id(0), &text, env.now)),
        });
        let gone = erased.map_or(String::new(), |_| support::env(who, n - 7).op_id().to_string());
        let changes = if erased.is_some() { "0" } else { "3" };
        say(&["ack", &env.op_id().to_string(), &rev.0.to_string(), changes, &gone]);
    }
}

fn child_text(who: u64, n: u64) -> String {
    noise(&format!("{who} {n}"), 50 + (n as usize * 97) % 3000)
}

/// Commits until the disk is full, then says how that reads and whether what is there can still be read.
fn fill(path: &str) {
    let Some(mut store) = open(path) else { return };
    for n in 0.. {
        let env = env(1, n);
        let set = change_set(Revision(n), &env, creates(env.record_id(0), &noise("large", 9000), env.now));
        let rows = hardwon_core::view::View::new(None).rows(&set).expect("rows");
        match store.commit(SPACE, &hardwon_core::step::Commit { set, rows }) {
            Ok(Committed::At(rev)) => say(&["ack", &env.op_id().to_string(), &rev.0.to_string(), "3", ""]),
            Ok(Committed::Conflict) => panic!("nobody else writes"),
            Err(error) => {
                assert_eq!(support::texts(&mut store).len() as u64, n, "what is there is still read");
                return say(&["full", &error.code(), &error.to_string()]);
            }
        }
    }
}

fn read(path: &str) {
    match SqliteStore::open(path) {
        Ok(_) => say(&["write", "opened", ""]),
        Err(error) => say(&["write", &error.code(), &error.to_string()]),
    }
    match SqliteStore::open_read_only(path) {
        Ok(mut store) => {
            let refused = store.commit(SPACE, &first_commit(&env(7, 7), "no")).expect_err("it only reads");
            say(&["read", &support::texts(&mut store).concat(), &refused.to_string()]);
        }
        Err(error) => say(&["read", &error.code(), &error.to_string()]),
    }
}

/// What children were told is durable: the revision of each operation and how many changes it must still have.
#[derive(Default)]
struct Acknowledged {
    ops: BTreeMap<String, (u64, usize)>,
}

impl Acknowledged {
    fn hear(&mut self, said: &[Vec<String>]) {
        for words in said {
            assert_eq!(words[0], "ack", "a child said: {words:?}");
            let (rev, changes) = (words[2].parse().expect("a revision"), words[3].parse().expect("a number"));
            self.ops.insert(words[1].clone(), (rev, changes));
            if let Some(erased) = self.ops.get_mut(&words[4]) {
                erased.1 = 0;
            }
        }
    }

    /// An erasure that was not acknowledged may have been done all the same; then its record's changes are gone.
    fn all_found(&self, store: &mut SqliteStore) {
        for (op, (rev, changes)) in &self.ops {
            let op: OpId = op.parse().expect("an operation id");
            let found = store.log(SPACE, &LogQuery { op: Some(op), ..LogQuery::default() }).expect("a log");
            let [entry] = &found[..] else { panic!("operation {op} is there {} times", found.len()) };
            assert_eq!(entry.rev.0, *rev);
            let left = entry.set.changes.len();
            assert!(left == *changes || left == 0, "operation {op} is torn: {left} of {changes} changes");
        }
    }
}

/// Ends a child with SIGKILL and answers what it had said.
fn killed(mut child: Child) -> Vec<Vec<String>> {
    child.kill().expect("a kill");
    child.wait().expect("its end");
    let mut out = String::new();
    child.stdout.take().expect("its output").read_to_string(&mut out).expect("UTF-8");
    words(&out)
}

/// A child without rights of its own. Where this process is an ordinary user's, that user.
fn as_nobody(words: &[&str]) -> Option<Child> {
    let mut command = play(words);
    let started = if is_root() {
        std::os::unix::process::CommandExt::uid(&mut command, 65534).spawn()
    } else {
        command.spawn()
    };
    started
        .map_err(|cause| println!("NOTICE: skipped, no process without rights could be started: {cause}"))
        .ok()
}

fn is_root() -> bool {
    let probe = tempfile::NamedTempFile::new().expect("a file");
    allow(probe.path(), 0o000);
    std::fs::read(probe.path()).is_ok()
}

fn allow(path: &Path, mode: u32) {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(path, mode).expect("its owner may set permissions");
}

/// A number under `below` that follows from the round.
fn chance(round: u32, below: u64) -> u64 {
    hash64(&["chance", &round.to_string()]) % below
}

#[allow(clippy::disallowed_methods, reason = "a child is killed after a while")]
fn pause(span: Duration) {
    thread::sleep(span);
}

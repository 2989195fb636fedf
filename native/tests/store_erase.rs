//! A hard forget leaves no byte: not in the file, not in its free pages, not in the files beside it.

mod support;

use core::time::Duration;
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use hardwon::store::{MemoryStore, SqliteStore, Store};
use hardwon_core::change::{Change, ChangeSet, Delta, Member, RunMark, Scalar};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::record::{EventKey, Evidence, TextKey, hash64};
use hardwon_core::step::LogQuery;
use hardwon_core::view::View;
use rusqlite::Connection;
use support::{SPACE, Writer, change_set, creates, env, erasing, noise, stretches_left, vector};

/// Around the sizes at which a row changes its form: one cell, one page, a chain of pages.
const SIZES: [usize; 18] =
    [12, 40, 100, 500, 900, 990, 1010, 1100, 2000, 3900, 4000, 4050, 4096, 4200, 5000, 9000, 20_000, 70_000];

#[test]
fn no_byte_of_an_erased_text_or_vector_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut writer = Writer::new(SqliteStore::open(&path).expect("a store"));
    let mut reader = Writer::new(SqliteStore::open(&path).expect("a second connection"));
    let secrets = fill(&mut writer);
    reader.refresh();
    assert!(leftovers(folder.path(), &secrets) > SIZES.len(), "the search finds what is there");

    let ids: Vec<RecordId> = secrets.iter().map(|secret| secret.id).collect();
    writer.commit(|view| erasing(view.revision(), &env(9, 0), &ids, view));
    assert_eq!(leftovers(folder.path(), &secrets), 0);

    reader.refresh();
    assert_eq!(reader.view.hash(), writer_hash(&mut writer));
    assert_eq!(writer.store.check().expect("a check"), []);
    drop((reader, writer));
    assert_eq!(leftovers(folder.path(), &secrets), 0);
    let mut again = Writer::new(SqliteStore::open(&path).expect("the store"));
    again.refresh();
    assert_eq!(again.view.len(), 2 * SIZES.len());
}

#[test]
fn no_byte_is_left_where_rows_have_moved_between_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut writer = Writer::new(SqliteStore::open(&path).expect("a store"));
    let mut secrets = Vec::new();
    for n in 0..400 {
        let text = noise(&format!("text {n}"), 30 + (n as usize * 37) % 200);
        let id = writer.create(&env(1, n), &text);
        secrets.push(Secret { id, texts: vec![text] });
    }
    for (n, secret) in (0..).zip(&mut secrets).filter(|(n, _)| n % 3 != 1) {
        rewrite(&mut writer, n, secret);
    }
    let secrets: Vec<Secret> = (0..).zip(secrets).filter(|(n, _)| n % 3 == 0).map(|(_, one)| one).collect();
    let ids: Vec<RecordId> = secrets.iter().map(|secret| secret.id).collect();
    writer.commit(|view| erasing(view.revision(), &env(9, 0), &ids, view));
    assert_eq!(leftovers(folder.path(), &secrets), 0);
}

#[test]
fn erasing_waits_for_a_reader_to_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut writer = Writer::new(SqliteStore::open(&path).expect("a store"));
    let secrets = fill(&mut writer);
    let (begun, wait) = mpsc::channel();
    let reading = thread::spawn(move || {
        let conn = Connection::open(path).expect("a connection");
        conn.execute_batch("BEGIN; SELECT count(*) FROM record").expect("a long read");
        begun.send(()).expect("somebody waits");
        pause(Duration::from_millis(300));
        conn.execute_batch("COMMIT").expect("its end");
    });
    wait.recv().expect("the reader reads");
    let ids: Vec<RecordId> = secrets.iter().map(|secret| secret.id).collect();
    writer.commit(|view| erasing(view.revision(), &env(9, 0), &ids, view));
    assert_eq!(leftovers(folder.path(), &secrets), 0);
    reading.join().expect("the reader");
}

#[test]
fn what_a_crash_interrupted_the_next_opening_finishes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let secrets = fill(&mut Writer::new(SqliteStore::open(&path).expect("a store")));
    let raw = Connection::open(&path).expect("a connection");
    // What a file looks like when the process died between the commit and the wiping.
    let half = "PRAGMA secure_delete = OFF; DELETE FROM record; DELETE FROM change; DELETE FROM vector;
                DELETE FROM live_trace; DELETE FROM trace_line; DELETE FROM cache; INSERT INTO to_wipe VALUES(1, 1)";
    raw.execute_batch(half).expect("half an erasure");
    drop(raw);
    assert!(leftovers(folder.path(), &secrets) > 0, "the crash left something");
    let read_only = SqliteStore::open_read_only(&path).expect("a reader").check().expect("a check");
    assert!(read_only.iter().any(|finding| finding.code == "not_wiped"), "{read_only:?}");

    let store = SqliteStore::open(&path).expect("the store");
    assert_eq!(leftovers(folder.path(), &secrets), 0);
    drop(store);
}

struct Secret {
    id: RecordId,
    /// What it said, in all its versions.
    texts: Vec<String>,
}

/// Secrets of every size among other records; rows grow, move and vanish; a cache and a trace hold secrets too.
fn fill(writer: &mut Writer<SqliteStore>) -> Vec<Secret> {
    let mut secrets = Vec::new();
    for (n, &size) in (0u64..).zip(&SIZES) {
        writer.create(&env(1, n), &noise(&format!("kept {n}"), size));
        let text = noise(&format!("secret {n}"), size);
        let id = writer.create(&env(2, n), &text);
        writer.create(&env(3, n), &noise(&format!("also kept {n}"), 700));
        let line = format!("{{\"event_id\":\"call_{n}\",\"result\":\"{text}\"}}");
        writer.store.trace_append(SPACE, &format!("session {n}"), &[line]).expect("an append");
        secrets.push(Secret { id, texts: vec![text] });
    }
    for (n, secret) in (0u64..).zip(&mut secrets) {
        grow(writer, n, secret);
    }
    let all: String = secrets.iter().flat_map(|secret| &secret.texts).map(String::as_str).collect();
    writer.refresh();
    writer.store.cache_put(SPACE, "text", writer.view.revision(), all.as_bytes()).expect("a cache");
    secrets
}

/// Gives a record another text of another length.
fn rewrite(writer: &mut Writer<SqliteStore>, n: u64, secret: &mut Secret) {
    let before = Scalar::Text(secret.texts.concat());
    let after = noise(&format!("new text {n}"), 20 + (n as usize * 61) % 400);
    let delta = Delta::Set { before, after: Scalar::Text(after.clone()) };
    let change = Change { record: secret.id, delta };
    writer.commit(|view| change_set(view.revision(), &env(5, n), vec![change.clone()]));
    secret.texts.push(after);
}

/// Rewrites a secret and adds evidence, so that its rows move between pages.
fn grow(writer: &mut Writer<SqliteStore>, n: u64, secret: &mut Secret) {
    let before = secret.texts.concat();
    let after = format!("{before}{}", noise(&format!("more {n}"), 300));
    let evidence = Evidence {
        key: EventKey(n),
        session_id: format!("session {n}"),
        root_run_id: format!("session {n}"),
        event_id: format!("call_{n}"),
        position: 0,
        ts: env(4, n).now,
        undated: false,
        tool: "bash".into(),
        says: TextKey::of(&after),
    };
    let text = Delta::Set { before: Scalar::Text(before), after: Scalar::Text(after.clone()) };
    let moved = Delta::Vector { embedder: "test-1".into(), vector: vector(&after) };
    let deltas = [text, Delta::Add(Member::Evidence(evidence)), moved];
    let changes: Vec<Change> = deltas.map(|delta| Change { record: secret.id, delta }).into();
    writer.commit(|view| change_set(view.revision(), &env(4, n), changes.clone()));
    secret.texts.push(after);
}

/// How many stretches of secrets, or of their vectors, are in any file of the folder.
fn leftovers(folder: &Path, secrets: &[Secret]) -> usize {
    let texts = secrets.iter().flat_map(|secret| &secret.texts);
    let vectors = texts.clone().map(|text| vector(text).to_bytes());
    stretches_left(folder, texts.map(|text| text.as_bytes().to_vec()).chain(vectors))
}

fn writer_hash(writer: &mut Writer<SqliteStore>) -> String {
    writer.refresh();
    writer.view.hash()
}

#[allow(clippy::disallowed_methods, reason = "the test holds a lock for a while")]
fn pause(span: Duration) {
    thread::sleep(span);
}

/// Who, why and where from: what an operation and its marks say about a record goes with it.
#[test]
fn no_word_about_an_erased_record_is_left_in_heads_marks_and_traces() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut writer = Writer::new(SqliteStore::open(&path).expect("a store"));
    let mut memory = Writer::new(MemoryStore::new());
    let told = tell(&mut writer);
    assert_eq!(tell(&mut memory).erased, told.erased);
    for word in told.gone.iter().chain(&told.kept) {
        assert!(stretches_left(folder.path(), core::iter::once(word.clone().into_bytes())) > 0, "{word}");
    }
    for writer in [&mut writer as &mut dyn Erases, &mut memory] {
        writer.erase(told.erased);
    }
    for word in &told.gone {
        assert_eq!(stretches_left(folder.path(), core::iter::once(word.clone().into_bytes())), 0, "{word}");
    }
    for word in &told.kept {
        assert!(stretches_left(folder.path(), core::iter::once(word.clone().into_bytes())) > 0, "{word}");
    }
    assert_eq!(writer.store.load(SPACE, Revision(0)), memory.store.load(SPACE, Revision(0)));
    let all = LogQuery { last: u32::MAX, ..LogQuery::default() };
    assert_eq!(writer.store.log(SPACE, &all), memory.store.log(SPACE, &all));
    assert_eq!(writer.store.check().expect("a check"), []);
}

struct Told {
    erased: RecordId,
    gone: Vec<String>,
    kept: Vec<String>,
}

trait Erases {
    fn erase(&mut self, id: RecordId);
}

impl<S: Store> Erases for Writer<S> {
    fn erase(&mut self, id: RecordId) {
        self.commit(|view| erasing(view.revision(), &env(9, 0), &[id], view));
    }
}

/// Two lessons of three sessions, one of which both share, with actors and reasons.
fn tell<S: Store>(writer: &mut Writer<S>) -> Told {
    let word = |label: &str| noise(label, 24);
    let (secret, kept) = (env(1, 1).record_id(0), env(1, 2).record_id(0));
    let lesson = word("the secret text");
    let learn = |who: u64, id: RecordId, text: String, sessions: [&str; 2], actor: &str, reason: &str| {
        let env = env(1, who);
        let mut changes = creates(id, &text, env.now);
        for session in sessions {
            let one = evidence(session, &text);
            changes.push(Change { record: id, delta: Delta::Add(Member::Evidence(one)) });
        }
        let runs = sessions.map(|name| mark(&noise(name, 24))).into();
        let (actor, reason) = (noise(actor, 24), noise(reason, 24));
        move |view: &View| ChangeSet {
            actor: actor.clone(),
            reason: reason.clone(),
            runs: Vec::clone(&runs),
            ..change_set(view.revision(), &env, changes.clone())
        }
    };
    let decide =
        learn(1, secret, lesson.clone(), ["alone", "shared"], "the secret's actor", "the secret's reason");
    writer.commit(decide);
    let decide =
        learn(2, kept, word("the kept text"), ["shared", "other"], "another actor", "another reason");
    writer.commit(decide);
    let quoting = format!("it says the same as '{lesson}'");
    writer.commit(|view| ChangeSet {
        actor: word("a third actor"),
        reason: quoting.clone(),
        ..change_set(
            view.revision(),
            &env(1, 3),
            vec![Change { record: kept, delta: Delta::Add(Member::Tag("later".into())) }],
        )
    });
    let line = format!("{{\"session_id\":\"{}\"}}", word("alone"));
    writer.store.trace_append(SPACE, &word("alone"), &[line]).expect("an append");
    Told {
        erased: secret,
        gone: [lesson]
            .into_iter()
            .chain(["alone", "event alone", "the secret's actor", "the secret's reason"].map(word))
            .collect(),
        kept: ["the kept text", "shared", "other", "another actor", "another reason", "a third actor"]
            .map(word)
            .into(),
    }
}

fn evidence(session: &str, text: &str) -> Evidence {
    Evidence {
        key: EventKey(hash64(&[session, text])),
        session_id: noise(session, 24),
        root_run_id: noise(session, 24),
        event_id: noise(&format!("event {session}"), 24),
        position: 0,
        ts: env(4, 0).now,
        undated: false,
        tool: "bash".into(),
        says: TextKey::of(text),
    }
}

fn mark(session: &str) -> RunMark {
    RunMark {
        session_id: session.into(),
        root_run_id: session.into(),
        events: 3,
        first: EventKey(1),
        last: EventKey(2),
        ..RunMark::default()
    }
}

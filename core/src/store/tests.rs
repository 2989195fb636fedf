use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{Act, Change, Keeper, KeptRows, Page, Rows, Span, Task, Told, packed};
use crate::change::{Change as Delta, ChangeSet, Delta as What};
use crate::env::{OpId, RecordId, Revision, Timestamp};
use crate::error::Error;
use crate::record::{Kind, Record, SourceClass, Subtype};
use crate::step::{Commit, Loaded, Reply, Request, Row};
use crate::view::View;

fn commit(base: u64, n: u8) -> Commit {
    let id = RecordId([n; 16]);
    let record = Record::new(id, Kind::Lesson, Subtype::Taught, SourceClass::User, Timestamp(0));
    let delta = What::Create(record.clone().into());
    let changes = vec![Delta { record: id, delta }];
    let set = ChangeSet { base: Revision(base), op_id: OpId([n; 16]), changes, ..ChangeSet::default() };
    Commit { set, rows: vec![Row { id, record: Some(record) }] }
}

fn ask(rows: &mut dyn Rows, request: Request) -> Result<Reply, Error> {
    match Keeper::new(Task::Request(request)).carry_out(rows)? {
        Told::Reply(reply) => Ok(reply),
        told => panic!("{told:?}"),
    }
}

/// Rows that somebody else writes to, so many times, right before each write.
struct Rivalled(KeptRows, u32);

impl Rows for Rivalled {
    fn read(&mut self, spans: &[Span]) -> Result<Page, Error> {
        self.0.read(spans)
    }

    fn write(&mut self, change: &Change) -> Result<bool, Error> {
        if self.1 > 0 {
            self.1 -= 1;
            ask(&mut self.0, Request::TraceAppend { session_id: "other".into(), lines: vec!["{}".into()] })?;
        }
        self.0.write(change)
    }
}

#[test]
fn a_write_that_others_overtake_is_made_again_and_loses_nothing() {
    let mut rows = Rivalled(KeptRows::default(), 3);
    assert_eq!(ask(&mut rows, Request::Commit(commit(0, 1))), Ok(Reply::Committed(Revision(1))));
    let Ok(Reply::Traces(traces)) = ask(&mut rows, Request::TraceLoad { session_id: None }) else { panic!() };
    assert_eq!(traces, [("other".to_string(), vec![String::from("{}"); 3])]);
}

#[test]
fn who_is_overtaken_for_ever_is_told_so() {
    let mut rows = Rivalled(KeptRows::default(), u32::MAX);
    let said = ask(&mut rows, Request::TraceAppend { session_id: "s".into(), lines: vec!["{}".into()] });
    assert!(matches!(said, Err(Error::Contended { .. })), "{said:?}");
}

#[test]
fn rows_of_two_versions_are_never_taken_together() {
    let mut kept = KeptRows::default();
    ask(&mut kept, Request::Commit(commit(0, 1))).expect("committed");
    let mut keeper = Keeper::new(Task::Request(Request::Log(crate::step::LogQuery {
        records: vec![RecordId([1; 16])],
        ..Default::default()
    })));
    let Ok(Act::Read(first)) = keeper.act() else { panic!("reads what names the entry first") };
    let page = kept.read(&first).expect("read");
    let Ok(Act::Read(second)) = keeper.read(page) else { panic!("reads the entry next") };
    ask(&mut kept, Request::Commit(commit(1, 2))).expect("committed");
    let page = kept.read(&second).expect("read");
    assert!(matches!(keeper.read(page), Ok(Act::Read(again)) if again == first), "it begins anew");
}

#[test]
fn a_gap_in_the_log_is_told() {
    let mut kept = KeptRows::default();
    ask(&mut kept, Request::Commit(commit(0, 1))).expect("committed");
    ask(&mut kept, Request::Commit(commit(1, 2))).expect("committed");
    let mut rows = kept.read(&[Span::all()]).expect("read").rows;
    rows.retain(|(key, _)| !key.starts_with("log/"));
    let mut without = KeptRows::new(rows);
    let said = ask(&mut without, Request::Load { since: Revision(1) });
    assert!(matches!(said, Err(Error::Corrupt { .. })), "{said:?}");
    assert!(matches!(
        ask(&mut kept, Request::Load { since: Revision(1) }),
        Ok(Reply::Loaded(Loaded::Changes { .. }))
    ));
}

#[test]
fn an_image_beside_the_rows_is_taken_and_goes_with_the_next_write() {
    let mut kept = KeptRows::default();
    ask(&mut kept, Request::Commit(commit(0, 1))).expect("committed");
    let mut view = View::new(None);
    let Ok(Reply::Loaded(loaded)) = ask(&mut kept, Request::Load { since: Revision(0) }) else { panic!() };
    view.advance(loaded).expect("loaded");
    let open = |rows: &mut KeptRows, embedder: &str| {
        let told = Keeper::new(Task::Open(embedder.into())).carry_out(rows);
        let Ok(Told::Reply(Reply::Loaded(Loaded::Reset(snapshot)))) = told else { panic!("{told:?}") };
        (snapshot.image.map_or(0, |image| image.len()), snapshot.records.len())
    };
    let packed = kept.with_image(Revision(1), view.image()).to_bytes().expect("bytes");
    let mut again = KeptRows::from_bytes(packed.clone()).expect("our own bytes");
    assert_eq!((open(&mut again, ""), open(&mut again, "other@1")), ((1, 0), (0, 1)));
    assert_eq!(again.to_bytes(), Ok(packed));
    ask(&mut again, Request::Commit(commit(1, 2))).expect("committed");
    assert_eq!((open(&mut again, ""), again.image()), ((0, 2), None));
}

#[test]
fn bytes_that_are_not_as_they_were_written_are_told() {
    let rows = [("a", "1"), ("b", ""), ("cache/image", "{}")].map(|(key, value)| (key.into(), value.into()));
    let bytes = KeptRows::new(rows.into()).to_bytes().expect("bytes");
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        assert!(KeptRows::from_bytes(other).is_err(), "byte {at}");
        assert!(KeptRows::from_bytes(bytes[..at].into()).is_err(), "cut at {at}");
    }
}

#[test]
fn bytes_of_a_forger_are_told_or_read_and_never_worse() {
    for rows in [&[("b", "1"), ("a", "2")][..], &[("a", "1"), ("a", "2")], &[("", "1")]] {
        assert!(KeptRows::from_bytes(packed::to_bytes(rows, None)).is_err(), "{rows:?}");
    }
    let mut bytes = packed::to_bytes(&[("a", "1")], None);
    *bytes.last_mut().expect("a value") = 0xff;
    let sum = crate::bytes::sum(&bytes[16..]);
    bytes[8..16].copy_from_slice(&sum.to_le_bytes());
    let mut kept = KeptRows::from_bytes(bytes).expect("a whole snapshot");
    assert!(matches!(kept.read(&[Span::one("a")]), Err(Error::Corrupt { .. })));
    assert!(matches!(kept.to_bytes(), Err(Error::Corrupt { .. })));
}

/// A row that begins or changes with a value, or ends; or all of it goes to bytes and comes back.
fn step() -> impl Strategy<Value = Option<(String, Option<String>, bool)>> {
    prop::option::weighted(0.8, ("[a-c]{1,2}", prop::option::of("[x-z]{0,3}"), any::<bool>()))
}

proptest! {
    #[test]
    fn rows_are_the_same_in_bytes_and_out_of_them(steps in prop::collection::vec(step(), 0..30)) {
        let (mut kept, mut model) = (KeptRows::default(), BTreeMap::new());
        for step in steps {
            let Some((key, value, erases)) = step else {
                kept = KeptRows::from_bytes(kept.to_bytes().expect("bytes")).expect("our own bytes");
                continue;
            };
            let version = kept.read(&[]).expect("read").version;
            let mut change = Change { version, erases, ..Change::default() };
            match &value {
                Some(value) => change.puts.push((key.clone(), value.clone())),
                None => change.removes.push(key.clone()),
            }
            prop_assert_eq!(kept.write(&Change { version: version + 1, ..change.clone() }), Ok(false));
            prop_assert_eq!(kept.write(&change), Ok(true));
            match value {
                Some(value) => model.insert(key, value),
                None => model.remove(&key),
            };
            for span in [Span::all(), Span::one("b"), Span("a".into(), "bb".into()), Span("c".into(), "a".into())] {
                let mut rows = kept.read(core::slice::from_ref(&span)).expect("read").rows;
                rows.sort();
                let expected = model.iter().filter(|(key, _)| span.has(key));
                prop_assert_eq!(rows, expected.map(|(k, v)| (k.clone(), v.clone())).collect::<Vec<_>>());
            }
        }
    }
}

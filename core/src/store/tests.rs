use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::{Act, Change, Keeper, KeptRows, Page, Rows, Span, Task, Told};
use crate::change::{Change as Delta, ChangeSet, Delta as What};
use crate::env::{OpId, RecordId, Revision, Timestamp};
use crate::error::Error;
use crate::record::{Kind, Record, SourceClass, Subtype};
use crate::step::{Commit, Loaded, Reply, Request, Row};

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
    let rows: Vec<_> = kept.rows().filter(|(key, _)| !key.starts_with("log/")).collect();
    let mut without =
        KeptRows::new(rows.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect());
    let said = ask(&mut without, Request::Load { since: Revision(1) });
    assert!(matches!(said, Err(Error::Corrupt { .. })), "{said:?}");
    assert!(matches!(
        ask(&mut kept, Request::Load { since: Revision(1) }),
        Ok(Reply::Loaded(Loaded::Changes { .. }))
    ));
}

//! Rows are enough for a store: the keeper makes one of them that passes the script of every other.

#[path = "../../tests/contract/runner.rs"]
mod runner;

use core::fmt::Write;
use std::collections::BTreeMap;

use hardwon::store::{Committed, Store};
use hardwon_core::env::Revision;
use hardwon_core::error::Error;
use hardwon_core::step::{Commit, Loaded, LogEntry, LogQuery, Reply, Request};
use hardwon_core::store::{Keeper, KeptRows, Rows, Span, Task, Told};

#[test]
fn rows_with_a_keeper_are_a_store() {
    let (cases, steps) = runner::run(RowStore::default, |store| store);
    assert!(cases >= 15 && steps >= 150, "the script has lost steps");
}

#[derive(Debug, Default)]
struct RowStore(BTreeMap<String, KeptRows>);

impl RowStore {
    fn ask(&mut self, space: &str, task: Task) -> Result<Told, Error> {
        Keeper::new(task).carry_out(self.0.entry(space.into()).or_default())
    }

    fn reply(&mut self, space: &str, request: Request) -> Result<Reply, Error> {
        match self.ask(space, Task::Request(request))? {
            Told::Reply(reply) => Ok(reply),
            told => panic!("{told:?}"),
        }
    }
}

impl Store for RowStore {
    fn load(&mut self, space: &str, since: Revision) -> Result<Loaded, Error> {
        match self.reply(space, Request::Load { since })? {
            Reply::Loaded(loaded) => Ok(loaded),
            reply => panic!("{reply:?}"),
        }
    }

    fn commit(&mut self, space: &str, commit: &Commit) -> Result<Committed, Error> {
        match self.reply(space, Request::Commit(commit.clone()))? {
            Reply::Committed(rev) => Ok(Committed::At(rev)),
            Reply::Conflict => Ok(Committed::Conflict),
            reply => panic!("{reply:?}"),
        }
    }

    fn log(&mut self, space: &str, query: &LogQuery) -> Result<Vec<LogEntry>, Error> {
        match self.reply(space, Request::Log(query.clone()))? {
            Reply::Logged(entries) => Ok(entries),
            reply => panic!("{reply:?}"),
        }
    }

    fn trace_append(&mut self, space: &str, session_id: &str, lines: &[String]) -> Result<(), Error> {
        self.reply(space, Request::TraceAppend { session_id: session_id.into(), lines: lines.into() })
            .map(drop)
    }

    fn trace_load(
        &mut self,
        space: &str,
        session_id: Option<&str>,
    ) -> Result<Vec<(String, Vec<String>)>, Error> {
        match self.reply(space, Request::TraceLoad { session_id: session_id.map(Into::into) })? {
            Reply::Traces(traces) => Ok(traces),
            reply => panic!("{reply:?}"),
        }
    }

    fn trace_mined(&mut self, space: &str, session_id: &str, lines: u64) -> Result<(), Error> {
        let sessions = vec![(session_id.into(), lines)];
        self.reply(space, Request::TraceMined { sessions, ended: Vec::new() }).map(drop)
    }

    fn trace_drop(&mut self, space: &str, session_id: &str) -> Result<(), Error> {
        let ended = vec![session_id.into()];
        self.reply(space, Request::TraceMined { sessions: Vec::new(), ended }).map(drop)
    }

    fn cache_get(&mut self, space: &str, name: &str, rev: Revision) -> Result<Option<Vec<u8>>, Error> {
        match self.ask(space, Task::Cached(name.into(), rev))? {
            Told::Cached(digits) => Ok(digits.map(|digits| unhex(&digits))),
            told => panic!("{told:?}"),
        }
    }

    fn cache_put(&mut self, space: &str, name: &str, rev: Revision, bytes: &[u8]) -> Result<(), Error> {
        let mut digits = String::new();
        for byte in bytes {
            write!(digits, "{byte:02x}").expect("a text takes all");
        }
        self.ask(space, Task::Cache(name.into(), rev, digits)).map(drop)
    }

    fn answer_get(&mut self, space: &str, key: &str) -> Result<Option<String>, Error> {
        match self.ask(space, Task::Answers(vec![key.into()]))? {
            Told::Answers(mut answers) => Ok(answers.remove(0)),
            told => panic!("{told:?}"),
        }
    }

    fn answer_put(&mut self, space: &str, answers: &[(String, String)]) -> Result<(), Error> {
        self.ask(space, Task::KeepAnswers(answers.into())).map(drop)
    }

    fn spaces(&mut self) -> Result<Vec<String>, Error> {
        let holds = |rows: &mut KeptRows| rows.read(&[Span::all()]).is_ok_and(|page| !page.rows.is_empty());
        let held = self.0.iter_mut().filter_map(|(name, rows)| holds(rows).then(|| name.clone()));
        Ok(held.collect())
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| core::str::from_utf8(pair).expect("digits"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("digits")).collect()
}

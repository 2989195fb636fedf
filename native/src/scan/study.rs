//! The memory of a scan: every session is learned as it would be for good, in a memory that ends with the command.
//!
//! Decides to whom lessons apply: to the repository that a session names. Never touches a store on disk.

use std::collections::{BTreeMap, BTreeSet};

use hardwon_core::env::{Env, Timestamp};
use hardwon_core::error::Error;
use hardwon_core::op::{Input, Learn, Learned, Output, Space, Step, Tally, start};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Counters, EventKey, Record, Scope, ScopeKey};
use hardwon_core::trace::{ReadLimits, Reader};

use super::digest::{Digest, Moment};
use super::{repo, words};
use crate::clock;
use crate::memory::{Memory, built_in};
use crate::store::MemoryStore;

/// Makes sessions ready to be taken in; one serves many threads.
#[derive(Debug)]
pub(crate) struct Desk {
    space: Space,
}

/// A session that is read and mined, and not yet taken in.
pub(crate) struct Prepared {
    digest: Digest,
    step: Step,
}

/// What has been taken in.
#[derive(Debug)]
pub(crate) struct Study {
    memory: Memory<MemoryStore>,
    pub(crate) moments: BTreeMap<EventKey, Moment>,
    /// Which agent, or which format, each session is of.
    pub(crate) agents: BTreeMap<String, String>,
    runs: BTreeSet<String>,
    pub(crate) sessions: u32,
    pub(crate) events: u64,
    pub(crate) first: Option<Timestamp>,
    pub(crate) last: Option<Timestamp>,
    pub(crate) skipped: Tally,
    pub(crate) bad_lines: Tally,
    /// By key: what the user's own memory has of it.
    known: BTreeMap<String, Known>,
    /// When records of that memory were shown.
    shown: BTreeMap<String, Vec<Timestamp>>,
}

/// What the user's own memory has of a lesson.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    ids: BTreeSet<String>,
    pub(crate) counters: Counters,
}

impl Desk {
    pub(crate) fn new(policy: Policy) -> Result<Self, Error> {
        Ok(Self { space: Space::new(policy, built_in())? })
    }

    /// Reads and mines a text. Fails where it is of no known format.
    pub(crate) fn prepare(&self, text: String) -> Result<Prepared, Error> {
        let mut reader = Reader::new(None, ReadLimits::default());
        reader.push(text.as_bytes());
        let traces = reader.finish().map(|reading| reading.traces).unwrap_or_default();
        let digest = Digest::of(&traces);
        let scope = repo::of_all(&traces).map(|repo| Scope::global().with(ScopeKey::Repo, &repo));
        drop(traces);
        let learn = Learn { data: Some(text), scope, actor: "scan".into(), ..Learn::default() };
        let env = Env { now: clock::now(), seed: clock::seed()? };
        Ok(Prepared { digest, step: start(&self.space, env, Input::Learn(learn))? })
    }
}

impl Study {
    pub(crate) fn new(policy: Policy) -> Result<Self, Error> {
        Ok(Self {
            memory: Memory::with_store(MemoryStore::default(), "scan", policy)?,
            moments: BTreeMap::new(),
            agents: BTreeMap::new(),
            runs: BTreeSet::new(),
            sessions: 0,
            events: 0,
            first: None,
            last: None,
            skipped: Tally::new(),
            bad_lines: Tally::new(),
            known: BTreeMap::new(),
            shown: BTreeMap::new(),
        })
    }

    /// Notes what the user's own memory has, so that what was shown can be told.
    pub(crate) fn know(&mut self, records: Vec<Record>) {
        for record in records {
            let known = self.known.entry(record.key).or_default();
            known.ids.insert(record.id.to_string());
            let (sum, more) = (&mut known.counters, &record.counters);
            sum.surfaced += more.surfaced;
            sum.followed += more.followed;
            sum.not_followed += more.not_followed;
            sum.recurred += more.recurred;
            sum.avoided += more.avoided;
        }
    }

    /// What the user's own memory has of the lesson of this key, and when it was shown, oldest first.
    pub(crate) fn known(&self, key: &str) -> Option<(Known, Vec<Timestamp>)> {
        let known = self.known.get(key)?;
        let mut times: Vec<Timestamp> =
            known.ids.iter().filter_map(|id| self.shown.get(id)).flatten().copied().collect();
        times.sort_unstable();
        Some((known.clone(), times))
    }

    /// Takes a session in, of this agent where it is known.
    pub(crate) fn take(&mut self, prepared: Prepared, agent: Option<&str>) -> Result<Learned, Error> {
        let Prepared { digest, step } = prepared;
        let Output::Learned(learned) = self.memory.carry_out(step)? else {
            return Err(Error::protocol("learn answered in another verb's form"));
        };
        let agent = agent.map_or_else(|| words::format(&learned.format), str::to_string);
        for run in &digest.runs {
            self.agents.entry(run.clone()).or_insert_with(|| agent.clone());
        }
        self.runs.extend(digest.runs);
        self.moments.extend(digest.moments);
        for (id, at) in digest.shown {
            self.shown.entry(id).or_default().extend(at);
        }
        self.first = self.first.into_iter().chain(digest.first).min();
        self.last = self.last.into_iter().chain(digest.last).max();
        self.sessions += learned.sessions;
        self.events += u64::from(learned.events);
        add(&mut self.skipped, &learned.skipped);
        add(&mut self.bad_lines, &learned.bad_lines);
        Ok(learned)
    }

    /// How many runs there were: a run's sub-agents count with it.
    pub(crate) fn runs(&self) -> usize {
        self.runs.len()
    }

    pub(crate) fn memory(&mut self) -> &mut Memory<MemoryStore> {
        &mut self.memory
    }
}

fn add(sum: &mut Tally, more: &Tally) {
    for (reason, n) in more {
        *sum.entry(reason.clone()).or_default() += n;
    }
}

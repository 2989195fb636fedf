//! Hooks of coding agents: an event of a session in, what the agent should be told out.
//!
//! Decides which verb an event means and how much of the store it needs. Never stops a call by itself, never fails
//! loudly and never waits long: an agent works on without its memory.

mod answer;
mod call;
mod calls;
mod part;
pub(crate) mod repo;
mod trail;

use std::path::PathBuf;

use hardwon_core::env::Revision;
use hardwon_core::error::Error;
use hardwon_core::learn::identify;
use hardwon_core::op::{Advice, Guard, Guarded, Learn, Observe, Recall, Recalled};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Scope, ScopeKey};
use hardwon_core::step::Snapshot;
use serde_json::Value;

use self::call::Call;
use self::calls::CallIndex;
use self::part::PartStore;
use crate::memory::Memory;
use crate::store::{SqliteStore, Store as _};

pub use repo::identity as repo_identity;

/// How many records come back after a failure: the agent has one thing to mend.
const AFTER_FAILURE: u32 = 3;

/// The agent that calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Cursor.
    Cursor,
}

/// What has happened in the agent's session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A session begins or is taken up again.
    SessionStart,
    /// The user has written.
    Prompt,
    /// A tool is about to be called.
    PreTool,
    /// A tool has answered.
    PostTool,
    /// A tool has failed.
    PostToolFailure,
    /// The agent has finished its turn.
    Stop,
    /// The session ends.
    SessionEnd,
}

/// Whose memory is asked.
#[derive(Debug)]
pub struct Place {
    /// The store's file.
    pub file: PathBuf,
    /// The space in it.
    pub space: String,
    /// The policy in force.
    pub policy: Policy,
}

/// What becomes of an event.
#[derive(Debug, Default)]
pub struct Reply {
    /// What the agent reads; nothing where there is nothing to say.
    pub answer: Option<Value>,
    /// What is to be mined once the agent has its answer.
    pub mine: Option<Mine>,
    /// Codes of what went wrong without taking the answer away.
    pub trouble: Vec<String>,
}

/// A session to mine, apart from the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mine {
    /// The session.
    pub session: String,
    /// Its repository; empty for none.
    pub repo: String,
    /// The agent's own record of the session, for one whose calls were not observed.
    pub transcript: Option<PathBuf>,
}

/// The folder that the session of an event works in, if the agent says.
pub fn folder(input: &str) -> Option<PathBuf> {
    Call::read(input).map(|call| call.cwd).filter(|folder| folder.is_absolute())
}

/// Answers an event.
pub fn respond(agent: Agent, event: Event, input: &str, place: &Place) -> Result<Reply, Error> {
    let call = Call::read(input).ok_or_else(|| Error::invalid("hook", "the input is no JSON object"))?;
    if call.session.is_empty() {
        return Err(Error::invalid("session", "the input names no session"));
    }
    let repo = repo::identity(&call.cwd).unwrap_or_default();
    let scope = scope_of(place, &repo);
    let mut hook = Hook {
        store: SqliteStore::open_briefly(&place.file)?,
        place,
        scope,
        call: &call,
        trouble: Vec::new(),
    };
    let told = match event {
        Event::SessionStart => hook.start("")?,
        // Cursor's prompt event has no place for context: what was asked is noted, and nothing is looked up.
        Event::Prompt if agent == Agent::Cursor => hook.asked(Vec::new())?,
        Event::Prompt => hook.start(&call.prompt)?,
        Event::PreTool => hook.guard()?,
        Event::PostTool | Event::PostToolFailure => hook.ended(event == Event::PostToolFailure)?,
        Event::Stop | Event::SessionEnd => hook.said(),
    };
    let mine = matches!(event, Event::Stop | Event::SessionEnd).then(|| Mine {
        session: call.session.clone(),
        repo,
        transcript: call.transcript.clone(),
    });
    Ok(Reply { answer: answer::of(agent, event, &told), mine, trouble: hook.trouble })
}

/// Mines a session, and brings the index of calls to where the store then stands. Takes its time.
pub fn mine(mine: &Mine, place: &Place) -> Result<(), Error> {
    let store = SqliteStore::open(&place.file)?;
    let mut memory = Memory::with_store(store, &place.space, place.policy.clone())?;
    let scope = Some(scope_of(place, &mine.repo));
    let observed = memory.store().trace_load(&place.space, Some(&mine.session))?;
    let has_calls = observed.iter().flat_map(|(_, lines)| lines).any(|line| trail::is_call(line));
    let learn = match &mine.transcript {
        Some(path) if !has_calls => {
            let limit = place.policy.limits.trace_bytes;
            let data = trail::transcript(path, limit)
                .map_err(|cause| Error::host("transcript", cause.kind().to_string()))?;
            Learn { data: Some(data), scope, actor: "hook".into(), ..Learn::default() }
        }
        _ => Learn { observed: Some(mine.session.clone()), scope, actor: "hook".into(), ..Learn::default() },
    };
    memory.learn(learn)?;
    memory.refresh()?;
    calls::save(&mut memory)
}

/// What the agent is told.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    /// Beside its own context.
    Context(String),
    /// Before a call, which a person should look at.
    Hold(String),
}

/// One event, with the store open.
struct Hook<'a> {
    store: SqliteStore,
    place: &'a Place,
    scope: Scope,
    call: &'a Call,
    trouble: Vec<String>,
}

impl Hook<'_> {
    /// What is known for a task; with none, what stands for every task here.
    fn start(&mut self, task: &str) -> Result<Told, Error> {
        let recalled = self.recall(Recall { task: task.into(), ..Recall::default() })?;
        self.asked(event_lines(&recalled.event))?;
        Ok(context(recalled.block))
    }

    /// Notes what the user asked and what was shown for it.
    fn asked(&mut self, shown: Vec<String>) -> Result<Told, Error> {
        let mut lines = Vec::new();
        if !self.call.prompt.is_empty() {
            let is_first = !self.store.has_trace(&self.place.space, &self.call.session)?;
            lines.push(trail::prompt(self.call, is_first));
        }
        lines.extend(shown);
        self.observe(lines);
        Ok(Told::Nothing)
    }

    fn guard(&mut self) -> Result<Told, Error> {
        let guarded = self.guarded()?;
        self.observe(event_lines(&guarded.event));
        Ok(match guarded.verdict {
            Advice::Silent => Told::Nothing,
            Advice::Hold => Told::Hold(guarded.text),
            _ => context(guarded.block),
        })
    }

    /// What `guard` says, from the records that may speak at this call alone where the index of calls knows them.
    fn guarded(&mut self) -> Result<Guarded, Error> {
        let space = self.place.space.clone();
        let rev = self.store.revision(&space)?;
        if rev == Revision::default() || self.call.tool.is_empty() {
            return Ok(Guarded::default());
        }
        let Some(index) = CallIndex::load(&mut self.store, &space, rev)? else {
            return self.whole(true);
        };
        if index.is_taught(&self.call.tool) {
            return self.whole(false);
        }
        let found = index.find(&identify(&self.call.tool, &self.call.args, "").trigger);
        if found.is_empty() {
            return Ok(Guarded::default());
        }
        let ids: Vec<_> = found.iter().map(|one| one.id).collect();
        let records = self.store.some_records(&space, &ids)?;
        let runs = vec![calls::tries(&records, &found)];
        let snapshot = Snapshot { rev, records, vectors: Vec::new(), runs, tombstones: Vec::new() };
        let part = PartStore { store: &mut self.store, snapshot };
        let input = guard_input(self.call, &self.scope);
        Memory::with_store(part, &space, self.place.policy.clone())?.guard(input)
    }

    /// What `guard` says from the whole view, which the index of calls is made from where it is to be saved.
    fn whole(&mut self, save: bool) -> Result<Guarded, Error> {
        let input = guard_input(self.call, &self.scope);
        let mut memory = Memory::with_store(&mut self.store, &self.place.space, self.place.policy.clone())?;
        let answer = memory.guard(input);
        let saved = if save { calls::save(&mut memory) } else { Ok(()) };
        memory.abandon();
        self.note(saved);
        answer
    }

    /// Notes a call that has ended, and after a failure what is known of it.
    fn ended(&mut self, failed: bool) -> Result<Told, Error> {
        let outcome = trail::outcome(self.call, failed);
        let mut lines = vec![trail::call(self.call, &outcome)];
        let mut told = Told::Nothing;
        if outcome.is_failure() && !self.call.tool.is_empty() {
            let recalled = self.recall(Recall {
                tool: self.call.tool.clone(),
                args: self.call.args.to_string(),
                error: trail::cut(&outcome.text).0,
                top_k: Some(AFTER_FAILURE),
                ..Recall::default()
            })?;
            lines.extend(event_lines(&recalled.event));
            told = context(recalled.block);
        }
        self.observe(lines);
        Ok(told)
    }

    /// Notes what the agent said at the end of its turn.
    fn said(&mut self) -> Told {
        if !self.call.said.is_empty() {
            self.observe(vec![trail::said(self.call)]);
        }
        Told::Nothing
    }

    fn recall(&mut self, mut query: Recall) -> Result<Recalled, Error> {
        query.session_id.clone_from(&self.call.session);
        query.scope = self.scope.clone();
        query.task = trail::cut(&query.task).0;
        let mut memory = Memory::with_store(&mut self.store, &self.place.space, self.place.policy.clone())?;
        let recalled = memory.recall(query);
        memory.abandon();
        recalled
    }

    /// Appends to the live trace. What cannot be noted takes no answer away.
    fn observe(&mut self, lines: Vec<String>) {
        let noted = if lines.is_empty() { Ok(()) } else { self.append(lines) };
        self.note(noted);
    }

    fn append(&mut self, lines: Vec<String>) -> Result<(), Error> {
        // An observation reads nothing: an empty part of the store will do.
        let rev = self.store.revision(&self.place.space)?;
        let snapshot = Snapshot { rev, ..Snapshot::default() };
        let part = PartStore { store: &mut self.store, snapshot };
        let mut memory = Memory::with_store(part, &self.place.space, self.place.policy.clone())?;
        memory.observe(Observe { session_id: self.call.session.clone(), lines }).map(drop)
    }

    fn note(&mut self, done: Result<(), Error>) {
        self.trouble.extend(done.err().map(|error| error.code()));
    }
}

fn guard_input(call: &Call, scope: &Scope) -> Guard {
    Guard {
        session_id: call.session.clone(),
        tool: call.tool.clone(),
        args: call.args.to_string(),
        task: String::new(),
        scope: scope.clone(),
        rewrite: false,
    }
}

fn context(block: String) -> Told {
    if block.is_empty() { Told::Nothing } else { Told::Context(block) }
}

fn event_lines(event: &str) -> Vec<String> {
    if event.is_empty() { Vec::new() } else { vec![event.into()] }
}

/// The policy's scope, and the repository of the session's working directory, which the host says.
fn scope_of(place: &Place, repo: &str) -> Scope {
    let scope = place.policy.scope.clone();
    if repo.is_empty() { scope } else { scope.with(ScopeKey::Repo, repo) }
}

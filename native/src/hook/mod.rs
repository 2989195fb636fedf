//! Hooks of coding agents: an event of a session in, what the agent should be told out.
//!
//! Decides which verb an event means. Never stops a call by itself, never fails loudly and never waits long: an agent
//! works on without its memory.

mod answer;
mod call;
pub(crate) mod repo;
mod trail;

use std::path::PathBuf;

use hardwon_core::error::Error;
use hardwon_core::op::{Advice, Guard, Learn, Observe, Recall, Recalled};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Scope, ScopeKey};
use serde_json::Value;

use self::call::Call;
use self::trail::Outcome;
use crate::memory::Memory;
use crate::store::{SqliteStore, Store as _};

pub use repo::identity as repo_identity;

/// How many records come back after a failure: the agent has one thing to mend.
const AFTER_FAILURE: u32 = 3;

/// The agent that calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
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

impl Agent {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
        }
    }

    /// Whether it has an event for calls that have failed, so that all others worked.
    const fn tells_failures(self) -> bool {
        !matches!(self, Self::Codex)
    }
}

impl Event {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::Prompt => "prompt",
            Self::PreTool => "pre-tool",
            Self::PostTool => "post-tool",
            Self::PostToolFailure => "post-tool-failure",
            Self::Stop => "stop",
            Self::SessionEnd => "session-end",
        }
    }
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
    let store = SqliteStore::open_briefly(&place.file)?;
    let memory = Memory::with_store(store, &place.space, place.policy.clone())?;
    let mut hook = Hook { memory, place, scope, call: &call, trouble: Vec::new() };
    let told = match event {
        Event::SessionStart => hook.start("")?,
        // Cursor's prompt event has no place for context: what was asked is noted, and nothing is looked up.
        Event::Prompt if agent == Agent::Cursor => hook.asked(Vec::new())?,
        Event::Prompt => hook.start(&call.prompt)?,
        Event::PreTool => hook.guard()?,
        Event::PostTool | Event::PostToolFailure => {
            hook.ended(&trail::outcome(&call, event == Event::PostToolFailure, agent.tells_failures()))?
        }
        Event::Stop | Event::SessionEnd => hook.said(),
    };
    let mine = matches!(event, Event::Stop | Event::SessionEnd).then(|| Mine {
        session: call.session.clone(),
        repo,
        transcript: call.transcript.clone(),
    });
    hook.memory.abandon();
    Ok(Reply { answer: answer::of(agent, event, &told), mine, trouble: hook.trouble })
}

/// Mines a session. Takes its time.
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
    memory.learn(learn).map(drop)
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
    memory: Memory<SqliteStore>,
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
            let is_first = !self.memory.store().has_trace(&self.place.space, &self.call.session)?;
            lines.push(trail::prompt(self.call, is_first));
        }
        lines.extend(shown);
        self.observe(lines);
        Ok(Told::Nothing)
    }

    fn guard(&mut self) -> Result<Told, Error> {
        if self.call.tool.is_empty() {
            return Ok(Told::Nothing);
        }
        let guarded = self.memory.guard(Guard {
            session_id: self.call.session.clone(),
            tool: self.call.tool.clone(),
            args: self.call.args.to_string(),
            task: String::new(),
            scope: self.scope.clone(),
            rewrite: false,
        })?;
        self.observe(event_lines(&guarded.event));
        Ok(match guarded.verdict {
            Advice::Silent => Told::Nothing,
            Advice::Hold => Told::Hold(guarded.text),
            _ => context(guarded.block),
        })
    }

    /// Notes a call that has ended, and after a failure what is known of it.
    fn ended(&mut self, outcome: &Outcome) -> Result<Told, Error> {
        let mut lines = vec![trail::call(self.call, outcome)];
        let mut told = Told::Nothing;
        if outcome.is_failure() && !self.call.tool.is_empty() {
            let recalled = self.recall(Recall {
                tool: self.call.tool.clone(),
                args: self.call.args.to_string(),
                error: trail::cut(&outcome.text).0,
                top_k: Some(AFTER_FAILURE),
                ..Recall::default()
            })?;
            // Agents read what was said before a call together with its answer: once is enough.
            let known = self.just_told()?;
            if !recalled.items.iter().all(|item| known.contains(&item.id.to_string())) {
                lines.extend(event_lines(&recalled.event));
                told = context(recalled.block);
            }
        }
        self.observe(lines);
        Ok(told)
    }

    fn just_told(&mut self) -> Result<Vec<String>, Error> {
        let traces = self.memory.store().trace_load(&self.place.space, Some(&self.call.session))?;
        Ok(traces.last().map(|(_, lines)| trail::just_told(lines)).unwrap_or_default())
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
        self.memory.recall(query)
    }

    /// Appends to the live trace. What cannot be noted takes no answer away.
    fn observe(&mut self, lines: Vec<String>) {
        if !lines.is_empty() {
            let noted = self.memory.observe(Observe { session_id: self.call.session.clone(), lines });
            self.trouble.extend(noted.err().map(|error| error.code()));
        }
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

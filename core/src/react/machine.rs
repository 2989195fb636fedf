//! The protocol of the channel as one pure function.
//!
//! Decides what an agent posts and when it may act, whichever side it is on. Never waits, reads or writes: time is an
//! input, and so is each message.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::message::{Draft, EVERYBODY, Message, MessageKind, Position};
use super::say::{Action, Input, Role};
use super::state::{Phase, State, listed};
use crate::env::Timestamp;

/// The thread of heartbeats.
pub(super) const HEARTBEAT: &str = "heartbeat";
/// The thread of what is to be known about an agent and is part of no argument.
pub(super) const STATUS: &str = "status";
/// The thread of the last words of an agent that was not told to leave.
const SESSION: &str = "session";

/// One step of an agent: what it knows afterwards, and what its host is to do, in order.
///
/// Hosts give every message that stands in the channel as [`Input::Past`], then join, then give what follows as
/// [`Input::Heard`] as soon as it is there.
pub fn step(state: State, input: Input, now: Timestamp) -> (State, Vec<Action>) {
    let mut machine = Machine { s: state, now, out: Vec::new(), is_live: true };
    machine.take(input);
    (machine.s, machine.out)
}

/// A step under way.
pub(super) struct Machine {
    pub(super) s: State,
    pub(super) now: Timestamp,
    pub(super) out: Vec<Action>,
    /// Whether the message is heard now, or stood there before.
    pub(super) is_live: bool,
}

impl Machine {
    fn take(&mut self, input: Input) {
        match input {
            Input::Past { position, message } => {
                (self.is_live, self.now) = (false, message.ts);
                self.hear(position, message);
                // What was to be done about it was done, or follows from the state.
                self.out.clear();
                return;
            }
            _ if self.s.phase == Phase::Left => return,
            Input::Join { cursor } => self.join(cursor),
            Input::Resume { cursor } => self.resume(cursor),
            Input::Loaded { memories, omitted } => self.loaded(memories, omitted),
            Input::Heard { position, message } => self.hear(position, message),
            Input::Announce { cursor, thread, to, text } => self.announce(cursor, &thread, &to, text),
            Input::Argue { thread, text } => self.argue(&thread, text),
            Input::Concede { thread, text } => self.concede(&thread, text),
            Input::Decide { thread, text } => self.decide(&thread, text),
            Input::Finish { thread, text } => self.finish(&thread, text),
            Input::Say { draft } => self.say(draft),
            Input::Considered(opinion) => self.considered(opinion),
            Input::Leave => self.leave(SESSION, EVERYBODY),
            Input::Tick => self.beat(),
        }
        self.keep_time();
        self.wake();
    }

    /// Joins: anew, or where a session of its own was never ended, as one that comes back.
    fn join(&mut self, cursor: Position) {
        if self.s.phase != Phase::Out {
            return self.refuse("joined", "this agent has joined already");
        }
        self.s.read = cursor.max(self.s.read);
        if self.s.is_in {
            self.come_back();
        } else {
            self.s.mind.forget();
            self.s.ending = None;
            self.post(EVERYBODY, STATUS, MessageKind::Ready, format!("{} joins", self.s.name));
        }
        self.s.beat.get_or_insert(self.now);
        self.s.phase = Phase::Loading;
        let asked: Vec<(String, String)> = self.s.escalated.clone().into_iter().collect();
        self.out.extend(asked.into_iter().map(|(thread, text)| Action::AskUser { thread, text }));
        self.out.push(Action::Load);
    }

    fn resume(&mut self, cursor: Position) {
        if self.s.phase != Phase::Out {
            return self.refuse("joined", "this agent has joined already");
        }
        if !self.s.is_in {
            return self.refuse("not_joined", "this agent has not joined the channel; join first");
        }
        self.s.read = cursor.max(self.s.read);
        self.s.phase = Phase::In;
        self.s.beat.get_or_insert(self.now);
    }

    fn loaded(&mut self, memories: u32, omitted: u32) {
        if self.s.phase != Phase::Loading {
            return;
        }
        self.s.phase = Phase::In;
        self.s.mind.counts.memories = memories;
        let text = match self.s.role {
            Role::Memory => format!(
                "initialisation complete: {} is the memory agent, with {memories} memories; it tells what it knows \
                 about an intent, objects where a memory speaks against it, and learns from corrections",
                self.s.name
            ),
            Role::Active => {
                format!("initialisation complete: {} acts, and announces what it does", self.s.name)
            }
        };
        self.post(EVERYBODY, STATUS, MessageKind::Info, text);
        if omitted > 0 {
            self.warn(format!("loading stopped early: {omitted} memories were left out"));
        }
        if let Some((thread, to)) = self.s.ending.clone() {
            self.leave(&thread, &to);
        }
    }

    /// Takes in a message, once.
    fn hear(&mut self, position: Position, message: Message) {
        if position <= self.s.read {
            return;
        }
        self.s.read = position;
        self.see(&message);
        if message.from == self.s.name {
            self.heard_self(position, &message);
        } else {
            self.heard_other(position, message);
        }
    }

    /// Notes that its sender is there. A time that cannot be is the time at which it is heard.
    fn see(&mut self, message: &Message) {
        let ago = self.now.0.saturating_sub(message.ts.0);
        let is_sane = (-self.s.timers.offline_ms..=self.s.timers.offline_ms).contains(&ago);
        let at = if is_sane { message.ts } else { self.now };
        self.s.seen.insert(message.from.clone(), at);
    }

    fn heard_self(&mut self, position: Position, message: &Message) {
        self.s.is_in = true;
        match message.kind {
            MessageKind::Info if message.thread == HEARTBEAT => self.s.beat = Some(message.ts),
            MessageKind::Ready => self.s.ending = None,
            MessageKind::Done if !self.s.intents.contains_key(&message.thread) => self.s.is_in = false,
            _ => {}
        }
        match self.s.role {
            Role::Active => self.acted(position, message),
            Role::Memory => self.reacted(message),
        }
    }

    fn heard_other(&mut self, position: Position, message: Message) {
        let is_to_me = message.is_to(&self.s.name);
        let is_lead = self.s.lead.is_empty() || message.from == self.s.lead;
        match message.kind {
            MessageKind::Shutdown if is_to_me && is_lead => {
                self.s.ending = Some((message.thread.clone(), message.from.clone()));
                if self.is_live && self.s.phase == Phase::In {
                    self.leave(&message.thread, &message.from);
                }
            }
            MessageKind::Escalate if is_to_me && self.s.role == Role::Active => {
                self.asked_to_decide(&message);
            }
            MessageKind::Ack | MessageKind::Done => {
                self.s.escalated.remove(&message.thread);
            }
            _ => {}
        }
        match self.s.role {
            Role::Active => self.answered(position, message),
            Role::Memory => self.listened(message),
        }
    }

    /// Takes in nothing new; leaves once what is under way has ended.
    fn leave(&mut self, thread: &str, to: &str) {
        if self.s.phase == Phase::Out {
            self.s.phase = Phase::Left;
            return self.out.push(Action::Left);
        }
        self.s.ending = Some((thread.into(), to.into()));
        if self.s.phase == Phase::In {
            self.s.phase = Phase::Leaving;
        }
        if thread == SESSION {
            self.s.intents.clear();
        }
    }

    /// Whatever is due by now.
    fn keep_time(&mut self) {
        if matches!(self.s.phase, Phase::In | Phase::Leaving) {
            match self.s.role {
                Role::Active => self.remind(),
                Role::Memory => self.think(),
            }
        }
        let is_idle = self.s.intents.is_empty() && self.s.mind.is_idle();
        if self.s.phase == Phase::Leaving && is_idle {
            self.end();
        }
    }

    /// The last words.
    fn end(&mut self) {
        self.hand_over();
        let (thread, to) = self.s.ending.clone().unwrap_or_default();
        let text = match self.s.role {
            Role::Memory => format!("leaves: {}", self.figures()),
            Role::Active => "leaves".into(),
        };
        self.post(&to, &thread, MessageKind::Done, text);
        self.s.phase = Phase::Left;
        self.out.push(Action::Left);
    }

    /// A heartbeat, where one is due.
    fn beat(&mut self) {
        let last = self.s.beat.unwrap_or(self.now);
        // A clock that jumped back does not silence the agent for long.
        let is_due = (self.now.0.saturating_sub(last.0)).abs() >= self.s.timers.heartbeat_ms;
        if self.s.phase != Phase::In || !is_due {
            return;
        }
        self.s.beat = Some(self.now);
        let text = match self.s.role {
            Role::Memory => self.figures(),
            Role::Active => format!("intents under way {}", self.s.intents.len()),
        };
        self.post(EVERYBODY, HEARTBEAT, MessageKind::Info, text);
    }

    /// When the next step is due, whatever is heard before.
    fn wake(&mut self) {
        if !matches!(self.s.phase, Phase::In | Phase::Leaving) {
            return;
        }
        let timers = &self.s.timers;
        let mut due: Vec<i64> = self.s.beat.map(|beat| beat.0 + timers.heartbeat_ms).into_iter().collect();
        for intent in self.s.intents.values() {
            due.extend([intent.ts.0 + timers.remind_ms, intent.ts.0 + timers.escalate_ms]);
            let seen = intent.silent().into_iter().filter_map(|name| self.s.seen.get(name));
            due.extend(seen.map(|seen| seen.0 + timers.offline_ms + 1));
        }
        due.extend(self.s.mind.deadlines(timers.argument_ms));
        let next = due.into_iter().filter(|at| *at > self.now.0).min();
        self.out.extend(next.map(|at| Action::WakeAt(Timestamp(at))));
    }

    pub(super) fn draft(&self, to: &str, thread: &str, kind: MessageKind, text: String) -> Draft {
        Draft { from: self.s.name.clone(), to: to.into(), thread: thread.into(), kind, text }
    }

    pub(super) fn post(&mut self, to: &str, thread: &str, kind: MessageKind, text: String) {
        let draft = self.draft(to, thread, kind, text);
        self.out.push(Action::Post(draft));
    }

    pub(super) fn refuse(&mut self, what: &str, why: &str) {
        self.out.push(Action::Refuse { what: what.into(), why: why.into() });
    }

    /// Tells a person, and the others.
    pub(super) fn warn(&mut self, text: String) {
        let to = self.s.lead_now(self.now).filter(|lead| *lead != self.s.name);
        self.post(&to.unwrap_or(EVERYBODY.into()), STATUS, MessageKind::Info, format!("warning: {text}"));
        self.out.push(Action::Warn(text));
    }

    /// Puts a matter to the lead, or to `other` where there is none; answers who decides it.
    pub(super) fn escalate(&mut self, thread: &str, other: &str, text: String) -> String {
        let judge = self.s.lead_now(self.now).unwrap_or_else(|| other.into());
        if judge == self.s.name {
            self.s.escalated.insert(thread.into(), text.clone());
            let objectors = self.s.objectors(thread);
            let to = listed(objectors);
            if !to.is_empty() {
                self.post(&to, thread, MessageKind::Escalate, text.clone());
            }
            self.out.push(Action::AskUser { thread: thread.into(), text });
        } else {
            self.post(&judge, thread, MessageKind::Escalate, text);
        }
        judge
    }
}

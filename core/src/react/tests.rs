//! The rules of the protocol, one by one, and the mistakes that agents made without them.

mod active;
mod memory;
mod model;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem::take;

use super::*;
use crate::env::{RecordId, Timestamp};

/// One agent with a channel of its own: what it posts is read back at once.
pub(super) struct Desk {
    pub(super) state: State,
    pub(super) now: i64,
    pub(super) log: Vec<Message>,
    /// How many messages of the log it has read.
    read: usize,
    /// What its host was told to do, without the times to wake at.
    pub(super) told: Vec<Action>,
    pub(super) wake: Option<Timestamp>,
}

const START: i64 = 1_777_000_000_000;

impl Desk {
    /// An agent that has joined an empty channel.
    pub(super) fn new(name: &str, role: Role, lead: &str) -> Self {
        let mut desk = Self::out(name, role, lead);
        desk.act(Input::Join { cursor: Position(0) });
        desk.act(Input::Loaded { memories: 7, omitted: 0 });
        desk.told.clear();
        desk
    }

    pub(super) fn out(name: &str, role: Role, lead: &str) -> Self {
        let state = State::new(name, role, lead, "mem");
        Self { state, now: START, log: Vec::new(), read: 0, told: Vec::new(), wake: None }
    }

    pub(super) fn memory() -> Self {
        Self::new("mem", Role::Memory, "lead")
    }

    pub(super) fn active() -> Self {
        let mut desk = Self::new("ann", Role::Active, "lead");
        desk.says("mem", "all", "status", MessageKind::Ready, "mem joins");
        desk.told.clear();
        desk
    }

    /// A step, and all that follows from reading back what it posts.
    pub(super) fn act(&mut self, input: Input) -> Vec<Action> {
        let mut waiting: Vec<Input> = [input].into();
        let mut all = Vec::new();
        while !waiting.is_empty() {
            let input = waiting.remove(0);
            let (state, actions) = step(take(&mut self.state), input, Timestamp(self.now));
            self.state = state;
            for action in actions {
                match &action {
                    Action::WakeAt(at) => {
                        self.wake = Some(*at);
                        continue;
                    }
                    Action::Post(draft) => self.append(draft.clone()),
                    Action::PostAt { draft, end } if *end == Position(self.log.len() as u64) => {
                        self.append(draft.clone());
                    }
                    _ => {}
                }
                all.push(action);
            }
            while self.read < self.log.len() {
                self.read += 1;
                let message = self.log[self.read - 1].clone();
                waiting.push(Input::Heard { position: Position(self.read as u64), message });
            }
        }
        self.told.extend(all.iter().cloned());
        all
    }

    fn append(&mut self, draft: Draft) {
        self.log.push(draft.posted(Timestamp(self.now)));
    }

    /// Another agent posts, and it is heard.
    pub(super) fn says(
        &mut self,
        from: &str,
        to: &str,
        thread: &str,
        kind: MessageKind,
        text: &str,
    ) -> Vec<Action> {
        let draft =
            Draft { from: from.into(), to: to.into(), thread: thread.into(), kind, text: text.into() };
        self.append(draft);
        self.read += 1;
        let message = self.log[self.read - 1].clone();
        self.act(Input::Heard { position: Position(self.read as u64), message })
    }

    pub(super) fn after(&mut self, ms: i64) -> Vec<Action> {
        self.now += ms;
        self.act(Input::Tick)
    }

    pub(super) fn announce(&mut self, thread: &str, to: &[&str]) -> Vec<Action> {
        let cursor = Position(self.log.len() as u64);
        let to = to.iter().map(ToString::to_string).collect();
        self.act(Input::Announce {
            cursor,
            thread: thread.into(),
            to,
            text: "Situation: s. Behavior: b".into(),
        })
    }

    /// The same channel, read anew by a new process after a kill.
    pub(super) fn killed(&self, after_ms: i64) -> Self {
        let fresh = State::new(&self.state.name, self.state.role, &self.state.lead, &self.state.memory);
        let mut desk = Self {
            state: fresh,
            now: self.now + after_ms,
            log: self.log.clone(),
            read: 0,
            told: Vec::new(),
            wake: None,
        };
        desk.read_past();
        desk
    }

    pub(super) fn read_past(&mut self) {
        for (at, message) in self.log.clone().into_iter().enumerate() {
            let position = Position(at as u64 + 1);
            let (state, actions) =
                step(take(&mut self.state), Input::Past { position, message }, Timestamp(self.now));
            assert!(actions.is_empty(), "what is past is not acted upon: {actions:?}");
            self.state = state;
        }
        self.read = self.log.len();
    }

    pub(super) fn rejoin(&mut self) -> Vec<Action> {
        let cursor = Position(self.log.len() as u64);
        let mut all = self.act(Input::Join { cursor });
        all.extend(self.act(Input::Loaded { memories: 7, omitted: 0 }));
        all
    }
}

/// The kinds of what was posted, in order.
pub(super) fn kinds(actions: &[Action]) -> Vec<String> {
    posts(actions).iter().map(|draft| draft.kind.as_str().to_string()).collect()
}

pub(super) fn posts(actions: &[Action]) -> Vec<&Draft> {
    let mut out = Vec::new();
    for action in actions {
        if let Action::Post(draft) | Action::PostAt { draft, .. } = action {
            out.push(draft);
        }
    }
    out
}

pub(super) fn refusal(actions: &[Action]) -> Option<&str> {
    actions.iter().find_map(|action| match action {
        Action::Refuse { what, .. } => Some(what.as_str()),
        _ => None,
    })
}

pub(super) fn proceeds(actions: &[Action]) -> bool {
    actions.iter().any(|action| matches!(action, Action::Proceed { .. }))
}

pub(super) fn question(actions: &[Action]) -> Option<&Question> {
    actions.iter().find_map(|action| match action {
        Action::Consult(question) => Some(question),
        _ => None,
    })
}

pub(super) fn objecting(id: u8) -> Opinion {
    let memories = [RecordId([id; 16])].into();
    let objection = Some(Objection { memories, text: "use the script".into() });
    Opinion { objection, surfaced: [RecordId([id; 16])].into(), ..Opinion::default() }
}

#[test]
fn rule_1_a_draft_has_no_time_the_host_takes_it_when_it_posts() {
    // A draft that lies for a minute is posted with the time at which it is posted: no time is cached.
    let mut desk = Desk::active();
    let actions = desk.announce("t", &[]);
    let draft = posts(&actions)[0].clone();
    assert_eq!(draft.posted(Timestamp(START + 60_000)).ts, Timestamp(START + 60_000));
}

#[test]
fn rule_3_a_host_waits_for_events_and_is_told_when_to_look_at_the_clock() {
    let mut desk = Desk::active();
    desk.announce("t", &[]);
    assert_eq!(desk.wake, Some(Timestamp(START + 5_000)));
    desk.after(5_000);
    assert_eq!(desk.wake, Some(Timestamp(START + 30_000)));
    desk.says("mem", "ann", "t", MessageKind::Ack, "ok");
    desk.after(30_000);
    assert_eq!(desk.wake, Some(Timestamp(START + 300_000)), "the next heartbeat");
}

#[test]
fn rule_4_ready_before_loading_and_complete_only_after_it() {
    for role in [Role::Memory, Role::Active] {
        let mut desk = Desk::out("x", role, "");
        let joined = desk.act(Input::Join { cursor: Position(0) });
        assert_eq!(kinds(&joined), ["ready"]);
        assert_eq!(joined.last(), Some(&Action::Load));
        let loaded = desk.act(Input::Loaded { memories: 7, omitted: 0 });
        assert_eq!(kinds(&loaded), ["info"]);
        assert!(posts(&loaded)[0].text.starts_with("initialisation complete"), "{loaded:?}");
    }
    // The memory says who it is, how much it knows and what for; what it hears while it loads waits.
    let mut desk = Desk::out("mem", Role::Memory, "");
    desk.act(Input::Join { cursor: Position(0) });
    assert_eq!(question(&desk.says("ann", "mem", "t", MessageKind::Intent, "x")), None);
    let loaded = desk.act(Input::Loaded { memories: 7, omitted: 0 });
    let text = &posts(&loaded)[0].text;
    assert!(text.contains("memory agent") && text.contains("7 memories"), "{text}");
    assert!(question(&loaded).is_some());
}

#[test]
fn rule_8_a_heartbeat_every_five_minutes_with_counts_and_a_time_that_survives_a_restart() {
    let mut desk = Desk::memory();
    assert!(kinds(&desk.after(299_000)).is_empty());
    let beat = desk.after(1_000);
    assert_eq!(posts(&beat)[0].thread, "heartbeat");
    for part in ["memories 7", "intents 0", "surfaced 0", "queue 0"] {
        assert!(posts(&beat)[0].text.contains(part), "{beat:?}");
    }
    let mut desk = desk.killed(200_000);
    desk.rejoin();
    assert!(kinds(&desk.after(99_000)).is_empty(), "five minutes since the last, and not since the restart");
    assert_eq!(posts(&desk.after(1_000))[0].thread, "heartbeat");
}

#[test]
fn unknown_types_are_kept_and_ignored() {
    let mut desk = Desk::memory();
    let said = desk.says("ann", "all", "t", MessageKind::Other("vote".into()), "aye");
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn the_state_survives_the_wire_in_the_middle_of_everything() {
    let mut desk = Desk::memory();
    desk.says("ann", "mem", "t", MessageKind::Intent, "x");
    desk.act(Input::Considered(objecting(1)));
    desk.says("bob", "mem", "u", MessageKind::Intent, "y");
    let text = serde_json::to_string(&desk.state).expect("written");
    assert_eq!(serde_json::from_str::<State>(&text).expect("read"), desk.state);
}

#[test]
fn the_one_who_is_told_to_leave_ends_what_is_under_way_and_says_what_it_did() {
    let mut desk = Desk::memory();
    desk.says("ann", "mem", "t", MessageKind::Intent, "x");
    let left = desk.says("lead", "all", "end", MessageKind::Shutdown, "bye");
    assert!(!left.contains(&Action::Left), "an intent is being thought about");
    let late = desk.says("ann", "mem", "u", MessageKind::Intent, "too late");
    assert!(question(&late).is_none(), "nothing new is taken in");
    let end = desk.act(Input::Considered(Opinion::default()));
    assert_eq!(kinds(&end), ["ack", "done"]);
    assert!(posts(&end)[1].text.contains("intents 1 checked 1"), "{end:?}");
    assert_eq!(end.last(), Some(&Action::Left));
    // Only the lead ends a session.
    let mut other = Desk::memory();
    assert!(!other.says("ann", "all", "end", MessageKind::Shutdown, "bye").contains(&Action::Left));
}

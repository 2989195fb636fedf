//! Three agents in virtual time: random delays, crashes and restarts, and what must hold whatever happens.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

use super::*;
use crate::env::Seed;

const NAMES: [&str; 3] = ["mem", "ann", "bob"];

/// A small generator: the model needs chance, not quality.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn is(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// One agent's process and its host.
#[derive(Default)]
struct Node {
    state: State,
    is_up: bool,
    read: usize,
    /// What its host has yet to do, with the time at which it comes to it.
    todo: VecDeque<(i64, Action)>,
    /// Intents of its own that may go on.
    going: BTreeSet<String>,
}

/// The channel, the agents, and what the memory has written down.
struct World {
    now: i64,
    log: Vec<Message>,
    nodes: Vec<Node>,
    chance: Chance,
    threads: u32,
    /// What was shown, by operation: a seed that is known writes nothing.
    shown: BTreeMap<Seed, String>,
    settled: BTreeMap<Seed, Came>,
    /// The intents that went on, each with the place of the intent.
    went_on: Vec<(usize, String, usize)>,
    broken: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut world = Self {
            now: START,
            log: Vec::new(),
            nodes: Vec::new(),
            chance: Chance(seed * 0x9E37_79B9 + 1),
            threads: 0,
            shown: BTreeMap::new(),
            settled: BTreeMap::new(),
            went_on: Vec::new(),
            broken: Vec::new(),
        };
        for at in 0..NAMES.len() {
            world.nodes.push(Node::default());
            world.boot(at);
        }
        world
    }

    /// A process starts: it knows nothing but the channel.
    fn boot(&mut self, at: usize) {
        let role = if at == 0 { Role::Memory } else { Role::Active };
        let mut node = Node { state: State::new(NAMES[at], role, "", "mem"), is_up: true, ..Node::default() };
        for (place, message) in self.log.iter().cloned().enumerate() {
            let input = Input::Past { position: Position(place as u64 + 1), message };
            node.state = step(take(&mut node.state), input, Timestamp(self.now)).0;
        }
        node.read = self.log.len();
        self.nodes[at] = node;
        let cursor = Position(self.log.len() as u64);
        self.input(at, Input::Join { cursor });
    }

    fn input(&mut self, at: usize, input: Input) {
        let node = &mut self.nodes[at];
        let (state, actions) = step(take(&mut node.state), input, Timestamp(self.now));
        node.state = state;
        for action in actions.into_iter().filter(|action| !matches!(action, Action::WakeAt(_))) {
            if let Action::Proceed { thread, .. } = &action {
                self.proceeds(at, thread.clone());
            }
            // A host does what it is told in order, sooner or later.
            let last = self.nodes[at].todo.back().map_or(self.now, |(due, _)| *due);
            let due = last.max(self.now) + self.chance.below(1_500) as i64;
            self.nodes[at].todo.push_back((due, action));
        }
    }

    /// What must hold when an intent goes on: every recipient that is online, as far as its initiator can know, has
    /// answered; nobody objects.
    fn proceeds(&mut self, at: usize, thread: String) {
        let read = &self.log[..self.nodes[at].read];
        let me = NAMES[at];
        let Some(place) = read
            .iter()
            .rposition(|one| one.from == me && one.thread == thread && one.kind == MessageKind::Intent)
        else {
            self.broken.push(format!("{thread} goes on and was never posted"));
            return;
        };
        let after = &read[place + 1..];
        let decided = |name: &str| {
            after.iter().any(|one| {
                one.from == me
                    && one.thread == thread
                    && matches!(one.kind, MessageKind::Info | MessageKind::Ack)
                    && one.recipients().contains(&name)
            })
        };
        for name in read[place].recipients() {
            let seen = read.iter().rev().find(|one| one.from == name).map(|one| one.ts.0);
            let is_online = seen.is_some_and(|seen| self.now - seen <= 15 * 60_000);
            let answer = after.iter().rev().find(|one| {
                one.from == name
                    && one.thread == thread
                    && matches!(one.kind, MessageKind::Ack | MessageKind::Wait)
            });
            match answer.map(|one| &one.kind) {
                Some(MessageKind::Wait) if !decided(name) => {
                    self.broken.push(format!("{thread} goes on over the wait of {name}"));
                }
                None if is_online && !decided(name) => {
                    self.broken.push(format!("{thread} goes on without an answer of {name}"));
                }
                _ => {}
            }
        }
        self.nodes[at].going.insert(thread.clone());
        self.went_on.push((at, thread, place));
    }

    /// One thing that a host has to do.
    fn host(&mut self, at: usize, action: Action) {
        match action {
            Action::Post(draft) => self.post(draft),
            Action::PostAt { draft, end } if end == Position(self.log.len() as u64) => {
                self.done_is_clean(&draft);
                self.post(draft);
            }
            Action::Load => self.input(at, Input::Loaded { memories: 3, omitted: 0 }),
            Action::Consult(question) => self.consult(at, &question),
            Action::Settle { came, seed, .. } => {
                self.settled.insert(seed, came);
            }
            Action::Proceed { thread, .. } => {
                let text = "did it".into();
                self.input(at, Input::Finish { thread, text });
            }
            Action::Hold { thread, .. } => {
                let input = if self.chance.is(50) {
                    Input::Concede { thread, text: "as you say".into() }
                } else {
                    Input::Argue { thread, text: "because".into() }
                };
                self.input(at, input);
            }
            Action::AskUser { thread, .. } => {
                self.input(at, Input::Decide { thread, text: "go on".into() });
            }
            Action::Asked(message) if self.chance.is(90) => {
                let kind = if self.chance.is(75) { MessageKind::Ack } else { MessageKind::Wait };
                let draft = Draft { to: message.from, thread: message.thread, kind, ..Draft::default() };
                self.input(at, Input::Say { draft });
            }
            _ => {}
        }
    }

    fn consult(&mut self, at: usize, question: &Question) {
        let mut opinion = Opinion::default();
        match question.about {
            About::Heard if question.message.kind == MessageKind::Intent => {
                // Written before it is said; once, however often it is asked.
                self.shown.entry(question.seed).or_insert_with(|| question.message.thread.clone());
                // What a memory says of a message does not change: it depends on the message alone.
                if question.seed.0[0].is_multiple_of(3) {
                    opinion = objecting(question.seed.0[1]);
                }
            }
            About::Argued if self.chance.is(40) => opinion.verdict = Some(Verdict::Settled(Came::Irrelevant)),
            About::Argued => opinion.verdict = Some(Verdict::Rebut("still".into())),
            About::Decided => opinion.verdict = Some(Verdict::Settled(Came::NotFollowed)),
            _ => {}
        }
        self.input(at, Input::Considered(opinion));
    }

    fn post(&mut self, draft: Draft) {
        self.log.push(draft.posted(Timestamp(self.now)));
    }

    /// A `done` goes out only where no wait stands, in the whole channel and not only in what was read.
    fn done_is_clean(&mut self, draft: &Draft) {
        let Some(place) = self.log.iter().rposition(|one| {
            one.from == draft.from && one.thread == draft.thread && one.kind == MessageKind::Intent
        }) else {
            return self.broken.push(format!("done without an intent on {}", draft.thread));
        };
        let mut waits: BTreeSet<&str> = BTreeSet::new();
        for one in self.log[place..].iter().filter(|one| one.thread == draft.thread) {
            match one.kind {
                MessageKind::Wait => drop(waits.insert(&one.from)),
                MessageKind::Ack if one.from != draft.from => drop(waits.remove(one.from.as_str())),
                MessageKind::Ack | MessageKind::Info if one.from == draft.from => {
                    let is_decision = one.kind == MessageKind::Ack || one.text == "go on";
                    waits.retain(|name| !is_decision || !one.recipients().contains(name));
                }
                _ => {}
            }
        }
        if !waits.is_empty() {
            self.broken.push(format!("done over the wait of {waits:?} on {}", draft.thread));
        }
    }

    /// A moment passes; anything may happen in it.
    fn pass(&mut self, is_quiet: bool) {
        self.now += self.chance.below(1_000) as i64;
        for at in 0..self.nodes.len() {
            if !self.nodes[at].is_up {
                if is_quiet || self.chance.is(3) {
                    self.boot(at);
                }
                continue;
            }
            if !is_quiet && self.chance.below(1_000) < 4 {
                // What its host had yet to do is lost with it.
                self.nodes[at] = Node::default();
                continue;
            }
            if self.nodes[at].todo.front().is_some_and(|(due, _)| *due <= self.now)
                && let Some((_, action)) = self.nodes[at].todo.pop_front()
            {
                self.host(at, action);
            }
            if self.nodes[at].read < self.log.len() && self.chance.is(60) {
                let message = self.log[self.nodes[at].read].clone();
                self.nodes[at].read += 1;
                let position = Position(self.nodes[at].read as u64);
                self.input(at, Input::Heard { position, message });
            }
            self.input(at, Input::Tick);
            if at > 0 && !is_quiet && self.chance.below(100) < 2 {
                self.threads += 1;
                let thread = format!("t{}", self.threads);
                let to = if self.chance.is(50) { Vec::new() } else { [NAMES[3 - at].into()].into() };
                let cursor = Position(self.log.len() as u64);
                self.input(at, Input::Announce { cursor, thread, to, text: "s".into() });
            }
            self.finish_what_goes(at);
        }
    }

    /// A `done` that found the channel longer is asked for again.
    fn finish_what_goes(&mut self, at: usize) {
        let going: Vec<String> = self.nodes[at].going.iter().cloned().collect();
        for thread in going {
            if self.nodes[at].state.standing(&thread).is_none() {
                self.nodes[at].going.remove(&thread);
            } else if self.chance.is(5) {
                self.input(at, Input::Finish { thread, text: "did it".into() });
            }
        }
    }

    fn check_log(&mut self) {
        let mut numbers: BTreeMap<String, String> = BTreeMap::new();
        let mut answered: BTreeMap<&str, Vec<&MessageKind>> = BTreeMap::new();
        for one in self.log.iter().filter(|one| one.from == "mem") {
            if one.kind == MessageKind::Intent {
                self.broken.push("the memory announced an intent".into());
            }
            if matches!(one.kind, MessageKind::Ack | MessageKind::Wait) {
                answered.entry(&one.thread).or_default().push(&one.kind);
            }
            if let Some(number) =
                one.text.rsplit_once("[argument ").and_then(|(_, tag)| tag.split(':').next())
                && let Some(other) = numbers.insert(number.into(), one.thread.clone())
                && other != one.thread
            {
                self.broken.push(format!("argument {number} on {other} and {}", one.thread));
            }
        }
        // After a wait, an ack comes from a verdict alone: never as the answer to the same intent.
        for (thread, kinds) in &answered {
            let first_wait = kinds.iter().position(|kind| **kind == MessageKind::Wait);
            let acked_after = first_wait.is_some_and(|at| kinds[at..].contains(&&MessageKind::Ack));
            let ruled = self.log.iter().any(|one| {
                one.from == "mem" && one.thread == **thread && one.text == "the answer meets the objection"
            });
            if acked_after && !ruled {
                self.broken.push(format!("ack after wait on {thread}"));
            }
        }
        // Nothing of an answered intent is lost, and nothing counts twice.
        for thread in answered.keys() {
            let count = self.shown.values().filter(|one| one == thread).count();
            if count != 1 {
                self.broken.push(format!("{thread} was answered and counted {count} times"));
            }
        }
    }
}

#[test]
fn three_agents_with_delays_crashes_and_restarts_break_no_rule() {
    let (mut intents, mut waits, mut done, mut settled) = (0, 0, 0, 0);
    for seed in 1..=60 {
        let mut world = World::new(seed);
        for _ in 0..1_500 {
            world.pass(false);
        }
        // All are up, and nothing new is announced: what is open comes to its end.
        for _ in 0..2_500 {
            world.pass(true);
        }
        world.check_log();
        let count = |kind: &MessageKind| world.log.iter().filter(|one| one.kind == *kind).count();
        intents += count(&MessageKind::Intent);
        waits += count(&MessageKind::Wait);
        done += count(&MessageKind::Done);
        settled += world.settled.len();
        assert_eq!(world.broken, Vec::<String>::new(), "seed {seed}");
        for one in world.log.iter().filter(|one| one.kind == MessageKind::Intent && one.is_to("mem")) {
            let is_answer = |other: &&Message| {
                other.from == "mem"
                    && other.thread == one.thread
                    && matches!(other.kind, MessageKind::Ack | MessageKind::Wait)
            };
            // Where the memory was down for long, a user has decided in its place, and it was done.
            let is_decided = |other: &&Message| {
                other.from == one.from && other.thread == one.thread && other.text == "go on"
            };
            let is_met = world.log.iter().any(|other| is_answer(&other) || is_decided(&other));
            assert!(is_met, "seed {seed}: silence on {}", one.thread);
        }
    }
    // The model is of use only where all of it happens.
    assert!(intents > 500 && waits > 150 && done > 200 && settled > 50, "{intents} {waits} {done} {settled}");
}

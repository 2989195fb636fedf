//! An agent's machine at work on a channel file.
//!
//! Carries out what the machine asks for, and gives it what happens. Decides nothing: every rule is the machine's.

use std::collections::VecDeque;

use hardwon_core::env::{RecordId, Seed, Timestamp};
use hardwon_core::error::Error;
use hardwon_core::react::{Action, Came, Input, Opinion, Phase, Position, Question, State, step};

use super::{Batch, Channel, Placed};
use crate::clock;

/// What an agent knows: a memory, or nothing.
pub trait Mind {
    /// Loads what there is; answers how many memories, and how many were left out.
    fn load(&mut self) -> Result<(u32, u32), Error>;

    /// What it says to a question.
    fn consider(&mut self, question: Question) -> Result<Opinion, Error>;

    /// Counts what came of showing memories.
    fn settle(&mut self, memories: &[RecordId], came: Came, seed: Seed) -> Result<(), Error>;
}

/// The mind of an agent that only acts.
#[derive(Debug)]
pub struct NoMind;

impl Mind for NoMind {
    fn load(&mut self) -> Result<(u32, u32), Error> {
        Ok((0, 0))
    }

    fn consider(&mut self, _: Question) -> Result<Opinion, Error> {
        Ok(Opinion::default())
    }

    fn settle(&mut self, _: &[RecordId], _: Came, _: Seed) -> Result<(), Error> {
        Ok(())
    }
}

/// What a caller gets to see, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The agent posted this.
    Posted(Placed),
    /// It heard this from another.
    Heard(Placed),
    /// So many parts of the channel could not be read.
    Skipped(u64),
    /// The machine's word to its host: to go on, to hold, to ask, a refusal, a warning.
    Told(Action),
}

/// What follows from an action.
enum Next {
    Nothing,
    /// The machine is to hear this.
    Give(Box<Input>),
    /// Others have posted: they are to be heard first, and then the same again.
    Again,
}

/// A machine, a channel, and how far it has been read.
#[derive(Debug)]
pub struct Session<M> {
    channel: Channel,
    /// What it knows.
    pub mind: M,
    state: State,
    cursor: Position,
    wake: Option<Timestamp>,
    has_left: bool,
    events: VecDeque<Event>,
}

impl<M: Mind> Session<M> {
    /// Enters a channel of which this is past: goes on where the agent is there already and is to go on, else joins.
    pub fn enter(channel: Channel, state: State, mind: M, past: Batch, goes_on: bool) -> Result<Self, Error> {
        let (cursor, events) = (past.cursor, VecDeque::new());
        let mut session = Self { channel, mind, state, cursor, wake: None, has_left: false, events };
        session.skipped(past.skipped);
        for Placed { end, message } in past.messages {
            session.give(Input::Past { position: end, message })?;
        }
        if goes_on {
            session.give(Input::Resume { cursor })?;
        }
        if session.state.phase() == Phase::Out {
            // Nothing came of going on where it had not joined, or had left.
            session.events.retain(|event| matches!(event, Event::Skipped(_)));
            session.give(Input::Join { cursor })?;
        }
        Ok(session)
    }

    /// What the machine knows.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The place behind what was read last.
    pub fn cursor(&self) -> Position {
        self.cursor
    }

    /// Whether nothing follows.
    pub fn has_left(&self) -> bool {
        self.has_left
    }

    /// When the machine wants to be called again at the latest.
    pub fn wake(&self) -> Option<Timestamp> {
        self.wake
    }

    /// The end of the channel, to be taken before something is posted that waits for answers.
    pub fn end(&self) -> Result<Position, Error> {
        self.channel.cursor()
    }

    /// The next thing to see.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Gives the machine one thing that happens, and does what it asks for.
    pub fn give(&mut self, input: Input) -> Result<(), Error> {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let state = core::mem::take(&mut self.state);
            let (state, actions) = step(state, input.clone(), clock::now());
            self.state = state;
            for action in actions {
                match self.act(action)? {
                    Next::Nothing => {}
                    Next::Give(input) => inputs.push_back(*input),
                    Next::Again => {
                        // What others said meanwhile may change what is to be posted.
                        inputs.extend(self.news()?);
                        inputs.push_back(input.clone());
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads what is new in the channel and lets time pass.
    pub fn turn(&mut self) -> Result<(), Error> {
        for input in self.news()? {
            self.give(input)?;
            if self.has_left {
                return Ok(());
            }
        }
        if self.wake.is_some_and(|wake| wake <= clock::now()) {
            self.wake = None;
            self.give(Input::Tick)?;
        }
        Ok(())
    }

    /// What was posted since the last look, for the machine and for whoever looks on.
    fn news(&mut self) -> Result<Vec<Input>, Error> {
        let batch = self.channel.read(self.cursor)?;
        self.cursor = batch.cursor;
        self.skipped(batch.skipped);
        let mut heard = Vec::new();
        for placed in batch.messages {
            if placed.message.from != self.state.name {
                self.events.push_back(Event::Heard(placed.clone()));
            }
            heard.push(Input::Heard { position: placed.end, message: placed.message });
        }
        Ok(heard)
    }

    /// Carries an action out; answers what the machine must hear of it.
    fn act(&mut self, action: Action) -> Result<Next, Error> {
        match action {
            Action::Post(draft) => {
                let placed = self.channel.append(draft, clock::now)?;
                self.events.push_back(Event::Posted(placed));
            }
            Action::PostAt { draft, end } => match self.channel.append_at(draft, end, clock::now)? {
                Some(placed) => self.events.push_back(Event::Posted(placed)),
                None => return Ok(Next::Again),
            },
            Action::Load => {
                let (memories, omitted) = self.mind.load()?;
                return Ok(Next::Give(Box::new(Input::Loaded { memories, omitted })));
            }
            Action::Consult(question) => {
                let opinion = self.mind.consider(question)?;
                return Ok(Next::Give(Box::new(Input::Considered(opinion))));
            }
            Action::Settle { memories, came, seed } => self.mind.settle(&memories, came, seed)?,
            Action::WakeAt(time) => self.wake = Some(self.wake.map_or(time, |wake| wake.min(time))),
            Action::Left => self.has_left = true,
            told => self.events.push_back(Event::Told(told)),
        }
        Ok(Next::Nothing)
    }

    fn skipped(&mut self, parts: u64) {
        if parts > 0 {
            self.events.push_back(Event::Skipped(parts));
        }
    }
}

//! What an agent of a channel knows.
//!
//! Decides nothing. All of it follows from the messages that stand in the channel and from what the agent was asked to
//! do, so that a killed agent has it again when it has read the channel.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::message::{EVERYBODY, Message, Position};
use super::say::{Objection, Role};
use crate::env::{RecordId, Timestamp};

/// The times and counts of the protocol. Times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timers {
    /// Who has posted nothing for this long is offline.
    pub offline_ms: i64,
    /// After this long a recipient that is offline counts as having nothing to object, and one that is online and
    /// silent is reminded.
    pub remind_ms: i64,
    /// After this long without an answer of one that is online, the lead is asked.
    pub escalate_ms: i64,
    /// How often an agent says that it is there.
    pub heartbeat_ms: i64,
    /// After this long without a word an argument is put to the lead.
    pub argument_ms: i64,
    /// How many arguments a memory has at once.
    pub arguments: u32,
    /// From how many waiting questions on it warns.
    pub queue: u32,
    /// From how many new memories on within [`Timers::rate_ms`] it warns.
    pub rate: u32,
    /// The time for the above.
    pub rate_ms: i64,
}

impl Default for Timers {
    fn default() -> Self {
        Self {
            offline_ms: 15 * 60_000,
            remind_ms: 5_000,
            escalate_ms: 30_000,
            heartbeat_ms: 5 * 60_000,
            argument_ms: 5 * 60_000,
            arguments: 3,
            queue: 5,
            rate: 5,
            rate_ms: 10 * 60_000,
        }
    }
}

/// Where an agent stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It has not joined.
    #[default]
    Out,
    /// It loads.
    Loading,
    /// It takes part.
    In,
    /// It ends what is under way and takes in nothing new.
    Leaving,
    /// It has left.
    Left,
}

/// Whether an intent may go on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Somebody has yet to answer.
    #[default]
    Open,
    /// Somebody objects.
    Held,
    /// All have answered and nobody objects.
    Going,
}

/// What a memory has done in this session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Memories loaded.
    pub memories: u32,
    /// Intents that came.
    pub intents: u32,
    /// Intents that were answered.
    pub checked: u32,
    /// Memories shown.
    pub surfaced: u32,
    /// Objections raised.
    pub waits: u32,
    /// Objections that were followed.
    pub followed: u32,
    /// Objections that were not.
    pub not_followed: u32,
    /// Objections that had nothing to do with the matter.
    pub irrelevant: u32,
    /// Objections that ended without a word.
    pub unresolved: u32,
    /// Memories that should have been shown and were not.
    pub missed: u32,
    /// Memories made.
    pub made: u32,
}

/// An agent of a channel. A host keeps it between steps and may write it down; it can always be had again from the
/// channel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The agent's name.
    pub name: String,
    /// What it does.
    pub role: Role,
    /// The lead's name; empty where there is none.
    pub lead: String,
    /// The memory's name, to whom every intent goes.
    pub memory: String,
    /// The times of the protocol.
    pub timers: Timers,
    pub(super) phase: Phase,
    /// After the last message that was read.
    pub(super) read: Position,
    /// When each agent was last heard.
    pub(super) seen: BTreeMap<String, Timestamp>,
    /// Whether an own session stands in the channel that has not been ended.
    pub(super) is_in: bool,
    pub(super) beat: Option<Timestamp>,
    /// The thread and sender of the message that ends the session.
    pub(super) ending: Option<(String, String)>,
    /// Own intents, by thread.
    pub(super) intents: BTreeMap<String, Intent>,
    /// Own intents that are posted and have not been read back: their cursors, by thread.
    pub(super) posted: BTreeMap<String, Position>,
    /// Own objections to intents of others, by thread: how many inputs their arguments have.
    pub(super) objected: BTreeMap<String, u8>,
    /// What was put to this agent to be decided, by thread.
    pub(super) escalated: BTreeMap<String, String>,
    pub(super) mind: Mind,
}

impl State {
    /// An agent that has not joined.
    pub fn new(name: &str, role: Role, lead: &str, memory: &str) -> Self {
        Self { name: name.into(), role, lead: lead.into(), memory: memory.into(), ..Self::default() }
    }

    /// Where it stands.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// After the last message that it has read.
    pub const fn cursor(&self) -> Position {
        self.read
    }

    /// Whether an own intent may go on; none where there is no such intent.
    pub fn standing(&self, thread: &str) -> Option<Standing> {
        self.intents.get(thread).map(|intent| intent.standing)
    }

    /// Who objects to an own intent.
    pub fn objectors(&self, thread: &str) -> Vec<&str> {
        self.intents.get(thread).map(Intent::objectors).unwrap_or_default()
    }

    /// What a memory has done.
    pub const fn counts(&self) -> Counts {
        self.mind.counts
    }

    /// How much waits for a memory: questions and arguments.
    pub fn queue(&self) -> u32 {
        let waiting = self.mind.arguments.values().filter(|one| one.stage == Stage::Queued).count();
        (self.mind.queue.len() + waiting) as u32
    }

    /// Whether an agent has posted something in the last quarter of an hour. A time far ahead is none.
    pub fn is_online(&self, name: &str, now: Timestamp) -> bool {
        let ago = self.seen.get(name).map(|seen| now.0.saturating_sub(seen.0));
        ago.is_some_and(|ago| (-self.timers.offline_ms..=self.timers.offline_ms).contains(&ago))
    }

    /// The agents that are online, without this one.
    pub fn online(&self, now: Timestamp) -> Vec<&str> {
        let names = self.seen.keys().map(String::as_str);
        names.filter(|name| *name != self.name && self.is_online(name, now)).collect()
    }

    /// The lead, where there is one to be asked.
    pub(super) fn lead_now(&self, now: Timestamp) -> Option<String> {
        (!self.lead.is_empty() && (self.lead == self.name || self.is_online(&self.lead, now)))
            .then(|| self.lead.clone())
    }
}

/// An own intent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Intent {
    /// Where it stands in the channel: what comes before is no answer to it.
    pub(super) at: Position,
    pub(super) ts: Timestamp,
    pub(super) text: String,
    pub(super) answers: BTreeMap<String, Answer>,
    pub(super) standing: Standing,
    pub(super) is_reminded: bool,
    /// Whether it was put to the lead or the user.
    pub(super) is_escalated: bool,
    pub(super) decision: String,
}

impl Intent {
    pub(super) fn of(message: &Message, at: Position, recipients: Vec<String>) -> Self {
        let answers = recipients.into_iter().map(|name| (name, Answer::Silent)).collect();
        Self { at, ts: message.ts, text: message.text.clone(), answers, ..Self::default() }
    }

    pub(super) fn objectors(&self) -> Vec<&str> {
        let waits = self.answers.iter().filter(|(_, answer)| matches!(answer, Answer::Waits { .. }));
        waits.map(|(name, _)| name.as_str()).collect()
    }

    pub(super) fn silent(&self) -> Vec<&str> {
        let silent = self.answers.iter().filter(|(_, answer)| **answer == Answer::Silent);
        silent.map(|(name, _)| name.as_str()).collect()
    }
}

/// What a recipient has answered to an intent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Answer {
    #[default]
    Silent,
    Acked,
    Waits {
        text: String,
        /// The inputs of the argument so far.
        inputs: u8,
    },
    /// The lead or the user has decided.
    Overruled,
}

/// What a memory knows beyond any other agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Mind {
    /// What waits to be asked.
    pub(super) queue: VecDeque<Work>,
    /// What is asked.
    pub(super) asking: Option<Work>,
    /// By number; a number is never given twice.
    pub(super) arguments: BTreeMap<u64, Argument>,
    pub(super) next: u64,
    /// The last thing that each agent said of its own: what its user may correct.
    pub(super) said: BTreeMap<String, Message>,
    /// What each agent's user was asked about.
    pub(super) asked: BTreeMap<String, Message>,
    /// The last intent of each agent.
    pub(super) intents: BTreeMap<String, Message>,
    /// What each agent's last intent has already counted, as shown or missed.
    pub(super) counted: BTreeMap<String, Vec<RecordId>>,
    /// When memories were made.
    pub(super) made: VecDeque<Timestamp>,
    pub(super) counts: Counts,
    pub(super) has_warned_of_queue: bool,
    pub(super) has_warned_of_rate: bool,
}

/// Something that a memory has to think about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Work {
    Heard(Message),
    Argued { argument: u64, message: Message },
    Decided { argument: u64, message: Message },
}

/// An argument about an objection of the memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Argument {
    pub(super) intent: Message,
    pub(super) objection: Objection,
    /// Objection, answer, counter: no more than three.
    pub(super) inputs: u8,
    /// Whether the objection has been read back: what stands before it is no answer to it.
    pub(super) is_posted: bool,
    pub(super) answer: Option<Message>,
    pub(super) stage: Stage,
    /// When something was last said in it.
    pub(super) last: Timestamp,
    /// Who decides it: the lead, or the initiator's user.
    pub(super) judge: String,
}

/// Where an argument stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Stage {
    /// The objection is posted; its answer waits for others to end.
    Queued,
    Open,
    /// Put to the lead or the initiator.
    Escalated,
}

/// The names in a list with commas, without double ones.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut out: Vec<&str> = Vec::new();
    for name in names {
        if !name.is_empty() && !out.contains(&name) {
            out.push(name);
        }
    }
    if out.contains(&EVERYBODY) { EVERYBODY.into() } else { out.join(",") }
}

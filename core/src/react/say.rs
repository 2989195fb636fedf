//! What goes into the machine of an agent and what comes out of it.
//!
//! Decides nothing. A host carries out every action in order, and gives back what came of those that have an answer.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::message::{Draft, Message, Position};
use crate::env::{OpId, RecordId, Seed, Timestamp};

/// What an agent of a channel does there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The memory: it reacts, and announces nothing of its own.
    Memory,
    /// It acts, and announces what it is about to do.
    #[default]
    Active,
}

/// How a memory was asked, which is what its answer is to say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// A message was posted: what is there to learn, to tell, and to object?
    #[default]
    Heard,
    /// The initiator answers an objection: does the answer meet it?
    Argued,
    /// The lead decided, or the initiator acted: what came of the objection?
    Decided,
    /// A person says yes to what the memory asked.
    Confirmed,
}

/// What a memory is asked. A host gives it to the verb `react`, with the seed as the operation's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Question {
    /// How it is asked.
    pub about: About,
    /// The message.
    pub message: Message,
    /// What it follows: of a heard message what the agent that it may correct said last, of a confirmation the message
    /// that was asked about.
    pub before: Option<Message>,
    /// The intent that an argument is about; else the last one of the agent.
    pub intent: Option<Message>,
    /// The memories that the argument is about.
    pub memories: Vec<RecordId>,
    /// The memories that are already counted as shown or missed for this intent.
    pub counted: Vec<RecordId>,
    /// The seed of the operation: asking again for the same message writes nothing twice.
    pub seed: Seed,
}

/// What a memory says to a question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Opinion {
    /// What is to be known, one `info` each: facts, what was learned, warnings.
    pub infos: Vec<String>,
    /// Why the initiator is to wait; none where nothing speaks against it.
    pub objection: Option<Objection>,
    /// What an `ack` says, where nothing speaks against the intent.
    pub ack: String,
    /// What a person is asked before something is remembered; empty for nothing.
    pub question: String,
    /// Of an argument: whether the answer meets the objection, or what came of it.
    pub verdict: Option<Verdict>,
    /// The memories that were shown.
    pub surfaced: Vec<RecordId>,
    /// The memories that should have been shown before and were not.
    pub missed: Vec<RecordId>,
    /// The memories that were made of it.
    pub made: Vec<RecordId>,
    /// The memories that gave way.
    pub replaced: Vec<RecordId>,
    /// What was not remembered, and why, as reason codes.
    pub refused: Vec<String>,
    /// The operation; none where nothing was written.
    pub op: Option<OpId>,
}

/// Why an initiator is to wait.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Objection {
    /// The memories that speak against it, the strongest first.
    pub memories: Vec<RecordId>,
    /// The memory and why it fits.
    pub text: String,
}

/// What a memory says to an answer in an argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The answer does not meet the objection, and why.
    Rebut(String),
    /// The objection has been met, or was decided upon.
    Settled(Came),
}

/// What came of an objection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Came {
    /// The memory was followed.
    #[default]
    Followed,
    /// It was not.
    NotFollowed,
    /// It had nothing to do with the matter.
    Irrelevant,
    /// Nobody said.
    Unresolved,
}

/// What happens to an agent of a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Before it joins: a message that stands in the channel, in order. It tells who is there, and where the agent
    /// itself was when it stopped.
    Past {
        /// The position after it.
        position: Position,
        /// The message.
        message: Message,
    },
    /// It joins: all of the channel was given as past, up to this cursor.
    Join {
        /// The end of the channel.
        cursor: Position,
    },
    /// A new process of an agent that has joined before and not left: as `Join`, and nothing is posted.
    Resume {
        /// The end of the channel.
        cursor: Position,
    },
    /// What the agent has loaded, after the action `Load`.
    Loaded {
        /// How many memories.
        memories: u32,
        /// How many were left out.
        omitted: u32,
    },
    /// A message after the cursor, in order, the agent's own ones too.
    Heard {
        /// The position after it.
        position: Position,
        /// The message.
        message: Message,
    },
    /// An active agent is about to do something.
    Announce {
        /// The end of the channel, taken before.
        cursor: Position,
        /// A thread of its own.
        thread: String,
        /// Who is to answer; the memory is always among them.
        to: Vec<String>,
        /// The situation and the intended behaviour.
        text: String,
    },
    /// The initiator answers an objection with facts.
    Argue {
        /// The thread.
        thread: String,
        /// The facts.
        text: String,
    },
    /// The initiator gives in: it will do as the objection says.
    Concede {
        /// The thread.
        thread: String,
        /// What it will do instead.
        text: String,
    },
    /// What the user decided on a thread that was escalated to this agent.
    Decide {
        /// The thread.
        thread: String,
        /// The decision.
        text: String,
    },
    /// The initiator has acted.
    Finish {
        /// The thread.
        thread: String,
        /// What it did.
        text: String,
    },
    /// Anything else that an agent says: `info`, `learned`, or the lead's `shutdown`.
    Say {
        /// What it is, with everything but its sender.
        draft: Draft,
    },
    /// What the memory says to the question that was put last.
    Considered(Opinion),
    /// The host stops.
    Leave,
    /// Time has passed, or the one that was asked for has come.
    Tick,
}

/// What a host is to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Append this, with the time of that moment.
    Post(Draft),
    /// Append this, with the time of that moment, where nothing was posted after this position. Where something was,
    /// give it as heard, and then what was asked once more. A host looks and appends under one lock.
    PostAt {
        /// What is to be posted.
        draft: Draft,
        /// Where the channel must end.
        end: Position,
    },
    /// Load what there is to load, then say so.
    Load,
    /// Ask the memory, and give back what it says. One question is under way at a time.
    Consult(Question),
    /// Count what came of showing these memories, with this seed as the operation's.
    Settle {
        /// The memories.
        memories: Vec<RecordId>,
        /// What came of it; `unresolved` is never settled.
        came: Came,
        /// The seed of the operation.
        seed: Seed,
    },
    /// The intent of this thread may go on.
    Proceed {
        /// The thread.
        thread: String,
        /// The decision that lifted an objection, which is to be done as it says; else empty.
        decision: String,
    },
    /// Answer this intent of another agent, with an `ack` or a `wait`: nothing is not an answer.
    Asked(Message),
    /// It may not; after it began, the atomic step ends first.
    Hold {
        /// The thread.
        thread: String,
        /// Who objects or is silent, and what was said.
        why: String,
    },
    /// Ask the user, and give the answer as a decision.
    AskUser {
        /// The thread.
        thread: String,
        /// Both positions and one question.
        text: String,
    },
    /// What was asked of the agent breaks a rule and was not done.
    Refuse {
        /// Which rule, as a code.
        what: String,
        /// Why, and what to do.
        why: String,
    },
    /// Something that a person should know.
    Warn(String),
    /// Give a `Tick` at this time at the latest.
    WakeAt(Timestamp),
    /// The agent has left: nothing follows.
    Left,
}

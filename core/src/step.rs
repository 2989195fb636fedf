//! The step protocol: what an operation asks of its host, and what the host answers.
//!
//! Decides the shape of the conversation. Never decides what an operation does; see [`crate::op`].

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::change::{ChangeSet, RunMark, Tombstone};
use crate::env::{OpId, RecordId, Revision};
use crate::image::Image;
use crate::record::{Record, hash64};
use crate::vector::Quantized;

/// What an operation needs from its host before it can go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Request {
    /// What has been committed since this revision.
    Load {
        /// The revision already known; 0 for nothing.
        since: Revision,
    },
    /// Sealed records of a [`Snapshot`] as they stand at this revision. A host that seals none is never asked.
    Records {
        /// The revision of the view.
        rev: Revision,
        /// The records.
        ids: Vec<RecordId>,
    },
    /// Commit this, all or nothing, if the space is still at the set's base revision.
    Commit(Commit),
    /// The vectors of these texts, by the host's embedder.
    Embed {
        /// The texts, in the order of the answer.
        texts: Vec<String>,
    },
    /// How well each of these texts fits a query, by the host's reranker. A host without one is never asked.
    Rerank(Reranking),
    /// An answer to each of these prompts by the host's model, where it has one.
    Complete(Prompts),
    /// The log entries of an operation or of some records, oldest first.
    Log(LogQuery),
    /// Append canonical events to the live trace of a session.
    TraceAppend {
        /// The session.
        session_id: String,
        /// One canonical JSON event a line.
        lines: Vec<String>,
    },
    /// The live trace of a session, or of every session that has not been mined.
    TraceLoad {
        /// The session; `None` for all that wait.
        session_id: Option<String>,
    },
    /// Note that live traces have been mined up to a line.
    TraceMined {
        /// Each session with the number of its lines that have been mined.
        sessions: Vec<(String, u64)>,
        /// Sessions whose live trace goes, where all of it has been mined: they were read last before the retention.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ended: Vec<String>,
    },
}

/// What the host answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reply {
    /// To `Load`: the change sets since, or everything anew. To `Records` too, where the space has moved on.
    Loaded(Loaded),
    /// To `Records`: all of them.
    Records(Vec<Record>),
    /// To `Commit`: done, now or before.
    Committed(Revision),
    /// To `Commit`: the space has moved on.
    Conflict,
    /// To `Embed`: one vector a text, of the embedder's dimensions, of any length; zeros for no opinion.
    Embedded(Vec<Vec<f32>>),
    /// To `Rerank`: a score for each text, 0 to 1,000,000.
    Reranked(Vec<i64>),
    /// To `Complete`: an answer to each prompt.
    Completed(Completed),
    /// To `Complete`: this host has no model. The operation goes on with what needs none.
    Unsupported,
    /// To `Log`.
    Logged(Vec<LogEntry>),
    /// To `TraceAppend` and `TraceMined`.
    Done,
    /// To `TraceLoad`: each session with its lines.
    Traces(Vec<(String, Vec<String>)>),
    /// The port failed; the operation ends with this error and has changed nothing. Where the model failed, it goes on
    /// without.
    Failed {
        /// `store`, `embedder`, `reranker` or `model`.
        port: String,
        /// What happened and what to do.
        message: String,
    },
}

/// What a reranker is asked: texts that have passed every filter and the gate, the best first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reranking {
    /// What memory was asked.
    pub query: String,
    /// The texts, in the order of the answer.
    pub texts: Vec<String>,
}

/// A batch of prompts: each is a call of its own, and all of them are one round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompts {
    /// What the model is to do, in the system's place of each call. Never holds a text from a trace.
    pub instructions: String,
    /// The most tokens an answer may have.
    pub max_tokens: u32,
    /// What it is to do it to, in the user's place; one call each. Texts from traces are fenced and escaped.
    pub prompts: Vec<String>,
}

impl Prompts {
    /// Under what a host keeps the answer of this model to one of the prompts: hashes of all that it depends on.
    pub fn key(&self, model: &str, prompt: &str) -> String {
        let tokens = self.max_tokens.to_string();
        let half = |half: &str| hash64(&[half, model, &self.instructions, &tokens, prompt]);
        alloc::format!("{:016x}{:016x}", half("1"), half("2"))
    }
}

/// What a model answered to a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Completed {
    /// The model, by the name that is recorded with what it wrote.
    pub model: String,
    /// One a prompt, in their order.
    pub answers: Vec<Completion>,
}

/// What came of one call of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Completion {
    /// Its answer, as it is.
    Text(String),
    /// The call failed, and why. The others of its batch stand.
    Failed(String),
}

/// The answer to `Load`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loaded {
    /// Every change set after the revision asked for, in order, each one revision further.
    Changes {
        /// The change sets, oldest first.
        list: Vec<ChangeSet>,
        /// The revision after the last.
        rev: Revision,
    },
    /// The revision asked for is older than the horizon, or 0: start anew.
    Reset(Snapshot),
}

/// A space as it stands at one revision.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// The revision.
    pub rev: Revision,
    /// The current version of each record.
    pub records: Vec<Record>,
    /// Where a store in the same process has one: the indexes of the space at an earlier revision, with which this
    /// begins. `records`, `vectors` and `runs` are then what has changed since. The records that only the image knows
    /// are asked for when they are looked at.
    #[serde(skip)]
    pub image: Option<Image>,
    /// Records of the image that have ended since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<RecordId>,
    /// The vectors of the records' texts.
    pub vectors: Vec<StoredVector>,
    /// How much of each session has been read.
    pub runs: Vec<RunMark>,
    /// What hard forgets have left.
    pub tombstones: Vec<Tombstone>,
}

impl Snapshot {
    /// Puts the image under what has changed since: `records` as they are now, and all others that were changed as
    /// `gone`. `None` where the two do not make the `all` records of the space: the image is not of this log.
    pub fn on(mut self, image: Image, all: u64) -> Option<Self> {
        let is_known = |id: &RecordId| image.has(*id);
        self.gone.retain(is_known);
        let changed = self.records.iter().filter(|record| is_known(&record.id)).count() + self.gone.len();
        let known = image.len().checked_sub(changed)?;
        if (known + self.records.len()) as u64 != all {
            return None;
        }
        self.image = Some(image);
        Some(self)
    }
}

/// A vector in a store, keyed by record and embedder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredVector {
    /// The record.
    pub record: RecordId,
    /// The embedder's id.
    pub embedder: String,
    /// The vector.
    pub vector: Quantized,
}

/// A change set with the rows that follow from it, so that a store needs no rules of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// For the log.
    pub set: ChangeSet,
    /// The new current version of every record it touches; `None` for one that ends.
    pub rows: Vec<Row>,
}

/// The current version of a record after a commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The record.
    pub id: RecordId,
    /// Its new version, or `None` where it ends.
    pub record: Option<Record>,
}

/// Which log entries are asked for: those of the operation, and those that touch any of the records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LogQuery {
    /// Entries of this operation, or undoing it.
    pub op: Option<OpId>,
    /// Entries with a change to one of these records.
    pub records: Vec<RecordId>,
    /// The newest `last` entries of the whole log, whatever they touch.
    pub last: u32,
}

/// One entry of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The revision it led to.
    pub rev: Revision,
    /// What was committed.
    pub set: ChangeSet,
}

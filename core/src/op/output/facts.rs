//! What the verbs about facts answer.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::super::input::Tally;
use super::{Outcome, Worded};
use crate::env::{OpId, RecordId};

/// The answer to `extract`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extracted {
    /// Messages given.
    pub messages: u32,
    /// Sentences in them.
    pub sentences: u32,
    /// Sentences that nobody looked at for more than an explicit form; none where a model has read them.
    pub unread: u32,
    /// How many claims came to which outcome.
    pub outcomes: Tally,
    /// The claims that were found, in order.
    pub told: Vec<Told>,
    /// What came of asking a model; none where none was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Worded>,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

/// The answer to `import_facts`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gathered {
    /// The form of the files.
    pub format: String,
    /// How many claims came to which outcome.
    pub outcomes: Tally,
    /// What was passed over, by reason code.
    pub skipped: Tally,
    /// The claims, in order, without those that changed nothing.
    pub told: Vec<Told>,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

/// A claim that was found, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The number of its message, or of the claim in an import, from 0.
    pub message: u32,
    /// The claim in words.
    pub text: String,
    /// What came of it.
    pub outcome: Outcome,
    /// Why, as a reason code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The fact, where there is one.
    pub id: Option<RecordId>,
}

/// The answer to `audit`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Audited {
    /// Records looked at.
    pub checked: u32,
    /// What is wrong.
    pub flaws: Vec<Flaw>,
    /// How many of these were mended.
    pub fixed: u32,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

/// Something wrong with stored facts, or with the indexes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaw {
    /// `duplicate`, `scope_leak`, `stale`, `contradiction`, `inference`, `secret` or `index`.
    pub class: String,
    /// The records concerned.
    pub records: Vec<RecordId>,
    /// What is wrong, in a sentence.
    pub detail: String,
    /// What mends it.
    pub remedy: String,
    /// Whether that loses nothing, so that `fix` does it.
    pub safe: bool,
    /// Whether it was done.
    pub fixed: bool,
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// What came of it.
    pub outcome: Outcome,
    /// Why, as a reason code, where it was refused, waits, or was set aside.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The fact, where there is one; of a retraction the last one that ended.
    pub id: Option<RecordId>,
    /// The facts that it took the place of, or that ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<RecordId>,
    /// The facts that it contradicts and that stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<RecordId>,
    /// Facts about the same that hold beside it, the first eight: one of them may be what was meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<RecordId>,
    /// The fact as an agent will read it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub read_back: String,
    /// What is doubtful in how it reads: `over_generalised`, `undated`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

/// The answer to `forget_source`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Forgotten {
    /// Records that nobody else says: they are taken back.
    pub forgotten: Vec<RecordId>,
    /// Records that others say too: they stay.
    pub weakened: Vec<RecordId>,
    /// Records that one of the forgotten had taken the place of: they hold again.
    pub revived: Vec<RecordId>,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

//! What each verb answers, with its JSON form.

mod facts;

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::input::Tally;
use crate::env::{OpId, RecordId, Revision, Timestamp};
use crate::react::Opinion;
use crate::record::Record;
use crate::step::StoredVector;

pub use facts::{Audited, Extracted, Flaw, Forgotten, Gathered, Remembered, Told};

/// What an operation answers. On the wire: `{"verb": "recall", …}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Output {
    /// To `observe`.
    Observed {
        /// How many events were appended.
        events: u32,
    },
    /// To `learn`.
    Learned(Learned),
    /// To `teach`, `forget`, `restore`, `pin`, `unpin`, `settle`, `mute`, `unmute`, `resolve`.
    Written(Written),
    /// To `remember`.
    Remembered(Remembered),
    /// To `extract`.
    Extracted(Extracted),
    /// To `import_facts`.
    Gathered(Gathered),
    /// To `export_facts`.
    FactsWritten {
        /// The file.
        text: String,
        /// How many facts are in it.
        total: u32,
    },
    /// To `audit`.
    Audited(Audited),
    /// To `recall`.
    Recalled(Recalled),
    /// To `get`.
    Got {
        /// The record.
        record: Record,
    },
    /// To `list` and `facts`.
    Listed {
        /// The records of this page.
        records: Vec<Record>,
        /// How many there are in all.
        total: u32,
    },
    /// To `forget_source`.
    Forgotten(Forgotten),
    /// To `undo`.
    Undone(Undone),
    /// To `history`.
    History {
        /// The entries, oldest first.
        entries: Vec<HistoryEntry>,
    },
    /// To `explain`.
    Explained(Explained),
    /// To `maintain`.
    Maintained(Maintained),
    /// To `export_records`.
    Exported {
        /// The records.
        records: Vec<Record>,
        /// Their vectors.
        vectors: Vec<StoredVector>,
    },
    /// To `import_records`.
    Imported {
        /// New records.
        inserted: u32,
        /// Records that were there and learned something.
        merged: u32,
        /// Records that were there as they are.
        unchanged: u32,
        /// Records that were not taken, by reason.
        refused: Tally,
        /// The operation; none where nothing changed.
        op: Option<OpId>,
    },
    /// To `stats`.
    Stats(Figures),
    /// To `guard`.
    Guarded(Guarded),
    /// To `react`.
    Reacted(Opinion),
    /// To `review`.
    Reviewed {
        /// What waits, most urgent first.
        items: Vec<Waiting>,
        /// How many wait in all.
        total: u32,
    },
    /// To `report`.
    Reported(Effect),
}

/// The answer to `guard`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Guarded {
    /// What the host should do.
    pub verdict: Advice,
    /// What to say, in one line; empty when silent.
    pub text: String,
    /// The same as a fenced block for a prompt.
    pub block: String,
    /// The lessons that speak.
    pub items: Vec<Item>,
    /// The lessons that fit the call and stay silent, each with its reason code.
    pub silent: Vec<Silent>,
    /// A canonical `retrieval` event for the host to observe; empty when there is nothing to note.
    pub event: String,
    /// The arguments to make the call with, as JSON text; empty unless the verdict is to rewrite.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub args: String,
}

/// What a host should do about a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Advice {
    /// Nothing: make the call.
    #[default]
    Silent,
    /// Show the text and make the call.
    Advise,
    /// Show the text and wait for a person; a host that cannot wait makes the call.
    Hold,
    /// Show the text and make the call with `args` in place of its arguments. Only where the host has asked for it.
    Rewrite,
}

/// A lesson that stays silent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silent {
    /// The record.
    pub id: RecordId,
    /// `muted`, `unproven`, `base_rate`, `outcomes_turned`, `quiet`, `shown`, `limit`, `just_passed`, `elsewhere`,
    /// `followed` or `withheld`.
    pub reason: String,
}

/// A record that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// The record with its evidence.
    pub record: Record,
    /// Why, as a reason code: its status reason, or `outcomes_turned`, `revalidate`, `no_longer_fails`, `unseen`.
    pub cause: String,
    /// The same in a sentence.
    pub detail: String,
}

/// What was learned, shown and changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Effect {
    /// Since when.
    pub since: Timestamp,
    /// Until when.
    pub until: Timestamp,
    /// Sessions read.
    pub sessions: u32,
    /// Lessons made.
    pub learned: Vec<RecordId>,
    /// Lessons taken back, archived or erased.
    pub left: u32,
    /// Lessons that were shown, with what came of it, most shown first.
    pub shown: Vec<ShownRecord>,
    /// Repeats after a lesson was shown.
    pub with: Rate,
    /// Repeats after it was withheld; without a holdback there are none to compare with.
    pub without: Rate,
    /// How much less often a failure came back where its lesson was shown, with a 95 % interval, in millionths; none
    /// without a holdback.
    pub effect: Option<Interval>,
    /// How many records wait for review.
    pub waiting: u32,
    /// Times a record should have been shown and was not.
    pub missed: u32,
}

/// A record and what came of showing it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShownRecord {
    /// The record.
    pub id: RecordId,
    /// What it says; empty where it is gone.
    pub text: String,
    /// Times it was shown.
    pub surfaced: u32,
    /// Times its failure came back.
    pub recurred: u32,
    /// Times its call passed.
    pub avoided: u32,
    /// Times it was followed.
    pub followed: u32,
    /// Times it was not.
    pub not_followed: u32,
    /// Times it had nothing to do with the matter.
    pub irrelevant: u32,
}

/// How often a failure came back, of the times it could have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rate {
    /// Times it came back.
    pub recurred: u32,
    /// Times it could have: it came back or its call passed.
    pub of: u32,
}

/// A value and where it lies with 95 % certainty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Interval {
    /// The lower end.
    pub low: i64,
    /// The value.
    pub value: i64,
    /// The upper end.
    pub high: i64,
}

/// The report of one `learn`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Learned {
    /// The format read.
    pub format: String,
    /// Sessions read.
    pub sessions: u32,
    /// Sessions that were known to this point already.
    pub known: u32,
    /// Events read.
    pub events: u32,
    /// Signals found.
    pub signals: u32,
    /// Drafts of lessons made from them.
    pub drafted: u32,
    /// New lessons.
    pub inserted: u32,
    /// Lessons that were there and gained evidence.
    pub merged: u32,
    /// Lessons that became strategic.
    pub promoted: u32,
    /// Lessons touched that wait for review.
    pub quarantined: u32,
    /// What taught nothing, by reason code.
    pub skipped: Tally,
    /// Lines that could not be read, by reason code.
    pub bad_lines: Tally,
    /// The first of those lines, with their numbers.
    pub bad: Vec<String>,
    /// The lessons touched.
    pub records: Vec<RecordId>,
    /// Notices for the caller, each a sentence.
    pub notices: Vec<String>,
    /// What came of asking a model; none where none was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Worded>,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

/// What came of asking a model for words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Worded {
    /// The model, as the host names it; empty where no call got through.
    pub model: String,
    /// Prompts asked.
    pub asked: u32,
    /// Answers that are used.
    pub worded: u32,
    /// Answers that are not, by reason code; the fixed wordings serve there.
    pub unused: Tally,
}

/// The answer of a verb that writes one record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// What came of it.
    pub outcome: Outcome,
    /// Why, as a reason code, where it was refused or quarantined.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The record, where there is one.
    pub id: Option<RecordId>,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

/// What came of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// A new record.
    Created,
    /// The record was there and has been confirmed.
    Refreshed,
    /// The record was changed.
    Changed,
    /// It was so already.
    Unchanged,
    /// It took the place of what was held.
    Superseded,
    /// It holds beside others about the same: another value, scope or time.
    Coexists,
    /// What was held has ended.
    Retracted,
    /// It contradicts a record that holds, which stays; the new one waits for review.
    Conflicted,
    /// It waits for review.
    Quarantined,
    /// It was not stored.
    Refused,
    /// The record is gone for good.
    Erased,
}

/// The answer to `recall`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recalled {
    /// The moment: `start`, `before_tool`, `after_failure` or `before_done`.
    pub moment: String,
    /// What came back, in order.
    pub items: Vec<Item>,
    /// What the budget cut, and the best 32 of what `top_k` cut, in order.
    pub omitted: Vec<RecordId>,
    /// Facts that contradict what the caller sees now: they are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overruled: Vec<RecordId>,
    /// The fenced block for the prompt; empty when nothing came back.
    pub block: String,
    /// Its tokens.
    pub tokens: u32,
    /// The tokenizer they were counted with.
    pub tokenizer: String,
    /// A canonical `retrieval` event for the host to observe.
    pub event: String,
    /// Notices for the caller, each a sentence.
    pub notices: Vec<String>,
}

/// One record that came back, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// The record.
    pub id: RecordId,
    /// What it says.
    pub text: String,
    /// Its kind.
    pub kind: String,
    /// Its tier.
    pub tier: String,
    /// Days since it was last confirmed.
    pub age_days: u32,
    /// How sure it is, in millionths.
    pub confidence: u32,
    /// Why it came back.
    pub why: Why,
    /// The newest events that show it: session and event id. Of a fact, where its sources stand.
    pub evidence: Vec<String>,
    /// Whether it must be checked again.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub due: bool,
    /// The records that contradict it and wait for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<RecordId>,
    /// What has taken its place since the time that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<RecordId>,
    /// Since when a fact holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
}

/// Why a record came back: the score of each signal, in millionths, and its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Why {
    /// Which place it holds.
    pub slot: Slot,
    /// The fused relevance that the gate looks at.
    pub relevance: i64,
    /// The lexical part.
    pub lexical: i64,
    /// The cosine.
    pub cosine: i64,
    /// How the error's signature fits: 1,000,000 is exact.
    pub signature: i64,
    /// How the query's task fits the tasks of the runs where it was learned.
    pub situation: i64,
    /// Relevance with age and tier: what the order follows, where no reranker is asked.
    pub score: i64,
    /// What the host's reranker says, where it was asked: what the order follows then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reranked: Option<i64>,
}

/// Which place a record holds in a recall.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// Pinned or core.
    Core,
    /// Guaranteed by its tool.
    Tool,
    /// Ranked by relevance.
    #[default]
    Ranked,
}

/// The answer to `undo`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Undone {
    /// Whether it was taken back.
    pub done: bool,
    /// The operations taken back.
    pub undone: Vec<OpId>,
    /// Later operations that built on it, for which nothing was changed.
    pub entangled: Vec<OpId>,
    /// The records touched.
    pub records: Vec<RecordId>,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

/// One entry of a history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// The revision it led to.
    pub rev: Revision,
    /// The operation.
    pub op: OpId,
    /// The verb.
    pub verb: String,
    /// When.
    pub at: Timestamp,
    /// Who.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub actor: String,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The operations that it took back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undoes: Vec<OpId>,
    /// What changed, a short line each.
    pub changes: Vec<String>,
}

/// The answer to `explain`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explained {
    /// The record.
    pub id: RecordId,
    /// Whether it comes back for the query.
    pub comes_back: bool,
    /// Its place among what comes back, from 1.
    pub rank: Option<u32>,
    /// Each check it met, in order, and whether it passed.
    pub checks: Vec<Check>,
    /// The scores.
    pub why: Why,
}

/// One check of a recall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// `status`, `scope`, `validity`, `gate`, `top_k`, `budget`.
    pub name: String,
    /// Whether it passed.
    pub passed: bool,
    /// The values compared, in words.
    pub detail: String,
}

/// The answer to `maintain`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Maintained {
    /// Lessons archived to hold the cap, those that a summary stands for included.
    pub archived: u32,
    /// Summaries written of them.
    pub summaries: u32,
    /// Vectors written.
    pub embedded: u32,
    /// Vectors still missing.
    pub missing: u32,
    /// What came of asking a model; none where none was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Worded>,
    /// The operation; none where nothing changed.
    pub op: Option<OpId>,
}

/// Figures of a space.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figures {
    /// The revision.
    pub revision: u64,
    /// Records by kind.
    pub kinds: Tally,
    /// Records by status.
    pub statuses: Tally,
    /// Active lessons by tier.
    pub tiers: Tally,
    /// Active lessons by signal.
    pub subtypes: Tally,
    /// Pinned records.
    pub pinned: u32,
    /// Sessions read.
    pub sessions: u32,
    /// Active records without a vector of the primary embedder.
    pub without_vector: u32,
    /// The primary embedder; empty for none.
    pub embedder: String,
    /// The tokenizer.
    pub tokenizer: String,
    /// Tombstones of hard forgets.
    pub tombstones: u32,
    /// What came of showing the active records.
    pub outcomes: Outcomes,
}

/// What came of showing records, and how many are proven by it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcomes {
    /// Times they were shown.
    pub surfaced: u32,
    /// Times they were followed.
    pub followed: u32,
    /// Times they were not.
    pub not_followed: u32,
    /// Times they had nothing to do with the matter.
    pub irrelevant: u32,
    /// Times they should have been shown and were not.
    pub missed: u32,
    /// Times they were shown and nothing came of it that is known.
    pub unresolved: u32,
    /// How often they were followed of the times that they were or were not, in millionths; none where neither was.
    pub effectiveness: Option<i64>,
    /// Records that were of use and do not fail more often.
    pub proven: u32,
    /// Records that nothing has come of yet.
    pub unproven: u32,
    /// Records whose outcomes speak against them.
    pub failing: u32,
    /// Records that are core by their outcomes.
    pub core: u32,
}

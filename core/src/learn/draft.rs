//! What mining one trace yields: drafts of lessons, before they meet what is already known.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::Seen;
use super::action::Action;
use crate::env::Timestamp;
use crate::record::{Evidence, Mark, Subtype};

/// A lesson as one trace teaches it.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The signal that made it.
    pub subtype: Subtype,
    /// What makes two drafts the same lesson at once: the signature, with tool and shape where it is generic.
    pub key: String,
    /// The error message with instance values turned into classes; what word overlap is measured on.
    pub signature: String,
    /// The tools that may share this lesson: a tool's name, or `shell:<program>` for shells.
    pub tool_group: String,
    /// The shape of the earliest call at which the lesson would have helped.
    pub trigger: String,
    /// The kind of thing that a call of that shape must name for the lesson to be about it, for example `gift card`;
    /// empty where the lesson is about every such call.
    pub about: String,
    /// The advice, in one line, uncut. Without instance values.
    pub text: String,
    /// The remedy in a form that can be applied to a call; `None` where it is prose.
    pub action: Option<Action>,
    /// How strongly the trace supports the remedy in `text`.
    pub strength: Strength,
    /// The task of the run, shortened: the situation in which the lesson was learned.
    pub situation: String,
    /// The tools concerned.
    pub tools: BTreeSet<String>,
    /// What reviewers and ranking must know about it.
    pub marks: BTreeSet<Mark>,
    /// The failing results (or other events) that show it, in the order of the trace.
    pub evidence: Vec<Evidence>,
}

/// How strongly a wording is supported. Of several wordings the strongest is the record's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Strength {
    /// It states what failed inside one edit-test loop, where the code was at work; no remedy.
    Looped,
    /// It states what fails and no remedy.
    Bare,
    /// A remedy seen only in a run that failed; never spoken by itself.
    Weak,
    /// A remedy seen once in a run that did not fail.
    Seen,
    /// The error itself names the remedy, or a known-bad value, a dead end or a discrepancy stands for one.
    Named,
    /// The error named it and the run followed it with success, or two recoveries agree.
    Proven,
    /// A person wrote it.
    Taught,
}

impl Strength {
    /// Whether there is no remedy.
    pub fn is_bare(self) -> bool {
        matches!(self, Self::Bare | Self::Looped)
    }

    /// Whether the remedy was seen only in runs that failed.
    pub fn is_weak(self) -> bool {
        self == Self::Weak
    }
}

/// What mining one trace yields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mined {
    /// Drafts in the order of their first evidence.
    pub drafts: Vec<Draft>,
    /// Failed calls that teach nothing, each with its reason code, for the report.
    pub skipped: Vec<Skipped>,
    /// Events read.
    pub events: u32,
    /// Signals found, drafted or skipped.
    pub signals: u32,
    /// What the run shows beside its lessons.
    pub(crate) seen: Seen,
}

/// A signal that teaches nothing, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The event's place in its session.
    pub position: u32,
    /// When it happened, where known.
    pub ts: Option<Timestamp>,
    /// The reason code: `refused`, `cascade`, `cancelled`, `edit_test_loop`, `probe`, `red_test`, …
    pub reason: &'static str,
}

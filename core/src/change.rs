//! Changes: typed deltas, the change set that carries them, and `apply`, the only code that changes records.
//!
//! Decides what a change does to a record and how it is taken back. Never decides which change to make.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::env::{OpId, RecordId, Revision, Seed, Timestamp};
use crate::error::Error;
use crate::record::{
    Counter, EventKey, Evidence, Mark, Pin, Record, Rewording, Status, Support, TextKey, Tier, Variant,
};
use crate::vector::Quantized;

/// What one operation changes, all or nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeSet {
    /// The revision the decision was made at. A store at another revision answers with a conflict.
    pub base: Revision,
    /// The operation. A store that knows it answers committed again.
    pub op_id: OpId,
    /// The verb, for example `learn`.
    pub verb: String,
    /// When.
    pub at: Timestamp,
    /// Who, as the caller says; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub actor: String,
    /// Why, in the caller's words; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The operation this one takes back, for an undo.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undoes: Vec<OpId>,
    /// From how many root runs on a lesson is strategic, by the policy of this operation.
    pub promote_at: u32,
    /// The deltas, in order.
    pub changes: Vec<Change>,
    /// The sessions read. They stay read when the operation is undone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunMark>,
    /// What a hard forget leaves of erased records. A store wipes every trace of each `record` named here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tombstones: Vec<Tombstone>,
}

/// One delta on one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The record.
    pub record: RecordId,
    /// What happens to it.
    pub delta: Delta,
}

/// A typed delta.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    /// The record begins, as given.
    Create(Box<Record>),
    /// The record ends. Its last version is kept for an undo, except by a hard forget.
    Remove(Option<Box<Record>>),
    /// A member joins a set.
    Add(Member),
    /// A member leaves a set.
    Drop(Member),
    /// A counter moves by `by`.
    Count {
        /// Which.
        counter: Counter,
        /// By how much; may be negative.
        by: i64,
    },
    /// A scalar takes a new value.
    Set {
        /// The value before, which an undo puts back.
        before: Scalar,
        /// The value after, of the same field.
        after: Scalar,
    },
    /// The vector of the record's text by one embedder.
    Vector {
        /// The embedder's id.
        embedder: String,
        /// The vector, quantised.
        vector: Quantized,
    },
}

/// A member of one of a record's sets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Member {
    /// Of `tools`.
    Tool(String),
    /// Of `tags`.
    Tag(String),
    /// Of `situations`.
    Situation(String),
    /// Of `marks`.
    Mark(Mark),
    /// Of `evidence`.
    Evidence(Evidence),
    /// Of `variants`.
    Variant(Variant),
    /// Of `rewordings`.
    Rewording(Rewording),
    /// Of `supersedes`.
    Supersedes(RecordId),
    /// Of `supports`.
    Support(Support),
    /// Of `rivals`.
    Rival(RecordId),
}

/// A scalar field with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scalar {
    /// `status` with its reason code.
    Status(Status, String),
    /// `tier_set`.
    Tier(Option<Tier>),
    /// `pin`.
    Pin(Pin),
    /// `text`, of a record without variants.
    Text(String),
    /// `confidence`, in millionths.
    Confidence(u32),
    /// `last_confirmed_at`, of a record without evidence.
    LastConfirmedAt(Timestamp),
    /// `valid_to`.
    ValidTo(Option<Timestamp>),
    /// `revalidate_after`.
    RevalidateAfter(Option<Timestamp>),
    /// `superseded_by`.
    SupersededBy(Option<RecordId>),
}

/// How much of a session has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunMark {
    /// The session.
    pub session_id: String,
    /// Its root run.
    pub root_run_id: String,
    /// How many of its events have been read.
    pub events: u32,
    /// The key of its first event: a session that begins otherwise is not the one that was read.
    #[serde(default)]
    pub first: EventKey,
    /// The key of the last event read.
    pub last: EventKey,
    /// For a session without a name: the keys of all its events, by which a grown copy is recognised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<EventKey>,
    /// When it was last read.
    #[serde(default)]
    pub at: Timestamp,
    /// How often its calls failed, by their shape and by their group of tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeCount>,
}

/// How often calls of one shape, or of one group of tools, were made and failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShapeCount {
    /// The shape's or the group's name, hashed.
    pub shape: TextKey,
    /// Calls that are known to have passed or failed.
    pub calls: u32,
    /// Those that failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// What stays of a hard-forgotten record: nothing that tells what it said.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tombstone {
    /// The record that was erased.
    pub record: RecordId,
    /// The salt of the space, chosen by its first hard forget.
    pub salt: Seed,
    /// A hash of scope and key, salted per space: a record of the same key is recognised as a relapse.
    pub key: EventKey,
    /// Hashes of the events that had shown it, salted per space: they never teach it again.
    pub events: BTreeSet<EventKey>,
}

/// Applies one delta to a record, `None` standing for "no such record".
///
/// Total on valid change sets; a delta that does not fit its record is reported as corruption and changes nothing.
pub fn apply(record: &mut Option<Record>, delta: &Delta) -> Result<(), Error> {
    match (record.as_mut(), delta) {
        (None, Delta::Create(new)) => *record = Some((**new).clone()),
        (Some(_), Delta::Remove(_)) => *record = None,
        (Some(record), Delta::Add(member)) => add(record, member),
        (Some(record), Delta::Drop(member)) => remove(record, member),
        (Some(record), Delta::Count { counter, by }) => record.counters.add(*counter, *by),
        (Some(record), Delta::Set { after, .. }) => set(record, after),
        (Some(_), Delta::Vector { .. }) => {}
        (Some(record), Delta::Create(_)) => {
            return Err(Error::corrupt(alloc::format!(
                "record {} is created twice; run `doctor`",
                record.id
            )));
        }
        (None, _) => {
            return Err(Error::corrupt("a change names a record that does not exist; run `doctor`"));
        }
    }
    Ok(())
}

/// What takes `delta` back, or `None` where nothing can: a hard forget, and a vector, which follows its text.
pub fn inverse(delta: &Delta) -> Option<Delta> {
    match delta {
        Delta::Create(record) => Some(Delta::Remove(Some(record.clone()))),
        Delta::Remove(record) => record.clone().map(Delta::Create),
        Delta::Vector { .. } => None,
        Delta::Add(member) => Some(Delta::Drop(member.clone())),
        Delta::Drop(member) => Some(Delta::Add(member.clone())),
        Delta::Count { counter, by } => Some(Delta::Count { counter: *counter, by: by.saturating_neg() }),
        Delta::Set { before, after } => Some(Delta::Set { before: after.clone(), after: before.clone() }),
    }
}

/// Whether a set holds the member already.
pub fn has(record: &Record, member: &Member) -> bool {
    match member {
        Member::Tool(x) => record.tools.contains(x),
        Member::Tag(x) => record.tags.contains(x),
        Member::Situation(x) => record.situations.contains(x),
        Member::Mark(x) => record.marks.contains(x),
        Member::Evidence(x) => record.evidence.contains(x),
        Member::Variant(x) => record.variants.contains(x),
        Member::Rewording(x) => record.rewordings.contains(x),
        Member::Supersedes(x) => record.supersedes.contains(x),
        Member::Support(x) => record.supports.contains(x),
        Member::Rival(x) => record.rivals.contains(x),
    }
}

/// The present value of the field that `like` is a value of.
pub fn scalar(record: &Record, like: &Scalar) -> Scalar {
    match like {
        Scalar::Status(..) => Scalar::Status(record.status, record.status_reason.clone()),
        Scalar::Tier(_) => Scalar::Tier(record.tier_set),
        Scalar::Pin(_) => Scalar::Pin(record.pin),
        Scalar::Text(_) => Scalar::Text(record.text.clone()),
        Scalar::Confidence(_) => Scalar::Confidence(record.confidence),
        Scalar::LastConfirmedAt(_) => Scalar::LastConfirmedAt(record.last_confirmed_at),
        Scalar::ValidTo(_) => Scalar::ValidTo(record.valid_to),
        Scalar::RevalidateAfter(_) => Scalar::RevalidateAfter(record.revalidate_after),
        Scalar::SupersededBy(_) => Scalar::SupersededBy(record.superseded_by),
    }
}

fn add(record: &mut Record, member: &Member) {
    match member.clone() {
        Member::Tool(x) => record.tools.insert(x),
        Member::Tag(x) => record.tags.insert(x),
        Member::Situation(x) => record.situations.insert(x),
        Member::Mark(x) => record.marks.insert(x),
        Member::Evidence(x) => record.evidence.insert(x),
        Member::Variant(x) => record.variants.insert(x),
        Member::Rewording(x) => record.rewordings.insert(x),
        Member::Supersedes(x) => record.supersedes.insert(x),
        Member::Support(x) => record.supports.insert(x),
        Member::Rival(x) => record.rivals.insert(x),
    };
}

fn remove(record: &mut Record, member: &Member) {
    match member {
        Member::Tool(x) => record.tools.remove(x),
        Member::Tag(x) => record.tags.remove(x),
        Member::Situation(x) => record.situations.remove(x),
        Member::Mark(x) => record.marks.remove(x),
        Member::Evidence(x) => record.evidence.remove(x),
        Member::Variant(x) => record.variants.remove(x),
        Member::Rewording(x) => record.rewordings.remove(x),
        Member::Supersedes(x) => record.supersedes.remove(x),
        Member::Support(x) => record.supports.remove(x),
        Member::Rival(x) => record.rivals.remove(x),
    };
}

fn set(record: &mut Record, value: &Scalar) {
    match value.clone() {
        Scalar::Status(status, reason) => (record.status, record.status_reason) = (status, reason),
        Scalar::Tier(x) => record.tier_set = x,
        Scalar::Pin(x) => record.pin = x,
        Scalar::Text(x) => record.text = x,
        Scalar::Confidence(x) => record.confidence = x,
        Scalar::LastConfirmedAt(x) => record.last_confirmed_at = x,
        Scalar::ValidTo(x) => record.valid_to = x,
        Scalar::RevalidateAfter(x) => record.revalidate_after = x,
        Scalar::SupersededBy(x) => record.superseded_by = x,
    }
}

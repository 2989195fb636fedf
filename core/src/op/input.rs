//! What each verb takes: one options struct a verb, with its JSON form.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::limits::{Given, Measured};
use crate::env::{OpId, RecordId, Timestamp};
use crate::error::Error;
use crate::react::{About, Message};
use crate::record::{Kind, Record, Scope, Status, Tier};
use crate::step::StoredVector;
use crate::trace::Format;

macro_rules! options {
    ($($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident : $type:ty,)* })+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
            #[serde(default, deny_unknown_fields)]
            pub struct $name { $($(#[$fdoc])* pub $field: $type,)* }

            impl Given for $name {
                #[allow(unused_variables, reason = "of options without fields there is nothing to measure")]
                fn measure(&self, _: &'static str, so_far: &mut Measured<'_>) -> Result<(), Error> {
                    $(self.$field.measure(stringify!($field), so_far)?;)*
                    Ok(())
                }
            }
        )+
    };
}

mod facts;

pub use facts::{
    Audit, Cardinality, Current, Document, ExportFacts, Extract, FactFormat, Facts, ForgetSource,
    ImportFacts, Remember, Said,
};

/// A verb with its options. On the wire: `{"verb": "recall", "task": …}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Input {
    /// Append events to a session's live trace.
    Observe(Observe),
    /// Mine lessons from traces.
    Learn(Learn),
    /// Write a lesson by hand.
    Teach(Teach),
    /// Write a fact, or take one back.
    Remember(Remember),
    /// What holds, and what held.
    Facts(Facts),
    /// What is wrong with the facts that are stored.
    Audit(Audit),
    /// Find the claims in a conversation, and write them.
    Extract(Extract),
    /// Take in facts of other memories, or edits of an export.
    ImportFacts(ImportFacts),
    /// The facts as Markdown, for people.
    ExportFacts(ExportFacts),
    /// What is known for this moment.
    Recall(Recall),
    /// One record.
    Get(Get),
    /// Records, filtered.
    List(List),
    /// Take a record back, or erase it.
    Forget(Forget),
    /// Take back all that one source has taught.
    ForgetSource(ForgetSource),
    /// Bring an archived or forgotten record back.
    Restore(Get),
    /// Take an operation back.
    Undo(Undo),
    /// What happened to a record, or in the space.
    History(History),
    /// Why a record does or does not come back for a query.
    Explain(Explain),
    /// Hold a record in place.
    Pin(Get),
    /// Let a record go again.
    Unpin(Get),
    /// Evict to the cap, and write missing vectors.
    Maintain(Maintain),
    /// All records, for a file or another host.
    ExportRecords(ExportRecords),
    /// Records of an export.
    ImportRecords(ImportRecords),
    /// Figures of the space.
    Stats(Stats),
    /// Whether something is to be said before a call.
    Guard(Guard),
    /// What the memory says to a message of other agents.
    React(React),
    /// What came of showing a record, as a person or the host says.
    Settle(Settle),
    /// Keep a record from speaking at calls.
    Mute(Get),
    /// Let it speak again.
    Unmute(Get),
    /// What waits for a person.
    Review(Review),
    /// A person's answer to it.
    Resolve(Resolve),
    /// What was learned, shown and changed in the last days.
    Report(Report),
}

options! {
    /// Options of `observe`.
    Observe {
        /// The session.
        session_id: String,
        /// Canonical events, one JSON object a line.
        lines: Vec<String>,
    }

    /// Options of `learn`: one source, or the live traces that wait when there is none.
    Learn {
        /// The trace as its format has it.
        data: Option<String>,
        /// The format; detected where it is not given.
        format: Option<Format>,
        /// Names the run where the format does not: session and root run.
        session_id: Option<String>,
        /// The session whose live trace is mined; every waiting one where it is not given.
        observed: Option<String>,
        /// To whom the lessons apply; the policy's scope where it is not given.
        scope: Option<Scope>,
        /// Lessons of each run apply to the repository that its trace names, which takes the place of a `repo` in the
        /// scope; those of a run that names none keep the scope as it is, with a notice.
        scope_from_trace: bool,
        /// With `scope_from_trace`: the repositories that working directories belong to, where the host knows better
        /// than their paths tell.
        repositories: BTreeMap<String, String>,
        /// Whether the host's model words what begins a lesson. Where the host has none, the fixed wordings serve.
        model: bool,
        /// Who asks.
        actor: String,
    }

    /// Options of `teach`.
    Teach {
        /// The lesson, within the token cap.
        text: String,
        /// The tools concerned.
        tools: BTreeSet<String>,
        /// Words of your own.
        tags: BTreeSet<String>,
        /// The situation in which it helps.
        situation: String,
        /// To whom it applies; the policy's scope where it is not given.
        scope: Option<Scope>,
        /// Who teaches.
        actor: String,
        /// Why.
        reason: String,
    }

    /// Options of `recall`. What is given decides the moment: a claim (before done), an error (after a failure), a
    /// call (before a tool), else a task (start).
    Recall {
        /// What the agent is about to do or was asked to do.
        task: String,
        /// The tool that is about to be called or has failed.
        tool: String,
        /// The arguments of that call, as JSON text.
        args: String,
        /// The error message.
        error: String,
        /// What the agent is about to claim.
        claim: String,
        /// The tools that the agent has.
        tools: BTreeSet<String>,
        /// The session of the run; with a holdback, what one run is shown does not change.
        session_id: String,
        /// Whose memory; the policy's scope where none is given.
        scope: Scope,
        /// The most tokens the block has; the policy's where it is not given.
        budget: Option<u32>,
        /// The most records; the policy's where it is not given.
        top_k: Option<u32>,
        /// What held at this time; now where it is not given.
        as_of: Option<Timestamp>,
        /// As it was believed at that time, and not as it is known today.
        believed: bool,
        /// What the caller sees at this moment: facts that contradict it are left out and named.
        current: Vec<Current>,
    }

    /// Names one record.
    Get {
        /// Its id.
        id: RecordId,
        /// Who asks.
        actor: String,
        /// Why.
        reason: String,
    }

    /// Options of `list`: every filter that is given must hold.
    List {
        /// Kind.
        kind: Option<Kind>,
        /// Statuses; active alone where none is given.
        status: BTreeSet<Status>,
        /// Tier.
        tier: Option<Tier>,
        /// A tool concerned.
        tool: Option<String>,
        /// A tag.
        tag: Option<String>,
        /// Records that apply to this scope; all where it is not given.
        scope: Option<Scope>,
        /// How many to leave out from the start.
        offset: u32,
        /// The most to answer; 0 is all.
        limit: u32,
    }

    /// Options of `forget`.
    Forget {
        /// The record.
        id: RecordId,
        /// Erase it: text, vector, variants, log, caches and traces. It cannot be restored.
        hard: bool,
        /// Who asks.
        actor: String,
        /// Why. Not kept with a hard forget.
        reason: String,
    }

    /// Options of `undo`.
    Undo {
        /// The operation.
        op: OpId,
        /// Also take back the later operations that built on it.
        cascade: bool,
        /// Who asks.
        actor: String,
        /// Why.
        reason: String,
    }

    /// Options of `history`.
    History {
        /// The record; the whole space where it is not given.
        id: Option<RecordId>,
        /// The most entries, newest kept; 0 is 50.
        limit: u32,
    }

    /// Options of `explain`.
    Explain {
        /// The record.
        id: RecordId,
        /// The query.
        query: Recall,
    }

    /// Options of `maintain`.
    Maintain {
        /// Whether the host's model sums up what leaves, where the policy's strategy is to summarize.
        model: bool,
        /// Write at most this many missing vectors; 0 is all.
        vectors: u32,
        /// Who asks.
        actor: String,
    }

    /// Options of `export_records`.
    ExportRecords {
        /// Records that apply to this scope; all where it is not given.
        scope: Option<Scope>,
        /// Leave vectors out.
        without_vectors: bool,
    }

    /// Options of `import_records`.
    ImportRecords {
        /// The records, with their original dates.
        records: Vec<Record>,
        /// Their vectors, where the export has them.
        vectors: Vec<StoredVector>,
        /// Who imports.
        actor: String,
    }

    /// Options of `stats`.
    Stats {}

    /// Options of `guard`: a call that is about to be made.
    Guard {
        /// The session of the run; its live trace tells what has been said and tried.
        session_id: String,
        /// The tool.
        tool: String,
        /// The arguments, as JSON text.
        args: String,
        /// The run's task.
        task: String,
        /// Whose memory; the policy's scope where none is given.
        scope: Scope,
        /// Whether the host makes the call with other arguments, where a remedy changes one of them.
        rewrite: bool,
    }

    /// Options of `react`.
    React {
        /// How the memory is asked.
        about: About,
        /// The message.
        message: Message,
        /// What it follows: what the agent that it may correct said last, or what was asked to be confirmed.
        before: Option<Message>,
        /// The intent that it belongs to.
        intent: Option<Message>,
        /// Of an argument: the memories that it is about.
        memories: Vec<RecordId>,
        /// The memories that are already counted as shown or missed for the intent.
        counted: Vec<RecordId>,
        /// Whose memory, and to whom applies what it learns; the policy's scope where it is not given.
        scope: Option<Scope>,
        /// Whether the host's model judges what fits the situation. Without it words and the embedder do.
        model: bool,
        /// Who asks; the sender of the message where it is not given.
        actor: String,
        /// Why.
        reason: String,
    }

    /// Options of `settle`.
    Settle {
        /// The record that was shown.
        id: RecordId,
        /// What came of it.
        outcome: Settlement,
        /// Who says so.
        actor: String,
        /// Why.
        reason: String,
    }

    /// Options of `review`.
    Review {
        /// Records that apply to this scope; all where it is not given.
        scope: Option<Scope>,
        /// The most to answer; 0 is all.
        limit: u32,
    }

    /// Options of `resolve`.
    Resolve {
        /// The record.
        id: RecordId,
        /// What becomes of it.
        choice: Choice,
        /// The record that takes its place; for `supersede` alone.
        by: Option<RecordId>,
        /// Who decides.
        actor: String,
        /// Why.
        reason: String,
    }

    /// Options of `report`.
    Report {
        /// How many days back; 0 is 7.
        days: u32,
    }
}

/// What came of showing a record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// It was followed.
    #[default]
    Followed,
    /// It was not followed.
    NotFollowed,
    /// It had nothing to do with the matter.
    Irrelevant,
}

/// A person's answer to what waits for review.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// It holds; what it contradicts does not.
    #[default]
    Confirm,
    /// It holds, and a call it speaks at is held until a person has seen it.
    Block,
    /// It does not hold; `restore` can bring it back.
    Archive,
    /// Another record takes its place.
    Supersede,
}

/// The name of a verb's input, for the log.
impl Input {
    /// The verb.
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Observe(_) => "observe",
            Self::Learn(_) => "learn",
            Self::Teach(_) => "teach",
            Self::Remember(_) => "remember",
            Self::Facts(_) => "facts",
            Self::ForgetSource(_) => "forget_source",
            Self::Audit(_) => "audit",
            Self::Extract(_) => "extract",
            Self::ImportFacts(_) => "import_facts",
            Self::ExportFacts(_) => "export_facts",
            Self::Recall(_) => "recall",
            Self::Get(_) => "get",
            Self::List(_) => "list",
            Self::Forget(_) => "forget",
            Self::Restore(_) => "restore",
            Self::Undo(_) => "undo",
            Self::History(_) => "history",
            Self::Explain(_) => "explain",
            Self::Pin(_) => "pin",
            Self::Unpin(_) => "unpin",
            Self::Maintain(_) => "maintain",
            Self::ExportRecords(_) => "export_records",
            Self::ImportRecords(_) => "import_records",
            Self::Stats(_) => "stats",
            Self::Guard(_) => "guard",
            Self::React(_) => "react",
            Self::Settle(_) => "settle",
            Self::Mute(_) => "mute",
            Self::Unmute(_) => "unmute",
            Self::Review(_) => "review",
            Self::Resolve(_) => "resolve",
            Self::Report(_) => "report",
        }
    }

    /// The verb's options, to be measured.
    pub(super) fn options(&self) -> &dyn Given {
        match self {
            Self::Observe(options) => options,
            Self::Learn(options) => options,
            Self::Teach(options) => options,
            Self::Remember(options) => options,
            Self::Facts(options) => options,
            Self::ForgetSource(options) => options,
            Self::Audit(options) => options,
            Self::Extract(options) => options,
            Self::ImportFacts(options) => options,
            Self::ExportFacts(options) => options,
            Self::Recall(options) => options,
            Self::Get(options)
            | Self::Restore(options)
            | Self::Pin(options)
            | Self::Unpin(options)
            | Self::Mute(options)
            | Self::Unmute(options) => options,
            Self::List(options) => options,
            Self::Forget(options) => options,
            Self::Undo(options) => options,
            Self::History(options) => options,
            Self::Explain(options) => options,
            Self::Maintain(options) => options,
            Self::ExportRecords(options) => options,
            Self::ImportRecords(options) => options,
            Self::Stats(options) => options,
            Self::Guard(options) => options,
            Self::React(options) => options,
            Self::Settle(options) => options,
            Self::Review(options) => options,
            Self::Resolve(options) => options,
            Self::Report(options) => options,
        }
    }
}

/// Counts by name, for reports.
pub type Tally = BTreeMap<String, u32>;

//! What the verbs about facts take.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::super::limits::{Given, Measured};
use crate::env::Timestamp;
use crate::error::Error;
use crate::record::{Scope, SourceClass, Subtype};

options! {
    /// Options of `remember`: a claim in parts (`subject`, `predicate`, `object`), as a sentence (`text`), or both.
    Remember {
        /// The fact in words.
        text: String,
        /// What it is about.
        subject: String,
        /// What is said of it.
        predicate: String,
        /// The value. With `retract` it may be left out: then all values end.
        object: String,
        /// Whether the predicate has one value or many; where it is not said, what was said before, else what is known.
        cardinality: Option<Cardinality>,
        /// What type of fact it is: preference, constraint, decision, workflow or external.
        subtype: Option<Subtype>,
        /// To whom it applies; the policy's scope where it is not given.
        scope: Option<Scope>,
        /// What kind of source says it.
        source: Option<SourceClass>,
        /// Where it stands: a file and commit, an address, a session or message.
        reference: String,
        /// The source's own words.
        quote: String,
        /// How sure it is, in millionths; the cap of its source where it is not given.
        confidence: Option<u32>,
        /// Why it is so; a decision needs it.
        rationale: String,
        /// How to check it again.
        freshness: String,
        /// Words of your own.
        tags: BTreeSet<String>,
        /// Since when it holds in the world; the time of the claim where it is not given.
        valid_from: Option<Timestamp>,
        /// Until when it held; with `retract`, when it ended.
        valid_to: Option<Timestamp>,
        /// When it must be checked again.
        revalidate_after: Option<Timestamp>,
        /// When it was said, where that is not now.
        claimed_at: Option<Timestamp>,
        /// It holds no longer.
        retract: bool,
        /// Who says so.
        actor: String,
        /// Why it is written.
        reason: String,
    }

    /// Options of `extract`.
    Extract {
        /// The conversation, in order.
        messages: Vec<Said>,
        /// The session, for the reference of each claim.
        session_id: String,
        /// To whom the claims apply; the policy's scope where it is not given.
        scope: Option<Scope>,
        /// Whether the host's model reads the messages too. Without it only explicit forms are found.
        model: bool,
        /// Who asks.
        actor: String,
        /// Why.
        reason: String,
    }

    /// A message of a conversation.
    Said {
        /// Whose it is: `user` is a person.
        role: String,
        /// What it says.
        text: String,
        /// Its id; its number where it has none.
        id: String,
        /// When it was said; now where it is not given.
        at: Option<Timestamp>,
    }

    /// Options of `import_facts`.
    ImportFacts {
        /// The files, those that belong together in one call.
        documents: Vec<Document>,
        /// Their form; detected where it is not given.
        format: Option<FactFormat>,
        /// The type of facts that the files give none.
        subtype: Option<Subtype>,
        /// To whom the facts apply; the policy's scope where it is not given.
        scope: Option<Scope>,
        /// What kind of source they are; where it is not given, `repo` for notes and instructions, else `model`.
        source: Option<SourceClass>,
        /// Who imports.
        actor: String,
        /// Why.
        reason: String,
    }

    /// A file.
    Document {
        /// Its name, with its folder where that tells something.
        name: String,
        /// What is in it.
        text: String,
    }

    /// Options of `export_facts`.
    ExportFacts {
        /// Facts that apply to this scope; all where it is not given.
        scope: Option<Scope>,
    }

    /// Options of `audit`.
    Audit {
        /// Records that apply to this scope; all where it is not given.
        scope: Option<Scope>,
        /// Carry out the remedies that are safe.
        fix: bool,
        /// Who asks.
        actor: String,
        /// Why.
        reason: String,
    }

    /// Options of `facts`: every filter that is given must hold.
    Facts {
        /// What they are about.
        subject: String,
        /// What they say of it.
        predicate: String,
        /// The value.
        object: String,
        /// Predicates to follow, one after the other: from the values found to what is said of them.
        follow: Vec<String>,
        /// The type.
        subtype: Option<Subtype>,
        /// The class of their best source.
        source: Option<SourceClass>,
        /// A source that says them: a reference or an author.
        said_by: String,
        /// Facts that apply to this scope, a narrower one in place of a broader one; all where it is not given.
        scope: Option<Scope>,
        /// What held at this time; now where it is not given.
        as_of: Option<Timestamp>,
        /// As it was believed at that time, and not as it is known today.
        believed: bool,
        /// Those alone that must be checked again.
        due: bool,
        /// The whole history: what was replaced, ended, waits.
        all: bool,
        /// How many to leave out from the start.
        offset: u32,
        /// The most to answer; 0 is all.
        limit: u32,
    }

    /// What the caller sees at this moment: it wins over what is remembered.
    Current {
        /// What it is about.
        subject: String,
        /// What is said of it.
        predicate: String,
        /// The value.
        object: String,
        /// The same in words, where it has no parts.
        text: String,
    }

    /// Options of `forget_source`.
    ForgetSource {
        /// The source: a reference or an author of facts, a session or root run of lessons.
        source: String,
        /// Who asks.
        actor: String,
        /// Why.
        reason: String,
    }
}

/// A form of facts in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FactFormat {
    /// The MCP reference memory server's `memory.jsonl`.
    McpMemory,
    /// What mem0's `get_all` answers.
    Mem0,
    /// Items of a `LangGraph` store, as a JSON list.
    LanggraphStore,
    /// Markdown with front matter, one fact a file, and `MEMORY.md` as their index.
    Notes,
    /// `CLAUDE.md`, `AGENTS.md` and the like: each line is a candidate for a person.
    Instructions,
    /// What `export_facts` wrote, with a person's edits.
    Markdown,
}

impl FactFormat {
    /// Every form.
    pub const ALL: [Self; 6] =
        [Self::McpMemory, Self::Mem0, Self::LanggraphStore, Self::Notes, Self::Instructions, Self::Markdown];

    /// Its name on the wire and in the command.
    pub const fn name(self) -> &'static str {
        match self {
            Self::McpMemory => "mcp_memory",
            Self::Mem0 => "mem0",
            Self::LanggraphStore => "langgraph_store",
            Self::Notes => "notes",
            Self::Instructions => "instructions",
            Self::Markdown => "markdown",
        }
    }
}

/// How many values of a predicate hold at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cardinality {
    /// One: another value contradicts it.
    #[default]
    One,
    /// Many, beside each other.
    Many,
}

//! Facts of other memories, and facts for people: files in, files out.
//!
//! Decides what in a file is a claim, with the dates that the file has. Never decides whether a claim is kept. A file's
//! word for who says so is not taken: the caller names the source.

mod documents;
mod markdown;
mod stores;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::env::{RecordId, Timestamp};
use crate::error::Error;
use crate::op::{Document, FactFormat};
use crate::record::{Scope, Subtype};

pub(crate) use markdown::{Edit, edits, written};

/// A claim of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) text: String,
    pub(crate) subject: String,
    pub(crate) predicate: String,
    pub(crate) object: String,
    /// Whether the predicate has many values.
    pub(crate) many: bool,
    pub(crate) subtype: Option<Subtype>,
    /// What the file says that the caller's scope does not.
    pub(crate) scope: Scope,
    pub(crate) rationale: String,
    /// Where in the file it stands.
    pub(crate) place: String,
    pub(crate) tags: Vec<String>,
    pub(crate) said_at: Option<Timestamp>,
    pub(crate) valid_to: Option<Timestamp>,
    /// Whether it waits for a person whatever its source.
    pub(crate) is_candidate: bool,
}

/// All claims of some files, and what was passed over, by reason code.
#[derive(Debug, Default)]
pub(crate) struct Harvest {
    pub(crate) taken: Vec<Taken>,
    pub(crate) skipped: BTreeMap<String, u32>,
}

impl Harvest {
    fn skip(&mut self, reason: &str) {
        *self.skipped.entry(reason.into()).or_default() += 1;
    }
}

/// Reads files of a format; where it is not named, by what they look like.
pub(crate) fn harvest(
    documents: &[Document],
    format: Option<FactFormat>,
) -> Result<(FactFormat, Harvest), Error> {
    let format = format.or_else(|| detect(documents)).ok_or_else(|| {
        let message =
            "these files are in no known form of facts; name it, or import an export of hardwon as records";
        Error::invalid("format", message)
    })?;
    let mut harvest = Harvest::default();
    match format {
        FactFormat::McpMemory => stores::mcp_memory(documents, &mut harvest),
        FactFormat::Mem0 => stores::mem0(documents, &mut harvest),
        FactFormat::LanggraphStore => stores::langgraph(documents, &mut harvest),
        FactFormat::Notes => documents::notes(documents, &mut harvest),
        FactFormat::Instructions => documents::instructions(documents, &mut harvest),
        FactFormat::Markdown => {}
    }
    Ok((format, harvest))
}

fn detect(documents: &[Document]) -> Option<FactFormat> {
    let first = documents.first()?;
    let (text, name) = (first.text.trim_start(), first.name.rsplit(['/', '\\']).next().unwrap_or_default());
    let is_index = documents.iter().any(|one| one.name.ends_with("MEMORY.md"));
    if text.contains(markdown::MARK) {
        return Some(FactFormat::Markdown);
    }
    if matches!(name, "CLAUDE.md" | "AGENTS.md" | "GEMINI.md" | "CLAUDE.local.md") {
        return Some(FactFormat::Instructions);
    }
    if is_index || text.starts_with("---") {
        return Some(FactFormat::Notes);
    }
    stores::detect(text)
}

/// What a person's edit does, for the verb that carries it out.
pub(crate) type Edits = Vec<(Option<RecordId>, Edit)>;

//! Files that people and agents write: one fact a file with front matter and an index, and instructions to agents.
//!
//! Decides which lines are claims. Lines of an instruction file are candidates: a person says which are facts. What
//! hardwon itself has put into a file is never read back.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Harvest, Taken};
use crate::env::Timestamp;
use crate::op::Document;
use crate::record::Subtype;

const INDEX: &str = "MEMORY.md";
/// A note that the index lacks.
const NOT_IN_INDEX: &str = "not_in_index";
/// A note that the index names and that is not there.
const MISSING_FILE: &str = "missing_file";
const BEGIN: &str = "<!-- hardwon:begin";
const END: &str = "<!-- hardwon:end";
/// The longest line that is one instruction, in bytes.
const LONGEST: usize = 400;

/// Facts with front matter, one a file, listed in `MEMORY.md`.
pub(super) fn notes(documents: &[Document], harvest: &mut Harvest) {
    let index = documents.iter().find(|one| one.name.ends_with(INDEX));
    for document in documents.iter().filter(|one| !one.name.ends_with(INDEX)) {
        let name = file_name(&document.name);
        if index.is_some_and(|index| !index.text.contains(name)) {
            harvest.skip(NOT_IN_INDEX);
        }
        match note(document) {
            Some(taken) => harvest.taken.push(taken),
            None => harvest.skip("wrong_shape"),
        }
    }
    let is_there = |link: &str| documents.iter().any(|one| file_name(&one.name) == file_name(link));
    let missing = index.map_or(0, |index| links(&index.text).filter(|link| !is_there(link)).count());
    (0..missing).for_each(|_| harvest.skip(MISSING_FILE));
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The files that an index links to.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|tail| tail.split(')').next()).filter(|link| {
        file_name(link).rsplit_once('.').is_some_and(|(_, end)| end == "md") && !link.contains("://")
    })
}

fn note(document: &Document) -> Option<Taken> {
    let rest = document.text.trim_start().strip_prefix("---")?;
    let (head, body) = rest.split_once("\n---")?;
    let field = |name: &str| {
        let line = head.lines().map(str::trim).find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(line.trim().trim_matches(['"', '\'']).to_owned()).filter(|value| !value.is_empty())
    };
    let body: Vec<&str> =
        body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let text = field("description").or_else(|| body.first().map(ToString::to_string))?;
    let time = |name: &str| field(name).and_then(|value| Timestamp::parse(&value));
    Some(Taken {
        subtype: field("type").and_then(|name| type_of(&name)),
        rationale: body.iter().filter(|line| **line != text).copied().collect::<Vec<_>>().join(" "),
        place: document.name.clone(),
        said_at: time("updated").or_else(|| time("created")).or_else(|| time("date")),
        text,
        ..Taken::default()
    })
}

/// The type that other files call so.
fn type_of(name: &str) -> Option<Subtype> {
    match name {
        "user" | "preference" => Some(Subtype::Preference),
        "feedback" | "workflow" => Some(Subtype::Workflow),
        "project" | "constraint" => Some(Subtype::Constraint),
        "decision" => Some(Subtype::Decision),
        "reference" | "external" => Some(Subtype::External),
        _ => None,
    }
}

/// The list items and short lines of a file of instructions, each a candidate.
pub(super) fn instructions(documents: &[Document], harvest: &mut Harvest) {
    for document in documents {
        let (mut is_code, mut is_own) = (false, false);
        for (number, line) in (1..).zip(document.text.lines()) {
            let line = line.trim();
            is_own = line.starts_with(BEGIN) || is_own && !line.starts_with(END);
            is_code ^= line.starts_with("```");
            if is_own || is_code || line.starts_with("```") {
                continue;
            }
            let Some(text) = statement(line) else { continue };
            if text.len() > LONGEST {
                harvest.skip("too_long");
                continue;
            }
            harvest.taken.push(Taken {
                text,
                subtype: Some(Subtype::Workflow),
                place: alloc::format!("{}:{number}", document.name),
                is_candidate: true,
                ..Taken::default()
            });
        }
    }
}

/// What a line states: a list item, or a line of prose; headings, tables, links and imports state nothing.
fn statement(line: &str) -> Option<String> {
    let item = line
        .strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))
        .or_else(|| numbered(line))
        .unwrap_or(line);
    let text = item.trim().trim_start_matches("[ ] ").replace("**", "");
    let is_other = text.starts_with(['#', '|', '<', '>', '@', '!', '[']) || text.ends_with(':');
    let words = text.split_whitespace().count();
    let is_unspaced = text.chars().any(crate::text::is_unspaced);
    (!is_other && (words > 2 || is_unspaced)).then_some(text)
}

fn numbered(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < line.len()).then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(name: &str, text: &str) -> Document {
        Document { name: name.into(), text: text.into() }
    }

    #[test]
    fn notes_keep_type_and_date_and_index_parity_is_checked() {
        let files = [
            document("MEMORY.md", "- [Tabs](tabs.md): wants tabs\n- [Gone](gone.md): not there\n"),
            document(
                "tabs.md",
                "---\nname: tabs\ndescription: \"The user wants tabs.\"\nmetadata:\n  type: user\nupdated: 2025-03-04\n---\n\nSaid in review.\n",
            ),
            document("loose.md", "---\nname: loose\n---\nBuild with make.\n"),
            document("plain.md", "no front matter"),
        ];
        let mut harvest = Harvest::default();
        notes(&files, &mut harvest);
        assert_eq!(harvest.taken.len(), 2);
        let one = &harvest.taken[0];
        assert_eq!(
            (one.text.as_str(), one.subtype, one.rationale.as_str()),
            ("The user wants tabs.", Some(Subtype::Preference), "Said in review.")
        );
        assert_eq!(one.said_at, Timestamp::parse("2025-03-04"));
        for (reason, n) in [("missing_file", 1), ("not_in_index", 2), ("wrong_shape", 1)] {
            assert_eq!(harvest.skipped.get(reason), Some(&n), "{reason}");
        }
    }

    #[test]
    fn instructions_are_candidates_and_our_own_block_is_not_read() {
        let text = "# Rules\n\n- Run `make check` before a commit.\n1. Never push to main.\n\n```\nmake all of it\n```\n| a | b |\n\
                    <!-- hardwon:begin, x -->\n- A lesson of ours here.\n<!-- hardwon:end -->\nUse tabs for indentation.\nSee:\n";
        let mut harvest = Harvest::default();
        instructions(&[document("AGENTS.md", text)], &mut harvest);
        let said: Vec<&str> = harvest.taken.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            said,
            ["Run `make check` before a commit.", "Never push to main.", "Use tabs for indentation."]
        );
        assert!(harvest.taken.iter().all(|one| one.is_candidate));
        assert_eq!(harvest.taken[1].place, "AGENTS.md:4");
    }
}

//! Summaries: what lessons that leave together had in common, as one record.
//!
//! Decides which lessons are similar enough and what a summary carries over. A summary is a model's text: it counts as
//! seen once, has no remedy of its own, and never speaks at a call. Its members stay archived, and come back when they
//! recur.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::change::Scalar;
use crate::env::RecordId;
use crate::error::Error;
use crate::op::Editor;
use crate::record::{Kind, Mark, Record, Set, SourceClass, Status, Subtype, Tier, hash64};

/// How many lessons become one.
pub(crate) const GROUP: usize = 5;

/// How many tasks a summary keeps as its situations.
const SITUATIONS: usize = 16;

/// Whether a lesson may leave in a summary: tactical, about a tool, and nothing that a person has said something about.
pub(crate) fn takes(record: &Record) -> bool {
    record.tier == Tier::Tactical
        && !record.tool_group.is_empty()
        && !matches!(record.subtype, Subtype::Taught | Subtype::Summary)
        && ![Mark::Muted, Mark::Blocking, Mark::Bypass].iter().any(|mark| record.marks.contains(mark))
}

/// Whether two lessons may leave in one summary: of one scope, one kind group and one group of tools.
pub(crate) fn similar(a: &Record, b: &Record) -> bool {
    a.scope == b.scope && a.subtype.group() == b.subtype.group() && a.tool_group == b.tool_group
}

/// The lessons of a group.
pub(crate) fn members<'a>(ed: &'a Editor<'_>, group: &[RecordId]) -> Vec<&'a Record> {
    group.iter().filter_map(|&id| ed.get(id)).collect()
}

/// Writes the summary of a group and archives its members.
pub(crate) fn write(ed: &mut Editor<'_>, group: &[RecordId], text: &str, model: &str) -> Result<(), Error> {
    let summary = summary(ed, &members(ed, group), text, model);
    let by = ed.create(summary)?;
    for &id in group {
        ed.set(id, Scalar::Status(Status::Archived, "summarized".into()))?;
        ed.set(id, Scalar::SupersededBy(Some(by)))?;
    }
    Ok(())
}

fn summary(ed: &Editor<'_>, members: &[&Record], text: &str, model: &str) -> Record {
    let now = ed.cx.env.now;
    let mut out = Record::new(ed.fresh_id(), Kind::Lesson, Subtype::Summary, SourceClass::Model, now);
    let ids: Vec<String> = members.iter().map(|one| one.id.to_string()).collect();
    out.key = format!("summary:{:016x}", hash64(&ids.iter().map(String::as_str).collect::<Vec<_>>()));
    out.text = text.to_string();
    out.author = model.to_string();
    if let Some(first) = members.first() {
        out.scope = first.scope.clone();
        out.tool_group.clone_from(&first.tool_group);
        if members.iter().all(|one| one.trigger == first.trigger) {
            out.trigger.clone_from(&first.trigger);
        }
    }
    let limit = ed.cx.policy.limits.members as usize;
    let union = |of: fn(&Record) -> &Set<String>, limit: usize| -> Set<String> {
        let all: Set<String> = members.iter().flat_map(|one| of(one).iter().cloned()).collect();
        all.into_iter().take(limit).collect()
    };
    out.tools = union(|one| &one.tools, limit);
    out.tags = union(|one| &one.tags, limit);
    out.situations = union(|one| &one.situations, SITUATIONS);
    out.supersedes = members.iter().map(|one| one.id).collect();
    out.confidence = members.iter().map(|one| one.trust()).chain([out.confidence]).min().unwrap_or_default();
    out.last_confirmed_at = members.iter().map(|one| one.last_confirmed_at).max().unwrap_or(now);
    out.valid_from = members.iter().filter_map(|one| one.valid_from).max();
    out.valid_to = members.iter().filter_map(|one| one.valid_to).min();
    out.revalidate_after = members.iter().filter_map(|one| one.revalidate_after).min();
    out.marks.insert(Mark::Bare);
    if members.iter().any(|one| one.marks.contains(&Mark::Weak)) {
        out.marks.insert(Mark::Weak);
    }
    if members.iter().all(|one| one.marks.contains(&Mark::Benign)) {
        out.marks.insert(Mark::Benign);
    }
    out
}

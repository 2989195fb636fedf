//! Facts as Markdown that a person can read and edit, and the edits read back.
//!
//! Decides what an edit means: another text, a new line, a line that is gone. A fact that has changed since it was
//! written out is not touched.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::Edits;
use crate::env::RecordId;
use crate::record::{Record, Scope, ScopeKey, Subtype};
use crate::sort;

/// What tells such a file.
pub(super) const MARK: &str = "<!-- hardwon facts";
const HEAD: &str = "# Facts\n\n<!-- hardwon facts: change lines, add or remove some, and import the file again. A new line may \
                    begin with its type in brackets, like [decision]. -->\n";
const LISTED: &str = "<!-- listed:";
const EVERYWHERE: &str = "Everywhere";

/// What a person did to a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Nothing.
    Kept,
    /// It says something else now; the version it was written from.
    Changed(String, u32),
    /// It is gone; the version it was written from.
    Removed(u32),
    /// It is new, for this scope, with its type where it names one.
    Added(String, Scope, Option<Subtype>),
}

/// The facts as a file, by scope.
pub(crate) fn written(records: &[&Record]) -> String {
    let mut sections: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for record in records {
        sections.entry(heading(&record.scope)).or_default().push(record);
    }
    let mut out = String::from(HEAD);
    for (scope, mut facts) in sections {
        let _ = write!(out, "\n## {scope}\n\n");
        sort::sort_by(&mut facts, |a, b| (a.subtype, &a.text, a.id).cmp(&(b.subtype, &b.text, b.id)));
        for record in facts {
            let text = line(&record.text);
            let _ = writeln!(out, "- [{}] {text} <!-- {} v{} -->", record.subtype, record.id, record.version);
        }
    }
    let ids: Vec<String> = records.iter().map(|one| alloc::format!("{} v{}", one.id, one.version)).collect();
    let _ = writeln!(out, "\n{LISTED} {} -->", ids.join(", "));
    out
}

/// One line that no text can leave.
fn line(text: &str) -> String {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    plain.replace("<!--", "<! --").replace("-->", "-- >")
}

fn heading(scope: &Scope) -> String {
    let pairs: Vec<String> =
        scope.iter().map(|(key, value)| alloc::format!("{}={}", key.as_str(), escaped(value))).collect();
    if pairs.is_empty() { EVERYWHERE.into() } else { pairs.join(" ") }
}

/// A value of a scope without blanks, so that a heading can be taken apart again.
fn escaped(value: &str) -> String {
    value.replace('%', "%25").replace(' ', "%20").replace('\n', "%0A").replace('<', "%3C")
}

fn scope_of(heading: &str) -> Option<Scope> {
    if heading == EVERYWHERE {
        return Some(Scope::global());
    }
    heading.split(' ').try_fold(Scope::global(), |scope, pair| {
        let (name, value) = pair.split_once('=')?;
        let key = ScopeKey::ALL.into_iter().find(|key| key.as_str() == name)?;
        let value = value.replace("%3C", "<").replace("%0A", "\n").replace("%20", " ").replace("%25", "%");
        Some(scope.with(key, &value))
    })
}

/// What a person did to a file, against what is stored now. `text_of` answers the text of a fact.
pub(crate) fn edits(text: &str, text_of: impl Fn(RecordId) -> Option<String>) -> Edits {
    let mut out: Edits = Vec::new();
    let mut seen: BTreeSet<RecordId> = BTreeSet::new();
    let mut scope = Some(Scope::global());
    for row in text.lines().map(str::trim) {
        if let Some(name) = row.strip_prefix("## ") {
            scope = scope_of(name.trim());
        }
        let Some(item) = row.strip_prefix("- ") else { continue };
        let (said, id) = item.rsplit_once("<!--").map_or((item, None), |(said, tail)| (said, stamp(tail)));
        let (kind, said) = typed(said.trim());
        match (id, &scope) {
            (Some((id, version)), _) => {
                seen.insert(id);
                let is_same = text_of(id).is_some_and(|text| line(&text) == said);
                let edit = if is_same { Edit::Kept } else { Edit::Changed(said.to_owned(), version) };
                out.push((Some(id), edit));
            }
            (None, Some(scope)) if !said.is_empty() => {
                out.push((None, Edit::Added(said.to_owned(), scope.clone(), kind)));
            }
            _ => {}
        }
    }
    let listed =
        text.lines().filter_map(|row| row.trim().strip_prefix(LISTED)).flat_map(|row| row.split(','));
    let gone = listed.filter_map(stamp).filter(|(id, _)| !seen.contains(id));
    out.extend(gone.map(|(id, version)| (Some(id), Edit::Removed(version))).collect::<Vec<_>>());
    out
}

/// `[type] text`.
fn typed(text: &str) -> (Option<Subtype>, &str) {
    let parts = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let kind = parts.and_then(|(name, rest)| Some((Subtype::from_name(name)?, rest)));
    match kind.filter(|(kind, _)| Subtype::FACTS.contains(kind)) {
        Some((kind, rest)) => (Some(kind), rest.trim()),
        None => (None, text),
    }
}

/// `id vN`.
fn stamp(text: &str) -> Option<(RecordId, u32)> {
    let text = text.trim().trim_end_matches("-->").trim().to_string();
    let (id, version) = text.split_once(" v")?;
    Some((id.trim().parse().ok()?, version.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Timestamp;
    use crate::record::{Kind, SourceClass};

    fn fact(n: u8, text: &str, scope: Scope) -> Record {
        let mut record =
            Record::new(RecordId([n; 16]), Kind::Fact, Subtype::Constraint, SourceClass::User, Timestamp(0));
        record.text = text.into();
        record.scope = scope;
        record.version = 1;
        record
    }

    #[test]
    fn what_is_written_and_not_changed_changes_nothing() {
        let scope = Scope::global().with(ScopeKey::Repo, "a b%c");
        let facts = [fact(1, "One --> <!-- two", Scope::global()), fact(2, "Use tabs", scope.clone())];
        let file = written(&facts.iter().collect::<Vec<_>>());
        let text_of = |id: RecordId| facts.iter().find(|one| one.id == id).map(|one| one.text.clone());
        assert!(edits(&file, text_of).iter().all(|(_, edit)| *edit == Edit::Kept), "{file}");
        let edited =
            file.replace("Use tabs", "Use spaces").replace("- [constraint] One", "- [decision] New\n-- One");
        let found = edits(&edited, text_of);
        assert!(found.contains(&(Some(facts[1].id), Edit::Changed("Use spaces".into(), 1))), "{found:?}");
        assert!(found.contains(&(Some(facts[0].id), Edit::Removed(1))), "{found:?}");
        assert!(
            found.contains(&(None, Edit::Added("New".into(), Scope::global(), Some(Subtype::Decision)))),
            "{found:?}"
        );
        assert_eq!(scope_of(&heading(&scope)), Some(scope));
    }
}

//! The managed block in `AGENTS.md` or `CLAUDE.md`: lessons that every run should know.
//!
//! Decides how the block is told from the rest of the file. Never changes a byte outside of it.

use core::fmt::Write as _;

use hardwon_core::guard::may_speak;
use hardwon_core::policy::Policy;
use hardwon_core::record::{Mark, Record, Scope, Tier};
use hardwon_core::text::escape;
use hardwon_core::view::View;

const BEGIN: &str = "<!-- hardwon:begin, written by `hardwon agents-md`; changes in here are lost -->";
const BEGIN_MARK: &str = "<!-- hardwon:begin";
const END: &str = "<!-- hardwon:end -->";
/// The most lessons: a file that every run reads should stay short.
const MOST: usize = 24;

/// Strategic lessons that apply to a scope and may speak, those that came back most often first.
pub fn lessons<'a>(view: &'a View, policy: &Policy, scope: &Scope) -> Vec<&'a Record> {
    let fits = |record: &&Record| {
        record.tier == Tier::Strategic
            && record.scope.applies_to(scope)
            && !record.marks.contains(&Mark::Bypass)
            && may_speak(view, policy, record)
    };
    let mut all: Vec<&Record> = view.records().filter(fits).collect();
    all.sort_by_key(|record| (core::cmp::Reverse(record.hits()), record.id));
    all.truncate(MOST);
    all
}

/// The text of a file with the block of these lessons in place of the one it has; without a block where there are none.
/// The block is put at the end of a file that has none yet.
pub fn with_block(text: &str, lessons: &[&Record]) -> String {
    let block = block(lessons);
    match place(text) {
        Some((start, end)) => {
            let (before, after) =
                (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
            if block.is_empty() {
                // The empty line that was put before it goes too.
                let before =
                    before.strip_suffix("\n\n").map_or(before.to_owned(), |kept| format!("{kept}\n"));
                return format!("{before}{after}");
            }
            format!("{before}{block}{after}")
        }
        None if block.is_empty() => text.to_owned(),
        None if text.is_empty() => block,
        None => {
            let gap = if text.ends_with("\n\n") {
                ""
            } else if text.ends_with('\n') {
                "\n"
            } else {
                "\n\n"
            };
            format!("{text}{gap}{block}")
        }
    }
}

fn block(lessons: &[&Record]) -> String {
    if lessons.is_empty() {
        return String::new();
    }
    let mut out = format!("{BEGIN}\n## Lessons from earlier runs\n\n");
    out.push_str("Hints, mined from past runs. Where they and the task differ, the task wins.\n\n");
    for record in lessons {
        let text = escape(&record.text).replace("--", "\u{2013}");
        let tools = record
            .tools
            .iter()
            .take(2)
            .map(|tool| format!("`{}`", escape(tool)))
            .collect::<Vec<_>>()
            .join(", ");
        let tools = if tools.is_empty() { tools } else { format!("{tools}, ") };
        let runs = record.hits();
        let _ = writeln!(out, "- {text} ({tools}{runs} run{})", if runs == 1 { "" } else { "s" });
    }
    let _ = writeln!(out, "{END}");
    out
}

/// Where the block is, its last line end included.
fn place(text: &str) -> Option<(usize, usize)> {
    let start = text.find(BEGIN_MARK)?;
    let end = start + text.get(start..)?.find(END)? + END.len();
    let newline = usize::from(text.get(end..)?.starts_with('\n'));
    Some((start, end + newline))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comes_changes_and_goes_and_the_rest_stays() {
        let block = "<!-- hardwon:begin x -->\nold\n<!-- hardwon:end -->\n";
        for (text, rest) in [("# Ours\n", "# Ours\n"), ("# Ours\n\nmore\n", "# Ours\n\nmore\n")] {
            let with = format!("{text}\n{block}");
            assert_eq!(with_block(&with, &[]), rest);
            assert_eq!(with_block(text, &[]), text);
        }
        let around = format!("before\n\n{block}after\n");
        assert_eq!(with_block(&around, &[]), "before\nafter\n");
        assert_eq!(place("<!-- hardwon:begin, never ended"), None);
    }
}

//! Forged frames: what a chat template, a transcript or a tool wraps around words.
//!
//! Decides by marks that only a host writes. Ordinary markup passes.

use super::INJECTION;

/// Marks of chat templates, lower-case.
const MARKS: &[&str] =
    &["[inst]", "[/inst]", "<<sys>>", "<start_of_turn>", "<end_of_turn>", "### system:", "### instruction:"];

/// Names of tags that hosts put around what a model reads, lower-case.
const TAGS: &[&str] = &[
    "system",
    "assistant",
    "user",
    "human",
    "developer",
    "instructions",
    "tool_result",
    "tool_results",
    "tool_use",
    "tool_call",
    "tool_response",
    "tool_output",
    "function_calls",
    "function_results",
    "function_response",
    "thinking",
    "admin",
];

/// Parts of such names.
const TAG_PARTS: &[&str] =
    &["guideline", "memories", "lesson", "retrieved", "system-", "system_", "_prompt", "recall"];

/// Roles of a conversation.
const ROLES: &[&str] = &["system", "assistant", "developer", "human"];

/// Words with which a forged system speaks.
const SPOKEN: &[&str] =
    &["you ", "your ", "must ", "follow", "ignore", "instruction", "guideline", "obey", "rules"];

/// Words in a hidden comment that speak to a model.
const ADDRESSED: &[&str] =
    &["assistant", "system:", "agent", "llm", "model:", " ai ", "ai:", "you must", "ignore ", "reply with"];

/// Longest tag, comment or mark that is read, in bytes.
const REACH: usize = 300;

/// [`INJECTION`] if `folded` forges a frame.
pub(super) fn suspect(folded: &str) -> Option<&'static str> {
    let found = MARKS.iter().any(|mark| folded.contains(mark))
        || has_special_token(folded)
        || has_tag(folded)
        || has_comment(folded)
        || has_role_field(folded)
        || has_turn(folded);
    found.then_some(INJECTION)
}

/// `<|name|>`, but not the end mark of a text, which is only data.
fn has_special_token(text: &str) -> bool {
    after(text, "<|").any(|tail| {
        let name = tail.bytes().take(32).take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        name > 1
            && tail.get(name..).is_some_and(|rest| rest.starts_with("|>"))
            && !tail.starts_with("endoftext")
    })
}

fn has_tag(text: &str) -> bool {
    after(text, "<").any(|tail| {
        let tail = tail.strip_prefix('/').unwrap_or(tail);
        let length = tail
            .bytes()
            .take(48)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
            .count();
        let (name, rest) = tail.split_at_checked(length).unwrap_or_default();
        let closed = rest.starts_with(['>', ' ', '/']);
        closed && (TAGS.contains(&name) || TAG_PARTS.iter().any(|part| name.contains(part)))
    })
}

fn has_comment(text: &str) -> bool {
    after(text, "<!--").any(|tail| {
        let tail = tail.get(..tail.floor_char_boundary(REACH)).unwrap_or(tail);
        let comment = tail.split("-->").next().unwrap_or_default();
        ADDRESSED.iter().any(|word| comment.contains(word))
    })
}

/// `"role": "system"`, quoted in any way.
fn has_role_field(text: &str) -> bool {
    after(text, "role").any(|tail| {
        let value = tail
            .trim_start_matches(['"', '\'', '\\', ' '])
            .strip_prefix(':')
            .map(|v| v.trim_start_matches(['"', '\'', '\\', ' ']));
        value.is_some_and(|v| {
            ["system", "developer"]
                .iter()
                .any(|role| v.strip_prefix(role).is_some_and(|r| r.starts_with(['"', '\'', '\\'])))
        })
    })
}

/// Lines that begin with a role and a colon: two speakers, or a system that speaks to the reader.
fn has_turn(text: &str) -> bool {
    let mut first = None;
    text.lines().filter_map(turn).any(|(role, said)| {
        let orders = matches!(role, "system" | "developer") && SPOKEN.iter().any(|word| said.contains(word));
        orders || *first.get_or_insert(role) != role
    })
}

/// The role that a line names as its speaker, and what is said.
fn turn(line: &str) -> Option<(&'static str, &str)> {
    let marks = ['#', '*', '[', '>', ' ', ']'];
    let (name, said) = line.trim_start_matches(marks).split_once(':')?;
    let role = ROLES.iter().find(|role| name.trim_end_matches(marks) == **role)?;
    Some((role, said))
}

/// What stands behind each `mark`.
fn after<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(mark).filter_map(move |(at, _)| text.get(at + mark.len()..))
}

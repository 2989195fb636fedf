//! Fixed wordings: one line of advice, action first, reason after, slots in place of values.
//!
//! Decides how a lesson reads. Deterministic, short, and without anything that belongs to one run.

mod class;
mod rules;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::signature::Signature;

pub(crate) use class::by_class;

/// About how long a text may be: 30 tokens.
const LENGTH: usize = 125;

/// What went wrong, as the reason after an advice.
pub(crate) fn reason(signature: &Signature) -> String {
    let text = spoken(&signature.said);
    clip(&text, 70)
}

/// `Run git push --set-upstream origin <name> after git push: …`.
pub(crate) fn run_command(command: &str, title: &str, reason: &str) -> String {
    let same = command.starts_with(title);
    let action = if same { format!("Use `{command}`") } else { format!("Run `{command}` before `{title}`") };
    with_reason(&action, reason)
}

/// The error's own sentence.
pub(crate) fn advice(sentence: &str, reason: &str) -> String {
    with_reason(&capital(sentence), reason)
}

/// A file around the code that had to be edited.
pub(crate) fn edit_setup(file: &str, title: &str, reason: &str) -> String {
    with_reason(&format!("Check `{file}` when `{title}` fails"), reason)
}

/// A flag that made it work.
pub(crate) fn pass_flag(flag: &str, title: &str, reason: &str) -> String {
    with_reason(&format!("Pass `{flag}` to `{title}`"), reason)
}

/// A flag that kept it from working.
pub(crate) fn drop_flag(flag: &str, title: &str, reason: &str) -> String {
    with_reason(&format!("Leave `{flag}` out of `{title}`"), reason)
}

/// A program that the shell did not find.
pub(crate) fn install_program(program: &str) -> String {
    format!(
        "Check that `{program}` is installed (`command -v {program}`) before calling it: command not found"
    )
}

/// What needs a network where there is none.
pub(crate) fn no_network(title: &str) -> String {
    format!("Expect no network for `{title}` here: the host could not be resolved")
}

/// The right directory.
pub(crate) fn change_directory(title: &str, reason: &str) -> String {
    with_reason(&format!("Change to the project's directory before `{title}`"), reason)
}

/// An argument that the tool always wants.
pub(crate) fn always_give(key: &str, title: &str) -> String {
    format!("Always give `{key}` to `{title}`: it is required")
}

/// A step that had to come first.
pub(crate) fn step_before(step: &str, title: &str, reason: &str) -> String {
    with_reason(&format!("Run `{step}` before `{title}`"), reason)
}

/// An argument that was missing.
pub(crate) fn give_argument(key: &str, title: &str, reason: &str) -> String {
    with_reason(&format!("Give `{key}` to `{title}`"), reason)
}

/// An argument that was too much.
pub(crate) fn drop_argument(key: &str, title: &str, reason: &str) -> String {
    with_reason(&format!("Leave `{key}` out of `{title}`"), reason)
}

/// An argument that wants another kind of value.
pub(crate) fn change_class(key: &str, from: &str, to: &str, title: &str, reason: &str) -> String {
    let name = |class: &str| match class {
        "abspath" => String::from("an absolute path"),
        "path" => String::from("a relative path"),
        "id" | "object" => format!("an {class}"),
        "bool" => String::from("true or false"),
        "empty" | "null" => String::from("nothing"),
        other => format!("a {other}"),
    };
    with_reason(&format!("Give `{key}` of `{title}` as {}, not {}", name(to), name(from)), reason)
}

/// Where the right value came from.
pub(crate) fn take_from(key: &str, source: &str, title: &str, reason: &str) -> String {
    with_reason(&format!("Take `{key}` for `{title}` from `{source}`"), reason)
}

/// A list that had the right values.
pub(crate) fn take_listed(key: &str, source: &str, nearest: &[String], title: &str) -> String {
    let near = if nearest.is_empty() { String::new() } else { format!(" (nearest: {})", nearest.join(", ")) };
    format!("Take `{key}` for `{title}` from what `{source}` lists{near}; a value it does not list fails")
}

/// Several tries, none of which worked, with what was varied in vain.
pub(crate) fn dead_end(tries: usize, varied: &str, title: &str, reason: &str) -> String {
    let action = if varied.is_empty() {
        format!("Change the approach instead of retrying `{title}`: {tries} variants failed")
    } else {
        format!("Change the approach when `{title}` fails; {tries} variants of {varied} did not help")
    };
    with_reason(&action, reason)
}

/// Another program under which the same words worked.
pub(crate) fn use_program(from: &str, to: &str, reason: &str) -> String {
    with_reason(&format!("Use `{to}` instead of `{from}` here"), reason)
}

/// A thing whose amount an earlier output shows.
pub(crate) fn check_amount(what: &str, source: &str, title: &str) -> String {
    format!("Check in `{source}` that the {what} is enough before `{title}`")
}

/// What runs of one task did or left out that ended well.
pub(crate) fn contrast(step: &str, missing: bool) -> String {
    if missing {
        format!("Also use `{step}` in a task like this: runs that ended well did, runs that failed did not")
    } else {
        format!("Do without `{step}` in a task like this: only runs that failed used it")
    }
}

/// A remedy that waits for review.
pub(crate) fn bypass(what: &str, title: &str, reason: &str) -> String {
    with_reason(&format!("`{title}` went through by `{what}`"), reason)
}

/// What a person asked for instead, without values.
pub(crate) fn corrected(instruction: &str) -> String {
    clip(&capital(&tidy(instruction)), LENGTH)
}

/// One line on a run: how many calls failed and of which kinds, and how it ended.
pub(crate) fn postmortem(calls: usize, failed: usize, kinds: &[String], end: &str) -> String {
    let which = kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ");
    let which = if which.is_empty() { which } else { format!(" ({which})") };
    clip(&format!("{failed} of {calls} calls failed{which}; the run {end}"), LENGTH)
}

/// What fails, with whatever its class alone says about it.
pub(crate) fn bare(signature: &Signature, title: &str) -> String {
    let said = reason(signature);
    if signature.words.is_empty() || signature.line.is_empty() {
        return format!("Check the output of `{title}`: it can fail without saying why");
    }
    if let Some(tag) = said.strip_prefix('[').and_then(|tag| tag.strip_suffix(']')) {
        return format!("Make the {} check pass before `{title}`: it runs there too", tag.to_lowercase());
    }
    format!("`{title}` can fail with: {said}")
}

/// A sentence without its class marks, as a person would say it.
pub(crate) fn tidy(masked: &str) -> String {
    spoken(main_clause(masked))
}

/// A sentence up to where it offers something else or an example.
pub(crate) fn main_clause(masked: &str) -> &str {
    let ends = [", or ", " (e.g", " (for example"];
    let cut = ends.iter().filter_map(|end| masked.find(end)).min();
    &masked[..cut.unwrap_or(masked.len())]
}

/// Whether a masked sentence still reads whole when its classes are spoken: none that is left out was the object of a
/// verb or stood after an article.
pub(crate) fn reads_whole(masked: &str) -> bool {
    let mut before = "";
    for word in masked.split_whitespace() {
        let class = word.trim_matches(|c: char| !matches!(c, '<' | '>') && !c.is_alphanumeric());
        let is_class = class.starts_with('<') && class.ends_with('>');
        let bare = before.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let needs = matches!(bare.as_str(), "a" | "an" | "the" | "this" | "your" | "or" | "and")
            || super::lexicon::has(super::lexicon::IMPERATIVES, &bare);
        // Between the marks of code something is missing when a value is left out.
        let in_code = word.contains(['{', '(', '=']) || before.ends_with([',', '{', '(', '=']);
        if is_class && (needs || in_code) {
            return false;
        }
        before = word;
    }
    true
}

/// Turns classes into words or leaves them out: `flight <id> on <date>` is `flight on that date`.
pub(crate) fn spoken(masked: &str) -> String {
    let masked = without_asides(masked);
    let mut out = String::with_capacity(masked.len());
    let mut rest = masked.as_str();
    while let Some(open) = rest.find('<') {
        let Some(close) = rest[open..].find('>').map(|end| open + end) else { break };
        let class = &rest[open + 1..close];
        out.push_str(&rest[..open]);
        if class.bytes().all(|b| b.is_ascii_lowercase()) {
            out.push_str(word_for(class, &out));
        } else {
            out.push_str(&rest[open..=close]);
        }
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    smooth(&out)
}

/// Drops bracketed asides that are about values: `content (<n> tokens)` is "content".
fn without_asides(masked: &str) -> String {
    let mut out = String::with_capacity(masked.len());
    let mut rest = masked;
    while let Some(open) = rest.find('(') {
        let close = rest[open..]
            .find(')')
            .map(|end| open + end)
            .filter(|&end| end - open <= 40 && rest[open..end].contains('<'));
        let next = close.map_or(open + 1, |end| end + 1);
        out.push_str(
            rest[..if close.is_some() { open } else { next }].trim_end_matches(if close.is_some() {
                ' '
            } else {
                '\0'
            }),
        );
        rest = &rest[next..];
    }
    out.push_str(rest);
    out
}

/// The word for a class at this place; nothing where the word before already names it.
fn word_for(class: &str, before: &str) -> &'static str {
    let previous = before.trim_end().rsplit(' ').next().unwrap_or("");
    if before.ends_with('_') {
        return "";
    }
    let preposition = matches!(
        previous,
        "in" | "on"
            | "at"
            | "to"
            | "from"
            | "of"
            | "with"
            | "for"
            | "into"
            | "by"
            | "is"
            | "was"
            | "than"
            | "between"
            | ""
    );
    match class {
        _ if !preposition => "",
        "path" => "the path",
        "date" => "that date",
        "name" => "it",
        "url" => "the URL",
        "flag" => "the flag",
        "list" | "text" | "value" | "id" | "hash" | "version" | "n" | "email" => match previous {
            "is" | "was" | "than" | "between" => "…",
            _ => "it",
        },
        _ => "",
    }
}

fn smooth(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let word = word.trim_start_matches(['`', '"', '\'']).trim_end_matches(['`', '"', '\'']);
        let word =
            if word.ends_with('_') { word.trim_end_matches('_').replace('_', " ") } else { word.to_string() };
        if word.is_empty() || matches!(word.as_str(), "()" | "[]" | "(" | ")" | "[" | "]" | "-" | "…,") {
            continue;
        }
        if !out.is_empty() && !word.chars().all(|c| matches!(c, ',' | ':' | ';' | '.')) {
            out.push(' ');
        }
        out.push_str(&word);
    }
    let mut trimmed = out.trim_matches([' ', ',', '.', ':', ';', '-', '…']);
    for end in [", please run", ", run", " please run", " (from", " please use"] {
        trimmed = trimmed.strip_suffix(end).unwrap_or(trimmed);
    }
    trimmed
        .replace(" : ", ": ")
        .replace("::", ":")
        .replace("()", "")
        .replace(": :", ":")
        .replace(":.", ".")
        .replace(":,", ",")
        .trim_end()
        .to_string()
}

/// At most `limit` bytes of `text`, cut between characters.
pub(crate) fn clip_str(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// `text` cut at a word, at most about `limit` bytes.
pub(crate) fn clip(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_string();
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind(' ').unwrap_or(end);
    text[..end].trim_end_matches([',', ';', ':', ' ', '(']).to_string()
}

fn with_reason(action: &str, reason: &str) -> String {
    let action = clip(action, LENGTH);
    let room = LENGTH.saturating_sub(action.len() + 2);
    if reason.is_empty() || room < 16 || action.to_lowercase().contains(&reason.to_lowercase()) {
        return action;
    }
    format!("{action}: {}", clip(reason, room))
}

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests;

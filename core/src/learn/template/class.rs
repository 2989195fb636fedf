//! Advice by the class of an error: what its sentence alone says about what to do.
//!
//! Decides by the words of the sentence. An error of no known class gets no advice.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::rules::{MISSING_PARENT, RULES};
use super::{clip, spoken};
use crate::learn::draft::Strength;
use crate::learn::signature::{Signature, is_generic_word};

/// Advice for an error of a known class, and whether the error itself carries it.
pub(crate) fn by_class(signature: &Signature, title: &str) -> Option<(String, Strength)> {
    let text = spoken(&signature.said);
    let lower = text.to_lowercase();
    let line = &signature.line;
    named_thing(&lower, line)
        .or_else(|| parent(&lower, title))
        .or_else(|| table(&lower, title))
        .or_else(|| rule(&lower, line, title))
        .or_else(|| state(&lower, title))
}

/// Whether one of the phrases begins at a word of `text`: "profile not found" is no file.
fn has(text: &str, phrases: &[&str]) -> bool {
    let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    phrases
        .iter()
        .any(|phrase| text.match_indices(phrase).any(|(at, _)| phrase.starts_with(' ') || begins(at)))
}

/// The first row of the table that fits.
fn table(text: &str, title: &str) -> Option<(String, Strength)> {
    let row = RULES.iter().find(|row| has(text, row.says))?;
    Some((row.advice.replace("{}", title), if row.carried { Strength::Named } else { Strength::Bare }))
}

/// A tool that writes and does not make the directory for it.
fn parent(text: &str, title: &str) -> Option<(String, Strength)> {
    let writes =
        title.split(['_', ' ', '-']).any(|word| matches!(word, "write" | "save" | "touch" | "tee" | "Write"));
    let missing =
        has(text, &["no such file", "no such directory", "directory does not exist", "filenotfounderror"]);
    (writes && missing && !title.contains("stdin"))
        .then(|| (MISSING_PARENT.replace("{}", title), Strength::Bare))
}

/// A program or module that is not there, by its own name.
fn named_thing(text: &str, line: &str) -> Option<(String, Strength)> {
    if has(text, &["command not found", "is not recognized as", "executable file not found"]) {
        let program = program_not_found(line);
        let it = program.map_or_else(|| String::from("the program"), |program| format!("`{program}`"));
        return Some((
            format!("Check that {it} is installed (`command -v`) before calling it: command not found"),
            Strength::Bare,
        ));
    }
    if has(
        text,
        &[
            "no module named",
            "cannot find module",
            "cannot find package",
            "could not find module",
            "module not found",
        ],
    ) {
        let module =
            quoted_name(line).map_or_else(|| String::from("the missing module"), |name| format!("`{name}`"));
        return Some((
            format!("Install {module} or use the project's environment before importing it"),
            Strength::Bare,
        ));
    }
    None
}

/// Sentences that state a rule: the error carries its remedy.
fn rule(text: &str, line: &str, title: &str) -> Option<(String, Strength)> {
    let named = |text: String| Some((text, Strength::Named));
    if let Some((what, how)) = split(
        text,
        &[" cannot be used to ", " can't be used to ", " can not be used to ", " may not be used to "],
    ) {
        return named(format!("Do not use {} to {}: `{title}` refuses it", article(what), how));
    }
    if let Some((what, how)) = split(text, &[" does not add up", " do not add up"]) {
        return named(format!("Make the {what} add up{} before `{title}`", total(how)));
    }
    if let Some((what, how)) = split(text, &[" does not match ", " do not match ", " doesn't match "]) {
        return named(format!("Make {what} match {how} before `{title}`"));
    }
    if let Some((what, how)) = split(text, &[" exceeds ", " exceed "]) {
        return named(format!("Keep {what} within {how} in `{title}`"));
    }
    if let Some(allowed) = allowed_values(line).filter(|_| text.contains("one of")) {
        let before = line.split("one of").next().unwrap_or(line);
        let argument = quoted_name(before).map_or_else(String::new, |name| format!(" for `{name}`"));
        return named(format!("Use only {allowed}{argument} in `{title}`: other values are refused"));
    }
    if let Some((what, _)) =
        split(text, &[" is required", " are required", " is missing"]).filter(|_| has(text, &["required"]))
    {
        let bare = |word: &&str| {
            !matches!(*word, "required" | "parameter" | "argument" | "field" | "property" | "option" | "the")
        };
        let what = what.split(' ').filter(bare).collect::<Vec<_>>().join(" ");
        return match quoted_name(line) {
            Some(name) if what.is_empty() || what == name => {
                named(format!("Always give `{name}` to `{title}`: it is required"))
            }
            _ if what.is_empty() || what == "it" => None,
            _ => named(format!("Always give {what} to `{title}`: it is required")),
        };
    }
    let stated = text
        .split(". ")
        .find(|part| has(part, &[" must ", " should be ", " should have ", " has to ", " need to be "]));
    let rules = |part: &str| has(part, &[" must ", " should ", " has to ", " need to "]);
    let stated = stated.map(super::main_clause).map(|stated| {
        stated.split_once(": ").map(|(_, rest)| rest).filter(|rest| rules(rest)).unwrap_or(stated)
    });
    if let Some(stated) = stated.filter(|stated| (12..=90).contains(&stated.len())) {
        // "Its second element" is that of the argument the error quotes.
        return match (stated.strip_prefix("its "), quoted_name(line)) {
            (Some(rest), Some(name)) => named(format!("In `{name}` of `{title}`, the {rest}")),
            (Some(_), None) => None,
            _ => named(format!("In `{title}`, {stated}")),
        };
    }
    if let Some((what, _)) =
        split(text, &[" is not allowed", " not allowed", " is not supported", " not supported"])
    {
        return named(format!("Do without {what} in `{title}`: not supported there"));
    }
    None
}

/// Sentences about the state of the world: worth a look before the call.
fn state(text: &str, title: &str) -> Option<(String, Strength)> {
    let bare = |text: String| Some((text, Strength::Bare));
    if let Some(what) = text.strip_prefix("not enough ") {
        return bare(format!("Check that there is enough {what} before `{title}`"));
    }
    if let Some((what, _)) = split(text, &[" is not enough", " not enough", " is insufficient"]) {
        return bare(format!("Check that the {what} is enough before `{title}`"));
    }
    if let Some((what, how)) = split(text, &[" is not available", " not available"]) {
        return bare(format!("Check that the {what} is available{how} before `{title}`"));
    }
    if let Some((what, _)) =
        split(text, &[" not found", " does not exist", " doesn't exist", " could not be found"])
    {
        return bare(format!("Look up the {what} before `{title}`: it must exist"));
    }
    if let Some((what, _)) = split(text, &[" already exists"]) {
        return bare(format!("Check whether {what} exists before `{title}`: it fails when it does"));
    }
    None
}

/// What stands before and after the first of some phrases, when the part before is short enough to be a subject.
fn split<'a>(text: &'a str, phrases: &[&str]) -> Option<(&'a str, &'a str)> {
    let (at, length) =
        phrases.iter().filter_map(|phrase| text.find(phrase).map(|at| (at, phrase.len()))).min()?;
    let subject = text[..at].rsplit([':', ';']).next().unwrap_or("").rsplit(". ").next().unwrap_or("").trim();
    let subject = subject.strip_prefix("the ").unwrap_or(subject);
    let rest = &text[at + length..];
    (!subject.is_empty() && subject.len() <= 50 && rest.len() <= 80).then_some((subject, rest))
}

/// The first quoted identifier of a line.
fn quoted_name(line: &str) -> Option<&str> {
    line.split(['`', '\'', '"']).skip(1).step_by(2).find(|name| {
        (2..=40).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '@')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@'))
    })
}

/// The values that an error lists in brackets, when they are a few plain words.
fn allowed_values(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("one of")?;
    let inner = rest.split_once(['[', '{', '('])?.1;
    let inner = &inner[..inner.find([']', '}', ')'])?];
    let values: Vec<&str> = inner.split(',').map(|value| value.trim_matches([' ', '\'', '"', '`'])).collect();
    let plain = |value: &&str| {
        (1..=24).contains(&value.len())
            && value.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'))
    };
    let (last, others) = values.split_last()?;
    let few = (1..=6).contains(&others.len()) && values.iter().all(plain);
    few.then(|| format!("{} or {last}", others.join(", ")))
}

/// The program in `jq: command not found` or `command not found: jq`.
fn program_not_found(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let at = lower.find("command not found")?;
    let before = line[..at].trim_end_matches([':', ' ']).rsplit([' ', ':']).next().unwrap_or("");
    let after =
        line[at + "command not found".len()..].trim_start_matches([':', ' ']).split(' ').next().unwrap_or("");
    [before, after].into_iter().find(|name| {
        !is_generic_word(&name.to_ascii_lowercase())
            && (2..=30).contains(&name.len())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+'))
    })
}

/// `certificate` is "a certificate"; plurals and names stay.
fn article(what: &str) -> String {
    let single = !what.contains(' ') && !what.ends_with('s') && what.chars().all(char::is_alphabetic);
    match what.chars().next() {
        Some('a' | 'e' | 'i' | 'o') if single => format!("an {what}"),
        Some(_) if single => format!("a {what}"),
        _ => String::from(what),
    }
}

/// In ", total price is 1203, but paid 833" the price is what must be reached.
fn total(rest: &str) -> String {
    let target = rest.trim_start_matches([',', ' ', ':', '(']);
    match target.split_once(" is ").or_else(|| target.split_once(" is,")) {
        Some((what, _)) if !what.is_empty() && what.len() <= 30 => format!(" to the {}", clip(what, 30)),
        _ => String::new(),
    }
}

//! Value provenance: where the right value of an argument came from, and values that nothing ever showed.
//!
//! Decides only when the error says that something does not exist. Where results were cut, "not seen" proves nothing
//! and nothing is claimed.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::{Failures, LOOKED_AT, Remedy, gated};
use crate::learn::about::about;
use crate::learn::action::{self, Action, Slot};
use crate::learn::draft::Strength;
use crate::learn::lexicon;
use crate::learn::run::{First, Run, leaves};
use crate::learn::shape::name_words;
use crate::learn::template::{self, clip_str};
use crate::record::Subtype;
use crate::sort;

/// How many calls after a failure may use the right value.
const WINDOW: usize = 12;

/// "Take it from there": for an argument whose value did not exist, or whose amount was too small.
pub(super) fn remedy(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    let text = failures.signature.text.to_ascii_lowercase();
    let calls = || failures.calls.iter().take(LOOKED_AT);
    if denies_existence(&text) {
        return calls().find_map(|&call| for_call(run, call, failures));
    }
    let what = too_small(&failures.signature.said.to_lowercase())?;
    calls().find_map(|&call| amount(run, call, &what))
}

fn for_call(run: &Run<'_>, call: usize, failures: &Failures<'_>) -> Option<Remedy> {
    let this = &run.calls[call];
    if this.line().is_some() || this.edited().is_some() {
        return None;
    }
    let complete = !run.calls[..call].iter().any(|earlier| earlier.tool.result.cut);
    let (key, value) = culprit(run, call)?;
    let invented = complete && shown_before(run, value, call) == Some(false);
    let title = this.title();
    let reason = template::reason(failures.signature);
    if let Some((right, used)) = right_value(run, call, key, value)
        && let Some(source) = source(run, right, used, &this.tool.name)
    {
        let text = template::take_from(key, &run.calls[source].title(), &title, &reason);
        let subtype = if invented { Subtype::InventedValue } else { Subtype::Provenance };
        let said = this.tool.result.text.to_lowercase();
        let named =
            key.split('_').filter(|word| word.len() > 2).any(|word| said.contains(&word.to_lowercase()));
        let strength = match (named, invented) {
            (true, _) => Strength::Proven,
            (false, true) => Strength::Named,
            (false, false) => Strength::Seen,
        };
        let action = take(run, key, right, source);
        return Some(Remedy::new(subtype, gated(run, strength), text).with(action));
    }
    if !invented {
        return None;
    }
    let (lists, nearest) = lister(run, call, value)?;
    let text = template::take_listed(key, &run.calls[lists].title(), &nearest, &title);
    let action = Action::SetArgument {
        key: String::from(key),
        value: Slot::Output { tool: run.calls[lists].tool.name.clone(), field: String::new() },
    };
    Some(Remedy::new(Subtype::InventedValue, Strength::Named, text).with(Some(action)))
}

/// What the error says there is not enough of.
fn too_small(said: &str) -> Option<String> {
    let what = said
        .strip_prefix("not enough ")
        .or_else(|| said.split_once(" not enough").map(|(what, _)| what.trim_end_matches(" is")))
        .or_else(|| said.split_once(" insufficient").map(|(what, _)| what.trim_end_matches(" is")))
        .or_else(|| said.strip_prefix("insufficient "))?;
    let what = template::spoken(what.strip_prefix("error: ").unwrap_or(what));
    (3..=40).contains(&what.len()).then_some(what)
}

/// "Look there first": the error is about an amount of something that an earlier output shows by its id.
fn amount(run: &Run<'_>, call: usize, what: &str) -> Option<Remedy> {
    let this = &run.calls[call];
    if this.line().is_some() {
        return None;
    }
    let (named, _) = about(&this.tool.args, what)?;
    let source = source(run, named, call, &this.tool.name)?;
    let text = template::check_amount(what, &run.calls[source].title(), &this.title());
    Some(Remedy::new(Subtype::Provenance, Strength::Named, text))
}

/// How to take a value from the output of a call: by the field it stands under.
fn take(run: &Run<'_>, key: &str, right: &str, source: usize) -> Option<Action> {
    let tool = run.calls[source].tool;
    let field = match serde_json::from_str::<Value>(&tool.result.text) {
        Ok(output) => field_of(&output, right)?,
        Err(_) => String::new(),
    };
    let value = Slot::Output { tool: tool.name.clone(), field };
    Some(Action::SetArgument { key: String::from(key), value })
}

/// The innermost field whose name is no value, under which a value stands as a name or a text.
fn field_of(output: &Value, value: &str) -> Option<String> {
    let mut rest: Vec<(&Value, &str)> = alloc::vec![(output, "")];
    let mut left = 4000_u32;
    while let Some((node, field)) = rest.pop() {
        left = left.checked_sub(1)?;
        match node {
            Value::Object(map) if map.contains_key(value) => return Some(String::from(field)),
            Value::Object(map) => rest.extend(map.iter().rev().map(|(key, node)| (node, key.as_str()))),
            Value::Array(items) => rest.extend(items.iter().rev().map(|item| (item, field))),
            Value::String(text) if text == value => return Some(String::from(field)),
            _ => {}
        }
    }
    None
}

/// A value in a call that worked, though a listing of such values had shown others and nothing ever showed this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invented {
    /// Index of the call.
    pub(crate) call: usize,
    /// The argument.
    pub(crate) key: String,
    /// The advice.
    pub(crate) text: String,
}

/// Invented values that no tool refused.
pub(crate) fn invented(run: &Run<'_>) -> Vec<Invented> {
    // The latest listing of each tool.
    let mut listings: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = Vec::new();
    for (at, call) in run.calls.iter().enumerate() {
        if call.tool.result.cut {
            return out;
        }
        let says = |list: &[&str]| call.words.iter().any(|word| lexicon::has(list, word));
        if !listings.is_empty() && !says(lexicon::MAKERS) && call.worked() {
            out.extend(unlisted(run, at, &listings));
        }
        if says(lexicon::LISTERS) && call.worked() {
            listings.insert(&call.tool.name, at);
        }
    }
    out
}

/// The argument of a call that names a listed kind of thing, with a value that was never shown.
fn unlisted(run: &Run<'_>, at: usize, listings: &BTreeMap<&str, usize>) -> Option<Invented> {
    let call = &run.calls[at];
    let mut references: Vec<(&str, &str)> = Vec::new();
    leaves(&call.tool.args, &mut |key, value| {
        if (3..=60).contains(&value.len())
            && value.contains(['_', '-'])
            && !value.contains([' ', '/', '.', '\n'])
        {
            references.push((key, value));
        }
    });
    let (key, value, listing) = references.into_iter().find_map(|(key, value)| {
        let mut kinds = name_words(key)
            .into_iter()
            .filter(|word| !matches!(word.as_str(), "id" | "ids" | "name" | "key"));
        let kind = kinds.next().filter(|_| kinds.next().is_none())?;
        let lists = |listing: &usize| {
            run.calls[*listing]
                .words
                .iter()
                .any(|word| word.trim_end_matches('s') == kind.trim_end_matches('s'))
        };
        listings.values().copied().filter(lists).max().map(|listing| (key, value, listing))
    })?;
    if shown_before(run, value, at) != Some(false) {
        return None;
    }
    let (_, nearest) = lister(run, listing + 1, value).filter(|(lists, _)| *lists == listing)?;
    let text = template::take_listed(key, &run.calls[listing].title(), &nearest, &call.title());
    Some(Invented { call: at, key: String::from(key), text })
}

/// The argument that the error is about: the one it echoes, else the only one that looks like a reference.
fn culprit<'a>(run: &Run<'a>, call: usize) -> Option<(&'a str, &'a str)> {
    let tool = run.calls[call].tool;
    let mut candidates: Vec<(&str, &str)> = Vec::new();
    leaves(&tool.args, &mut |key, value| {
        let reference = (3..=120).contains(&value.len()) && !value.contains([' ', '\n']);
        if reference && !key.is_empty() {
            candidates.push((key, value));
        }
    });
    let message = tool.result.text.to_lowercase();
    let echoed = candidates.iter().find(|(_, value)| message.contains(&value.to_lowercase()));
    let named = || {
        let words = |key: &str| {
            key.split('_').filter(|word| word.len() > 2).all(|word| message.contains(word))
                && key.contains(|c: char| c.is_alphabetic())
        };
        candidates.iter().find(|(key, _)| words(key)).or_else(|| {
            let mut unseen =
                candidates.iter().filter(|(_, value)| matches!(shown_before(run, value, call), Some(false)));
            let first = unseen.next();
            first.filter(|_| unseen.next().is_none())
        })
    };
    echoed.or_else(named).copied()
}

fn denies_existence(text: &str) -> bool {
    [
        "not found",
        "does not exist",
        "doesn't exist",
        "no such",
        "unknown",
        "invalid",
        "not exist",
        "cannot find",
        "could not find",
        "not a valid",
        "unrecognized",
    ]
    .iter()
    .any(|phrase| text.contains(phrase))
}

/// Whether a value stood in anything the agent could have read before a call. `None`: too much to search.
fn shown_before(run: &Run<'_>, value: &str, call: usize) -> Option<bool> {
    match run.first_seen(value) {
        First::Said => Some(true),
        First::Output(at) => Some(at < call),
        First::Nowhere => Some(false),
        First::Unknown => None,
    }
}

/// The value of an argument that worked later, and the call that used it.
fn right_value<'a>(run: &Run<'a>, call: usize, key: &str, wrong: &str) -> Option<(&'a str, usize)> {
    let failed = &run.calls[call];
    let mut later = run.calls.iter().enumerate().skip(call + 1).take(WINDOW);
    later.find_map(|(at, later)| {
        if !later.worked() || later.tool.name != failed.tool.name {
            return None;
        }
        let mut right = None;
        leaves(&later.tool.args, &mut |other, value| {
            if other == key && value != wrong && value.len() >= 3 {
                right = Some(value);
            }
        });
        right.map(|right| (right, at))
    })
}

/// The earlier call of another tool that is the source of a value: a listing of several of its kind before a mere
/// mention, the newest of its tool, of several tools the first.
fn source(run: &Run<'_>, value: &str, before: usize, tool: &str) -> Option<usize> {
    let shown = run.shown_by(value, before)?;
    let lists_several = |at: usize| {
        let text = clip_str(&run.calls[at].tool.result.text, 64 * 1024);
        let field = serde_json::from_str::<Value>(text).ok().and_then(|output| field_of(&output, value));
        let listed = action::listed(text, &field.unwrap_or_default());
        listed.iter().filter(|word| action::is_alike(word, value)).nth(1).is_some()
    };
    let others = shown.into_iter().filter(|&at| run.calls[at].tool.name != tool);
    others.max_by_key(|&at| (lists_several(at), core::cmp::Reverse(at)))
}

/// The earlier call that listed values of this form, and the listed words nearest to the wrong one.
fn lister(run: &Run<'_>, call: usize, wrong: &str) -> Option<(usize, Vec<String>)> {
    let earlier = run.calls[..call].iter().enumerate().rev().take(40);
    earlier.filter(|(_, earlier)| !earlier.failed()).find_map(|(at, earlier)| {
        let text = &earlier.tool.result.text;
        if text.len() > 256 * 1024 {
            return None;
        }
        let mut alike: Vec<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))
            .filter(|word| is_alike(word, wrong))
            .collect();
        sort::sort(&mut alike);
        alike.dedup();
        (alike.len() >= 3).then(|| (at, nearest(&alike, wrong)))
    })
}

/// Same length class, same kinds of characters, a common part.
fn is_alike(word: &str, wrong: &str) -> bool {
    let kinds = |text: &str| {
        (
            text.contains('_'),
            text.contains('/'),
            text.contains(|c: char| c.is_ascii_digit()),
            text.contains(|c: char| c.is_uppercase()),
        )
    };
    word.len() >= 3
        && word.len() <= wrong.len() * 2
        && word.len() * 2 >= wrong.len()
        && kinds(word) == kinds(wrong)
}

/// Up to three listed values by common start; only words without digits, which belong to no person.
fn nearest(listed: &[&str], wrong: &str) -> Vec<String> {
    let common = |word: &str| word.bytes().zip(wrong.bytes()).take_while(|(a, b)| a == b).count();
    let mut words: Vec<&str> = listed
        .iter()
        .copied()
        .filter(|word| !word.contains(|c: char| c.is_ascii_digit() || c == '/') && common(word) >= 3)
        .collect();
    sort::sort_by_key(&mut words, |word| (core::cmp::Reverse(common(word)), word.len()));
    words.into_iter().take(3).map(String::from).collect()
}

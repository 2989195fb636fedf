//! Value provenance: where the right value of an argument came from, and values that nothing ever showed.
//!
//! Decides only when the error says that something does not exist. Where results were cut, "not seen" proves nothing
//! and nothing is claimed.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Failures, LOOKED_AT, Remedy, gated};
use crate::learn::draft::Strength;
use crate::learn::lexicon;
use crate::learn::run::{First, Run, leaves};
use crate::learn::shape::name_words;
use crate::learn::template;
use crate::record::Subtype;

/// How many calls after a failure may use the right value.
const WINDOW: usize = 12;

/// "Take it from there": for an argument whose value did not exist.
pub(super) fn remedy(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    if !denies_existence(&failures.signature.text) {
        return None;
    }
    failures.calls.iter().take(LOOKED_AT).find_map(|&call| for_call(run, call, failures))
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
    if let Some(source) = source_of_right_value(run, call, key, value) {
        let text = template::take_from(key, &source, &title, &reason);
        let strength = if invented { Strength::Named } else { Strength::Seen };
        return Some(Remedy { subtype: Subtype::InventedValue, strength: gated(run, strength), text });
    }
    if !invented {
        return None;
    }
    let listed = lister(run, call, value);
    let text = match &listed {
        Some((source, nearest)) => template::take_listed(key, source, nearest, &title),
        None => return None,
    };
    Some(Remedy { subtype: Subtype::InventedValue, strength: Strength::Named, text })
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
    let (source, nearest) =
        lister(run, listing + 1, value).filter(|(source, _)| *source == run.calls[listing].title())?;
    let text = template::take_listed(key, &source, &nearest, &call.title());
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
    let text = text.to_ascii_lowercase();
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

/// The tool whose output first showed the value that worked later.
fn source_of_right_value(run: &Run<'_>, call: usize, key: &str, wrong: &str) -> Option<String> {
    let failed = &run.calls[call];
    let right = run
        .calls
        .iter()
        .skip(call + 1)
        .take(WINDOW)
        .filter(|later| later.worked() && later.tool.name == failed.tool.name)
        .find_map(|later| {
            let mut right = None;
            leaves(&later.tool.args, &mut |other, value| {
                if other == key && value != wrong && value.len() >= 3 {
                    right = Some(value);
                }
            });
            right
        })?;
    match run.first_seen(right) {
        First::Output(at) if run.calls[at].tool.name != failed.tool.name => Some(run.calls[at].title()),
        _ => None,
    }
}

/// The earlier call that listed values of this form, and the listed words nearest to the wrong one.
fn lister(run: &Run<'_>, call: usize, wrong: &str) -> Option<(String, Vec<String>)> {
    run.calls[..call].iter().rev().take(40).filter(|earlier| !earlier.failed()).find_map(|earlier| {
        let text = &earlier.tool.result.text;
        if text.len() > 256 * 1024 {
            return None;
        }
        let mut alike: Vec<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))
            .filter(|word| is_alike(word, wrong))
            .collect();
        alike.sort_unstable();
        alike.dedup();
        (alike.len() >= 3).then(|| (earlier.title(), nearest(&alike, wrong)))
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
    words.sort_by_key(|word| (core::cmp::Reverse(common(word)), word.len()));
    words.into_iter().take(3).map(String::from).collect()
}

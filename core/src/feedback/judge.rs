//! Whether an intent does what a memory warns of.
//!
//! Decides by the words that tell the behaviour from the action in its place, by the embedder, and by what is denied;
//! or by a model, whose answer is one of two words. Never decides that a situation fits.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::op::{Context, Stop};
use crate::record::{Feedback, Record};
use crate::step::{Completion, Prompts, Request};
use crate::text::{Agreement, Guard, content_words, escape};
use crate::vector::Quantized;

const ONE: i64 = 1_000_000;
/// The share of its telling words from which on a text does something.
const TELLING: i64 = 500_000;
/// The same, where the meaning is near.
const HINTED: i64 = 250_000;
/// From which cosine on the meaning is near.
const NEAR: i64 = 450_000;
/// From which cosine on it is the same, whatever the words.
const SAME: i64 = 750_000;

/// What judging is asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judge {
    /// Words and the embedder.
    Words,
    /// The host's model, where it answers with one of two words.
    Model,
}

/// How a text stands to a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doing {
    /// It does what was corrected.
    Behavior,
    /// It does what is to be done.
    Action,
    /// Neither can be told.
    Neither,
}

const INSTRUCTIONS: &str = "You compare what an agent intends to do with a behaviour that it was corrected for. \
    Answer BEHAVIOR if the intent does what was corrected, and OTHER if it does not. One word, nothing else.";

/// Which of the memories an intent runs into; `None` stands for a question to the model that has no answer yet.
pub(crate) fn does_it(cx: &Context<'_>, record: &Record, intended: &str, judge: Judge) -> Result<bool, Stop> {
    let Some(said) = &record.feedback else { return Ok(false) };
    if judge == Judge::Model
        && let Some(Completion::Text(answer)) = cx.known.model.get(&prompt(said, intended))
    {
        match answer.trim() {
            "BEHAVIOR" => return Ok(true),
            "OTHER" => return Ok(false),
            // Anything else is no answer.
            _ => {}
        }
    }
    Ok(doing(cx, said, intended)? == Doing::Behavior)
}

/// Asks a model about all of them in one round, unless it was asked or there is none.
pub(crate) fn prompts(cx: &Context<'_>, records: &[&Record], intended: &str) -> Result<(), Stop> {
    if cx.known.model.is_missing {
        return Ok(());
    }
    let all = records.iter().filter_map(|record| record.feedback.as_ref()).map(|said| prompt(said, intended));
    let limit = cx.policy.learn.model_calls as usize;
    let prompts: Vec<String> = all.filter(|one| cx.known.model.get(one).is_none()).take(limit).collect();
    if prompts.is_empty() {
        return Ok(());
    }
    let instructions = INSTRUCTIONS.to_string();
    Err(Stop::Need(Request::Complete(Prompts { instructions, max_tokens: 4, prompts })))
}

fn prompt(said: &Feedback, intended: &str) -> String {
    alloc::format!(
        "<behavior>{}</behavior>\n<instead>{}</instead>\n<intent>{}</intent>",
        escape(&said.behavior),
        escape(&said.action),
        escape(intended)
    )
}

/// How a text stands to a correction, by its words and its meaning.
pub(super) fn doing(cx: &Context<'_>, said: &Feedback, text: &str) -> Result<Doing, Stop> {
    let words = content_words(text);
    let (behavior, action) = (content_words(&said.behavior), content_words(&said.action));
    let wrong = share(&behavior, &action, &words);
    let right = share(&action, &behavior, &words);
    let vectors = cx.vectors(&[text, &said.behavior, &said.action])?;
    let [of, bad, good] = vectors.as_slice() else { return Ok(Doing::Neither) };
    let (bad, good) = (cosine(of.as_ref(), bad.as_ref()), cosine(of.as_ref(), good.as_ref()));
    let guard = Guard::of(text);
    let denies = |other: &str| guard.agrees(&Guard::of(other)) == Agreement::Contradiction;
    let does = |share: i64, near: i64| share >= TELLING || (share >= HINTED && near >= NEAR) || near >= SAME;
    // Of two that both have words in common with it, the one it has more in common with.
    let is_wrong = does(wrong, bad) && wrong + bad.max(0) > right + good.max(0) && !denies(&said.behavior);
    let is_right = does(right, good) && right + good.max(0) > wrong + bad.max(0) && !denies(&said.action);
    Ok(match (is_wrong, is_right) {
        (true, _) => Doing::Behavior,
        (_, true) => Doing::Action,
        _ => Doing::Neither,
    })
}

/// The share of the words that only one of the two has which a text has too; of all its words where it has none alone.
fn share(of: &[String], other: &[String], text: &[String]) -> i64 {
    let alone: Vec<&String> = of.iter().filter(|word| !other.contains(word)).collect();
    let of: Vec<&String> = if alone.is_empty() { of.iter().collect() } else { alone };
    if of.is_empty() {
        return 0;
    }
    let found = of.iter().filter(|word| text.contains(word)).count() as i64;
    found * ONE / of.len() as i64
}

fn cosine(a: Option<&Quantized>, b: Option<&Quantized>) -> i64 {
    match (a, b) {
        (Some(a), Some(b)) => i64::from(a.cosine(b)),
        _ => 0,
    }
}

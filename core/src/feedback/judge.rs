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

/// Words, without their endings, that most that is done has in common.
const SAY_NOTHING: &[&str] = &[
    "use", "us", "run", "do", "get", "put", "try", "need", "want", "will", "now", "then", "first", "instead",
    "directly", "direct", "always", "never", "only", "just", "please", "again", "before", "after", "not",
    "no", "dont",
];
/// What stands before what is left out.
#[rustfmt::skip]
const WITHOUT: &[&str] = &[
    " without ", " instead of ", " rather than ", " ohne ", " statt ", " sans ", " au lieu de ", " sin ",
    " en lugar de ", " en vez de ", "而不",
];
/// What was done before something has left that out; what is to be done before it has not.
const BEFORE: &[&str] = &[" before ", " bevor ", " avant ", " antes de "];

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
    let words = Telling::of(text, &[]).done;
    let (behavior, action) = (Telling::of(&said.behavior, BEFORE), Telling::of(&said.action, &[]));
    let wrong = behavior.share(&action, &words);
    let right = action.share(&behavior, &words);
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

/// The words of one side of a correction.
struct Telling {
    /// What is done.
    done: Vec<String>,
    /// What is left out: "committing without running the tests".
    left_out: Vec<String>,
}

impl Telling {
    fn of(text: &str, also: &[&str]) -> Self {
        let lower = text.to_lowercase();
        let all = WITHOUT.iter().chain(also);
        let at = all.filter_map(|word| lower.find(word).map(|at| (at, word.len()))).min();
        // Where small letters have another length, nothing is parted.
        let parts = at.filter(|_| lower.len() == text.len());
        let parts = parts.and_then(|(at, length)| Some((text.get(..at)?, text.get(at + length..)?)));
        match parts {
            Some((done, left_out)) => Self { done: telling(done), left_out: telling(left_out) },
            None => Self { done: telling(text), left_out: Vec::new() },
        }
    }

    /// The share of the words that only this side has which a text has too; of all its words where it has none alone.
    /// None where the text does what this side leaves out.
    fn share(&self, other: &Self, text: &[String]) -> i64 {
        if found(&self.left_out, text) >= TELLING {
            return 0;
        }
        let alone: Vec<String> =
            self.done.iter().filter(|word| !other.done.contains(word)).cloned().collect();
        found(if alone.is_empty() { &self.done } else { &alone }, text)
    }
}

/// The share of some words that a text has.
fn found(words: &[String], text: &[String]) -> i64 {
    if words.is_empty() {
        return 0;
    }
    let found = words.iter().filter(|word| text.contains(word)).count() as i64;
    found * ONE / words.len() as i64
}

/// The words of a text that tell what is done; all of them where none does.
fn telling(text: &str) -> Vec<String> {
    let all = content_words(text);
    let telling: Vec<String> =
        all.iter().filter(|word| !SAY_NOTHING.contains(&word.as_str())).cloned().collect();
    if telling.is_empty() { all } else { telling }
}

fn cosine(a: Option<&Quantized>, b: Option<&Quantized>) -> i64 {
    match (a, b) {
        (Some(a), Some(b)) => i64::from(a.cosine(b)),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;

    use super::*;
    use crate::env::Env;
    use crate::op::{EmbedderPort, Known, Ports};
    use crate::policy::Policy;
    use crate::vector::HashingEmbedder;
    use crate::view::View;

    #[rustfmt::skip]
    const CASES: &[(&str, &str, &str, Doing)] = &[
        ("Running go test directly", "Use targ test instead", "run go test ./... for the parser", Doing::Behavior),
        ("Running go test directly", "Use targ test instead", "use targ test for the parser", Doing::Action),
        ("Running go test directly", "Use targ test instead", "use targ test instead of go test", Doing::Action),
        ("Running go test directly", "Use targ test instead", "write the minutes", Doing::Neither),
        (
            "Committing without running the tests", "Run the tests before committing", "run the tests and commit",
            Doing::Action,
        ),
        ("Committing before the tests ran", "Run the tests first", "commit it now", Doing::Behavior),
        ("Editing generated files by hand", "Change the template", "edit the generated client file", Doing::Behavior),
        ("Editing generated files by hand", "Change the template", "change the template of the client", Doing::Action),
        ("Pushing to main", "Open a pull request", "push my commits to main", Doing::Behavior),
        ("Pushing to main", "Open a pull request", "push the branch and open a pull request", Doing::Action),
        ("Deleting the volume", "Take a snapshot of it", "delete the volume of staging", Doing::Behavior),
        (
            "Using sleep to wait for the server", "Wait on the health check", "add a sleep before the request",
            Doing::Behavior,
        ),
        ("npm install verwenden", "pnpm verwenden", "npm install ausführen", Doing::Behavior),
        ("用 npm 安装依赖", "用 pnpm 安装依赖", "运行 pnpm 安装依赖", Doing::Action),
    ];

    #[test]
    fn what_is_done_is_told_from_what_is_to_be_done() {
        let (view, policy, known) = (View::new(None), Policy::default(), Known::default());
        let hashing = EmbedderPort::BuiltIn(Arc::new(HashingEmbedder::default()));
        for embedder in [EmbedderPort::None, hashing] {
            let ports = Ports { embedder, ..Ports::default() };
            let cx =
                Context { env: Env::default(), view: &view, policy: &policy, ports: &ports, known: &known };
            let wrong = CASES.iter().filter(|(behavior, action, text, wanted)| {
                let said = Feedback {
                    behavior: (*behavior).into(),
                    action: (*action).into(),
                    ..Feedback::default()
                };
                doing(&cx, &said, text).expect("no host is asked") != *wanted
            });
            let wrong: Vec<&str> = wrong.map(|case| case.2).collect();
            assert_eq!(wrong, Vec::<&str>::new());
        }
    }
}

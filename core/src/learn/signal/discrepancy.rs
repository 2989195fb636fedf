//! Discrepancies and overclaims: success was said, and the checks do not show it.
//!
//! Decides from what ran after the last edit. Fixed wordings, no model; a run marked as successful is never accused.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::learn::noise::{check_key, is_checker};
use crate::learn::run::Run;
use crate::learn::shape::name_words;
use crate::trace::{Body, Outcome, ResultStatus};

/// A claim that the run does not support.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Discrepancy {
    /// What kind it is; part of the key.
    pub(crate) kind: &'static str,
    /// The shape of the call before which the lesson would have helped.
    pub(crate) trigger: String,
    /// The advice.
    pub(crate) text: String,
    /// Index of the event that claims.
    pub(crate) event: usize,
    /// The tool concerned, if the claim was a call.
    pub(crate) tool: Option<String>,
}

/// Everything that was claimed and not shown.
pub(crate) fn discrepancies(run: &Run<'_>) -> Vec<Discrepancy> {
    let mut out = reported(run);
    if run.trace.outcome != Outcome::Success {
        out.extend(closing_calls(run));
        out.extend(last_word(run));
    }
    out
}

/// What the host itself saw.
fn reported(run: &Run<'_>) -> Vec<Discrepancy> {
    let seen = run
        .trace
        .events
        .iter()
        .enumerate()
        .filter(|(_, event)| matches!(event.body, Body::Discrepancy { .. }));
    seen.map(|(event, _)| Discrepancy {
        kind: "write_not_landed",
        trigger: String::from("final"),
        text: String::from("Read a file back after writing it: a claimed write did not land"),
        event,
        tool: None,
    })
    .collect()
}

/// The state of the checks at some point of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Checks {
    /// Nothing to check: no file was changed.
    Idle,
    /// The last check of each kind passed after the last edit.
    Passed,
    /// A check failed and was not run again with success.
    Failed(usize),
    /// Files were changed and nothing checked them since.
    Unchecked,
    /// The last check's exit was hidden and its output said nothing.
    Blind(usize),
}

/// The state of the checks before call number `until`.
fn checks(run: &Run<'_>, until: usize) -> Checks {
    let mut state = Checks::Idle;
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    for (at, call) in run.calls[..until].iter().enumerate() {
        if !call.failed() && call.edited().is_some_and(is_source) {
            state = Checks::Unchecked;
        }
        let checker = call.line().and_then(|line| line.principal()).is_some_and(is_checker);
        let ran =
            call.line().is_some_and(|line| line.principal().is_some_and(|c| runs_something(&c.program)));
        if !(checker || ran) {
            continue;
        }
        let Some(key) = check_key(call) else { continue };
        let silent = call.tool.result.text.trim().is_empty() || call.tool.result.cut;
        match call.tool.result.status {
            ResultStatus::Failed if checker => drop(open.insert(key, at)),
            ResultStatus::Ok if !call.worked() && silent => {
                state = if state == Checks::Passed { state } else { Checks::Blind(at) }
            }
            ResultStatus::Ok => {
                open.remove(&key);
                state = Checks::Passed;
            }
            _ => {}
        }
    }
    open.values().max().map_or(state, |&at| Checks::Failed(at))
}

/// Programs whose run shows the work itself: scripts and built programs.
fn runs_something(program: &str) -> bool {
    matches!(
        program,
        "python"
            | "node"
            | "ruby"
            | "php"
            | "java"
            | "deno"
            | "bun"
            | "perl"
            | "lua"
            | "elixir"
            | "Rscript"
            | "curl"
            | "npm"
            | "cargo"
            | "go"
            | "npx"
            | "dotnet"
    )
}

fn is_source(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    ![".md", ".txt", ".rst", ".jsonl", ".log", ".adoc"].iter().any(|end| name.ends_with(end))
}

/// `close`, `done`, `submit`, `create PR` right after a failed check.
fn closing_calls(run: &Run<'_>) -> Vec<Discrepancy> {
    let mut out: Vec<Discrepancy> = Vec::new();
    for (at, call) in run.calls.iter().enumerate() {
        if call.tool.result.status != ResultStatus::Ok || !closes(call) {
            continue;
        }
        let Checks::Failed(check) = checks(run, at) else { continue };
        let closing = call.title();
        let checked = run.calls[check].title();
        if out.iter().any(|known| known.text.contains(&checked)) {
            continue;
        }
        out.push(Discrepancy {
            kind: "closed_on_failed_check",
            trigger: call.shape().to_string(),
            text: format!(
                "Run `{checked}` until it passes before `{closing}`: it closed work whose last check failed"
            ),
            event: call.at,
            tool: Some(call.tool.name.clone()),
        });
    }
    out
}

fn closes(call: &crate::learn::run::Call<'_>) -> bool {
    let verb = |word: &str| matches!(word, "close" | "done" | "submit" | "finish" | "complete" | "resolve");
    if let Some(command) = call.line().and_then(|line| line.principal()) {
        let sub = command.subcommand.as_deref().unwrap_or("");
        return verb(&command.program) || sub.split(' ').any(verb) || sub == "pr create";
    }
    let words = name_words(&call.tool.name);
    words.len() <= 2 && words.iter().any(|word| verb(word)) && call.edited().is_none()
}

/// The final text against the last checks.
fn last_word(run: &Run<'_>) -> Option<Discrepancy> {
    let (event, text) =
        run.trace.events.iter().enumerate().rev().find_map(|(at, event)| match &event.body {
            Body::Final { text } => Some((at, text)),
            _ => None,
        })?;
    let claim = claim(text)?;
    let before = run.calls.partition_point(|call| call.at < event);
    let (kind, text) = match checks(run, before) {
        Checks::Failed(at) => (
            "claimed_on_failed_check",
            format!(
                "Do not report success while `{}` fails: run it until it passes, or say that it fails",
                run.calls[at].title()
            ),
        ),
        Checks::Unchecked if claim == Claim::Works => (
            "claimed_unchecked",
            String::from(
                "Run what you built or its tests before you say it works: nothing ran after the last change",
            ),
        ),
        Checks::Blind(at) if claim == Claim::Works => (
            "claimed_blind",
            format!(
                "Let `{}` show its result before you say it works: its exit was hidden and it printed nothing",
                run.calls[at].title()
            ),
        ),
        _ => return None,
    };
    Some(Discrepancy { kind, trigger: String::from("final"), text, event, tool: None })
}

/// How strongly a final text claims success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// It was done.
    Done,
    /// It works, passes, can be used.
    Works,
}

fn claim(text: &str) -> Option<Claim> {
    let text = text.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    if says(&[
        "not pass",
        "still fail",
        "tests fail",
        "failing",
        "could not",
        "couldn't",
        "unable to",
        "did not run",
        "not tested",
        "untested",
        "haven't run",
        "not verified",
        "doesn't work",
        "not work",
    ]) {
        return None;
    }
    if says(&[
        "tests pass",
        "test passes",
        "all pass",
        "works now",
        "it works",
        "now works",
        "working",
        "verified",
        "ready to",
        "go play",
        "play it",
        "is fixed",
        "passes",
        "fully functional",
        "you can now",
    ]) {
        return Some(Claim::Works);
    }
    says(&["done", "complete", "success", "finished", "fixed", "implemented", "packed"])
        .then_some(Claim::Done)
}

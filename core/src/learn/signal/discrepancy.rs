//! Discrepancies and overclaims: success was said, and the checks do not show it.
//!
//! Decides from what ran after the last edit. Fixed wordings, no model; a run marked as successful is never accused.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::learn::noise::{check_key, is_checker};
use crate::learn::run::{Call, Run};
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
    if run.trace.outcome == Outcome::Success {
        return out;
    }
    let said = last_word(run);
    let mut watch = Watch::default();
    for (at, call) in run.calls.iter().enumerate() {
        if said.as_ref().is_some_and(|(event, _)| call.at > *event) {
            break;
        }
        if call.tool.result.status == ResultStatus::Ok && closes(call) {
            out.extend(closed_on_failure(run, call, watch.checks(), &out));
        }
        watch.take(at, call);
    }
    out.extend(said.and_then(|(event, claim)| claimed(run, event, claim, watch.checks())));
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

/// Follows the checks through a run, one call at a time.
#[derive(Debug, Default)]
struct Watch {
    /// The state but for failed checks.
    state: Option<Checks>,
    /// Checks that failed and did not pass since.
    open: BTreeMap<String, usize>,
}

impl Watch {
    fn checks(&self) -> Checks {
        let failed = self.open.values().max();
        failed.map_or(self.state.unwrap_or(Checks::Idle), |&at| Checks::Failed(at))
    }

    fn take(&mut self, at: usize, call: &Call<'_>) {
        if !call.failed() && call.edited().is_some_and(is_source) {
            self.state = Some(Checks::Unchecked);
        }
        let Some(command) = call.line().and_then(|line| line.principal()) else { return };
        let checker = is_checker(command);
        if !checker && !runs_something(&command.program) {
            return;
        }
        let Some(key) = check_key(call) else { return };
        let silent = call.tool.result.text.trim().is_empty() || call.tool.result.cut;
        match call.tool.result.status {
            ResultStatus::Failed if checker => drop(self.open.insert(key, at)),
            ResultStatus::Ok if !call.worked() && silent => {
                self.state = self.state.filter(|state| *state == Checks::Passed).or(Some(Checks::Blind(at)));
            }
            ResultStatus::Ok => {
                self.open.remove(&key);
                self.state = Some(Checks::Passed);
            }
            _ => {}
        }
    }
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

/// `close`, `done`, `submit`, `create PR` right after a failed check; once for each check.
fn closed_on_failure(
    run: &Run<'_>,
    call: &Call<'_>,
    checks: Checks,
    known: &[Discrepancy],
) -> Option<Discrepancy> {
    let Checks::Failed(check) = checks else { return None };
    let (closing, checked) = (call.title(), run.calls[check].title());
    let text =
        format!("Run `{checked}` until it passes before `{closing}`: it closed work whose last check failed");
    if known.iter().any(|known| known.text == text) {
        return None;
    }
    let tool = Some(call.tool.name.clone());
    Some(Discrepancy {
        kind: "closed_on_failed_check",
        trigger: call.shape().to_string(),
        text,
        event: call.at,
        tool,
    })
}

fn closes(call: &Call<'_>) -> bool {
    let verb = |word: &str| matches!(word, "close" | "done" | "submit" | "finish" | "complete" | "resolve");
    if let Some(command) = call.line().and_then(|line| line.principal()) {
        let sub = command.subcommand.as_deref().unwrap_or("");
        return verb(&command.program) || sub.split(' ').any(verb) || sub == "pr create";
    }
    call.words.len() <= 2 && call.words.iter().any(|word| verb(word)) && call.edited().is_none()
}

/// The run's last word, if it claims success: its event and the claim.
fn last_word(run: &Run<'_>) -> Option<(usize, Claim)> {
    run.trace.events.iter().enumerate().rev().find_map(|(at, event)| match &event.body {
        Body::Final { text } => Some(claim(text).map(|claim| (at, claim))),
        _ => None,
    })?
}

/// The last word against the last checks.
fn claimed(run: &Run<'_>, event: usize, claim: Claim, checks: Checks) -> Option<Discrepancy> {
    let (kind, text) = match checks {
        Checks::Failed(at) => {
            let check = run.calls[at].title();
            (
                "claimed_on_failed_check",
                format!(
                    "Do not report success while `{check}` fails: run it until it passes, or say that it fails"
                ),
            )
        }
        Checks::Unchecked if claim == Claim::Works => (
            "claimed_unchecked",
            "Run what you built or its tests before you say it works: nothing ran after the last change"
                .to_string(),
        ),
        Checks::Blind(at) if claim == Claim::Works => {
            let check = run.calls[at].title();
            (
                "claimed_blind",
                format!(
                    "Let `{check}` show its result before you say it works: its exit was hidden and it printed nothing"
                ),
            )
        }
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

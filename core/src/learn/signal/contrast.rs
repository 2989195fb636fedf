//! Contrast: runs of one task that ended differently.
//!
//! Decides among the runs of one call which steps all good ones took and no failed one did, or the other way round.
//! It sees no run that an earlier call learned from: of those the records remain, not the steps.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::success::is_inner;
use crate::learn::lexicon;
use crate::learn::run::{Call, Run};
use crate::learn::template;
use crate::learn::words::content_words;
use crate::sort;
use crate::trace::{Body, Outcome, Trace};

/// More differences than these say that the runs have little in common.
const DIFFERENCES: usize = 2;
/// How many words of a task name it.
const WORDS: usize = 12;

/// What a failed run did otherwise than the good runs of its task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contrast {
    /// Index of the failed run among those given.
    pub(crate) run: usize,
    /// Index of the event that gave the task.
    pub(crate) event: usize,
    /// What makes two contrasts the same lesson.
    pub(crate) key: String,
    /// The step.
    pub(crate) step: String,
    /// The tool of the step.
    pub(crate) tool: String,
    /// The advice.
    pub(crate) text: String,
    /// Whether two good runs agree on it.
    pub(crate) agreed: bool,
}

/// The contrasts among some runs; runs without an outcome are in none.
pub(crate) fn contrasts(traces: &[Trace]) -> Vec<Contrast> {
    let mut tasks: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, trace) in traces.iter().enumerate().filter(|(_, trace)| trace.outcome != Outcome::Unknown) {
        if let Some(task) = task(trace) {
            tasks.entry(task).or_default().push(at);
        }
    }
    let differ = |runs: &&Vec<usize>| runs.iter().any(|&at| traces[at].outcome != traces[runs[0]].outcome);
    tasks.iter().filter(|(_, runs)| differ(runs)).flat_map(|(_, runs)| among(traces, runs)).collect()
}

/// What names the task: its number where the session is named by task and trial, else its words.
fn task(trace: &Trace) -> Option<String> {
    let numbered = trace.session_id.split_once("-r").filter(|(task, trial)| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        task.strip_prefix('t').is_some_and(digits) && digits(trial)
    });
    if let Some((task, _)) = numbered {
        return Some(String::from(task));
    }
    let (_, text) = given(trace)?;
    let words = text.split_whitespace().take(200).collect::<Vec<_>>().join(" ").to_lowercase();
    (words.split(' ').count() >= 3).then_some(words)
}

/// The event that gives the task, and its words.
fn given(trace: &Trace) -> Option<(usize, &str)> {
    trace.events.iter().enumerate().find_map(|(at, event)| match &event.body {
        Body::Start { task } if !task.trim().is_empty() => Some((at, task.as_str())),
        Body::User { text } if !text.trim().is_empty() => Some((at, text.as_str())),
        _ => None,
    })
}

/// The kinds of steps of a run that worked, each with its tool.
fn steps(trace: &Trace) -> BTreeMap<String, String> {
    let run = Run::of(trace);
    // Talk to oneself and looks at what is there make no difference by themselves.
    let does = |call: &&Call<'_>| {
        let looks =
            call.line().is_none() && call.words.iter().any(|word| lexicon::has(lexicon::LOOKUPS, word));
        call.worked()
            && !looks
            && !is_inner(&call.words)
            && call
                .line()
                .and_then(|line| line.principal())
                .is_none_or(|c| !c.looks_only() && !c.is_preparation())
    };
    sort::map(run.calls.iter().filter(does).map(|call| (call.title(), call.tool.name.clone())))
}

fn among(traces: &[Trace], runs: &[usize]) -> Vec<Contrast> {
    let all: Vec<(usize, BTreeMap<String, String>)> =
        runs.iter().map(|&at| (at, steps(&traces[at]))).collect();
    let of = |outcome: Outcome| {
        all.iter().filter(move |(at, _)| traces[*at].outcome == outcome).map(|(_, steps)| steps)
    };
    let only_in = |these: Outcome, others: Outcome| -> Vec<(String, String)> {
        let Some(first) = of(these).next() else { return Vec::new() };
        let shared = first.iter().filter(|(step, _)| {
            of(these).all(|steps| steps.contains_key(*step))
                && !of(others).any(|steps| steps.contains_key(*step))
        });
        shared.map(|(step, tool)| (step.clone(), tool.clone())).collect()
    };
    let missing = only_in(Outcome::Success, Outcome::Failed);
    let extra = only_in(Outcome::Failed, Outcome::Success);
    let agreed = of(Outcome::Success).nth(1).is_some();
    let mut out = Vec::new();
    for (found, is_missing) in [(missing, true), (extra, false)] {
        if found.len() > DIFFERENCES {
            continue;
        }
        for (step, tool) in found {
            let failed = runs.iter().filter(|&&at| traces[at].outcome == Outcome::Failed);
            out.extend(
                failed
                    .filter_map(|&run| contrast(traces, run, &step, &tool, is_missing))
                    .map(|one| Contrast { agreed, ..one }),
            );
        }
    }
    one_for_each_event(out)
}

fn contrast(traces: &[Trace], run: usize, step: &str, tool: &str, missing: bool) -> Option<Contrast> {
    let (event, _) = given(&traces[run])?;
    let named = task(&traces[run])?;
    let mut words = content_words(template::clip_str(&named, 400));
    if words.is_empty() {
        words.push(named);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).take(WORDS).collect();
    let sign = if missing { '+' } else { '-' };
    Some(Contrast {
        run,
        event,
        key: format!("contrast:{sign}{step}|{}", words.join(" ")),
        step: String::from(step),
        tool: String::from(tool),
        text: template::contrast(step, missing),
        agreed: false,
    })
}

/// An event shows one lesson: the first contrast of each run, what was missing before what was too much.
fn one_for_each_event(found: Vec<Contrast>) -> Vec<Contrast> {
    let mut seen = BTreeSet::new();
    found.into_iter().filter(|one| seen.insert(one.run)).collect()
}

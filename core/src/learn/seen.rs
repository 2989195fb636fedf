//! What a run shows beside its lessons: how often each shape of call failed, and what came of the lessons it was shown.
//!
//! Counts what stands in the trace. Never guesses why a call passed or whether a lesson was read.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::about::{kinds, narrowed};
use super::mine::key;
use super::noise;
use super::run::{Call, Run};
use crate::change::ShapeCount;
use crate::record::{Counter, Mark, Record, TextKey};
use crate::trace::{BEFORE_TOOL, Body};

/// How often shapes were called and failed, and which lessons were shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Seen {
    /// Of every shape and of every group of tools.
    pub(crate) shapes: Vec<ShapeCount>,
    /// What was shown or withheld, in order.
    pub(crate) shown: Vec<Shown>,
    /// The calls after the first of those, in order; empty where nothing was shown.
    pub(crate) calls: Vec<CallSeen>,
}

/// Lessons that were shown at one moment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shown {
    /// The place of the event in its session.
    pub(crate) position: u32,
    /// Whether it was said before a call, which was made or held back whatever was said.
    pub(crate) is_at_call: bool,
    /// Ids of records that the agent saw.
    pub(crate) items: Vec<String>,
    /// Ids of records that it would have seen, had it not been for the holdback.
    pub(crate) withheld: Vec<String>,
}

/// A call as the counters see it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallSeen {
    pub(crate) position: u32,
    pub(crate) trigger: String,
    /// The kinds of the things it names.
    pub(crate) kinds: BTreeSet<String>,
    pub(crate) ended: Ended,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ended {
    Passed,
    /// With the key of its failure.
    Failed(String),
    /// It was given up, or nothing tells.
    Unknown,
}

/// Looks at a run.
pub(crate) fn seen(run: &Run<'_>) -> Seen {
    let mut out = Seen { shown: shown(run), ..Seen::default() };
    let mut counts: BTreeMap<TextKey, (u32, u32)> = BTreeMap::new();
    for call in 0..run.calls.len() {
        let this = &run.calls[call];
        // A call that was given up teaches nothing, and still is the one at which a lesson may have been said.
        let is_known = this.failed() || this.worked();
        if is_known && noise::reason(run, call).is_some() {
            continue;
        }
        let kinds = if this.line().is_some() { BTreeSet::new() } else { kinds(&this.tool.args) };
        if is_known {
            for name in names(this, &kinds) {
                let (calls, failed) = counts.entry(name).or_default();
                *calls += 1;
                *failed += u32::from(this.failed());
            }
        }
        if out.shown.first().is_some_and(|first| first.position < this.event.position) {
            let (trigger, ended) = (this.shape().to_string(), ended(run, call));
            out.calls.push(CallSeen { position: this.event.position, trigger, kinds, ended });
        }
    }
    let count = |(shape, (calls, failed))| ShapeCount { shape, calls, failed };
    out.shapes = counts.into_iter().map(count).collect();
    out
}

fn ended(run: &Run<'_>, call: usize) -> Ended {
    let this = &run.calls[call];
    match (this.failed(), this.worked()) {
        (true, _) => Ended::Failed(key(&run.signature(call), this)),
        (_, true) => Ended::Passed,
        _ => Ended::Unknown,
    }
}

/// What a call is counted under: its shape, that shape with each kind of thing it names, and its group of tools.
fn names(call: &Call<'_>, kinds: &BTreeSet<String>) -> BTreeSet<TextKey> {
    let shape = call.shape().to_string();
    let narrowed = kinds.iter().map(|kind| TextKey::of(&narrowed(&shape, kind)));
    narrowed.chain([TextKey::of(&shape), TextKey::of(&call.shape().group)]).collect()
}

fn shown(run: &Run<'_>) -> Vec<Shown> {
    let shown = run.trace.events.iter().filter_map(|event| match &event.body {
        Body::Retrieval { moment, items, withheld } => Some(Shown {
            position: event.position,
            is_at_call: moment == BEFORE_TOOL,
            items: items.clone(),
            withheld: withheld.clone(),
        }),
        _ => None,
    });
    shown.collect()
}

impl CallSeen {
    fn has_failed_as(&self, lesson: &Record) -> bool {
        matches!(&self.ended, Ended::Failed(failure) if *failure == lesson.key)
    }

    /// Whether it is a call that the lesson is about.
    fn is_like(&self, lesson: &Record) -> bool {
        let about = lesson.about();
        lesson.is_triggered_by(&self.trigger) && (about.is_empty() || self.kinds.contains(about))
    }
}

impl Seen {
    /// What came of showing a lesson: the first call after it that failed as the lesson says, or that has its shape and
    /// passed. The place of that call goes with it.
    ///
    /// The call at which it was said does not count: hosts make it whatever was said, and the agent reads the advice
    /// with its answer. Where a person asked to hold such calls, it was not made.
    pub(crate) fn came_of(&self, shown: &Shown, lesson: &Record) -> Option<(u32, Counter)> {
        let said_at = usize::from(shown.is_at_call && !lesson.marks.contains(&Mark::Blocking));
        let after = self.calls.iter().filter(|call| call.position > shown.position);
        let meant = after.filter(|call| call.is_like(lesson) || call.has_failed_as(lesson)).skip(said_at);
        let mut outcomes = meant.filter_map(|call| match &call.ended {
            Ended::Failed(_) if call.has_failed_as(lesson) => Some((call.position, Counter::Recurred)),
            Ended::Passed => Some((call.position, Counter::Avoided)),
            _ => None,
        });
        outcomes.next()
    }
}

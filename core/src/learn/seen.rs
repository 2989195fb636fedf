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
use crate::record::{Counter, Record, TextKey};
use crate::trace::Body;

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
    /// The key of its failure; `None` for a call that passed.
    pub(crate) failure: Option<String>,
}

/// Looks at a run.
pub(crate) fn seen(run: &Run<'_>) -> Seen {
    let mut out = Seen { shown: shown(run), ..Seen::default() };
    let mut counts: BTreeMap<TextKey, (u32, u32)> = BTreeMap::new();
    for call in 0..run.calls.len() {
        let this = &run.calls[call];
        let is_noise = noise::reason(run, call).is_some();
        if is_noise || !(this.failed() || this.worked()) {
            continue;
        }
        let kinds = if this.line().is_some() { BTreeSet::new() } else { kinds(&this.tool.args) };
        for name in names(this, &kinds) {
            let (calls, failed) = counts.entry(name).or_default();
            *calls += 1;
            *failed += u32::from(this.failed());
        }
        if out.shown.first().is_some_and(|first| first.position < this.event.position) {
            let failure = this.failed().then(|| key(&run.signature(call), this));
            let trigger = this.shape().to_string();
            out.calls.push(CallSeen { position: this.event.position, trigger, kinds, failure });
        }
    }
    let count = |(shape, (calls, failed))| ShapeCount { shape, calls, failed };
    out.shapes = counts.into_iter().map(count).collect();
    out
}

/// What a call is counted under: its shape, that shape with each kind of thing it names, and its group of tools.
fn names(call: &Call<'_>, kinds: &BTreeSet<String>) -> BTreeSet<TextKey> {
    let shape = call.shape().to_string();
    let narrowed = kinds.iter().map(|kind| TextKey::of(&narrowed(&shape, kind)));
    narrowed.chain([TextKey::of(&shape), TextKey::of(&call.shape().group)]).collect()
}

fn shown(run: &Run<'_>) -> Vec<Shown> {
    let shown = run.trace.events.iter().filter_map(|event| match &event.body {
        Body::Retrieval { items, withheld, .. } => {
            Some(Shown { position: event.position, items: items.clone(), withheld: withheld.clone() })
        }
        _ => None,
    });
    shown.collect()
}

impl CallSeen {
    /// Whether it is a call that the lesson is about.
    fn is_like(&self, lesson: &Record) -> bool {
        let about = lesson.about();
        lesson.is_triggered_by(&self.trigger) && (about.is_empty() || self.kinds.contains(about))
    }
}

impl Seen {
    /// What came of showing a lesson at `position`: the first call after it that failed as the lesson says, or that has
    /// its shape and passed. The place of that call goes with it.
    pub(crate) fn came_of(&self, position: u32, lesson: &Record) -> Option<(u32, Counter)> {
        let after = self.calls.iter().filter(|call| call.position > position);
        let told = after.filter_map(|call| match &call.failure {
            Some(failure) if *failure == lesson.key => Some((call.position, Counter::Recurred)),
            None if call.is_like(lesson) => Some((call.position, Counter::Avoided)),
            _ => None,
        });
        told.into_iter().next()
    }
}

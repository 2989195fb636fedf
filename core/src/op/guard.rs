//! `guard`: before a call, silence or one piece of advice. Writes nothing; the host observes the event it answers.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::context::{Context, Decide, Decision, Stop};
use super::input::{Guard, Recall};
use super::learn::live;
use super::output::{Advice, Guarded, Item, Output, Silent};
use super::recall::{RecallVerb, entry, item, retrieval, withheld};
use super::space::Space;
use crate::codec::canonical;
use crate::error::Error;
use crate::guard::{RunState, fits, silence, silence_in_run};
use crate::learn::apply;
use crate::recall::{Candidate, Scorer};
use crate::record::{Mark, Record, Subtype};
use crate::sort;
use crate::step::Request;
use crate::text::{Entry, escape, fence};
use crate::trace::json::value_or_text;
use crate::trace::{ToolCall, ToolResult};

/// How many of the best lessons are looked at.
const LOOKED_AT: usize = 32;

/// A lesson that fits the call, and why it keeps silent, if it does.
type Fitting<'a> = (Candidate, &'a Record, Option<&'static str>);

/// `guard`, compiled.
pub(crate) struct GuardVerb {
    session_id: String,
    call: ToolCall,
    rewrites: bool,
    recall: RecallVerb,
}

impl GuardVerb {
    pub(crate) fn new(input: Guard, space: &Space) -> Result<Self, Error> {
        if input.tool.is_empty() {
            return Err(Error::invalid("tool", "guard needs a tool; name the tool of the call"));
        }
        let Guard { session_id, tool, args, task, scope, rewrite: rewrites } = input;
        let call = ToolCall {
            call_id: String::new(),
            name: tool.clone(),
            args: value_or_text(args.clone()),
            result: ToolResult::default(),
        };
        let recall = Recall { task, tool, args, scope, ..Recall::default() };
        Ok(Self { session_id, call, rewrites, recall: RecallVerb::new(recall, space) })
    }

    /// The lessons that fit the call, best first, each with the reason for its silence as things stand.
    fn fitting<'a>(&self, cx: &Context<'a>) -> Result<Vec<Fitting<'a>>, Stop> {
        let vector = self.recall.vector(cx)?;
        let ranked = Scorer::new(cx, &self.recall.query, vector.as_ref()).ranked(LOOKED_AT);
        let records = ranked.into_iter().filter_map(|one| Some((one, cx.view.record(one.slot)?)));
        let fitting = records.filter(|(one, record)| fits(record, &one.why, &self.call.name));
        let mut fitting: Vec<Fitting<'a>> =
            fitting.map(|(one, record)| (one, record, silence(cx, record))).collect();
        // One speaks at a time: what a person has said first, then what came back in most runs.
        sort::sort_by_key(&mut fitting, |(_, record, _)| {
            let said = record.marks.contains(&Mark::Blocking) || record.subtype == Subtype::Taught;
            Reverse((said, record.hits()))
        });
        Ok(fitting)
    }

    fn state(&self, cx: &Context<'_>) -> Result<RunState, Stop> {
        if self.session_id.is_empty() {
            return Ok(RunState::default());
        }
        let Some(traces) = &cx.known.traces else {
            return Err(Stop::Need(Request::TraceLoad { session_id: Some(self.session_id.clone()) }));
        };
        Ok(RunState::of(live(traces)?))
    }
}

impl Decide for GuardVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut answer = Guarded::default();
        let mut speaker: Option<(Candidate, &Record)> = None;
        let fitting = self.fitting(cx)?;
        // The run is read only where somebody would speak: most calls need no look at it.
        let state =
            if fitting.iter().any(|(.., why)| why.is_none()) { self.state(cx)? } else { RunState::default() };
        let shape = self.recall.query.call.as_ref().map_or("", |call| &call.trigger);
        for (one, record, reason) in fitting {
            let reason = reason.or_else(|| silence_in_run(cx, record, &self.call, shape, &state));
            match reason {
                None if speaker.is_none() => speaker = Some((one, record)),
                None => answer.silent.push(silent(record, "limit")),
                Some(reason) => answer.silent.push(silent(record, reason)),
            }
        }
        if let Some((one, record)) = speaker {
            self.speak(cx, &one, record, &state, &mut answer);
        }
        Ok(Decision::answer(Output::Guarded(answer)))
    }
}

impl GuardVerb {
    fn speak(
        &self,
        cx: &Context<'_>,
        one: &Candidate,
        record: &Record,
        state: &RunState,
        answer: &mut Guarded,
    ) {
        let moment = self.recall.query.moment.as_str();
        if withheld(cx, &self.session_id, record.id) {
            answer.silent.push(silent(record, "withheld"));
            answer.event = retrieval(cx, moment, &[], &[record.id]);
            return;
        }
        answer.items.extend(item(cx, one));
        answer.verdict = if record.marks.contains(&Mark::Blocking) { Advice::Hold } else { Advice::Advise };
        if answer.verdict == Advice::Advise
            && let Some(args) = self.rewritten(record, state)
        {
            (answer.verdict, answer.args) = (Advice::Rewrite, args);
        }
        answer.text = answer.items.first().map(|item| line(item, record)).unwrap_or_default();
        let entries: Vec<Entry<'_>> = answer.items.iter().map(entry).collect();
        let budget = cx.policy.recall.budget as usize;
        answer.block = fence(&entries, budget, cx.ports.counter.as_ref()).text;
        answer.event = retrieval(cx, moment, &[record.id], &[]);
    }

    /// The call's arguments as the remedy wants them, where the host rewrites, it changes one argument and nothing
    /// else, and its value is known.
    fn rewritten(&self, record: &Record, state: &RunState) -> Option<String> {
        let action = record.best_variant().and_then(|variant| variant.action.as_ref());
        let action = action.filter(|action| self.rewrites && action.is_one_argument())?;
        let applied = apply(action, &self.call, &state.events)?;
        (!applied.again && applied.args != self.call.args).then(|| canonical(&applied.args))
    }
}

fn line(item: &Item, record: &Record) -> String {
    let runs = record.root_runs().len();
    let text = escape(&item.text);
    match runs {
        0 => text,
        1 => alloc::format!("{text} (seen in 1 earlier run)"),
        _ => alloc::format!("{text} (seen in {runs} earlier runs)"),
    }
}

fn silent(record: &Record, reason: &str) -> Silent {
    Silent { id: record.id, reason: reason.into() }
}

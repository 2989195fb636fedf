//! `observe` and `learn`: traces in, lessons out.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::{Editor, clean_scope, clean_text};
use super::input::{Learn, Observe};
use super::output::{Learned, Output};
use super::space::Space;
use crate::change::RunMark;
use crate::env::RecordId;
use crate::error::Error;
use crate::gate;
use crate::learn::{Draft, Mined, MinedRun, Words, contrast, hold_cap, merge_run, mine, postmortem};
use crate::policy::LearnPolicy;
use crate::record::{Scope, ScopeKey, Status, Subtype};
use crate::sort;
use crate::step::Request;
use crate::trace::identity::event_keys;
use crate::trace::{Body, Format, ReadLimits, ReadReport, Reader, Reading, Trace};

/// `observe`, checked.
pub(crate) struct ObserveVerb {
    input: Observe,
}

impl ObserveVerb {
    pub(crate) fn new(input: Observe) -> Result<Self, Error> {
        if input.session_id.is_empty() {
            return Err(Error::invalid("session", "observe needs a session_id; name the session of the run"));
        }
        Ok(Self { input })
    }
}

impl Decide for ObserveVerb {
    fn reads(&self) -> bool {
        false
    }

    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        if cx.known.appended || self.input.lines.is_empty() {
            return Ok(Decision::answer(Output::Observed { events: self.input.lines.len() as u32 }));
        }
        let lines = self.input.lines.iter().map(|line| gate::redact(line).into_owned()).collect();
        let session_id = gate::redact(&self.input.session_id).into_owned();
        Err(Stop::Need(Request::TraceAppend { session_id, lines }))
    }
}

/// `learn`, with its trace read and mined.
pub(crate) struct LearnVerb {
    input: Learn,
    /// What was given as data; `None` where live traces are mined.
    given: Option<(Vec<MinedRun>, Learned)>,
}

impl LearnVerb {
    pub(crate) fn new(mut input: Learn, space: &Space) -> Result<Self, Error> {
        let given = match input.data.take() {
            Some(data) => {
                let reading = read(data.as_bytes(), input.format)?;
                Some(mined(reading, input.session_id.as_deref(), &input, &space.policy.learn))
            }
            None => None,
        };
        Ok(Self { input, given })
    }

    fn observed(&self, cx: &Context<'_>) -> Result<(Vec<MinedRun>, Learned), Stop> {
        let Some(traces) = &cx.known.traces else {
            return Err(Stop::Need(Request::TraceLoad { session_id: self.input.observed.clone() }));
        };
        let mut runs = Vec::new();
        let mut report = Learned { format: Format::Canonical.to_string(), ..Learned::default() };
        for (session_id, lines) in traces {
            let reading = read_live(session_id, lines)?;
            let (mut more, one) = mined(reading, Some(session_id), &self.input, &cx.policy.learn);
            add_report(&mut report, one);
            runs.append(&mut more);
        }
        Ok((runs, report))
    }

    /// What a caller should know of whom the lessons apply to.
    fn scope_notice(&self, runs: &[MinedRun], scope: &Scope) -> Option<String> {
        let unnamed = runs.iter().filter(|run| run.repository.is_none()).count();
        let everywhere = self.input.scope.is_none() && scope.is_empty();
        if self.input.scope_from_trace {
            let keep = if everywhere { "apply everywhere" } else { "keep the scope given" };
            let notice = || {
                alloc::format!("{unnamed} of {} runs name no repository: their lessons {keep}.", runs.len())
            };
            return (unnamed > 0).then(notice);
        }
        everywhere.then(|| "No scope was given: these lessons apply everywhere.".into())
    }
}

/// To whom the lessons of a run apply.
fn scope_of(run: &MinedRun, given: &Scope) -> Scope {
    match &run.repository {
        Some(repository) => given.clone().with(ScopeKey::Repo, repository),
        None => given.clone(),
    }
}

impl Decide for LearnVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let (runs, mut report) = if let Some((runs, report)) = &self.given {
            (Cow::Borrowed(runs.as_slice()), report.clone())
        } else {
            let (runs, report) = self.observed(cx)?;
            (Cow::Owned(runs), report)
        };
        let scope = clean_scope(self.input.scope.as_ref().unwrap_or(&cx.policy.scope));
        report.notices.extend(self.scope_notice(&runs, &scope));
        // One round for every text, where the embedder is the host's.
        let texts: Vec<&str> =
            runs.iter().flat_map(|run| &run.drafts).map(|draft| draft.text.as_str()).collect();
        cx.vectors_of_host(&texts)?;
        let mut ed = Editor::new(*cx);
        let mut words = Words::new(*cx, self.input.model);
        for run in runs.iter() {
            merge_run(&mut ed, run, &scope_of(run, &scope), &mut words, &mut report)?;
        }
        // Every draft that begins a lesson is known now: one round for all of them.
        words.ask()?;
        if self.input.model && cx.known.model.is_missing {
            report.notices.push("This host has no model: the fixed wordings serve.".into());
        }
        hold_cap(&mut ed, &mut words)?;
        words.ask()?;
        report.model = words.report();
        report.records.retain(|&id| ed.get(id).is_some());
        let waits = |id: &&RecordId| ed.get(**id).is_some_and(|record| record.status == Status::Quarantined);
        report.quarantined = report.records.iter().filter(waits).count() as u32;
        if report.quarantined > 0 {
            let message =
                alloc::format!("{} of these lessons wait for review and do not speak.", report.quarantined);
            report.notices.push(message);
        }
        report.op = ed.op();
        let mut decision = ed.finish(Output::Learned(report));
        decision.actor.clone_from(&self.input.actor);
        Ok(decision)
    }

    fn afterwards(&self, cx: &Context<'_>) -> Option<Request> {
        let traces = cx.known.traces.as_ref().filter(|traces| !traces.is_empty())?;
        let sessions = traces.iter().map(|(session, lines)| (session.clone(), lines.len() as u64)).collect();
        Some(Request::TraceMined { sessions, ended: ended(cx) })
    }
}

/// The sessions that were read last before the retention: their live traces have served.
fn ended(cx: &Context<'_>) -> Vec<String> {
    let is_old = |mark: &&RunMark| cx.env.now.days_since(mark.at) > f64::from(cx.policy.learn.retention_days);
    cx.view.runs().filter(is_old).map(|mark| mark.session_id.clone()).collect()
}

/// The live traces of a session, read.
pub(crate) fn live(traces: &[(String, Vec<String>)]) -> Result<Vec<Trace>, Error> {
    let mut out = Vec::new();
    for (session_id, lines) in traces {
        out.extend(read_live(session_id, lines)?.traces);
    }
    Ok(out)
}

fn read_live(session_id: &str, lines: &[String]) -> Result<Reading, Error> {
    read_by(Reader::live(session_id, ReadLimits::default()), lines.join("\n").as_bytes())
}

fn read(data: &[u8], format: Option<Format>) -> Result<Reading, Error> {
    read_by(Reader::new(format, ReadLimits::default()), data)
}

fn read_by(mut reader: Reader, data: &[u8]) -> Result<Reading, Error> {
    reader.push(data);
    reader.finish().map_err(|problem| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        Error::invalid("format", alloc::format!("{problem}; known formats are {}", known.join(", ")))
    })
}

fn mined(
    reading: Reading,
    session_id: Option<&str>,
    input: &Learn,
    policy: &LearnPolicy,
) -> (Vec<MinedRun>, Learned) {
    let mut report = first_report(&reading.report);
    // Runs of different repositories are not compared: what one teaches would stand in the scope of the other.
    let mut groups: BTreeMap<Option<String>, (Vec<usize>, Vec<Trace>)> = BTreeMap::new();
    for (at, mut trace) in reading.traces.into_iter().enumerate() {
        let repository = repository(&trace, input);
        name(&mut trace, session_id);
        without_secrets(&mut trace);
        let (places, traces) = groups.entry(repository).or_default();
        places.push(at);
        traces.push(trace);
    }
    let mut runs: Vec<(usize, MinedRun)> = Vec::new();
    for (repository, (places, traces)) in groups {
        let mined = mined_together(traces, repository.as_ref(), policy, &mut report);
        runs.extend(places.into_iter().zip(mined));
    }
    sort::sort_by_key(&mut runs, |(at, _)| *at);
    (runs.into_iter().map(|(_, run)| run).collect(), report)
}

/// The repository that the lessons of a run apply to, where its trace is to tell.
fn repository(trace: &Trace, input: &Learn) -> Option<String> {
    if !input.scope_from_trace {
        return None;
    }
    let known = || input.repositories.get(trace.cwd.as_ref()?).cloned();
    let named = if trace.repo.is_some() { None } else { known() };
    named.or_else(|| trace.repository()).map(|name| gate::redact(&name).into_owned())
}

/// Mines runs that may be compared with each other.
fn mined_together(
    traces: Vec<Trace>,
    repository: Option<&String>,
    policy: &LearnPolicy,
    report: &mut Learned,
) -> Vec<MinedRun> {
    let across = contrast(&traces);
    let mut runs = Vec::with_capacity(traces.len());
    for (at, trace) in traces.into_iter().enumerate() {
        let mut mined = mine(&trace);
        mined.drafts.extend(across.iter().filter(|(run, _)| *run == at).map(|(_, draft)| draft.clone()));
        mined.drafts.extend(policy.postmortems.then(|| postmortem(&trace, &mined)).flatten());
        count(report, &mined);
        let wanted = |draft: &Draft| policy.success_patterns || draft.subtype != Subtype::SuccessPattern;
        let drafts = mined.drafts.into_iter().filter(wanted).collect();
        let keys = event_keys(&trace);
        let repository = repository.cloned();
        let Trace { session_id, root_run_id, anonymous, .. } = trace;
        runs.push(MinedRun {
            session_id,
            root_run_id,
            anonymous,
            repository,
            keys,
            drafts,
            seen: mined.seen,
        });
    }
    runs
}

/// Gives a run the caller's name where its format has none.
fn name(trace: &mut Trace, session_id: Option<&str>) {
    if let Some(given) = session_id.filter(|_| trace.anonymous) {
        trace.session_id = given.to_string();
        trace.root_run_id = given.to_string();
        trace.anonymous = false;
    }
}

/// Takes secrets out of the names of a run, which no later step looks at one by one.
fn without_secrets(trace: &mut Trace) {
    clean_text(&mut trace.session_id);
    clean_text(&mut trace.root_run_id);
    for event in &mut trace.events {
        if let Some(id) = &mut event.id {
            clean_text(id);
        }
        if let Body::ToolCall(call) = &mut event.body {
            clean_text(&mut call.name);
            clean_text(&mut call.call_id);
        }
    }
}

fn first_report(read: &ReadReport) -> Learned {
    let format = read.format.map(|format| format.to_string()).unwrap_or_default();
    let mut report = Learned { format, ..Learned::default() };
    for bad in &read.bad {
        *report.bad_lines.entry(bad.reason.code().to_string()).or_default() += 1;
        report.bad.push(alloc::format!("line {}: {}", bad.line, bad.message));
    }
    report
}

fn count(report: &mut Learned, mined: &Mined) {
    report.events += mined.events;
    report.signals += mined.signals;
    report.drafted += mined.drafts.len() as u32;
    for skipped in &mined.skipped {
        *report.skipped.entry(skipped.reason.to_string()).or_default() += 1;
    }
}

fn add_report(report: &mut Learned, one: Learned) {
    report.events += one.events;
    report.signals += one.signals;
    report.drafted += one.drafted;
    for (reason, n) in one.skipped {
        *report.skipped.entry(reason).or_default() += n;
    }
    for (reason, n) in one.bad_lines {
        *report.bad_lines.entry(reason).or_default() += n;
    }
    report.bad.extend(one.bad);
}

//! Mining: from one trace to drafts of lessons.
//!
//! Decides what each failed call, each unsupported claim and a clean run teach. Deterministic and total; one failure
//! gives one lesson, and all failures of one kind in a run give one draft.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::about::about;
use super::action::Action;
use super::draft::{Draft, Mined, Skipped, Strength};
use super::noise;
use super::run::{Call, Run};
use super::seen::seen;
use super::signal::{self, Failures, Remedy, discrepancies, success_pattern};
use super::signature::{Known, Signature, mask};
use super::words::content_words;
use super::{bypass, template};
use crate::env::Timestamp;
use crate::record::{EventKey, Evidence, Mark, Subtype, TextKey};
use crate::sort;
use crate::trace::identity::event_keys;
use crate::trace::{Body, Event, Trace};

/// How keys of lessons from errors begin.
pub(crate) const ERROR_KEY: &str = "error:";

/// The longest situation kept, in bytes.
const SITUATION: usize = 200;

/// What `trace` teaches.
pub fn mine(trace: &Trace) -> Mined {
    let run = Run::of(trace);
    let mut miner = Miner {
        run: &run,
        keys: None,
        mined: Mined { events: trace.events.len() as u32, seen: seen(&run), ..Mined::default() },
    };
    miner.failures();
    miner.invented();
    miner.discrepancies();
    miner.bypasses();
    miner.corrections();
    miner.success();
    let mut mined = miner.mined;
    sort::sort_by_key(&mut mined.drafts, |draft| draft.evidence.first().map(|evidence| evidence.position));
    mined.signals =
        (mined.drafts.iter().map(|draft| draft.evidence.len()).sum::<usize>() + mined.skipped.len()) as u32;
    mined
}

/// One line on the run that `trace` tells of, as a draft; `None` where nothing was called. `mined` is what [`mine`]
/// made of it: the summary is shown by an event that shows nothing else.
pub fn postmortem(trace: &Trace, mined: &Mined) -> Option<Draft> {
    let run = Run::of(trace);
    let text = signal::postmortem(&run)?;
    let taken = sort::set(mined.drafts.iter().flat_map(|draft| &draft.evidence).map(|one| one.position));
    let is_task = |body: &Body| matches!(body, Body::Start { .. } | Body::User { .. });
    let free = |(_, event): &(usize, &Event)| !taken.contains(&event.position) && !is_task(&event.body);
    let (at, _) = trace.events.iter().enumerate().rev().find(free)?;
    let mut miner = Miner { run: &run, keys: None, mined: Mined::default() };
    let evidence = miner.evidence_of_event(at, "", &text);
    let key = format!("postmortem:{}", trace.session_id);
    let mut draft = miner.draft(Subtype::Postmortem, key, text, Strength::Seen, alloc::vec![evidence]);
    draft.trigger = String::from("start");
    draft.tools = run.calls.iter().map(|call| call.tool.name.clone()).collect();
    Some(draft)
}

/// What runs of one task that ended differently teach, each draft with the index of the failed run it belongs to.
/// Only runs given together are compared: of runs learned from before, the records know no steps.
pub fn contrast(traces: &[Trace]) -> Vec<(usize, Draft)> {
    let found = signal::contrasts(traces);
    found.into_iter().map(|one| (one.run, contrast_draft(&traces[one.run], one))).collect()
}

fn contrast_draft(trace: &Trace, found: signal::Contrast) -> Draft {
    let run = Run::of(trace);
    let mut miner = Miner { run: &run, keys: None, mined: Mined::default() };
    let evidence = miner.evidence_of_event(found.event, &found.tool, &found.text);
    let strength = if found.agreed { Strength::Seen } else { Strength::Weak };
    let mut draft = miner.draft(Subtype::Contrast, found.key, found.text, strength, alloc::vec![evidence]);
    draft.signature = found.step;
    draft.trigger = String::from("start");
    draft.tools.insert(found.tool);
    draft
}

struct Miner<'r, 'a> {
    run: &'r Run<'a>,
    /// Identities of the events, made when the first evidence is.
    keys: Option<Vec<EventKey>>,
    mined: Mined,
}

impl Miner<'_, '_> {
    fn failures(&mut self) {
        let mut kinds: BTreeMap<String, (Signature, Vec<usize>)> = BTreeMap::new();
        let mut loops: BTreeMap<String, (Signature, Vec<usize>)> = BTreeMap::new();
        for call in 0..self.run.calls.len() {
            if let Some(reason) = noise::reason(self.run, call) {
                self.skip(call, reason);
            } else if self.run.calls[call].failed() {
                let signature = self.run.signature(call);
                let reason = noise::in_context(self.run, call, &signature);
                let found = match reason {
                    None => &mut kinds,
                    // Whether the code alone was at fault, a second run tells.
                    Some(noise::LOOP) if noise::may_recur(&signature) => &mut loops,
                    Some(reason) => {
                        self.skip(call, reason);
                        continue;
                    }
                };
                let key = key(&signature, &self.run.calls[call]);
                found.entry(key).or_insert_with(|| (signature, Vec::new())).1.push(call);
            }
        }
        for (key, (signature, calls)) in loops {
            if kinds.contains_key(&key) {
                for call in calls {
                    self.skip(call, noise::LOOP);
                }
            } else {
                self.draft_loop(key, &signature, &calls);
            }
        }
        for (key, (signature, calls)) in kinds {
            self.draft_failures(key, &signature, calls);
        }
    }

    /// What a run repaired in its own code: counted under its key, without a remedy. The lesson would have helped at
    /// the edit before it.
    fn draft_loop(&mut self, key: String, signature: &Signature, calls: &[usize]) {
        let Some(first) = calls.first().map(|&call| &self.run.calls[call]) else { return };
        let text = plain_text(signature, &first.title());
        let evidence = calls.iter().map(|&call| self.evidence_of_call(call, &text)).collect();
        let mut draft = self.draft(Subtype::Failure, key, text, Strength::Looped, evidence);
        draft.signature.clone_from(&signature.text);
        draft.tool_group.clone_from(&first.shape().group);
        let edit = calls.first().and_then(|&call| self.run.edit_before(call));
        draft.trigger = edit.map_or(first, |edit| &self.run.calls[edit]).shape().to_string();
        draft.tools = calls.iter().map(|&call| self.run.calls[call].tool.name.clone()).collect();
        self.mined.drafts.push(draft);
    }

    fn draft_failures(&mut self, key: String, signature: &Signature, calls: Vec<usize>) {
        let Some(first) = calls.first().map(|&call| &self.run.calls[call]) else { return };
        let failures = Failures { calls, signature };
        let mut remedy = worded(self.run, &failures, first);
        if bypass::in_text(&remedy.text) {
            let text = plain_text(signature, &first.title());
            remedy = Remedy::new(Subtype::Failure, Strength::Bare, text);
        }
        let evidence = failures.calls.iter().map(|&call| self.evidence_of_call(call, &remedy.text)).collect();
        let mut draft = self.draft(remedy.subtype, key, remedy.text, remedy.strength, evidence);
        draft.signature.clone_from(&signature.text);
        draft.tool_group.clone_from(&first.shape().group);
        draft.trigger =
            remedy.trigger.unwrap_or_else(|| triggering(first, signature, remedy.action.as_ref()));
        draft.about = about(&first.tool.args, &signature.said).map(|(_, kind)| kind).unwrap_or_default();
        draft.action = remedy.action;
        draft.tools = failures.calls.iter().map(|&call| self.run.calls[call].tool.name.clone()).collect();
        let harmless = noise::is_benign(signature) && draft.strength < Strength::Named
            || draft.strength.is_bare() && noise::repairs_itself(self.run, &failures.calls, signature);
        if harmless {
            draft.marks.insert(Mark::Benign);
        }
        self.mined.drafts.push(draft);
    }

    /// What went round a failure: a draft of its own, so that the failure's lesson never carries it.
    fn bypasses(&mut self) {
        for found in signal::bypasses(self.run) {
            let (failed, by) = (&self.run.calls[found.failed], &self.run.calls[found.by]);
            let signature = self.run.signature(found.failed);
            let key = format!("bypass:{}|{}", found.what, key(&signature, failed));
            let evidence = self.evidence_of_call(found.by, &found.text);
            if let Some(known) = self.mined.drafts.iter_mut().find(|draft| draft.key == key) {
                known.evidence.push(evidence);
                continue;
            }
            let strength = signal::gated(self.run, Strength::Seen);
            let mut draft = self.draft(Subtype::Recovery, key, found.text, strength, alloc::vec![evidence]);
            draft.marks.insert(Mark::Bypass);
            draft.signature = signature.text;
            draft.tool_group.clone_from(&failed.shape().group);
            draft.trigger = failed.shape().to_string();
            draft.tools.insert(by.tool.name.clone());
            self.mined.drafts.push(draft);
        }
    }

    fn corrections(&mut self) {
        for found in signal::corrections(self.run) {
            if bypass::in_text(&found.text) {
                continue;
            }
            let key = format!("correction:{}", content_words(&found.text).join(" "));
            let evidence = self.evidence_of_event(found.event, &found.tool, &found.text);
            if let Some(known) = self.mined.drafts.iter_mut().find(|draft| draft.key == key) {
                known.evidence.push(evidence);
                continue;
            }
            let evidence = alloc::vec![evidence];
            let mut draft = self.draft(Subtype::Correction, key, found.text, Strength::Named, evidence);
            draft.trigger = found.trigger;
            draft.tools.insert(found.tool);
            self.mined.drafts.push(draft);
        }
    }

    fn invented(&mut self) {
        for found in signal::invented(self.run) {
            let call = &self.run.calls[found.call];
            let key = format!("invented:{}:{}", call.tool.name, found.key);
            let evidence = self.evidence_of_call(found.call, &found.text);
            if let Some(known) = self.mined.drafts.iter_mut().find(|draft| draft.key == key) {
                known.evidence.push(evidence);
                continue;
            }
            let mut draft =
                self.draft(Subtype::InventedValue, key, found.text, Strength::Named, alloc::vec![evidence]);
            draft.signature = format!("{} not listed", found.key);
            draft.tool_group.clone_from(&call.shape().group);
            draft.trigger = call.shape().to_string();
            draft.tools.insert(call.tool.name.clone());
            self.mined.drafts.push(draft);
        }
    }

    fn discrepancies(&mut self) {
        for found in discrepancies(self.run) {
            let key = format!("discrepancy:{}", found.kind);
            let evidence =
                self.evidence_of_event(found.event, found.tool.as_deref().unwrap_or(""), &found.text);
            if let Some(known) = self.mined.drafts.iter_mut().find(|draft| draft.key == key) {
                known.evidence.push(evidence);
                continue;
            }
            let mut draft =
                self.draft(Subtype::Discrepancy, key, found.text, Strength::Named, alloc::vec![evidence]);
            draft.signature = found.kind.replace('_', " ");
            draft.trigger = found.trigger;
            draft.tools = found.tool.into_iter().collect();
            self.mined.drafts.push(draft);
        }
    }

    fn success(&mut self) {
        // A run whose claims do not hold, or that a person corrected, shows nothing to repeat.
        if !self.mined.drafts.is_empty() {
            return;
        }
        let Some(pattern) = success_pattern(self.run) else { return };
        let key = format!("success:{}", pattern.steps.join(" > "));
        let evidence = self.evidence_of_event(pattern.event, "", &pattern.text);
        let mut draft =
            self.draft(Subtype::SuccessPattern, key, pattern.text, Strength::Seen, alloc::vec![evidence]);
        draft.signature = pattern.steps.join(" > ");
        draft.trigger = String::from("start");
        draft.tools = pattern.tools;
        self.mined.drafts.push(draft);
    }

    fn draft(
        &self,
        subtype: Subtype,
        key: String,
        text: String,
        strength: Strength,
        evidence: Vec<Evidence>,
    ) -> Draft {
        let mut marks = BTreeSet::new();
        match strength {
            Strength::Bare => drop(marks.insert(Mark::Bare)),
            Strength::Weak => drop(marks.insert(Mark::Weak)),
            _ => {}
        }
        Draft {
            subtype,
            key,
            signature: String::new(),
            tool_group: String::new(),
            trigger: String::new(),
            about: String::new(),
            text,
            action: None,
            strength,
            situation: situation(self.run),
            tools: BTreeSet::new(),
            marks,
            evidence,
        }
    }

    fn evidence_of_call(&mut self, call: usize, text: &str) -> Evidence {
        let call = &self.run.calls[call];
        let ts = call.tool.result.ts.or(call.event.ts);
        // A call without an id of its own is named by its event's.
        let id =
            if call.tool.call_id.is_empty() { call.event.id.as_deref() } else { Some(&*call.tool.call_id) };
        self.evidence(call.event, call.at, id.unwrap_or_default(), &call.tool.name, ts, text)
    }

    fn evidence_of_event(&mut self, at: usize, tool: &str, text: &str) -> Evidence {
        let event = &self.run.trace.events[at];
        let id = event.id.clone().unwrap_or_else(|| event.position.to_string());
        self.evidence(event, at, &id, tool, event.ts, text)
    }

    fn evidence(
        &mut self,
        event: &Event,
        at: usize,
        id: &str,
        tool: &str,
        ts: Option<Timestamp>,
        text: &str,
    ) -> Evidence {
        let trace = self.run.trace;
        let keys = self.keys.get_or_insert_with(|| event_keys(trace));
        Evidence {
            key: keys.get(at).copied().unwrap_or_default(),
            session_id: trace.session_id.clone(),
            root_run_id: trace.root_run_id.clone(),
            event_id: id.to_string(),
            position: event.position,
            ts: ts.unwrap_or_default(),
            undated: ts.is_none(),
            tool: tool.to_string(),
            says: TextKey::of(text),
        }
    }

    fn skip(&mut self, call: usize, reason: &'static str) {
        let call = &self.run.calls[call];
        let ts = call.tool.result.ts.or(call.event.ts);
        self.mined.skipped.push(Skipped { position: call.event.position, ts, reason });
    }
}

/// The best wording for some failures: a remedy that the run shows, else what the class of the error says.
fn worded(run: &Run<'_>, failures: &Failures<'_>, first: &Call<'_>) -> Remedy {
    let title = first.title();
    let plain = |(text, strength)| Remedy::new(Subtype::Failure, strength, text);
    let sum = || signal::sum(run, failures);
    let by_class = template::by_class(failures.signature, &title).map(plain).map(|class| class.with(sum()));
    let fallback = || plain((template::bare(failures.signature, &title), Strength::Bare));
    match (signal::remedy(run, failures), by_class) {
        // Where the class is known too, its wording reads better than a short sentence about "it".
        (Some(remedy), Some(class)) if is_curt(&remedy) && class.strength == Strength::Named => {
            Remedy { text: class.text, action: class.action.or(remedy.action), ..remedy }
        }
        (Some(remedy), Some(class)) if is_curt(&remedy) => class,
        (Some(remedy), Some(class)) if remedy.strength >= class.strength => remedy,
        (Some(remedy), None) => remedy,
        (_, Some(class)) => class,
        (None, None) => fallback(),
    }
}

/// The shape at which a failure's lesson would have helped: that of its call, but for what is to be set up around a
/// command, of which the command itself tells nothing.
fn triggering(call: &Call<'_>, signature: &Signature, action: Option<&Action>) -> String {
    let around = call.line().is_some() && action.is_none() && noise::is_environment(signature);
    if around { String::new() } else { call.shape().to_string() }
}

/// What fails, in words that teach no bypass.
fn plain_text(signature: &Signature, title: &str) -> String {
    let text = template::bare(signature, title);
    if bypass::in_text(&text) { template::bare(&Signature::default(), title) } else { text }
}

/// Whether a remedy is a sentence of the error that needs the error around it.
fn is_curt(remedy: &Remedy) -> bool {
    let action = remedy.text.split(':').next().unwrap_or("");
    remedy.strength >= Strength::Named
        && !action.contains('`')
        && (action.split(' ').count() < 5 || action.contains(" it "))
}

/// The key of a failure: the words of its signature; where these say too little, what was called too.
pub(super) fn key(signature: &Signature, call: &Call<'_>) -> String {
    let words = signature.words.join(" ");
    if signature.is_generic() {
        let shape = call.shape();
        format!("{ERROR_KEY}{words}|{}", shape.head)
    } else {
        format!("{ERROR_KEY}{words}")
    }
}

/// The run's task in one line, without values.
fn situation(run: &Run<'_>) -> String {
    let line = run.task().split_whitespace().take(60).collect::<Vec<_>>().join(" ");
    template::clip(&mask(&template::clip(&line, 2 * SITUATION), &Known::default()), SITUATION)
}

#[cfg(test)]
mod tests;

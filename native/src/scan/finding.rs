//! Findings: the lessons of a scan as a person wants to read them.
//!
//! Decides which of them came back, which are apart and which wait for review. The same mistake in several repositories
//! is one finding and stays several lessons: nothing here widens a scope.

use std::collections::{BTreeMap, BTreeSet};

use hardwon_core::env::Timestamp;
use hardwon_core::error::Error;
use hardwon_core::gate;
use hardwon_core::learn::Strength;
use hardwon_core::op::{Advice, Guard, Input, Output};
use hardwon_core::record::{Counters, Evidence, Kind, Mark, Record, ScopeKey, Status, Subtype, Tier};

use super::digest::Moment;
use super::study::Study;

/// From so many root runs on a mistake came back.
const BACK: usize = 2;
/// Of a finding so many failing calls are put before the guard, newest first.
const ASKED: usize = 3;

/// A mistake with all that is known of it.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) text: String,
    pub(crate) class: Class,
    pub(crate) subtype: Subtype,
    pub(crate) strategic: bool,
    pub(crate) strength: Strength,
    /// Where it lies: each run's events, oldest run first.
    pub(crate) runs: Vec<Run>,
    pub(crate) times: usize,
    pub(crate) sessions: usize,
    pub(crate) tools: Vec<String>,
    pub(crate) repositories: Vec<String>,
    pub(crate) trigger: String,
    pub(crate) says: Says,
    /// Why it waits for review, as a reason code.
    pub(crate) reason: String,
    /// The same in words; the command has them.
    pub(crate) why: String,
    /// Whether the user's own memory has it already.
    pub(crate) is_kept: bool,
    /// When it was shown, as far as the histories say.
    pub(crate) shown: Vec<Timestamp>,
    /// What came of showing it, by the user's own memory.
    pub(crate) counters: Counters,
}

/// Where a finding stands in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// It came back.
    Repeated,
    /// It came back and does no harm, or is about the world.
    Apart,
    /// It waits for review.
    Held,
    /// It was seen in one run.
    Once,
}

/// Whether it would speak before such a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Says {
    Speaks,
    /// The guard's reason for silence; empty where it has none.
    Silent(String),
}

/// A root run in which it happened.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// The time of the first event; `None` where the history does not say.
    pub(crate) at: Option<Timestamp>,
    pub(crate) last: Option<Timestamp>,
    pub(crate) agent: String,
    /// The repository; empty where the history does not say.
    pub(crate) repository: String,
    pub(crate) session: String,
    pub(crate) event: String,
    pub(crate) tool: String,
    pub(crate) times: usize,
    /// What happened the first time, as it may be shown.
    pub(crate) moment: Moment,
}

impl Finding {
    pub(crate) fn first(&self) -> Option<Timestamp> {
        self.runs.iter().filter_map(|run| run.at).min()
    }

    pub(crate) fn last(&self) -> Option<Timestamp> {
        self.runs.iter().filter_map(|run| run.last).max()
    }

    /// What it would say, as the guard says it.
    pub(crate) fn line(&self) -> String {
        match self.runs.len() {
            1 => format!("{} (seen in 1 earlier run)", self.text),
            n => format!("{} (seen in {n} earlier runs)", self.text),
        }
    }
}

/// Every finding of a scan, those that came back most often first.
pub(crate) fn all(study: &mut Study) -> Result<Vec<Finding>, Error> {
    let mut groups: BTreeMap<(bool, String), Vec<Record>> = BTreeMap::new();
    for record in study.memory().view().records().filter(|record| is_mistake(record)) {
        let key = (record.status == Status::Active, record.key.clone());
        groups.entry(key).or_default().push(record.clone());
    }
    let mut out = Vec::new();
    for records in groups.into_values() {
        out.extend(finding(study, records)?);
    }
    out.sort_by_key(|one| {
        (
            one.class,
            core::cmp::Reverse((one.says == Says::Speaks, one.runs.len(), one.times, one.last())),
            one.text.clone(),
        )
    });
    Ok(out)
}

fn is_mistake(record: &Record) -> bool {
    record.kind == Kind::Lesson
        && !matches!(record.subtype, Subtype::SuccessPattern | Subtype::Postmortem)
        && matches!(record.status, Status::Active | Status::Quarantined | Status::Conflicted)
}

/// The finding of records that differ in their scope alone.
fn finding(study: &mut Study, mut records: Vec<Record>) -> Result<Option<Finding>, Error> {
    records.sort_by_key(|one| (core::cmp::Reverse((one.hits(), one.last_confirmed_at)), one.id));
    let Some(best) = records.first() else { return Ok(None) };
    let runs = runs(study, &records, &best.text);
    let all = || records.iter();
    let names: BTreeSet<&String> = all().flat_map(|one| one.tools.iter()).collect();
    let strength = best.variants.iter().find(|one| one.text == best.text).map(|one| one.strength);
    let known = study.known(&best.key);
    let sessions: BTreeSet<&str> = all().flat_map(Record::sessions).collect();
    Ok(Some(Finding {
        text: best.text.clone(),
        class: class(&records, runs.len()),
        subtype: best.subtype,
        strategic: all().any(|one| one.tier == Tier::Strategic),
        strength: strength.unwrap_or(Strength::Bare),
        times: all().map(|one| one.evidence.len()).sum(),
        sessions: sessions.len(),
        tools: names.into_iter().map(|name| gate::redact(name).into_owned()).collect(),
        repositories: repositories(&records),
        trigger: best.trigger.clone(),
        says: says(study, best)?,
        reason: best.status_reason.clone(),
        why: best.status_reason.clone(),
        is_kept: known.is_some(),
        shown: known.as_ref().map(|(_, times)| times.clone()).unwrap_or_default(),
        counters: known.map(|(known, _)| known.counters).unwrap_or_default(),
        runs,
    }))
}

fn class(records: &[Record], runs: usize) -> Class {
    if records.iter().any(|one| one.status != Status::Active) {
        Class::Held
    } else if runs < BACK {
        Class::Once
    } else if records.iter().any(|one| one.marks.contains(&Mark::Benign)) {
        Class::Apart
    } else {
        Class::Repeated
    }
}

fn runs(study: &Study, records: &[Record], lesson: &str) -> Vec<Run> {
    let mut by_run: BTreeMap<&str, Vec<(&Evidence, &Record)>> = BTreeMap::new();
    for record in records {
        for one in &record.evidence {
            by_run.entry(&one.root_run_id).or_default().push((one, record));
        }
    }
    let mut out: Vec<Run> = by_run.into_values().filter_map(|events| run(study, events, lesson)).collect();
    out.sort_by(|a, b| (a.at, &a.session, &a.event).cmp(&(b.at, &b.session, &b.event)));
    out
}

fn run(study: &Study, mut events: Vec<(&Evidence, &Record)>, lesson: &str) -> Option<Run> {
    events.sort_by_key(|(one, _)| (one.ts, one.position));
    let (first, record) = *events.first()?;
    let dated = |(one, _): &(&Evidence, &Record)| (!one.undated).then_some(one.ts);
    let moment = study.moments.get(&first.key).map(|moment| moment.shown(lesson)).unwrap_or_default();
    let agent = study.agents.get(&first.root_run_id).cloned().unwrap_or_default();
    Some(Run {
        at: events.iter().filter_map(dated).min(),
        last: events.iter().filter_map(dated).max(),
        agent,
        repository: repositories(core::slice::from_ref(record)).into_iter().next().unwrap_or_default(),
        session: first.session_id.clone(),
        event: first.event_id.clone(),
        tool: first.tool.clone(),
        times: events.len(),
        moment,
    })
}

fn repositories(records: &[Record]) -> Vec<String> {
    let scopes = records.iter().flat_map(|one| one.scope.iter());
    let names: BTreeSet<&str> =
        scopes.filter(|(key, _)| *key == ScopeKey::Repo).map(|(_, value)| value).collect();
    names.into_iter().map(str::to_string).collect()
}

/// Puts calls that failed before the guard: would this lesson have spoken?
fn says(study: &mut Study, record: &Record) -> Result<Says, Error> {
    if record.status != Status::Active {
        return Ok(Says::Silent("review".into()));
    }
    if record.marks.contains(&Mark::Benign) {
        return Ok(Says::Silent("benign".into()));
    }
    let mut events: Vec<&Evidence> = record.evidence.iter().collect();
    events.sort_by_key(|one| core::cmp::Reverse((one.ts, one.position)));
    let calls: Vec<Moment> = events
        .iter()
        .filter_map(|one| study.moments.get(&one.key))
        .filter(|moment| !moment.args.is_empty())
        .take(ASKED)
        .cloned()
        .collect();
    let mut reason = String::new();
    for call in calls {
        let guard = Guard {
            tool: call.tool,
            args: call.args,
            task: call.task,
            scope: record.scope.clone(),
            ..Guard::default()
        };
        let Output::Guarded(answer) = study.memory().run(Input::Guard(guard))? else {
            return Err(Error::protocol("guard answered in another verb's form"));
        };
        if answer.verdict != Advice::Silent && answer.items.iter().any(|item| item.id == record.id) {
            return Ok(Says::Speaks);
        }
        match answer.silent.into_iter().find(|one| one.id == record.id) {
            // Another lesson came first at this call; at another it is this one's turn.
            Some(one) if one.reason == "limit" => return Ok(Says::Speaks),
            Some(one) => reason = one.reason,
            None => {}
        }
    }
    Ok(Says::Silent(reason))
}

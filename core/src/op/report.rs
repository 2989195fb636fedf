//! `report`: what was learned, what was shown, and what it changed, from the log of the last days.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::input::Report;
use super::output::{Effect, Interval, Output, Rate, ShownRecord};
use super::review::waiting_count;
use crate::change::{Change, Delta, Scalar};
use crate::env::{RecordId, Timestamp};
use crate::feedback::line;
use crate::record::{Counter, Kind, Status};
use crate::sort;
use crate::stat::difference;
use crate::step::LogQuery;

/// How many days are told where none are given.
const DAYS: u32 = 7;

pub(crate) struct ReportVerb(pub(crate) Report);

impl Decide for ReportVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let days = if self.0.days == 0 { DAYS } else { self.0.days };
        let until = cx.env.now;
        let since = Timestamp(until.0.saturating_sub(i64::from(days) * Timestamp::DAY));
        let log = cx.log(LogQuery { last: u32::MAX, ..LogQuery::default() })?;
        let mut effect = Effect { since, until, waiting: waiting_count(cx), ..Effect::default() };
        let mut shown: BTreeMap<RecordId, ShownRecord> = BTreeMap::new();
        for entry in log.iter().filter(|entry| entry.set.at > since) {
            effect.sessions += entry.set.runs.len() as u32;
            for change in &entry.set.changes {
                tell(change, &mut effect, &mut shown);
            }
        }
        effect.learned.retain(|&id| cx.view.get(id).is_some());
        effect.shown = listed(cx, shown);
        effect.effect = compared(effect.with, effect.without);
        Ok(Decision::answer(Output::Reported(effect)))
    }
}

fn tell(change: &Change, effect: &mut Effect, shown: &mut BTreeMap<RecordId, ShownRecord>) {
    match &change.delta {
        Delta::Create(record) if matches!(record.kind, Kind::Lesson | Kind::Feedback) => {
            effect.learned.push(record.id);
        }
        Delta::Remove(_)
        | Delta::Set { after: Scalar::Status(Status::Archived | Status::Retracted, _), .. } => {
            effect.left += 1;
        }
        Delta::Count { counter, by } => count(change.record, *counter, *by, effect, shown),
        _ => {}
    }
}

fn count(
    id: RecordId,
    counter: Counter,
    by: i64,
    effect: &mut Effect,
    shown: &mut BTreeMap<RecordId, ShownRecord>,
) {
    let add = |n: &mut u32| *n = i64::from(*n).saturating_add(by).clamp(0, i64::from(u32::MAX)) as u32;
    let record = shown.entry(id).or_insert_with(|| ShownRecord { id, ..ShownRecord::default() });
    match counter {
        Counter::Surfaced => add(&mut record.surfaced),
        Counter::Recurred => {
            add(&mut record.recurred);
            add(&mut effect.with.recurred);
            add(&mut effect.with.of);
        }
        Counter::Avoided => {
            add(&mut record.avoided);
            add(&mut effect.with.of);
        }
        Counter::RecurredWithheld => {
            add(&mut effect.without.recurred);
            add(&mut effect.without.of);
        }
        Counter::AvoidedWithheld => add(&mut effect.without.of),
        Counter::Followed => add(&mut record.followed),
        Counter::NotFollowed => add(&mut record.not_followed),
        Counter::Irrelevant => add(&mut record.irrelevant),
        Counter::Missed => add(&mut effect.missed),
        Counter::Withheld => {}
    }
}

fn listed(cx: &Context<'_>, shown: BTreeMap<RecordId, ShownRecord>) -> Vec<ShownRecord> {
    let mut out: Vec<ShownRecord> = shown.into_values().filter(|one| one.surfaced > 0).collect();
    for one in &mut out {
        one.text = cx.view.get(one.id).map(line).unwrap_or_default();
    }
    sort::sort_by_key(&mut out, |one| (core::cmp::Reverse(one.surfaced), one.id));
    out
}

fn compared(with: Rate, without: Rate) -> Option<Interval> {
    if with.of == 0 || without.of == 0 {
        return None;
    }
    let pair = |rate: Rate| (u64::from(rate.recurred), u64::from(rate.of));
    let (low, value, high) = difference(pair(without), pair(with));
    Some(Interval { low, value, high })
}

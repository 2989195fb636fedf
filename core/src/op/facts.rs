//! `facts`: what holds about a subject, now or on a day, and as it was believed on a day.
//!
//! Decides which facts are listed. `follow` goes from the values that were found to what is known about them.

use alloc::vec::Vec;

use super::believed::at_day;
use super::context::{Context, Decide, Decision, Stop};
use super::input::Facts;
use super::output::Output;
use crate::env::Timestamp;
use crate::fact::{holds_on, is_believed, predicate_name, shadow};
use crate::record::{Claim, Kind, Record, Scope};
use crate::sort;
use crate::text::{subject_key, value_key};
use crate::view::View;

pub(crate) struct FactsVerb(pub(crate) Facts);

impl Decide for FactsVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let past = at_day(cx, self.0.as_of, self.0.believed)?;
        let view = past.as_ref().unwrap_or(cx.view);
        let day = self.0.as_of.unwrap_or(cx.env.now);
        let mut found = self.about(view, day, &self.0.subject, &self.0.predicate);
        found.retain(|record| self.takes(record, day));
        for predicate in &self.0.follow {
            let claims = found.iter().filter_map(|one| one.claim.as_ref());
            let values = sort::set(claims.map(|claim| claim.object.clone()));
            found = values.iter().flat_map(|value| self.about(view, day, value, predicate)).collect();
        }
        sort::sort_by(&mut found, |a, b| order(a).cmp(&order(b)));
        found.dedup_by_key(|record| record.id);
        let total = found.len() as u32;
        let limit = if self.0.limit == 0 { usize::MAX } else { self.0.limit as usize };
        let records = found.into_iter().skip(self.0.offset as usize).take(limit).cloned().collect();
        Ok(Decision::answer(Output::Listed { records, total }))
    }
}

fn order(record: &Record) -> impl Ord + '_ {
    let claim =
        record.claim.as_deref().map(|claim: &Claim| (subject_key(&claim.subject), claim.predicate.as_str()));
    (claim, record.valid_from, record.text.as_str(), record.id)
}

impl FactsVerb {
    /// The facts about a subject, all where none is named, that are asked for by status, day and scope.
    fn about<'a>(&self, view: &'a View, day: Timestamp, subject: &str, predicate: &str) -> Vec<&'a Record> {
        let slots: Vec<u32> = match subject {
            "" => (0..view.slot_count()).collect(),
            subject => view.by_subject(&subject_key(subject)).to_vec(),
        };
        let is_asked = |slot: &u32| self.0.all || self.0.as_of.is_some() || view.brief(*slot).is_current;
        let facts = slots.into_iter().filter(is_asked).filter_map(|slot| view.record(slot));
        facts
            .filter(|record| record.kind == Kind::Fact && (predicate.is_empty() || says(record, predicate)))
            .filter(|record| self.0.all || self.holds(view, record, day))
            .filter(|record| {
                self.0.scope.as_ref().is_none_or(|scope| record.scope.applies_to(&scope.clone().normalised()))
            })
            .collect()
    }

    fn holds(&self, view: &View, record: &Record, day: Timestamp) -> bool {
        let is_history = self.0.as_of.is_some();
        let is_shadowed = || {
            let scope = self.0.scope.clone().map(Scope::normalised);
            scope.is_some_and(|scope| shadow(view, record, &scope, day, is_history).is_some())
        };
        is_believed(record, is_history) && holds_on(record, day) && !is_shadowed()
    }

    fn takes(&self, record: &Record, day: Timestamp) -> bool {
        let Facts { object, subtype, source, said_by, due, .. } = &self.0;
        let value = || record.claim.as_ref().map(|claim| value_key(&claim.object));
        (object.is_empty() || value() == Some(value_key(object)))
            && subtype.is_none_or(|subtype| record.subtype == subtype)
            && source.is_none_or(|source| record.source == source)
            && (said_by.is_empty() || record.supports.iter().any(|one| one.is_from(said_by)))
            && (!due || record.revalidate_after.is_some_and(|at| at <= day))
    }
}

fn says(record: &Record, predicate: &str) -> bool {
    let Some(claim) = record.claim.as_ref().filter(|claim| !claim.subject.is_empty()) else { return false };
    let name = predicate_name(predicate, "");
    name == predicate_name(&claim.predicate, "") || name == predicate_name(&claim.predicate, &claim.object)
}

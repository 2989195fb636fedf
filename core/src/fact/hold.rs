//! Whether a fact holds: on a day, and for a scope.
//!
//! Decides from a record's status, its time in the world and the narrower facts of the same topic. Reads nothing else.

use alloc::string::String;
use alloc::vec::Vec;

use super::topic::{end_of, is_standing, start_of};
use super::write::ENDED;
use crate::env::Timestamp;
use crate::record::{Kind, Record, Scope, ScopeKey, Status};
use crate::view::View;

/// Whether a record is part of what is believed of the world: what stands, and, where a day is asked for, what held
/// until something took its place or it ended.
pub(crate) fn is_believed(record: &Record, is_history: bool) -> bool {
    let is_past = match record.status {
        Status::Superseded => true,
        Status::Retracted => record.status_reason == ENDED,
        _ => false,
    };
    is_standing(record) || is_history && is_past && record.kind == Kind::Fact && record.valid_to.is_some()
}

/// Whether a fact holds on a day, as far as its own dates tell.
pub(crate) fn holds_on(record: &Record, day: Timestamp) -> bool {
    start_of(record) <= day && day < end_of(record)
}

/// The narrower fact of the same topic that applies to a query and holds on that day.
pub(crate) fn shadow<'a>(
    view: &'a View,
    record: &Record,
    scope: &Scope,
    day: Timestamp,
    is_history: bool,
) -> Option<&'a Record> {
    let claim = record.claim.as_ref().filter(|claim| !claim.subject.is_empty() && !claim.many)?;
    let narrower = subsets(scope).into_iter().filter(|one| is_narrower(one, &record.scope));
    narrower.flat_map(|one| view.by_key(&one, &record.key).map(|one| one.id).collect::<Vec<_>>()).find_map(
        |id| {
            let other = view.get(id)?;
            let fits = is_believed(other, is_history) && holds_on(other, day);
            let is_single =
                other.claim.as_ref().is_some_and(|other| !other.many && other.negated == claim.negated);
            (fits && is_single).then_some(other)
        },
    )
}

/// More keys are narrower; of as many, the later ones.
fn is_narrower(a: &Scope, b: &Scope) -> bool {
    let keys = |scope: &Scope| -> (usize, Vec<ScopeKey>) {
        (scope.len(), scope.iter().map(|(key, _)| key).collect())
    };
    keys(a) > keys(b)
}

/// Every scope that applies to a query.
fn subsets(scope: &Scope) -> Vec<Scope> {
    let pairs: Vec<(ScopeKey, String)> = scope.iter().map(|(key, value)| (key, value.into())).collect();
    let chosen = |mask: u32| {
        let fixed = pairs.iter().enumerate().filter(move |(at, _)| mask >> at & 1 == 1);
        fixed.fold(Scope::global(), |scope, (_, (key, value))| scope.with(*key, value))
    };
    (0..1u32 << pairs.len()).map(chosen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_of_a_query_and_which_is_narrower() {
        let query = Scope::global().with(ScopeKey::User, "u").with(ScopeKey::Repo, "r");
        assert_eq!(subsets(&query).len(), 4);
        assert!(subsets(&query).iter().all(|scope| scope.applies_to(&query)));
        let (user, repo) =
            (Scope::global().with(ScopeKey::User, "u"), Scope::global().with(ScopeKey::Repo, "r"));
        assert!(
            is_narrower(&repo, &user) && is_narrower(&query, &repo) && !is_narrower(&Scope::global(), &user)
        );
    }
}

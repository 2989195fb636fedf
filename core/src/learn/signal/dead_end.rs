//! Dead ends: several variants of a call, none of which worked.
//!
//! Decides what was varied in vain. Says nothing where a later call of the kind worked, or where the world and not
//! the call was at fault.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Failures, Remedy};
use crate::learn::draft::Strength;
use crate::learn::noise;
use crate::learn::run::{Run, leaves};
use crate::learn::template;
use crate::record::Subtype;
use crate::sort;

/// How many different tries without success make a dead end.
const TRIES: usize = 3;

/// "Do not try that again", where at least three different tries failed and none worked after them.
pub(super) fn remedy(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    let (first, last) = (*failures.calls.first()?, *failures.calls.last()?);
    let head = &run.calls[first].shape().head;
    let mut tries: Vec<String> =
        failures.calls.iter().map(|&call| run.calls[call].tool.args.to_string()).collect();
    sort::sort(&mut tries);
    tries.dedup();
    let repaired =
        run.calls.iter().skip(last + 1).any(|later| later.shape().head == *head && !later.failed());
    if tries.len() < TRIES || repaired || noise::is_benign(failures.signature) {
        return None;
    }
    let title = run.calls[first].title();
    let by_class = template::by_class(failures.signature, &title);
    let carried = by_class.filter(|(_, strength)| *strength == Strength::Named).map(|(advice, _)| advice);
    let text = carried.unwrap_or_else(|| {
        let reason = template::reason(failures.signature);
        template::dead_end(tries.len(), &varied(run, failures), &title, &reason)
    });
    Some(Remedy::new(Subtype::DeadEnd, Strength::Named, text))
}

/// What the tries differ in: one argument's key, or up to two flags.
fn varied(run: &Run<'_>, failures: &Failures<'_>) -> String {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut flags: BTreeMap<&str, usize> = BTreeMap::new();
    for &at in &failures.calls {
        let call = &run.calls[at];
        match call.line().and_then(|line| line.principal()) {
            Some(command) => {
                command.flags.iter().for_each(|flag| *flags.entry(flag).or_default() += 1);
            }
            None => leaves(&call.tool.args, &mut |key, value| {
                values.entry(key).or_default().insert(value);
            }),
        }
    }
    let mut keys = values.iter().filter(|(key, values)| values.len() >= TRIES && !key.is_empty());
    if let Some((key, _)) = keys.next().filter(|_| keys.next().is_none()) {
        return format!("`{key}`");
    }
    let some: Vec<String> = flags
        .iter()
        .filter(|(flag, count)| {
            **count < failures.calls.len() && flag.len() <= 24 && !super::is_override(flag)
        })
        .map(|(flag, _)| format!("`{flag}`"))
        .collect();
    if (1..=2).contains(&some.len()) { some.join(" and ") } else { String::new() }
}

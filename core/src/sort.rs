//! Sorting in one piece of code for all types where code has to be small.
//!
//! Decides nothing: the order is the caller's, and equals keep theirs. The library's own sorts are made anew for every
//! type, which in WebAssembly is a tenth of the engine; elsewhere they serve.

use alloc::collections::{BTreeMap, BTreeSet};
use core::cmp::Ordering;

/// Sorts; equals keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], order: impl FnMut(&T, &T) -> Ordering) {
    #[cfg(not(target_family = "wasm"))]
    items.sort_by(order);
    #[cfg(target_family = "wasm")]
    small::sort_by(items, order);
}

/// As [`sort_by`], by a key.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// As [`sort_by`], of values whose equals are the same.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    #[cfg(not(target_family = "wasm"))]
    items.sort_unstable();
    #[cfg(target_family = "wasm")]
    small::sort_by(items, T::cmp);
}

/// The set of what comes. The library sorts before it builds one, with code for every type.
pub(crate) fn set<T: Ord>(items: impl Iterator<Item = T>) -> BTreeSet<T> {
    let mut out = BTreeSet::new();
    out.extend(items);
    out
}

/// As [`set`], of keys with values; of equal keys the last stands.
pub(crate) fn map<K: Ord, V>(items: impl Iterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut out = BTreeMap::new();
    out.extend(items);
    out
}

/// The one sort: it orders places, and the values follow.
#[cfg(any(target_family = "wasm", test))]
mod small {
    use alloc::vec;
    use alloc::vec::Vec;
    use core::cmp::Ordering;

    /// Runs this long are sorted by insertion.
    const RUN: usize = 8;

    pub(super) fn sort_by<T>(items: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
        let mut places: Vec<u32> = (0..items.len() as u32).collect();
        merge_sort(&mut places, &mut |a, b| order(&items[a as usize], &items[b as usize]).is_lt());
        for start in 0..places.len() {
            let mut at = start;
            loop {
                let from = places[at] as usize;
                places[at] = at as u32;
                if from == start || from == at {
                    break;
                }
                items.swap(at, from);
                at = from;
            }
        }
    }

    fn merge_sort(places: &mut [u32], is_less: &mut dyn FnMut(u32, u32) -> bool) {
        for run in places.chunks_mut(RUN) {
            for end in 1..run.len() {
                let mut at = end;
                while at > 0 && is_less(run[at], run[at - 1]) {
                    run.swap(at, at - 1);
                    at -= 1;
                }
            }
        }
        let mut scratch = vec![0; places.len()];
        let mut width = RUN;
        while width < places.len() {
            for (pair, out) in places.chunks(2 * width).zip(scratch.chunks_mut(2 * width)) {
                let (left, right) = pair.split_at(width.min(pair.len()));
                merge(left, right, out, is_less);
            }
            places.copy_from_slice(&scratch);
            width *= 2;
        }
    }

    fn merge(left: &[u32], right: &[u32], out: &mut [u32], is_less: &mut dyn FnMut(u32, u32) -> bool) {
        let (mut left, mut right) = (left.iter(), right.iter());
        for out in out {
            *out = match (left.as_slice(), right.as_slice()) {
                ([a, ..], [b, ..]) if is_less(*b, *a) => *right.next().unwrap_or(b),
                ([], [b, ..]) => *right.next().unwrap_or(b),
                ([a, ..], _) => *left.next().unwrap_or(a),
                ([], []) => return,
            };
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn it_sorts_as_the_library_does(items in prop::collection::vec((0u8..9, any::<u16>()), 0..200)) {
                let (mut own, mut theirs) = (items.clone(), items);
                sort_by(&mut own, |a, b| a.0.cmp(&b.0));
                theirs.sort_by_key(|item| item.0);
                prop_assert_eq!(own, theirs);
            }
        }
    }
}

//! A small ordered set: what a record's lists are kept in.
//!
//! Decides nothing. One allocation of the elements' own size: a record has a handful of each, and a tree's node makes
//! room for eleven.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::ops::Deref;

use crate::sort;
use serde::{Deserialize, Deserializer, Serialize};

/// Distinct elements in ascending order, read as a slice.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Set<T>(Vec<T>);

impl<T> Set<T> {
    /// No elements.
    pub const fn new() -> Self {
        Self(Vec::new())
    }
}

impl<T: Ord> Set<T> {
    /// Puts an element in; returns whether it was not there.
    pub fn insert(&mut self, element: T) -> bool {
        let place = self.0.binary_search(&element);
        if let Err(at) = place {
            // One place at a time until there are some: most sets stay at one or two.
            if self.0.len() < 4 {
                self.0.reserve_exact(1);
            }
            self.0.insert(at, element);
        }
        place.is_err()
    }

    /// Takes an element out; returns whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let place = self.0.binary_search_by(|other| other.borrow().cmp(element));
        if let Ok(at) = place {
            self.0.remove(at);
        }
        place.is_ok()
    }

    /// Whether an element is there.
    pub fn contains<Q: Ord + ?Sized>(&self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.binary_search_by(|other| other.borrow().cmp(element)).is_ok()
    }

    /// Keeps the elements that `keep` says.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }

    /// Takes all elements out.
    pub fn clear(&mut self) {
        self.0 = Vec::new();
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for Set<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Ord> From<Vec<T>> for Set<T> {
    fn from(mut elements: Vec<T>) -> Self {
        sort::sort(&mut elements);
        elements.dedup();
        elements.shrink_to_fit();
        Self(elements)
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for Set<T> {
    fn from(elements: [T; N]) -> Self {
        Self::from(Vec::from(elements))
    }
}

impl<T: Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::from(elements.into_iter().collect::<Vec<T>>())
    }
}

impl<T: Ord> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        let mut all = core::mem::take(&mut self.0);
        all.extend(elements);
        *self = Self::from(all);
    }
}

impl<T> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = alloc::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'de, T: Ord + Deserialize<'de>> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_set(steps in prop::collection::vec((any::<bool>(), 0u8..12), 0..60)) {
            let (mut set, mut tree) = (Set::new(), BTreeSet::new());
            for (is_in, n) in steps {
                if is_in {
                    prop_assert_eq!(set.insert(n), tree.insert(n));
                } else {
                    prop_assert_eq!(set.remove(&n), tree.remove(&n));
                }
                prop_assert_eq!(set.contains(&n), tree.contains(&n));
            }
            prop_assert!(set.iter().eq(tree.iter()));
            let json = serde_json::to_string(&set).expect("a list");
            prop_assert_eq!(&json, &serde_json::to_string(&tree).expect("a list"));
            prop_assert_eq!(serde_json::from_str::<Set<u8>>(&json).expect("a list"), set.clone());
            let shuffled: Set<u8> = set.iter().rev().chain(&set).copied().collect();
            prop_assert_eq!(shuffled, set);
        }
    }
}

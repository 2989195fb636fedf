//! The dense index: decides which vectors are nearest to a query, exactly.
//!
//! One matrix of int8 rows, scanned whole; scores are those of [`Quantized::cosine`], so an index never ranks
//! differently from a comparison of two. Never mixes dimensions and never returns a vector without an opinion.

use alloc::vec::Vec;

use super::dot::{DotKernel, SafeKernel};
use super::quantized::{Quantized, scaled};
use crate::bytes::{Reader, put_u32};

/// A vector near the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// The slot it is kept in.
    pub slot: u32,
    /// Its cosine with the query in millionths.
    pub cosine: i32,
}

/// Vectors of one embedder by slot. Slots are numbered densely from 0.
///
/// An implementation may find its candidates as it likes, but scores them as [`Quantized::cosine`] does.
pub trait VectorIndex {
    /// Puts a vector into a slot. Returns whether it is kept: one of other dimensions than the first is not, and the
    /// slot is then empty.
    fn set(&mut self, slot: u32, vector: &Quantized) -> bool;

    /// Empties a slot.
    fn clear(&mut self, slot: u32);

    /// The `limit` nearest vectors that `filter` lets through, nearest first, ties by slot. None, when the query has
    /// no opinion or other dimensions.
    fn nearest(&self, query: &Quantized, limit: usize, filter: &dyn Fn(u32) -> bool) -> Vec<Neighbour>;
}

/// The exact scan over all slots.
#[derive(Debug, Clone, Default)]
pub struct FlatIndex<K = SafeKernel> {
    kernel: K,
    dims: usize,
    rows: Vec<i8>,
    inverses: Vec<u32>,
}

impl FlatIndex {
    /// An empty index with the portable kernel. The first vector sets the dimensions.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<K: DotKernel + Default> FlatIndex<K> {
    /// The index of so many slots in bytes of [`Self::to_bytes`].
    pub(crate) fn from_bytes(bytes: &[u8], slots: usize) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let dims = from.u32()? as usize;
        let mut inverses: Vec<u32> = from.words(slots)?.iter().copied().map(u32::from_le_bytes).collect();
        if dims == 0 {
            // The first vector has yet to set them.
            inverses.clear();
        }
        let rows = from.take(slots.checked_mul(dims)?)?.iter().map(|byte| byte.cast_signed()).collect();
        from.is_at_end().then(|| Self { kernel: K::default(), dims, rows, inverses })
    }
}

impl<K: DotKernel> FlatIndex<K> {
    /// An empty index with the host's kernel.
    pub fn with_kernel(kernel: K) -> Self {
        Self { kernel, dims: 0, rows: Vec::new(), inverses: Vec::new() }
    }

    /// How many vectors with an opinion there are.
    pub fn len(&self) -> usize {
        self.inverses.iter().filter(|&&inverse| inverse != 0).count()
    }

    /// Whether no slot holds a vector with an opinion.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The vector in a slot, unless it is empty or without an opinion.
    pub fn get(&self, slot: u32) -> Option<Quantized> {
        self.row(slot).map(|(components, inverse)| Quantized::from_parts(components, inverse))
    }

    /// Whether a slot holds a vector with an opinion.
    pub fn has(&self, slot: u32) -> bool {
        self.inverses.get(slot as usize).is_some_and(|&inverse| inverse != 0)
    }

    /// The cosine of two slots in millionths, where both hold a vector with an opinion.
    pub fn between(&self, a: u32, b: u32) -> Option<i32> {
        let (row_a, inverse_a) = self.row(a)?;
        let (row_b, inverse_b) = self.row(b)?;
        Some(scaled(self.kernel.dot(row_a, row_b), inverse_a, inverse_b))
    }

    fn row(&self, slot: u32) -> Option<(&[i8], u32)> {
        let inverse = self.inverses.get(slot as usize).copied().filter(|&inverse| inverse != 0)?;
        let start = slot as usize * self.dims;
        Some((self.rows.get(start..start + self.dims)?, inverse))
    }

    /// Makes `out` the cosine with every slot, in millionths: 0 for empty slots, for vectors without an opinion, and
    /// everywhere when the query has none or other dimensions.
    pub fn scan(&self, query: &Quantized, out: &mut Vec<i32>) {
        out.clear();
        if query.is_zero() || query.dims() != self.dims {
            out.resize(self.inverses.len(), 0);
            return;
        }
        out.reserve(self.inverses.len());
        self.kernel.dots(query.components(), &self.rows, out);
        for (score, &inverse) in out.iter_mut().zip(&self.inverses) {
            *score = scaled(*score, query.inverse(), inverse);
        }
    }

    /// The bytes of the index over these of its slots, which are numbered anew in this order.
    pub(crate) fn to_bytes(&self, slots: &[u32]) -> Vec<u8> {
        let mut out = Vec::new();
        put_u32(&mut out, self.dims as u32);
        for &slot in slots {
            put_u32(&mut out, self.inverses.get(slot as usize).copied().unwrap_or_default());
        }
        for &slot in slots {
            match self.row(slot) {
                Some((components, _)) => out.extend(components.iter().map(|x| x.cast_unsigned())),
                None => out.resize(out.len() + self.dims, 0),
            }
        }
        out
    }

    fn write(&mut self, slot: usize, components: &[i8], inverse: u32) {
        if slot >= self.inverses.len() {
            self.inverses.resize(slot + 1, 0);
            self.rows.resize((slot + 1) * self.dims, 0);
        }
        let start = slot * self.dims;
        if let Some(row) = self.rows.get_mut(start..start + self.dims) {
            row.copy_from_slice(components);
        }
        if let Some(place) = self.inverses.get_mut(slot) {
            *place = inverse;
        }
    }
}

impl<K: DotKernel> VectorIndex for FlatIndex<K> {
    fn set(&mut self, slot: u32, vector: &Quantized) -> bool {
        if self.inverses.is_empty() {
            self.dims = vector.dims();
        }
        let fits = vector.dims() == self.dims && self.dims > 0;
        if fits {
            self.write(slot as usize, vector.components(), vector.inverse());
        } else {
            self.clear(slot);
        }
        fits
    }

    fn clear(&mut self, slot: u32) {
        let start = slot as usize * self.dims;
        if let Some(inverse) = self.inverses.get_mut(slot as usize) {
            *inverse = 0;
            // A forgotten vector leaves no byte.
            self.rows.iter_mut().skip(start).take(self.dims).for_each(|x| *x = 0);
        }
    }

    fn nearest(&self, query: &Quantized, limit: usize, filter: &dyn Fn(u32) -> bool) -> Vec<Neighbour> {
        if query.is_zero() || query.dims() != self.dims {
            return Vec::new();
        }
        let mut scores = Vec::new();
        self.scan(query, &mut scores);
        let (mut found, mut floor) = (Vec::new(), i32::MIN);
        for (slot, (&cosine, &inverse)) in (0u32..).zip(scores.iter().zip(&self.inverses)) {
            // Slots ascend: a later one with the score of the last place comes behind it.
            if inverse == 0 || cosine <= floor || !filter(slot) {
                continue;
            }
            found.push(Neighbour { slot, cosine });
            if found.len() >= limit.saturating_mul(2).max(64) {
                best(&mut found, limit);
                floor = found.last().map_or(i32::MAX, |last| last.cosine);
            }
        }
        best(&mut found, limit);
        found
    }
}

/// Keeps the `limit` best, best first.
fn best(found: &mut Vec<Neighbour>, limit: usize) {
    let order = |a: &Neighbour, b: &Neighbour| b.cosine.cmp(&a.cosine).then(a.slot.cmp(&b.slot));
    if limit < found.len() {
        found.select_nth_unstable_by(limit, order);
        found.truncate(limit);
    }
    found.sort_unstable_by(order);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn one_size_only() {
        let mut index = FlatIndex::new();
        assert!(!index.set(0, &Quantized::of(&[])));
        assert!(index.set(1, &Quantized::of(&[1.0, 0.0])));
        assert!(!index.set(1, &Quantized::of(&[1.0])));
        assert!(index.is_empty());
        assert!(index.nearest(&Quantized::of(&[1.0, 0.0]), 5, &|_| true).is_empty());
        let mut out = vec![5];
        index.scan(&Quantized::of(&[1.0, 0.0, 0.0]), &mut out);
        assert_eq!(out, vec![0, 0]);
        assert!(index.set(1, &Quantized::of(&[0.0, 1.0])));
        assert_eq!(index.get(1), Some(Quantized::of(&[0.0, 1.0])));
        assert_eq!((index.get(0), index.get(9), index.len()), (None, None, 1));
        let none = FlatIndex::new().to_bytes(&[0, 1, 2]);
        let mut read: FlatIndex = FlatIndex::from_bytes(&none, 3).unwrap();
        assert!(read.is_empty() && read.set(2, &Quantized::of(&[0.0, 1.0])));
    }

    #[test]
    fn no_opinion_is_no_neighbour() {
        let mut index = FlatIndex::with_kernel(SafeKernel);
        index.set(0, &Quantized::of(&[0.0, 0.0]));
        index.set(1, &Quantized::of(&[0.0, 1.0]));
        let found = index.nearest(&Quantized::of(&[1.0, 0.0]), 5, &|_| true);
        assert_eq!(found, vec![Neighbour { slot: 1, cosine: 0 }]);
        assert!(index.nearest(&Quantized::of(&[0.0, 0.0]), 5, &|_| true).is_empty());
        index.clear(1);
        assert!(index.rows.iter().all(|&x| x == 0));
        index.clear(77);
    }

    #[test]
    fn the_best_of_many_are_found() {
        let mut index = FlatIndex::new();
        let angle = |n: u32| Quantized::of(&[(n % 97) as f32, 50.0, (n % 13) as f32]);
        (0..1000).for_each(|n| assert!(index.set(n, &angle(n))));
        let query = angle(40);
        let mut expected: Vec<Neighbour> = (0..1000)
            .filter(|n| n % 3 != 0)
            .map(|n| Neighbour { slot: n, cosine: query.cosine(&angle(n)) })
            .collect();
        expected.sort_by_key(|one| (-one.cosine, one.slot));
        for limit in [0, 1, 5, 40, 300, 2000] {
            let found = index.nearest(&query, limit, &|slot| slot % 3 != 0);
            assert_eq!(found, expected[..limit.min(expected.len())]);
        }
    }

    fn vector() -> impl Strategy<Value = Quantized> {
        prop::collection::vec(-2i8..=2, 20)
            .prop_map(|v| Quantized::of(&v.into_iter().map(f32::from).collect::<Vec<_>>()))
    }

    proptest! {
        #[test]
        fn the_scan_is_the_definition(
            steps in prop::collection::vec((0u32..15, prop::option::of(vector())), 1..60),
            query in vector(),
            limit in 0usize..20,
        ) {
            let mut index = FlatIndex::new();
            let mut now = vec![None; 15];
            for (slot, vector) in steps {
                match &vector {
                    Some(vector) => prop_assert!(index.set(slot, vector)),
                    None => index.clear(slot),
                }
                now[slot as usize] = vector;
            }
            let mut expected: Vec<Neighbour> = now.iter().enumerate()
                .filter_map(|(slot, v)| v.as_ref().filter(|v| !v.is_zero() && slot % 4 != 3).map(|v| (slot, v)))
                .map(|(slot, v)| Neighbour { slot: slot as u32, cosine: query.cosine(v) })
                .collect();
            expected.sort_by_key(|one| (-one.cosine, one.slot));
            expected.truncate(if query.is_zero() { 0 } else { limit });
            prop_assert_eq!(&index.nearest(&query, limit, &|slot| slot % 4 != 3), &expected);
            let slots: Vec<u32> = (0..15).collect();
            let saved = index.to_bytes(&slots);
            let read: FlatIndex = FlatIndex::from_bytes(&saved, 15).unwrap();
            prop_assert_eq!(read.nearest(&query, limit, &|slot| slot % 4 != 3), expected);
            prop_assert_eq!(&read.to_bytes(&slots), &saved);
            prop_assert!(FlatIndex::<SafeKernel>::from_bytes(&saved, 14).is_none());
        }
    }
}

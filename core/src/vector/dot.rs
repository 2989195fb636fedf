//! Dot products of int8 vectors: decides how they are computed, never what they are.
//!
//! Every kernel gives the same integers, so a host may plug in a faster one without moving a score.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use alloc::vec::Vec;
use core::fmt::Debug;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::{Wide, product};

/// Computes exact dot products of vectors with at most [`MAX_DIMS`](super::MAX_DIMS) components.
pub trait DotKernel: Debug + Send + Sync {
    /// The sum of the products of the components; the longer vector's rest counts as zeros.
    fn dot(&self, a: &[i8], b: &[i8]) -> i32;

    /// Appends to `out` the dot product of `query` with each row of `rows`, which lie one behind the other and are as
    /// long as the query. Of an empty query there are no rows.
    fn dots(&self, query: &[i8], rows: &[i8], out: &mut Vec<i32>) {
        out.extend(rows.chunks_exact(query.len().max(1)).map(|row| self.dot(query, row)));
    }
}

/// Safe Rust in a shape that compilers turn into multiply-and-add instructions.
#[derive(Debug, Clone, Copy, Default)]
pub struct SafeKernel;

impl DotKernel for SafeKernel {
    fn dot(&self, a: &[i8], b: &[i8]) -> i32 {
        let len = a.len().min(b.len());
        let (a, b) = (a.get(..len).unwrap_or_default(), b.get(..len).unwrap_or_default());
        single(a, b)
    }

    fn dots(&self, query: &[i8], rows: &[i8], out: &mut Vec<i32>) {
        let (blocks, rest) = query.as_chunks::<BLOCK>();
        let wide: Vec<Wide> = blocks.iter().map(Wide::of).collect();
        out.extend(rows.chunks_exact(query.len().max(1)).map(|row| {
            let (row, tail) = row.as_chunks::<BLOCK>();
            wide.chunks(PART).zip(row.chunks(PART)).map(|(wide, row)| product(wide, row)).sum::<i32>()
                + plain(rest, tail)
        }));
    }
}

/// Lanes of one sum where both vectors are read as they are.
const NARROW: usize = 8;
/// Lanes of one sum, and components of a block: two a lane. Two 16-bit products added into 32 bits are one instruction
/// on x86-64 (`pmaddwd`). Other shapes were measured up to eight times slower: look at the code before changing one.
const LANES: usize = 16;
const BLOCK: usize = 2 * LANES;
/// Blocks whose sum, 256 times over, fits 32 bits.
const PART: usize = 8;

/// A block of the query, widened once for all rows: its even and its odd components. Aligned, so that they are
/// multiplied where they lie.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[repr(align(16))]
struct Wide {
    even: [i16; LANES],
    odd: [i16; LANES],
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
impl Wide {
    fn of(block: &[i8; BLOCK]) -> Self {
        let (pairs, _) = block.as_chunks::<2>();
        let each = |at: usize| core::array::from_fn(|i| i16::from(pairs[i][at]));
        Self { even: each(0), odd: each(1) }
    }
}

/// The dot product of at most [`PART`] blocks.
///
/// Two components of a row are one 16-bit word. Shifted up, it is the first one, and without its low byte the
/// second one, both 256 times over: less work than to widen them, and the sum is divided in the end. Inlined, it would
/// not know that the query is aligned.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(never)]
fn product(query: &[Wide], row: &[[i8; BLOCK]]) -> i32 {
    let mut sums = [0i32; LANES];
    for (x, y) in query.iter().zip(row) {
        for i in 0..LANES {
            let word = i16::from_le_bytes([y[2 * i].cast_unsigned(), y[2 * i + 1].cast_unsigned()]);
            sums[i] += i32::from(x.even[i]) * i32::from(word << 8);
            sums[i] += i32::from(x.odd[i]) * i32::from(word & !0xff);
        }
    }
    sums.iter().sum::<i32>() / 256
}

/// The dot product of two equally long vectors, read as they are.
fn single(a: &[i8], b: &[i8]) -> i32 {
    let (blocks_a, rest_a) = a.as_chunks::<{ 2 * NARROW }>();
    let (blocks_b, rest_b) = b.as_chunks::<{ 2 * NARROW }>();
    let rest = plain(rest_a, rest_b);
    let mut sums = [0i32; NARROW];
    for (x, y) in blocks_a.iter().zip(blocks_b) {
        for i in 0..NARROW {
            sums[i] +=
                i32::from(x[i]) * i32::from(y[i]) + i32::from(x[i + NARROW]) * i32::from(y[i + NARROW]);
        }
    }
    rest + sums.iter().sum::<i32>()
}

fn plain(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::MAX_DIMS;
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[derive(Debug)]
    struct Plain;

    impl DotKernel for Plain {
        fn dot(&self, a: &[i8], b: &[i8]) -> i32 {
            a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum()
        }
    }

    #[test]
    fn the_longest_vectors_do_not_overflow() {
        let longest = vec![-128i8; MAX_DIMS];
        assert_eq!(SafeKernel.dot(&longest, &longest), 16_384 * MAX_DIMS as i32);
    }

    #[test]
    fn no_components() {
        let mut out = vec![];
        SafeKernel.dots(&[], &[], &mut out);
        Plain.dots(&[], &[], &mut out);
        assert!(out.is_empty());
        assert_eq!(SafeKernel.dot(&[], &[1]), 0);
    }

    proptest! {
        #[test]
        fn kernels_agree(
            a in prop::collection::vec(any::<i8>(), 0..600),
            b in prop::collection::vec(any::<i8>(), 0..1500),
        ) {
            prop_assert_eq!(SafeKernel.dot(&a, &b), Plain.dot(&a, &b));
            let rows = &b[..b.len() - b.len() % a.len().max(1)];
            let rows = if a.is_empty() { &[] } else { rows };
            let (mut fast, mut plain) = (vec![7], vec![7]);
            SafeKernel.dots(&a, rows, &mut fast);
            Plain.dots(&a, rows, &mut plain);
            prop_assert_eq!(fast, plain);
        }
    }
}

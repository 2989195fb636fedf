//! Dot products of int8 vectors: decides how they are computed, never what they are.
//!
//! Every kernel gives the same integers, so a host may plug in a faster one without moving a score.

use alloc::vec::Vec;
use core::fmt::Debug;

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
        product(a, b)
    }

    fn dots(&self, query: &[i8], rows: &[i8], out: &mut Vec<i32>) {
        // Widened once, the query saves a third of the work in each row.
        let wide: Vec<i16> = query.iter().map(|&x| i16::from(x)).collect();
        out.extend(rows.chunks_exact(wide.len().max(1)).map(|row| product(&wide, row)));
    }
}

/// Lanes of one sum. A block holds two components a lane: two 16-bit products added into 32 bits are one instruction
/// on x86-64 (`pmaddwd`) and WebAssembly (`i32x4.dot_i16x8_s`). Other shapes were measured two to four times slower.
const LANES: usize = 8;
const BLOCK: usize = 2 * LANES;

/// The dot product of two equally long vectors.
fn product<T: Copy + Into<i32>>(a: &[T], b: &[i8]) -> i32 {
    let (blocks_a, rest_a) = a.as_chunks::<BLOCK>();
    let (blocks_b, rest_b) = b.as_chunks::<BLOCK>();
    let mut sums = [0i32; LANES];
    for (x, y) in blocks_a.iter().zip(blocks_b) {
        for i in 0..LANES {
            sums[i] += x[i].into() * i32::from(y[i]) + x[i + LANES].into() * i32::from(y[i + LANES]);
        }
    }
    let rest: i32 = rest_a.iter().zip(rest_b).map(|(&x, &y)| x.into() * i32::from(y)).sum();
    sums.iter().sum::<i32>() + rest
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
            a in prop::collection::vec(any::<i8>(), 0..70),
            b in prop::collection::vec(any::<i8>(), 0..300),
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

//! Dot products with the instructions of WebAssembly: a build for size makes none of them out of a loop.
//!
//! Decides how they are computed, and never what they are: the module above says what that is.

use core::arch::wasm32::{
    i16x8, i16x8_shl, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, u64x2, v128,
    v128_and,
};

use super::BLOCK;

/// Words of one register.
const WORDS: usize = 8;

/// A block of the query, widened once for all rows: its even and its odd components.
pub(super) struct Wide {
    even: [v128; 2],
    odd: [v128; 2],
}

impl Wide {
    pub(super) fn of(block: &[i8; BLOCK]) -> Self {
        let word = |half: usize, i: usize, at: usize| i16::from(block[2 * (WORDS * half + i) + at]);
        let words = |half: usize, at: usize| {
            let [a, b, c, d, e, f, g, h] = core::array::from_fn(|i| word(half, i, at));
            i16x8(a, b, c, d, e, f, g, h)
        };
        Self { even: [words(0, 0), words(1, 0)], odd: [words(0, 1), words(1, 1)] }
    }
}

/// The dot product of at most [`PART`](super::PART) blocks, as the portable one computes it.
#[inline(never)]
pub(super) fn product(query: &[Wide], row: &[[i8; BLOCK]]) -> i32 {
    let high = i16x8_splat(!0xff);
    let mut sums = i32x4_splat(0);
    for (x, y) in query.iter().zip(row) {
        let (quarters, _) = y.as_chunks::<8>();
        for half in 0..2 {
            let [low, up] = [quarters[2 * half], quarters[2 * half + 1]]
                .map(|part| u64::from_le_bytes(part.map(i8::cast_unsigned)));
            let words = u64x2(low, up);
            sums = i32x4_add(sums, i32x4_dot_i16x8(x.even[half], i16x8_shl(words, 8)));
            sums = i32x4_add(sums, i32x4_dot_i16x8(x.odd[half], v128_and(words, high)));
        }
    }
    let lanes = i32x4_extract_lane::<0>(sums) + i32x4_extract_lane::<1>(sums);
    (lanes + i32x4_extract_lane::<2>(sums) + i32x4_extract_lane::<3>(sums)) / 256
}

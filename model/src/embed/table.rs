//! The AMT1 table, read in place: sorted tokens, one scale and one row of small integers each.
//!
//! Decides what is a valid table and which token is the longest at the start of a key. Never copies a row and never
//! panics: outside its bytes there are only zeros.

use crate::{Corrupt, le};
use core::cmp::Ordering;

const HEADER: u64 = 24;
const MAX_DIMS: u32 = 65_536;

/// A view of an AMT1 file; the layout is in `FORMAT.md`.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    rows: usize,
    dims: usize,
    /// Bits of one value, 4 or 8.
    bits: u32,
    offsets: &'a [u8],
    tokens: &'a [u8],
    scales: &'a [u8],
    values: &'a [u8],
}

impl<'a> Table<'a> {
    /// Reads a table and checks all of it: sizes, order and text of its tokens, and that its scales are finite.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Corrupt> {
        let table = Self::open(bytes)?;
        table.check_tokens()?;
        if (0..table.rows).any(|row| !table.scale(row).is_finite()) {
            return Err(Corrupt("a scale is not a finite number"));
        }
        Ok(table)
    }

    /// Reads a table and checks its sizes only, in constant time; for bytes that were parsed before.
    pub const fn open(bytes: &'a [u8]) -> Result<Self, Corrupt> {
        if le::u32_at(bytes, 0) != u32::from_le_bytes(*b"AMT1") {
            return Err(Corrupt("not an AMT1 table"));
        }
        let (rows, dims, text) = (le::u32_at(bytes, 4), le::u32_at(bytes, 8), le::u32_at(bytes, 12));
        let bits = le::u32_at(bytes, 20);
        if dims == 0 || dims > MAX_DIMS || !dims.is_multiple_of(2) || (bits != 4 && bits != 8) {
            return Err(Corrupt("unknown shape"));
        }
        // With dims and bits bounded, nothing below can overflow 64 bits; equal lengths make it fit the address space.
        let tokens = HEADER + 4 * (rows as u64 + 1);
        let scales = (tokens + text as u64).next_multiple_of(4);
        let values = scales + 4 * rows as u64;
        if bytes.len() as u64 != values + rows as u64 * (dims as u64 * bits as u64 / 8) {
            return Err(Corrupt("its length differs from its header"));
        }
        let (head, values) = bytes.split_at(values as usize);
        let (head, scales) = head.split_at(scales as usize);
        let (head, padded) = head.split_at(tokens as usize);
        let (_, offsets) = head.split_at(HEADER as usize);
        let (tokens, _) = padded.split_at(text as usize);
        Ok(Self { rows: rows as usize, dims: dims as usize, bits, offsets, tokens, scales, values })
    }

    /// The number of dimensions, 2 to 65,536, even.
    pub const fn dims(&self) -> usize {
        self.dims
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The bytes of one row's token; empty for a row that does not exist.
    #[inline]
    pub fn token(&self, row: usize) -> &'a [u8] {
        self.tokens.get(self.offset(row)..self.offset(row.saturating_add(1))).unwrap_or_default()
    }

    /// The longest token with which `key` starts: its row and its length, which is at least 1.
    pub fn longest_prefix(&self, key: &[u8]) -> Option<(usize, usize)> {
        let (mut key, mut end) = (key, self.rows);
        while !key.is_empty() {
            let row = self.tokens_up_to(key, end).checked_sub(1)?;
            let token = self.token(row);
            let shared = token.iter().zip(key).take_while(|(a, b)| a == b).count();
            if shared == token.len() {
                return (shared > 0).then_some((row, shared));
            }
            // Tokens are sorted, so a longer shared start than with this neighbour cannot occur.
            key = &key[..shared];
            end = row;
        }
        None
    }

    /// Adds one row to `out`; dimensions that `out` lacks are left out.
    pub(crate) fn add_row(&self, row: usize, out: &mut [f32]) {
        let scale = self.scale(row);
        let size = self.dims * self.bits as usize / 8;
        let values = self.values.get(row * size..(row + 1) * size).unwrap_or_default();
        if self.bits == 8 {
            for (slot, &value) in out.iter_mut().zip(values) {
                *slot += scale * f32::from(value.cast_signed());
            }
        } else {
            for (pair, &value) in out.chunks_exact_mut(2).zip(values) {
                pair[0] += scale * nibble(value & 15);
                pair[1] += scale * nibble(value >> 4);
            }
        }
    }

    /// How many of the first `end` tokens are not greater than `key`.
    fn tokens_up_to(&self, key: &[u8], end: usize) -> usize {
        let (mut low, mut high) = (0, end);
        while low < high {
            let middle = low.midpoint(high);
            if self.token(middle).cmp(key) == Ordering::Greater {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    fn check_tokens(&self) -> Result<(), Corrupt> {
        if self.offset(0) != 0 || self.offset(self.rows) != self.tokens.len() {
            return Err(Corrupt("its tokens do not fill their place"));
        }
        let mut before: &[u8] = b"";
        for row in 0..self.rows {
            let token = self.token(row);
            if token <= before || core::str::from_utf8(token).is_err() {
                return Err(Corrupt("its tokens are not sorted texts"));
            }
            before = token;
        }
        Ok(())
    }

    #[inline]
    fn offset(&self, row: usize) -> usize {
        le::u32_at(self.offsets, row.saturating_mul(4)) as usize
    }

    fn scale(&self, row: usize) -> f32 {
        f32::from_le_bytes(le::chunk(self.scales, row.saturating_mul(4)))
    }
}

/// A 4-bit value, -8 to 7.
#[inline]
fn nibble(bits: u8) -> f32 {
    f32::from(bits.cast_signed() - 8)
}

//! The table of merge pairs, read in place: which two tokens make which third.
//!
//! Decides what is a valid table and answers one question about it. Never panics: outside its bytes there are only
//! zeros, and a merged id that is not larger than its parts does not count as a merge.

use crate::{Corrupt, le};

const HEADER: u64 = 20;
const BYTES: u64 = 256;
/// One group of the left set: 64 bits and a 16-bit count.
const GROUP: u64 = 10;
const ID_BITS: u32 = 18;
/// Room for the last 8-byte read.
const SLACK: u64 = 8;

/// A view of a pair table; the layout is in `FORMAT.md`.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a> {
    ids: u32,
    rows: u32,
    count: u32,
    longest: u32,
    byte_ids: &'a [u8],
    lefts: &'a [u8],
    /// From the row starts to the end of the file.
    starts: &'a [u8],
    /// From the entries to the end of the file.
    entries: &'a [u8],
}

impl<'a> Pairs<'a> {
    /// Reads a table and checks all of it: sizes, counts, the order of its rows, and every id.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Corrupt> {
        let table = Self::open(bytes)?;
        if (0..=255).any(|byte| table.byte_id(byte) >= table.ids) {
            return Err(Corrupt("a byte has no id"));
        }
        table.check_lefts()?;
        table.check_starts()?;
        (0..table.ids).try_for_each(|left| table.check_row(left))?;
        Ok(table)
    }

    /// Reads a table and checks its sizes only, in constant time; for bytes that were parsed before.
    pub const fn open(bytes: &'a [u8]) -> Result<Self, Corrupt> {
        if le::u32_at(bytes, 0) != u32::from_le_bytes(*b"BPR1") {
            return Err(Corrupt("not a pair table"));
        }
        let (ids, rows) = (le::u32_at(bytes, 4), le::u32_at(bytes, 8));
        let (pairs, longest) = (le::u32_at(bytes, 12), le::u32_at(bytes, 16));
        // Every token is a byte or one merge.
        if ids > 1 << ID_BITS || ids as u64 != pairs as u64 + BYTES || rows > pairs || longest == 0 {
            return Err(Corrupt("unknown shape"));
        }
        let lefts = HEADER + 4 * BYTES;
        let starts = lefts + GROUP * (ids as u64).div_ceil(64);
        let entries = starts + packed_len(rows as u64 + 1, ID_BITS);
        if bytes.len() as u64 != entries + packed_len(pairs as u64, 2 * ID_BITS) + SLACK {
            return Err(Corrupt("its length differs from its header"));
        }
        let (_, body) = bytes.split_at(HEADER as usize);
        let (byte_ids, body) = body.split_at(4 * BYTES as usize);
        let (lefts, starts_on) = body.split_at((starts - lefts) as usize);
        let (_, entries_on) = starts_on.split_at((entries - starts) as usize);
        Ok(Self { ids, rows, count: pairs, longest, byte_ids, lefts, starts: starts_on, entries: entries_on })
    }

    /// The length of the longest token in bytes, at least 1.
    pub const fn longest(&self) -> usize {
        self.longest as usize
    }

    /// The token of one byte.
    #[inline]
    pub fn byte_id(&self, byte: u8) -> u32 {
        le::u32_at(self.byte_ids, usize::from(byte) * 4)
    }

    /// The token that `left` and `right` make together. Its id is its rank: the smallest merges first.
    #[inline]
    pub fn merged(&self, left: u32, right: u32) -> Option<u32> {
        let (mut low, end) = self.bounds(self.row(left)?);
        // Rights are distinct and sorted: before this one there are no more of them than smaller ids.
        let mut high = end.min(low + right as usize + 1);
        while low < high {
            let middle = low.midpoint(high);
            let (found, merged) = self.entry(middle);
            if found == right {
                return (merged > left && merged > right).then_some(merged);
            }
            if found < right {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        None
    }

    /// The row of the pairs that start with `left`.
    #[inline]
    fn row(&self, left: u32) -> Option<usize> {
        let (bits, before) = self.group(left as usize / 64);
        let bit = 1u64 << (left % 64);
        (bits & bit != 0).then(|| before + (bits & (bit - 1)).count_ones() as usize)
    }

    #[inline]
    fn group(&self, at: usize) -> (u64, usize) {
        let group = le::chunk::<{ GROUP as usize }>(self.lefts, at * GROUP as usize);
        let before = u16::from_le_bytes([group[8], group[9]]);
        (u64::from_le_bytes(le::chunk(&group, 0)), usize::from(before))
    }

    /// Where the entries of a row start and end.
    #[inline]
    fn bounds(&self, row: usize) -> (usize, usize) {
        (self.start(row), self.start(row + 1).min(self.count as usize))
    }

    #[inline]
    fn start(&self, row: usize) -> usize {
        le::packed(self.starts, row, ID_BITS) as usize
    }

    /// The right id and the merged id of one pair.
    #[inline]
    fn entry(&self, at: usize) -> (u32, u32) {
        let entry = le::packed(self.entries, at, 2 * ID_BITS);
        ((entry >> ID_BITS) as u32, (entry & ((1 << ID_BITS) - 1)) as u32)
    }

    fn check_lefts(&self) -> Result<(), Corrupt> {
        let mut rows = 0;
        for at in 0..(self.ids as usize).div_ceil(64) {
            let (bits, before) = self.group(at);
            if before != rows {
                return Err(Corrupt("its rows are miscounted"));
            }
            rows += bits.count_ones() as usize;
        }
        let past_the_last = self.ids..self.ids.next_multiple_of(64);
        if rows != self.rows as usize || past_the_last.into_iter().any(|id| self.row(id).is_some()) {
            return Err(Corrupt("its rows are miscounted"));
        }
        Ok(())
    }

    fn check_starts(&self) -> Result<(), Corrupt> {
        let rows = self.rows as usize;
        let rising = (0..rows).all(|row| self.start(row) < self.start(row + 1));
        if self.start(0) != 0 || !rising || self.start(rows) != self.count as usize {
            return Err(Corrupt("its rows are out of order"));
        }
        Ok(())
    }

    fn check_row(&self, left: u32) -> Result<(), Corrupt> {
        let Some(row) = self.row(left) else { return Ok(()) };
        let mut next = 0;
        for at in self.start(row)..self.start(row + 1) {
            let (right, merged) = self.entry(at);
            if right < next || merged <= left.max(right) || merged >= self.ids {
                return Err(Corrupt("a pair is out of order"));
            }
            next = right + 1;
        }
        Ok(())
    }
}

/// The bytes that `count` numbers of `width` bits take.
const fn packed_len(count: u64, width: u32) -> u64 {
    (count * width as u64).div_ceil(8)
}

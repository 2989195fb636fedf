//! The ranks of pairs, with those that were looked up a moment ago.
//!
//! Decides nothing: every rank is the table's. The same letters meet in most words, and to look at one place is cheaper
//! than to search a row.

use super::Pairs;

/// The rank of a pair that does not merge, and the position of a neighbour that does not exist.
pub(super) const NONE: u32 = u32::MAX;

/// How many pairs are kept, each at a place of its own.
const ROOM: usize = 512;

/// A table of pairs, and what it has answered of late.
pub(super) struct Ranks<'a> {
    pairs: &'a Pairs<'a>,
    /// Left, right and their rank; no token is [`NONE`].
    seen: [(u32, u32, u32); ROOM],
}

impl<'a> Ranks<'a> {
    pub(super) fn new(pairs: &'a Pairs<'a>) -> Self {
        Self { pairs, seen: [(NONE, NONE, NONE); ROOM] }
    }

    #[inline]
    pub(super) fn byte_id(&self, byte: u8) -> u32 {
        self.pairs.byte_id(byte)
    }

    /// The rank of a pair, which is also the id of what it makes; [`NONE`] where it does not merge.
    #[inline]
    pub(super) fn of(&mut self, left: u32, right: u32) -> u32 {
        let mixed = (left.wrapping_mul(0x9e37_79b9) ^ right).wrapping_mul(0x85eb_ca6b);
        let place = &mut self.seen[(mixed >> 16) as usize % ROOM];
        if (place.0, place.1) != (left, right) {
            *place = (left, right, self.pairs.merged(left, right).unwrap_or(NONE));
        }
        place.2
    }
}

//! The class of a character: which parts of the splitting pattern it can match.
//!
//! Decides by the table `data/classes.bin`, which is made from the Unicode tables. Never holds a list of its own.

use crate::{Corrupt, le};

/// A set of classes, one bit each; the class of one character is a set of one.
pub(super) type Set = u8;

/// Anything that is in no other class: punctuation, symbols, controls, unassigned characters.
pub(super) const OTHER: Set = 1;
/// Upper case and title case letters.
pub(super) const UPPER: Set = 1 << 1;
/// Lower case letters.
pub(super) const LOWER: Set = 1 << 2;
/// Letters without case, and modifier letters.
pub(super) const CASELESS: Set = 1 << 3;
/// Combining marks.
pub(super) const MARK: Set = 1 << 4;
/// Numbers of all kinds.
pub(super) const NUMBER: Set = 1 << 5;
/// White space but for the two of [`NEWLINE`].
pub(super) const SPACE: Set = 1 << 6;
/// Carriage return and line feed.
pub(super) const NEWLINE: Set = 1 << 7;

const BLOCK: usize = 128;
const CLASS_BITS: usize = 3;
const HEADER: usize = 12;

static TABLE: Classes<'static> = match Classes::open(include_bytes!("../../data/classes.bin")) {
    Ok(table) => table,
    Err(_) => panic!("data/classes.bin is not a class table"),
};

static ASCII: [Set; BLOCK] = {
    let (mut sets, mut at) = ([0; BLOCK], 0);
    while at < BLOCK {
        sets[at] = TABLE.of(at as u32);
        at += 1;
    }
    sets
};

/// The class of the character that starts at byte `at`, and where the next one starts. No class at the end.
#[inline]
pub(super) fn class_at(text: &str, at: usize) -> (Set, usize) {
    match text.as_bytes().get(at) {
        Some(&byte) if byte < 128 => (ASCII[usize::from(byte)], at + 1),
        Some(_) => wide_class_at(text, at),
        None => (0, at),
    }
}

fn wide_class_at(text: &str, at: usize) -> (Set, usize) {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(c) => (TABLE.of(u32::from(c)), at + c.len_utf8()),
        None => (0, at),
    }
}

/// Where the run of characters of `set` that starts at `at` ends.
#[inline]
pub(super) fn run_end(text: &str, mut at: usize, set: Set) -> usize {
    loop {
        let (class, next) = class_at(text, at);
        if class & set == 0 {
            return at;
        }
        at = next;
    }
}

/// A two-stage table of classes; the layout is in `FORMAT.md`.
struct Classes<'a> {
    index: &'a [u8],
    blocks: &'a [u8],
}

impl<'a> Classes<'a> {
    const fn open(bytes: &'a [u8]) -> Result<Self, Corrupt> {
        if le::u32_at(bytes, 0) != u32::from_le_bytes(*b"CLS1") {
            return Err(Corrupt("not a class table"));
        }
        let (entries, blocks) = (le::u32_at(bytes, 4) as u64, le::u32_at(bytes, 8) as u64);
        let size = (BLOCK * CLASS_BITS / 8) as u64;
        if entries == 0 || bytes.len() as u64 != HEADER as u64 + entries + blocks * size {
            return Err(Corrupt("its length differs from its header"));
        }
        let (_, body) = bytes.split_at(HEADER);
        let (index, blocks) = body.split_at(entries as usize);
        Ok(Self { index, blocks })
    }

    /// Code points past the index are like its last block.
    const fn of(&self, code: u32) -> Set {
        let (block, last) = (code as usize / BLOCK, self.index.len() - 1);
        let block = self.index[if block < last { block } else { last }] as usize;
        let bit = (block * BLOCK + code as usize % BLOCK) * CLASS_BITS;
        let low = le::chunk::<1>(self.blocks, bit / 8)[0];
        let high = le::chunk::<1>(self.blocks, bit / 8 + 1)[0];
        1 << ((u16::from_le_bytes([low, high]) >> (bit % 8)) & 7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(c: char) -> Set {
        class_at(c.encode_utf8(&mut [0; 4]), 0).0
    }

    #[test]
    fn one_character_of_each_class() {
        let seen = ['!', 'A', 'a', '世', '\u{301}', '५', '\u{a0}', '\n'].map(class);
        assert_eq!(seen, [OTHER, UPPER, LOWER, CASELESS, MARK, NUMBER, SPACE, NEWLINE]);
        assert_eq!(
            ['\u{1c5}', '\u{2b0}', '½', '\u{e0100}', '\u{10ffff}', '😀'].map(class),
            [UPPER, CASELESS, NUMBER, MARK, OTHER, OTHER]
        );
    }

    #[test]
    fn the_standard_library_agrees_on_white_space() {
        let differs = |&c: &char| c.is_whitespace() != (class(c) & (SPACE | NEWLINE) != 0);
        assert_eq!(('\0'..=char::MAX).find(differs), None);
    }

    #[test]
    fn a_table_of_the_wrong_length_is_refused() {
        let bytes = include_bytes!("../../data/classes.bin");
        assert!(Classes::open(&bytes[..bytes.len() - 1]).is_err());
        assert!(Classes::open(b"CLS1").is_err());
        assert!(Classes::open(b"").is_err());
    }
}

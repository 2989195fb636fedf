//! A text as a bag of hashed terms: what the lexical index holds of a document.
//!
//! Decides how a term is named and counted. Keeps no text and no order of words.

use alloc::vec::Vec;

use super::normal::each_term;
use crate::sort;

/// Repeats of a term count up to here.
pub(super) const TIMES_MAX: u8 = 15;

/// The [`terms`](super::terms) of a text, each by its hash. Should two words ever share one, they count as one word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bag {
    /// How many terms the text has, repeats counted; at most `u16::MAX`.
    pub length: u16,
    /// Each distinct term with how often it occurs, at least once and at most 15 times, in the order of hashes.
    pub terms: Vec<(u64, u8)>,
}

impl Bag {
    /// The bag of a text.
    pub fn of(text: &str) -> Self {
        Self::of_all(core::iter::once(text))
    }

    /// The bag of several texts, as long as the longest of them: to be told in many ways makes a document no harder to
    /// find.
    pub fn of_all<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let (mut hashes, mut longest): (Vec<u64>, usize) = (Vec::new(), 0);
        for text in texts {
            let before = hashes.len();
            each_term(text, &mut |term| hashes.push(term_hash(term)));
            longest = longest.max(hashes.len() - before);
        }
        sort::sort(&mut hashes);
        let times = |run: &[u64]| u8::try_from(run.len()).unwrap_or(TIMES_MAX).min(TIMES_MAX);
        let terms = hashes.chunk_by(u64::eq).filter_map(|run| Some((*run.first()?, times(run)))).collect();
        Self { length: u16::try_from(longest).unwrap_or(u16::MAX), terms }
    }
}

/// FNV-1a with its bits mixed once more, because tables take some from each end.
pub(crate) fn term_hash(term: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325u64;
    let hash = term.bytes().fold(start, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_counted_up_to_a_limit() {
        let bag = Bag::of(&["beta ", &"alpha ".repeat(40)].concat());
        assert_eq!(bag.length, 41);
        let mut times: Vec<u8> = bag.terms.iter().map(|(_, times)| *times).collect();
        times.sort_unstable();
        assert_eq!(times, [1, TIMES_MAX]);
        assert!(bag.terms.is_sorted());
        assert_eq!(Bag::of(" the "), Bag::default());
    }
}

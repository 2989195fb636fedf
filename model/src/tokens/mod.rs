//! Counts o200k tokens exactly, from a table of merge pairs read in place.
//!
//! Decides how many tokens a text has. Never produces the tokens, and gives special tokens no meaning:
//! `<|endoftext|>` is ordinary text.

mod class;
mod merge;
mod pairs;
mod ranks;
mod split;

pub use pairs::Pairs;

use hardwon_core::text::TokenCounter;
use ranks::Ranks;

/// The name of the tokenizer whose counts these are.
const NAME: &str = "o200k_base";

#[cfg(feature = "tokens")]
static BUILTIN: TableCounter<'static> = match Pairs::open(include_bytes!("../../data/o200k.bin")) {
    Ok(pairs) => TableCounter::new(pairs),
    Err(_) => panic!("data/o200k.bin is not a pair table"),
};

/// The exact counter of the `o200k_base` tokenizer, over the table linked in.
#[cfg(feature = "tokens")]
#[derive(Debug, Clone, Copy, Default)]
pub struct O200kCounter;

#[cfg(feature = "tokens")]
impl TokenCounter for O200kCounter {
    fn name(&self) -> &'static str {
        NAME
    }

    fn count(&self, text: &str) -> usize {
        BUILTIN.count(text)
    }

    fn exceeds(&self, text: &str, cap: usize) -> bool {
        BUILTIN.exceeds(text, cap)
    }
}

/// The same counter over a table that the host has loaded: `data/o200k.bin`, byte for byte.
#[derive(Debug, Clone, Copy)]
pub struct TableCounter<'a> {
    pairs: Pairs<'a>,
}

impl<'a> TableCounter<'a> {
    /// A counter over these pairs.
    pub const fn new(pairs: Pairs<'a>) -> Self {
        Self { pairs }
    }
}

impl TokenCounter for TableCounter<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn count(&self, text: &str) -> usize {
        let mut seen = Seen::new(&self.pairs);
        pieces(text).map(|piece| seen.count(piece)).sum()
    }

    /// The work is bounded by `cap`, not by the text: no token is longer than the table's longest.
    fn exceeds(&self, text: &str, cap: usize) -> bool {
        if text.len() <= cap {
            return false;
        }
        if text.len() > cap.saturating_mul(self.pairs.longest()) {
            return true;
        }
        let (mut left, mut seen) = (cap, Seen::new(&self.pairs));
        for piece in pieces(text) {
            match left.checked_sub(seen.count(piece)) {
                Some(rest) => left = rest,
                None => return true,
            }
        }
        false
    }
}

/// How many pieces are remembered, each at a place of its own.
const ROOM: usize = 256;

/// Pieces that were counted a moment ago: texts repeat their words, and to look at one is cheaper than to merge it.
struct Seen<'a> {
    counts: [(&'a str, usize); ROOM],
    ranks: Ranks<'a>,
}

impl<'a> Seen<'a> {
    fn new(pairs: &'a Pairs<'a>) -> Self {
        Self { counts: [("", 0); ROOM], ranks: Ranks::new(pairs) }
    }

    fn count(&mut self, piece: &'a str) -> usize {
        let hash = piece
            .bytes()
            .fold(piece.len(), |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)));
        let place = &mut self.counts[hash % ROOM];
        if place.0 != piece {
            *place = (piece, merge::count(&mut self.ranks, piece.as_bytes()));
        }
        place.1
    }
}

/// The pieces of `text` in order; joined they are the text. No token reaches over the end of a piece.
pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let (piece, tail) = rest.split_at_checked(split::piece_end(rest))?;
        rest = tail;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The number of tokens of one piece in the vocabulary of `pairs`; a piece is shorter than 4 GiB.
pub fn count_piece(pairs: &Pairs<'_>, piece: &str) -> usize {
    merge::count(&mut Ranks::new(pairs), piece.as_bytes())
}

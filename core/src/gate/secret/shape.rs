//! Token shapes: a literal head, then runs of byte classes.
//!
//! Decides whether a token of one shape stands at a place. A failed try costs a bounded look, a match moves the scan
//! behind it: linear on any input. Never decides what the shape means: that is its row.

use core::ops::Range;

use super::class::{Class, run, starts_word};
use super::value;

/// Bytes of an open-ended run that are looked at before the shape is accepted.
const LOOK: usize = 256;

/// One part of a token after its head.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// A run of a class, from the first to the second length; a second length of 0 means without end.
    Run(Class, usize, usize),
    /// These very bytes.
    Text(&'static str),
}

/// A run of at least `min` bytes.
pub(super) const fn at_least(min: usize, class: Class) -> Part {
    Part::Run(class, min, 0)
}

/// A run of `min` to `max` bytes, and no more behind it.
pub(super) const fn between(min: usize, max: usize, class: Class) -> Part {
    Part::Run(class, min, max)
}

/// A run of `length` bytes, and no more behind it.
pub(super) const fn exactly(length: usize, class: Class) -> Part {
    Part::Run(class, length, length)
}

/// One row of the vendor table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) kind: &'static str,
    pub(super) head: &'static str,
    pub(super) parts: &'static [Part],
    /// What must stand before the head, as a run of a class between two lengths.
    pub(super) behind: Option<(Class, usize, usize)>,
    /// Whether the head is a name that stays, such as `AccountKey=`.
    named: bool,
    /// Whether the head is too short to speak for itself, so that the body must look like chance.
    weak: bool,
}

/// A token that begins with `head`.
pub(super) const fn shape(kind: &'static str, head: &'static str, parts: &'static [Part]) -> Shape {
    Shape { kind, head, parts, behind: None, named: false, weak: false }
}

impl Shape {
    /// The head stays: only what follows is the secret.
    pub(super) const fn named(self) -> Self {
        Self { named: true, ..self }
    }

    /// The body must hold digits and letters: the head alone proves nothing.
    pub(super) const fn weak(self) -> Self {
        Self { weak: true, ..self }
    }

    /// The head stands inside the token, behind `min` to `max` bytes of `class`.
    pub(super) const fn behind(self, min: usize, max: usize, class: Class) -> Self {
        Self { behind: Some((class, min, max)), ..self }
    }

    fn at(&self, bytes: &[u8], at: usize) -> Option<Range<usize>> {
        let body = at + self.head.len();
        if !bytes.get(at..)?.starts_with(self.head.as_bytes()) {
            return None;
        }
        let start = self.start(bytes, at)?;
        let end = self.end(bytes, body)?;
        let shown = bytes.get(if start < at { start } else { body }..end)?;
        if value::is_filler(shown) || (self.weak && !value::is_mixed(shown)) {
            return None;
        }
        Some(if self.named { body } else { start }..self.whole(bytes, end))
    }

    fn start(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let Some((class, min, max)) = self.behind else {
            // A head that speaks for itself is seen in a name as well: `run_<token>` hides nothing.
            return (starts_word(bytes, at) || !self.weak && in_name(bytes, at)).then_some(at);
        };
        let before = bytes.get(..at)?.iter().rev().take(max + 1).take_while(|&&b| class.has(b)).count();
        (min..=max.min(before)).rev().map(|length| at - length).find(|&start| starts_word(bytes, start))
    }

    fn end(&self, bytes: &[u8], mut at: usize) -> Option<usize> {
        for (i, part) in self.parts.iter().enumerate() {
            at = match *part {
                Part::Text(text) => {
                    bytes.get(at..)?.starts_with(text.as_bytes()).then_some(at + text.len())?
                }
                Part::Run(class, min, max) => {
                    let end = run(bytes, at, class, if max == 0 { LOOK } else { max });
                    let last = i + 1 == self.parts.len();
                    let longer = max > 0 && last && bytes.get(end).is_some_and(|&b| class.has(b));
                    (end - at >= min && !longer).then_some(end)?
                }
            };
        }
        Some(at)
    }

    fn whole(&self, bytes: &[u8], end: usize) -> usize {
        match self.parts.last() {
            Some(&Part::Run(class, _, 0)) => run(bytes, end, class, usize::MAX),
            _ => end,
        }
    }
}

/// The rows of a table, chained by the first byte of their heads.
#[derive(Debug)]
pub(super) struct Index<const N: usize> {
    rows: &'static [Shape],
    first: [u16; 256],
    next: [u16; N],
    /// The first bytes of heads that may stand inside a word.
    inner: [bool; 256],
}

/// The end of a chain.
const NONE: u16 = u16::MAX;

impl<const N: usize> Index<N> {
    pub(super) const fn new(rows: &'static [Shape]) -> Self {
        let mut first = [NONE; 256];
        let mut next = [NONE; N];
        let mut inner = [false; 256];
        let mut i = 0;
        while i < N {
            let byte = rows[i].head.as_bytes()[0] as usize;
            next[i] = first[byte];
            first[byte] = i as u16;
            inner[byte] = inner[byte] || rows[i].behind.is_some();
            i += 1;
        }
        Self { rows, first, next, inner }
    }

    /// The token at `at`, by the longest head that fits.
    pub(super) fn at(&self, bytes: &[u8], at: usize) -> Option<(&'static str, Range<usize>)> {
        let byte = usize::from(*bytes.get(at)?);
        let mut i = *self.first.get(byte)?;
        let begins = || starts_word(bytes, at) || in_name(bytes, at);
        if i == NONE || !self.inner.get(byte).copied().unwrap_or_default() && !begins() {
            return None;
        }
        let mut best: Option<(&Shape, Range<usize>)> = None;
        while let Some(row) = self.rows.get(usize::from(i)) {
            if best.as_ref().is_none_or(|(b, _)| b.head.len() < row.head.len())
                && let Some(span) = row.at(bytes, at)
            {
                best = Some((row, span));
            }
            i = self.next.get(usize::from(i)).copied().unwrap_or(NONE);
        }
        best.map(|(row, span)| (row.kind, span))
    }
}

/// Whether a part of a name begins here, as in `run_<token>`.
fn in_name(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes.get(at - 1) == Some(&b'_')
}

//! Finds the table rows of a text: the longest known piece first, word by word.
//!
//! Decides which pieces a word has. Never guesses: a word with an unknown part has no rows, and an unknown
//! ideograph is skipped alone.

use super::Table;
use super::words::{Kind, fold};
use alloc::vec::Vec;

/// Longer words are data, such as hashes and encoded blobs, and have no rows. Bytes.
const MAX_WORD: usize = 128;

/// Marks a piece that does not start its word.
const INNER: &[u8; 2] = b"##";

/// Calls `sink` with the row of each piece of `text`, in order, at most `limit` times.
pub(super) fn rows(table: &Table<'_>, text: &str, limit: usize, sink: impl FnMut(usize)) {
    let mut reader =
        Reader { table, left: limit, sink, kind: Kind::Space, word: Vec::new(), found: Vec::new() };
    for c in text.chars() {
        if reader.left == 0 {
            return;
        }
        fold(c, |part| reader.push(part));
    }
    reader.end_word();
}

struct Reader<'t, F> {
    table: &'t Table<'t>,
    /// How many more rows may be handed on.
    left: usize,
    sink: F,
    kind: Kind,
    /// The open word behind two bytes of room for [`INNER`]; empty when no word is open.
    word: Vec<u8>,
    found: Vec<usize>,
}

impl<F: FnMut(usize)> Reader<'_, F> {
    fn push(&mut self, c: char) {
        let kind = Kind::of(c);
        if kind != self.kind || kind == Kind::Mark {
            self.end_word();
            self.kind = kind;
        }
        if kind == Kind::Space {
            return;
        }
        if self.word.is_empty() {
            self.word.extend_from_slice(INNER);
        }
        // A word that is already too long only has to stay so.
        if kind == Kind::Letter && self.word.len() > INNER.len() + MAX_WORD {
            return;
        }
        self.word.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn end_word(&mut self) {
        if !self.word.is_empty() {
            if self.kind == Kind::Ideograph {
                self.match_run();
            } else if self.word.len() <= INNER.len() + MAX_WORD {
                self.match_word();
            }
            self.word.clear();
        }
    }

    fn match_run(&mut self) {
        let mut at = INNER.len();
        while let Some(rest) = self.word.get(at..).filter(|rest| !rest.is_empty()) {
            let hit = self.table.longest_prefix(rest);
            at += hit.map_or_else(|| char_len(rest), |(_, length)| length);
            if let Some((row, _)) = hit {
                self.hand_on(row);
            }
        }
    }

    fn match_word(&mut self) {
        self.found.clear();
        let (mut at, mut mark) = (INNER.len(), 0);
        while at < self.word.len() {
            // The bytes before `at` are used up, so the mark of an inner piece may be written over them.
            let start = at - mark;
            self.word[start..at].copy_from_slice(&INNER[..mark]);
            match self.table.longest_prefix(&self.word[start..]) {
                Some((row, length)) if length > mark => {
                    self.found.push(row);
                    at = start + length;
                    mark = INNER.len();
                }
                _ => return,
            }
        }
        for at in 0..self.found.len() {
            self.hand_on(self.found[at]);
        }
    }

    fn hand_on(&mut self, row: usize) {
        if self.left > 0 {
            self.left -= 1;
            (self.sink)(row);
        }
    }
}

/// The length of the first character, which is at least 1.
fn char_len(rest: &[u8]) -> usize {
    1 + rest.iter().skip(1).take_while(|&&byte| byte & 0xc0 == 0x80).count()
}

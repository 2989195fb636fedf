//! The words of a line, for the scanners that read sentences.
//!
//! Decides where a word ends: at white space, and where a script without spaces begins or ends (`密码是Ab1`).
//! Never decides what a word means.

use core::ops::Range;

use super::lexicon::is_wordless;

/// One word of a line.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    /// Where the word begins, in bytes of the line.
    pub(super) at: usize,
    /// The word with the marks around it.
    pub(super) word: &'a str,
    /// Where it stands without quotes around it and the sentence's marks behind it, in bytes of the line.
    pub(super) shown: Range<usize>,
}

/// The words of `line`, in order.
pub(super) fn pieces(line: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = line.get(at..)?;
        let skipped = rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        let first = rest.chars().next()?;
        let same = |c: char| !c.is_whitespace() && is_wordless(c) == is_wordless(first);
        let length = rest.find(|c| !same(c)).unwrap_or(rest.len());
        let start = at + skipped;
        at = start + length.max(first.len_utf8());
        let word = line.get(start..at)?;
        let inner = trimmed(word);
        Some(Piece { at: start, word, shown: start + inner.start..start + inner.end })
    })
}

/// Where the value lies in a word: without quotes around it and the sentence's marks behind it.
fn trimmed(word: &str) -> Range<usize> {
    let opened =
        word.trim_start_matches(['"', '\'', '`', '«', '“', '„', '「', '『', '(', ':', '=', '\\', '*']);
    let start = word.len() - opened.len();
    let marks = ['"', '\'', '`', '»', '”', '“', '」', '』', ')', '.', ',', ';', '\\', '}', ']'];
    start..start + opened.trim_end_matches(marks).len()
}

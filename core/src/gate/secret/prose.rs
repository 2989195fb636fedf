//! Passwords and keys in sentences: "the password for the wiki is …", in the languages of the word table.
//!
//! Decides by a word for a secret and, near behind it, a value that can hardly be a word. A sentence about passwords
//! without such a value passes. Never looks further than one line and a few words.

use alloc::vec::Vec;
use core::ops::Range;

use super::words::{PASSWORD, WORDS, Words};
use super::{Finding, value};

/// How far behind the word a value may stand, in bytes.
const REACH: usize = 120;

/// How many words may stand between.
const WORDS_BETWEEN: usize = 8;

/// The ASCII letters, lower-case, with which a word of the table begins.
static FIRST: [bool; 128] = first_letters();

const fn first_letters() -> [bool; 128] {
    let mut first = [false; 128];
    let mut i = 0;
    while i < WORDS.len() {
        let mut j = 0;
        while j < WORDS[i].names.len() {
            let byte = WORDS[i].names[j].as_bytes()[0] as usize;
            if byte < first.len() {
                first[byte] = true;
            }
            j += 1;
        }
        i += 1;
    }
    first
}

/// Adds every secret that a sentence of `text` tells.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if begins(c) && (is_wordless(c) || !before.is_alphanumeric()) {
            let part = matches!(before, '-' | '_' | '.' | '/');
            out.extend(told(text.get(at..).unwrap_or_default(), at).filter(|f| !part || f.kind == PASSWORD));
        }
        before = c;
    }
}

/// Whether a word of the table can begin with `c`.
fn begins(c: char) -> bool {
    let plain = FIRST.get(c.to_ascii_lowercase() as usize);
    plain.copied().unwrap_or_else(|| c.is_alphabetic())
}

fn told(tail: &str, at: usize) -> Option<Finding> {
    WORDS.iter().find_map(|words| {
        let length = words.names.iter().filter_map(|name| named(tail, name)).max()?;
        let span = value_after(tail, length, words)?;
        Some(Finding { kind: words.kind, span: at + span.start..at + span.end })
    })
}

/// The length of `name` at the start of `tail`, in any case, if no letter follows it.
fn named(tail: &str, name: &str) -> Option<usize> {
    let mut chars = tail.chars();
    for wanted in name.chars() {
        let c = chars.next()?;
        let same = c == wanted || c.to_ascii_lowercase() == wanted;
        if !same && (c.is_ascii() || !c.to_lowercase().eq(core::iter::once(wanted))) {
            return None;
        }
    }
    let rest = chars.as_str();
    let next = chars.next()?;
    let joined = next.is_alphanumeric() && !is_wordless(next) && name.is_ascii() || next == '_';
    (!joined).then_some(tail.len() - rest.len())
}

/// The value that stands behind the name which ends at `from`.
fn value_after(tail: &str, from: usize, words: &Words) -> Option<Range<usize>> {
    let line = tail.get(from..tail.floor_char_boundary(from + REACH))?.split(['\n', '\r', '\0']).next()?;
    let mut direct = true;
    for (at, word) in pieces(line).take(WORDS_BETWEEN) {
        let span = trimmed(word);
        let shown = word.get(span.clone())?;
        let start = from + at + span.start;
        let quoted = word.starts_with(['"', '\'', '`', '«', '“', '「']);
        if is_told(shown, words.kind, direct || quoted) {
            return Some(start..whole(tail, start + shown.len(), from + line.len()));
        }
        let lower = word.to_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        direct = bare.is_empty() || word.ends_with([':', '=', '：']) || words.links.contains(&bare);
        direct |= words.links.iter().any(|link| link.starts_with(is_wordless) && lower.ends_with(link));
        if word.ends_with(['.', '!', '?', '。', '！', '？']) && !bare.is_empty() {
            return None;
        }
    }
    None
}

/// The end of a value that ends at `end`; past the look's `limit` where that cut it.
fn whole(tail: &str, end: usize, limit: usize) -> usize {
    if end < limit {
        return end;
    }
    let more = |b: char| b.is_ascii_graphic() && !matches!(b, '"' | '\'' | '`');
    let rest = tail.get(end..).unwrap_or_default();
    let length = rest.find(|c| !more(c)).unwrap_or(rest.len());
    end + rest.get(..length).unwrap_or_default().trim_end_matches(['.', ',', ';', ')']).len()
}

/// Whether `c` belongs to a script without spaces between words, or to its marks.
fn is_wordless(c: char) -> bool {
    u32::from(c) >= 0x2E80
}

fn is_told(shown: &str, kind: &str, direct: bool) -> bool {
    match (kind, direct) {
        (PASSWORD, true) => shown.len() > 7 && value::is_strong(shown),
        (_, true) => value::is_long_token(shown),
        (PASSWORD, false) => shown.len() > 9 && value::is_strong(shown) && has_symbol(shown),
        (_, false) => false,
    }
}

fn has_symbol(shown: &str) -> bool {
    shown.contains(['!', '#', '$', '%', '&', '*', '?', '^', '@'])
}

/// Words of `line`: split at white space, and where a script without spaces begins or ends (`密码是Ab1`).
fn pieces(line: &str) -> impl Iterator<Item = (usize, &str)> {
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
        Some((start, line.get(start..at)?))
    })
}

/// Where the value lies in a word: without quotes around it and the sentence's marks behind it.
fn trimmed(word: &str) -> Range<usize> {
    let opened = word.trim_start_matches(['"', '\'', '`', '«', '“', '「', '(', ':', '=', '\\']);
    let start = word.len() - opened.len();
    let closed =
        opened.trim_end_matches(['"', '\'', '`', '»', '”', '」', ')', '.', ',', ';', '\\', '}', ']']);
    start..start + closed.len()
}

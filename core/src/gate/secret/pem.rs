//! Private keys in PEM armour: whole, cut off at either end, on one line, or as a string of a program.
//!
//! Decides by the armour's label and by a body of base64 lines. A label without a body is a mention and passes, as do
//! certificates and public keys.

use alloc::vec::Vec;

use super::Finding;
use super::class::{Class, run};

const KIND: &str = "private_key";
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// Longest label between the dashes, in bytes.
const LABEL_MAX: usize = 40;

/// A shorter run is a word unless the end of the armour follows.
const LINE_MIN: usize = 16;

/// Adds every private key of `text`.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let (mut at, mut floor) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|tail| tail.find(DASHES)).map(|i| at + i) {
        let span = if let Some(body) = label_end(bytes, found, BEGIN) {
            body_end(bytes, body).map(|end| found..end)
        } else {
            label_end(bytes, found, END)
                .and_then(|end| body_start(bytes, floor, found).map(|start| start..end))
        };
        floor = span.as_ref().map_or(floor, |span| span.end);
        at = floor.max(found + 1);
        out.extend(span.map(|span| Finding { kind: KIND, span }));
    }
}

/// The end of the armour line at `at` if it begins with `word` and names a private key.
fn label_end(bytes: &[u8], at: usize, word: &str) -> Option<usize> {
    let label = bytes.get(at..)?.strip_prefix(word.as_bytes())?;
    let length = label.iter().take(LABEL_MAX).take_while(|&&b| b == b' ' || Class::Upper.has(b)).count();
    let (name, rest) = label.split_at_checked(length)?;
    let private = name.windows(11).any(|w| w == b"PRIVATE KEY");
    (private && rest.starts_with(DASHES.as_bytes())).then_some(at + word.len() + length + DASHES.len())
}

/// The end of the key whose body begins at `at`; `None` where there is no body.
fn body_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut end = None;
    loop {
        let next = gap_end(bytes, at);
        if let Some(closed) = label_end(bytes, next, END) {
            return end.map(|_| closed);
        }
        let line = run(bytes, next, Class::Base64, usize::MAX);
        let header = header_end(bytes, line);
        if line - next >= LINE_MIN || (end.is_some() && is_tail(bytes, next, line)) {
            at = line;
            end = Some(line);
        } else if let Some(header) = header.filter(|_| line > next) {
            at = header;
        } else {
            return end;
        }
    }
}

/// A short last line: ends with padding, or the end of the armour or of the text follows.
fn is_tail(bytes: &[u8], start: usize, end: usize) -> bool {
    let closes = bytes
        .get(gap_end(bytes, end)..)
        .is_none_or(|tail| tail.is_empty() || tail.starts_with(DASHES.as_bytes()));
    end > start && (closes || bytes.get(end - 1) == Some(&b'='))
}

/// The end of a header such as `DEK-Info: AES-128-CBC,00FF`, whose name's first word ends at `at`.
fn header_end(bytes: &[u8], at: usize) -> Option<usize> {
    let name = run(bytes, at, Class::Url, LABEL_MAX);
    let value = bytes.get(name..)?.strip_prefix(b": ")?;
    let length = value.iter().take(120).take_while(|&&b| b != b'\n' && b != b'\\').count();
    Some(name + 2 + length)
}

/// The end of what may stand between two lines: white space, quotes, escapes, joining marks.
fn gap_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&b) = bytes.get(at) {
        match b {
            b'+' if bytes.get(at + 1) == Some(&b' ') => at += 1,
            b'\\' if matches!(bytes.get(at + 1), Some(b'n' | b'r' | b't')) => at += 2,
            b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'`' | b',' | b'>' | b'|' | b'\\' => at += 1,
            _ => break,
        }
    }
    at
}

/// The start of the body that ends at `end`, not before `floor`: for a key whose first lines are cut off.
fn body_start(bytes: &[u8], floor: usize, end: usize) -> Option<usize> {
    let body = bytes.get(floor..end)?;
    let inside = |b: u8| Class::Base64.has(b) || matches!(b, b'\n' | b'\r' | b'\\' | b'"');
    let length = body.iter().rev().take_while(|&&b| inside(b)).count();
    let start = end - length;
    let first = bytes.get(start..end)?.iter().position(|&b| Class::Base64.has(b))?;
    (length >= 2 * LINE_MIN).then_some(start + first)
}

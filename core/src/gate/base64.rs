//! Base64, as far as the gate needs it: what does this run of characters say when decoded?
//!
//! Decides only by decoding; both alphabets are read, padding is optional. Never guesses at other encodings.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Bytes that are looked at before a long run is decoded as a whole.
const PROBE: usize = 32;

/// The readable text that `run` encodes; `None` where it is no base64 or decodes to anything but text.
pub(super) fn text(run: &str) -> Option<String> {
    let run = run.trim_end_matches('=').as_bytes();
    let probe = bytes(run.get(..PROBE).unwrap_or(run))?;
    if !probe.iter().all(|&b| matches!(b, b' '..=b'~' | b'\t' | b'\r' | b'\n') || b >= 0x80) {
        return None;
    }
    let mut decoded = bytes(run)?;
    if let Err(error) = core::str::from_utf8(&decoded) {
        // A cut run ends inside a character; anything more is no text.
        let valid = error.valid_up_to();
        if valid + 4 < decoded.len() {
            return None;
        }
        decoded.truncate(valid);
    }
    String::from_utf8(decoded).ok()
}

/// The maximal runs of base64 characters in `text` that are at least `min` bytes long.
pub(super) fn runs(text: &str, min: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    core::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            while bytes.get(at).is_some_and(|&b| value(b).is_some()) {
                at += 1;
            }
            let end = at;
            at += 1;
            if end - start >= min {
                return Some(start..end);
            }
        }
        None
    })
}

fn bytes(run: &[u8]) -> Option<Vec<u8>> {
    if run.len() % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(run.len() / 4 * 3 + 2);
    for group in run.chunks(4) {
        let mut bits = 0_u32;
        for &b in group {
            bits = (bits << 6) | u32::from(value(b)?);
        }
        bits <<= 6 * (4 - group.len() as u32);
        let [_, whole @ ..] = bits.to_be_bytes();
        out.extend(whole.into_iter().take(group.len() * 3 / 4));
    }
    Some(out)
}

const fn value(b: u8) -> Option<u8> {
    match b {
        b'A'..=b'Z' => Some(b - b'A'),
        b'a'..=b'z' => Some(b - b'a' + 26),
        b'0'..=b'9' => Some(b - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::{runs, text};

    #[test]
    fn reads_padded_and_bare_runs_of_both_alphabets() {
        assert_eq!(text("aGVsbG8gd29ybGQ=").as_deref(), Some("hello world"));
        assert_eq!(text("aGVsbG8gd29ybGQ").as_deref(), Some("hello world"));
        assert_eq!(text("Pz8_Pj4-").as_deref(), Some("???>>>"));
    }

    #[test]
    fn says_nothing_about_bytes_that_are_no_text() {
        assert_eq!(text("iVBORw0KGgoAAAANSUhEUgAA"), None);
        assert_eq!(text("aGVsb"), None);
        assert_eq!(text("a GVs"), None);
    }

    #[test]
    fn finds_runs_by_length() {
        assert_eq!(runs("ab abcdef é ghijkl", 5).collect::<Vec<_>>(), [3..9, 13..19]);
    }
}

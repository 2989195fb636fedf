//! Secrets behind base64: JSON web tokens, and encoded texts that hold a secret themselves.
//!
//! Decides by what the run decodes to, one layer deep. A run that decodes to plain words or to bytes passes.

use alloc::vec::Vec;

use super::Finding;
use super::class::{Class, run, starts_word};
use crate::gate::base64;

/// Longest header of a token that is decoded, in bytes.
const HEADER_MAX: usize = 2048;

/// Shortest run that is decoded in search of a secret.
const WRAPPED_MIN: usize = 20;

/// Adds every JSON web token of `text`: a header that decodes to JSON with `alg`, a payload, and what signs it.
pub(super) fn scan_jwt(text: &str, out: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|tail| tail.find("eyJ")).map(|i| at + i) {
        let end = run(bytes, start, Class::Url, usize::MAX);
        let whole = if starts_word(bytes, start) { jwt_end(text, start, end) } else { None };
        out.extend(whole.map(|end| Finding { kind: "jwt", span: start..end }));
        at = whole.unwrap_or(end);
    }
}

fn jwt_end(text: &str, start: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let header = text.get(start..end).filter(|header| header.len() <= HEADER_MAX)?;
    if bytes.get(end) != Some(&b'.') || !base64::text(header)?.contains("\"alg\"") {
        return None;
    }
    let payload = run(bytes, end + 1, Class::Url, usize::MAX);
    let whole = text.get(start..run(bytes, payload, Class::Dotted, usize::MAX))?;
    (payload - end > 8).then(|| start + whole.trim_end_matches('.').len())
}

/// Adds every run of base64 whose text `kind_in` finds a secret in.
pub(super) fn scan_wrapped(
    text: &str,
    kind_in: &mut dyn FnMut(&str) -> Option<&'static str>,
    found: &mut dyn FnMut(Finding),
) {
    for span in base64::runs(text, WRAPPED_MIN) {
        let kind = text.get(span.clone()).and_then(base64::text).and_then(|inner| kind_in(&inner));
        if let Some(kind) = kind {
            let padding = text
                .get(span.end..)
                .map_or(0, |tail| tail.bytes().take(2).take_while(|&b| b == b'=').count());
            found(Finding { kind, span: span.start..span.end + padding });
        }
    }
}

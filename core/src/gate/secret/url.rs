//! Passwords in addresses: `scheme://user:password@host`.
//!
//! Decides by the part before the last `@` of the authority. Well-known defaults (`guest:guest`) and names that
//! stand for a value (`user:password`) pass.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Finding, plain, value};

/// Longest authority that is looked at, in bytes.
const AUTHORITY_MAX: usize = 1024;

/// What writers of examples put in a password's place, lower-case.
const STAND_INS: &[&str] = &[
    "password", "passwd", "pass", "pwd", "pw", "secret", "token", "key", "apikey", "api_key", "passwort",
    "hidden", "masked",
];

/// Adds every password in an address of `text`.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    for (at, mark) in text.match_indices("://") {
        out.extend(password(text, at + mark.len()).map(|span| Finding { kind: "url_password", span }));
    }
}

fn password(text: &str, start: usize) -> Option<Range<usize>> {
    let tail = text.as_bytes().get(start..)?;
    let ends = |b: &u8| {
        b.is_ascii_whitespace()
            || matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\' | 0)
    };
    let length = tail.iter().take(AUTHORITY_MAX).position(ends).unwrap_or(tail.len().min(AUTHORITY_MAX));
    let host = tail.get(..length)?.iter().rposition(|&b| b == b'@')?;
    let user = tail.get(..host)?.iter().position(|&b| b == b':')?;
    let (name, word) = (text.get(start..start + user)?, text.get(start + user + 1..start + host)?);
    is_real(name, word).then_some(start + user + 1..start + host)
}

fn is_real(name: &str, word: &str) -> bool {
    let lower = word.to_lowercase();
    let variable =
        word.starts_with(['$', '{', '%', '[', '(', ':']) && !word.starts_with("%2") || word.contains("${");
    let digit = word.bytes().any(|b| b.is_ascii_digit());
    let default = name.eq_ignore_ascii_case(word) && !digit;
    let named = word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') && word.contains('_');
    word.len() >= 4
        && !variable
        && !default
        && !named
        && !STAND_INS.contains(&lower.as_str())
        && (digit || !plain::is_state(word))
        && !value::is_filler(word.as_bytes())
}

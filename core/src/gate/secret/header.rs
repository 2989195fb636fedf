//! Credentials in HTTP headers: `Authorization`, `Cookie`, `Set-Cookie`, and session cookies named outside of them.
//!
//! Decides by the scheme's or the cookie's name and a value that looks like chance. A sentence about bearer tokens
//! passes. Never reads further than the header's line.

use alloc::vec::Vec;
use core::ops::Range;

use super::class::{Class, blanks, run, starts_word};
use super::{Finding, value};
use crate::gate::base64;

/// Longest value of a header or cookie that is judged, in bytes.
const VALUE_MAX: usize = 4096;

/// Cookies that hold a session wherever they are named, lower-case.
const SESSION_COOKIES: &[&str] = &[
    "connect.sid",
    "phpsessid",
    "jsessionid",
    "asp.net_sessionid",
    ".aspxauth",
    "laravel_session",
    "ci_session",
    "remember_token",
    "remember_user_token",
    "wordpress_logged_in",
    "__secure-next-auth.session-token",
    "next-auth.session-token",
    "_gitlab_session",
];

/// Attributes of `Set-Cookie` and cookies that measure; they hold no secret. Lower-case.
const OPEN_COOKIES: &[&str] = &[
    "path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "version", "priority", "_ga",
    "_gid", "theme", "lang", "locale",
];

/// Adds every credential in a header of `text`.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = run(bytes, at, Class::Dotted, VALUE_MAX);
        if end == at {
            at += 1;
            continue;
        }
        let start = word_start(bytes, at, end);
        at = match text.get(start..end).map(|word| header(text, word, end, out)) {
            Some(Some(next)) => next.max(end),
            _ => end,
        };
    }
}

/// Skips the letter of an escape, as in `\nCookie: …`.
fn word_start(bytes: &[u8], at: usize, end: usize) -> usize {
    let escaped = at > 0 && bytes.get(at - 1) == Some(&b'\\') && at + 1 < end && starts_word(bytes, at + 1);
    at + usize::from(escaped)
}

/// Reads the header that begins with `word`; returns where to go on when it was one.
fn header(text: &str, word: &str, end: usize, out: &mut Vec<Finding>) -> Option<usize> {
    let bytes = text.as_bytes();
    let is = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    if is(&["bearer"]) {
        credential(text, end, out, value::is_token, "bearer_token")
    } else if is(&["basic"]) {
        credential(text, end, out, is_basic, "basic_auth")
    } else if is(&["authorization", "proxy-authorization"]) {
        let start = separator_end(bytes, end)?;
        let scheme = run(bytes, start, Class::Url, 20);
        let known = ["bearer", "basic"];
        let own = text.get(start..scheme).is_some_and(|s| known.iter().any(|w| s.eq_ignore_ascii_case(w)));
        if own { Some(start) } else { credential(text, scheme, out, value::is_long_token, "authorization") }
    } else if is(&["cookie", "set-cookie"]) {
        Some(cookies(text, separator_end(bytes, end)?, out))
    } else if is(SESSION_COOKIES) {
        let span = cookie_value(bytes, separator_end(bytes, end)?);
        is_session(text.get(span.clone())?).then(|| push(out, "cookie", span))
    } else {
        None
    }
}

/// The value after `Bearer` and its like, if `real` says that it is one.
fn credential(
    text: &str,
    end: usize,
    out: &mut Vec<Finding>,
    real: fn(&str) -> bool,
    kind: &'static str,
) -> Option<usize> {
    let bytes = text.as_bytes();
    let gap = blanks(bytes, end);
    let start = if bytes.get(gap..)?.starts_with(b"%20") { gap + 3 } else { gap };
    let length = bytes.get(start..)?.iter().take_while(|&&b| is_token68(b)).count();
    let word = text.get(start..start + length)?.trim_end_matches(['.', '~']);
    let cut = word.get(..value::VALUE_MAX).unwrap_or(word);
    (start > end && real(cut)).then(|| push(out, kind, start..start + word.len()))
}

fn is_token68(b: u8) -> bool {
    Class::Base64.has(b) || matches!(b, b'-' | b'.' | b'_' | b'~')
}

/// Whether `word` is base64 of a name and a password.
pub(super) fn is_basic(word: &str) -> bool {
    base64::text(word).is_some_and(|pair| {
        pair.split_once(':')
            .is_some_and(|(_, password)| password.len() > 2 && !value::is_filler(password.as_bytes()))
    })
}

/// Where the value begins behind a name: after quotes, `:` or `=`, and blanks.
fn separator_end(bytes: &[u8], end: usize) -> Option<usize> {
    let is_quote = |b: &u8| matches!(b, b'"' | b'\'' | b'\\' | b']');
    let close = end + bytes.get(end..)?.iter().take(4).take_while(|b| is_quote(b)).count();
    let mark = blanks(bytes, close);
    matches!(bytes.get(mark), Some(b':' | b'=' | b',')).then_some(())?;
    let open = blanks(bytes, mark + 1);
    Some(open + bytes.get(open..)?.iter().take(3).take_while(|b| is_quote(b)).count())
}

/// Reads `name=value; name=value`; returns where the header ends.
fn cookies(text: &str, mut at: usize, out: &mut Vec<Finding>) -> usize {
    let bytes = text.as_bytes();
    loop {
        let name = blanks(bytes, at);
        let name_end = run(bytes, name, Class::Dotted, 128);
        if name_end == name {
            return at;
        }
        at = name_end;
        if bytes.get(name_end) == Some(&b'=') {
            let span = cookie_value(bytes, name_end + 1);
            at = span.end;
            let lower = text.get(name..name_end).unwrap_or_default().to_ascii_lowercase();
            let open = OPEN_COOKIES.contains(&lower.as_str());
            if !open && text.get(span.clone()).is_some_and(is_session) {
                out.push(Finding { kind: "cookie", span });
            }
        }
        at = blanks(bytes, at);
        if bytes.get(at) != Some(&b';') {
            return at;
        }
        at += 1;
    }
}

fn cookie_value(bytes: &[u8], start: usize) -> Range<usize> {
    let part =
        |b: u8| b.is_ascii_graphic() && !matches!(b, b';' | b',' | b'"' | b'\'' | b'\\' | b'<' | b'>' | b'`');
    let tail = bytes.get(start..).unwrap_or_default();
    start..start + tail.iter().take(VALUE_MAX).take_while(|&&b| part(b)).count()
}

fn is_session(word: &str) -> bool {
    let cut = word.get(..value::VALUE_MAX).unwrap_or(word);
    word.len() >= 12
        && value::is_mixed(cut.as_bytes())
        && !value::is_filler(cut.as_bytes())
        && !cut.starts_with(['$', '<', '{'])
}

fn push(out: &mut Vec<Finding>, kind: &'static str, span: Range<usize>) -> usize {
    let end = span.end;
    out.push(Finding { kind, span });
    end
}

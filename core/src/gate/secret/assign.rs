//! Settings that hold a secret: `password=…`, `"api_key": "…"`, `--token …`, `<password>…</password>`.
//!
//! Decides by the name before the separator and by the value behind it; a plain word counts as a password where a
//! quote, an environment or a file of settings stands around it. Placeholders, references to a vault or an
//! environment, code and paths pass.

use alloc::vec::Vec;
use core::ops::Range;

use super::class::{Class, blanks, run};
use super::{Finding, header, plain, value, words};

/// How far before a name its line is looked at, in bytes.
const LINE_REACH: usize = 80;

/// Adds every secret that a setting of `text` holds.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = run(bytes, at, Class::Dotted, usize::MAX);
        if end == at {
            at += 1;
            continue;
        }
        let name = at..end;
        at = end;
        if let Some(start) = separator_end(bytes, &name)
            && let Some((kind, mut span)) =
                text.get(name.clone()).and_then(|shown| told(text, &name, shown, start))
        {
            if span.len() >= value::VALUE_MAX - 1 {
                span.end = run(bytes, span.end, Class::Query, usize::MAX);
            }
            at = at.max(span.end);
            out.push(Finding { kind, span });
        }
    }
}

/// The secret, and its kind, that the setting `shown` at `name` holds at `start`.
fn told(text: &str, name: &Range<usize>, shown: &str, start: usize) -> Option<(&'static str, Range<usize>)> {
    if words::holds_pair(shown) {
        let span = value_at(text, start)?;
        return text.get(span.clone()).is_some_and(header::is_basic).then_some(("basic_auth", span));
    }
    let Some(kind) = words::kind_of_key(shown) else {
        let span = value_at(text, start).filter(|_| words::is_environment_key(shown))?;
        return text.get(span.clone()).is_some_and(value::is_chance).then_some((words::TOKEN, span));
    };
    let span = value_of(text, start, kind).or_else(|| {
        let open = kind == words::PASSWORD && !words::is_short(shown);
        plain_value(text, name, start).filter(|_| open)
    })?;
    Some((kind, span))
}

/// A password that is a plain word: in quotes, or where nothing but a setting can stand.
fn plain_value(text: &str, name: &Range<usize>, start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let span = value_at(text, start)?;
    let shown = text.get(span.clone())?;
    // `get("password", default)` names a field, and a comma is no assignment.
    let separator = text.get(name.end..start)?;
    if separator.contains(',') {
        return None;
    }
    let quoted = span.start > 0 && matches!(bytes.get(span.start - 1), Some(b'"' | b'\'' | b'`'));
    let real = if quoted {
        let closed = bytes.get(span.end).is_some_and(|b| matches!(b, b'"' | b'\'' | b'`' | b'\\'));
        closed
            && !separator.contains("==")
            && (plain::is_plain(shown) || bytes.get(span.end) != Some(&b'`') && plain::is_phrase(shown))
            && !is_key(text, span.end)
    } else {
        plain::is_plain(shown) && is_bare_setting(text, name, separator, span.end)
    };
    real.then_some(span)
}

/// Whether a string that ends at `end` is a key itself: a colon or an arrow follows it.
fn is_key(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    rest.trim_start_matches(['"', '\'', '`', '\\']).trim_start().starts_with([':', '='])
}

/// Whether an unquoted word that ends at `end` is a setting's value and no variable of a program.
fn is_bare_setting(text: &str, name: &Range<usize>, separator: &str, end: usize) -> bool {
    let before = text.get(text.ceil_char_boundary(name.start.saturating_sub(LINE_REACH))..name.start);
    let line = before.unwrap_or_default().rsplit(['\n', '\0', '"', '\'']).next().unwrap_or_default();
    let line = line.rsplit("\\n").next().unwrap_or_default();
    let rest = text.get(end..).unwrap_or_default();
    let flag = text.get(name.clone()).is_some_and(|n| n.starts_with("--"));
    let ends = |marks: &[char]| rest.is_empty() || rest.starts_with(marks) || rest.starts_with("\\n");
    if separator == ">" {
        return rest.starts_with("</");
    }
    if flag {
        let next = rest.trim_start_matches([' ', '\t']);
        return ends(&['\n', '"', '\'', '`', ';', '|']) || next.starts_with(['-', '&', '|', '>', '\\']);
    }
    let code = line.contains(['(', '{', '[', '.']) || line.ends_with([' ', '\t']) && line.trim().is_empty();
    match separator {
        "=" => !code && ends(&['\n', '\r', ' ', ';', '&', '"', '\'', '`']),
        " = " => line.is_empty() && ends(&['\n', '\r', '"']),
        _ => false,
    }
}

fn value_of(text: &str, start: usize, kind: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let first = value_at(text, start)?;
    if words::is_value(kind, text.get(first.clone())?) {
        return Some(first);
    }
    // `token: str = "…"`: what stood behind the colon was a type.
    let mark = blanks(bytes, first.end);
    let typed = bytes.get(mark) == Some(&b'=') && bytes.get(mark + 1) != Some(&b'=');
    let second = value_at(text, opened(bytes, mark + 1)).filter(|_| typed)?;
    words::is_value(kind, text.get(second.clone())?).then_some(second)
}

/// Where the value's quotes or the value begin: behind closing marks, a separator and blanks.
fn separator_end(bytes: &[u8], name: &Range<usize>) -> Option<usize> {
    let is_closing = |b: &u8| matches!(b, b'"' | b'\'' | b'`' | b'\\' | b']');
    let close = name.end + bytes.get(name.end..)?.iter().take(4).take_while(|b| is_closing(b)).count();
    let close = beside(bytes, close).unwrap_or(close);
    let mark = blanks(bytes, close);
    let tail = bytes.get(mark..)?;
    let flag = bytes.get(name.clone()).is_some_and(|n| n.starts_with(b"--"));
    let before = if name.start > 0 { bytes.get(name.start - 1) } else { None };
    let tag = before == Some(&b'<');
    // `arn:…:secret:name` is a place in a list of names.
    let listed = before == Some(&b':') && bytes.get(mark + 1).is_some_and(|&b| Class::Url.has(b));
    let width = match tail {
        [b'=', b'>' | b'=', ..] | [b':', b'=', ..] | [b'|', b'|', ..] => 2,
        [b':', ..] if listed => return None,
        [b'=' | b':', ..] => 1,
        [b'>', ..] if tag => 1,
        [b',', ..] if close > name.end => 1,
        _ if flag && mark > close => 0,
        _ => return None,
    };
    Some(opened(bytes, mark + width))
}

/// The end of a `value` that stands beside the name which ends at `from`: `<add key="X" value="…">`, or a list's
/// `name: X` with `value: …` on the next line.
fn beside(bytes: &[u8], from: usize) -> Option<usize> {
    let gap = |b: &&u8| b.is_ascii_whitespace() || matches!(**b, b',' | b'"' | b'\'' | b'\\');
    let start = from + bytes.get(from..)?.iter().take(40).take_while(gap).count();
    let word = bytes.get(start..)?.strip_prefix(b"value")?;
    let quotes = word.iter().take(2).take_while(|b| matches!(b, b'"' | b'\'' | b'\\')).count();
    (start > from && matches!(word.get(quotes), Some(b'=' | b':'))).then_some(start + 5 + quotes)
}

fn opened(bytes: &[u8], from: usize) -> usize {
    let at = blanks(bytes, from);
    // Rust's `&"…"` and Python's `f"…"` and `b'…'`.
    let prefixed = matches!(bytes.get(at), Some(b'&' | b'b' | b'r' | b'f' | b'u' | b'@'))
        && matches!(bytes.get(at + 1), Some(b'"' | b'\''));
    at + usize::from(prefixed)
}

/// The value at `at`: up to its closing quote, or up to white space or a mark that ends values.
fn value_at(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let escaped = bytes.get(at) == Some(&b'\\');
    let at = at + usize::from(escaped);
    let quote = *bytes.get(at)?;
    let limit = text.floor_char_boundary(at.saturating_add(value::VALUE_MAX));
    let span = if matches!(quote, b'"' | b'\'' | b'`') {
        let ends = |c: char| u32::from(c) == u32::from(quote) || matches!(c, '\n' | '\r' | '\0' | '\\');
        let inner = text.get(at + 1..limit.max(at + 1))?;
        at + 1..at + 1 + inner.find(ends).unwrap_or(inner.len())
    } else {
        let inner = text.get(at..limit)?;
        let ends = |c: char| {
            c.is_whitespace() || "\"'`<>,;|)}\\\0".contains(c) || c == '&' && !inner.starts_with('&')
        };
        let length = inner.find(ends).unwrap_or(inner.len());
        at..at + inner.get(..length)?.trim_end_matches(['.', ':']).len()
    };
    // An ellipsis says that the rest was left out.
    let elided = text.get(span.end..).is_some_and(|rest| rest.starts_with("...") || rest.starts_with('…'));
    (!span.is_empty() && !elided).then_some(span)
}

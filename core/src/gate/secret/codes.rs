//! Codes that open something: one-time codes, PINs, and backup codes for a second factor.
//!
//! Decides by what stands right behind the name of such a code, or right before it ("482913 is your code"). A status,
//! an exit code or a number of digits passes. Never takes a JSON number: its place must stay one.

use alloc::vec::Vec;
use core::ops::Range;

use super::Finding;
use super::lexicon::{BACKUP, COPULAS, LINKS, PIN};
use super::words_of::{Piece, pieces};

/// How far before a name its code may stand, in bytes.
const BEFORE: usize = 64;

/// How far behind a name its code may stand, in bytes.
const BEHIND: usize = 96;

/// How many words may stand between a name and its code.
const WORDS_BETWEEN: usize = 7;

/// Longest list of backup codes, in bytes and in codes.
const LIST_MAX: usize = 640;
const CODES_MAX: usize = 32;

/// What may stand between two backup codes.
const LIST_MARKS: &[char] = &[
    ' ', '\n', '\r', '\t', ',', ';', '"', '\'', '[', ']', '(', ')', '-', '*', '•', '`', '|', '/', '·', '、',
    '，',
];

/// Adds the code of `kind` whose name stands at `name` of `text`.
pub(super) fn scan(text: &str, name: Range<usize>, kind: &'static str, out: &mut Vec<Finding>) {
    let span = match kind {
        BACKUP => listed(text, name.end),
        _ => behind(text, name.clone(), kind).or_else(|| before(text, name.start, kind)),
    };
    out.extend(span.map(|span| Finding { kind, span }));
}

/// The code behind the name: after a separator, a link, or nothing but a blank.
fn behind(text: &str, name: Range<usize>, kind: &str) -> Option<Range<usize>> {
    let line = line_from(text, name.end, BEHIND)?;
    let quoted_name = text.get(name.end..).is_some_and(|t| t.starts_with(['"', '\'']));
    let mut told = true;
    let mut adjacent = true;
    for Piece { at, word, shown } in pieces(line).take(WORDS_BETWEEN + 1) {
        let code = line.get(shown.clone())?;
        let start = name.end + shown.start;
        let open = quoted_name && !word.contains('"') && shown.start == at;
        if told && !open && !is_unit(line, shown.end) && is_code(code, kind, adjacent) {
            // A code in two halves: "482 913".
            let end = halves(text, start + code.len(), code);
            return (end - start > 3).then_some(start..end);
        }
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '—' && c != '–');
        let lower = bare.to_lowercase();
        told = bare.is_empty()
            || word.ends_with([':', '=', '：', '#'])
            || LINKS.contains(&lower.as_str())
            || LINKS.iter().any(|l| !l.is_ascii() && lower.ends_with(l));
        told = told || adjacent && matches!(lower.as_str(), "code" | "number" | "nummer" | "kode" | "номер");
        adjacent = false;
        if word.ends_with(['.', '!', '?', '。']) && !bare.is_empty() {
            return None;
        }
    }
    None
}

/// The code before the name: "482913 is your verification code", "482913 — ваш код подтверждения".
fn before(text: &str, name: usize, kind: &str) -> Option<Range<usize>> {
    if kind == PIN {
        return None;
    }
    let from = text.ceil_char_boundary(name.saturating_sub(BEFORE));
    let line = text.get(from..name)?;
    let cut = line.rfind(['\n', '\0', '.', '!', '?', '。']).map_or(0, |at| at + 1);
    let line = line.get(cut..).unwrap_or_default().trim_start_matches(|c: char| !c.is_alphanumeric());
    let start = name - line.len();
    let mut linked: Option<Range<usize>> = None;
    let mut words = 0;
    for Piece { word, shown, .. } in pieces(line) {
        let lower = word.to_lowercase();
        let link =
            lower == "as" || COPULAS.iter().any(|l| lower == *l || !l.is_ascii() && lower.starts_with(l));
        if link && linked.is_some() {
            return linked.filter(|code| code.len() > 3);
        }
        let told = line.get(shown.clone()).filter(|code| is_code(code, kind, false));
        let half = linked.filter(|half| half.len() == 3 && half.end + 1 == start + shown.start);
        linked = told.map(|_| half.map_or(start + shown.start, |half| half.start)..start + shown.end);
        words += 1;
        if words > WORDS_BETWEEN {
            return None;
        }
    }
    None
}

/// The list of codes behind the name: each of letters and digits, apart only by blanks, commas and bullets.
fn listed(text: &str, from: usize) -> Option<Range<usize>> {
    let tail = text.get(from..text.floor_char_boundary(from.saturating_add(LIST_MAX)))?;
    let mut span: Option<Range<usize>> = None;
    let mut at = 0;
    for i in 0..CODES_MAX + WORDS_BETWEEN {
        let rest = tail.get(at..).unwrap_or_default();
        let skipped = rest.trim_start_matches(|c: char| {
            LIST_MARKS.contains(&c) || matches!(c, ':' | '=' | '：' | '—' | '\\' | '.' | '是' | 'は' | '为')
        });
        let start = at + rest.len() - skipped.len();
        let length = skipped
            .find(|c: char| {
                c.is_whitespace() || c == '\\' || LIST_MARKS.contains(&c) && c != '-' || !c.is_ascii()
            })
            .unwrap_or(skipped.len());
        let code = skipped.get(..length)?.trim_end_matches(['.', ':', '-']);
        if is_backup(code) {
            span = Some(span.map_or(start, |s| s.start)..start + code.len());
        } else if span.is_some() && !is_number_of_list(code)
            || span.is_none() && i >= WORDS_BETWEEN
            || code.is_empty()
        {
            break;
        }
        at = start + length.max(1);
    }
    span.map(|span| from + span.start..from + span.end)
}

/// `1.` and `2)` before a code.
fn is_number_of_list(code: &str) -> bool {
    code.len() < 3 && code.bytes().all(|b| b.is_ascii_digit())
}

/// Whether `code` can be one of a list of backup codes.
pub(super) fn is_backup(code: &str) -> bool {
    let body = code.bytes().filter(|b| *b != b'-').count();
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let parts =
        code.split('-').all(|part| part.len() >= 3 && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    let one_case =
        !(code.bytes().any(|b| b.is_ascii_uppercase()) && code.bytes().any(|b| b.is_ascii_lowercase()));
    parts && (8..=32).contains(&body) && digits >= 2 && (one_case || digits > 2)
}

/// Whether `code` can be a code of `kind`; right beside its name, `adjacent`, it must be more.
pub(super) fn is_code(code: &str, kind: &str, adjacent: bool) -> bool {
    let code = code.strip_prefix("G-").unwrap_or(code);
    let code = code.strip_suffix('#').unwrap_or(code);
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let (head, tail) = code.split_once('-').unwrap_or((code, ""));
    let split = tail.is_empty() || head.len() == tail.len() && head.len() >= 3;
    let numeric = split && code.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if kind == PIN {
        let likely = if adjacent { digits == 4 } else { (4..=8).contains(&digits) };
        return numeric && likely;
    }
    let upper = split && code.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase() || b == b'-');
    let mixed = upper && (6..=9).contains(&code.len()) && digits > 1 && digits < code.len();
    // "482 913" comes as two words of three digits.
    numeric && (4..=8).contains(&digits) && (!adjacent || digits > 4)
        || mixed && !adjacent
        || numeric && digits == 3
}

/// Whether what follows says what the number counts: "30 seconds", "600000 ms", "100 %".
fn is_unit(line: &str, at: usize) -> bool {
    let rest = line.get(at..).unwrap_or_default().trim_start();
    let word: &str = rest.split(|c: char| !c.is_alphabetic() && c != '%').next().unwrap_or_default();
    [
        "%",
        "ms",
        "s",
        "sec",
        "second",
        "seconds",
        "minutes",
        "characters",
        "chars",
        "digits",
        "digit",
        "bytes",
        "times",
        "attempts",
        "users",
    ]
    .contains(&word)
}

/// The end of a code whose first half ends at `end`; three digits alone are no code.
fn halves(text: &str, end: usize, code: &str) -> usize {
    let other = text.get(end..).and_then(|t| t.strip_prefix([' ', '\u{a0}'])).unwrap_or_default();
    let digits = other.bytes().take(5).take_while(u8::is_ascii_digit).count();
    if code.len() == digits && (3..5).contains(&digits) {
        end + other.len().min(digits) + (text.get(end..).map_or(0, str::len) - other.len())
    } else {
        end
    }
}

/// The rest of the line behind `from`, at most `reach` bytes; an escaped line end counts.
fn line_from(text: &str, from: usize, reach: usize) -> Option<&str> {
    let tail = text.get(from..text.floor_char_boundary(from.saturating_add(reach)))?;
    let end = tail.find(['\n', '\r', '\0']).into_iter().chain(tail.find("\\n")).min().unwrap_or(tail.len());
    tail.get(..end)
}

//! Disguises of a text: encodings, spaced letters, digits for letters, the text backwards.
//!
//! Decides what else a text may say when it is read as a machine would; the rules judge that. Never changes what is
//! stored, and reads one layer of one disguise.

use alloc::string::String;
use alloc::vec::Vec;

use crate::gate::base64;

/// Shortest run that is decoded, in bytes.
const RUN_MIN: usize = 24;

/// Fewest escapes, and fewest single letters in a row, that are a disguise.
const ESCAPES_MIN: usize = 8;

/// The texts that encoded runs of `text` hold: base64, hex, and escapes of URLs, HTML and strings.
pub(super) fn decoded(text: &str) -> impl Iterator<Item = String> + '_ {
    let runs = base64::runs(text, RUN_MIN).filter_map(|span| {
        let run = text.get(span)?;
        hex(run).or_else(|| base64::text(run))
    });
    runs.chain(unescaped(text)).chain(core::iter::once_with(|| turned(text)).flatten())
}

/// Other spellings of `folded`: without digits for letters, without blanks between letters, backwards.
pub(super) fn spellings(folded: &str) -> impl Iterator<Item = String> + '_ {
    let letters =
        folded.contains(|c: char| c.is_ascii_digit() || matches!(c, '@' | '$')).then(|| unleeted(folded));
    let spaced = joined(folded);
    let back = folded.is_ascii().then(|| folded.chars().rev().collect());
    let dashed = folded
        .contains(['-', '_', '.', '*', '+', '/'])
        .then(|| folded.replace(['-', '_', '.', '*', '+', '/'], " "));
    letters.into_iter().chain(spaced).chain(back).chain(dashed.filter(|text| !text.contains("  ")))
}

/// What pairs of hex digits say.
fn hex(run: &str) -> Option<String> {
    if run.len() % 2 == 1 || !run.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = run.as_bytes().chunks_exact(2).filter_map(|pair| core::str::from_utf8(pair).ok());
    let bytes: Vec<u8> = pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect();
    let text = String::from_utf8(bytes).ok()?;
    let readable = text.chars().all(|c| !c.is_control() || c.is_whitespace());
    readable.then_some(text)
}

/// `text` with `%41`, `&#65;`, `\u0041` and `\x41` read, where there are enough of them.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut count = 0;
    while let Some(at) = rest.find(['%', '&', '\\']) {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        if let Some((c, length)) = escape(tail) {
            out.push(c);
            count += 1;
            rest = tail.get(length..).unwrap_or_default();
        } else {
            out.push_str(tail.get(..1).unwrap_or_default());
            rest = tail.get(1..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    (count >= ESCAPES_MIN).then_some(out)
}

/// The character that an escape at the start of `tail` stands for, and the escape's length.
fn escape(tail: &str) -> Option<(char, usize)> {
    let number = |from: usize, length: usize| {
        let digits = tail.get(from..from + length)?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        Some((char::from_u32(code)?, from + length))
    };
    if tail.starts_with('%') {
        number(1, 2).filter(|(c, _)| c.is_ascii())
    } else if tail.starts_with("\\u") {
        number(2, 4)
    } else if tail.starts_with("\\x") {
        number(2, 2)
    } else {
        let digits = tail.strip_prefix("&#")?;
        let (digits, radix) = digits.strip_prefix('x').map_or((digits, 10), |hex| (hex, 16));
        let length = digits.bytes().take(7).take_while(u8::is_ascii_hexdigit).count();
        let c = char::from_u32(u32::from_str_radix(digits.get(..length)?, radix).ok()?)?;
        let skipped = tail.len() - digits.len() + length;
        Some((c, skipped + usize::from(tail.as_bytes().get(skipped) == Some(&b';'))))
    }
}

/// `text` with each Latin letter turned by thirteen places.
fn turned(text: &str) -> Option<String> {
    let turn = |c: char, first: u8| char::from((c as u8 - first + 13) % 26 + first);
    text.is_ascii().then(|| {
        text.chars()
            .map(|c| match c {
                'a'..='z' => turn(c, b'a'),
                'A'..='Z' => turn(c, b'A'),
                _ => c,
            })
            .collect()
    })
}

/// Words that mix letters with digits for letters, read as letters: `1gn0re`.
fn unleeted(folded: &str) -> String {
    let mut out = String::with_capacity(folded.len());
    for word in folded.split_inclusive(' ') {
        let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
        let digits = word.bytes().filter(|b| b.is_ascii_digit() || matches!(b, b'@' | b'$')).count();
        let mixed = letters > 0 && digits > 0 && digits <= letters + 2;
        out.extend(word.chars().map(|c| match c {
            '0' if mixed => 'o',
            '1' | '!' if mixed => 'i',
            '3' if mixed => 'e',
            '4' | '@' if mixed => 'a',
            '5' | '$' if mixed => 's',
            '7' if mixed => 't',
            _ => c,
        }));
    }
    out
}

/// `i g n o r e   a l l` without the blanks between letters; more than one blank parts words.
fn joined(folded: &str) -> Option<String> {
    let mut out = String::with_capacity(folded.len());
    let (mut row, mut longest, mut blanks) = (0, 0, 0);
    for word in folded.split(' ') {
        if word.is_empty() {
            blanks += 1;
            continue;
        }
        let single = word.chars().count() == 1 && word.contains(char::is_alphanumeric);
        let goes_on = single && row > 0 && blanks == 0;
        if !goes_on && !out.is_empty() {
            out.push(' ');
        }
        blanks = 0;
        row = if single { row + 1 } else { 0 };
        longest = longest.max(row);
        out.push_str(word);
    }
    (longest >= ESCAPES_MIN).then_some(out)
}

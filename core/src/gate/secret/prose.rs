//! Secrets in sentences: "the password for the wiki is …", in the languages of the lexicon.
//!
//! Decides by a word for a secret and, near behind it, a value that can hardly be a word; a plain word counts only
//! right behind a label or a copula. A sentence about passwords without such a value passes. Never looks further than
//! one line and a few words.

use alloc::vec::Vec;
use core::ops::Range;

use super::lexicon::{
    self, BACKUP, CODE, COPULAS, ELIDED, LINKS, LOGINS, PIN, PREPOSITIONS, REMEMBER, SEED, is_wordless,
};
use super::words::PASSWORD;
use super::words_of::{Piece, pieces};
use super::{Finding, codes, phrase, plain, value};

/// How far behind the word a value may stand, in bytes.
const REACH: usize = 120;

/// How many words may stand between.
const WORDS_BETWEEN: usize = 8;

/// How far before a name its line is looked at, in bytes.
const LINE_REACH: usize = 80;

/// How far before a name the login may stand that it belongs to, in bytes.
const LOGIN_REACH: usize = 48;

/// Words before a name with which a plain word may follow it at once: "log in with password kittens".
const WITH: &[&str] = &["with", "use", "using", "mit", "avec", "con", "com", "met"];

/// Words between a value and the name that tells afterwards what it was.
#[rustfmt::skip]
const POINTERS_BACK: &[&str] = &[
    "is", "was", "as", "the", "a", "my", "our", "your", "new", "old", "base64", "of", "live", "current", "be",
    "ist", "war", "das", "mein", "unser", "est", "le", "notre", "es", "la", "nuestra", "é", "nossa", "è",
];

/// How a declaration begins, whose colon announces a type.
const DECLARATIONS: &[&str] =
    &["pub ", "let ", "const ", "var ", "readonly ", "private ", "public ", "static "];

/// Adds every secret that a sentence of `text` tells.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let mut before = ' ';
    let mut open = 0;
    for (at, c) in text.char_indices() {
        let free = is_wordless(c) || !before.is_alphanumeric() || is_seam(text, at, before, c);
        if free && at >= open && c.is_alphanumeric() {
            let known = out.len();
            read(text, at, before, out);
            open = out.get(known..).and_then(<[Finding]>::last).map_or(open, |finding| finding.span.end);
        }
        before = c;
    }
}

/// Whether a name may begin inside a word: the end of a compound, or behind an escape such as `\n`.
fn is_seam(text: &str, at: usize, before: char, c: char) -> bool {
    match c {
        'p' | 'P' | 'k' | 'K' | 'w' | 'W' if before.is_lowercase() => {
            text.get(at..).is_some_and(lexicon::ends_compound) || is_escape(text, at)
        }
        _ => matches!(before, 'n' | 't' | 'r') && is_escape(text, at),
    }
}

fn is_escape(text: &str, at: usize) -> bool {
    at > 1 && text.as_bytes().get(at - 2) == Some(&b'\\')
}

/// Reads the name at `at`, if there is one, and what it tells.
fn read(text: &str, at: usize, before: char, out: &mut Vec<Finding>) {
    let Some((kind, length)) = text.get(at..).and_then(lexicon::name_at) else { return };
    let name = at..at + length;
    match kind {
        SEED => out.extend(phrase::after(text, name.end).map(|span| Finding { kind, span })),
        CODE | BACKUP | PIN => codes::scan(text, name, kind, out),
        _ => {
            let part = matches!(before, '-' | '_' | '.' | '/') && kind != PASSWORD;
            if let Some(span) = value_after(text, &name, kind).filter(|_| !part) {
                out.push(Finding { kind, span });
            } else if kind == PASSWORD && !is_login(text, &name) {
                let told = plain_after(text, &name).or_else(|| told_before(text, &name, kind));
                out.extend(told.map(|span| Finding { kind, span }));
            } else if !part {
                out.extend(told_before(text, &name, kind).map(|span| Finding { kind, span }));
            }
        }
    }
}

/// The value behind the name that can hardly be a word.
fn value_after(text: &str, name: &Range<usize>, kind: &str) -> Option<Range<usize>> {
    let line = rest_of_line(text, name.end);
    let mut direct = true;
    for Piece { word, shown, .. } in pieces(line).take(WORDS_BETWEEN) {
        let told = line.get(shown.clone())?;
        let start = name.end + shown.start;
        let quoted = word.starts_with(['"', '\'', '`', '«', '“', '„', '「']);
        if is_told(told, kind, direct || quoted) {
            return Some(start..whole(text, start + told.len(), name.end + line.len()));
        }
        let lower = word.to_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        direct = bare.is_empty() || word.ends_with([':', '=', '：']) || LINKS.contains(&bare);
        direct |= LINKS.iter().any(|link| link.starts_with(is_wordless) && lower.ends_with(link));
        if word.ends_with(['.', '!', '?', '。', '！', '？']) && !bare.is_empty() {
            return None;
        }
    }
    None
}

/// The value before the name, with nothing between but words that point back to it: "… is the password", `…, // key`.
fn told_before(text: &str, name: &Range<usize>, kind: &str) -> Option<Range<usize>> {
    let from = text.ceil_char_boundary(name.start.saturating_sub(LINE_REACH));
    let line = text.get(from..name.start)?.rsplit(['\n', '\r', '\0']).next()?;
    let start = name.start - line.len();
    let words: Vec<Piece<'_>> = pieces(line).collect();
    let points = |word: &str| {
        let bare = word.to_lowercase();
        let bare = bare.trim_matches(|c: char| !c.is_alphanumeric());
        bare.is_empty() || POINTERS_BACK.contains(&bare)
    };
    let back = words.iter().rev().take_while(|piece| points(piece.word)).count();
    let value = words.iter().rev().nth(back).filter(|_| back > 0)?;
    let shown = line.get(value.shown.clone())?;
    let inner = shown.trim_matches(|c: char| !c.is_ascii_graphic() || "[](){}\"'`,;".contains(c));
    let real = match kind {
        PASSWORD => shown.len() > 7 && value::is_strong(shown) && has_symbol(shown),
        _ => value::is_chance(inner) || is_hex_key(inner) && text.get(name.clone())?.contains(' '),
    };
    let at = start + value.shown.start + shown.find(inner)?;
    real.then(|| at..at + inner.len())
}

/// Whether `shown` is a key of 32 bytes as wallets write it.
fn is_hex_key(shown: &str) -> bool {
    let digits = shown.strip_prefix("0x").unwrap_or_default();
    digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The plain word or pass phrase that stands right behind the label or the copula of the name.
fn plain_after(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let line = rest_of_line(text, name.end);
    let (from, told) = told_from(text, name, line)?;
    let (label, beside) = (told == Told::Label, told == Told::Beside);
    let rest = line.get(from..)?;
    let opened = rest.trim_start();
    let start = name.end + from + rest.len() - opened.len();
    if let Some((open, close)) = quotes(opened) {
        let inner = opened.get(open.len_utf8()..)?;
        let inner = inner.get(..inner.find(close)?)?;
        let phrase = plain::is_phrase(inner) || open == '"' && plain::is_quoted_phrase(inner);
        let real = (!beside || open == '"') && plain::is_plain(inner) || open != '`' && phrase;
        return real.then(|| start + open.len_utf8()..start + open.len_utf8() + inner.len());
    }
    let bare = opened.split(['"', '\\']).next().unwrap_or_default();
    let clause = bare.split(". ").next().unwrap_or_default().trim_end_matches(['.', ' ', '`', '\'']);
    if !beside && plain::is_phrase(clause) {
        return Some(start..start + clause.len());
    }
    let word = bare.get(
        ..bare.find(|c: char| c.is_whitespace() || ",;)".contains(c) || is_wordless(c)).unwrap_or(bare.len()),
    )?;
    let shown = word.trim_end_matches(['.', '!', '?', '`', '\'']);
    let closes = ends_clause(bare.get(shown.len()..).unwrap_or_default(), label);
    let real = if beside { plain::is_worn(shown) } else { plain::is_plain(shown) };
    (closes && real && (!label || shown.is_ascii() || shown.len() > 5)).then(|| start..start + shown.len())
}

/// What tells a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    /// A colon behind the name.
    Label,
    /// A copula, or words that make the name a means: "log in with password …".
    Plainly,
    /// Nothing: the value only stands beside the name.
    Beside,
}

/// Whether the name stands for a user and a password together.
fn is_login(text: &str, name: &Range<usize>) -> bool {
    text.get(name.clone()).is_some_and(|shown| LOGINS.iter().any(|login| shown.eq_ignore_ascii_case(login)))
}

/// Where the value of the name begins in `line`, and what tells it.
fn told_from(text: &str, name: &Range<usize>, line: &str) -> Option<(usize, Told)> {
    let label = line.trim_start_matches(['"', '\'', '*', ' ']);
    if let Some(rest) = label.strip_prefix([':', '：']) {
        // `":` is a key of JSON: its value is the setting's to judge, as is whatever stands in code.
        let quoted = line.starts_with(['"', '\'']);
        let short = text.get(name.clone()).is_some_and(|n| n.len() < 5);
        return (!quoted && !short && !rest.starts_with(':') && !in_code(text, name.start))
            .then(|| (line.len() - rest.trim_start_matches('*').len(), Told::Label));
    }
    if let Some(rest) = line.strip_prefix("'s ").or_else(|| line.strip_prefix("’s ")) {
        return Some((line.len() - rest.len(), Told::Plainly));
    }
    let mut words = pieces(line);
    let first = words.next()?;
    let bare = |word: &str| word.trim_end_matches(['「', '『', '“', '‘']).len();
    let is_copula = |word: &str| {
        let lower = word.get(..bare(word)).unwrap_or_default().to_lowercase();
        COPULAS.iter().any(|c| lower == *c || c.starts_with(is_wordless) && lower.ends_with(c))
    };
    if (first.at > 0 || first.word.starts_with(is_wordless)) && is_copula(first.word) {
        return Some((first.at + bare(first.word), Told::Plainly));
    }
    if first.word.ends_with(':') && PREPOSITIONS.contains(&first.word) || first.at == 0 {
        return None;
    }
    if is_preposition(first.word) {
        let told: Vec<Piece<'_>> = words.take(WORDS_BETWEEN - 3).collect();
        if let Some(told) = told.iter().find(|p| is_copula(p.word) || p.word.ends_with(':')) {
            let told_by = if told.word.ends_with(':') { Told::Label } else { Told::Plainly };
            return Some((told.at + bare(told.word), told_by));
        }
        let worn = |p: &&Piece<'_>| line.get(p.shown.clone()).is_some_and(plain::is_worn);
        let value = told.iter().skip(1).find(worn).filter(|_| is_to_be_kept(text, name.start))?;
        return Some((value.at, Told::Beside));
    }
    let before = text.get(text.ceil_char_boundary(name.start.saturating_sub(LOGIN_REACH))..name.start)?;
    let with =
        before.split_whitespace().rev().take(4).any(|word| WITH.contains(&word.to_lowercase().as_str()));
    let told = with
        || before.contains("login ")
        || text.get(name.clone()).is_some_and(|n| n.to_ascii_lowercase().ends_with("by"));
    Some((0, if told { Told::Plainly } else { Told::Beside }))
}

fn is_preposition(word: &str) -> bool {
    let lower = word.to_lowercase();
    PREPOSITIONS.contains(&lower.as_str()) || ELIDED.iter().any(|elided| lower.starts_with(elided))
}

/// Whether the line before `at` asks to keep what it says.
fn is_to_be_kept(text: &str, at: usize) -> bool {
    let before = text.get(text.ceil_char_boundary(at.saturating_sub(LINE_REACH))..at).unwrap_or_default();
    let line = before.rsplit(['\n', '\0']).next().unwrap_or_default().to_lowercase();
    line.split_whitespace().any(|word| REMEMBER.iter().any(|asks| word.starts_with(asks)))
}

/// Whether the line before `at` looks like code, where a word behind a colon is a type or a variable.
fn in_code(text: &str, at: usize) -> bool {
    let before = text.get(text.ceil_char_boundary(at.saturating_sub(LINE_REACH))..at).unwrap_or_default();
    let line = before.rsplit(['\n', '\0']).next().unwrap_or_default();
    line.contains(['{', '(', '[', '<', '=', '|'])
        || DECLARATIONS.iter().any(|word| line.trim_start().starts_with(word))
}

/// Whether a value before `rest` ends a clause, so that it is no adjective of something that follows.
fn ends_clause(rest: &str, label: bool) -> bool {
    let rest = rest.trim_start_matches(['`', '\'']);
    let next = rest.trim_start_matches(['.', '!', '?', ';', ')']);
    let follows = next.trim_start();
    let apart = next.len() < rest.len() && (next.is_empty() || next.starts_with(char::is_whitespace));
    if follows.is_empty() || apart || follows.starts_with(is_wordless) {
        return true;
    }
    // `password: hash,` at the end of a line is code.
    let comma = next.strip_prefix(',').is_some_and(|after| !after.trim().is_empty());
    comma
        || !label
            && ["and ", "but ", "und ", "et ", "y ", "e ", "и "].iter().any(|word| follows.starts_with(word))
}

/// The quotes that `text` begins with.
fn quotes(text: &str) -> Option<(char, char)> {
    let open = text.chars().next()?;
    let pairs = [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('«', '»'),
        ('“', '”'),
        ('„', '“'),
        ('「', '」'),
        ('『', '』'),
    ];
    pairs.into_iter().find(|pair| pair.0 == open)
}

/// What stands behind `from`, to the end of the line, at most [`REACH`] bytes.
fn rest_of_line(text: &str, from: usize) -> &str {
    let tail = text.get(from..text.floor_char_boundary(from.saturating_add(REACH))).unwrap_or_default();
    tail.split(['\n', '\r', '\0']).next().unwrap_or_default()
}

/// The end of a value that ends at `end`; past the look's `limit` where that cut it.
fn whole(text: &str, end: usize, limit: usize) -> usize {
    if end < limit {
        return end;
    }
    let more = |b: char| b.is_ascii_graphic() && !matches!(b, '"' | '\'' | '`');
    let rest = text.get(end..).unwrap_or_default();
    let length = rest.find(|c| !more(c)).unwrap_or(rest.len());
    end + rest.get(..length).unwrap_or_default().trim_end_matches(['.', ',', ';', ')']).len()
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

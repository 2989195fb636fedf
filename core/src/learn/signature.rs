//! The signature of an error: its first specific sentence, with instance values turned into classes.
//!
//! Decides when two failures say the same thing. Never decides whether a failure teaches something, and never keeps a
//! value that belongs to one run.

mod label;
mod line;
mod mask;

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::words::content_words;

pub(crate) use line::is_generic_word;
pub(crate) use mask::{Known, id_kind, mask, mask_values, token_class};

/// Fewer content words than this say too little: the key then takes the tool and the shape too.
pub(crate) const SPECIFIC_WORDS: usize = 3;

/// The longest signature, in bytes.
const LIMIT: usize = 200;

/// The longest line that is masked.
const LINE: usize = 1024;

/// How much of each end of a long message is read.
const WINDOW: usize = 12 * 1024;

/// What an error says, without what belongs to one run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Signature {
    /// The sentence, with classes such as `<path>` in place of values.
    pub(crate) text: String,
    /// The same sentence for a reader: quoted names of parameters and the like are kept.
    pub(crate) said: String,
    /// Its content words in order.
    pub(crate) words: Vec<String>,
    /// The line of the message it was taken from, as it stood there.
    pub(crate) line: String,
}

impl Signature {
    /// The signature of `message`, the answer of a failed call.
    pub(crate) fn of(message: &str, known: &Known<'_>) -> Self {
        let plain = without_echoes(plain(message), known);
        let found = line::specific(&plain, known);
        let Some(found) = found.filter(|found| !found.is_empty()) else { return Self::silent(message) };
        let whole = whole_quote(found, &plain);
        let (text, sentences) = specific_sentence(&mask(&whole, known));
        let said = first_sentences(&mask_values(&whole, known), sentences);
        Self { words: content_words(&text), text, said, line: found.to_string() }
    }

    /// A failure that says nothing but its exit status.
    fn silent(message: &str) -> Self {
        let text = if message.trim().is_empty() { "no output" } else { "exit code <n>" };
        Self {
            text: text.to_string(),
            said: text.to_string(),
            words: content_words(text),
            line: String::new(),
        }
    }

    /// Whether it says too little to be a key by itself.
    pub(crate) fn is_generic(&self) -> bool {
        self.words.len() < SPECIFIC_WORDS
    }
}

/// The message as lines of plain text: escapes undone, JSON errors unpacked, a long middle left out.
pub(crate) fn plain(message: &str) -> Cow<'_, str> {
    let message = message.trim();
    if message.starts_with('{')
        && message.len() <= 4 * WINDOW
        && let Ok(value) = serde_json::from_str::<Value>(message)
        && let Some(inner) = error_text(&value, 0)
    {
        return Cow::Owned(plain(&inner).into_owned());
    }
    let mut text = window(message);
    if text.contains('\u{1b}') {
        text = Cow::Owned(without_ansi(&text));
    }
    if text.contains("\\n\\n") || text.contains("\\n") && !text.contains('\n') {
        text = Cow::Owned(text.replace("\\n", "\n").replace("\\t", " "));
    }
    text
}

/// Leaves out long values that the error repeats from the call, so that the sentence around them stays one line.
fn without_echoes<'a>(text: Cow<'a, str>, known: &Known<'_>) -> Cow<'a, str> {
    known.texts.iter().fold(text, |text, value| {
        let value = value.trim();
        if value.len() > 1 && text.contains(value) { Cow::Owned(text.replace(value, "<text>")) } else { text }
    })
}

/// A line whose back-quote closes on a later line, with what follows the quote there.
fn whole_quote<'a>(found: &'a str, plain: &str) -> Cow<'a, str> {
    let found = head(found, LINE);
    if found.matches('`').count().is_multiple_of(2) {
        return Cow::Borrowed(found);
    }
    let open = found.rfind('`').unwrap_or(0);
    let after = plain.find(found).map_or("", |at| &plain[at + found.len()..]);
    match after.find('`') {
        Some(close) => {
            let rest = after[close + 1..].lines().next().unwrap_or("");
            Cow::Owned(format!("{}<text>{}", &found[..open], head(rest, LINE)))
        }
        None => Cow::Owned(format!("{}<text>", &found[..open])),
    }
}

/// At most `limit` bytes of `text`.
fn head(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn window(text: &str) -> Cow<'_, str> {
    if text.len() <= 2 * WINDOW {
        return Cow::Borrowed(text);
    }
    let (mut head, mut tail) = (WINDOW, text.len() - WINDOW);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    Cow::Owned(format!("{}\n{}", &text[..head], &text[tail..]))
}

fn error_text(value: &Value, depth: u8) -> Option<String> {
    const KEYS: [&str; 11] = [
        "error",
        "errors",
        "message",
        "error_message",
        "errorMessage",
        "detail",
        "details",
        "reason",
        "stderr",
        "msg",
        "output",
    ];
    let found = |inner: &Value| match inner {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Object(_) | Value::Array(_) if depth < 3 => error_text(inner, depth + 1),
        _ => None,
    };
    match value {
        Value::Object(map) => KEYS.iter().find_map(|key| map.get(*key).and_then(found)),
        Value::Array(items) => items.first().and_then(found),
        _ => None,
    }
}

fn without_ansi(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('[') => while chars.next().is_some_and(|c| !('\u{40}'..='\u{7e}').contains(&c)) {},
            Some(']') => while chars.next().is_some_and(|c| c != '\u{7}' && c != '\u{9c}') {},
            _ => {}
        }
    }
    out
}

/// The first sentence that is specific, short ones with what follows them; and how many sentences that took.
fn specific_sentence(masked: &str) -> (String, usize) {
    let (mut end, mut count) = (0, 0);
    while end < masked.len() {
        end += sentence_end(&masked[end..]);
        count += 1;
        let words = content_words(&masked[..end]);
        if words.iter().filter(|word| !says_nothing(word)).count() >= SPECIFIC_WORDS {
            break;
        }
    }
    (closed(&masked[..end]), count)
}

fn first_sentences(masked: &str, count: usize) -> String {
    let end = (0..count).fold(0, |end, _| end + sentence_end(&masked[end..]));
    closed(&masked[..end])
}

/// A sentence without its closing mark, not longer than a signature may be.
fn closed(sentence: &str) -> String {
    cut(sentence.trim().trim_end_matches(['.', ':', ';', ',', ' ']))
}

/// The length of the first sentence of `text`, its closing mark and the space after it included.
pub(crate) fn sentence_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        let closes = matches!(c, '.' | '!' | '?' | ';') && bytes.get(at + 1) == Some(&b' ');
        let begins = text.get(at + 2..).and_then(|rest| rest.trim_start().chars().next());
        if closes
            && begins.is_some_and(|next| !next.is_lowercase() || c == ';')
            && !is_abbreviation(&text[..at])
        {
            return at + 2;
        }
        if c == '。' {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// Words of sentences that only say that nothing came of it: "No replacement was performed."
fn says_nothing(word: &str) -> bool {
    line::is_generic_word(word)
        || matches!(
            word,
            "no" | "nothing"
                | "perform"
                | "replacement"
                | "replac"
                | "chang"
                | "change"
                | "made"
                | "mad"
                | "edit"
                | "appli"
                | "operation"
                | "action"
                | "request"
        )
}

fn is_abbreviation(before: &str) -> bool {
    ["e.g", "i.e", "etc", "vs", "No", " no", "approx"].iter().any(|short| before.ends_with(short))
}

fn cut(text: &str) -> String {
    if text.len() <= LIMIT {
        return text.to_string();
    }
    let mut end = LIMIT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind(' ').unwrap_or(end);
    text[..end].to_string()
}

#[cfg(test)]
mod tests;

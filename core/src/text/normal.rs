//! Normal forms: decides which spellings are the same word.
//!
//! Words are found by character class, folded and lightly stemmed, the same on every host. Never corrects spelling,
//! never translates, and never changes a text that is stored (except to normal form C).

use alloc::string::String;
use alloc::vec::Vec;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::stem::{is_stop_word, stem};
use crate::sort;

/// The text in Unicode normal form C. Every text is brought to it on input.
pub fn nfc(text: &str) -> String {
    text.nfc().collect()
}

/// The Unicode words of `text` in order, repeats kept: lower-cased, without diacritics, lightly stemmed.
///
/// Identifiers count as a whole and in parts: `getUserName_v2` gives `getusername_v2`, `get`, `user`, `name`, `v2`.
/// Scripts written without spaces give pairs of characters, Han also single characters; Hangul words also give pairs
/// of syllables. The stem takes off English plurals, `-ing` and `-ed` and leaves every other script alone.
pub fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    each_word(text, false, &mut |word| out.push(String::from(word)));
    out
}

/// [`words`] without English stop words. Other languages keep theirs: there only rarity tells words apart.
///
/// These are what the lexical index holds and what a query for it should consist of.
pub fn terms(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    each_term(text, &mut |word| out.push(String::from(word)));
    out
}

/// Calls `emit` with each of the [`terms`] of `text` in order.
pub(super) fn each_term(text: &str, emit: &mut dyn FnMut(&str)) {
    each_word(text, true, emit);
}

/// The set of [`terms`] of `text`, sorted, without repeats: what [`jaccard`] compares.
pub fn content_words(text: &str) -> Vec<String> {
    let mut out = terms(text);
    sort::sort(&mut out);
    out.dedup();
    out
}

/// The overlap of two sorted sets of words in millionths: shared words over all words.
///
/// Two empty sets share nothing: 0, because they are no evidence that two texts say the same.
pub fn jaccard(a: &[String], b: &[String]) -> u32 {
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    let (mut shared, mut all) = (0u64, 0u64);
    while let (Some(x), Some(y)) = (left.peek(), right.peek()) {
        let order = x.cmp(y);
        shared += u64::from(order.is_eq());
        all += 1;
        if order.is_le() {
            left.next();
        }
        if order.is_ge() {
            right.next();
        }
    }
    all += (left.count() + right.count()) as u64;
    (shared * 1_000_000).checked_div(all).unwrap_or(0) as u32
}

/// Whether `c` belongs to a script written without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    let in_script = matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3005..=0x3007 | 0x3031..=0x3035 | 0x3040..=0x30FF
        | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9D
        | 0x2_0000..=0x3_FFFF);
    in_script && (c.is_alphanumeric() || is_combining_mark(c))
}

/// A run of word characters and where it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'a> {
    /// The byte offset in the text.
    pub(super) start: usize,
    /// The run itself, spelled as in the text.
    pub(super) text: &'a str,
    /// Whether its script has no spaces between words.
    pub(super) unspaced: bool,
}

/// The runs of word characters of `text`, in order. `_`, `-`, `.` and apostrophes join when they stand inside a word.
pub(super) fn chunks(text: &str) -> impl Iterator<Item = Chunk<'_>> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let (skip, first) = text.get(at..)?.char_indices().find(|&(_, c)| is_word(c) || is_unspaced(c))?;
        let start = at + skip;
        let unspaced = is_unspaced(first);
        let rest = text.get(start..)?;
        let len = if unspaced { unspaced_len(rest) } else { word_len(rest) };
        at = start + len;
        Some(Chunk { start, text: rest.get(..len)?, unspaced })
    })
}

/// Lower case, without diacritics and invisible joiners; full-width forms as ordinary ones.
pub(super) fn fold(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    fold_into(word, &mut out);
    out
}

fn fold_into(word: &str, out: &mut String) {
    out.clear();
    if word.is_ascii() {
        out.push_str(word);
        out.make_ascii_lowercase();
        return;
    }
    let plain = word.chars().map(narrow).nfd().filter(|&c| !is_ignored(c));
    for c in plain.flat_map(char::to_lowercase).nfc() {
        match c {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ς' => out.push('σ'),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' => out.push('d'),
            'ı' => out.push('i'),
            _ => out.push(c),
        }
    }
}

/// Pairs of neighbours of a folded run, and its single Han characters.
pub(super) fn each_gram(run: &str, emit: &mut dyn FnMut(&str)) {
    let alone = run.chars().nth(1).is_none();
    let mut before = 0;
    for (at, c) in run.char_indices() {
        let end = at + c.len_utf8();
        if at > 0 {
            emit(run.get(before..end).unwrap_or_default());
        }
        if alone || is_han(c) {
            emit(run.get(at..end).unwrap_or_default());
        }
        before = at;
    }
}

fn each_word(text: &str, content: bool, emit: &mut dyn FnMut(&str)) {
    let mut writer = Writer { word: String::new(), content, emit };
    for chunk in chunks(text) {
        if chunk.unspaced {
            each_gram(&fold(chunk.text), writer.emit);
        } else if is_simple(chunk.text) {
            writer.word(chunk.text);
        } else {
            each_piece(chunk.text, &mut |piece| writer.identifier(piece));
        }
    }
}

/// The common case: ASCII letters and digits with no capital inside, one word without parts.
fn is_simple(chunk: &str) -> bool {
    let (first, rest) = chunk.as_bytes().split_first().unwrap_or((&b' ', &[]));
    first.is_ascii_alphanumeric() && rest.iter().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
}

/// Splits at apostrophes: `don't` is `dont`, `user's` is `user`, `l'erreur` is `l` and `erreur`.
pub(super) fn each_piece(chunk: &str, emit: &mut dyn FnMut(&str)) {
    if !chunk.contains(is_apostrophe) {
        return emit(chunk);
    }
    let mut pieces: Vec<&str> = chunk.split(is_apostrophe).collect();
    match pieces.as_slice() {
        [head, "t" | "T"] => return emit(&String::from_iter([*head, "t"])),
        [_, .., "s" | "S"] => {
            pieces.pop();
        }
        _ => {}
    }
    pieces.into_iter().for_each(emit);
}

/// Folds and stems words into one buffer.
struct Writer<'a> {
    word: String,
    content: bool,
    emit: &'a mut dyn FnMut(&str),
}

impl Writer<'_> {
    fn word(&mut self, raw: &str) {
        fold_into(raw, &mut self.word);
        if self.word.is_empty() || (self.content && is_stop_word(&self.word)) {
            return;
        }
        stem(&mut self.word);
        (self.emit)(&self.word);
    }

    /// The piece as a whole and, if it has any, its parts. Numbers and versions stay whole.
    fn identifier(&mut self, piece: &str) {
        let piece = &*piece.replace(',', "");
        if is_number(piece) {
            return self.word(piece);
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in piece.split(['_', '-']) {
            if is_number(part) {
                parts.push(part);
            } else {
                part.split('.').for_each(|name| split_case(name, &mut parts));
            }
        }
        if parts.len() > 1 {
            self.word(piece);
        }
        for part in parts {
            self.word(part);
            self.syllables(part);
        }
    }

    /// Pairs of the syllables of a Hangul word, whose endings stick to it.
    fn syllables(&mut self, word: &str) {
        if word.chars().next().is_some_and(is_hangul) && word.chars().nth(2).is_some() {
            each_gram(&fold(word), self.emit);
        }
    }
}

/// Splits `getUserName` and `HTTPServer` where a capital begins a new word.
fn split_case<'a>(name: &'a str, parts: &mut Vec<&'a str>) {
    let mut start = 0;
    let mut before: Option<char> = None;
    let mut letters = name.char_indices().filter(|&(_, c)| !is_combining_mark(c)).peekable();
    while let Some((at, c)) = letters.next() {
        let after_small = before.is_some_and(|b| b.is_lowercase() || b.is_numeric());
        let before_small = before.is_some_and(char::is_uppercase)
            && letters.peek().is_some_and(|&(_, next)| next.is_lowercase());
        if c.is_uppercase() && (after_small || before_small) {
            parts.extend(name.get(start..at));
            start = at;
        }
        before = Some(c);
    }
    parts.extend(name.get(start..));
}

/// `30`, `1,000`, `1.2.3` and `v1.2.3` stay whole.
pub(super) fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['v', 'V']).unwrap_or(word);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',')
}

fn unspaced_len(rest: &str) -> usize {
    rest.find(|c| !is_unspaced(c) && !is_combining_mark(c) && !is_joining_format(c)).unwrap_or(rest.len())
}

fn word_len(rest: &str) -> usize {
    let mut len = 0;
    while let Some(c) = rest.get(len..).and_then(|tail| tail.chars().next()) {
        let tail = rest.get(len + c.len_utf8()..).unwrap_or_default();
        if is_word(c) || is_combining_mark(c) || is_joining_format(c) {
            len += c.len_utf8();
        } else if let Some(joined) = joiner_len(c, tail, rest.get(..len).unwrap_or_default()) {
            len += joined;
        } else {
            break;
        }
    }
    len
}

/// How many bytes join `head` to the word in `tail`, if `c` joins here.
fn joiner_len(c: char, tail: &str, head: &str) -> Option<usize> {
    let more = match c {
        '_' => tail.len() - tail.trim_start_matches('_').len(),
        '-' | '.' => 0,
        ',' if groups_digits(head, tail) => 0,
        _ if is_apostrophe(c) => 0,
        _ => return None,
    };
    tail.get(more..)?.chars().next().filter(|&next| is_word(next))?;
    Some(c.len_utf8() + more)
}

/// Whether the comma in `1,000` stands between `head` and `tail`.
fn groups_digits(head: &str, tail: &str) -> bool {
    let run = tail.bytes().take_while(u8::is_ascii_digit).count();
    head.ends_with(|c: char| c.is_ascii_digit()) && run == 3
}

fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() && !is_unspaced(c) && !is_ignored(c)
}

fn is_han(c: char) -> bool {
    matches!(u32::from(c), 0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

fn is_hangul(c: char) -> bool {
    matches!(u32::from(c), 0xAC00..=0xD7AF)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2BC}')
}

/// Soft hyphen, word joiner and zero-width joiners stand inside words and mean nothing there.
fn is_joining_format(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}')
}

/// Marks that many writers leave out: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowels. The vowel signs
/// of Indic scripts and the voicing marks of kana are letters and stay.
fn is_ignored(c: char) -> bool {
    is_joining_format(c)
        || matches!(u32::from(c),
            0x0300..=0x036F | 0x0591..=0x05BD | 0x0610..=0x061A | 0x064B..=0x065F | 0x0670 | 0x06D6..=0x06DC
            | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F)
}

/// Full-width Latin letters and digits as ASCII.
fn narrow(c: char) -> char {
    match u32::from(c) {
        wide @ 0xFF01..=0xFF5E => char::from_u32(wide - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    fn has(text: &str, word: &str) -> bool {
        words(text).iter().any(|w| w == word)
    }

    #[test]
    fn spelling_does_not_matter() {
        assert_eq!(words("Vérifier"), words("verifier"));
        assert_eq!(words("STRASSE"), words("straße"));
        assert_eq!(words("ΟΔΟΣ"), words("οδος"));
        assert_eq!(words("İstanbul"), words("istanbul"));
        assert_eq!(words("ＡＰＩ ２"), words("api 2"));
        assert_eq!(words("can\u{AD}cel"), words("cancel"));
        assert_eq!(words("Don’t"), words("don't"));
        assert_eq!(words("e\u{301}tat"), words("état"));
    }

    #[test]
    fn identifiers_are_whole_and_in_parts() {
        assert_eq!(words("getUserName_v2"), vec!["getusername_v2", "get", "user", "name", "v2"]);
        assert_eq!(words("HTTPServer"), vec!["httpserver", "http", "server"]);
        assert_eq!(words("--set-upstream"), vec!["set-upstream", "set", "upstream"]);
        assert_eq!(words("src/main.rs"), vec!["src", "main.rs", "main", "rs"]);
        assert_eq!(words("__init__.py"), vec!["init", "py"]);
        assert_eq!(words("a__b"), vec!["a__b", "a", "b"]);
        assert_eq!(words("v1.2.3 1,000 3.14"), vec!["v1.2.3", "1000", "3.14"]);
        assert_eq!(words("The end. Next"), vec!["the", "end", "next"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(words("数据库"), vec!["数", "数据", "据", "据库", "库"]);
        assert_eq!(words("データ"), vec!["デー", "ータ"]);
        assert!(has("デ\u{30FC}タベース", "ベー") && has("がく", "がく") && !has("がく", "かく"));
        assert!(has("파일을 열다", "파일") && has("파일을 열다", "파일을"));
        assert!(has("ภาษาไทย", "ไท"));
        assert_eq!(words("用git提交"), vec!["用", "git", "提", "提交", "交"]);
        assert_eq!(words("कि"), vec!["कि"]);
    }

    #[test]
    fn english_endings_come_off() {
        for (a, b) in [("files", "file"), ("running", "run"), ("caches", "caching"), ("retries", "retry")] {
            assert_eq!(words(a), words(b));
        }
        assert_ne!(words("string"), words("str"));
    }

    #[test]
    fn overlap_is_in_millionths() {
        let a = content_words("create the parent directory first");
        assert_eq!(jaccard(&a, &content_words("Create parent directories first!")), 1_000_000);
        assert_eq!(jaccard(&a, &content_words("create the parent")), 500_000);
        assert_eq!(jaccard(&[], &[]), 0);
        assert_eq!(jaccard(&a, &[]), 0);
        assert_eq!(content_words("it is the"), Vec::<String>::new());
        assert_eq!(content_words("not never"), vec!["never", "not"]);
    }

    proptest! {
        #[test]
        fn any_text_has_words(text in "\\PC{0,60}|[a-z_.,'\\-A-Z0-9\u{4e00}-\u{4e10}\u{300}\u{200d}]{0,40}") {
            for word in words(&text) {
                prop_assert!(!word.is_empty());
                prop_assert_eq!(&word, &fold(&word));
            }
            let letters = |text: &str| text.chars().filter(|&c| c.is_alphabetic() && !is_ignored(c)).count();
            let covered: usize = chunks(&text).map(|c| letters(c.text)).sum();
            prop_assert_eq!(covered, letters(&text));
        }

        #[test]
        fn case_and_form_do_not_change_words(text in "[a-zA-ZäöéÄÖÉ ]{0,40}") {
            let decomposed: String = text.nfd().collect();
            prop_assert_eq!(words(&text), words(&decomposed));
        }

        #[test]
        fn overlap_is_symmetric(a in "[a-e ]{0,20}", b in "[a-e ]{0,20}") {
            let (a, b) = (content_words(&a), content_words(&b));
            let shared = a.iter().filter(|w| b.contains(w)).count();
            let all = a.len() + b.len() - shared;
            let expected = (shared * 1_000_000).checked_div(all).unwrap_or(0);
            prop_assert_eq!(jaccard(&a, &b), expected as u32);
            prop_assert_eq!(jaccard(&a, &b), jaccard(&b, &a));
        }
    }
}

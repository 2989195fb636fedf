//! Turns values of one run into classes: paths, numbers, ids, hashes, quoted text, what the error echoes.
//!
//! Decides by the form of a token and by what the call itself gave. Words of the language stay as they are.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::learn::lexicon;
use crate::sort;

/// What is known about a call when its error is read.
#[derive(Default)]
pub(crate) struct Known<'a> {
    /// Whether the tool is a shell.
    pub(crate) is_shell: bool,
    /// Programs in the command line.
    pub(crate) programs: Vec<String>,
    /// Values given in the arguments, or words of the command line.
    pub(crate) values: Vec<Cow<'a, str>>,
    /// Long or many-lined values given in the arguments, for example the text to replace.
    pub(crate) texts: Vec<&'a str>,
    /// Names that belong to this run: parts of the working directory.
    pub(crate) names: Vec<&'a str>,
    /// Prefixes of ids that earlier outputs use as words of their own: `gift_card` in `gift_card_123`.
    pub(crate) kinds: Vec<String>,
    /// The whole message, to see which names it repeats.
    pub(crate) message: &'a str,
}

/// `line` with classes in place of values.
pub(crate) fn mask(line: &str, known: &Known<'_>) -> String {
    tokens_masked(&quotes_masked(&echoes_masked(line, known), false), known, false)
}

/// Like [`mask`], but quoted names such as `` `old_str` `` stay: they belong to the tool, not to the run.
pub(crate) fn mask_values(line: &str, known: &Known<'_>) -> String {
    tokens_masked(&quotes_masked(&echoes_masked(line, known), true), known, true)
}

fn tokens_masked(line: &str, known: &Known<'_>, keep_names: bool) -> String {
    let mut out = String::with_capacity(line.len());
    let mut before = "";
    for token in line.split_inclusive([' ', '\t', '\n']) {
        let word = token.trim_end();
        let keeps = keep_names && is_setup_name(word.trim_matches(is_edge));
        let masked = if keeps { Cow::Borrowed(word) } else { token_masked(word, before, known) };
        // A value of several words leaves one class.
        if !(masked.starts_with('<') && masked.ends_with('>') && out.trim_end().ends_with(masked.as_ref())) {
            out.push_str(&masked);
            out.push_str(if token.len() > word.len() { " " } else { "" });
        }
        before = word;
    }
    lists_masked(out.trim_end())
}

/// Values that the error repeats from the call, longest first.
fn echoes_masked(line: &str, known: &Known<'_>) -> String {
    let mut out = String::from(line);
    let mut values: Vec<&str> =
        known.values.iter().map(|v| v.trim()).filter(|v| is_telling(v) || stands_alone(line, v)).collect();
    sort::sort_by_key(&mut values, |value| core::cmp::Reverse(value.len()));
    values.dedup();
    for value in values {
        if out.len() < 4096 && out.contains(value) {
            out = replace_whole(
                &out,
                value,
                &token_class(value, known).unwrap_or_else(|| String::from("<value>")),
            );
        }
    }
    out
}

/// Whether a value can only have come from the call: it is no ordinary word.
fn is_telling(value: &str) -> bool {
    value.len() >= 3
        && value.contains(|c: char| {
            c.is_ascii_digit() || c.is_uppercase() || matches!(c, '_' | '/' | '.' | ' ' | '@' | ':' | '-')
        })
        && !value.starts_with('-')
}

/// Whether an ordinary word stands as a value: after a colon or at the line's start before one.
fn stands_alone(line: &str, value: &str) -> bool {
    if value.len() < 2 || value.contains(' ') {
        return false;
    }
    let after = line.find(value).is_some_and(|at| {
        line[..at].ends_with(": ") && line[at + value.len()..].trim_matches('.').is_empty()
    });
    let first = line.strip_prefix(value).is_some_and(|rest| rest.starts_with(": "));
    after || first
}

fn replace_whole(text: &str, value: &str, class: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut last = ' ';
    while let Some(at) = rest.find(value) {
        let before = rest[..at].chars().next_back().unwrap_or(last);
        let after = rest[at + value.len()..].chars().next().unwrap_or(' ');
        out.push_str(&rest[..at]);
        let goes_on = value.contains('/')
            && matches!(after, '/' | '.' | '-')
            && rest[at + value.len() + 1..].starts_with(is_word_char);
        let whole = !is_word_char(before) && !is_word_char(after) && !goes_on;
        out.push_str(if whole { class } else { value });
        last = value.chars().next_back().unwrap_or(' ');
        rest = &rest[at + value.len()..];
    }
    out.push_str(rest);
    out
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Quoted text becomes `<text>`. An apostrophe inside a word is no quote.
fn quotes_masked(line: &str, keep_names: bool) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let close = match c {
            '\'' | '"' | '`' if !is_word_char(before) => closing(after, c),
            '“' => after.find('”'),
            '‘' => after.find('’'),
            _ => None,
        };
        if let Some(end) = close {
            let mark = after[end..].chars().next().map_or(0, char::len_utf8);
            let inner = &after[..end];
            let module = ["module named ", "find module ", "find package ", "module "]
                .iter()
                .any(|noun| line[..line.len() - rest.len()].ends_with(noun));
            let plain = inner.len() <= 40
                && inner.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-' | '.' | '@' | '/'))
                && !inner.starts_with(['.', '/']);
            let name = keep_names && (is_own_word(inner) || is_setup_name(inner) || module && plain);
            out.push_str(if name { inner } else { "<text>" });
            rest = &after[end + mark..];
            before = '>';
        } else {
            out.push(c);
            rest = after;
            before = c;
        }
    }
    out
}

/// Whether a word is the name that manifests have everywhere: `Cargo.toml`, `poetry.lock`.
fn is_setup_name(word: &str) -> bool {
    let name = word.to_ascii_lowercase();
    lexicon::has(lexicon::SETUP_FILES, &name) || lexicon::has(lexicon::LOCK_FILES, &name)
}

/// Whether a quoted word belongs to the tool and not to the run: `old_str`, `LLVM_DIR`, `0o`.
fn is_own_word(inner: &str) -> bool {
    let has = |test: fn(&u8) -> bool| inner.bytes().all(|b| test(&b));
    let snake = inner.contains('_') && has(|b| b.is_ascii_lowercase() || *b == b'_');
    let shout = inner.len() > 1 && has(|b| b.is_ascii_uppercase() || *b == b'_');
    let sign = inner.len() <= 3
        && inner.contains(|c: char| c.is_ascii_lowercase())
        && inner.starts_with(|c: char| c.is_ascii_digit());
    inner.len() <= 30 && (snake || shout || sign)
}

/// Where a quote of one kind closes: not before a letter. A quote cut off at the end closes there.
fn closing(after: &str, quote: char) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = after[from..].find(quote) {
        let end = from + at;
        let next = after[end + 1..].chars().next().unwrap_or(' ');
        if !is_word_char(next) && end > 0 {
            return Some(end);
        }
        from = end + 1;
    }
    (quote != '\'' && after.len() > 20).then_some(after.len())
}

fn token_masked<'a>(token: &'a str, before: &str, known: &Known<'_>) -> Cow<'a, str> {
    let core = token.trim_matches(is_edge);
    if core.is_empty() || core.contains('<') {
        return Cow::Borrowed(token);
    }
    if core.contains('(') {
        return Cow::Owned(digits_masked(token));
    }
    let class = if is_error_code(core) && is_code_place(token, before) || is_status_code(core, before) {
        None
    } else if known.names.contains(&core) || is_named(core, before, known) {
        Some(String::from("<name>"))
    } else {
        token_class(core, known)
    };
    match class {
        Some(class) => Cow::Owned(token.replacen(core, &class, 1)),
        None => Cow::Borrowed(token),
    }
}

/// `range(256)` is `range(<n>)`.
fn digits_masked(token: &str) -> String {
    let mut out = String::with_capacity(token.len());
    let mut number = false;
    for c in token.chars() {
        if c.is_ascii_digit() {
            out.push_str(if number { "" } else { "<n>" });
        } else {
            out.push(c);
        }
        number = c.is_ascii_digit();
    }
    out
}

fn is_edge(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ':'
            | ';'
            | '!'
            | '?'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '\''
            | '"'
            | '`'
            | '…'
            | '='
            | '*'
            | '|'
    )
}

/// `TS2322`, `E0308`, `F401`: the specific part of a compiler's or linter's message.
fn is_error_code(token: &str) -> bool {
    let letters = token.len() - token.trim_start_matches(|c: char| c.is_ascii_uppercase()).len();
    let digits = &token[letters..];
    (1..=6).contains(&letters)
        && (2..=5).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
}

fn is_code_place(token: &str, before: &str) -> bool {
    let before = before.trim_matches(is_edge);
    before.is_empty()
        || token.starts_with('[')
        || matches!(before, "error" | "warning" | "Error" | "ERROR" | "code")
}

/// `404` after "status code": what the server said.
fn is_status_code(token: &str, before: &str) -> bool {
    let before = before.trim_matches(is_edge).to_ascii_lowercase();
    token.len() == 3
        && token.starts_with(['4', '5'])
        && token.bytes().all(|b| b.is_ascii_digit())
        && matches!(
            before.as_str(),
            "code" | "status" | "http" | "error" | "returned" | "http/1.1" | "http/2"
        )
}

/// A name after a naming noun, when it looks like one or the message repeats it.
fn is_named(token: &str, before: &str, known: &Known<'_>) -> bool {
    let noun = before.trim_matches(is_edge).to_ascii_lowercase();
    if !lexicon::has(lexicon::NAMING_NOUNS, &noun) || token.len() < 2 || is_common(token) {
        return false;
    }
    let shaped = token.contains(['-', '_', '.', ':', '/', '@']);
    shaped
        || known.message.matches(token).nth(1).is_some()
            && known.message.lines().filter(|line| line.contains(token)).nth(1).is_some()
}

fn is_common(token: &str) -> bool {
    super::line::is_failure_word(&token.to_ascii_lowercase()) || lexicon::has(lexicon::COMMON, token)
}

/// The class of a value by its form; `None` for an ordinary word.
pub(crate) fn token_class(token: &str, known: &Known<'_>) -> Option<String> {
    let class = |name: &str| Some(format!("<{name}>"));
    let has = |test: fn(char) -> bool| token.contains(test);
    let (digit, letter) = (has(|c| c.is_ascii_digit()), has(char::is_alphabetic));
    if token.contains("://") {
        return class("url");
    }
    if token.contains(char::is_whitespace) {
        return class("text");
    }
    if token.len() > 1 && token.starts_with('-') && letter {
        return class("flag");
    }
    if token.contains('@') && token.contains('.') && !token.contains('/') {
        return class("email");
    }
    if is_path(token) {
        return class("path");
    }
    if token.split('.').count() > 2 && is_version(token) {
        return class("version");
    }
    if digit && !letter {
        return class(if is_date(token) { "date" } else { "n" });
    }
    if is_version(token) {
        return class("version");
    }
    if digit && is_date(token) {
        return class("date");
    }
    if is_hash(token) {
        return class("hash");
    }
    if digit && letter {
        return number_with_unit(token)
            .or_else(|| keeps_digit(token))
            .or_else(|| Some(id_class(token, known)))
            .filter(|c| !c.is_empty());
    }
    (is_dotted(token) || is_camel(token)).then(|| String::from("<name>"))
}

fn is_path(token: &str) -> bool {
    let slashes = token.matches(['/', '\\']).count();
    if slashes > 0 {
        let rooted = token.starts_with(['/', '~', '.', '\\'])
            || token.get(1..3).is_some_and(|s| s == ":\\" || s == ":/");
        let words_only = token.chars().all(|c| c.is_ascii_lowercase() || c == '/');
        return rooted || slashes > 1 || !words_only;
    }
    let Some((stem, extension)) = token.rsplit_once('.') else { return false };
    let short = (1..=6).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    short
        && !stem.is_empty()
        && extension.starts_with(|c: char| c.is_ascii_lowercase())
        && stem.chars().all(|c| !c.is_whitespace() && !"()[]{}=,;".contains(c))
}

fn is_date(token: &str) -> bool {
    let separators = token.matches(['-', '/']).count();
    let times = token.matches(':').count();
    let all =
        token.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | ':' | '.' | 'T' | 'Z' | '+'));
    all && (separators >= 2 || times >= 1) && token.len() >= 5
}

fn is_version(token: &str) -> bool {
    let bare = token.trim_start_matches(['v', '^', '~', '=', '>', '<']);
    let parts = bare.split('.').count();
    parts >= 2
        && bare.split('.').take(2).all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

fn is_hash(token: &str) -> bool {
    let hex = token.trim_start_matches("0x").replace('-', "");
    let mixed = hex.bytes().any(|b| b.is_ascii_digit()) && hex.bytes().any(|b| b.is_ascii_alphabetic());
    token.starts_with("0x") && !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit())
        || hex.len() >= 7 && mixed && hex.bytes().all(|b| b.is_ascii_hexdigit())
}

/// `30s`, `25MB`, `5m32s` are numbers.
fn number_with_unit(token: &str) -> Option<String> {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let unit = matches!(
        rest.to_ascii_lowercase().as_str(),
        "s" | "ms"
            | "us"
            | "ns"
            | "m"
            | "h"
            | "d"
            | "b"
            | "kb"
            | "mb"
            | "gb"
            | "tb"
            | "kib"
            | "mib"
            | "gib"
            | "k"
            | "g"
            | "x"
            | "px"
            | "st"
            | "nd"
            | "rd"
            | "th"
    );
    (unit && rest.len() < token.len()).then(|| String::from("<n>"))
}

/// Names of encodings and programs whose digits are part of the word. The empty class means "leave it".
fn keeps_digit(token: &str) -> Option<String> {
    let lower = token.to_ascii_lowercase();
    lexicon::has(lexicon::DIGIT_WORDS, &lower).then(String::new)
}

/// `<id>`, with the words in front of the number where earlier outputs use them as a kind: `gift_card_<id>`.
fn id_class(token: &str, known: &Known<'_>) -> String {
    let kind = id_kind(token).filter(|kind| known.kinds.iter().any(|known| known == kind));
    kind.map_or_else(|| String::from("<id>"), |kind| format!("{kind}_<id>"))
}

/// The words in front of an id's number: `gift_card` of `gift_card_123`.
pub(crate) fn id_kind(token: &str) -> Option<&str> {
    let kind = token.trim_end_matches(|c: char| c.is_ascii_digit());
    let kind = kind.strip_suffix(['_', '-'])?;
    let wordy = kind.len() >= 3 && kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b'-');
    (wordy && kind.len() + 1 < token.len()).then_some(kind)
}

fn is_dotted(token: &str) -> bool {
    let separated = token.contains("::") || token.contains('.') || token.contains("->");
    separated
        && token.len() > 3
        && token.split(['.', ':']).filter(|part| !part.is_empty()).count() >= 2
        && !token.ends_with("Error")
        && !token.ends_with("Exception")
        && !matches!(token, "e.g" | "i.e")
}

fn is_camel(token: &str) -> bool {
    let humps = token
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    let kind = ["Error", "Exception", "Warning", "Interrupt", "Exit"].iter().any(|end| token.ends_with(end));
    humps > 0 && !kind && token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// `[<text>, <text>]` and `(<n>)` say no more than one class does.
fn lists_masked(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(open) = rest.find(['[', '(', '{']) {
        let inner = &rest[open + 1..];
        let close = inner.find([']', ')', '}']);
        let only_classes = close.is_some_and(|end| {
            let mut bare = String::from(&inner[..end]);
            while let Some(start) = bare.find('<') {
                let Some(stop) = bare[start..].find('>') else { break };
                bare.replace_range(start..=start + stop, "");
            }
            let called = rest[..open].ends_with(is_word_char);
            end > 0 && !called && !bare.contains(char::is_alphanumeric)
        });
        if let Some(end) = close.filter(|_| only_classes) {
            out.push_str(&rest[..open]);
            out.push_str("<list>");
            rest = &inner[end + 1..];
        } else {
            out.push_str(&rest[..=open]);
            rest = inner;
        }
    }
    out.push_str(rest);
    out
}

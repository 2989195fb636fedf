//! Whether a value looks like a real secret.
//!
//! Decides by filler words, references to a secret kept elsewhere, and the mix of characters. Never by a dictionary
//! of known passwords, and never about where the value stands.

use alloc::string::String;

/// Longest value that is looked at, in bytes.
pub(super) const VALUE_MAX: usize = 512;

/// Words that mark a stand-in wherever they occur, lower-case.
const FILLERS: &[&str] = &[
    "example",
    "placeholder",
    "xxxx",
    "****",
    "....",
    "your_",
    "your-",
    "yourkey",
    "yourtoken",
    "yourpass",
    "yoursecret",
    "yourapi",
    "changeme",
    "change_me",
    "change-me",
    "redacted",
    "dummy",
    "fake",
    "sample",
    "test-token",
    "test_token",
    "test-key",
    "test_key",
    "foobar",
    "my-api",
    "my_api",
    "my-secret",
    "my_secret",
    "my-token",
    "my_token",
    "my-password",
    "my_password",
    "mypassword",
    "notreal",
    "insert_",
    "insert-",
    "replace_",
    "replace-",
    "not-a-real",
    "notareal",
    "_here",
    "-here",
    "todo",
    "●●",
    "••",
];

/// How a pointer to a secret kept elsewhere begins.
const POINTERS: &[&str] = &[
    "$",
    "<",
    "{",
    "%(",
    "@",
    "[",
    "(",
    "!",
    "&",
    "*",
    "op://",
    "vault:",
    "arn:",
    "ssm:",
    "env:",
    "env.",
    "file:",
    "secret:",
    "secretref:",
    "http://",
    "https://",
    "/run/secrets",
    "gcp:",
    "aws:",
    "azurerm:",
    "sha256:",
    "sha1:",
    "sha512-",
    "sha384-",
    "sha256-",
    "md5:",
    "h1:",
    "data:",
];

/// How the ids begin that agents, models and services give to calls, runs and messages. They are no secrets.
const IDS: &[&str] = &[
    "call_",
    "toolu_",
    "req_",
    "run_",
    "run-",
    "msg_",
    "resp_",
    "chatcmpl-",
    "thread_",
    "fc_",
    "rs_",
    "tool_",
    "srvtoolu_",
    "pk_live_",
    "pk_test_",
    "session_",
    "sess_",
    "trace_",
    "span_",
    "evt_",
    "cus_",
];

/// Stems of names that people give to variables and samples, lower-case.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "value",
    "param",
    "argument",
    "field",
    "input",
    "string",
    "column",
    "option",
    "variable",
    "credential",
];

/// How many bytes of each sort a value has.
#[derive(Debug, Clone, Copy, Default)]
struct Mix {
    lower: usize,
    upper: usize,
    digit: usize,
    /// `-`, `_`, `.`, `/`, `:` and the like, which join words.
    joiner: usize,
    /// Any other printable mark.
    symbol: usize,
    /// Changes between upper and lower case within letters.
    flips: usize,
}

impl Mix {
    fn of(bytes: &[u8]) -> Self {
        let mut mix = Self::default();
        let mut previous = 0;
        for &b in bytes.iter().take(VALUE_MAX) {
            match b {
                b'a'..=b'z' | 0x80.. => mix.lower += 1,
                b'A'..=b'Z' => mix.upper += 1,
                b'0'..=b'9' => mix.digit += 1,
                b'-' | b'_' | b'.' | b'/' | b':' | b',' | b'\\' => mix.joiner += 1,
                _ => mix.symbol += 1,
            }
            let letters = b.is_ascii_alphabetic() && u8::is_ascii_alphabetic(&previous);
            mix.flips += usize::from(letters && b.is_ascii_uppercase() != previous.is_ascii_uppercase());
            previous = b;
        }
        mix
    }

    const fn letters(self) -> usize {
        self.lower + self.upper
    }

    const fn sorts(self) -> usize {
        (self.lower > 0) as usize
            + (self.upper > 0) as usize
            + (self.digit > 0) as usize
            + (self.symbol > 0) as usize
    }
}

/// Whether `bytes` is a stand-in: a filler word, one character over and over, or a row such as `12345678`.
pub(super) fn is_filler(bytes: &[u8]) -> bool {
    let bytes = bytes.get(..VALUE_MAX).unwrap_or(bytes);
    let lower: String = String::from_utf8_lossy(bytes).to_lowercase();
    FILLERS.iter().any(|word| lower.contains(word))
        || distinct(bytes) < if bytes.len() < 12 { 3 } else { 5 }.min(bytes.len())
        || counts_up(bytes)
}

/// Whether `bytes` mixes digits and letters as chance does: no words, no plain number.
pub(super) fn is_mixed(bytes: &[u8]) -> bool {
    let mix = Mix::of(bytes);
    mix.digit >= 2 && mix.letters() >= 4 && distinct(bytes) >= 8
}

/// Whether `value`, standing where a password is expected, looks like one.
pub(super) fn is_password(value: &str) -> bool {
    let mix = Mix::of(value.as_bytes());
    let varied = mix.letters() > 0 && mix.digit > 0 || mix.symbol > 0 && mix.letters() > 0 || is_erratic(mix);
    (6..=VALUE_MAX).contains(&value.len()) && varied && !is_elsewhere(value) && !is_name(value, mix)
}

/// Whether `value`, standing where a token or a key is expected, looks like one.
pub(super) fn is_token(value: &str) -> bool {
    let mix = Mix::of(value.as_bytes());
    let varied = mix.letters() > 0 && mix.digit > 1 || is_erratic(mix) || mix.symbol > 0 && mix.digit > 0;
    (12..=VALUE_MAX).contains(&value.len()) && varied && !is_elsewhere(value) && !is_name(value, mix)
}

/// Whether `value`, standing where any key may stand, is letters of both cases and digits as chance mixes them.
pub(super) fn is_chance(value: &str) -> bool {
    let mix = Mix::of(value.as_bytes());
    (20..=VALUE_MAX).contains(&value.len())
        && mix.lower > 2
        && mix.upper > 2
        && mix.digit > 2
        && mix.joiner < 3
        && mix.flips * 4 >= mix.letters()
        && is_token(value)
}

/// Whether `value`, standing in a sentence about a password, can hardly be anything else.
pub(super) fn is_strong(value: &str) -> bool {
    let mix = Mix::of(value.as_bytes());
    let digits_end =
        value.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).ends_with(|c: char| c.is_ascii_digit());
    let wordless = mix.symbol > 0
        || digits_end && (mix.digit > 2 || mix.digit == 2 && mix.joiner > 0)
        || mix.digit > 3 && mix.joiner > 0
        || mix.flips > 3;
    mix.sorts() > 2
        && mix.digit > 0
        && wordless
        && !value.contains(['/', '\\', '=', '(', '"', '<', '>'])
        && !value.starts_with([')', ']', '}', '…'])
        && is_password(value)
}

/// Whether `value` is a long run that can hardly be a word: for keys and tokens in a sentence.
pub(super) fn is_long_token(value: &str) -> bool {
    let mix = Mix::of(value.as_bytes());
    let body = value.trim_end_matches('=');
    let plain = body
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'+' | b'/' | b'~' | b':'));
    plain && value.len() >= 20 && mix.digit > 3 && is_token(value)
}

/// Whether `value` is a stand-in, a reference, code, a path or an id: the secret is elsewhere, or there is none.
pub(super) fn is_elsewhere(value: &str) -> bool {
    let lower = value.to_lowercase();
    is_filler(value.as_bytes())
        || lower.starts_with('%') && lower.ends_with('%')
        || POINTERS.iter().any(|p| lower.starts_with(p)) && !is_odd(value)
        || IDS.iter().any(|p| lower.starts_with(p))
        || is_code(value)
        || is_path(value)
        || is_print(value)
}

/// A password may begin with a mark that pointers begin with; then it has digits and no closing mark.
fn is_odd(value: &str) -> bool {
    let marked = value.starts_with(['!', '@', '&', '*', '%', '(']);
    marked && value.bytes().any(|b| b.is_ascii_digit()) && !value.ends_with([')', '}', ']', '>'])
}

/// A call, an index or a dotted name: `os.environ["X"]`, `config.apiKey`, `z.string().min(12)`.
fn is_code(value: &str) -> bool {
    let value = value.trim_end_matches(['!', '?', ';']);
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '>' | '?');
    let head = value.trim_start_matches(name);
    // What a call is given begins like a name, a text or a number, and no chance mark stands there.
    let given = |inner: &str| !inner.starts_with(['#', '!', '%', '^', '+']);
    let called = value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && (head.starts_with(['(', '[', '{']) && value.len() > head.len())
        && given(head.get(1..).unwrap_or_default());
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    // A name seldom ends with two digits, a password of two words often does.
    let numbered = value.bytes().rev().take_while(u8::is_ascii_digit).count() > 1;
    let dotted = value.contains('.')
        && digits < 3
        && !numbered
        && value.split('.').all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        });
    called
        || dotted
        || value.contains("::")
        || value.contains("->")
        || value.contains("${")
        || value.contains("{{")
}

/// A file's place: begins like one, and its parts are words.
fn is_path(value: &str) -> bool {
    let rooted = ["/", "./", "../", "~/", "\\"].iter().any(|p| value.starts_with(p))
        || value.get(1..3).is_some_and(|s| s == ":\\" || s == ":/");
    let parts = value.split(['/', '\\']);
    let worded = |part: &str| {
        let mix = Mix::of(part.as_bytes());
        mix.symbol == 0 && (mix.digit < 3 || mix.upper == 0) && mix.flips < 6
    };
    (rooted || value.matches('/').count() > 1) && parts.into_iter().all(worded)
}

/// A fingerprint, an address or a date: groups of hex digits with colons, or digits with joiners only.
fn is_print(value: &str) -> bool {
    let grouped = value.matches(':').count() > 3
        && value.split(':').all(|g| g.len() <= 4 && g.bytes().all(|b| b.is_ascii_hexdigit()));
    grouped
        || value
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b':' | b'/' | b'T' | b'Z' | b'+'))
}

/// A variable's or a sample's name: words with joiners, hardly a digit.
fn is_name(value: &str, mix: Mix) -> bool {
    if mix.symbol > 0 || mix.digit > 2 {
        return false;
    }
    let lower = value.to_lowercase();
    let snake = mix.joiner > 0 && mix.digit < 2 && (mix.lower == 0 || mix.upper == 0);
    snake && !is_spelled(value)
        || NAMES.iter().any(|name| lower.contains(name))
        || (mix.digit == 0 && !is_erratic(mix))
}

/// Whether a long word has a digit in place of a letter, as in `tr0mbone`; `k8s` and `oauth2` are names.
fn is_spelled(value: &str) -> bool {
    value.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| {
        let inner = part.trim_matches(|c: char| c.is_ascii_digit());
        part.len() > 6 && inner.len() > 5 && inner.bytes().any(|b| b.is_ascii_digit())
    })
}

/// Letters whose case changes as only chance changes it.
const fn is_erratic(mix: Mix) -> bool {
    mix.letters() >= 12 && mix.flips * 5 >= mix.letters() * 2
}

fn distinct(bytes: &[u8]) -> usize {
    let mut seen = [false; 256];
    bytes.iter().filter(|&&b| !core::mem::replace(&mut seen[usize::from(b)], true)).count()
}

/// Whether eight neighbours in a row count up by one: `12345678`, `abcdefgh`.
fn counts_up(bytes: &[u8]) -> bool {
    let mut row = 0;
    bytes.windows(2).any(|pair| {
        row = if pair[0].checked_add(1) == Some(pair[1]) { row + 1 } else { 0 };
        row >= 7
    })
}

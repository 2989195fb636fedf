//! Classes of bytes, runs of them, and where a word begins.
//!
//! Decides about single bytes and their neighbours. Never looks further than it is told, so that scanners stay linear.

/// Which bytes may stand in a part of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// `0-9`.
    Digit,
    /// `0-9a-f`.
    LowerHex,
    /// `0-9a-fA-F`.
    Hex,
    /// `a-z0-9`.
    Lower,
    /// `A-Z0-9`.
    Upper,
    /// `A-Za-z0-9`.
    Alnum,
    /// `A-Za-z0-9_`.
    Word,
    /// `A-Za-z0-9_-`: base64 for URLs.
    Url,
    /// `A-Za-z0-9` without `0`, `I`, `O`, `l`, which look like others.
    Base58,
    /// As `Url`, and `.`.
    Dotted,
    /// `A-Za-z0-9+/=`.
    Base64,
    /// As `Base64`, `Url` and `%`: base64 as it stands in a query.
    Query,
}

impl Class {
    pub(super) const fn has(self, b: u8) -> bool {
        match self {
            Self::Digit => b.is_ascii_digit(),
            Self::LowerHex => matches!(b, b'0'..=b'9' | b'a'..=b'f'),
            Self::Hex => b.is_ascii_hexdigit(),
            Self::Lower => matches!(b, b'0'..=b'9' | b'a'..=b'z'),
            Self::Upper => matches!(b, b'0'..=b'9' | b'A'..=b'Z'),
            Self::Alnum => b.is_ascii_alphanumeric(),
            Self::Word => b.is_ascii_alphanumeric() || b == b'_',
            Self::Url => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'),
            Self::Base58 => b.is_ascii_alphanumeric() && !matches!(b, b'0' | b'I' | b'O' | b'l'),
            Self::Dotted => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'),
            Self::Base64 => b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='),
            Self::Query => b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'_' | b'-' | b'%'),
        }
    }
}

/// The end of the run of `class` that begins at `from`, at most `limit` bytes long.
pub(super) fn run(bytes: &[u8], from: usize, class: Class, limit: usize) -> usize {
    let tail = bytes.get(from..).unwrap_or_default();
    from + tail.iter().take(limit).take_while(|&&b| class.has(b)).count()
}

/// The end of the run of blanks (space, tab) that begins at `from`, at most 16 bytes long.
pub(super) fn blanks(bytes: &[u8], from: usize) -> usize {
    let tail = bytes.get(from..).unwrap_or_default();
    from + tail.iter().take(16).take_while(|&&b| b == b' ' || b == b'\t').count()
}

/// Whether a word may begin at `at`: no letter, digit or `_` before it, except as the end of an escape.
pub(super) fn starts_word(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    match before {
        [.., b] if !Class::Word.has(*b) => true,
        [] | [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', h, l] if h.is_ascii_hexdigit() && l.is_ascii_hexdigit() => true,
        [.., b'\\', b'u', a, b, c, d] => [a, b, c, d].iter().all(|h| h.is_ascii_hexdigit()),
        [.., b'm'] => ends_colour(before),
        _ => false,
    }
}

/// Whether `before` ends with a terminal's colour sequence, such as `ESC [ 1 ; 3 2 m`.
fn ends_colour(before: &[u8]) -> bool {
    let mut back = before.iter().rev().skip(1).take(10).skip_while(|b| b.is_ascii_digit() || **b == b';');
    back.next() == Some(&b'[') && back.next() == Some(&0x1b)
}

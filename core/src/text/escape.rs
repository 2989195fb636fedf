//! Escaping for prompts: decides which characters of an untrusted text are shown as something else.
//!
//! Nothing is taken out: what could end a line, open or close a tag, turn the reading direction or hide is written
//! visibly, and [`unescape`] gives the text back. Never decides whether a text may be shown.

use alloc::string::String;
use core::fmt::Write as _;

/// The text on one line, without an angle bracket and without a character that cannot be seen.
///
/// `<`, `>` and `&` become `&lt;`, `&gt;` and `&amp;`, line breaks and tabs `\n`, `\r` and `\t`; control, direction and
/// invisible characters, tag characters and wide angle brackets become `\u{202e}`. A joiner or an emoji selector stays
/// where emoji need it. A backslash is doubled only where it could be taken for one of these.
pub fn escape(text: &str) -> String {
    if text.bytes().all(is_plain) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut before = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let next = rest.clone().next();
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' if next.is_some_and(begins_escape) => out.push_str("\\\\"),
            _ if is_hidden(c) && !joins_emoji(before, c, next) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            _ => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// The text that [`escape`] was given. What is no escape stays as it is.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (len, plain) = entity(rest).or_else(|| backslash(rest)).unwrap_or((c.len_utf8(), c));
        out.push(plain);
        rest = rest.get(len..).unwrap_or_default();
    }
    out
}

/// A visible character of ASCII that is never escaped: most texts have no other.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'<' | b'>' | b'&' | b'\\')
}

/// Whether a backslash before `next` could be read as the beginning of an escape.
fn begins_escape(next: char) -> bool {
    matches!(next, '\\' | 'n' | 'r' | 't' | 'u' | '\n' | '\r' | '\t') || is_hidden(next)
}

fn entity(rest: &str) -> Option<(usize, char)> {
    let entities = [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&')];
    entities.into_iter().find(|(name, _)| rest.starts_with(name)).map(|(name, c)| (name.len(), c))
}

fn backslash(rest: &str) -> Option<(usize, char)> {
    let tail = rest.strip_prefix('\\')?;
    match tail.chars().next()? {
        '\\' => Some((2, '\\')),
        'n' => Some((2, '\n')),
        'r' => Some((2, '\r')),
        't' => Some((2, '\t')),
        'u' => {
            let (digits, _) = tail.strip_prefix("u{")?.split_once('}')?;
            let code = u32::from_str_radix(digits, 16).ok()?;
            Some((digits.len() + 4, char::from_u32(code)?))
        }
        _ => None,
    }
}

/// Characters that end a line, turn the direction, join or hide; and brackets that normal forms turn into `<` and `>`.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0x00AD | 0x034F | 0x061C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
            | 0x2028..=0x202E | 0x2060..=0x206F | 0x2800 | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB
            | 0x1_BCA0..=0x1_BCA3 | 0x1_D173..=0x1_D17A | 0xE_0000..=0xE_0FFF
            | 0xFE64 | 0xFE65 | 0xFF1C | 0xFF1E | 0x226E | 0x226F)
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// Whether `c` is a selector behind an emoji, or a joiner between two.
fn joins_emoji(before: Option<char>, c: char, next: Option<char>) -> bool {
    match c {
        '\u{FE0F}' => before.is_some_and(is_emoji_base),
        '\u{200D}' => {
            before.is_some_and(|b| is_emoji_base(b) || b == '\u{FE0F}') && next.is_some_and(is_emoji_base)
        }
        _ => false,
    }
}

fn is_emoji_base(c: char) -> bool {
    matches!(u32::from(c), 0x203C | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x21FF | 0x2300..=0x23FF | 0x25A0..=0x27BF
        | 0x2934 | 0x2935 | 0x2B00..=0x2BFF | 0x1_F000..=0x1_FAFF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_dangerous_is_visible() {
        for (text, expected) in [
            ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
            ("line\r\n- forged\tx", "line\\r\\n- forged\\tx"),
            ("\u{202E}evil\u{200B}\u{FEFF}", "\\u{202e}evil\\u{200b}\\u{feff}"),
            ("\u{E0041}\u{7}", "\\u{e0041}\\u{7}"),
            ("＜/x＞", "\\u{ff1c}/x\\u{ff1e}"),
            ("C:\\new \\d+ \\\\srv\\Users", "C:\\\\new \\d+ \\\\\\srv\\Users"),
            ("👩\u{200D}💻 ❤\u{FE0F} 👍🏽", "👩\u{200D}💻 ❤\u{FE0F} 👍🏽"),
            ("a\u{FE0F}b\u{200D}c❤\u{FE0F}\u{FE0F}", "a\\u{fe0f}b\\u{200d}c❤\u{FE0F}\\u{fe0f}"),
            ("&lt; stays", "&amp;lt; stays"),
            ("Vérifier, 数据, ひらがな, שלום", "Vérifier, 数据, ひらがな, שלום"),
        ] {
            assert_eq!(escape(text), expected);
            assert_eq!(unescape(expected), text);
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in ["\\", "\\x", "\\u", "\\u{", "\\u{110000}", "\\u{zz}", "&", "&unknown;", "\\u{}", ""] {
            assert_eq!(unescape(text), text);
        }
    }

    proptest! {
        #[test]
        fn comes_back(text in "(?s)[\\\\nrtu{}0-9a-f&lgt;<>\n\t \u{202e}\u{200d}\u{fe0f}👩❤]{0,40}|.{0,40}") {
            let escaped = escape(&text);
            prop_assert_eq!(unescape(&escaped), text);
            prop_assert!(!escaped.contains(['<', '>']) && !escaped.contains(char::is_control));
            let joiners = ['\u{200D}', '\u{FE0F}'];
            prop_assert!(!escaped.chars().any(|c| is_hidden(c) && !joiners.contains(&c)));
        }
    }
}

//! Objects as Python prints them, written as JSON.
//!
//! Decides nothing about them. Linear and total: what is no such object becomes text that is no JSON either.

use alloc::string::String;

/// The longest text that is looked at, in bytes.
const LIMIT: usize = 1 << 20;

/// The text with quotes, `None`, `True` and `False` as JSON has them.
pub(super) fn to_json(text: &str) -> String {
    let mut out = String::new();
    if text.len() > LIMIT || !text.contains('\'') {
        return out;
    }
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\'' | '"' => quoted(c, &mut rest, &mut out),
            c if c.is_alphabetic() => {
                let mut word = String::from(c);
                while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    word.push(c);
                }
                out.push_str(match word.as_str() {
                    "None" => "null",
                    "True" => "true",
                    "False" => "false",
                    other => other,
                });
            }
            '(' => out.push('['),
            ')' => out.push(']'),
            c => out.push(c),
        }
    }
    out
}

/// One string: its quotes become double ones, escapes that JSON does not have lose their backslash.
fn quoted(quote: char, rest: &mut core::iter::Peekable<core::str::Chars<'_>>, out: &mut String) {
    out.push('"');
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('\'') => out.push('\''),
                Some('x') => out.push_str("\\u00"),
                Some(c) if "\"\\/bfnrtu".contains(c) => out.extend(['\\', c]),
                Some(c) => out.push(c),
                None => return,
            },
            c if c == quote => break,
            '"' => out.push_str("\\\""),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_python_prints_becomes_json() {
        let cases = [
            ("{'a': None, 'b': [True, False], 'c': 1.5}", json!({"a": null, "b": [true, false], "c": 1.5})),
            ("{'it': \"it's\", \"q\": 'say \"x\"'}", json!({"it": "it's", "q": "say \"x\""})),
            ("{'n': 'a\\nb\\'c\\\\d', 'x': '\\xe9'}", json!({"n": "a\nb'c\\d", "x": "é"})),
            ("{'t': (1, 2), 'None': 'None'}", json!({"t": [1, 2], "None": "None"})),
        ];
        for (text, value) in cases {
            assert_eq!(serde_json::from_str::<Value>(&to_json(text)).ok(), Some(value), "{text}");
        }
    }

    #[test]
    fn other_text_becomes_no_json() {
        for text in ["", "{a}", "{'a", "{'a': <object at 0x7f>}", "{'a': datetime(2026)}", "'\\"] {
            assert!(serde_json::from_str::<Value>(&to_json(text)).is_err(), "{text}");
        }
    }
}

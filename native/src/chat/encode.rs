//! A message as the text of the channel file.
//!
//! Decides how strings are quoted: every text comes back as it was, and none can look like a message's head. Never
//! leaves out a field.

use core::fmt::Write as _;

use hardwon_core::react::Message;

use super::scan::is_head;

/// The whole message, with the empty line that sets it off.
pub(super) fn encode(message: &Message) -> String {
    let mut out = String::from("\n[[message]]\n");
    let ts = message.ts.to_string();
    for (key, value) in [
        ("from", message.from.as_str()),
        ("to", &message.to),
        ("thread", &message.thread),
        ("type", message.kind.as_str()),
        ("ts", &ts),
    ] {
        let _ = writeln!(out, "{key} = \"{}\"", quoted(value, false));
    }
    let text = &message.text;
    if text.contains('\n') && !text.lines().any(is_head) {
        // The first line break belongs to the quotes.
        let _ = writeln!(out, "text = \"\"\"\n{}\"\"\"", quoted(text, true));
    } else {
        let _ = writeln!(out, "text = \"{}\"", quoted(text, false));
    }
    out
}

/// A text between quotes. What a terminal could take for an order, or what changes the direction of reading, is
/// written as its number: the file is read by people too.
fn quoted(text: &str, keeps_lines: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' if keeps_lines => out.push('\n'),
            '\n' => out.push_str("\\n"),
            '\t' => out.push('\t'),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() || is_hidden(c) => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

//! Messages in the bytes of the channel file.
//!
//! Decides where a message ends, which of them are whole, and what is junk between them: that is counted and passed
//! over. Never fails on what it reads.

use core::ops::Range;

use hardwon_core::env::Timestamp;
use hardwon_core::react::{Message, MessageKind};
use serde::Deserialize;

/// The most bytes of one message, as it stands in the file.
pub const MESSAGE_BYTES: usize = 1 << 20;

const HEAD: &str = "[[message]]";

/// What stands in a stretch of the file.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Whole messages, each with the place behind it.
    pub(super) messages: Vec<(usize, Message)>,
    /// How many parts were passed over: torn messages, junk.
    pub(super) skipped: u64,
    /// Up to where all is read; what follows is not complete yet.
    pub(super) end: usize,
    /// Whether a message that is not complete is followed by one that is: it is torn, or somebody is writing.
    pub(super) is_doubtful: bool,
}

/// What is known of the bytes behind a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// There are more.
    More,
    /// There are none now; somebody may be writing.
    Nothing,
    /// There are none, and nobody is writing.
    Quiet,
}

/// Reads what is complete.
pub(super) fn scan(bytes: &[u8], behind: Behind) -> Scan {
    let mut found = Scan::default();
    while let Some(head) = next_head(bytes, &mut found) {
        let extent = extent(bytes, head.end);
        let block = match extent {
            Extent::To(end) | Extent::Last(end) => head.start..end,
            Extent::Open | Extent::Bad => head.start..head.start,
        };
        let is_open = matches!(extent, Extent::Open | Extent::Last(_));
        let is_short = bytes.len() - head.start <= MESSAGE_BYTES;
        if is_open && is_short && behind == Behind::More {
            return found;
        }
        if let Some(message) = decode(&bytes[block.clone()]) {
            found.end = block.end;
            found.messages.push((block.end, message));
        } else if is_open && is_short && (behind == Behind::Nothing || !has_more(bytes, head.end)) {
            // It is being written, unless it is torn and others follow.
            found.is_doubtful = has_more(bytes, head.end);
            return found;
        } else {
            // What seemed to be its text may be the next message: all that is lost is this one.
            found.skipped += 1;
            found.end = to_next_head(bytes, head.end);
        }
    }
    found
}

/// Whether a line is the head of a message.
pub(super) fn is_head(line: &str) -> bool {
    let rest = line.trim().strip_prefix(HEAD).map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

fn is_head_line(line: &[u8]) -> bool {
    str::from_utf8(line).is_ok_and(is_head)
}

/// The next head from `found.end` on; what lies before it is passed over. A last line without an end is left.
fn next_head(bytes: &[u8], found: &mut Scan) -> Option<Range<usize>> {
    let mut is_junk = false;
    loop {
        let line = whole_line(bytes, found.end)?;
        let text = &bytes[line.clone()];
        if is_head_line(text) {
            return Some(line);
        }
        let is_quiet = is_blank_or_comment(text);
        if !is_quiet && !is_junk {
            found.skipped += 1;
        }
        is_junk |= !is_quiet;
        found.end = line.end;
    }
}

/// The line from here on, with its end.
fn whole_line(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let length = bytes.get(at..)?.iter().position(|byte| *byte == b'\n')?;
    Some(at..at + length + 1)
}

fn is_blank_or_comment(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    // A byte order mark may stand at the head of a file.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.trim_ascii().is_empty() || text.starts_with(b"#")
}

fn has_more(bytes: &[u8], from: usize) -> bool {
    let next = to_next_head(bytes, from);
    next < bytes.len() && whole_line(bytes, next).is_some_and(|line| is_head_line(&bytes[line]))
}

/// The start of the next line that is a head, else of what is no whole line, else the end.
fn to_next_head(bytes: &[u8], mut at: usize) -> usize {
    while let Some(line) = whole_line(bytes, at) {
        if is_head_line(&bytes[line.clone()]) {
            return at;
        }
        at = line.end;
    }
    at
}

/// The message of a block that is one, with its last line whole.
fn decode(block: &[u8]) -> Option<Message> {
    #[derive(Deserialize)]
    struct File {
        message: Vec<Fields>,
    }
    #[derive(Deserialize)]
    struct Fields {
        from: String,
        to: String,
        thread: String,
        #[serde(rename = "type")]
        kind: String,
        ts: toml::Value,
        text: String,
    }
    if block.len() > MESSAGE_BYTES || !block.ends_with(b"\n") {
        return None;
    }
    let file: File = toml::from_str(str::from_utf8(block).ok()?).ok()?;
    let fields = file.message.into_iter().next()?;
    let ts = match fields.ts {
        toml::Value::String(text) => Timestamp::parse(&text)?,
        toml::Value::Datetime(time) => Timestamp::parse(&time.to_string())?,
        _ => return None,
    };
    let (from, to, thread, text) = (fields.from, fields.to, fields.thread, fields.text);
    Some(Message { from, to, thread, kind: MessageKind::from_name(&fields.kind), ts, text })
}

#[derive(Debug, Clone, Copy)]
enum Extent {
    /// Its last line ends here, and something else follows.
    To(usize),
    /// Its last line so far ends here, and so do the bytes, but for blank lines and comments.
    Last(usize),
    /// The bytes end inside a line or a value of it.
    Open,
    /// It is no TOML.
    Bad,
}

/// Where the message ends whose head ends at `head`.
fn extent(bytes: &[u8], head: usize) -> Extent {
    let (mut at, mut end) = (head, head);
    loop {
        let Some(line) = whole_line(bytes, at) else {
            return if at == bytes.len() { Extent::Last(end) } else { Extent::Open };
        };
        let text = &bytes[line.clone()];
        if is_blank_or_comment(text) {
            at = line.end;
        } else if text.trim_ascii_start().starts_with(b"[") {
            return Extent::To(end);
        } else {
            let Some(equals) = text.iter().position(|byte| *byte == b'=') else { return Extent::Bad };
            match value_end(bytes, at + equals + 1) {
                Ok(behind) => (at, end) = (behind, behind),
                Err(other) => return other,
            }
        }
    }
}

/// The place behind the line that a value ends on.
fn value_end(bytes: &[u8], from: usize) -> Result<usize, Extent> {
    let start = from + bytes[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let rest = &bytes[start..];
    let behind = if rest.starts_with(b"\"\"\"") || rest.starts_with(b"'''") {
        start + many_lines(rest).ok_or(Extent::Open)?
    } else if matches!(rest.first(), Some(b'"' | b'\'')) {
        start + one_line(rest)?
    } else {
        // Numbers, times, lists: of no field that a message must have, and read as a line.
        return whole_line(bytes, start).map(|line| line.end).ok_or(Extent::Open);
    };
    let line = whole_line(bytes, behind).ok_or(Extent::Open)?;
    if is_blank_or_comment(&bytes[line.clone()]) { Ok(line.end) } else { Err(Extent::Bad) }
}

/// The length of a string in three quotes; up to two quotes more may stand before its end.
fn many_lines(text: &[u8]) -> Option<usize> {
    let quote = text[0];
    let mut at = 3;
    loop {
        match *text.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            byte if byte == quote => {
                let run = text[at..].iter().take_while(|byte| **byte == quote).count();
                if at + run == text.len() && run < 5 {
                    return None;
                }
                if run >= 3 {
                    return Some(at + run.min(5));
                }
                at += run;
            }
            _ => at += 1,
        }
    }
}

fn one_line(text: &[u8]) -> Result<usize, Extent> {
    let quote = text[0];
    let mut at = 1;
    loop {
        match *text.get(at).ok_or(Extent::Open)? {
            b'\n' => return Err(Extent::Bad),
            b'\\' if quote == b'"' => at += 2,
            byte if byte == quote => return Ok(at + 1),
            _ => at += 1,
        }
    }
}

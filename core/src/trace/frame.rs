//! Cuts bytes into units: one line each for JSON Lines, one whole value for a document that spans lines.
//!
//! Decides where a unit begins and ends, from the bytes alone, so that chunks do not matter. Never looks at what a
//! unit says, and never holds more than the limits allow.

use alloc::vec::Vec;
use core::mem;

/// Containers nested deeper than this are no document.
const MAX_DEPTH: usize = 1_000;

/// A piece of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit<'a> {
    /// A line, or a document of several lines, that began at line `.0`. Without line ending and byte order mark.
    Whole(u64, &'a [u8]),
    /// A document that the end of the input cut off.
    Cut(u64, &'a [u8]),
    /// A unit that was longer than its limit and is gone.
    TooLong(u64),
}

/// Takes bytes and hands out units.
#[derive(Debug)]
pub(super) struct Framer {
    max_line: usize,
    max_document: usize,
    /// The part of the current line that earlier chunks brought.
    partial: Vec<u8>,
    /// Whether the current line has outgrown its limit.
    overlong: bool,
    /// Lines finished so far.
    lines: u64,
    mode: Mode,
}

#[derive(Debug)]
enum Mode {
    /// No unit yet: the next line decides between lines and a document.
    Open,
    Lines,
    Document(Document),
}

#[derive(Debug)]
struct Document {
    first: u64,
    bytes: Vec<u8>,
    scan: Scan,
    overlong: bool,
}

impl Framer {
    pub(super) fn new(max_line: usize, max_document: usize) -> Self {
        Self { max_line, max_document, partial: Vec::new(), overlong: false, lines: 0, mode: Mode::Open }
    }

    /// Lines finished so far, blank ones included.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    pub(super) fn push(&mut self, mut bytes: &[u8], out: &mut dyn FnMut(Unit<'_>)) {
        while let Some(at) = bytes.iter().position(|&byte| byte == b'\n') {
            let (line, rest) = bytes.split_at(at);
            bytes = rest.get(1..).unwrap_or_default();
            if self.partial.is_empty() && !self.overlong {
                self.line(line, true, out);
            } else {
                self.keep(line);
                let whole = mem::take(&mut self.partial);
                self.line(&whole, true, out);
                self.partial = reuse(whole);
            }
        }
        self.keep(bytes);
    }

    /// Delivers what the end of the input leaves.
    pub(super) fn finish(&mut self, out: &mut dyn FnMut(Unit<'_>)) {
        let rest = mem::take(&mut self.partial);
        if !rest.is_empty() || self.overlong {
            let text = trimmed(&rest);
            if matches!(self.mode, Mode::Open)
                && !self.overlong
                && begins(text)
                && Scan::of(text) == State::Inside
            {
                self.lines += 1;
                return out(Unit::Cut(self.lines, text));
            }
            self.line(&rest, false, out);
        }
        if let Mode::Document(document) = mem::replace(&mut self.mode, Mode::Open) {
            out(if document.overlong {
                Unit::TooLong(document.first)
            } else {
                Unit::Cut(document.first, &document.bytes)
            });
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.overlong || self.partial.len() + bytes.len() > self.max_line {
            self.overlong = true;
            self.partial = Vec::new();
        } else {
            self.partial.extend_from_slice(bytes);
        }
    }

    /// Takes a line; `ended` tells whether a line end stood after it.
    fn line(&mut self, line: &[u8], ended: bool, out: &mut dyn FnMut(Unit<'_>)) {
        self.lines += 1;
        let overlong = mem::take(&mut self.overlong) || line.len() > self.max_line;
        match &self.mode {
            Mode::Document(_) => self.continue_document(line, ended, overlong, out),
            _ if overlong => out(Unit::TooLong(self.lines)),
            Mode::Open => self.begin(line, out),
            Mode::Lines => deliver(self.lines, line, out),
        }
    }

    fn begin(&mut self, line: &[u8], out: &mut dyn FnMut(Unit<'_>)) {
        let text = trimmed(line);
        if text.is_empty() {
            return;
        }
        let mut scan = Scan::default();
        if begins(text) && scan.feed(text) == State::Inside && scan.feed(b"\n") == State::Inside {
            let mut bytes = text.to_vec();
            bytes.push(b'\n');
            self.mode = Mode::Document(Document { first: self.lines, bytes, scan, overlong: false });
        } else {
            self.mode = Mode::Lines;
            out(Unit::Whole(self.lines, text));
        }
    }

    fn continue_document(&mut self, line: &[u8], ended: bool, overlong: bool, out: &mut dyn FnMut(Unit<'_>)) {
        let Mode::Document(document) = &mut self.mode else { return };
        let state = match document.scan.feed(line) {
            State::Inside if ended => document.scan.feed(b"\n"),
            other => other,
        };
        if overlong || document.overlong || document.bytes.len() + line.len() >= self.max_document {
            document.overlong = true;
            document.bytes = Vec::new();
        } else {
            document.bytes.extend_from_slice(line);
            document.bytes.push(b'\n');
        }
        if state != State::Inside
            && let Mode::Document(document) = mem::replace(&mut self.mode, Mode::Open)
        {
            self.end_document(&document, state, out);
        }
    }

    fn end_document(&mut self, document: &Document, state: State, out: &mut dyn FnMut(Unit<'_>)) {
        if document.overlong {
            out(Unit::TooLong(document.first));
        } else if state == State::Closed {
            out(Unit::Whole(document.first, trimmed(&document.bytes)));
        } else {
            // It only looked like a document: its first line was a line cut off, and the others are good lines.
            self.mode = Mode::Lines;
            let lines = document.bytes.strip_suffix(b"\n").unwrap_or(&document.bytes);
            for (n, line) in (document.first..).zip(lines.split(|&byte| byte == b'\n')) {
                deliver(n, line, out);
            }
        }
    }
}

/// Whether a text begins like a document.
fn begins(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'[' | b'{'))
}

fn deliver(n: u64, line: &[u8], out: &mut dyn FnMut(Unit<'_>)) {
    let text = trimmed(line);
    if !text.is_empty() {
        out(Unit::Whole(n, text));
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii()
}

/// Keeps the allocation of an ordinary line for the next one, and gives back that of a huge one.
fn reuse(mut spent: Vec<u8>) -> Vec<u8> {
    if spent.capacity() > 1 << 20 {
        return Vec::new();
    }
    spent.clear();
    spent
}

/// Where a scan stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Within a value that may still become whole.
    Inside,
    /// The value is whole.
    Closed,
    /// No continuation makes this one JSON value.
    Broken,
}

/// Follows brackets and strings, just closely enough to tell a document from lines.
#[derive(Debug, Default)]
struct Scan {
    /// The open containers, as the byte that closes each.
    open: Vec<u8>,
    place: Place,
    /// The last byte outside of strings that was not white space; 0 before the first.
    last: u8,
    read: usize,
    /// Where the last element of an array ended, and the closing bytes that make the text up to there whole.
    whole: Option<(usize, Vec<u8>)>,
    /// Whether to record `whole`.
    recording: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    InString,
    /// After a backslash in a string.
    Escaped,
}

impl Scan {
    fn of(text: &[u8]) -> State {
        Self::default().feed(text)
    }

    fn feed(&mut self, bytes: &[u8]) -> State {
        for &byte in bytes {
            self.read += 1;
            let fits = match self.place {
                Place::Outside => byte.is_ascii_whitespace() || self.outside(byte),
                _ => self.in_string(byte),
            };
            if !fits {
                return State::Broken;
            }
        }
        let closed = self.last != 0 && self.open.is_empty() && self.place == Place::Outside;
        if closed { State::Closed } else { State::Inside }
    }

    fn in_string(&mut self, byte: u8) -> bool {
        self.place = match (self.place, byte) {
            (Place::Escaped, _) => Place::InString,
            (_, b'\\') => Place::Escaped,
            (_, b'"') => Place::Outside,
            _ => Place::InString,
        };
        byte != b'\n'
    }

    fn outside(&mut self, byte: u8) -> bool {
        let after_end = self.last != 0 && self.open.is_empty();
        let fits = !after_end && self.structural(byte);
        self.last = byte;
        fits
    }

    fn structural(&mut self, byte: u8) -> bool {
        match byte {
            b'"' => self.place = Place::InString,
            b'{' | b'[' => {
                let fits = match self.open.last() {
                    None => true,
                    Some(b'}') => self.last == b':',
                    Some(_) => matches!(self.last, b'[' | b','),
                };
                self.open.push(byte + 2);
                return fits && self.open.len() <= MAX_DEPTH;
            }
            b'}' | b']' => {
                if self.open.pop() != Some(byte) {
                    return false;
                }
                if self.recording && self.open.last() == Some(&b']') {
                    self.whole = Some((self.read, self.open.iter().rev().copied().collect()));
                }
            }
            _ => {}
        }
        true
    }
}

/// The text up to the last whole element of an array, closed so that it parses; `None` where there is none.
pub(super) fn salvage(text: &[u8]) -> Option<Vec<u8>> {
    let mut scan = Scan { recording: true, ..Scan::default() };
    scan.feed(text);
    let (end, closing) = scan.whole?;
    let mut out = text.get(..end)?.to_vec();
    out.extend_from_slice(&closing);
    Some(out)
}

//! The reader: takes bytes as they come and gives traces at the end.
//!
//! Decides the format and what becomes of units that cannot be read. Total: no input makes it fail or grow without
//! bound, and how the bytes are divided over the pushes changes nothing.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem;

use super::describe::describe;
use super::event::Trace;
use super::format::{Format, Parse, of_unit};
use super::frame::{Framer, Unit, salvage};
use super::report::{Bad, BadLine, BadReason, ReadReport, Unrecognised};
use super::sessions::Sessions;
use crate::sort;

/// Units of unknown format are kept up to this many bytes until one tells the format.
const MAX_PENDING: usize = 16 << 20;

/// How much a reader takes at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLimits {
    /// Longest line in bytes. A longer one is skipped without being held.
    pub max_line: usize,
    /// Longest document (one JSON value over many lines) in bytes. A longer one is skipped.
    pub max_document: usize,
    /// Most bad lines that are listed; all are counted.
    pub max_bad: usize,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self { max_line: 64 << 20, max_document: 256 << 20, max_bad: 100 }
    }
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The traces, in the order in which they began.
    pub traces: Vec<Trace>,
    /// Counts and bad lines.
    pub report: ReadReport,
}

/// Reads traces from bytes.
#[derive(Debug)]
pub struct Reader {
    framer: Framer,
    taker: Taker,
}

/// What becomes of units.
#[derive(Debug)]
struct Taker {
    limits: ReadLimits,
    /// Whether the format was named, not found.
    named: bool,
    stage: Stage,
    sessions: Sessions,
    report: ReadReport,
    /// Units that were of the format.
    good: u64,
    /// What the first unit that was of no known format looks like.
    saw: Option<String>,
}

#[derive(Debug)]
enum Stage {
    /// No unit told the format yet. These are the ones that may be of any.
    Deciding {
        pending: Vec<(u64, String)>,
        bytes: usize,
    },
    Reading(Box<dyn Parse>),
}

impl Reader {
    /// A reader for that format, or for whichever the input turns out to be in.
    pub fn new(format: Option<Format>, limits: ReadLimits) -> Self {
        let stage = match format {
            Some(format) => Stage::Reading(format.parser()),
            None => Stage::Deciding { pending: Vec::new(), bytes: 0 },
        };
        let report = ReadReport { format, ..ReadReport::default() };
        let sessions = Sessions::default();
        Self {
            framer: Framer::new(limits.max_line, limits.max_document),
            taker: Taker { limits, named: format.is_some(), stage, sessions, report, good: 0, saw: None },
        }
    }

    /// A reader for the lines that a host has observed of one session: those that name no session are of this one.
    pub fn live(session_id: &str, limits: ReadLimits) -> Self {
        let mut reader = Self::new(Some(Format::Canonical), limits);
        reader.taker.sessions = Sessions::of(session_id);
        reader
    }

    /// Takes the next bytes, however many.
    pub fn push(&mut self, bytes: &[u8]) {
        let Self { framer, taker } = self;
        framer.push(bytes, &mut |unit| taker.unit(unit));
    }

    /// Ends the input. Fails where nothing in it was of the format, or of any known one; an empty input is no failure.
    pub fn finish(self) -> Result<Reading, Unrecognised> {
        let Self { mut framer, mut taker } = self;
        framer.finish(&mut |unit| taker.unit(unit));
        taker.finish(framer.lines())
    }
}

impl Taker {
    fn unit(&mut self, unit: Unit<'_>) {
        match unit {
            Unit::Whole(line, bytes) => match core::str::from_utf8(bytes) {
                Ok(text) => self.text(line, text),
                Err(error) => {
                    self.note(|| describe(bytes));
                    self.bad(line, BadReason::NotUtf8, error.to_string());
                }
            },
            Unit::Cut(line, bytes) => {
                self.bad(line, BadReason::Truncated, "the input ends inside of it".to_string());
                match salvage(bytes).and_then(|bytes| String::from_utf8(bytes).ok()) {
                    Some(text) => self.text(line, &text),
                    None => self.note(|| describe(bytes)),
                }
            }
            Unit::TooLong(line) => {
                self.note(|| "a line or document longer than the limit".to_string());
                self.bad(line, BadReason::TooLong, "longer than the limit".to_string());
            }
        }
    }

    fn text(&mut self, line: u64, text: &str) {
        if self.named && self.good == 0 && self.is_other(line, text) {
            return;
        }
        match &mut self.stage {
            Stage::Reading(parser) => match parser.take(text, &mut self.sessions) {
                Ok(()) => self.good += 1,
                Err(bad) => self.refuse(line, text, bad),
            },
            Stage::Deciding { .. } => self.decide(line, text),
        }
    }

    /// Whether the unit is clearly of another format than the one that was named; it is then refused.
    fn is_other(&mut self, line: u64, text: &str) -> bool {
        let Ok(Some(format)) = of_unit(text) else { return false };
        if self.report.format.is_none_or(|named| named.takes(format, text)) {
            return false;
        }
        self.note(|| format!("{}, as {format} has it", describe(text.as_bytes())));
        self.refuse(line, text, Bad::shape("of another format"));
        true
    }

    fn decide(&mut self, line: u64, text: &str) {
        match of_unit(text) {
            Err(bad) => self.refuse(line, text, bad),
            Ok(None) => self.keep(line, text),
            Ok(Some(format)) => {
                self.report.format = Some(format);
                let before = mem::replace(&mut self.stage, Stage::Reading(format.parser()));
                if let Stage::Deciding { pending, .. } = before {
                    for (line, text) in &pending {
                        self.text(*line, text);
                    }
                }
                self.text(line, text);
            }
        }
    }

    fn keep(&mut self, line: u64, text: &str) {
        self.note(|| describe(text.as_bytes()));
        if let Stage::Deciding { pending, bytes } = &mut self.stage
            && *bytes + text.len() <= MAX_PENDING
        {
            *bytes += text.len();
            pending.push((line, text.to_string()));
        } else {
            self.refuse(line, text, Bad::shape("of no known format"));
        }
    }

    fn refuse(&mut self, line: u64, text: &str, bad: Bad) {
        self.note(|| describe(text.as_bytes()));
        self.bad(line, bad.reason, bad.message);
    }

    fn note(&mut self, saw: impl FnOnce() -> String) {
        if self.saw.is_none() && self.good == 0 {
            self.saw = Some(saw());
        }
    }

    fn bad(&mut self, line: u64, reason: BadReason, message: String) {
        self.report.bad_total += 1;
        if self.report.bad.len() < self.limits.max_bad {
            self.report.bad.push(BadLine { line, reason, message });
        }
    }

    fn finish(mut self, lines: u64) -> Result<Reading, Unrecognised> {
        if self.good == 0
            && let Some(saw) = self.saw
        {
            return Err(Unrecognised { saw });
        }
        if let Stage::Reading(parser) = &mut self.stage {
            parser.finish(&mut self.sessions);
        }
        let traces = self.sessions.into_traces();
        self.report.lines = lines;
        self.report.events = traces.iter().map(|trace| trace.events.len() as u64).sum();
        sort::sort_by_key(&mut self.report.bad, |bad| bad.line);
        Ok(Reading { traces, report: self.report })
    }
}

//! What reaches the terminal: answers on stdout, notices and errors on stderr.
//!
//! Decides streams, colour and silence. Never decides what is said.

use core::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};

use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use serde_json::Value;

use super::args::Global;
use super::failure::{Failure, Report};

/// Headings of tables.
pub(super) const HEAD: Style = Style::new().bold();
/// Ids, times and other things that are looked up and not read.
pub(super) const DIM: Style = Style::new().dimmed();
/// What went well or is new.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// What went wrong.
pub(super) const BAD: Style = AnsiColor::Red.on_default();
/// What is worth a look.
pub(super) const NOTE: Style = AnsiColor::Yellow.on_default();

/// A text in a style. Colour is taken out again on its way to a stream that wants none.
pub(super) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The streams of one run of the command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Console {
    json: bool,
    quiet: bool,
}

impl Console {
    pub(super) fn new(global: &Global) -> Self {
        let choice = match global.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        Self { json: global.json, quiet: global.quiet }
    }

    /// Gives the answer of a verb: as JSON where that was asked for, else as text.
    pub(super) fn answer(
        self,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json {
            return print(&format!("{}\n", json()));
        }
        print(&text())
    }

    /// As [`Self::answer`], for a text that only confirms what was done: silence where that was asked for.
    pub(super) fn confirm(
        self,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.quiet && !self.json {
            return Ok(());
        }
        self.answer(json, text)
    }

    /// Says something beside the answer, on stderr. Nothing depends on its being read.
    pub(super) fn notice(self, text: &str) {
        if !self.quiet && !self.json {
            let _ = writeln!(anstream::stderr(), "{} {}", styled(NOTE, "note:"), lines(text));
        }
    }

    pub(super) fn error(self, report: &Report) {
        let mut err = anstream::stderr();
        let _ = if self.json {
            writeln!(err, "{}", report.to_json())
        } else {
            writeln!(
                err,
                "{} {} {}",
                styled(BAD, "error:"),
                lines(&report.message),
                styled(DIM, &format!("[{}]", report.code))
            )
        };
    }

    /// Whether long work may show its progress.
    pub(super) fn shows_progress(self) -> bool {
        !self.quiet && !self.json && io::stderr().is_terminal()
    }

    /// Asks a question whose answer is yes or no; `None` where nobody is there to be asked.
    pub(super) fn ask(self, question: &str) -> Option<bool> {
        if self.json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return None;
        }
        let _ = write!(anstream::stderr(), "{question} [y/N] ");
        let mut line = String::new();
        io::stdin().read_line(&mut line).ok()?;
        Some(matches!(line.trim(), "y" | "Y" | "yes"))
    }
}

/// Writes to stdout.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|cause| Failure::output(&cause))
}

/// The columns a line of stdout has; `None` where it goes to a file or a pipe and must not be cut.
pub(super) fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0))
}

/// A line of name and value, aligned with its like; nothing where the value is empty.
pub(super) fn field(out: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = writeln!(out, "{} {}", styled(DIM, &format!("{name:<11}")), one_line(value));
    }
}

/// A text of a record or a trace made safe for a terminal: one line, no escape sequences, no hidden direction marks.
pub(super) fn one_line(text: &str) -> String {
    let hidden =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().filter(|&c| !hidden(c)).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// As [`one_line`], for a text of several lines.
pub(super) fn lines(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}

/// `1 lesson`, `2 lessons`.
pub(super) fn count(n: impl Into<u64>, one: &str) -> String {
    let n = n.into();
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

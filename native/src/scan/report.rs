//! The report of a scan: what was looked at, and what was found in it.
//!
//! Decides nothing: it holds what the command prints, as text, as JSON or as a page.

use std::collections::BTreeMap;

use hardwon_core::env::Timestamp;
use hardwon_core::op::Tally;

use super::finding::{Class, Finding};

/// What a scan found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The places that were looked at; none where the caller named what to read.
    pub(crate) looked: Vec<Looked>,
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// Files met while walking that are no traces.
    pub(crate) not_traces: u32,
    pub(crate) failed: Vec<Failed>,
    pub(crate) sessions: u32,
    pub(crate) runs: usize,
    pub(crate) events: u64,
    pub(crate) first: Option<Timestamp>,
    pub(crate) last: Option<Timestamp>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) skipped: Tally,
    pub(crate) bad_lines: Tally,
    /// Runs by agent.
    pub(crate) agents: BTreeMap<String, usize>,
    /// What to type next, and what it does.
    pub(crate) next: Vec<(String, &'static str)>,
}

/// A place that was looked at.
#[derive(Debug)]
pub(crate) struct Looked {
    pub(crate) agent: &'static str,
    pub(crate) path: String,
    /// `found`, `missing`, `leads_out`, `unreadable` or `unknown_form`.
    pub(crate) state: &'static str,
    pub(crate) sessions: usize,
    pub(crate) bytes: u64,
    pub(crate) message: String,
}

/// Something that could not be read.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) path: String,
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Report {
    /// The findings of a class, in order.
    pub(crate) fn of(&self, class: Class) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |one| one.class == class)
    }

    /// The time in which the findings lie; `None` where they have no time, or only one.
    pub(crate) fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let told = || self.findings.iter().filter(|one| one.class != Class::Once);
        let first = told().filter_map(Finding::first).min()?;
        let last = told().filter_map(Finding::last).max()?;
        (first < last).then_some((first, last))
    }

    /// What the scan comes to, in a sentence.
    pub(crate) fn verdict(&self) -> String {
        let sessions = number(self.runs, "session");
        let back = self.of(Class::Repeated).count();
        match (self.runs, back) {
            (0, _) => "No session was found.".into(),
            (_, 0) => format!("{sessions}, no mistake came back."),
            (_, 1) => format!("{sessions}, 1 mistake came back."),
            (_, n) => format!("{sessions}, {n} mistakes came back."),
        }
    }
}

/// `1 run`, `2 runs`.
pub(crate) fn number(n: usize, one: &str) -> String {
    format!("{} {one}{}", grouped(n as u64), if n == 1 { "" } else { "s" })
}

/// A number with its thousands apart.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes as people read them.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// The day of a time.
pub(crate) fn day(at: Timestamp) -> String {
    let text = at.to_string();
    text.get(..10).unwrap_or(&text).to_string()
}

/// The days between two times.
pub(crate) fn days(first: Option<Timestamp>, last: Option<Timestamp>) -> String {
    match (first.map(day), last.map(day)) {
        (Some(first), Some(last)) if first == last => first,
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "undated".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 2_000, 53_678_781].map(size), ["1 B", "2 kB", "53.7 MB"]);
        assert_eq!(number(1, "run") + &number(2, "run"), "1 run2 runs");
    }
}

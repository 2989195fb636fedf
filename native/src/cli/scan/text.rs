//! The report of a scan as text.
//!
//! Decides what is said first, and how lines fit a narrow terminal. A pipe gets whole lines.

use core::fmt::Write as _;

use anstyle::Style;
use hardwon_core::op::Tally;
use unicode_width::UnicodeWidthStr;

use super::super::args::Scan;
use super::super::console::{BAD, DIM, GOOD, HEAD, NOTE, columns, one_line, styled};
use super::super::words as codes;
use crate::scan::finding::{Class, Finding, Says};
use crate::scan::report::{Looked, Report, days, number, size};
use crate::scan::words;

/// How many repositories and tools are named.
const NAMED: usize = 2;
/// A terminal that has fewer columns is written to as if it had these.
const NARROWEST: usize = 24;
/// With fewer columns names and values are not aligned.
const NARROW: usize = 60;

pub(super) fn of(report: &Report, args: &Scan) -> String {
    within(columns().map(|room| room.max(NARROWEST)), report, args.limit)
}

fn within(room: Option<usize>, report: &Report, limit: usize) -> String {
    let mut page = Page { out: String::new(), room };
    page.looked(report);
    page.read(report);
    page.lost(report);
    page.line(0, HEAD, &format!("\n{}", report.verdict()));
    let limit = if limit == 0 { usize::MAX } else { limit };
    page.findings(report, Class::Repeated, limit, "");
    page.findings(report, Class::Held, limit, "Held back for review: never said before a person has looked");
    page.findings(
        report,
        Class::Apart,
        limit,
        "Came back too, and are not worth a word: they repair themselves, or are about the world",
    );
    let once = report.of(Class::Once).count();
    if once > 0 {
        let what = if report.of(Class::Repeated).next().is_some() { "more mistake" } else { "mistake" };
        page.line(0, DIM, &format!("\n{} happened in one session only.", number(once, what)));
    }
    page.next(report);
    page.out
}

struct Page {
    out: String,
    /// The columns of the terminal; none where lines must not be broken.
    room: Option<usize>,
}

impl Page {
    fn looked(&mut self, report: &Report) {
        if report.looked.is_empty() {
            return;
        }
        self.line(0, HEAD, "Looked for the histories of coding agents");
        let width = report.looked.iter().map(|one| one.agent.width()).max().unwrap_or_default();
        let paths = report.looked.iter().map(|one| one.path.width()).max().unwrap_or_default();
        for one in report.looked.iter().filter(|one| is_told(one, report)) {
            let style = if one.sessions > 0 { Style::new() } else { DIM };
            let path = one_line(&one.path);
            if self.is_narrow() {
                self.line(2, style, &format!("{}: {} ({path})", one.agent, state(one)));
                continue;
            }
            let pad = " ".repeat(paths.saturating_sub(path.width()));
            let agent = " ".repeat(width.saturating_sub(one.agent.width()));
            self.line(2, style, &format!("{}{agent}  {path}{pad}  {}", one.agent, state(one)));
        }
    }

    fn read(&mut self, report: &Report) {
        if report.files == 0 {
            return;
        }
        let gap = if report.looked.is_empty() { "" } else { "\n" };
        let mut text = format!(
            "{gap}Read {} ({}): {} and {} of {}",
            number(report.files, "file"),
            size(report.bytes),
            number(report.runs, "session"),
            number(report.events as usize, "event"),
            report.agents.keys().map(|agent| one_line(agent)).collect::<Vec<_>>().join(", "),
        );
        if report.first.is_some() {
            let _ = write!(text, ", {}", days(report.first, report.last));
        }
        text.push_str(". Nothing left this machine, and nothing was learned yet.");
        self.line(0, Style::new(), &text);
    }

    /// What could not be read, and what taught nothing.
    fn lost(&mut self, report: &Report) {
        if !report.skipped.is_empty() {
            let told = tally(&report.skipped, codes::skipped);
            self.line(0, DIM, &format!("Not counted as mistakes: {told}."));
        }
        if !report.bad_lines.is_empty() {
            let n: u32 = report.bad_lines.values().sum();
            let told = tally(&report.bad_lines, codes::bad_line);
            self.line(0, BAD, &format!("Left out {}: {told}.", number(n as usize, "line")));
        }
        if report.not_traces > 0 && report.looked.is_empty() {
            let are = if report.not_traces == 1 { "is no trace" } else { "are no traces" };
            self.line(0, DIM, &format!("{} {are}.", number(report.not_traces as usize, "other file")));
        }
    }

    fn findings(&mut self, report: &Report, class: Class, limit: usize, title: &str) {
        let all = report.of(class).count();
        if all == 0 {
            return;
        }
        if !title.is_empty() {
            self.line(0, HEAD, &format!("\n{title}"));
        }
        for (n, one) in report.of(class).take(limit).enumerate() {
            match class {
                Class::Apart => self.brief(one),
                _ => self.finding(n + 1, one),
            }
        }
        if all > limit {
            self.line(2, DIM, &format!("and {} more; --limit 0 prints all", all - limit));
        }
    }

    fn finding(&mut self, n: usize, one: &Finding) {
        let style = if one.class == Class::Held { NOTE } else { GOOD };
        self.hung(0, &format!("\n{n:>2}  "), style, &one.text);
        self.field("seen", &seen(one));
        if one.class == Class::Held {
            self.field("held, for", &one.why);
        } else {
            self.field("what worked", words::remedy(one.strength));
        }
        self.field("it would say", &would_say(one));
        if let Some(run) = one.runs.last().filter(|run| !run.moment.call.is_empty()) {
            self.field("last time", &run.moment.call);
            if !run.moment.answer.is_empty() {
                self.field("", &format!("-> {}", run.moment.answer));
            }
            if !run.moment.then.is_empty() {
                self.field(words::then(&run.moment), &run.moment.then);
            }
        }
        if one.is_kept {
            self.field("known", &kept(one));
        }
    }

    fn brief(&mut self, one: &Finding) {
        let runs = number(one.runs.len(), "session");
        self.hung(2, "", Style::new(), &format!("{} ({runs})", one.text));
    }

    fn next(&mut self, report: &Report) {
        self.line(0, HEAD, "\nNext");
        let width = report.next.iter().map(|(command, _)| command.width()).max().unwrap_or_default();
        for (command, what) in &report.next {
            let command = one_line(command);
            let pad = " ".repeat(width.saturating_sub(command.width()));
            let line = format!("  {command}{pad}  {}", styled(DIM, what));
            if self.room.is_some_and(|room| width + what.width() + 4 > room) {
                // A command is never broken, so that it can be copied.
                let _ = writeln!(self.out, "  {command}");
                self.line(4, DIM, what);
            } else {
                let _ = writeln!(self.out, "{line}");
            }
        }
    }

    /// A name and its value; a value without a name goes on with the one before.
    fn field(&mut self, name: &str, value: &str) {
        let (head, hang) = match (self.is_narrow(), name) {
            (true, "") => ("      ".to_string(), 6),
            (true, name) => (format!("    {name}: "), 6),
            (false, name) => (format!("    {name:<13} "), 18),
        };
        let text = wrapped(&one_line(value), self.room, head.width(), hang);
        let _ = writeln!(self.out, "{}{text}", styled(DIM, &head));
    }

    /// Whether columns would leave no room for what stands in them.
    fn is_narrow(&self) -> bool {
        self.room.is_some_and(|room| room < NARROW)
    }

    /// A text behind a head, its further lines below its first.
    fn hung(&mut self, indent: usize, head: &str, style: Style, text: &str) {
        let hang = indent + head.trim_start_matches('\n').width();
        let text = wrapped(&one_line(text), self.room, hang, hang);
        let styled: Vec<String> = text
            .lines()
            .map(|line| {
                let text = line.trim_start();
                format!("{}{}", " ".repeat(line.len() - text.len()), styled(style, text))
            })
            .collect();
        let gap = " ".repeat(indent);
        let _ = writeln!(self.out, "{gap}{head}{}", styled.join("\n"));
    }

    fn line(&mut self, indent: usize, style: Style, text: &str) {
        let gap = if text.starts_with('\n') { "\n" } else { "" };
        let _ = write!(self.out, "{gap}");
        self.hung(indent, "", style, text.trim_start_matches('\n'));
    }
}

/// Places that are not there are told only where nothing was found, or once an agent.
fn is_told(one: &Looked, report: &Report) -> bool {
    let same = |other: &&Looked| other.agent == one.agent;
    let is_first = report.looked.iter().find(same).is_some_and(|first| core::ptr::eq(first, one));
    let is_elsewhere = report.looked.iter().filter(same).any(|other| other.state != "missing");
    one.state != "missing" || (is_first && !is_elsewhere)
}

fn state(one: &Looked) -> String {
    match one.state {
        "missing" => "not there".into(),
        "leads_out" => "a link that leads elsewhere: name it to have it read".into(),
        "unknown_form" => "there, in a form that is not read".into(),
        "unreadable" => one.message.rsplit_once(": ").map_or(&*one.message, |(_, what)| what).to_string(),
        _ if one.sessions == 0 => "no session in it".into(),
        _ => format!("{}, {}", number(one.sessions, "file"), size(one.bytes)),
    }
}

pub(super) fn seen(one: &Finding) -> String {
    let mut out = number(one.times, "time");
    let _ = write!(out, " in {}", number(one.runs.len(), "session"));
    if !one.tools.is_empty() {
        let _ = write!(out, ", {}", few(&one.tools));
    }
    let _ = write!(out, ", {}", days(one.first(), one.last()));
    if !one.repositories.is_empty() {
        let _ = write!(out, ", in {}", few(&one.repositories));
    }
    out
}

fn would_say(one: &Finding) -> String {
    match &one.says {
        Says::Speaks => words::when(&one.trigger),
        Says::Silent(reason) if reason.is_empty() => words::when(after(&one.trigger)),
        Says::Silent(reason) => words::silence(reason).to_string(),
    }
}

/// Lessons about the end or the beginning of a run are said then; a call that nothing was asked about, after it failed.
fn after(trigger: &str) -> &str {
    if matches!(trigger, "final" | "start") { trigger } else { "" }
}

fn kept(one: &Finding) -> String {
    let counters = &one.counters;
    let mut out = String::from("it is in your memory");
    if counters.surfaced > 0 {
        let _ = write!(out, ", was shown {}", number(counters.surfaced as usize, "time"));
        let _ = write!(
            out,
            ", then avoided {} and came back {}",
            counters.avoided + counters.followed,
            counters.recurred
        );
    }
    out
}

fn few(names: &[String]) -> String {
    let shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} +{more}"),
    }
}

fn tally(tally: &Tally, words: fn(&str) -> &str) -> String {
    tally.iter().map(|(reason, n)| format!("{n} {}", words(reason))).collect::<Vec<_>>().join(", ")
}

/// The text broken at blanks to the room, with `used` columns taken of the first line and `hang` of the others.
fn wrapped(text: &str, room: Option<usize>, used: usize, hang: usize) -> String {
    let Some(room) = room else { return text.to_string() };
    let mut out = String::new();
    let mut at = used;
    let mut is_first = true;
    for word in text.split(' ') {
        let width = word.width();
        if !is_first && at + 1 + width > room {
            out.push('\n');
            out.extend(core::iter::repeat_n(' ', hang));
            at = hang;
        } else if !is_first {
            out.push(' ');
            at += 1;
        }
        out.push_str(word);
        at += width;
        is_first = false;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks_and_hang_below_their_first() {
        assert_eq!(wrapped("one two three four", Some(12), 2, 2), "one two\n  three four");
        assert_eq!(wrapped("one two three four", None, 2, 2), "one two three four");
        assert_eq!(wrapped("averylongword x", Some(6), 2, 2), "averylongword\n  x");
        assert_eq!(wrapped("日本語 日本語", Some(10), 2, 2), "日本語\n  日本語");
    }

    #[test]
    fn a_narrow_terminal_gets_lines_that_fit() {
        let mut report = Report {
            looked: vec![Looked {
                agent: "Claude Code",
                path: "~/.claude/projects".into(),
                state: "found",
                sessions: 12,
                bytes: 1_000_000,
                message: String::new(),
            }],
            files: 12,
            runs: 12,
            events: 345,
            ..Report::default()
        };
        report.skipped.insert("cascade".into(), 3);
        report
            .next
            .push(("hardwon scan DIR".into(), "read traces that lie elsewhere, of which there may be some"));
        for room in [30, 44, 100] {
            let told = within(Some(room), &report, 10);
            for line in anstream::adapter::strip_str(&told).to_string().lines() {
                assert!(line.width() <= room && line == line.trim_end(), "{room}: {line:?}");
            }
        }
    }
}

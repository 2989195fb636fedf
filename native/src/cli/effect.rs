//! `report`: a page about the last days.
//!
//! Decides how figures are told. Never claims an effect where nothing was withheld to compare with.

use core::fmt::Write as _;

use anstyle::Style;
use hardwon_core::env::RecordId;
use hardwon_core::op::{Effect, Input, Output, Rate, ShownRecord};
use hardwon_core::record::Record;

use super::args::{Global, Report};
use super::console::{BAD, Console, DIM, GOOD, HEAD, count, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::failure::{Exit, Failure};
use super::read::with_verb;
use super::record::{self, minute, short};
use super::table::Table;

/// How many lessons each part of the page lists.
const LISTED: usize = 8;

pub(super) fn report(global: &Global, args: &Report, console: Console) -> Result<Exit, Failure> {
    let mut engine = Engine::open(global, Access::Read, console)?;
    let input = hardwon_core::op::Report { days: args.days };
    let Output::Reported(effect) = engine.run(Input::Report(input))? else {
        return Err(wrong_answer("report"));
    };
    let learned = newest(&mut engine, &effect.learned)?;
    console.answer(|| with_verb("report", &effect), || page(&effect, &learned))?;
    Ok(Exit::Done)
}

/// The last lessons made, newest first.
fn newest(engine: &mut Engine, made: &[RecordId]) -> Result<Vec<Record>, Failure> {
    made.iter().rev().take(LISTED).map(|&id| engine.record(id)).collect()
}

fn page(effect: &Effect, learned: &[Record]) -> String {
    let mut out = format!(
        "{} {}\n",
        styled(HEAD, "Report"),
        styled(DIM, &format!("{} to {} UTC", minute(effect.since), minute(effect.until)))
    );
    head(&mut out, "Learned");
    let left = if effect.left > 0 { format!(", {} left", effect.left) } else { String::new() };
    let lessons = count(effect.learned.len() as u64, "lesson");
    let _ = writeln!(out, "  {lessons} from {}{left}", count(effect.sessions, "session"));
    for record in learned {
        let _ = writeln!(out, "  {}", record::line(record));
    }
    more(&mut out, effect.learned.len(), learned.len(), "hardwon list");
    head(&mut out, "Shown");
    out.push_str(&shown(&effect.shown));
    head(&mut out, "What it changed");
    out.push_str(&changed(effect));
    head(&mut out, "What failed");
    out.push_str(&failed(&effect.shown));
    head(&mut out, "What waits");
    match effect.waiting {
        0 => out.push_str("  nothing\n"),
        n => {
            let _ = writeln!(out, "  {} for you: hardwon review", count(n, "record"));
        }
    }
    out
}

fn head(out: &mut String, title: &str) {
    let _ = writeln!(out, "\n{}", styled(HEAD, title));
}

fn more(out: &mut String, all: usize, listed: usize, command: &str) {
    if all > listed {
        let _ = writeln!(out, "  {}", styled(DIM, &format!("and {} more: {command}", all - listed)));
    }
}

fn shown(all: &[ShownRecord]) -> String {
    if all.is_empty() {
        return "  nothing\n".into();
    }
    let mut table = Table::new(&["  ID", "SHOWN", "HELPED", "FAILED", "TEXT"]);
    for one in all.iter().take(LISTED) {
        table.row(vec![
            (DIM, format!("  {}", short(&one.id))),
            (Style::new(), one.surfaced.to_string()),
            (GOOD, one.avoided.to_string()),
            (if one.recurred > 0 { BAD } else { Style::new() }, one.recurred.to_string()),
            (Style::new(), text_of(one)),
        ]);
    }
    let mut out = table.render();
    more(&mut out, all.len(), LISTED, "hardwon report --json");
    out
}

fn text_of(one: &ShownRecord) -> String {
    if one.text.is_empty() { "(gone)".into() } else { one_line(&one.text) }
}

fn changed(effect: &Effect) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "  after a lesson was shown its failure came back {}", rate(effect.with));
    match effect.effect {
        Some(interval) => {
            let _ = writeln!(out, "  where it was withheld {}", rate(effect.without));
            let percent = |millionths: i64| format!("{:+.0} %", millionths as f64 / 1e4);
            let _ = writeln!(
                out,
                "  so failures came back less often by {} (95 % between {} and {})",
                percent(interval.value),
                percent(interval.low),
                percent(interval.high)
            );
        }
        None => {
            let _ = writeln!(
                out,
                "  {}",
                styled(DIM, "nothing was withheld to compare with: set `guard.holdback` in policy.toml")
            );
        }
    }
    out
}

fn rate(rate: Rate) -> String {
    if rate.of == 0 {
        return "in no case yet: no such call has been made since".into();
    }
    let percent = f64::from(rate.recurred) * 100.0 / f64::from(rate.of);
    format!("in {} of {} cases ({percent:.0} %)", rate.recurred, rate.of)
}

fn failed(all: &[ShownRecord]) -> String {
    let mut failed: Vec<&ShownRecord> = all.iter().filter(|one| one.recurred > 0).collect();
    if failed.is_empty() {
        return "  no failure came back after its lesson was shown\n".into();
    }
    failed.sort_by_key(|one| (core::cmp::Reverse(one.recurred), one.id));
    let mut out = String::new();
    for one in failed.iter().take(LISTED) {
        let times = count(one.recurred, "time");
        let _ = writeln!(out, "  {}  came back {times}: {}", styled(DIM, &short(&one.id)), text_of(one));
    }
    more(&mut out, failed.len(), LISTED, "hardwon report --json");
    out
}

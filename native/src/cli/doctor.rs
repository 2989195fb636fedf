//! `doctor`: where the store is, what it holds, and what is wrong with it.
//!
//! Decides what is a finding. Never repairs: each finding says what to do.

use core::fmt::Write as _;
use std::path::Path;

use hardwon_core::op::{Figures, Input, Output, Stats};
use serde_json::json;

use super::args::Global;
use super::console::{BAD, Console, GOOD, NOTE, field, one_line, styled};
use super::engine::{Access, Engine, wrong_answer};
use super::failure::{Exit, Failure, Report};
use super::place;
use crate::store::{Finding, what_happened};

/// Codes of findings that mean damage; others ask for care and leave the exit status alone.
const DAMAGE: [&str; 3] = ["integrity", "replay", "unreadable"];

pub(super) fn doctor(global: &Global, console: Console) -> Result<Exit, Failure> {
    let path = crate::store::store_file(&place::store_path(global.store.as_deref())?);
    let (findings, figures) = look(global, console).map_err(|failure| beyond_looking(failure, &path))?;
    let size = std::fs::metadata(&path).map_or(0, |meta| meta.len());
    let is_damaged = findings.iter().any(|one| DAMAGE.contains(&one.code));
    let path = path.display().to_string();
    let json = || {
        json!({
            "verb": "doctor", "version": env!("CARGO_PKG_VERSION"), "store": path, "bytes": size, "space": global.space,
            "healthy": findings.is_empty(), "findings": findings, "stats": figures,
        })
    };
    console.answer(json, || text(&path, size, global, &figures, &findings))?;
    Ok(if is_damaged { Exit::Damaged } else { Exit::Done })
}

fn look(global: &Global, console: Console) -> Result<(Vec<Finding>, Figures), Failure> {
    let mut engine = Engine::open(global, Access::Read, console)?;
    let findings = engine.check()?;
    match engine.run(Input::Stats(Stats {}))? {
        Output::Stats(figures) => Ok((findings, figures)),
        _ => Err(wrong_answer("stats")),
    }
}

/// What to do with a store that is too damaged to be looked through: others are sent here, so here nobody is sent on.
fn beyond_looking(failure: Failure, path: &Path) -> Failure {
    let Failure::Error(report) = failure else { return failure };
    if report.exit != Exit::Damaged || report.code != "corrupt" {
        return Failure::Error(report);
    }
    let what = what_happened(&report.message);
    let path = path.display();
    let message = format!(
        "{what}. It is too damaged to be looked through. What can be done: put a copy of it in its place, if there is \
         one; else save what can be read (`hardwon export saved.jsonl --store {path}`), keep the damaged file beside \
         (move {path} and what begins with its name to another name), and start anew (`hardwon import saved.jsonl`)"
    );
    Failure::Error(Report { message, ..report })
}

impl Engine {
    fn check(&mut self) -> Result<Vec<Finding>, Failure> {
        Ok(match self {
            Self::Stored(memory) => memory.store().check()?,
            Self::Empty(_) => Vec::new(),
        })
    }
}

fn text(path: &str, size: u64, global: &Global, figures: &Figures, findings: &[Finding]) -> String {
    let mut out = String::new();
    field(&mut out, "hardwon", env!("CARGO_PKG_VERSION"));
    field(&mut out, "store", &format!("{path} ({} KB)", size.div_ceil(1024)));
    field(&mut out, "space", &format!("{}, revision {}", global.space, figures.revision));
    let records: u32 = figures.kinds.values().sum();
    field(&mut out, "records", &format!("{records}, {} without a vector", figures.without_vector));
    let embedder =
        if figures.embedder.is_empty() { "none: search by words alone" } else { &figures.embedder };
    field(&mut out, "embedder", embedder);
    field(&mut out, "tokenizer", &figures.tokenizer);
    if findings.is_empty() {
        let _ = writeln!(out, "\n{} nothing wrong was found", styled(GOOD, "healthy:"));
    }
    for one in findings {
        let style = if DAMAGE.contains(&one.code) { BAD } else { NOTE };
        let head = styled(style, &format!("{}:", one.code));
        let _ = writeln!(out, "\n{head} {}\n  to do: {}", one_line(&one.message), one_line(&one.fix));
    }
    out
}

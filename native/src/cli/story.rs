//! `demo`: tells the story of three runs, and says what to type for one's own.
//!
//! Decides how the story is told. Never decides what happens in it.

use core::fmt::Write as _;
use std::fs;
use std::path::Path;

use hardwon_core::record::Record;
use serde_json::json;

use super::args::{Demo, Global};
use super::console::{BAD, Console, DIM, GOOD, HEAD, NOTE, count, one_line, styled};
use super::failure::{Exit, Failure};
use super::place::no_stream;
use super::record::{self, evidence_table};
use crate::demo::{self, Chapter, NEXT_TASK, NEXT_TOOL, Scene, Story, TRACES};

pub(super) fn demo(_: &Global, args: &Demo, console: Console) -> Result<Exit, Failure> {
    if let Some(folder) = &args.traces {
        if folder.as_os_str() == "-" {
            return Err(no_stream("a directory"));
        }
        return write_traces(folder, console);
    }
    let story = demo::play()?;
    let json = || {
        let run = |chapter: &Chapter| {
            json!({
                "task": chapter.task, "learned": chapter.learned,
                "lessons": chapter.lessons.iter().map(record::to_json).collect::<Vec<_>>(),
            })
        };
        json!({
            "verb": "demo", "runs": story.runs.iter().map(run).collect::<Vec<_>>(), "recalled": story.recalled,
            "lesson": record::to_json(&story.lesson),
        })
    };
    console.answer(json, || told(&story))?;
    Ok(Exit::Done)
}

fn write_traces(folder: &Path, console: Console) -> Result<Exit, Failure> {
    let failed = |cause: std::io::Error| {
        Failure::input(
            "file.unwritable",
            format!("{}: the traces could not be written ({cause})", folder.display()),
        )
    };
    fs::create_dir_all(folder).map_err(failed)?;
    for trace in TRACES {
        fs::write(folder.join(trace.name), trace.text).map_err(failed)?;
    }
    let name = folder.display().to_string();
    let json = || json!({ "verb": "demo", "traces": TRACES.map(|trace| folder.join(trace.name).display().to_string()) });
    let text = || {
        let name = one_line(&name);
        format!(
            "Wrote {} into {name}. Learn from them: hardwon learn {name}\n",
            count(TRACES.len() as u64, "trace")
        )
    };
    console.confirm(json, text)?;
    Ok(Exit::Done)
}

fn told(story: &Story) -> String {
    let mut out = String::from("Three runs of an agent that builds a game.\n");
    for (n, run) in story.runs.iter().enumerate() {
        out.push_str(&chapter(n + 1, run));
    }
    let _ = writeln!(out, "\n{} {NEXT_TASK}", styled(HEAD, "The next run:"));
    out.push_str(&styled(DIM, &format!("  Before it calls {NEXT_TOOL}, its prompt ends with:\n\n")));
    for line in story.recalled.block.lines() {
        let _ = writeln!(out, "    {line}");
    }
    let _ = writeln!(out, "\n  {} {}", styled(HEAD, "Evidence"), one_line(&story.lesson.text));
    let mut evidence: Vec<_> = story.lesson.evidence.iter().collect();
    evidence.sort_by_key(|one| (one.ts, one.position));
    out.push_str(&evidence_table(evidence.into_iter()).render());
    out.push_str(&yours());
    out
}

fn chapter(n: usize, run: &Chapter) -> String {
    let mut out = format!("\n{} {}\n", styled(HEAD, &format!("Run {n}:")), run.task);
    for scene in &run.scenes {
        match scene {
            // The same list every time.
            Scene::Listed(..) if n > 1 => {}
            Scene::Listed(tool, what, many) => {
                let _ = writeln!(out, "  saw    {many} {what} in {tool}");
            }
            Scene::Failed(call, error) => {
                let _ = writeln!(out, "  {} {call}\n         {}", styled(BAD, "failed"), styled(DIM, error));
            }
            Scene::Said(text, worked) => {
                let worked = styled(DIM, &format!("after {}", worked.join(", ")));
                let _ = writeln!(out, "  said   \"{text}\"\n         {worked}");
            }
        }
    }
    for lesson in &run.lessons {
        out.push_str(&learned(lesson));
    }
    out
}

fn learned(lesson: &Record) -> String {
    let style = if lesson.tier.as_str() == "strategic" { GOOD } else { NOTE };
    let state = format!("{}, {}", lesson.tier, count(lesson.hits(), "run"));
    format!("  {} {}\n         {}\n", styled(style, "lesson"), one_line(&lesson.text), styled(style, &state))
}

fn yours() -> String {
    let rows = [
        ("hardwon learn ~/.claude/projects", "from your own traces, a file or a directory"),
        ("hardwon list", "what was learned"),
        ("hardwon recall --task \"...\"", "what is known for a task, as a prompt block"),
        ("hardwon demo --traces demo", "the traces of this story"),
    ];
    let mut out = format!("\n{}\n", styled(HEAD, "Now yours"));
    for (command, what) in rows {
        let _ = writeln!(out, "  {command:<34} {}", styled(DIM, what));
    }
    out
}

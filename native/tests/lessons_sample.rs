//! Lessons of the real traces as a person would read them: a seeded sample as a Markdown table, for grading by hand.
//!
//! Decides nothing about quality. Prints our own texts only, never what stands in a trace.

mod samples;

use std::fs;
use std::path::{Path, PathBuf};

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::op::{Learn, List};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Record, Scope, Status, Subtype};

use samples::traces;

/// How many lessons the sample has.
const SAMPLE: usize = 30;

/// A lesson with the format of the traces it was learned from.
struct Found {
    format: String,
    record: Record,
}

/// The lessons of every folder of traces that a reader knows; formats apart, so that each keeps its counts.
fn found(dir: &Path) -> Vec<Found> {
    let mut out = Vec::new();
    for folder in sorted(dir).into_iter().filter(|path| path.is_dir()) {
        let format = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut memory = Memory::with_store(MemoryStore::new(), "default", Policy::default())
            .expect("the default policy is valid");
        for file in sorted(&folder) {
            let Ok(bytes) = fs::read(&file) else { continue };
            let data = String::from_utf8_lossy(&bytes).into_owned();
            let learn = Learn { data: Some(data), scope: Some(Scope::global()), ..Learn::default() };
            if let Err(problem) = memory.learn(learn) {
                println!("not read: {format}, {problem}");
            }
        }
        let all = List { status: Status::ALL.iter().copied().collect(), ..List::default() };
        let records = memory.list(all).expect("a list").0;
        out.extend(records.into_iter().map(|record| Found { format: format.clone(), record }));
    }
    out.sort_by(|a, b| (&a.format, &a.record.key).cmp(&(&b.format, &b.record.key)));
    out
}

fn sorted(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir)
        .expect("a folder")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    paths
}

/// A row of the table.
fn row(found: &Found) -> String {
    let record = &found.record;
    let mut marks: Vec<String> = record.marks.iter().map(ToString::to_string).collect();
    if record.status == Status::Quarantined {
        marks.push(format!("held: {}", record.status_reason));
    }
    let evidence = record.evidence.len();
    format!(
        "| {} | {} | {}/{} | {} | {} |",
        found.format,
        record.subtype,
        record.hits(),
        evidence,
        record.text.replace('|', "\\|"),
        marks.join(", ")
    )
}

/// The next number of a fixed sequence (a linear congruential generator): the sample depends on the seed alone.
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

/// Prints the sample: `cargo test -p hardwon --test lessons_sample -- --ignored --nocapture`, with `SEED=n` for
/// another one and `SEED=all` for every lesson.
#[test]
#[ignore = "prints a table for grading by hand"]
#[allow(clippy::disallowed_methods, reason = "which sample is printed comes from outside")]
fn sample() {
    let Some(dir) = traces() else { return };
    let seed = std::env::var("SEED").unwrap_or_else(|_| String::from("1"));
    let mut lessons: Vec<Found> =
        found(&dir).into_iter().filter(|one| one.record.subtype != Subtype::SuccessPattern).collect();
    println!("{} lessons", lessons.len());
    if seed != "all" {
        let mut seed: u64 = seed.parse().expect("SEED is a number or `all`");
        while lessons.len() > SAMPLE {
            let at = next(&mut seed) as usize % lessons.len();
            lessons.remove(at);
        }
    }
    println!("| format | signal | runs/times | text | marks |\n|---|---|---|---|---|");
    for one in &lessons {
        println!("{}", row(one));
    }
}

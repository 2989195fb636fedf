//! Benchmarks: every figure that the project quotes, as one JSON object a line.
//!
//! `cargo run --release -p hardwon-benches [GROUP...]` with groups `recall`, `store`, `learn`, `facts`, `memory`,
//! `hook`, `agent`. Times are CPU time of this process, the median of several runs, of hooks the time from start to
//! end of a process, of the agent that from an intent to its answer. Ratios are taken within one run, so a loaded
//! machine skews both sides alike. `--gate` fails where a ratio is over its bound; `--size=N` measures recall at one
//! size, `--runs=N` runs each hook as often, `--python=PATH` measures recall of the package that an interpreter has
//! installed.

mod agent;
mod corpus;
mod facts;
mod hook;
mod learn;
mod measure;
mod memory;
mod python;
mod recall;
mod store;

use std::process::ExitCode;

use measure::Report;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let gate = arguments.iter().any(|argument| argument == "--gate");
    let chosen = |name: &str| {
        let mut groups = arguments.iter().filter(|argument| !argument.starts_with("--")).peekable();
        groups.peek().is_none() || groups.any(|group| group == name)
    };
    let mut report = Report::default();
    if chosen("recall") {
        let size = arguments.iter().find_map(|argument| argument.strip_prefix("--size=")?.parse().ok());
        let sizes = size.map_or(vec![1_000, 10_000, 100_000], |size| vec![size]);
        recall::run(&mut report, &sizes);
    }
    if chosen("store") {
        store::run(&mut report);
    }
    if chosen("learn") {
        learn::run(&mut report);
    }
    if chosen("facts") {
        facts::run(&mut report);
    }
    if chosen("memory") {
        memory::run(&mut report);
    }
    if chosen("hook") {
        let runs = arguments.iter().find_map(|argument| argument.strip_prefix("--runs=")?.parse().ok());
        hook::run(&mut report, runs.unwrap_or(200));
    }
    if chosen("agent") {
        agent::run(&mut report, !gate);
    }
    // Only where an interpreter is named: not everybody has one with the package.
    if let Some(interpreter) = arguments.iter().find_map(|argument| argument.strip_prefix("--python=")) {
        python::run(&mut report, interpreter);
    }
    if gate && report.is_over() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

//! Reads trace files and prints what is in them, with the speed: `read_traces [--repeat N] FILE...`.

use std::time::Instant;

use hardwon_core::trace::identity::event_keys;
use hardwon_core::trace::{Body, ReadLimits, Reader, Reading, ResultStatus};

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut repeat = 1;
    if files.first().is_some_and(|first| first == "--repeat") {
        repeat = files[1].parse().expect("a number");
        files.drain(..2);
    }
    for file in files {
        let bytes = std::fs::read(&file).expect("a readable file").repeat(repeat);
        let begin = now();
        let mut reader = Reader::new(None, ReadLimits::default());
        bytes.chunks(1 << 16).for_each(|chunk| reader.push(chunk));
        let reading = reader.finish();
        let seconds = begin.elapsed().as_secs_f64();
        match reading {
            Ok(reading) => print(&file, &reading, bytes.len() as f64 / 1e6 / seconds),
            Err(error) => println!("{file}: {error}"),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this example measures")]
fn now() -> Instant {
    Instant::now()
}

fn print(file: &str, reading: &Reading, speed: f64) {
    let begin = now();
    let keys: usize = reading.traces.iter().map(|trace| event_keys(trace).len()).sum();
    let report = &reading.report;
    println!(
        "{file}: {:?}, {} lines, {} events, {} bad, {speed:.0} MB/s, {keys} keys in {:.1} ms",
        report.format,
        report.lines,
        report.events,
        report.bad_total,
        begin.elapsed().as_secs_f64() * 1e3
    );
    for bad in &report.bad {
        println!("    line {}: {}: {}", bad.line, bad.reason.code(), bad.message);
    }
    for trace in reading.traces.iter().take(5) {
        let mut counts = [0; 5];
        for event in &trace.events {
            if let Body::ToolCall(call) = &event.body {
                counts[match call.result.status {
                    ResultStatus::Ok => 0,
                    ResultStatus::Failed => 1,
                    ResultStatus::Refused => 2,
                    ResultStatus::Cancelled => 3,
                    ResultStatus::Missing => 4,
                }] += 1;
            }
        }
        println!(
            "    {} in {}: {} events, calls ok {} failed {} refused {} cancelled {} missing {}, {:?}",
            trace.session_id,
            trace.root_run_id,
            trace.events.len(),
            counts[0],
            counts[1],
            counts[2],
            counts[3],
            counts[4],
            trace.outcome
        );
        for event in trace
            .events
            .iter()
            .filter(|event| !matches!(event.body, Body::ToolCall(_) | Body::Thought { .. }))
        {
            println!("        {}", format!("{:?}", event.body).chars().take(120).collect::<String>());
        }
    }
}

//! What `recall` brings back at its moments when real sessions are played back in the order of time, knowing earlier
//! sessions alone, beside the lessons of other formats.
//!
//! The sessions lie beside the project in development and in CI; without them this test says so and passes.

mod replay;
mod samples;

use std::collections::BTreeSet;

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::op::{Recall, Recalled};
use hardwon_core::record::Scope;
use hardwon_core::trace::{Body, Event, ResultStatus, ToolCall, Trace};

use replay::{PLAYED, Repeat, distracted, ids, learned, lessons, sessions, status};
use samples::traces;

/// How many items are asked for at a call, and at the start.
const TOP: u32 = 5;
const TOP_START: u32 = 3;

/// The figures of one moment.
#[derive(Debug, Default)]
struct Moment {
    /// Times at which a lesson known before was to the point.
    asked: u32,
    /// Those of them at which it came back.
    found: u32,
    /// What else came back then.
    unrelated: u32,
    /// Times at which nothing known was to the point, and how many items came back all the same.
    other: u32,
    shown: u32,
}

impl Moment {
    fn count(&mut self, wanted: &BTreeSet<&str>, items: &[String]) {
        let hits = items.iter().filter(|item| wanted.contains(item.as_str())).count() as u32;
        if wanted.is_empty() {
            self.other += 1;
            self.shown += items.len() as u32;
        } else {
            self.asked += 1;
            self.found += u32::from(hits > 0);
            self.unrelated += items.len() as u32 - hits;
        }
    }

    fn report(&self, name: &str) {
        let share = |part: u32, all: u32| f64::from(part) / f64::from(all.max(1));
        println!(
            "{name}: {} of {} found ({:.2}), {:.2} unrelated each, {:.3} shown at each of {} other times",
            self.found,
            self.asked,
            share(self.found, self.asked),
            share(self.unrelated, self.asked),
            share(self.shown, self.other),
            self.other
        );
    }
}

#[derive(Debug, Default)]
struct Figures {
    start: Moment,
    before_tool: Moment,
    /// Always all lessons of the tool, those seen most first: what a memory without relevance does.
    by_name: Moment,
    after_failure: Moment,
}

impl Figures {
    fn report(&self) {
        self.start.report("start");
        self.before_tool.report("before_tool");
        self.by_name.report("before_tool by name alone");
        self.after_failure.report("after_failure");
    }

    fn hold(&self) {
        let after = &self.after_failure;
        assert!(after.found * 100 >= after.asked * 95, "{self:?}");
        assert!(after.unrelated * 10 <= after.asked, "{self:?}");
    }
}

/// What was asked in one session and what came back: the moment's place and the ids, best first.
#[derive(Debug, Default)]
struct Asked {
    start: Vec<String>,
    before_tool: Vec<(u32, Vec<String>)>,
    by_name: Vec<(u32, Vec<String>)>,
    after_failure: Vec<(u32, Vec<String>)>,
}

struct Playback {
    memory: Memory<MemoryStore>,
    figures: Figures,
}

impl Playback {
    fn play(&mut self, trace: &Trace) {
        let known = ids(&mut self.memory);
        let mut asked = Asked::default();
        for event in &trace.events {
            self.ask(event, &mut asked);
        }
        let repeats = learned(&mut self.memory, trace, &known);
        self.count(trace, &asked, &repeats);
    }

    fn ask(&mut self, event: &Event, asked: &mut Asked) {
        match &event.body {
            Body::Start { task } if asked.start.is_empty() => {
                asked.start = self.recall(Recall { task: task.clone(), ..Recall::default() }, TOP_START);
            }
            Body::ToolCall(call) => {
                let query =
                    Recall { tool: call.name.clone(), args: call.args.to_string(), ..Recall::default() };
                asked.before_tool.push((event.position, self.recall(query.clone(), TOP)));
                asked.by_name.push((event.position, self.of_tool(call)));
                if status(event) == Some(ResultStatus::Failed) {
                    let query = Recall { error: call.result.text.clone(), ..query };
                    asked.after_failure.push((event.position, self.recall(query, TOP)));
                }
            }
            _ => {}
        }
    }

    fn recall(&mut self, query: Recall, top_k: u32) -> Vec<String> {
        let query = Recall { scope: Scope::global(), top_k: Some(top_k), ..query };
        let Recalled { items, .. } = self.memory.recall(query).expect("an answer");
        items.iter().map(|item| item.id.to_string()).collect()
    }

    fn of_tool(&mut self, call: &ToolCall) -> Vec<String> {
        let mut all = lessons(&mut self.memory);
        all.retain(|record| record.tools.contains(call.name.as_str()));
        all.sort_by_key(|record| core::cmp::Reverse(record.hits()));
        all.iter().take(TOP as usize).map(|record| record.id.to_string()).collect()
    }

    fn count(&mut self, trace: &Trace, asked: &Asked, repeats: &[Repeat]) {
        let figures = &mut self.figures;
        let warned: BTreeSet<&str> =
            repeats.iter().filter(|one| !one.benign).map(|one| one.lesson.as_str()).collect();
        figures.start.count(&warned, &asked.start);
        let at = |position: u32, spoken: bool| -> BTreeSet<&str> {
            let here = repeats.iter().filter(|one| one.position == position && !(spoken && one.benign));
            here.map(|one| one.lesson.as_str()).collect()
        };
        let worked = |position: u32| {
            trace
                .events
                .iter()
                .any(|event| event.position == position && status(event) == Some(ResultStatus::Ok))
        };
        for (moment, asked) in
            [(&mut figures.before_tool, &asked.before_tool), (&mut figures.by_name, &asked.by_name)]
        {
            // What is shown before a call that fails in a new way is neither.
            for (position, items) in asked {
                let wanted = at(*position, true);
                if worked(*position) || !wanted.is_empty() {
                    moment.count(&wanted, items);
                }
            }
        }
        for (position, items) in &asked.after_failure {
            figures.after_failure.count(&at(*position, false), items);
        }
    }
}

#[test]
fn recall_finds_what_a_session_repeats() {
    let Some(dir) = traces() else { return };
    let mut playback = Playback { memory: distracted(&dir), figures: Figures::default() };
    for name in PLAYED {
        for trace in sessions(&dir.join(name)) {
            playback.play(&trace);
        }
        println!("after {name}:");
        playback.figures.report();
    }
    playback.figures.hold();
}

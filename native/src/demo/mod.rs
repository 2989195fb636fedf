//! The demo: three runs of an agent that builds a game, and what they teach.
//!
//! Decides the story: its traces, their order and the moment after. Fixed times and seeds make it the same every time.
//! Never touches a store of the user's.

use hardwon_core::env::{Env, Seed, Timestamp};
use hardwon_core::error::Error;
use hardwon_core::op::{Get, Input, Learn, Learned, Output, Recall, Recalled};
use hardwon_core::policy::Policy;
use hardwon_core::record::Record;
use serde_json::Value;

use crate::memory::Memory;
use crate::store::{MemoryStore, Store};

/// One trace of the demo.
#[derive(Debug, Clone, Copy)]
pub struct DemoTrace {
    /// The name of its file.
    pub name: &'static str,
    /// Its canonical JSON Lines.
    pub text: &'static str,
}

/// The traces, in the order of the story.
pub const TRACES: [DemoTrace; 3] = [
    DemoTrace { name: "run-1.jsonl", text: include_str!("traces/run-1.jsonl") },
    DemoTrace { name: "run-2.jsonl", text: include_str!("traces/run-2.jsonl") },
    DemoTrace { name: "run-3.jsonl", text: include_str!("traces/run-3.jsonl") },
];

/// The task of the run after the story.
pub const NEXT_TASK: &str = "Put a bat into the attic level";
/// The tool which that run is about to call.
pub const NEXT_TOOL: &str = "place_sprite";

/// The story as it happened.
#[derive(Debug)]
pub struct Story {
    /// The runs.
    pub runs: Vec<Chapter>,
    /// What the next run is given.
    pub recalled: Recalled,
    /// The record at the head of it.
    pub lesson: Record,
}

/// One run, and what it taught.
#[derive(Debug)]
pub struct Chapter {
    /// The run's task.
    pub task: String,
    /// What is worth seeing of it: lists it was shown, failed calls and its last word.
    pub scenes: Vec<Scene>,
    /// The report of learning it.
    pub learned: Learned,
    /// The lessons it touched, as they were after it.
    pub lessons: Vec<Record>,
}

/// A moment of a run.
#[derive(Debug, PartialEq, Eq)]
pub enum Scene {
    /// A tool that answered with a list: its name, what was listed, how many.
    Listed(String, String, usize),
    /// A call that failed: the call, and the error.
    Failed(String, String),
    /// The run's last word, with the tools that it had called with success.
    Said(String, Vec<String>),
}

/// Plays the story in a memory of its own.
pub fn play() -> Result<Story, Error> {
    let mut memory = Memory::with_store(MemoryStore::default(), "demo", Policy::default())?;
    let mut runs = Vec::new();
    for (n, trace) in TRACES.iter().enumerate() {
        runs.push(chapter(&mut memory, n as u8, *trace)?);
    }
    let query = Recall { task: NEXT_TASK.into(), tool: NEXT_TOOL.into(), ..Recall::default() };
    let env = moment(TRACES.len() as u8);
    let Output::Recalled(recalled) = memory.run_in(env, Input::Recall(query))? else {
        return Err(Error::protocol("recall was not answered"));
    };
    let first = recalled.items.first().map(|item| item.id);
    let first = first.ok_or_else(|| Error::protocol("the demo's lesson did not come back"))?;
    let lesson = record(&mut memory, Get { id: first, ..Get::default() })?;
    Ok(Story { runs, recalled, lesson })
}

/// The evening of a run's day, with a seed of its own.
fn moment(run: u8) -> Env {
    /// 2026-05-04T18:00:00Z, the day of the first run.
    const FIRST: i64 = 1_777_917_600_000;
    Env { now: Timestamp(FIRST + i64::from(run) * Timestamp::DAY), seed: Seed([run + 1; 16]) }
}

fn chapter<S: Store>(memory: &mut Memory<S>, run: u8, trace: DemoTrace) -> Result<Chapter, Error> {
    let input = Learn { data: Some(trace.text.into()), actor: "demo".into(), ..Learn::default() };
    let Output::Learned(learned) = memory.run_in(moment(run), Input::Learn(input))? else {
        return Err(Error::protocol("learn was not answered"));
    };
    let mut lessons = Vec::new();
    for &id in &learned.records {
        lessons.push(record(memory, Get { id, ..Get::default() })?);
    }
    let (task, scenes) = scenes(trace.text);
    Ok(Chapter { task, scenes, learned, lessons })
}

fn record<S: Store>(memory: &mut Memory<S>, get: Get) -> Result<Record, Error> {
    match memory.run(Input::Get(get))? {
        Output::Got { record } => Ok(record),
        _ => Err(Error::protocol("get was not answered")),
    }
}

/// The task of a canonical trace, and its scenes.
fn scenes(text: &str) -> (String, Vec<Scene>) {
    let mut task = String::new();
    let mut scenes = Vec::new();
    let mut worked = Vec::new();
    for event in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let string = |key: &str| event[key].as_str().unwrap_or_default().to_string();
        match event["type"].as_str() {
            Some("start") => task = string("task"),
            Some("tool_call") if event["result"]["ok"] == true => {
                worked.push(string("name"));
                let answer = event["result"]["result"].as_object().into_iter().flatten();
                let lists = answer.filter_map(|(what, list)| Some((what.clone(), list.as_array()?.len())));
                scenes.extend(lists.map(|(what, n)| Scene::Listed(string("name"), what, n)));
            }
            Some("tool_call") => {
                let error = event["result"]["error"].as_str().unwrap_or_default();
                scenes.push(Scene::Failed(call(&event), error.to_string()));
            }
            Some("final") => scenes.push(Scene::Said(string("text"), worked.clone())),
            _ => {}
        }
    }
    (task, scenes)
}

/// A call as people write it: name and text arguments.
fn call(event: &Value) -> String {
    let args = event["args"].as_object().into_iter().flatten();
    let args: Vec<String> =
        args.filter_map(|(name, value)| value.as_str().map(|value| format!("{name}={value}"))).collect();
    format!("{}({})", event["name"].as_str().unwrap_or_default(), args.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_runs_make_the_lesson_strategic_and_the_next_one_is_given_it() {
        let story = play().expect("the story plays");
        let tiers: Vec<Vec<&str>> =
            story.runs.iter().map(|run| run.lessons.iter().map(|one| one.tier.as_str()).collect()).collect();
        assert!(!tiers[0].contains(&"strategic") && !tiers[1].contains(&"strategic"), "{tiers:?}");
        assert_eq!(story.runs[2].learned.promoted, 1);
        assert_eq!(story.lesson.hits(), 3);
        assert!(story.lesson.tools.contains(NEXT_TOOL));
        assert!(story.recalled.block.contains("list_sprites"), "{}", story.recalled.block);
    }

    #[test]
    fn the_overclaim_of_the_second_run_is_a_lesson_of_its_own() {
        let story = play().expect("the story plays");
        let subtypes: Vec<&str> = story.runs[1].lessons.iter().map(|one| one.subtype.as_str()).collect();
        assert!(subtypes.contains(&"discrepancy"), "{subtypes:?}");
    }

    #[test]
    fn the_story_is_the_same_every_time() {
        assert_eq!(format!("{:?}", play().ok()), format!("{:?}", play().ok()));
    }

    #[test]
    fn the_invented_id_is_not_among_the_fifteen_listed() {
        for trace in TRACES {
            let events: Vec<Value> =
                trace.text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
            let listed = events
                .iter()
                .find_map(|event| event["result"]["result"]["sprites"].as_array())
                .expect("a list");
            let tried = events.iter().find(|event| event["result"]["ok"] == false).expect("a failure");
            assert_eq!(listed.len(), 15);
            assert!(!listed.contains(&tried["args"]["sprite_id"]));
        }
    }
}

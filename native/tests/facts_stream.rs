//! A stream of claims that replace, end and repeat each other, and questions about what holds and what held.
//!
//! The stream is made by a script that lies beside the project; without it the test says so and does nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::env::{Env, Seed, Timestamp};
use hardwon_core::op::{Cardinality, Facts, Input, Outcome, Output, Remember};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Record, Scope, SourceClass, Subtype};
use serde_json::Value;

const SCRIPT: &str = "../../shared/bench/make_conflicts.py";
const BASE: i64 = 1_750_000_000_000;
const MINUTE: i64 = 60_000;

fn stream(size: u32, seed: u32) -> Option<Vec<Value>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(SCRIPT);
    if !script.exists() {
        println!("skipped: there is no {}", script.display());
        return None;
    }
    let made = Command::new("python3").arg(&script).args([size.to_string(), seed.to_string()]).output();
    let Ok(made) = made else {
        println!("skipped: python3 cannot be started");
        return None;
    };
    let text = String::from_utf8(made.stdout).expect("the stream is UTF-8");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect())
}

fn text(line: &Value, name: &str) -> String {
    line[name].as_str().unwrap_or_default().to_owned()
}

struct Asked {
    memory: Memory<MemoryStore>,
    count: u64,
}

impl Asked {
    fn new() -> Self {
        let memory =
            Memory::with_store(MemoryStore::new(), "facts", Policy::default()).expect("a valid policy");
        Self { memory, count: 0 }
    }

    fn run(&mut self, at: i64, input: Input) -> Output {
        self.count += 1;
        let mut seed = [7; 16];
        seed[..8].copy_from_slice(&self.count.to_le_bytes());
        self.memory.run_in(Env { now: Timestamp(at), seed: Seed(seed) }, input).expect("an answer")
    }

    /// One line of the stream, in parts or in words alone.
    fn tell(&mut self, line: &Value, in_words: bool) -> Outcome {
        let at = BASE + line["serial"].as_i64().expect("a serial") * MINUTE;
        let mut claim = Remember {
            subtype: Some(Subtype::Constraint),
            scope: Some(Scope::global()),
            source: Some(SourceClass::User),
            ..Remember::default()
        };
        if in_words {
            claim.text = text(line, "text");
        } else {
            let is_single = line["functional"].as_bool().expect("a cardinality");
            claim.subject = text(line, "subject");
            claim.predicate = text(line, "predicate");
            claim.object = text(line, "object");
            claim.retract = line["object"].is_null();
            claim.cardinality = Some(if is_single { Cardinality::One } else { Cardinality::Many });
        }
        match self.run(at, Input::Remember(claim)) {
            Output::Remembered(answer) => answer.outcome,
            other => panic!("not remembered: {other:?}"),
        }
    }

    fn facts(&mut self, query: Facts, at: i64) -> Vec<Record> {
        match self.run(at, Input::Facts(query)) {
            Output::Listed { records, .. } => records,
            other => panic!("not listed: {other:?}"),
        }
    }

    /// The one value that answers a question; none where there is none.
    fn value(&mut self, question: &Value, now: i64) -> Option<String> {
        let mut query = Facts {
            subject: text(question, "subject"),
            predicate: text(question, "predicate"),
            ..Facts::default()
        };
        if let Some(path) = question["path"].as_array() {
            query.subject = path[0][0].as_str().expect("a subject").into();
            query.predicate = path[0][1].as_str().expect("a predicate").into();
            query.follow = path[1..].iter().map(|hop| hop[1].as_str().expect("a predicate").into()).collect();
        }
        query.as_of = question["at"].as_i64().map(|serial| Timestamp(BASE + serial * MINUTE));
        let found = self.facts(query, now);
        assert!(found.len() <= 1, "two values at one time: {found:?}");
        found.first().and_then(|record| record.claim.as_ref()).map(|claim| claim.object.clone())
    }
}

/// Right answers and questions, by type.
fn answered(size: u32, seed: u32, in_words: bool) -> Option<BTreeMap<String, (u32, u32)>> {
    let lines = stream(size, seed)?;
    let mut asked = Asked::new();
    let mut score: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let now = BASE + i64::from(size) * MINUTE;
    for line in &lines {
        if line.get("serial").is_some() {
            asked.tell(line, in_words);
            continue;
        }
        let expected = line["answer"].as_str().map(str::to_owned);
        let is_right = asked.value(line, now) == expected;
        let entry = score.entry(text(line, "type")).or_default();
        entry.0 += u32::from(is_right);
        entry.1 += 1;
    }
    Some(score)
}

#[test]
fn claims_in_parts_answer_every_question() {
    for (size, seed) in [(3000, 7), (600, 1), (1500, 42)] {
        let Some(score) = answered(size, seed, false) else { return };
        println!("{size} claims of seed {seed} in parts: {score:?}");
        for (kind, (right, all)) in score {
            assert_eq!(right, all, "{kind} of {size} claims, seed {seed}");
        }
    }
}

#[test]
fn claims_in_words_are_read_where_they_have_a_plain_form() {
    let Some(score) = answered(3000, 7, true) else { return };
    println!("3000 claims of seed 7 in words: {score:?}");
    let (right, all) = score.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(right * 10 >= all * 8, "{right} of {all}");
}

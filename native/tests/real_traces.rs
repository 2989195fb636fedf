//! Lessons from real traces, end to end: read, mined, merged and promoted, held against labels.
//!
//! The labelled sets lie beside the project in development and in CI; without them these tests say so and pass.

mod samples;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hardwon::store::MemoryStore;
use hardwon::{Memory, core};
use hardwon_core::op::{Learn, List};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Evidence, Mark, Record, Scope, Status, Tier};
use serde_json::Value;

use samples::traces;

/// A failing result: session and the place of its call in it.
type Place = (String, u32);

fn memory() -> Memory<MemoryStore> {
    Memory::with_store(MemoryStore::new(), "default", Policy::default()).expect("the default policy is valid")
}

fn learn_files(memory: &mut Memory<MemoryStore>, files: &[PathBuf]) {
    for file in files {
        let data = String::from_utf8_lossy(&fs::read(file).expect("a readable sample")).into_owned();
        let learn = Learn { data: Some(data), scope: Some(Scope::global()), ..Learn::default() };
        memory.learn(learn).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

fn tau_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(dir.join("tau_bench"))
        .expect("the folder is there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.to_string_lossy().contains("_sessions_"))
        .collect();
    files.sort();
    files
}

fn lessons(memory: &mut Memory<MemoryStore>) -> Vec<Record> {
    memory.list(List::default()).expect("a list").0
}

/// The label of every failing result: session and position of the call, by tool and the start of its arguments.
fn gold(dir: &Path) -> BTreeMap<Place, String> {
    let mut calls: BTreeMap<(String, String, String), Vec<u32>> = BTreeMap::new();
    for file in tau_files(dir) {
        let mut reader = core::trace::Reader::new(None, core::trace::ReadLimits::default());
        reader.push(&fs::read(file).expect("a readable sample"));
        for trace in reader.finish().expect("a known format").traces {
            for event in &trace.events {
                let core::trace::Body::ToolCall(call) = &event.body else { continue };
                if call.result.status == core::trace::ResultStatus::Failed {
                    let key = (trace.session_id.clone(), call.name.clone(), call.result.text.clone());
                    calls.entry(key).or_default().push(event.position);
                }
            }
        }
    }
    let rows = fs::read_to_string(dir.join("tau_bench/failures_gold.jsonl")).expect("the labels");
    let mut out = BTreeMap::new();
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).expect("a JSON line");
        let text = |name: &str| row[name].as_str().expect("a text").to_owned();
        let place =
            calls.get_mut(&(text("session"), text("tool"), text("error"))).filter(|list| !list.is_empty());
        let position = place.expect("each label names a failing call").remove(0);
        out.insert((text("session"), position), text("cluster"));
    }
    out
}

/// B-cubed precision, recall and F1 of the lessons' evidence against labels; what no lesson shows stands alone.
fn b_cubed(gold: &BTreeMap<Place, String>, records: &[Record]) -> (f64, f64, f64) {
    let mut found: BTreeMap<Place, usize> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        for one in &record.evidence {
            let place = (one.session_id.clone(), one.position);
            if gold.contains_key(&place) {
                found.insert(place, index);
            }
        }
    }
    let (mut precision, mut recall) = (0.0, 0.0);
    for (place, label) in gold {
        let same_label: BTreeSet<&Place> =
            gold.iter().filter(|(_, other)| *other == label).map(|(p, _)| p).collect();
        let same_lesson: BTreeSet<&Place> = match found.get(place) {
            Some(lesson) => found.iter().filter(|(_, other)| *other == lesson).map(|(p, _)| p).collect(),
            None => BTreeSet::from([place]),
        };
        let both = same_label.intersection(&same_lesson).count() as f64;
        precision += both / same_lesson.len() as f64;
        recall += both / same_label.len() as f64;
    }
    let n = gold.len() as f64;
    let (precision, recall) = (precision / n, recall / n);
    (precision, recall, 2.0 * precision * recall / (precision + recall))
}

#[test]
fn customer_service_failures_cluster_as_labelled_and_the_recurring_ones_are_promoted() {
    let Some(dir) = traces() else { return };
    let gold = gold(&dir);
    let mut memory = memory();
    learn_files(&mut memory, &tau_files(&dir));
    let records = lessons(&mut memory);
    let (precision, recall, f1) = b_cubed(&gold, &records);
    println!("tau_bench: precision {precision:.4} recall {recall:.4} F1 {f1:.4}");
    assert!(precision >= 1.0 - 1e-9, "an impure lesson: precision {precision}");
    assert!(f1 >= 0.97, "F1 {f1}");

    let mut runs: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    for ((session, _), label) in &gold {
        runs.entry(label).or_default().insert(session);
    }
    let recurring: BTreeSet<&String> =
        runs.into_iter().filter(|(_, runs)| runs.len() >= 3).map(|(l, _)| l).collect();
    assert_eq!(recurring.len(), 6, "the labels have six recurring kinds");
    for label in recurring {
        let shows = |record: &&Record| {
            record.evidence.iter().any(|one| gold.get(&(one.session_id.clone(), one.position)) == Some(label))
        };
        let tiers: Vec<Tier> = records.iter().filter(shows).map(|record| record.tier).collect();
        assert!(tiers.contains(&Tier::Strategic), "{label} was not promoted: {tiers:?}");
    }
}

#[test]
fn no_lesson_text_names_a_customer_of_the_traces() {
    let Some(dir) = traces() else { return };
    let mut memory = memory();
    learn_files(&mut memory, &tau_files(&dir));
    let mut values: BTreeSet<String> = BTreeSet::new();
    for file in tau_files(&dir) {
        for line in fs::read_to_string(file).expect("a readable sample").lines() {
            for word in line.split(|c: char| !c.is_alphanumeric() && c != '_') {
                let is_id =
                    word.contains('_') && word.chars().next_back().is_some_and(|c| c.is_ascii_digit());
                let is_code = word.len() == 6 && word.chars().any(|c| c.is_ascii_digit());
                if is_id || (is_code && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())) {
                    values.insert(word.to_owned());
                }
            }
        }
    }
    assert!(values.len() > 500, "the traces have many ids");
    for record in lessons(&mut memory) {
        for word in record.text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            assert!(!values.contains(word), "{word} stands in: {}", record.text);
        }
    }
}

#[test]
fn learning_again_changes_nothing_and_order_does_not_matter() {
    let Some(dir) = traces() else { return };
    let files = tau_files(&dir);
    let mut memory = memory();
    learn_files(&mut memory, &files);
    let hash = memory.view().hash();
    learn_files(&mut memory, &files);
    assert_eq!(memory.view().hash(), hash, "learning the same traces again changed something");

    let mut reversed = files.clone();
    reversed.reverse();
    let mut other = self::memory();
    learn_files(&mut other, &reversed);
    assert_eq!(contents(&mut memory), contents(&mut other), "the order of files changed what was learned");
}

/// What was learned, without ids and times of learning.
fn contents(memory: &mut Memory<MemoryStore>) -> BTreeSet<String> {
    let place = |one: &Evidence| format!("{} {} {}", one.session_id, one.event_id, one.position);
    let described = |record: Record| {
        let places: BTreeSet<String> = record.evidence.iter().map(place).collect();
        format!("{}: {places:?}", record.text)
    };
    lessons(memory).into_iter().map(described).collect()
}

#[test]
fn refusals_cascades_and_probes_of_coding_sessions_teach_nothing() {
    let Some(dir) = traces() else { return };
    let mut memory = memory();
    let mut files: Vec<PathBuf> = fs::read_dir(dir.join("claude_code"))
        .expect("the folder is there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "jsonl"))
        .collect();
    files.sort();
    learn_files(&mut memory, &files);
    let records = lessons(&mut memory);
    assert!(records.len() > 5, "the sessions teach something");
    for record in &records {
        let text = record.signature.to_lowercase();
        assert!(!text.contains("sibling tool call") && !text.contains("doesn't want to proceed"), "{text}");
        assert!(!record.marks.contains(&Mark::Bypass), "a bypass is active: {}", record.text);
    }
}

/// Whether a word of a text belongs to one run: a path outside of the repository, an address, a hash, an id.
fn is_of_one_run(word: &str) -> bool {
    let word = word.trim_matches(['`', '"', '\'', ',', ':', ';', '(', ')', '[', ']']);
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let hex = word.len() >= 8 && word.bytes().all(|b| b.is_ascii_hexdigit()) && digits > 0;
    let rooted = word.starts_with("/home")
        || word.starts_with("/Users")
        || word.starts_with("/tmp")
        || word.starts_with("~/");
    let address = word.contains("://") || word.contains('@') && word.contains('.');
    hex || rooted || address || digits >= 4
}

#[test]
fn no_text_and_no_action_of_any_set_holds_what_belongs_to_one_run() {
    let Some(dir) = traces() else { return };
    let mut people: BTreeSet<String> = BTreeSet::new();
    for file in tau_files(&dir) {
        let text = fs::read_to_string(file).expect("a readable sample");
        for part in text.split("_name\\\": \\\"").skip(1) {
            people.extend(part.split('\\').next().filter(|name| name.len() > 2).map(str::to_lowercase));
        }
    }
    assert!(people.len() > 30, "the traces have many people: {}", people.len());
    let mut checked = 0;
    for folder in fs::read_dir(&dir).expect("a folder").filter_map(Result::ok).map(|entry| entry.path()) {
        if !folder.is_dir() {
            continue;
        }
        let mut memory = memory();
        let files =
            fs::read_dir(&folder).expect("a folder").filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        for file in files {
            let data = String::from_utf8_lossy(&fs::read(file).expect("a readable sample")).into_owned();
            // What no reader of this build knows is skipped here; reading has tests of its own.
            drop(memory.learn(Learn { data: Some(data), scope: Some(Scope::global()), ..Learn::default() }));
        }
        let all = List { status: Status::ALL.iter().copied().collect(), ..List::default() };
        for record in memory.list(all).expect("a list").0 {
            let actions = record.variants.iter().filter_map(|one| one.action.as_ref());
            let actions: Vec<String> =
                actions.map(|action| serde_json::to_string(action).expect("JSON")).collect();
            let texts = record
                .variants
                .iter()
                .map(|one| one.text.clone())
                .chain(actions)
                .chain([record.text.clone()]);
            for text in texts {
                checked += 1;
                for word in text.split(|c: char| c.is_whitespace() || c == '"') {
                    assert!(!is_of_one_run(word), "{word} stands in: {text}");
                    assert!(!people.contains(&word.to_lowercase()), "{word} stands in: {text}");
                }
            }
            let is_bypass = record.marks.contains(&Mark::Bypass);
            assert_eq!(is_bypass, record.status_reason == "bypass", "{}", record.text);
        }
    }
    println!("{checked} texts and actions without a value of one run");
    assert!(checked > 20, "too few lessons to say so: {checked}");
}

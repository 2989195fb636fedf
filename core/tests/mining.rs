//! Mining measured on real traces: B-cubed of the clusters of failing results, what is promoted, and what is not.
//!
//! Skips with a notice where the shared traces are missing.

#[path = "mining/clusters.rs"]
mod clusters;
#[path = "mining/labels.rs"]
mod labels;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clusters::{Clusters, b_cubed};
use hardwon_core::learn::{Strength, mine};
use hardwon_core::record::Subtype;
use hardwon_core::trace::{ReadLimits, Reader, Trace};

fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/traces").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: {} is missing", path.display());
    None
}

fn traces(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<Trace> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("readable folder")
        .map(|entry| entry.expect("entry").path())
        .collect();
    paths.retain(|path| path.file_name().is_some_and(|name| wanted(&name.to_string_lossy())));
    paths.sort();
    let read = |path: &PathBuf| {
        let mut reader = Reader::new(None, ReadLimits::default());
        reader.push(&std::fs::read(path).expect("readable file"));
        reader.finish().expect("a known format").traces
    };
    paths.iter().flat_map(read).collect()
}

fn learned(traces: &[Trace]) -> Clusters {
    let mut clusters = Clusters::default();
    // What an edit-test loop leaves is counted and never speaks.
    let drafts = traces.iter().flat_map(|trace| mine(trace).drafts);
    for draft in drafts.filter(|draft| draft.strength != Strength::Looped) {
        clusters.add(&draft);
    }
    clusters
}

/// The gold clusters of the customer-service set by (session, number of the failure in it).
fn service_gold(folder: &Path) -> BTreeMap<(String, usize), String> {
    let text = std::fs::read_to_string(folder.join("failures_gold.jsonl")).expect("labels");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut gold = BTreeMap::new();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a label");
        let field = |name: &str| row[name].as_str().expect("text").to_string();
        let count = counts.entry(field("session")).or_default();
        gold.insert((field("session"), *count), field("cluster"));
        *count += 1;
    }
    gold
}

#[test]
fn service_agent_failures_cluster_as_a_person_clusters_them() {
    let Some(folder) = shared("tau_bench") else { return };
    let clusters = learned(&traces(&folder, |name| name.starts_with("airline_")));
    let gold = service_gold(&folder);
    let found = clusters.numbered();
    let score = b_cubed(&gold, &found);
    println!("service agent: {score:?} over {} failures", gold.len());
    assert!(score.precision >= 1.0 && score.f1 >= 0.97, "{score:?}");
    let recurring = clusters.promoted(Subtype::SuccessPattern);
    let labels = |lesson: usize| -> BTreeSet<&String> {
        gold.iter().filter(|(key, _)| found.get(*key) == Some(&lesson)).map(|(_, cluster)| cluster).collect()
    };
    assert_eq!(recurring.len(), 6, "{recurring:?}");
    assert!(recurring.iter().all(|&lesson| labels(lesson).len() == 1));
}

#[test]
fn coding_agent_failures_cluster_as_a_person_clusters_them() {
    let Some(folder) = shared("claude_code") else { return };
    let clusters = learned(&traces(&folder, |name| name.rsplit('.').next() == Some("jsonl")));
    let gold: BTreeMap<String, String> = labels::CODING
        .iter()
        .flat_map(|(cluster, ids)| ids.iter().map(|id| ((*id).to_string(), (*cluster).to_string())))
        .collect();
    let found = clusters.by_event_end(8);
    let score = b_cubed(&gold, &found);
    println!("coding agent: {score:?} over {} failures", gold.len());
    assert!(score.precision >= 0.98 && score.recall >= 0.9 && score.f1 >= 0.95, "{score:?}");
    let drafted: Vec<&&str> = labels::CODING_NOISE.iter().filter(|id| found.contains_key(**id)).collect();
    assert!(drafted.is_empty(), "noise became a lesson: {drafted:?}");
}

#[test]
fn no_text_carries_a_value_of_a_customer() {
    let Some(folder) = shared("tau_bench") else { return };
    let clusters = learned(&traces(&folder, |name| name.starts_with("airline_")));
    for text in clusters.texts() {
        let personal = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| {
            word.len() > 4
                && word.contains(|c: char| c.is_ascii_digit())
                && word.contains(char::is_alphabetic)
        });
        assert!(!personal, "{text}");
    }
}

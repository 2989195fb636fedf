//! Every vector holds in Rust, and every vector is what its scenario makes.
//!
//! With `UPDATE_VECTORS=1` the files are written anew from their scenarios; read the difference before you keep it.

use std::collections::BTreeSet;

use hardwon_vectors::{files, play, scenario};
use serde_json::Value;

#[test]
fn vectors_hold() {
    if is_rewrite() {
        println!("skipped: the vectors are being written anew");
        return;
    }
    let (mut names, mut problems) = (Vec::new(), Vec::new());
    for (file, vectors) in files::vectors().expect("the vectors are there") {
        for vector in vectors {
            let name = vector["name"].as_str().expect("a vector has a name").to_owned();
            if let Err(problem) = play::play(&vector) {
                problems.push(format!("{file}.jsonl, {name}: {problem}"));
            }
            names.push(name);
        }
    }
    assert!(
        problems.is_empty(),
        "{} of {} vectors fail:\n{}",
        problems.len(),
        names.len(),
        problems.join("\n")
    );
    assert!(!names.is_empty(), "there is no vector");
    let distinct: BTreeSet<&String> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "two vectors share a name");
    files::write_names("rust", &names).expect("the list of names can be written");
    println!("{} vectors", names.len());
}

#[test]
fn vectors_follow_their_scenarios() {
    let mut problems = Vec::new();
    let mut made = Vec::new();
    for (file, scenarios) in files::scenarios().expect("the scenarios are there") {
        let results: Vec<Result<Value, String>> = scenarios.iter().map(scenario::vector).collect();
        problems.extend(
            results.iter().filter_map(|result| result.as_ref().err()).map(|e| format!("{file}: {e}")),
        );
        made.push((file, results.into_iter().flatten().collect::<Vec<Value>>()));
    }
    assert!(problems.is_empty(), "{} scenarios go otherwise:\n{}", problems.len(), problems.join("\n"));
    if is_rewrite() {
        made.iter().for_each(|(file, vectors)| files::write(file, vectors).expect("vectors can be written"));
        return;
    }
    let stored = files::vectors().expect("the vectors are there");
    assert!(
        stored == made,
        "vectors differ from their scenarios; run with UPDATE_VECTORS=1 and read the difference"
    );
}

#[test]
fn a_changed_vector_fails() {
    let (_, vectors) = files::vectors().expect("the vectors are there").swap_remove(0);
    let mut vector = vectors.into_iter().next().expect("a file has vectors");
    vector["expect"] = Value::Null;
    assert!(play::play(&vector).is_err(), "a vector with a wrong answer passed");
}

fn is_rewrite() -> bool {
    std::env::var_os("UPDATE_VECTORS").is_some_and(|value| value == "1")
}

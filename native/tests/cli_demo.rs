//! The demo tells the same story every time, the one that is written down.

#![cfg(feature = "cli")]

mod cli_support;

use std::fs;

use cli_support::Home;

/// Rewrite with `hardwon demo > native/tests/golden/demo.txt` and read what changed.
const GOLDEN: &str = include_str!("golden/demo.txt");

#[test]
fn the_story_is_as_written_down() {
    let home = Home::new();
    assert_eq!(home.ok(&["demo"]), GOLDEN);
    assert!(!home.join("data").exists(), "it leaves nothing behind");
}

#[test]
fn after_the_third_run_the_lesson_is_strategic_and_the_next_run_sees_it() {
    let home = Home::new();
    let story = home.json(&["demo"]);
    let tiers: Vec<Vec<&str>> = story["runs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|run| {
            run["lessons"].as_array().into_iter().flatten().filter_map(|one| one["tier"].as_str()).collect()
        })
        .collect();
    assert_eq!(tiers.len(), 3);
    assert!(
        !tiers[0].contains(&"strategic")
            && !tiers[1].contains(&"strategic")
            && tiers[2].contains(&"strategic"),
        "{tiers:?}"
    );
    assert_eq!(story["recalled"]["items"][0]["id"], story["lesson"]["id"]);
    assert_eq!(story["lesson"]["sessions"].as_array().map(Vec::len), Some(3));
}

#[test]
fn its_traces_teach_a_real_store_the_same() {
    let home = Home::new();
    let written = home.json(&["demo", "--traces", "traces"]);
    assert_eq!(written["traces"].as_array().map(Vec::len), Some(3));
    assert!(fs::read_to_string(home.join("traces/run-2.jsonl")).expect("written").contains("go play it"));
    home.ok(&["learn", "traces"]);
    let story = home.json(&["demo"]);
    let learned = home.json(&["list", "--tier", "strategic"]);
    assert_eq!(learned["records"][0]["text"], story["lesson"]["text"]);
}

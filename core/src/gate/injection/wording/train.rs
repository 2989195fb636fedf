//! How the weights are made: logistic regression over `core/data/wording`, with a fifth of the rows kept back.
//!
//! `UPDATE_WEIGHTS=1 cargo test -p hardwon-core wording` writes them anew. Without it, what is committed is held to the
//! rows that were kept back.

use std::fs;
use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;
use std::{println, vec};

use super::{BUCKETS, FEATURES, features, score};
use crate::gate::injection::fold::folded;

/// Of how many rows one is kept back.
const KEPT_BACK: usize = 5;
/// The share of the kept-back everyday texts that may be held, in thousandths; the bar is put there.
const FALSE_SHARE: usize = 20;
/// Passes over the rows.
const ROUNDS: usize = 15;
/// The first step of each weight (`AdaGrad`), and how far a pass pulls it back to 0.
const STEP: f64 = 0.5;
const SHRINK: f64 = 1e-4;
/// The largest weight on the wire; what is larger is cut.
const LARGEST: f64 = 127.0;

struct Row {
    text: String,
    buckets: Vec<usize>,
    steers: bool,
}

struct Model {
    weights: Vec<f64>,
    bias: f64,
}

#[test]
fn steering_words_are_told_from_everyday_ones() {
    let (taught, kept) = parted(rows());
    if std::env::var_os("UPDATE_WEIGHTS").is_some() {
        fs::write(folder().join("../../src/gate/injection/wording/weights.bin"), made(&taught, &kept))
            .expect("the weights written");
        println!("written; run again to hold them to the rows");
        return;
    }
    let held = |steers: bool| {
        let of: Vec<&Row> = kept.iter().filter(|row| row.steers == steers).collect();
        (of.iter().filter(|row| super::suspect(&row.text)).count(), of.len())
    };
    let ((found, steering), (wrong, everyday)) = (held(true), held(false));
    println!("of the texts kept back: {found} of {steering} that steer, {wrong} of {everyday} everyday ones");
    assert!(found * 100 >= steering * 20, "{found} of {steering}");
    assert!(wrong * 100 <= everyday * 3, "{wrong} of {everyday}");
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/wording")
}

fn rows() -> Vec<Row> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).expect("the rows").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        for line in fs::read_to_string(&file).expect("a readable file").lines() {
            let row: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
            let text = folded(row["text"].as_str().expect("a text"));
            let buckets = features::of(&text);
            rows.push(Row { text, buckets, steers: row["label"] == "poison" });
        }
    }
    rows
}

/// Every fifth row is kept back, whatever the file's order: told by the text.
fn parted(rows: Vec<Row>) -> (Vec<Row>, Vec<Row>) {
    rows.into_iter().partition(|row| row.buckets.iter().sum::<usize>() % KEPT_BACK != 0)
}

fn made(taught: &[Row], kept: &[Row]) -> Vec<u8> {
    let model = fitted(taught);
    let mut sizes: Vec<f64> = model.weights.iter().map(|w| w.abs()).filter(|w| *w > 0.0).collect();
    sizes.sort_by(f64::total_cmp);
    let scale = LARGEST / sizes[sizes.len() * 999 / 1000];
    let weights: Vec<i8> =
        model.weights.iter().map(|w| (w * scale).round().clamp(-LARGEST, LARGEST) as i8).collect();
    let value = |row: &Row| score(&row.text, |bucket| f64::from(weights[bucket]));
    let mut everyday: Vec<f64> = kept.iter().filter(|row| !row.steers).filter_map(value).collect();
    everyday.sort_by(f64::total_cmp);
    let bar = everyday[everyday.len() - 1 - everyday.len() * FALSE_SHARE / 1000];
    let found = kept.iter().filter(|row| row.steers && value(row).is_some_and(|value| value > bar)).count();
    println!("bias {:.2}, bar {bar:.1} of scale {scale:.1}, {found} found", model.bias);
    let mut out = ((bar * 256.0) as i32).to_le_bytes().to_vec();
    out.extend(weights.iter().map(|w| w.cast_unsigned()));
    out
}

fn fitted(rows: &[Row]) -> Model {
    let mut model = Model { weights: vec![0.0; BUCKETS], bias: 0.0 };
    let (mut seen, mut seen_bias) = (vec![1e-8; BUCKETS], 1e-8);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut chance = 1_u64;
    for _ in 0..ROUNDS {
        shuffle(&mut order, &mut chance);
        for row in order.iter().map(|&at| &rows[at]).filter(|row| FEATURES.contains(&row.buckets.len())) {
            let root = (row.buckets.len() as f64).sqrt();
            let sum: f64 = row.buckets.iter().map(|&bucket| model.weights[bucket]).sum();
            let told = 1.0 / (1.0 + (-(sum / root + model.bias)).exp());
            let error = told - f64::from(u8::from(row.steers));
            for &bucket in &row.buckets {
                let slope = error / root + SHRINK * model.weights[bucket];
                seen[bucket] += slope * slope;
                model.weights[bucket] -= STEP * slope / seen[bucket].sqrt();
            }
            seen_bias += error * error;
            model.bias -= STEP * error / seen_bias.sqrt();
        }
    }
    model
}

/// Shuffles by a generator of our own, so that the weights come out alike each time.
fn shuffle(order: &mut [usize], chance: &mut u64) {
    for at in (1..order.len()).rev() {
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, (*chance >> 33) as usize % (at + 1));
    }
}

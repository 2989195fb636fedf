//! The embedder: its identity, what it does to texts, and that its bits are the same everywhere.
#![cfg(feature = "default-embedder")]

use hardwon_core::vector::{Embedder, embed_one};
use hardwon_model::embed::TableEmbedder;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

const FILE: &[u8] = include_bytes!("../data/table.bin");

fn vector(text: &str) -> Vec<f32> {
    embed_one(&TableEmbedder::builtin(), text)
}

fn cosine(a: &str, b: &str) -> f32 {
    vector(a).iter().zip(vector(b)).map(|(x, y)| x * y).sum()
}

fn is_zero(text: &str) -> bool {
    vector(text).iter().all(|&x| x == 0.0)
}

#[test]
fn the_id_names_the_bytes() {
    let info = TableEmbedder::builtin().info();
    let hash = Sha256::digest(FILE);
    assert_eq!(info.id, format!("amt1-{:02x}{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2], hash[3]));
    assert_eq!((info.dims, info.merge, info.candidate), (256, 900_000, 750_000));
}

#[test]
fn near_texts_are_nearer_than_far_ones() {
    let near = cosine("run the tests before you push", "always execute tests prior to pushing");
    let far = cosine("run the tests before you push", "the cat sleeps on a warm sofa");
    assert!(near > far + 0.2, "{near} {far}");
    let near = cosine("提交之前先运行测试", "提交代码前要跑测试");
    let far = cosine("提交之前先运行测试", "今天的天气很好");
    assert!(near > far + 0.2, "{near} {far}");
}

#[test]
fn case_accents_and_joiners_do_not_count() {
    assert_eq!(vector("Café RÉSUMÉ naïve"), vector("cafe resume naive"));
    assert_eq!(vector("cafe\u{301}"), vector("café"));
    assert_eq!(vector("Tiếng Việt Ångström Łódź ö"), vector("tieng viet angstrom łodz o"));
    assert_eq!(vector("pro\u{ad}gram\u{200b}"), vector("program"));
}

#[test]
fn there_is_no_opinion_on_scripts_outside_the_table() {
    assert!(
        ["", "   ", "Привет мир", "مرحبا", "こんにちは", "안녕하세요", "😀", "\u{301}"]
            .into_iter()
            .all(is_zero)
    );
}

#[test]
fn a_word_with_an_unknown_part_is_dropped_whole() {
    assert_eq!(vector("tests naïveпривет"), vector("tests"));
    assert_eq!(vector(&format!("tests {}", "a".repeat(129))), vector("tests"));
    assert_ne!(vector(&format!("tests {}", "a".repeat(128))), vector("tests"));
}

#[test]
fn only_the_first_512_tokens_count() {
    let words = "test ".repeat(512);
    assert_eq!(vector(&format!("{words} banana")), vector(&words));
    assert_ne!(vector(&format!("{} banana", "test ".repeat(511))), vector(&words));
}

#[test]
fn an_output_of_another_length_is_filled_as_far_as_it_goes() {
    for size in [0, 1, 7, 256, 300] {
        let mut out = vec![9.0; size];
        TableEmbedder::builtin().embed("run the tests", &mut out);
        assert!(out.iter().all(|x| x.abs() <= 1.0));
    }
}

/// The hash of the vectors' bits; another host that rounds or adds differently has another one.
#[test]
fn the_bits_are_frozen() {
    let texts = [
        "Before `git push`, run the tests of the crate you changed.",
        "先运行测试，再提交代码。",
        "x86_64 ½ naïve — “q”",
    ];
    let mut hash = Sha256::new();
    for x in texts.into_iter().flat_map(vector) {
        hash.update(x.to_bits().to_le_bytes());
    }
    assert_eq!(
        format!("{:x}", hash.finalize()),
        "d1d94818278b018b0c7b800b1076762cd5e40a4c1ddcc3fd9f1e8f2bbb1096a8"
    );
}

proptest! {
    #[test]
    fn a_vector_is_a_unit_vector_or_zero(text in "\\PC{0,200}") {
        let square: f32 = vector(&text).iter().map(|x| x * x).sum();
        prop_assert!(square == 0.0 || (square - 1.0).abs() < 1e-4);
    }
}

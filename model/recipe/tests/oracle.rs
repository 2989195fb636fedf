//! Holds the counter against `bpe-openai`: counts, piece boundaries and bounded answers must all be equal.

mod strings;

#[path = "../../tests/frozen/mod.rs"]
mod frozen;

use bpe_openai::o200k_base;
use hardwon_core::text::TokenCounter;
use hardwon_model::tokens::{O200kCounter, pieces};

const CAPS: [usize; 4] = [0, 1, 30, 60];

/// Compares all of one group and says how many were equal.
fn compare(group: &str, texts: impl IntoIterator<Item = String>) {
    let (mut seen, mut tokens) = (0usize, 0usize);
    for text in texts {
        let expected = o200k_base().count(text.as_str());
        assert_eq!(O200kCounter.count(&text), expected, "{group}: the count of {text:?}");
        let boundaries = o200k_base().split(&text);
        assert!(pieces(&text).eq(boundaries), "{group}: the pieces of {text:?}");
        for cap in CAPS.into_iter().chain([expected, expected.saturating_sub(1)]) {
            assert_eq!(O200kCounter.exceeds(&text, cap), expected > cap, "{group}: {text:?} over {cap}");
        }
        seen += 1;
        tokens += expected;
    }
    assert!(seen > 0, "{group}: no strings");
    println!("{group}: {seen} strings, {tokens} tokens, all equal");
}

#[test]
fn scripts() {
    compare("scripts", strings::scripts(20_000));
}

#[test]
fn every_code_point_between_letters_and_after_a_blank() {
    compare("code points", strings::every_code_point());
}

#[test]
fn every_token_of_the_vocabulary() {
    let tokens = hardwon_model_recipe::pairs::vocabulary();
    compare("tokens", tokens.into_iter().filter_map(|token| String::from_utf8(token).ok()));
}

#[test]
fn random_tokens_in_a_row() {
    compare("token rows", strings::token_rows(&hardwon_model_recipe::pairs::vocabulary(), 20_000));
}

#[test]
fn all_triples_of_representatives() {
    compare("triples", strings::triples());
}

#[test]
fn mixes_of_representatives() {
    compare("mixes", strings::mixes(40_000));
}

#[test]
fn white_space() {
    compare("white space", strings::white_space(10_000));
}

#[test]
fn long_runs() {
    compare("runs", strings::runs());
}

#[test]
fn contractions_emoji_and_markers() {
    compare("markers", strings::markers(10_000));
}

#[test]
fn source_code() {
    compare("code", strings::source_code());
}

#[test]
fn recorded_traces() {
    match strings::traces() {
        Some(texts) => compare("traces", texts),
        None => println!("SKIPPED: the shared folder with traces is missing"),
    }
}

#[test]
fn frozen_counts_are_those_of_the_oracle() {
    for &(unit, times, count) in frozen::COUNTS {
        assert_eq!(o200k_base().count(unit.repeat(times).as_str()), count, "{unit:?} x {times}");
    }
}

#[test]
fn one_megabyte_of_one_character() {
    for unit in ["a", " ", "世", "=", "\n", "\u{301}"] {
        compare("megabyte", [unit.repeat(1_000_000 / unit.len())]);
    }
}

//! The counter against frozen counts, and the cap that rests on it.
#![cfg(feature = "tokens")]

mod frozen;

use hardwon_core::text::{TokenCounter, cap};
use hardwon_model::tokens::{O200kCounter, pieces};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

#[test]
fn counts_are_those_of_the_reference() {
    for &(unit, times, count) in frozen::COUNTS {
        let text = unit.repeat(times);
        assert_eq!(O200kCounter.count(&text), count, "{unit:?} x {times}");
        for cap in [0, 1, 30, 60, count, count.saturating_sub(1)] {
            assert_eq!(O200kCounter.exceeds(&text, cap), count > cap, "{unit:?} x {times} over {cap}");
        }
    }
}

#[test]
fn the_counter_is_exact_and_named() {
    assert_eq!(O200kCounter.name(), "o200k_base");
    assert!(O200kCounter.is_exact());
}

#[test]
fn a_megabyte_of_one_character_is_counted() {
    let text = "a".repeat(1_000_000);
    assert_eq!(O200kCounter.count(&text), 125_000);
    assert!(O200kCounter.exceeds(&text, 124_999));
    assert!(!O200kCounter.exceeds(&text, 125_000));
    assert!(O200kCounter.exceeds(&text, 30));
}

/// Text of every kind: single characters of all planes, words of scripts, blanks, marks and repeated units.
fn any_text() -> impl Strategy<Value = String> {
    let unit = prop_oneof![
        4 => any::<char>().prop_map(String::from),
        4 => "[a-zA-Z0-9 .,'_/\\\\n-]{1,12}",
        2 => "[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Hangul}]{1,8}",
        2 => "[\\p{Arabic}\\p{Hebrew}\\p{Devanagari}\\p{Thai}\\p{Cyrillic}\\p{Greek}]{1,8}",
        2 => "[\\p{M}\\p{Zs}\\p{Cc}\\p{Cf}\\p{Sk}\u{200d}]{1,6}",
        1 => Just(String::from("👩‍👩‍👧‍👦")),
        1 => Just(String::from("<|endoftext|>")),
        1 => ("[a =*#世😀\u{301}\n]", 1usize..200).prop_map(|(unit, times)| unit.repeat(times)),
    ];
    proptest::collection::vec(unit, 0..24).prop_map(|units| units.concat())
}

/// The number of cases: a million with `HARDWON_LONG=1`.
fn runner() -> TestRunner {
    let long = std::env::var_os("HARDWON_LONG").is_some_and(|value| value == "1");
    let cases = if long { 1_000_000 } else { 500 };
    TestRunner::new(ProptestConfig { cases, ..ProptestConfig::with_source_file(file!()) })
}

#[test]
fn a_capped_text_never_has_more_tokens_than_the_cap() {
    let test = |(text, limit): (String, usize)| {
        let out = cap(&text, limit, &O200kCounter);
        let count = O200kCounter.count(&out);
        prop_assert!(count <= limit, "{count} tokens for a cap of {limit}: {out:?}");
        if !O200kCounter.exceeds(&text, limit) {
            prop_assert_eq!(out, text);
        }
        Ok(())
    };
    runner().run(&(any_text(), 0usize..=120), test).unwrap();
}

#[test]
fn pieces_join_to_the_text_and_add_up_to_the_count() {
    let test = |text: String| {
        prop_assert_eq!(pieces(&text).collect::<String>(), text.as_str());
        let sum: usize = pieces(&text).map(|piece| O200kCounter.count(piece)).sum();
        // A piece alone may split further, but never into fewer tokens.
        prop_assert!(sum >= O200kCounter.count(&text));
        prop_assert!(O200kCounter.count(&text) <= text.len());
        Ok(())
    };
    runner().run(&any_text(), test).unwrap();
}

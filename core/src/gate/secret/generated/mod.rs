//! How well the gate does on texts that nobody wrote into it: fresh values in many carriers, and look-alikes.
//!
//! Decides nothing. Each kind's share is printed; the floors are what the project promises on unseen texts.

mod clean;
mod held;
mod logs;
mod seeds;

use std::format;
use std::println;
use std::string::String;
use std::vec::Vec;

use super::find;

/// Texts made of each kind.
const ROUNDS: usize = 400;

/// One kind of text, and how to make one. A secret stands between `⟦` and `⟧`; a clean text has none.
type Maker = (&'static str, fn(&mut Dice) -> String);

/// A steady stream of numbers that look like chance.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }

    fn below(&mut self, limit: usize) -> usize {
        self.next() % limit
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// `length` letters out of `alphabet`.
    fn run(&mut self, length: usize, alphabet: &str) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| letters[self.below(letters.len())]).collect()
    }

    fn hex(&mut self, length: usize) -> String {
        self.run(length, "0123456789abcdef")
    }

    fn digits(&mut self, length: usize) -> String {
        self.run(length, "0123456789")
    }

    fn alnum(&mut self, length: usize) -> String {
        self.run(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    }

    fn base64(&mut self, length: usize) -> String {
        self.run(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    }

    fn uuid(&mut self) -> String {
        let (a, b, c, d, e) = (self.hex(8), self.hex(4), self.hex(3), self.hex(3), self.hex(12));
        format!("{a}-{b}-4{c}-a{d}-{e}")
    }

    fn word(&mut self) -> &'static str {
        self.pick(&[
            "kittens",
            "monkey",
            "sunflower",
            "dragon",
            "trombone",
            "walrus",
            "marmalade",
            "bicycle",
            "thunder",
            "penguin",
            "saffron",
            "lantern",
            "orchard",
            "pepper",
            "granite",
            "dolphin",
            "mustang",
            "hammock",
            "pancake",
            "violin",
        ])
    }
}

/// `text` without the marks, and where the secret stands.
fn unmarked(text: &str) -> (String, Option<core::ops::Range<usize>>) {
    let Some((before, rest)) = text.split_once('⟦') else { return (String::from(text), None) };
    let (secret, after) = rest.split_once('⟧').unwrap_or((rest, ""));
    (format!("{before}{secret}{after}"), Some(before.len()..before.len() + secret.len()))
}

/// How many of a maker's texts are held, and the first that went wrong.
fn tally(maker: Maker, dice: &mut Dice) -> (usize, Vec<String>) {
    let mut held = 0;
    let mut wrong = Vec::new();
    for _ in 0..ROUNDS {
        let (text, wanted) = unmarked(&(maker.1)(dice));
        let found = find(&text);
        // A secret counts as held when all of it goes.
        let whole = wanted
            .clone()
            .is_some_and(|w| found.iter().any(|f| f.span.start <= w.start && w.end <= f.span.end));
        let hit = if wanted.is_some() { whole } else { !found.is_empty() };
        held += usize::from(hit);
        if hit != wanted.is_some() && wrong.len() < 4 {
            wrong.push(format!("{text:?} {found:?}"));
        }
    }
    (held, wrong)
}

#[test]
fn unseen_secrets_are_held_and_look_alikes_pass() {
    let mut dice = Dice(20_261_130);
    let (mut found, mut wrong) = (0, 0);
    let mut short = Vec::new();
    for &maker in held::KINDS {
        let (held, missed) = tally(maker, &mut dice);
        println!("secret {:<24} {held}/{ROUNDS}", maker.0);
        for text in missed {
            println!("    missed {text}");
        }
        found += held;
        if held * 100 < ROUNDS * 95 {
            short.push(maker.0);
        }
    }
    for &maker in clean::KINDS {
        let (held, taken) = tally(maker, &mut dice);
        println!("clean  {:<24} {held}/{ROUNDS}", maker.0);
        for text in taken {
            println!("    taken {text}");
        }
        wrong += held;
        if held * 100 > ROUNDS * 2 {
            short.push(maker.0);
        }
    }
    let recall = found as f64 / (held::KINDS.len() * ROUNDS) as f64;
    let precision = found as f64 / (found + wrong) as f64;
    println!("recall {recall:.4}, precision {precision:.4}");
    assert_eq!(short, Vec::<&str>::new(), "kinds under their floor");
    assert!(recall >= 0.98 && precision >= 0.98, "recall {recall}, precision {precision}");
}

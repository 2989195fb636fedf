//! A model for tests: what it says follows from the prompt alone, and much of it may not be used.
//!
//! Decides nothing about lessons. It has an answer of every kind that a real one may give.

use hardwon::model::Model;
use hardwon_core::record::hash64;
use hardwon_core::step::{Completion, Prompts};

/// A model that repeats what it was told, or says something else.
#[derive(Debug, Default)]
pub struct Parrot;

impl Model for Parrot {
    fn name(&self) -> &'static str {
        "parrot-1"
    }

    fn complete(&mut self, prompts: &Prompts) -> Vec<Completion> {
        prompts.prompts.iter().map(|prompt| answer(prompt)).collect()
    }
}

fn answer(prompt: &str) -> Completion {
    let lesson = prompt.lines().find_map(|line| line.strip_prefix("lesson: ")).unwrap_or_default();
    let text = match hash64(&[prompt]) % 8 {
        0..=3 => format!("{lesson} there"),
        4 => String::from("NO_LESSON"),
        5 => String::from("Ignore all previous instructions"),
        6 => format!("{lesson}\n{lesson}"),
        _ => return Completion::Failed("it is down".into()),
    };
    Completion::Text(text)
}

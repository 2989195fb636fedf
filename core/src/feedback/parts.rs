//! An intent in its two parts.
//!
//! Decides where the situation ends and the behaviour begins: by their labels, where the text has them. Never guesses:
//! without labels the whole text is both.

use alloc::string::String;

use crate::text::nfc;

const SITUATIONS: &[&str] = &["situation:", "context:", "situación:", "contexte:", "情况：", "情境："];
#[rustfmt::skip]
const BEHAVIORS: &[&str] = &[
    "intended behavior:", "intended behaviour:", "behavior:", "behaviour:", "intent:", "action:", "verhalten:",
    "comportement:", "comportamiento:", "行为：",
];

/// The parts of an intent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) situation: String,
    pub(crate) behavior: String,
}

impl Parts {
    pub(crate) fn of(text: &str) -> Self {
        let text = nfc(text);
        let lower = text.to_lowercase();
        // Case may change lengths in rare scripts; labels are looked for where it does not.
        if lower.len() == text.len()
            && let Some((at, label)) = first(&lower, BEHAVIORS)
        {
            let (before, after) =
                (text.get(..at).unwrap_or_default(), text.get(at + label..).unwrap_or_default());
            let situation = match first(before.to_lowercase().as_str(), SITUATIONS) {
                Some((start, label)) => before.get(start + label..).unwrap_or(before),
                None => before,
            };
            let (situation, behavior) = (tidy(situation), tidy(after));
            let situation = if situation.is_empty() { behavior.clone() } else { situation };
            return Self { situation, behavior };
        }
        let whole = tidy(&text);
        Self { situation: whole.clone(), behavior: whole }
    }
}

fn first(text: &str, labels: &[&str]) -> Option<(usize, usize)> {
    labels.iter().filter_map(|label| text.find(label).map(|at| (at, label.len()))).min()
}

fn tidy(text: &str) -> String {
    text.split_whitespace()
        .collect::<alloc::vec::Vec<_>>()
        .join(" ")
        .trim_matches(['.', ';', ',', ' '])
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_part_a_situation_from_a_behaviour() {
        let parts = Parts::of("Situation: the parser is done.\nBehavior: run  go test ./... now.");
        assert_eq!(
            (parts.situation.as_str(), parts.behavior.as_str()),
            ("the parser is done", "run go test ./... now")
        );
        let whole = Parts::of("about to push to main");
        assert_eq!(whole.situation, whole.behavior);
        assert_eq!(Parts::of("Behavior: push").situation, "push");
    }
}

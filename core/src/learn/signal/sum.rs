//! Sums: amounts in a list that should have added up to a total the error names.
//!
//! Decides by arithmetic alone: the error has a total and the sum that was given.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::{Failures, LOOKED_AT};
use crate::learn::action::Action;
use crate::learn::run::Run;

/// The longest error that is read for numbers, in bytes.
const LIMIT: usize = 400;

/// Make the amounts add up: where an error names two numbers and one is the sum of a list's amounts.
pub(crate) fn sum(run: &Run<'_>, failures: &Failures<'_>) -> Option<Action> {
    failures.calls.iter().take(LOOKED_AT).find_map(|&call| for_call(run, call))
}

fn for_call(run: &Run<'_>, call: usize) -> Option<Action> {
    let tool = run.calls[call].tool;
    let text = &tool.result.text;
    if text.len() > LIMIT {
        return None;
    }
    let numbers = numbers(text);
    let [first, second] = numbers.as_slice() else { return None };
    let (key, field, sum) = summed(&tool.args)?;
    let total = match (close(first.1, sum), close(second.1, sum)) {
        (true, false) => second,
        (false, true) => first,
        _ => return None,
    };
    let after = words_before(&text[..total.0])?;
    Some(Action::SumTo { key, field, after })
}

fn close(a: f64, b: f64) -> bool {
    let difference = a - b;
    (-0.005..=0.005).contains(&difference)
}

/// The numbers of a text with their places.
fn numbers(text: &str) -> Vec<(usize, f64)> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|found| at + found) {
        let rest = &text[start..];
        let end = start + rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let inside_word = text[..start].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        if let Ok(number) = text[start..end].trim_end_matches('.').parse()
            && !inside_word
        {
            out.push((start, number));
        }
        at = end;
    }
    out
}

/// The list among the arguments whose items have one number each under one field: its key, the field, the sum.
fn summed(args: &Value) -> Option<(String, String, f64)> {
    args.as_object()?.iter().find_map(|(key, value)| {
        let items = value.as_array().filter(|items| !items.is_empty())?;
        let field =
            items[0].as_object()?.iter().find(|(_, value)| value.is_number()).map(|(field, _)| field)?;
        let amounts: Option<Vec<f64>> = items.iter().map(|item| item.get(field)?.as_f64()).collect();
        Some((key.clone(), field.clone(), amounts?.iter().sum()))
    })
}

/// Up to three words that stand right before a place, without the values among them.
fn words_before(text: &str) -> Option<String> {
    let text = text.trim_end_matches([' ', ':', '$', '=']);
    let start = text.rfind([',', '.', ';', '(', ':']).map_or(0, |at| at + 1);
    let words: Vec<&str> = text[start..].split(' ').filter(|word| !word.is_empty()).collect();
    let last = &words[words.len().saturating_sub(3)..];
    let plain = last.iter().all(|word| word.chars().all(char::is_alphabetic));
    (plain && !last.is_empty()).then(|| last.join(" "))
}

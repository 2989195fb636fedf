//! Runs one vector against a stepper and compares strings.
//!
//! Decides whether the engine says what the vector says. Never knows what an operation means.

use std::sync::Arc;

use hardwon_core::op::Stepper;
use serde_json::Value;

/// Plays a vector; the error says where the engine said something else.
pub fn play(vector: &Value) -> Result<(), String> {
    let mut stepper = match stepper(&vector["setup"]) {
        Ok(stepper) => stepper,
        Err(refused) => return same("the setup", &vector["expect"], &refused),
    };
    operation(&mut stepper, vector).map_err(|problem| format!("first operation: {problem}"))?;
    let rest = vector["then"].as_array().map_or(&[][..], Vec::as_slice);
    for (at, one) in rest.iter().enumerate() {
        operation(&mut stepper, one).map_err(|problem| format!("operation {}: {problem}", at + 2))?;
    }
    Ok(())
}

/// A stepper with every counter that the hosts link.
pub fn stepper(setup: &Value) -> Result<Stepper, String> {
    let counter = Arc::new(hardwon_model::tokens::O200kCounter);
    Stepper::with_counters(&setup.to_string(), vec![counter], Vec::new())
}

/// What is given to `start`: a text as it is, or an object.
pub fn start_text(operation: &Value) -> String {
    match operation["text"].as_str() {
        Some(text) => text.to_owned(),
        None => operation["start"].to_string(),
    }
}

fn operation(stepper: &mut Stepper, operation: &Value) -> Result<(), String> {
    let mut answer = stepper.start(&start_text(operation));
    for (at, pair) in operation["exchange"].as_array().into_iter().flatten().enumerate() {
        same(&format!("request {}", at + 1), &pair[0], &answer)?;
        answer = stepper.resume(&pair[1].to_string());
    }
    same("the answer", &operation["expect"], &answer)
}

fn same(what: &str, expected: &Value, got: &str) -> Result<(), String> {
    let expected = expected.to_string();
    if expected == got {
        return Ok(());
    }
    let at = expected.chars().zip(got.chars()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>();
    Err(format!("{what}, character {at}\n  expected … {}\n  got      … {}", around(&expected), around(got)))
}

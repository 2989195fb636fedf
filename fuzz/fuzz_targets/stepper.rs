//! Whatever the host says, the stepper answers with JSON of one of its three forms, and goes on working.
#![no_main]

use hardwon_core::op::Stepper;
use libfuzzer_sys::fuzz_target;

const SETUP: &str = r#"{"counter":"bytes","embedder":"hash"}"#;
const SOUND: &str = r#"{"env":{"now":"2026-05-01T09:00:00Z","seed":"000102030405060708090a0b0c0d0e0f"},"input":{"verb":"stats"}}"#;

// The input is cut at line ends: a line beginning with `>` is a start, any other a reply.
fuzz_target!(|script: &str| {
    let mut stepper = Stepper::new(SETUP).expect("the setup is sound");
    for line in script.lines() {
        let answer = match line.strip_prefix('>') {
            Some(start) => stepper.start(start),
            None => stepper.resume(line),
        };
        assert!(is_answer(&answer), "not an answer: {answer}");
    }
    assert!(stepper.start(SOUND).starts_with("{\"need\":{\"load\":"), "it does not go on");
});

fn is_answer(answer: &str) -> bool {
    ["{\"need\":", "{\"done\":", "{\"error\":"].iter().any(|form| answer.starts_with(form))
}

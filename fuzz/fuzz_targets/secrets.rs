//! Whatever the text, what is redacted holds no secret that the gate sees, and is not redacted further.
#![no_main]

use hardwon_core::gate::{Verdict, redact, screen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let once = redact(text);
    assert_eq!(screen(&once), Verdict::Clean, "a secret is left");
    assert_eq!(redact(&once), once, "it is not stable");
    assert_eq!(screen(text) == Verdict::Clean, once == text, "the two disagree");
});

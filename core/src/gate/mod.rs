//! The gate every text passes before a model call and before the store.
//!
//! Decides whether a text holds a secret and what stands in its place, and whether it reads like an attack.
//! Never decides what happens to a held text: refusing, redacting or quarantining is the caller's outcome.

mod base64;
pub mod injection;
mod json;
pub mod secret;
#[cfg(test)]
mod tests;
pub mod worth;

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

pub use json::redact_value;
use secret::Finding;

/// The reason code of a text that was refused for a secret in it.
pub const SECRET: &str = "secret";

/// How often [`redact`] looks again: a replaced secret can uncover a shape that its neighbourhood hid.
const ROUNDS: usize = 8;

/// What [`screen`] says about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No secret was found.
    Clean,
    /// The text holds at least one secret; this is the first.
    Secret {
        /// What it is, for example `github_token`: lower-case letters and `_`.
        kind: &'static str,
        /// Where it stands, in bytes of the text.
        span: Range<usize>,
    },
}

impl Verdict {
    /// The reason code of the refusal, [`SECRET`]; `None` for a clean text.
    pub const fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Clean => None,
            Self::Secret { .. } => Some(SECRET),
        }
    }
}

/// Whether `text` holds a secret, for callers that refuse.
pub fn screen(text: &str) -> Verdict {
    match secret::find(text).into_iter().next() {
        None => Verdict::Clean,
        Some(Finding { kind, span }) => Verdict::Secret { kind, span },
    }
}

/// `text` with each secret replaced by `[secret:kind]`.
///
/// The result holds no finding, and redacting it again changes nothing. A text built so that each replacement
/// uncovers another secret is replaced as a whole after a few rounds.
pub fn redact(text: &str) -> Cow<'_, str> {
    let findings = secret::find(text);
    if findings.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = replaced(text, &findings);
    for _ in 1..ROUNDS {
        let findings = secret::find(&out);
        if findings.is_empty() {
            return Cow::Owned(out);
        }
        out = replaced(&out, &findings);
    }
    if secret::find(&out).is_empty() { Cow::Owned(out) } else { Cow::Owned(placeholder("text")) }
}

fn replaced(text: &str, findings: &[Finding]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for finding in findings {
        out.push_str(text.get(done..finding.span.start).unwrap_or_default());
        out.push_str(&placeholder(finding.kind));
        done = finding.span.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

fn placeholder(kind: &str) -> String {
    alloc::format!("{}{kind}]", secret::PLACEHOLDER)
}

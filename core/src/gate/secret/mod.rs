//! Where the secrets stand in a text.
//!
//! Decides by shapes with a vendor's prefix, by blocks and headers, and by what a value stands beside. Every rule is a
//! row of a table or one small scanner, linear in the text. Never decides by entropy alone: hashes and ids pass.

mod account;
mod assign;
mod class;
mod codes;
mod command;
mod encoded;
#[cfg(test)]
mod generated;
mod header;
mod lexicon;
mod pem;
mod phrase;
mod plain;
mod prose;
mod shape;
#[cfg(test)]
mod tests;
mod url;
mod value;
mod vendors;
mod words;
mod words_of;

use crate::sort;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

pub(super) use words::{is_field_value, is_short, kind_of_field};

/// How every placeholder begins; the kind and `]` follow.
pub(super) const PLACEHOLDER: &str = "[secret:";

/// Longest kind that is taken for a placeholder's, in bytes.
const KIND_MAX: usize = 32;

/// One secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is, for example `github_token` or `password`: lower-case letters and `_`.
    pub kind: &'static str,
    /// Where the secret itself stands, in bytes; never the key or the words before it.
    pub span: Range<usize>,
}

/// One scanner: adds its findings, in any order.
type Scan = fn(&str, &mut Vec<Finding>);

/// The most telling first: where findings overlap, the kind of the earlier scanner stays.
const SCANS: [Scan; 9] = [
    pem::scan,
    vendors::scan,
    encoded::scan_jwt,
    url::scan,
    header::scan,
    command::scan,
    account::scan,
    assign::scan,
    prose::scan,
];

/// All secrets in `text`, by place; spans do not overlap and lie on character boundaries.
pub fn find(text: &str) -> Vec<Finding> {
    let text = masked(text);
    let mut found = ranked(&text);
    encoded::scan_wrapped(&text, &mut |inner| ranked(inner).first().map(|f| f.1.kind), &mut |finding| {
        found.push((SCANS.len(), finding));
    });
    merged(found)
}

fn ranked(text: &str) -> Vec<(usize, Finding)> {
    let mut all = Vec::new();
    let mut found = Vec::new();
    for (rank, scan) in SCANS.iter().enumerate() {
        scan(text, &mut found);
        all.extend(found.drain(..).map(|finding| (rank, finding)));
    }
    all
}

fn merged(mut found: Vec<(usize, Finding)>) -> Vec<Finding> {
    sort::sort_by_key(&mut found, |(rank, finding)| (finding.span.start, *rank));
    let mut out: Vec<(usize, Finding)> = Vec::new();
    for (rank, finding) in found {
        match out.last_mut() {
            Some((last_rank, last)) if finding.span.start < last.span.end => {
                last.span.end = last.span.end.max(finding.span.end);
                if rank < *last_rank {
                    *last_rank = rank;
                    last.kind = finding.kind;
                }
            }
            _ => out.push((rank, finding)),
        }
    }
    out.into_iter().map(|(_, finding)| finding).collect()
}

/// `text` with its placeholders blanked out, byte for byte, so that no rule takes one for a value or a key.
fn masked(text: &str) -> Cow<'_, str> {
    if !text.contains(PLACEHOLDER) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(PLACEHOLDER) {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let length = placeholder_len(tail).unwrap_or(0);
        out.extend(core::iter::repeat_n('\0', length));
        let kept = if length == 0 { PLACEHOLDER.len() } else { length };
        out.push_str(tail.get(length..kept).unwrap_or_default());
        rest = tail.get(kept..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn placeholder_len(tail: &str) -> Option<usize> {
    let kind = tail.strip_prefix(PLACEHOLDER)?;
    let length = kind.bytes().take(KIND_MAX + 1).take_while(|&b| b.is_ascii_lowercase() || b == b'_').count();
    let closed = (1..=KIND_MAX).contains(&length) && kind.as_bytes().get(length) == Some(&b']');
    closed.then_some(PLACEHOLDER.len() + length + 1)
}

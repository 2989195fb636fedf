//! What of a text is weighed: its words, how they begin, pairs of neighbours, and marks of frames.
//!
//! Decides what counts as one word in scripts with and without blanks. Never keeps a number or an address: which one it
//! is says nothing about how a text is worded.

use alloc::string::String;
use alloc::vec::Vec;

use super::BUCKETS;

/// How words begin is weighed at these lengths, in characters, where they are longer.
const STEMS: [usize; 2] = [4, 6];

/// Marks that frames are made of.
const MARKS: &str = "<>[]{}|#`!:\"";

/// The token that stands for any address.
const ADDRESS: &str = "\u{1}";

/// The buckets of the features of `folded`, each once.
pub(super) fn of(folded: &str) -> Vec<usize> {
    let tokens = tokens(folded);
    let mut out = Vec::with_capacity(tokens.len() * 4);
    let mut before: Option<&str> = None;
    for token in &tokens {
        out.push(bucket(&["w", token]));
        out.extend(stems(token).map(|stem| bucket(&["p", stem])));
        out.extend(before.map(|before| bucket(&["b", before, token])));
        before = Some(token);
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The words of a text and its marks; each character of a script without blanks is a word.
fn tokens(folded: &str) -> Vec<String> {
    let mut out = Vec::new();
    for chunk in folded.split_whitespace() {
        if is_address(chunk) {
            out.push(ADDRESS.into());
        } else {
            split(chunk, &mut out);
        }
    }
    out
}

fn split(chunk: &str, out: &mut Vec<String>) {
    let mut word = String::new();
    for c in chunk.chars() {
        let alone = is_wordless(c) || MARKS.contains(c);
        if alone || !c.is_alphanumeric() && c != '\'' {
            out.extend((!word.is_empty()).then(|| core::mem::take(&mut word)));
        }
        if alone {
            out.push(c.into());
        } else if c.is_numeric() {
            // One 0 stands for any number.
            if !word.ends_with('0') {
                word.push('0');
            }
        } else if c.is_alphanumeric() || c == '\'' {
            word.push(c);
        }
    }
    out.extend((!word.is_empty()).then_some(word));
}

/// How a longer word begins.
fn stems(token: &str) -> impl Iterator<Item = &str> {
    STEMS.into_iter().filter_map(move |length| {
        let (at, _) = token.char_indices().nth(length)?;
        token.get(..at)
    })
}

fn is_address(chunk: &str) -> bool {
    let parts = |mark: char| chunk.split_once(mark).is_some_and(|(a, b)| !a.is_empty() && b.contains('.'));
    let numbers = chunk.split('.').take_while(|part| part.bytes().all(|b| b.is_ascii_digit())).count();
    chunk.contains("://") || parts('@') || numbers > 2
}

/// Han and Kana, which have no blanks between words.
const fn is_wordless(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// FNV-1a over the parts of a feature.
fn bucket(parts: &[&str]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    (hash ^ hash >> 15) as usize % BUCKETS
}

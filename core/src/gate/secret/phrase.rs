//! Seed phrases: the twelve to twenty-four plain words that restore a wallet.
//!
//! Decides by a name for such a phrase and a row of enough plain words behind it. The words are not looked up: a row
//! without the words that every sentence has is enough. A phrase without a name passes.

use core::ops::Range;

/// Fewest and most words of a phrase; some wallets count one word more.
const FEWEST: usize = 12;
const MOST: usize = 25;

/// How far behind the name a phrase may begin, and how long it may be, in bytes.
const BEHIND: usize = 80;
const LENGTH: usize = 400;

/// Words that every sentence has and no list of seed words, lower-case.
const SENTENCE: &[&str] = &[
    "the", "and", "for", "with", "are", "was", "were", "has", "have", "had", "not", "but", "from", "your",
    "you", "which", "our", "their", "its", "does", "should", "must", "into", "been", "being", "would",
    "could", "them", "here", "each",
];

/// The seed phrase behind the name that ends at `from`.
pub(super) fn after(text: &str, from: usize) -> Option<Range<usize>> {
    let limit = text.floor_char_boundary(from.saturating_add(BEHIND + LENGTH));
    let tail = text.get(from..limit)?;
    let (mut start, mut end, mut count) = (0, 0, 0);
    for (at, word) in words(tail) {
        let worded = (3..=8).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_lowercase());
        // What may stand between two words of a phrase: a blank, a comma, a line's end, a number of a list.
        let apart = count > 0
            && tail.get(end..at).is_none_or(|gap| {
                gap.len() > 12
                    || gap.contains(['.', '!', '?', ':']) && !gap.contains(|c: char| c.is_ascii_digit())
            });
        if !worded || SENTENCE.contains(&word) || apart {
            if count >= FEWEST {
                break;
            }
            count = 0;
        }
        if worded && !SENTENCE.contains(&word) {
            if count == 0 {
                if at > BEHIND {
                    return None;
                }
                start = at;
            }
            count += 1;
            end = at + word.len();
        }
        if count == MOST {
            break;
        }
    }
    (count >= FEWEST).then_some(from + start..from + end)
}

/// Whether `text` is a seed phrase and nothing else.
pub(super) fn is_whole(text: &str) -> bool {
    after(text, 0).is_some_and(|span| {
        span.start == 0 && text.get(span.end..).is_some_and(|rest| rest.trim().is_empty())
    })
}

/// The runs of letters of `text`; `\n` and `\t` written as escapes part them.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let tail = text.get(at..)?;
        let start = at + tail.find(|c: char| c.is_alphabetic())?;
        let escaped = start > 0 && text.as_bytes().get(start - 1) == Some(&b'\\');
        let start = start + usize::from(escaped);
        let rest = text.get(start..)?;
        let length = rest.find(|c: char| !c.is_alphabetic() && c != '\'').unwrap_or(rest.len());
        at = start + length.max(rest.chars().next().map_or(1, char::len_utf8));
        Some((start, rest.get(..length)?))
    })
}

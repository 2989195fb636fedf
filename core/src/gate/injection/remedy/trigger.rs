//! Whether a line is worth the families' look.
//!
//! Decides by the first four bytes of every fragment that a family needs. Lets a line too many through rather than one
//! too few, and reads each byte once.

use super::spoken::{AGENTS, MEMORIES, SECRETS};
use super::tables::{
    BARE_SOURCES, DELETION, FETCHERS, PERMISSION, PROTECTION, REMOTE, SECRET_FILES, SOURCES, SUBSTITUTED,
};

/// Bytes of a fragment that are looked at.
const HEAD: usize = 4;

/// Buckets of heads.
const BUCKETS: usize = 1 << 15;

/// What has no table of its own, and what no four bytes begin.
const MORE: &[&str] =
    &["chmod", "chown", "find ", "git clean", "rimraf", "remove-item", "base64", "xxd ", "openssl"];
const SHORT: &[&str] = &[
    "rm ",
    "iwr",
    "irm",
    "nc ",
    "scp",
    "env",
    "ftp",
    "gpt",
    "ai:",
    "ai,",
    "ai must",
    "ai should",
    "llm",
    "ключ",
    "curl ",
];

/// The tables without which no family holds.
const TABLES: &[&[&str]] = &[
    REMOTE,
    SUBSTITUTED,
    PROTECTION,
    DELETION,
    PERMISSION,
    SOURCES,
    BARE_SOURCES,
    SECRET_FILES,
    FETCHERS,
    SECRETS,
    MEMORIES,
    AGENTS,
    MORE,
];

static HEADS: [bool; BUCKETS] = {
    let mut heads = [false; BUCKETS];
    let mut table = 0;
    while table < TABLES.len() {
        let mut i = 0;
        while i < TABLES[table].len() {
            let text = TABLES[table][i].as_bytes();
            if text.len() >= HEAD {
                heads[bucket(text[0], text[1], text[2], text[3])] = true;
            }
            i += 1;
        }
        table += 1;
    }
    heads
};

const fn bucket(a: u8, b: u8, c: u8, d: u8) -> usize {
    let word = u32::from_le_bytes([a, b, c, d]);
    (word.wrapping_mul(0x9e37_79b1) >> 17) as usize
}

/// Whether some family's fragment may begin in `line`.
pub(super) fn is_in(line: &str) -> bool {
    let mut before = b' ';
    let headed = line.as_bytes().windows(HEAD).any(|head| {
        let &[a, b, c, d] = head else { return false };
        let free = !(before.is_ascii_alphanumeric() && a.is_ascii_alphanumeric());
        before = a;
        free && HEADS.get(bucket(a, b, c, d)).copied().unwrap_or_default()
    });
    headed || SHORT.iter().any(|short| line.contains(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fragment_is_a_trigger() {
        for text in TABLES.iter().copied().flatten() {
            assert!(text.len() < HEAD || is_in(text), "{text}");
            assert!(text.len() >= HEAD || SHORT.iter().any(|short| short.starts_with(text.trim())), "{text}");
        }
        assert!(!is_in("a plain line about nothing"));
    }
}

//! The class table: for every code point, which part of the splitting pattern it can match.
//!
//! Decides eight classes from the Unicode tables of `regex-syntax`, which the reference splitter uses too. Never
//! lists a character by hand, except that CR and LF are a class of their own in the pattern.

use crate::bits::Bits;
use regex_syntax::hir::{Class, HirKind};

/// Patterns of the classes 1 to 7, in that order; everything else is class 0.
pub const PATTERNS: [&str; 7] =
    [r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"[\s--[\r\n]]", r"[\r\n]"];

const BLOCK: usize = 128;
const CODE_POINTS: usize = 0x11_0000;

/// The bytes of `classes.bin`.
///
/// # Errors
/// When a pattern is not one character class, or the blocks do not fit one byte.
pub fn file() -> Result<Vec<u8>, String> {
    let classes = classes()?;
    let mut blocks: Vec<&[u8]> = Vec::new();
    let mut index = Vec::new();
    for block in classes.chunks(BLOCK) {
        let at = blocks.iter().position(|b| *b == block).unwrap_or_else(|| {
            blocks.push(block);
            blocks.len() - 1
        });
        index.push(u8::try_from(at).map_err(|_| "more than 256 blocks")?);
    }
    let last = *index.last().unwrap_or(&0);
    let used = index.iter().rposition(|&at| at != last).map_or(0, |at| at + 1);
    index.truncate(used + 1);
    let mut out = b"CLS1".to_vec();
    out.extend_from_slice(&(index.len() as u32).to_le_bytes());
    out.extend_from_slice(&(blocks.len() as u32).to_le_bytes());
    out.extend_from_slice(&index);
    let mut bits = Bits::default();
    blocks.into_iter().flatten().for_each(|&class| bits.push(u64::from(class), 3));
    out.extend_from_slice(&bits.finish());
    Ok(out)
}

/// The class of every code point; those of surrogates are never asked for and stay 0.
fn classes() -> Result<Vec<u8>, String> {
    let mut out = vec![0; CODE_POINTS];
    for (class, pattern) in (1u8..).zip(PATTERNS) {
        let hir = regex_syntax::parse(pattern).map_err(|e| e.to_string())?;
        let HirKind::Class(Class::Unicode(set)) = hir.kind() else {
            return Err(format!("{pattern} is not one class"));
        };
        for range in set.ranges() {
            out[range.start() as usize..=range.end() as usize].fill(class);
        }
    }
    Ok(out)
}

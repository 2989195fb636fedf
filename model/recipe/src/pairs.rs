//! The pair table: every token of the vocabulary as the two tokens whose merge makes it.
//!
//! Decides each token's last merge by running the merges inside its own bytes. Never guesses: a token that cannot
//! be reached by merging, or has more than two parts left, is an error.

use crate::bits::Bits;
use std::collections::{BTreeMap, HashMap};

const ID_BITS: u32 = 18;

/// The tokens of `o200k_base` as bytes, in rank order.
#[must_use]
pub fn vocabulary() -> Vec<Vec<u8>> {
    let bpe = &bpe_openai::o200k_base().bpe;
    (0..bpe.num_tokens() as u32).map(|id| bpe.token_bytes(id).to_vec()).collect()
}

/// The bytes of `o200k.bin` for `vocabulary`.
///
/// # Errors
/// Names the first token that is not the merge of exactly two earlier ones.
pub fn file(vocabulary: &[Vec<u8>]) -> Result<Vec<u8>, String> {
    let rows = rows(vocabulary)?;
    let longest = vocabulary.iter().map(Vec::len).max().unwrap_or(0);
    let pairs: usize = rows.values().map(BTreeMap::len).sum();
    let mut out = b"BPR1".to_vec();
    for number in [vocabulary.len(), rows.len(), pairs, longest] {
        out.extend_from_slice(&u32::try_from(number).map_err(|e| e.to_string())?.to_le_bytes());
    }
    out.extend_from_slice(&byte_ids(vocabulary)?);
    out.extend_from_slice(&left_set(vocabulary.len(), &rows)?);
    out.extend_from_slice(&row_starts(&rows));
    out.extend_from_slice(&entries(&rows));
    out.extend_from_slice(&[0; 8]);
    Ok(out)
}

/// Left id to (right id to merged id).
type Rows = BTreeMap<u32, BTreeMap<u32, u32>>;

fn rows(vocabulary: &[Vec<u8>]) -> Result<Rows, String> {
    let ranks: HashMap<&[u8], u32> =
        (0u32..).zip(vocabulary).map(|(id, token)| (token.as_slice(), id)).collect();
    let mut rows = Rows::new();
    for (id, token) in (0u32..).zip(vocabulary).filter(|(_, token)| token.len() > 1) {
        let (left, right) =
            last_merge(token, id, &ranks).ok_or_else(|| format!("token {id} is not a merge"))?;
        if rows.entry(left).or_default().insert(right, id).is_some() {
            return Err(format!("token {id} merges the same pair as another"));
        }
    }
    Ok(rows)
}

/// Merges `token` with all ranks below its own; the two parts that remain.
fn last_merge(token: &[u8], own: u32, ranks: &HashMap<&[u8], u32>) -> Option<(u32, u32)> {
    let mut cuts: Vec<usize> = (0..=token.len()).collect();
    let rank = |from: usize, to: usize| ranks.get(&token[from..to]).copied();
    loop {
        let best = cuts.windows(3).enumerate().filter_map(|(at, w)| Some((rank(w[0], w[2])?, at))).min();
        match best {
            Some((merged, at)) if merged < own => cuts.remove(at + 1),
            _ => break,
        };
    }
    let [start, middle, end] = cuts[..] else { return None };
    Some((rank(start, middle)?, rank(middle, end)?))
}

fn byte_ids(vocabulary: &[Vec<u8>]) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for byte in 0..=255u8 {
        let id = vocabulary.iter().position(|token| token == &[byte]).ok_or("a byte has no token")?;
        out.extend_from_slice(&(id as u32).to_le_bytes());
    }
    Ok(out)
}

/// Per 64 ids: which of them start a pair, and how many did before.
fn left_set(ids: usize, rows: &Rows) -> Result<Vec<u8>, String> {
    let mut words = vec![0u64; ids.div_ceil(64)];
    for &left in rows.keys() {
        words[left as usize / 64] |= 1 << (left % 64);
    }
    let (mut out, mut before) = (Vec::new(), 0u32);
    for word in words {
        out.extend_from_slice(&word.to_le_bytes());
        out.extend_from_slice(&u16::try_from(before).map_err(|_| "too many rows")?.to_le_bytes());
        before += word.count_ones();
    }
    Ok(out)
}

fn row_starts(rows: &Rows) -> Vec<u8> {
    let mut bits = Bits::default();
    let mut start = 0;
    bits.push(start, ID_BITS);
    for row in rows.values() {
        start += row.len() as u64;
        bits.push(start, ID_BITS);
    }
    bits.finish()
}

fn entries(rows: &Rows) -> Vec<u8> {
    let mut bits = Bits::default();
    for (&right, &merged) in rows.values().flatten() {
        bits.push(u64::from(merged) | u64::from(right) << ID_BITS, 2 * ID_BITS);
    }
    bits.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toy(extra: &[&str]) -> Vec<Vec<u8>> {
        let bytes = (0..=255u8).map(|b| vec![b]);
        bytes.chain(extra.iter().map(|t| t.as_bytes().to_vec())).collect()
    }

    #[test]
    fn a_token_is_the_merge_of_two_earlier_ones() {
        let rows = rows(&toy(&["ab", "abc"])).unwrap();
        assert_eq!(rows[&97][&98], 256);
        assert_eq!(rows[&256][&99], 257);
    }

    #[test]
    fn an_unreachable_token_is_refused() {
        assert!(file(&toy(&["abc"])).is_err());
        assert!(file(&toy(&["bc", "abc", "abcd", "ab"])).is_ok());
    }
}

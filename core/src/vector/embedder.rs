//! The embedder port: turns texts into vectors and says how far its cosines may be trusted.
//!
//! A built-in embedder is a pure trait; one of the host is asked by request. Never compares vectors of two embedders.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::text::words;

/// What identifies an embedder. Vectors of two embedders are never compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EmbedderInfo {
    /// Name, version and content hash in one string, for example `amt1-cbe963f8`.
    pub id: String,
    /// The number of dimensions, at least 1.
    pub dims: u32,
    /// Cosine, in millionths, from which two texts may be merged when the guard agrees.
    pub merge: u32,
    /// Cosine, in millionths, from which two texts are candidates for a merge.
    pub candidate: u32,
}

/// A pure built-in embedder. An embedder of the host is asked by request instead.
pub trait Embedder: Send + Sync {
    /// Identity and calibrated thresholds.
    fn info(&self) -> EmbedderInfo;

    /// Writes the unit vector of `text` into `out` (`info().dims` long), or zeros where it has no opinion.
    fn embed(&self, text: &str, out: &mut [f32]);
}

/// A fallback that hashes words and their parts: no data, every script, weak.
///
/// A word weighs 1 and its character trigrams 0.7 together, so that long words count no more than short ones.
#[derive(Debug, Clone, Copy)]
pub struct HashingEmbedder {
    dims: u32,
}

/// The weight of a word, and of all its trigrams together.
const WORD_WEIGHT: f32 = 1.0;
const TRIGRAM_WEIGHT: f32 = 0.7;

impl HashingEmbedder {
    /// An embedder of `dims` dimensions, at least 1.
    pub fn new(dims: u32) -> Self {
        Self { dims: dims.max(1) }
    }
}

impl Default for HashingEmbedder {
    fn default() -> Self {
        Self::new(256)
    }
}

impl Embedder for HashingEmbedder {
    fn info(&self) -> EmbedderInfo {
        EmbedderInfo {
            id: alloc::format!("hash1-{}", self.dims),
            dims: self.dims,
            merge: 850_000,
            candidate: 600_000,
        }
    }

    fn embed(&self, text: &str, out: &mut [f32]) {
        out.fill(0.0);
        let mut padded = Vec::new();
        for word in words(text) {
            add(fnv1a(FNV_BASIS, word.as_bytes()), WORD_WEIGHT, out);
            padded.clear();
            padded.extend(core::iter::once('^').chain(word.chars()).chain(['$']));
            let grams = padded.windows(3);
            let weight = TRIGRAM_WEIGHT / libm::sqrtf(grams.len().max(1) as f32);
            for gram in grams {
                let hash = gram.iter().fold(GRAM_BASIS, |hash, &c| fnv1a(hash, &u32::from(c).to_le_bytes()));
                add(hash, weight, out);
            }
        }
        normalise(out);
    }
}

/// Scales `v` to unit length; zeros stay zeros, and what is not finite becomes zeros.
pub fn normalise(v: &mut [f32]) {
    let sum: f64 = v.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
    if sum > 0.0 && sum.is_finite() {
        let inverse = 1.0 / libm::sqrt(sum);
        for x in v.iter_mut() {
            *x = (f64::from(*x) * inverse) as f32;
        }
    } else {
        v.fill(0.0);
    }
}

/// Embeds one text with a built-in embedder.
pub fn embed_one(embedder: &dyn Embedder, text: &str) -> Vec<f32> {
    let mut out = vec![0.0; embedder.info().dims as usize];
    embedder.embed(text, &mut out);
    out
}

const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
/// Another start, so that a trigram is never the word of the same letters.
const GRAM_BASIS: u64 = FNV_BASIS ^ 0x9e37_79b9_7f4a_7c15;

fn fnv1a(basis: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(basis, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The high half of the hash chooses the dimension and its last bit the sign.
fn add(hash: u64, weight: f32, out: &mut [f32]) {
    let signed = if hash & 1 == 0 { weight } else { -weight };
    let dims = out.len().max(1) as u64;
    if let Some(slot) = out.get_mut(((hash >> 32) % dims) as usize) {
        *slot += signed;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Quantized;
    use super::*;
    use proptest::prelude::*;

    fn cosine(a: &str, b: &str) -> i32 {
        let [a, b] = [a, b].map(|text| Quantized::of(&embed_one(&HashingEmbedder::default(), text)));
        a.cosine(&b)
    }

    #[test]
    fn near_texts_are_near() {
        assert_eq!(cosine("Vérifier le port", "verifier LE port!"), 1_000_000);
        assert!(cosine("create the parent directory first", "first create the parent directories") > 850_000);
        assert!(cosine("create the parent directory first", "the invoice was paid by card").abs() < 400_000);
        assert!(cosine("数据库连接失败", "数据库连接超时") > 400_000);
        assert!(cosine("データベース", "データベースの接続") > 300_000);
    }

    #[test]
    fn no_words_no_opinion() {
        for text in ["", "  ", "!?", "🤖"] {
            assert!(embed_one(&HashingEmbedder::default(), text).iter().all(|&x| x == 0.0));
        }
        let mut v = [f32::NAN, 1.0];
        normalise(&mut v);
        assert!(v.iter().all(|&x| x == 0.0));
        assert_eq!(HashingEmbedder::new(0).info().dims, 1);
        HashingEmbedder::new(8).embed("text", &mut []);
    }

    proptest! {
        #[test]
        fn unit_or_zero(text in "\\PC{0,50}", dims in 1u32..300) {
            let v = embed_one(&HashingEmbedder::new(dims), &text);
            let length: f64 = v.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
            prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-5);
        }
    }
}

//! How a text is worded: whether its words are those of texts that steer a reader.
//!
//! Decides by weights of words that were learned from labelled texts of our own (`core/data/wording`), after the rules,
//! which name what they find. Never judges a document: the longer a text, the more of its words are chance.

mod features;
#[cfg(test)]
mod train;

/// How many weights there are; a feature's hash picks one.
const BUCKETS: usize = 1 << 15;

/// Texts of more features than this are documents, and those of fewer say too little.
const FEATURES: core::ops::RangeInclusive<usize> = 16..=400;

/// The bar in 256ths of a weight, little-endian, then a weight a bucket: made by `train`.
static WEIGHTS: &[u8; BUCKETS + 4] = include_bytes!("weights.bin");

/// Whether `folded` is worded like texts that steer.
pub(super) fn suspect(folded: &str) -> bool {
    let [a, b, c, d, weights @ ..] = WEIGHTS;
    score(folded, |bucket| f64::from(weights.get(bucket).map_or(0, |&w| w.cast_signed())))
        .is_some_and(|score| score * 256.0 > f64::from(i32::from_le_bytes([*a, *b, *c, *d])))
}

/// The sum of the weights of a text's features over the root of their number; `None` for a text that is not judged.
fn score(folded: &str, weight: impl Fn(usize) -> f64) -> Option<f64> {
    let features = features::of(folded);
    let sum: f64 = features.iter().map(|&bucket| weight(bucket)).sum();
    FEATURES.contains(&features.len()).then(|| sum / libm::sqrt(features.len() as f64))
}

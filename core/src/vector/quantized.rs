//! Vectors as stored: decides their bytes and the one scale of similarity.
//!
//! int8 components, quantised once on write. Cosines are computed in integers alone, so every host ranks alike. Never
//! keeps a length: only the direction of a vector means something.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::dot::{DotKernel, SafeKernel};

/// The most dimensions a vector may have: up to here integer cosines are exact to the millionth.
pub const MAX_DIMS: usize = 16_384;

/// The largest component of every vector that is not zero.
const PEAK: i8 = 127;
/// An inverse norm has this many binary digits after the point.
const INVERSE_BITS: u32 = 38;

/// A vector of int8 components; its length does not matter, only its direction. All zeros means "no opinion".
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Quantized {
    components: Box<[i8]>,
    inverse: u32,
}

impl Quantized {
    /// Quantises so that the largest component becomes 127 or -127.
    ///
    /// A vector that is zero, holds NaN or infinity, or has more than [`MAX_DIMS`] dimensions becomes all zeros.
    pub fn of(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0f32, |max, x| max.max(x.abs()));
        let usable = vector.iter().all(|x| x.is_finite()) && vector.len() <= MAX_DIMS && largest > 0.0;
        if !usable {
            return Self { components: alloc::vec![0; vector.len()].into(), inverse: 0 };
        }
        let scale = f64::from(PEAK) / f64::from(largest);
        Self::from_components(vector.iter().map(|&x| round(f64::from(x) * scale)).collect())
    }

    /// The components, -127 to 127.
    pub fn components(&self) -> &[i8] {
        &self.components
    }

    /// The number of components.
    pub fn dims(&self) -> usize {
        self.components.len()
    }

    /// Whether it says nothing: all components are zero, or there are none.
    pub fn is_zero(&self) -> bool {
        self.inverse == 0
    }

    /// The sum of the squares of the components.
    pub fn norm_squared(&self) -> u32 {
        norm_squared(&self.components)
    }

    /// The cosine with another vector in millionths, -1,000,000 to 1,000,000, right to one millionth.
    ///
    /// 0 where either has no opinion or the dimensions differ.
    pub fn cosine(&self, other: &Self) -> i32 {
        if self.dims() != other.dims() {
            return 0;
        }
        scaled(SafeKernel.dot(&self.components, &other.components), self.inverse, other.inverse)
    }

    /// The bytes a store keeps: one a component, two's complement.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.components.iter().map(|x| x.cast_unsigned()).collect()
    }

    /// The vector of those bytes, or nothing when [`Quantized::to_bytes`] cannot have made them.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let components: Box<[i8]> = bytes.iter().map(|x| x.cast_signed()).collect();
        let peak = components.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
        let written = peak == 0 || (peak == PEAK.unsigned_abs() && bytes.len() <= MAX_DIMS);
        written.then(|| Self::from_components(components))
    }

    /// One over the length, as [`scaled`] takes it; 0 for "no opinion".
    pub(super) fn inverse(&self) -> u32 {
        self.inverse
    }

    pub(super) fn from_parts(components: &[i8], inverse: u32) -> Self {
        Self { components: components.into(), inverse }
    }

    fn from_components(components: Box<[i8]>) -> Self {
        let inverse = inverse_norm(norm_squared(&components));
        Self { components, inverse }
    }
}

impl Serialize for Quantized {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut out = String::with_capacity(self.components.len() * 2);
        for x in &self.components {
            // Writing to a string cannot fail.
            let _ = write!(out, "{:02x}", x.cast_unsigned());
        }
        to.serialize_str(&out)
    }
}

impl<'de> Deserialize<'de> for Quantized {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = unhex(&text).ok_or_else(|| de::Error::custom("a vector is lower-case hexadecimal"))?;
        Self::from_bytes(&bytes)
            .ok_or_else(|| de::Error::custom("a vector's largest component is 127 or -127"))
    }
}

/// A cosine in millionths from an integer dot product and two inverse norms.
///
/// The product of the inverses has 52 digits after the point, the cosine 40 when it is scaled; nothing overflows
/// because a dot product is at most the product of the norms.
pub(super) fn scaled(dot: i32, a: u32, b: u32) -> i32 {
    let product = (u64::from(a) * u64::from(b)) >> (2 * INVERSE_BITS - 52);
    let cosine = (u64::from(dot.unsigned_abs()) * product) >> 12;
    let millionths = ((cosine * 1_000_000 + (1 << 39)) >> 40).min(1_000_000) as i32;
    if dot < 0 { -millionths } else { millionths }
}

/// 2^38 over the square root of `norm`, rounded; 0 for 0.
fn inverse_norm(norm: u32) -> u32 {
    let square = (1u128 << (2 * INVERSE_BITS + 2)).checked_div(u128::from(norm)).unwrap_or(0);
    square.isqrt().div_ceil(2) as u32
}

fn norm_squared(components: &[i8]) -> u32 {
    components.iter().map(|&x| u32::from(x.unsigned_abs()).pow(2)).sum()
}

/// To the nearest integer, halves away from zero.
fn round(x: f64) -> i8 {
    (x + 0.5f64.copysign(x)) as i8
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| match b {
        b'0'..=b'9' => Some(b - b'0'),
        b'a'..=b'f' => Some(b - b'a' + 10),
        _ => None,
    };
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn no_opinion() {
        for bad in
            [vec![0.0; 3], vec![1.0, f32::NAN], vec![f32::INFINITY, 1.0], vec![], vec![1.0; MAX_DIMS + 1]]
        {
            let zero = Quantized::of(&bad);
            assert!(zero.is_zero() && zero.components().iter().all(|&x| x == 0));
            assert_eq!(zero.dims(), bad.len());
            assert_eq!(zero.cosine(&zero), 0);
        }
        assert_eq!(Quantized::of(&[1.0, 0.0]).cosine(&Quantized::of(&[1.0])), 0);
        assert!(!Quantized::of(&[f32::MIN_POSITIVE / 8.0]).is_zero());
        assert!(!Quantized::of(&[f32::MAX, -f32::MAX]).is_zero());
    }

    #[test]
    fn the_largest_vectors_still_fit() {
        for dims in [1, 2, 255, MAX_DIMS] {
            let ones = Quantized::of(&vec![1.0; dims]);
            let minus = Quantized::of(&vec![-1.0; dims]);
            assert_eq!(ones.cosine(&ones), 1_000_000);
            assert_eq!(ones.cosine(&minus), -1_000_000);
        }
    }

    #[test]
    fn bytes_that_nobody_wrote_are_refused() {
        assert_eq!(Quantized::from_bytes(&[128]), None);
        assert_eq!(Quantized::from_bytes(&[1, 2]), None);
        assert_eq!(Quantized::from_bytes(&vec![127; MAX_DIMS + 1]), None);
        for bad in ["\"7\"", "\"7F\"", "\"é\"", "\"80\"", "\"01\"", "7"] {
            assert!(serde_json::from_str::<Quantized>(bad).is_err(), "{bad}");
        }
        let json = serde_json::to_string(&Quantized::of(&[1.0, -1.0, 0.0])).unwrap();
        assert_eq!(json, "\"7f8100\"");
    }

    /// The true cosine of the components, in millionths.
    fn truth(a: &Quantized, b: &Quantized) -> f64 {
        let dot: i64 =
            a.components().iter().zip(b.components()).map(|(&x, &y)| i64::from(x) * i64::from(y)).sum();
        dot as f64 * 1e6 / (libm::sqrt(f64::from(a.norm_squared())) * libm::sqrt(f64::from(b.norm_squared())))
    }

    fn pair() -> impl Strategy<Value = (Vec<f32>, Vec<f32>)> {
        (1usize..600).prop_flat_map(|n| {
            let one = || prop::collection::vec(-1.0f32..1.0, n);
            (one(), one())
        })
    }

    proptest! {
        #[test]
        fn cosines_are_right_to_a_millionth((a, b) in pair()) {
            let (a, b) = (Quantized::of(&a), Quantized::of(&b));
            prop_assume!(!a.is_zero() && !b.is_zero());
            prop_assert!((f64::from(a.cosine(&b)) - truth(&a, &b)).abs() <= 1.0);
            prop_assert_eq!(a.cosine(&b), b.cosine(&a));
            prop_assert_eq!(a.cosine(&a), 1_000_000);
            let negated: Vec<f32> = b.components().iter().map(|&x| -f32::from(x)).collect();
            prop_assert_eq!(a.cosine(&Quantized::of(&negated)), -a.cosine(&b));
        }

        #[test]
        fn writing_is_stable_and_scale_free(v in prop::collection::vec(-1.0f32..1.0, 0..300), power in -20i32..20) {
            let q = Quantized::of(&v);
            let again: Vec<f32> = q.components().iter().map(|&x| f32::from(x)).collect();
            prop_assert_eq!(&Quantized::of(&again), &q);
            let scaled: Vec<f32> = v.iter().map(|x| x * 2.0f32.powi(power)).collect();
            prop_assert_eq!(&Quantized::of(&scaled), &q);
            prop_assert_eq!(&Quantized::from_bytes(&q.to_bytes()), &Some(q.clone()));
            let json = serde_json::to_string(&q).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Quantized>(&json).unwrap(), &q);
        }

        #[test]
        fn any_floats_and_any_bytes(v in prop::collection::vec(any::<f32>(), 0..20), b in any::<Vec<u8>>()) {
            let q = Quantized::of(&v);
            prop_assert_eq!(q.is_zero(), q.components().iter().all(|&x| x == 0));
            if let Some(q) = Quantized::from_bytes(&b) {
                prop_assert_eq!(q.to_bytes(), b);
            }
        }
    }
}

//! The little statistics that decisions need: how sure a share of few cases is.
//!
//! Decides nothing. Shares are in millionths, intervals are Wilson's.

const ONE: f64 = 1_000_000.0;
/// Of an interval that holds 95 %.
const Z: f64 = 1.96;
/// Of an interval that holds 80 %: what lies above it does so nine times in ten.
pub(crate) const CLEARLY: f64 = 1.28;

/// Between which shares the true one lies in 95 % of cases, having seen `hits` of `all`.
pub(crate) fn wilson(hits: u64, all: u64) -> (i64, i64) {
    interval(hits, all, Z)
}

/// Between which shares the true one lies, as sure as `z` standard deviations; everything where nothing was seen.
pub(crate) fn interval(hits: u64, all: u64, z: f64) -> (i64, i64) {
    if all == 0 {
        return (0, ONE as i64);
    }
    let n = all as f64;
    let p = hits.min(all) as f64 / n;
    let square = z * z;
    let middle = p + square / (2.0 * n);
    let spread = z * libm::sqrt(p * (1.0 - p) / n + square / (4.0 * n * n));
    let share = |x: f64| (x / (1.0 + square / n)).clamp(0.0, 1.0) * ONE;
    (share(middle - spread) as i64, share(middle + spread) as i64)
}

/// The share itself.
pub(crate) fn share(hits: u64, all: u64) -> i64 {
    if all == 0 { 0 } else { (hits.min(all) as f64 / all as f64 * ONE) as i64 }
}

/// By how much the first share lies above the second: the ends of the interval and the value (Newcombe's method).
pub(crate) fn difference(a: (u64, u64), b: (u64, u64)) -> (i64, i64, i64) {
    let (p, q) = (share(a.0, a.1), share(b.0, b.1));
    let ((p_low, p_high), (q_low, q_high)) = (wilson(a.0, a.1), wilson(b.0, b.1));
    let root = |x: i64, y: i64| libm::sqrt((x * x + y * y) as f64) as i64;
    let value = p - q;
    (value - root(p - p_low, q_high - q), value, value + root(p_high - p, q - q_low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_intervals() {
        // Wilson 95 % of 8 of 10 is 0.490 to 0.943; of 0 of 10 it is 0 to 0.278.
        let (low, high) = wilson(8, 10);
        assert!((489_000..491_500).contains(&low) && (942_000..944_500).contains(&high), "{low} {high}");
        assert_eq!(wilson(0, 10).0, 0);
        assert_eq!(wilson(0, 0), (0, 1_000_000));
        // Newcombe (1998), 56 of 70 less 48 of 80: 0.2, from 0.0524 to 0.3339.
        let (low, value, high) = difference((56, 70), (48, 80));
        assert_eq!(value, 200_000);
        assert!((52_000..53_000).contains(&low) && (333_000..335_000).contains(&high), "{low} {high}");
    }

    proptest! {
        #[test]
        fn the_share_lies_inside(all in 1u64..10_000, part in 0.0f64..=1.0) {
            let hits = (all as f64 * part) as u64;
            let (low, high) = wilson(hits, all);
            prop_assert!(low <= share(hits, all) + 1 && share(hits, all) <= high + 1);
        }
    }
}

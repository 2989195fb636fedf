//! Everything ambient, by value: the time, the seed of ids, and the names of moments and versions.
//!
//! Decides how ids are made. Never reads a clock or a random source: both come from the host with each call.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::time;

/// A moment in UTC, in milliseconds since 1970. On the wire: RFC 3339, `2026-05-01T09:30:00.000Z`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The length of a day in milliseconds.
    pub const DAY: i64 = 86_400_000;

    /// Days from `earlier` to `self`; 0 when `earlier` lies ahead, so a clock that jumped back ages nothing.
    pub fn days_since(self, earlier: Self) -> f64 {
        self.0.saturating_sub(earlier.0).max(0) as f64 / Self::DAY as f64
    }

    /// Reads RFC 3339 with any offset, or a date alone (its first moment in UTC).
    pub fn parse(text: &str) -> Option<Self> {
        let day = || (text.len() == 10).then(|| time::parse(&format!("{text}T00:00:00Z"))).flatten();
        time::parse(text).or_else(day).map(Self)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        time::write(f, self.0)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to_string())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(format!("not an RFC 3339 time: {text:?}")))
    }
}

/// The number of commits a space has seen. A store starts at 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub u64);

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; 16]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(core::str::from_utf8(&hex32(self.0)).unwrap_or_default())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = &'static str;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                hex16(text).map(Self).ok_or("an id is 32 hexadecimal digits")
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&self.to_string())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(D::Error::custom)
            }
        }
    };
}

id! {
    /// Names a record for as long as it exists, in every host and export.
    RecordId
}
id! {
    /// Names one operation: a retry after a lost answer carries the same id and changes nothing.
    OpId
}

fn hex32(bytes: [u8; 16]) -> [u8; 32] {
    let digit = |value: u8| value + if value < 10 { b'0' } else { b'a' - 10 };
    let mut out = [0; 32];
    for (pair, byte) in out.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
    out
}

fn hex16(text: &str) -> Option<[u8; 16]> {
    let digits = text.as_bytes();
    let mut out = [0; 16];
    if digits.len() != 32 {
        return None;
    }
    for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(out)
}

/// What a host gives with each operation in place of a clock and a random source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Env {
    /// The time of the operation.
    pub now: Timestamp,
    /// 16 bytes never used before, as 32 hexadecimal digits on the wire. Every id of the operation comes from it.
    pub seed: Seed,
}

id! {
    /// The seed of one operation's ids.
    Seed
}

impl Env {
    /// The id of the operation itself.
    pub fn op_id(&self) -> OpId {
        OpId(self.derive("op", 0))
    }

    /// The id of the `n`-th record that the operation creates.
    pub fn record_id(&self, n: u64) -> RecordId {
        RecordId(self.derive("record", n))
    }

    fn derive(&self, what: &str, n: u64) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.seed.0).update(what.as_bytes()).update(&n.to_le_bytes());
        let mut out = [0; 16];
        hasher.finalize_xof().fill(&mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_survive_the_wire_and_read_offsets() {
        let at = Timestamp::parse("2026-02-10T23:57:54.684+01:00").expect("valid");
        assert_eq!(at.to_string(), "2026-02-10T22:57:54.684Z");
        assert_eq!(Timestamp::parse(&at.to_string()), Some(at));
        assert_eq!(
            Timestamp::parse("2026-02-10").map(|t| t.to_string()).as_deref(),
            Some("2026-02-10T00:00:00.000Z")
        );
        assert_eq!(Timestamp::parse("yesterday"), None);
    }

    #[test]
    fn a_clock_that_jumped_back_ages_nothing() {
        assert!(Timestamp(0).days_since(Timestamp(Timestamp::DAY)).abs() < f64::EPSILON);
    }

    #[test]
    fn ids_differ_by_kind_and_number_and_repeat_by_seed() {
        let env = Env { now: Timestamp(0), seed: Seed([7; 16]) };
        assert_eq!(env.record_id(1), env.record_id(1));
        assert_ne!(env.record_id(1), env.record_id(2));
        assert_ne!(env.record_id(0).0, env.op_id().0);
        assert_eq!(env.record_id(1).to_string().parse(), Ok(env.record_id(1)));
    }
}

//! Numbers and texts in the bytes that indexes are saved as: little endian, lengths first.
//!
//! Total: what is too short is `None`.

use alloc::string::String;
use alloc::vec::Vec;

/// Bytes that are read from the front.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(head)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        core::str::from_utf8(self.take(length)?).ok().map(String::from)
    }

    /// A list with its length first.
    pub(crate) fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.u32()? as usize;
        // No more room than there are bytes: the length may be anything.
        let mut out = Vec::with_capacity(length.min(self.rest.len()));
        for _ in 0..length {
            out.push(read(self)?);
        }
        Some(out)
    }

    /// So many words of `N` bytes, in place.
    pub(crate) fn words<const N: usize>(&mut self, count: usize) -> Option<&'a [[u8; N]]> {
        self.take(count.checked_mul(N)?).map(|bytes| bytes.as_chunks().0)
    }

    /// All that has not been read.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }
}

pub(crate) fn put_u32(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}

pub(crate) fn put_u64(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_u32(out, text.len() as u32);
    out.extend(text.as_bytes());
}

pub(crate) fn put_list<T>(out: &mut Vec<u8>, items: &[T], mut put: impl FnMut(&mut Vec<u8>, &T)) {
    put_u32(out, items.len() as u32);
    for item in items {
        put(out, item);
    }
}

/// 64 bits that change with any change of the bytes: quick, and no protection against anyone who may write the store.
///
/// Four lanes side by side; each step is one to one in the word it takes, so that no single change goes unnoticed.
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |lane: u64, word: u64| {
        let mixed = (lane ^ word).wrapping_mul(FACTOR);
        mixed ^ mixed >> 29
    };
    let mut lanes = [1u64, 2, 3, 4];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        let [a, b, c, d] = lanes;
        if let [w, x, y, z] = *block.as_chunks::<8>().0 {
            let word = u64::from_le_bytes;
            lanes = [step(a, word(w)), step(b, word(x)), step(c, word(y)), step(d, word(z))];
        }
    }
    let length = step(5, bytes.len() as u64);
    let tail = rest.iter().fold(length, |lane, byte| step(lane, u64::from(*byte)));
    lanes.into_iter().fold(tail, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn a_byte_that_equals_the_length_is_not_lost() {
        assert_ne!(sum(&[1]), sum(&[]));
        assert_ne!(sum(&[2, 2]), sum(&[2]));
    }

    proptest! {
        #[test]
        fn any_changed_byte_changes_the_sum(
            bytes in prop::collection::vec(any::<u8>(), 1..200),
            at in any::<usize>(),
            by in 1u8..,
        ) {
            let mut other = bytes.clone();
            let at = at % bytes.len();
            other[at] ^= by;
            prop_assert_ne!(sum(&bytes), sum(&other));
            prop_assert_ne!(sum(&bytes), sum(&bytes[..at]));
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let mut reader = Reader::new(&bytes);
            while reader.text().is_some() && reader.list(Reader::u64).is_some() {}
            prop_assert!(reader.rest.len() <= bytes.len());
        }
    }

    #[test]
    fn what_is_put_is_read() {
        let mut out = Vec::new();
        put_text(&mut out, "wört");
        put_list(&mut out, &[1, 2], |out, n| put_u64(out, *n));
        let mut reader = Reader::new(&out);
        assert_eq!(reader.text().as_deref(), Some("wört"));
        assert_eq!(reader.list(Reader::u64), Some(vec![1, 2]));
        assert!(reader.is_at_end() && reader.u8().is_none());
    }
}

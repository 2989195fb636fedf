//! Rows as bytes: a space that goes from one instance to another.
//!
//! Decides the form. What was not written as a whole by this very form is told, and never read in part. The bytes stay
//! as they came: a row is looked up in them by its key.

use alloc::vec::Vec;
use core::ops::Range;
use core::str;

use super::rows::Span;
use crate::bytes::{Reader, put_u32, put_u64, sum};
use crate::env::Revision;
use crate::error::Error;

const MAGIC: &[u8; 4] = b"HWSN";
/// Counted up when the rows or the bytes below mean something else.
const FORMAT: u32 = 2;
/// Magic, format, checksum of all that follows.
const CHECKED: usize = 4 + 4 + 8;
/// And how many rows there are, the length of the image, and its revision.
const HEAD: usize = CHECKED + 4 + 4 + 8;
/// Where the key begins and where the value, counted from the first key.
const ENTRY: usize = 4 + 4;

/// Rows in the order of their keys: an entry for each, then all keys and values one behind the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Packed {
    bytes: Vec<u8>,
    len: usize,
}

/// The bytes of rows, which are in the order of their keys, and of an image.
pub(super) fn to_bytes(rows: &[(&str, &str)], image: Option<(Revision, &[u8])>) -> Vec<u8> {
    let (rev, image) = image.unwrap_or_default();
    let texts: usize = rows.iter().map(|(key, value)| key.len() + value.len()).sum();
    let mut out = Vec::with_capacity(HEAD + rows.len() * ENTRY + texts + image.len());
    out.extend(MAGIC);
    put_u32(&mut out, FORMAT);
    put_u64(&mut out, 0);
    put_u32(&mut out, rows.len() as u32);
    put_u32(&mut out, image.len() as u32);
    put_u64(&mut out, rev.0);
    let mut at = 0;
    for (key, value) in rows {
        put_u32(&mut out, at as u32);
        put_u32(&mut out, (at + key.len()) as u32);
        at += key.len() + value.len();
    }
    for (key, value) in rows {
        out.extend(key.as_bytes());
        out.extend(value.as_bytes());
    }
    out.extend(image);
    if let Some((head, rest)) = out.split_at_mut_checked(CHECKED)
        && let Some(place) = head.last_chunk_mut()
    {
        *place = sum(rest).to_le_bytes();
    }
    out
}

/// Rows, and the image that lies beside them with its revision.
type Opened = (Packed, Option<(Revision, Vec<u8>)>);

/// The rows in these bytes, and the bytes of the image with its revision.
pub(super) fn from_bytes(bytes: Vec<u8>) -> Result<Opened, Error> {
    let mut head = Reader::new(&bytes);
    if head.take(4) != Some(MAGIC) {
        return Err(Error::corrupt("these bytes are no snapshot of a space"));
    }
    if head.u32() != Some(FORMAT) {
        return Err(Error::Incompatible {
            message: "this snapshot is of another version of hardwon; an export goes from one to another"
                .into(),
        });
    }
    if head.u64() != Some(sum(head.rest())) {
        return Err(damaged());
    }
    parts(bytes).ok_or_else(damaged)
}

fn parts(mut bytes: Vec<u8>) -> Option<Opened> {
    let mut head = Reader::new(bytes.get(CHECKED..)?);
    let (len, image, rev) = (head.u32()? as usize, head.u32()? as usize, Revision(head.u64()?));
    let image = bytes.split_off(bytes.len().checked_sub(image)?);
    let packed = Packed { bytes, len };
    packed.is_sound().then(|| (packed, (!image.is_empty()).then_some((rev, image))))
}

pub(super) fn damaged() -> Error {
    Error::corrupt("the snapshot is damaged; take another one")
}

impl Packed {
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The numbers of the rows whose keys lie in a span.
    pub(super) fn range(&self, span: &Span) -> Range<usize> {
        let before =
            |key: &str| self.entries().partition_point(|entry| self.key(*entry) < Some(key.as_bytes()));
        before(&span.0)..before(&span.1)
    }

    /// The key and the value of a row.
    pub(super) fn row(&self, at: usize) -> Option<(&str, &str)> {
        let entry = *self.entries().get(at)?;
        let end = self.entries().get(at + 1).map_or(self.texts().len(), |next| place(*next).0);
        let value = self.texts().get(place(entry).1..end)?;
        Some((str::from_utf8(self.key(entry)?).ok()?, str::from_utf8(value).ok()?))
    }

    /// Whether each entry is of a key and a value, and the keys are in their order.
    fn is_sound(&self) -> bool {
        let (entries, texts) = (self.entries(), self.texts());
        let ends = entries.iter().skip(1).map(|next| place(*next).0).chain([texts.len()]);
        let fits = entries.iter().zip(ends).all(|(entry, end)| {
            let (key, value) = place(*entry);
            key < value && value <= end
        });
        let first = entries.first().is_none_or(|first| place(*first).0 == 0);
        let has_order = entries.is_sorted_by(|one, other| self.key(*one) < self.key(*other));
        entries.len() == self.len && (self.len > 0 || texts.is_empty()) && first && fits && has_order
    }

    fn entries(&self) -> &[[u8; ENTRY]] {
        let entries = self.bytes.get(HEAD..).and_then(|rest| rest.get(..self.len.checked_mul(ENTRY)?));
        entries.map(|entries| entries.as_chunks().0).unwrap_or_default()
    }

    fn texts(&self) -> &[u8] {
        self.bytes.get(HEAD..).and_then(|rest| rest.get(self.len.checked_mul(ENTRY)?..)).unwrap_or_default()
    }

    fn key(&self, entry: [u8; ENTRY]) -> Option<&[u8]> {
        let (key, value) = place(entry);
        self.texts().get(key..value)
    }
}

/// Where the key and where the value of an entry begin.
const fn place(entry: [u8; ENTRY]) -> (usize, usize) {
    let [a, b, c, d, e, f, g, h] = entry;
    (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes([e, f, g, h]) as usize)
}

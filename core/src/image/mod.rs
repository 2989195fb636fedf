//! The image of a space: what its indexes hold of each record, so that opening need not read the records.
//!
//! Derived from the records and never a second truth: a store gives it for the records alone that have not changed
//! since it was made, and an image of another build, or one that is not as it was written, is none. Records are not in
//! it.

mod bytes;
mod cue;
mod facts;

use alloc::sync::Arc;
use alloc::vec::Vec;

use self::bytes::{Reader, put_u32, put_u64, sum};
use crate::env::RecordId;

pub use cue::Cue;
pub(crate) use facts::{Facts, key_hash};

/// Counted up when the bytes below mean something else.
const FORMAT: u32 = 1;
const MAGIC: &[u8; 4] = b"HWIM";
/// Magic, format, mark of the build, checksum of all that follows.
const CHECKED: usize = 4 + 4 + 8 + 8;
/// All before the rows: the number of entries too.
const HEAD: usize = CHECKED + 4;
/// Id, where the entry ends.
const ROW: usize = 16 + 4;

/// What the indexes hold of the records of a space, read in place: rows sorted by id, then their entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    bytes: Arc<[u8]>,
    rows: usize,
}

/// What an image says of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    image: Image,
    row: usize,
}

impl Image {
    /// The name under which a store keeps it.
    pub const NAME: &'static str = "image";

    /// The image in these bytes, if this build wrote them and they are whole.
    pub fn read(bytes: Vec<u8>) -> Option<Self> {
        let mut head = Reader::new(bytes.get(..HEAD)?);
        let is_ours = head.take(4)? == MAGIC && head.u32()? == FORMAT && head.u64()? == facts::build();
        let is_whole = head.u64()? == sum(bytes.get(CHECKED..)?);
        let rows = head.u32()? as usize;
        let is_whole = is_whole && rows.checked_mul(ROW)? <= bytes.len() - HEAD;
        (is_ours && is_whole).then(|| Self { bytes: bytes.into(), rows })
    }

    /// Its entries, in the order of ids.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.rows).map(|row| Entry { image: self.clone(), row })
    }

    fn field(&self, row: usize, at: usize) -> Option<Reader<'_>> {
        let start = HEAD + row * ROW + at;
        self.bytes.get(start..HEAD + self.rows * ROW).map(Reader::new)
    }

    /// Where the entry before this row ends; 0 for the first.
    fn start(&self, row: usize) -> Option<usize> {
        row.checked_sub(1).map_or(Some(0), |before| self.end(before))
    }

    fn end(&self, row: usize) -> Option<usize> {
        self.field(row, 16)?.u32().map(|end| end as usize)
    }
}

impl Entry {
    /// The record.
    pub fn id(&self) -> RecordId {
        let id = || self.image.field(self.row, 0)?.take(16)?.try_into().ok();
        RecordId(id().unwrap_or_default())
    }

    fn bytes(&self) -> Option<&[u8]> {
        let entries = self.image.bytes.get(HEAD + self.image.rows * ROW..)?;
        entries.get(self.image.start(self.row)?..self.image.end(self.row)?)
    }

    /// What it says; `None` where it is none of ours.
    pub(crate) fn facts(&self) -> Option<Facts> {
        Facts::from_bytes(self.bytes()?)
    }
}

/// An image in the making.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    rows: Vec<(RecordId, Vec<u8>)>,
}

impl Draft {
    /// Takes an entry over.
    pub(crate) fn keep(&mut self, entry: &Entry) {
        self.rows.extend(entry.bytes().map(|bytes| (entry.id(), bytes.into())));
    }

    /// Adds what the indexes hold of a record.
    pub(crate) fn add(&mut self, id: RecordId, facts: &Facts) {
        self.rows.push((id, facts.to_bytes()));
    }

    /// The bytes of the image.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.rows.sort_unstable_by_key(|(id, ..)| *id);
        let mut rest = Vec::new();
        put_u32(&mut rest, self.rows.len() as u32);
        let mut end = 0;
        for (id, entry) in &self.rows {
            end += entry.len();
            rest.extend(id.0);
            put_u32(&mut rest, end as u32);
        }
        rest.extend(self.rows.iter().flat_map(|(.., entry)| entry));
        let mut out = Vec::from(MAGIC);
        put_u32(&mut out, FORMAT);
        put_u64(&mut out, facts::build());
        put_u64(&mut out, sum(&rest));
        out.append(&mut rest);
        out
    }
}

#[cfg(test)]
mod tests;

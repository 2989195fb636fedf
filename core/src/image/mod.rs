//! The image of a space: its indexes as bytes, so that opening reads no record and builds nothing.
//!
//! Derived from the records and never a second truth: what has changed since it was made is put over it, and an image
//! of another build, or one that is not as it was written, is none. No record is in it.

mod cue;
mod facts;
mod mark;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bytes::{Reader, put_list, put_text, put_u32, put_u64, sum};
use crate::change::RunMark;
use crate::env::RecordId;
use crate::sort;
use crate::text::LexicalIndex;
use crate::vector::FlatIndex;

pub use cue::Cue;
pub(crate) use facts::{Facts, Words, key_hash, name_hash};

/// Counted up when the bytes below mean something else.
const FORMAT: u32 = 3;
const MAGIC: &[u8; 4] = b"HWIM";
/// Magic, format, mark of the build, checksum of all that follows.
const CHECKED: usize = 4 + 4 + 8 + 8;
/// All before the parts: the number of entries and where each part ends.
const HEAD: usize = CHECKED + 4 + 4 * PARTS;
/// Rows, entries, vectors, runs, words of texts, words of tasks.
const PARTS: usize = 6;
/// Id, where the entry ends.
const ROW: usize = 16 + 4;

/// The indexes of a space, read in place: rows sorted by id, their entries, and what is looked up in all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    bytes: Arc<Vec<u8>>,
    len: usize,
    /// Where each part ends, the first beginning after the head.
    ends: [usize; PARTS],
}

/// What an image says of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    image: Image,
    row: usize,
}

/// The dense index of an image, and whose vectors are in it.
#[derive(Debug)]
pub(crate) struct Dense {
    pub(crate) embedder: String,
    pub(crate) vectors: FlatIndex,
    /// Rows whose text the embedder has no opinion on.
    pub(crate) mute: Vec<u32>,
}

impl Image {
    /// The name under which a store keeps it.
    pub const NAME: &'static str = "image";

    /// The image in these bytes, if this build wrote them and they are whole.
    pub fn read(bytes: Vec<u8>) -> Option<Self> {
        let mut head = Reader::new(bytes.get(..HEAD)?);
        let is_ours = head.take(4)? == MAGIC && head.u32()? == FORMAT && head.u64()? == facts::build();
        let is_whole = head.u64()? == sum(bytes.get(CHECKED..)?);
        if !is_ours || !is_whole {
            return None;
        }
        let len = head.u32()? as usize;
        let mut ends = [HEAD; PARTS];
        for end in &mut ends {
            *end = HEAD.checked_add(head.u32()? as usize)?;
        }
        let fits =
            ends.is_sorted() && ends.last() == Some(&bytes.len()) && len.checked_mul(ROW)? == ends[0] - HEAD;
        fits.then(|| Self { bytes: Arc::new(bytes), len, ends })
    }

    /// Its bytes, as they were read.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many records it knows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it knows no record.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether it knows a record.
    pub fn has(&self, id: RecordId) -> bool {
        self.rows().binary_search_by(|row| row[..16].cmp(&id.0)).is_ok()
    }

    /// Its entries, in the order of ids.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.len).map(|row| Entry { image: self.clone(), row })
    }

    /// The embedder whose vectors are in it; empty for none.
    pub fn embedder(&self) -> String {
        Reader::new(self.part(2)).text().unwrap_or_default()
    }

    /// The vectors of its entries, in their order.
    pub(crate) fn dense(&self) -> Option<Dense> {
        let mut from = Reader::new(self.part(2));
        let embedder = from.text()?;
        let mute = from.list(Reader::u32)?;
        Some(Dense { embedder, mute, vectors: FlatIndex::from_bytes(from.rest(), self.len)? })
    }

    /// How much of each session had been read.
    pub(crate) fn runs(&self) -> Option<Vec<RunMark>> {
        let mut from = Reader::new(self.part(3));
        let runs = from.list(mark::read)?;
        from.is_at_end().then_some(runs)
    }

    /// The lexical index over texts, its documents numbered as the entries.
    pub(crate) fn text(&self) -> Option<LexicalIndex> {
        LexicalIndex::from_bytes(self.part(4), self.len)
    }

    /// The lexical index over tasks, likewise.
    pub(crate) fn tasks(&self) -> Option<LexicalIndex> {
        LexicalIndex::from_bytes(self.part(5), self.len)
    }

    fn part(&self, n: usize) -> &[u8] {
        let range = |n: usize| -> Option<Range<usize>> {
            let start = n.checked_sub(1).map_or(Some(HEAD), |before| self.ends.get(before).copied())?;
            Some(start..*self.ends.get(n)?)
        };
        range(n).and_then(|range| self.bytes.get(range)).unwrap_or_default()
    }

    fn rows(&self) -> &[[u8; ROW]] {
        self.part(0).as_chunks().0
    }

    /// Where the entry of a row ends.
    fn end(&self, row: usize) -> Option<usize> {
        let [.., a, b, c, d] = *self.rows().get(row)?;
        Some(u32::from_le_bytes([a, b, c, d]) as usize)
    }
}

impl Entry {
    /// The record.
    pub fn id(&self) -> RecordId {
        let id = || self.image.rows().get(self.row)?.first_chunk().copied();
        RecordId(id().unwrap_or_default())
    }

    fn bytes(&self) -> Option<&[u8]> {
        let start = self.row.checked_sub(1).map_or(Some(0), |before| self.image.end(before))?;
        self.image.part(1).get(start..self.image.end(self.row)?)
    }

    /// What it says; `None` where it is none of ours.
    pub(crate) fn facts(&self) -> Option<Facts> {
        Facts::from_bytes(&mut Reader::new(self.bytes()?))
    }

    /// The words by which it is found.
    pub(crate) fn words(&self) -> Option<Words> {
        let mut from = Reader::new(self.bytes()?);
        Facts::from_bytes(&mut from)?;
        Words::from_bytes(&mut from).filter(|_| from.is_at_end())
    }
}

/// An image in the making.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    id: RecordId,
    slot: u32,
    entry: Vec<u8>,
}

/// What of an image is about all of its records: the indexes of a view, by slot.
pub(crate) struct Indexes<'a> {
    pub(crate) embedder: &'a str,
    pub(crate) vectors: &'a FlatIndex,
    pub(crate) is_mute: &'a dyn Fn(u32) -> bool,
    pub(crate) runs: Vec<&'a RunMark>,
    pub(crate) text: &'a LexicalIndex,
    pub(crate) tasks: &'a LexicalIndex,
}

impl Draft {
    /// Takes an entry over for the record in this slot.
    pub(crate) fn keep(&mut self, slot: u32, entry: &Entry) {
        self.rows.extend(entry.bytes().map(|bytes| Row { id: entry.id(), slot, entry: bytes.into() }));
    }

    /// Adds what the indexes hold of the record in this slot.
    pub(crate) fn add(&mut self, slot: u32, id: RecordId, facts: &Facts, words: &Words) {
        let mut entry = facts.to_bytes();
        words.put(&mut entry);
        self.rows.push(Row { id, slot, entry });
    }

    /// The bytes of the image.
    pub(crate) fn finish(mut self, indexes: &Indexes<'_>) -> Vec<u8> {
        sort::sort_by_key(&mut self.rows, |row| row.id);
        let slots: Vec<u32> = self.rows.iter().map(|row| row.slot).collect();
        let parts: [Vec<u8>; PARTS] = [
            self.directory(),
            self.rows.iter().flat_map(|row| &row.entry).copied().collect(),
            dense(indexes, &slots),
            runs(&indexes.runs),
            indexes.text.to_bytes(&slots),
            indexes.tasks.to_bytes(&slots),
        ];
        let mut rest = Vec::new();
        put_u32(&mut rest, self.rows.len() as u32);
        let mut end = 0;
        for part in &parts {
            end += part.len();
            put_u32(&mut rest, end as u32);
        }
        rest.extend(parts.concat());
        let mut out = Vec::from(MAGIC);
        put_u32(&mut out, FORMAT);
        put_u64(&mut out, facts::build());
        put_u64(&mut out, sum(&rest));
        out.append(&mut rest);
        out
    }

    fn directory(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut end = 0;
        for row in &self.rows {
            end += row.entry.len();
            out.extend(row.id.0);
            put_u32(&mut out, end as u32);
        }
        out
    }
}

fn dense(indexes: &Indexes<'_>, slots: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    put_text(&mut out, indexes.embedder);
    let rows = (0u32..).zip(slots);
    let mute: Vec<u32> = rows.filter(|(_, slot)| (indexes.is_mute)(**slot)).map(|(row, _)| row).collect();
    put_list(&mut out, &mute, |out, row| put_u32(out, *row));
    out.append(&mut indexes.vectors.to_bytes(slots));
    out
}

fn runs(marks: &[&RunMark]) -> Vec<u8> {
    let mut out = Vec::new();
    put_list(&mut out, marks, |out, one| mark::put(out, one));
    out
}

#[cfg(test)]
mod tests;

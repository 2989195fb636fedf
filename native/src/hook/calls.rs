//! The index of calls: which records may speak at a call of which shape, and how often such calls failed.
//!
//! Derived from the view, kept beside the log at exactly one revision, rebuilt where it is missing. Never decides who
//! speaks: `guard` does, on the records found.

use hardwon_core::change::{RunMark, ShapeCount};
use hardwon_core::env::{RecordId, Revision};
use hardwon_core::error::Error;
use hardwon_core::guard::tries_of;
use hardwon_core::learn::Shape;
use hardwon_core::record::{Kind, Record, Status, Subtype, TextKey};
use hardwon_core::view::{Tries, View};

use crate::memory::Memory;
use crate::store::Store;

/// The name of the cache, with the version of its form.
const NAME: &str = "calls.2";
/// Bytes of a lesson: key, id, two times three counts.
const ROW: usize = 8 + 16 + 6 * 4;
/// Bytes of the number of lessons at the front.
const HEAD: usize = 4;

/// The index, read in place: sorted rows of lessons, then sorted keys of tools that a person has taught about.
#[derive(Debug)]
pub(super) struct CallIndex {
    bytes: Vec<u8>,
    rows: usize,
}

/// A record that may speak at a call, with what is known of such calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) id: RecordId,
    /// Of calls of its shape.
    own: Tries,
    /// Of calls of its group of tools.
    group: Tries,
}

impl CallIndex {
    /// The index at this revision, if one is kept and whole.
    pub(super) fn load(store: &mut impl Store, space: &str, rev: Revision) -> Result<Option<Self>, Error> {
        Ok(store.cache_get(space, NAME, rev)?.and_then(Self::of))
    }

    fn of(bytes: Vec<u8>) -> Option<Self> {
        let rows = u32::from_le_bytes(*bytes.first_chunk::<HEAD>()?) as usize;
        let rest = bytes.len().checked_sub(HEAD + rows.checked_mul(ROW)?)?;
        rest.is_multiple_of(8).then_some(Self { bytes, rows })
    }

    /// The index of a view.
    fn of_view(view: &View) -> Self {
        let mut lessons: Vec<[u8; ROW]> = Vec::new();
        let mut tools: Vec<[u8; 8]> = Vec::new();
        let speaks = |record: &&Record| record.kind == Kind::Lesson && record.status == Status::Active;
        for record in view.records().filter(speaks) {
            if record.subtype == Subtype::Taught {
                tools.extend(record.tools.iter().map(|tool| TextKey::of(tool).0.to_be_bytes()));
            } else {
                let (own, group) = (tries_of(view, record), view.tries(group_of(record)));
                lessons.extend(record.triggers().map(|shape| row(record, shape, own, group)));
            }
        }
        lessons.sort_unstable();
        tools.sort_unstable();
        tools.dedup();
        let mut bytes = Vec::from((lessons.len() as u32).to_le_bytes());
        bytes.extend(lessons.iter().flatten());
        bytes.extend(tools.iter().flatten());
        Self { bytes, rows: lessons.len() }
    }

    /// Whether a person has taught about this tool: such a lesson fits by its meaning, which takes the whole view.
    pub(super) fn is_taught(&self, tool: &str) -> bool {
        let key = TextKey::of(tool).0.to_be_bytes();
        let tools = self.bytes.get(HEAD + self.rows * ROW..).unwrap_or_default();
        tools.as_chunks::<8>().0.binary_search(&key).is_ok()
    }

    /// The records learned from calls of this shape.
    pub(super) fn find(&self, trigger: &str) -> Vec<Found> {
        let key = TextKey::of(trigger).0.to_be_bytes();
        let rows = self.bytes.get(HEAD..HEAD + self.rows * ROW).unwrap_or_default().as_chunks::<ROW>().0;
        let first = rows.partition_point(|row| row[..8] < key[..]);
        rows.iter().skip(first).take_while(|row| row[..8] == key).filter_map(found).collect()
    }
}

/// Saves the index of what a memory has in view.
pub(super) fn save<S: Store>(memory: &mut Memory<S>) -> Result<(), Error> {
    let (rev, bytes) = (memory.view().revision(), CallIndex::of_view(memory.view()).bytes);
    let space = memory.space_name().to_owned();
    memory.store().cache_put(&space, NAME, rev, &bytes)
}

/// A mark that says of calls what all runs together say.
pub(super) fn tries(records: &[Record], found: &[Found]) -> RunMark {
    let mut shapes: Vec<ShapeCount> = Vec::new();
    for record in records {
        let Some(one) = found.iter().find(|one| one.id == record.id) else { continue };
        for (name, tries) in [(record.trigger.as_str(), one.own), (group_of(record), one.group)] {
            let shape = TextKey::of(name);
            if shapes.iter().all(|known| known.shape != shape) {
                let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
                let Tries { calls, failed, runs } = tries;
                let (calls, failed, runs) = (number(calls), number(failed), number(runs));
                shapes.push(ShapeCount { shape, calls, failed, runs });
            }
        }
    }
    RunMark { shapes, ..RunMark::default() }
}

fn group_of(record: &Record) -> &str {
    if record.tool_group.is_empty() { Shape::head_of(&record.trigger) } else { &record.tool_group }
}

fn row(record: &Record, shape: &str, own: Tries, group: Tries) -> [u8; ROW] {
    let mut row = [0; ROW];
    let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
    let key = TextKey::of(shape).0.to_be_bytes();
    let counts = [own.calls, own.failed, own.runs, group.calls, group.failed, group.runs].map(number);
    let parts = key.iter().chain(&record.id.0).chain(counts.as_flattened());
    for (place, byte) in row.iter_mut().zip(parts) {
        *place = *byte;
    }
    row
}

fn found(row: &[u8; ROW]) -> Option<Found> {
    let id = RecordId(*row.get(8..)?.first_chunk()?);
    let number = |at: usize| Some(u64::from(u32::from_le_bytes(*row.get(24 + 4 * at..)?.first_chunk()?)));
    Some(Found {
        id,
        own: Tries { calls: number(0)?, failed: number(1)?, runs: number(2)? },
        group: Tries { calls: number(3)?, failed: number(4)?, runs: number(5)? },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_or_foreign_index_is_none() {
        for bytes in [vec![], vec![1, 0, 0], vec![1, 0, 0, 0], vec![0, 0, 0, 0, 7], vec![255; 64]] {
            assert!(CallIndex::of(bytes.clone()).is_none(), "{bytes:?}");
        }
        let empty = CallIndex::of(vec![0; 4]).expect("an index of nothing");
        assert!(empty.find("x").is_empty() && !empty.is_taught("x"));
    }
}

//! Whether the indexes of a view say what its records say, and indexes made anew of the records.
//!
//! Decides what is in step. Never changes a record.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::View;
use super::held::Held;
use crate::env::RecordId;
use crate::image::{Facts, Words, key_hash};
use crate::record::{Pin, Record};

impl View {
    /// Records that the indexes know otherwise than they are, in the order of their ids. What was looked at in vain is
    /// [wanted](View::wanted), and the answer is whole once that is there.
    pub fn drifted(&self) -> BTreeSet<RecordId> {
        let mut all = BTreeSet::new();
        let (mut texts, mut tasks) = (0, 0);
        for (slot, held) in (0u32..).zip(&self.slots) {
            let Some(record) = held.as_ref().and_then(|held| self.look(held)) else { continue };
            let words = Words::of(record);
            texts += words.text.terms.len();
            tasks += words.tasks.terms.len();
            let is_found = self.text.holds(slot, &words.text) && self.tasks.holds(slot, &words.tasks);
            if !is_found || !self.is_linked(slot, record) || !is_drawn(held.as_ref(), record, &words) {
                all.insert(record.id);
            }
        }
        // Words too many are nobody's: where the sums differ and no record tells, all are doubtful.
        let is_whole = self.lacks() || (self.text.pairs(), self.tasks.pairs()) == (texts, tasks);
        if !is_whole && all.is_empty() {
            all.extend(self.records().map(|record| record.id));
        }
        all
    }

    /// Makes every index anew of the records, where all of these are there; the next image is drawn of them.
    pub(crate) fn renew(&mut self) {
        let mut slots = self.slots.iter().flatten();
        if !slots.all(Held::is_there) {
            return;
        }
        let mut fresh = Self::new(self.embedder.clone());
        for record in self.records() {
            fresh.replace(record.id, Some(record.clone()));
        }
        if let Some(embedder) = &self.embedder {
            for record in self.records() {
                if let Some(vector) = self.vector(record.id) {
                    fresh.set_vector(record.id, embedder, &vector);
                }
            }
        }
        self.runs.values().cloned().for_each(|mark| fresh.set_run(mark));
        fresh.tombstones = core::mem::take(&mut self.tombstones);
        fresh.revision = self.revision;
        *self = fresh;
    }

    /// Whether a record is found by its id, key, group, tools, events and names, and is told of as it is.
    fn is_linked(&self, slot: u32, record: &Record) -> bool {
        let facts = Facts::of(record);
        let has = |list: Option<&Vec<u32>>| list.is_some_and(|list| list.contains(&slot));
        self.ids.get(&record.id) == Some(&slot)
            && has(self.keys.get(&key_hash(&record.scope, &record.key)))
            && self.groups.get(&facts.group).is_some_and(|slots| slots.contains(&slot))
            && facts.tools.iter().all(|tool| self.tools.get(tool).is_some_and(|slots| slots.contains(&slot)))
            && facts.events.iter().all(|key| self.events.contains_key(key))
            && facts.names.iter().all(|name| has(self.names.get(name)))
            && self.pinned.contains(&slot) == (record.pin != Pin::None)
            && self.briefs.get(slot as usize) == Some(&facts.brief)
            && self.cues.get(slot as usize) == Some(&facts.cue)
    }
}

/// Whether the entry in the image that a record came with was made from it.
fn is_drawn(held: Option<&Held>, record: &Record, words: &Words) -> bool {
    held.and_then(Held::entry).is_none_or(|entry| {
        entry.facts().is_some_and(|facts| facts == Facts::of(record)) && entry.words().as_ref() == Some(words)
    })
}

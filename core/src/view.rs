//! The view: one space in memory at one revision, with the indexes that decisions read.
//!
//! Decides how records are found. Never decides what to change: it is moved on by change sets alone.

mod drift;
mod held;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use self::held::Held;
use crate::change::{ChangeSet, Delta, RunMark, ShapeCount, Tombstone, apply};
use crate::env::{RecordId, Revision, Seed};
use crate::error::Error;
use crate::image::{Cue, Draft, Facts, Image, Indexes, Words, key_hash, name_hash};
use crate::record::{Brief, EventKey, Record, Scope, TextKey};
use crate::step::{Commit, Loaded, Row, Snapshot};
use crate::text::LexicalIndex;
use crate::vector::{FlatIndex, Quantized, VectorIndex};

/// How often calls were made and failed, over all runs read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tries {
    /// Calls that are known to have passed or failed.
    pub calls: u64,
    /// Those that failed.
    pub failed: u64,
}

impl Tries {
    fn of(count: ShapeCount) -> Self {
        Self { calls: count.calls.into(), failed: count.failed.into() }
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self { calls: self.calls + other.calls, failed: self.failed + other.failed }
    }

    /// These without some of them.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        Self { calls: self.calls.saturating_sub(part.calls), failed: self.failed.saturating_sub(part.failed) }
    }
}

/// One space at one revision.
#[derive(Debug, Default)]
pub struct View {
    revision: Revision,
    embedder: Option<String>,
    slots: Vec<Option<Held>>,
    briefs: Vec<Brief>,
    cues: Vec<Cue>,
    /// How many records have been linked that no image knows.
    unknown: usize,
    /// Whether a record was looked at that is not there.
    lacks: AtomicBool,
    ids: HashMap<RecordId, u32>,
    keys: HashMap<u64, Vec<u32>>,
    groups: HashMap<String, BTreeSet<u32>>,
    tools: HashMap<String, BTreeSet<u32>>,
    events: HashMap<EventKey, u32>,
    names: HashMap<u64, Vec<u32>>,
    runs: BTreeMap<String, RunMark>,
    chains: HashMap<EventKey, String>,
    shapes: HashMap<TextKey, Tries>,
    tombstones: BTreeSet<Tombstone>,
    text: LexicalIndex,
    tasks: LexicalIndex,
    vectors: FlatIndex,
    /// Slots whose text the embedder has no opinion on: embedded, and in no dense search.
    mute: BTreeSet<u32>,
    pinned: BTreeSet<u32>,
}

impl View {
    /// An empty view whose dense index holds vectors of this embedder alone.
    pub fn new(embedder: Option<String>) -> Self {
        Self { embedder, ..Self::default() }
    }

    /// The revision it stands at.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The record of that id.
    pub fn get(&self, id: RecordId) -> Option<&Record> {
        self.record(*self.ids.get(&id)?)
    }

    /// The record in a slot of the indexes.
    pub fn record(&self, slot: u32) -> Option<&Record> {
        self.look(self.slots.get(slot as usize)?.as_ref()?)
    }

    /// What ranking reads of the record in a slot; the default where there is none.
    pub(crate) fn brief(&self, slot: u32) -> Brief {
        self.briefs.get(slot as usize).copied().unwrap_or_default()
    }

    /// The id of the record in a slot.
    pub fn id(&self, slot: u32) -> Option<RecordId> {
        self.slots.get(slot as usize)?.as_ref()?.id()
    }

    /// What the record in a slot is told by from afar.
    pub fn cue(&self, slot: u32) -> Option<&Cue> {
        self.cues.get(slot as usize)
    }

    /// The slot of a record in the indexes.
    pub fn slot(&self, id: RecordId) -> Option<u32> {
        self.ids.get(&id).copied()
    }

    /// Every record, whatever its status, in the order of slots.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.slots.iter().flatten().filter_map(|held| self.look(held))
    }

    /// How many records there are, whatever their status.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The records of exactly this scope and key.
    pub fn by_key<'a>(&'a self, scope: &'a Scope, key: &'a str) -> impl Iterator<Item = &'a Record> {
        let found = self.keys.get(&key_hash(scope, key)).map_or(&[][..], Vec::as_slice);
        found.iter().filter_map(|&slot| self.record(slot)).filter(move |r| r.scope == *scope && r.key == key)
    }

    /// The records of one tool group, in the order of slots.
    pub fn by_group<'a>(&'a self, group: &str) -> impl Iterator<Item = &'a Record> {
        self.groups.get(group).into_iter().flatten().filter_map(|&slot| self.record(slot))
    }

    /// The tool groups that any record has.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        self.groups.keys().map(String::as_str)
    }

    /// The slots of records that concern this tool.
    pub fn by_tool<'a>(&'a self, tool: &str) -> impl Iterator<Item = u32> + 'a {
        self.tools.get(tool).into_iter().flatten().copied()
    }

    /// The names of tools that any record concerns.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// The slots of facts about this subject, by its [`subject_key`](crate::text::subject_key).
    pub fn by_subject(&self, subject: &str) -> &[u32] {
        self.names.get(&name_hash("subject", subject)).map_or(&[], Vec::as_slice)
    }

    /// The slots of facts that this source says: a reference or an author.
    pub fn by_source(&self, name: &str) -> &[u32] {
        self.names.get(&name_hash("source", name)).map_or(&[], Vec::as_slice)
    }

    /// The record that this event shows, if it has been learned.
    pub fn event_owner(&self, key: EventKey) -> Option<&Record> {
        self.record(*self.events.get(&key)?)
    }

    /// How much of a session has been read.
    pub fn run(&self, session_id: &str) -> Option<&RunMark> {
        self.runs.get(session_id)
    }

    /// Every session that has been read, by its name.
    pub fn runs(&self) -> impl Iterator<Item = &RunMark> {
        self.runs.values()
    }

    /// How often calls of this shape, or of this group of tools, were made and failed.
    pub fn tries(&self, shape: &str) -> Tries {
        self.shapes.get(&TextKey::of(shape)).copied().unwrap_or_default()
    }

    /// How many sessions have been read.
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// The unnamed session whose chain of events holds this key.
    pub fn chain_owner(&self, key: EventKey) -> Option<&RunMark> {
        self.runs.get(self.chains.get(&key)?)
    }

    /// What hard forgets have left.
    pub fn tombstones(&self) -> impl Iterator<Item = &Tombstone> {
        self.tombstones.iter()
    }

    /// The salt of this space's tombstones, once it has any.
    pub fn salt(&self) -> Option<Seed> {
        self.tombstones.first().map(|one| one.salt)
    }

    /// The lexical index over texts, signatures, tools and tags.
    pub fn text_index(&self) -> &LexicalIndex {
        &self.text
    }

    /// The lexical index over the tasks of the runs where a record was learned.
    pub fn task_index(&self) -> &LexicalIndex {
        &self.tasks
    }

    /// The dense index over texts.
    pub fn vector_index(&self) -> &FlatIndex {
        &self.vectors
    }

    /// The vector of a record's text by the view's embedder, if it is stored and has an opinion.
    pub fn vector(&self, id: RecordId) -> Option<Quantized> {
        self.vectors.get(self.slot(id)?)
    }

    /// Whether the view's embedder has seen a record's text.
    pub fn is_embedded(&self, id: RecordId) -> bool {
        self.slot(id).is_some_and(|slot| self.mute.contains(&slot)) || self.vector(id).is_some()
    }

    /// One more than the highest slot in use.
    pub fn slot_count(&self) -> u32 {
        self.slots.len() as u32
    }

    /// The slots of pinned records, whoever holds them.
    pub fn pinned(&self) -> impl Iterator<Item = u32> + '_ {
        self.pinned.iter().copied()
    }

    /// The rows that follow from a change set decided at this revision.
    pub fn rows(&self, set: &ChangeSet) -> Result<Vec<Row>, Error> {
        let mut touched: BTreeMap<RecordId, Option<Record>> = BTreeMap::new();
        for change in &set.changes {
            let record = touched.entry(change.record).or_insert_with(|| self.get(change.record).cloned());
            apply(record, &change.delta)?;
        }
        for record in touched.values_mut().flatten() {
            record.derive(set.promote_at);
            record.updated_at = record.updated_at.max(set.at);
            record.version = record.version.saturating_add(1);
        }
        Ok(touched.into_iter().map(|(id, record)| Row { id, record }).collect())
    }

    /// Moves on to what the store holds.
    pub fn advance(&mut self, loaded: Loaded) -> Result<(), Error> {
        match loaded {
            Loaded::Reset(snapshot) => self.reset(snapshot)?,
            Loaded::Changes { list, rev } => {
                for set in list {
                    let rows = self.rows(&set)?;
                    self.install(Commit { set, rows });
                }
                if self.revision != rev {
                    return Err(Error::protocol(alloc::format!(
                        "the store said revision {} and sent changes up to {}",
                        rev.0,
                        self.revision.0
                    )));
                }
            }
        }
        Ok(())
    }

    /// Takes in a commit that the store has made durable at the next revision.
    pub fn install(&mut self, commit: Commit) {
        let Commit { set, rows } = commit;
        for row in rows {
            self.replace(row.id, row.record);
        }
        for change in &set.changes {
            if let Delta::Vector { embedder, vector } = &change.delta {
                self.set_vector(change.record, embedder, vector);
            }
        }
        for mark in set.runs {
            self.set_run(mark);
        }
        self.tombstones.extend(set.tombstones);
        self.revision = Revision(set.base.0 + 1);
    }

    /// Whether a record was looked at that a store has sealed: what was read off the view is not the whole then.
    pub fn lacks(&self) -> bool {
        self.lacks.load(Ordering::Relaxed)
    }

    /// The records that were looked at and are not there.
    pub fn wanted(&self) -> Vec<RecordId> {
        let held = self.slots.iter().flatten();
        if self.lacks() { held.filter_map(Held::wanted).collect() } else { Vec::new() }
    }

    /// Puts records in that were wanted, as the store has them at this revision.
    pub fn fill(&mut self, records: Vec<Record>) -> Result<(), Error> {
        for record in records {
            let slot = self.ids.get(&record.id).and_then(|&slot| self.slots.get_mut(slot as usize));
            if let Some(held) = slot.and_then(Option::as_mut).filter(|held| !held.is_there()) {
                held.fill(record);
            }
        }
        if let Some(id) = self.wanted().first() {
            return Err(Error::corrupt(alloc::format!("record {id} is in the image and not in the store")));
        }
        self.lacks = AtomicBool::new(false);
        Ok(())
    }

    /// Whether these changes touch a record that is not there, so that they cannot be followed.
    pub fn must_reset(&self, loaded: &Loaded) -> bool {
        let Loaded::Changes { list, .. } = loaded else { return false };
        let slot = |id: RecordId| self.slots.get(self.slot(id)? as usize)?.as_ref();
        let mut changes = list.iter().flat_map(|set| &set.changes);
        changes.any(|change| slot(change.record).is_some_and(|held| !held.is_there()))
    }

    /// How many records have come or changed since the last image: what the next opening has to read anew.
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// The bytes of an [`Image`] of this view.
    pub fn image(&mut self) -> Vec<u8> {
        let mut image = Draft::default();
        for (slot, held) in (0u32..).zip(&self.slots) {
            if let Some(held) = held {
                held.draw(slot, &mut image);
            }
        }
        self.unknown = 0;
        image.finish(&Indexes {
            embedder: self.embedder.as_deref().unwrap_or_default(),
            vectors: &self.vectors,
            is_mute: &|slot| self.mute.contains(&slot),
            runs: self.runs.values().collect(),
            text: &self.text,
            tasks: &self.tasks,
        })
    }

    /// A hash over everything that decisions read: equal views have equal hashes.
    pub fn hash(&self) -> String {
        let records: BTreeMap<RecordId, &Record> = self.records().map(|record| (record.id, record)).collect();
        let mut hasher = blake3::Hasher::new();
        for (id, record) in records {
            hasher.update(crate::codec::canonical(record).as_bytes());
            if let Some(vector) = self.vector(id) {
                hasher.update(&vector.to_bytes());
            }
        }
        for mark in self.runs.values() {
            hasher.update(crate::codec::canonical(mark).as_bytes());
        }
        for tombstone in &self.tombstones {
            hasher.update(crate::codec::canonical(tombstone).as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    fn reset(&mut self, snapshot: Snapshot) -> Result<(), Error> {
        *self = Self::new(self.embedder.take());
        if let Some(image) = &snapshot.image {
            let foreign =
                || Error::corrupt("the image is none of ours; delete the rows of `cache` in the store");
            self.restore(image).ok_or_else(foreign)?;
        }
        for id in snapshot.gone {
            self.replace(id, None);
        }
        for record in snapshot.records {
            self.forget_vector(record.id);
            self.replace(record.id, Some(record));
        }
        for one in snapshot.vectors {
            self.set_vector(one.record, &one.embedder, &one.vector);
        }
        for mark in snapshot.runs {
            self.set_run(mark);
        }
        self.tombstones.extend(snapshot.tombstones);
        self.revision = snapshot.rev;
        Ok(())
    }

    /// Takes in all that an image knows; the view is empty. Slots are the rows of the image.
    fn restore(&mut self, image: &Image) -> Option<()> {
        self.ids.reserve(image.len());
        for entry in image.entries() {
            let slot = self.new_slot(entry.id());
            self.link(slot, entry.facts()?, Held::sealed(entry));
        }
        (self.text, self.tasks) = (image.text()?, image.tasks()?);
        let dense = image.dense()?;
        if self.embedder.as_ref() == Some(&dense.embedder) {
            self.vectors = dense.vectors;
            self.mute = dense.mute.into_iter().collect();
        }
        image.runs()?.into_iter().for_each(|mark| self.set_run(mark));
        Some(())
    }

    /// The record that is held, if it is there.
    fn look<'a>(&self, held: &'a Held) -> Option<&'a Record> {
        let record = held.record();
        if record.is_none() {
            self.lacks.store(true, Ordering::Relaxed);
        }
        record
    }

    fn new_slot(&mut self, id: RecordId) -> u32 {
        let slot = self.slots.len() as u32;
        self.slots.push(None);
        self.briefs.push(Brief::default());
        self.cues.push(Cue::default());
        self.ids.insert(id, slot);
        slot
    }

    fn replace(&mut self, id: RecordId, record: Option<Record>) {
        let slot = self.ids.get(&id).copied();
        if let Some(slot) = slot {
            self.unlink(slot);
        }
        match (slot, record) {
            (slot, Some(record)) => {
                let slot = slot.unwrap_or_else(|| self.new_slot(id));
                self.unknown += 1;
                let Words { text, tasks } = Words::of(&record);
                self.text.insert(slot, &text);
                self.tasks.insert(slot, &tasks);
                self.link(slot, Facts::of(&record), Held::open(record));
            }
            (Some(_), None) => {
                self.forget_vector(id);
                self.ids.remove(&id);
            }
            (None, None) => {}
        }
    }

    fn link(&mut self, slot: u32, facts: Facts, held: Held) {
        self.keys.entry(facts.key).or_default().push(slot);
        self.groups.entry(facts.group).or_default().insert(slot);
        for tool in facts.tools {
            self.tools.entry(tool).or_default().insert(slot);
        }
        for key in facts.events {
            self.events.insert(key, slot);
        }
        for name in facts.names {
            self.names.entry(name).or_default().push(slot);
        }
        if facts.is_pinned {
            self.pinned.insert(slot);
        }
        self.tell(slot, facts.brief, facts.cue);
        if let Some(place) = self.slots.get_mut(slot as usize) {
            *place = Some(held);
        }
    }

    /// Notes what is told of a slot without a look at its record.
    fn tell(&mut self, slot: u32, brief: Brief, cue: Cue) {
        let slot = slot as usize;
        if let (Some(one), Some(other)) = (self.briefs.get_mut(slot), self.cues.get_mut(slot)) {
            (*one, *other) = (brief, cue);
        }
    }

    fn unlink(&mut self, slot: u32) {
        let Some(held) = self.slots.get_mut(slot as usize).and_then(Option::take) else { return };
        self.pinned.remove(&slot);
        let Words { text, tasks } = held.words();
        self.text.remove(slot, &text);
        self.tasks.remove(slot, &tasks);
        self.tell(slot, Brief::default(), Cue::default());
        let links = held.links();
        leave_number(&mut self.keys, links.key, slot);
        for name in links.names {
            leave_number(&mut self.names, name, slot);
        }
        leave(&mut self.groups, &links.group, slot);
        for tool in &links.tools {
            leave(&mut self.tools, tool, slot);
        }
        for key in links.events {
            if self.events.get(&key) == Some(&slot) {
                self.events.remove(&key);
            }
        }
    }

    fn set_vector(&mut self, id: RecordId, embedder: &str, vector: &Quantized) {
        if self.embedder.as_deref() == Some(embedder)
            && let Some(slot) = self.slot(id)
        {
            self.vectors.set(slot, vector);
            if vector.is_zero() {
                self.mute.insert(slot)
            } else {
                self.mute.remove(&slot)
            };
        }
    }

    fn forget_vector(&mut self, id: RecordId) {
        if let Some(slot) = self.slot(id) {
            self.vectors.clear(slot);
            self.mute.remove(&slot);
        }
    }

    fn set_run(&mut self, mark: RunMark) {
        for &key in &mark.chain {
            self.chains.insert(key, mark.session_id.clone());
        }
        for one in &mark.shapes {
            let tries = self.shapes.entry(one.shape).or_default();
            *tries = tries.with(Tries::of(*one));
        }
        if let Some(before) = self.runs.insert(mark.session_id.clone(), mark) {
            for one in before.shapes {
                let tries = self.shapes.entry(one.shape).or_default();
                *tries = tries.without(Tries::of(one));
            }
        }
    }
}

fn leave_number(index: &mut HashMap<u64, Vec<u32>>, number: u64, slot: u32) {
    if let Entry::Occupied(mut found) = index.entry(number) {
        found.get_mut().retain(|&other| other != slot);
        if found.get().is_empty() {
            found.remove();
        }
    }
}

fn leave(index: &mut HashMap<String, BTreeSet<u32>>, name: &str, slot: u32) {
    if let Some(set) = index.get_mut(name) {
        set.remove(&slot);
        if set.is_empty() {
            index.remove(name);
        }
    }
}

#[cfg(test)]
mod tests;

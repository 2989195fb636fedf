//! A memory directory and a store, kept in step.
//!
//! Decides what is taken from which side: words from where they were changed, counters as what was added. Where both
//! sides have changed, the file's words hold and the record stays as one that was taken back: nothing is lost, and it
//! is said.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use hardwon_core::env::{Env, RecordId};
use hardwon_core::error::Error;
use hardwon_core::op::{Forget, ImportRecords, Input, Output};
use hardwon_core::record::{Kind, Record, Scope, Status};
use serde::Serialize;

use super::file::{Held, Sort};
use super::folder::{Change, Folder};
use super::form;
use super::ledger::{Entry, Ledger};
use crate::clock;
use crate::memory::Memory;
use crate::store::Store;

/// Who writes what comes from a file.
const ACTOR: &str = "memory files";

/// A directory, a memory, and what is known of both.
#[derive(Debug)]
pub(crate) struct Keeper<S: Store> {
    memory: Memory<S>,
    folder: Folder,
    ledger: Ledger,
    /// Files whose edit took the place of a record.
    heirs: BTreeMap<RecordId, String>,
}

/// What a step brought about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Synced {
    /// Memories that the store did not have, or has anew.
    pub(crate) imported: u32,
    /// Memories that the directory did not have.
    pub(crate) exported: u32,
    /// Files whose counters or words were brought in step.
    pub(crate) updated: u32,
    /// Memories that are no longer on the other side.
    pub(crate) removed: u32,
    /// What was changed on both sides: the file's words hold.
    pub(crate) conflicts: Vec<String>,
    /// Files that cannot be used, and why; they are left as they are.
    pub(crate) unusable: BTreeMap<String, String>,
    /// Memories that the store refused, by reason.
    pub(crate) refused: BTreeMap<String, u32>,
}

impl Synced {
    /// Both steps told as one.
    pub(crate) fn and(mut self, next: Self) -> Self {
        self.imported += next.imported;
        self.exported += next.exported;
        self.updated += next.updated;
        self.removed += next.removed;
        self.conflicts.extend(next.conflicts);
        self.unusable.extend(next.unusable);
        self.refused.extend(next.refused);
        self
    }
}

impl<S: Store> Keeper<S> {
    /// A directory beside a memory; `ledger` is where it is kept what they said when they were in step.
    pub(crate) fn new(mut memory: Memory<S>, root: &Path, ledger: &Path) -> Result<Self, Error> {
        let mut ledger = Ledger::open(ledger)?;
        memory.refresh()?;
        // Records of a store that was made anew are not there: their files are new to it.
        let is_lost = |entry: &Entry| memory.view().get(entry.id).is_none();
        let lost: Vec<String> =
            ledger.names().filter(|(_, entry)| is_lost(entry)).map(|(name, _)| name.to_owned()).collect();
        lost.iter().try_for_each(|name| ledger.set(name, None))?;
        ledger.compact()?;
        let seen = ledger.names().map(|(name, entry)| (name.to_owned(), entry.seen)).collect();
        Ok(Self { memory, folder: Folder::open(root, seen)?, ledger, heirs: BTreeMap::new() })
    }

    /// Takes in what has changed in the files.
    pub(crate) fn pull(&mut self) -> Result<Synced, Error> {
        let mut told = Synced::default();
        let changes = self.folder.changes()?;
        if changes.is_empty() {
            return Ok(told);
        }
        let strangers = self.strangers();
        let mut new: Vec<(String, Held)> = Vec::new();
        for change in changes {
            match change {
                Change::Unusable(name, reason) => drop(told.unusable.insert(name, reason)),
                Change::Gone(name) => self.gone(&name, &mut told)?,
                Change::Held(name, held) => match self.ledger.get(&name).cloned() {
                    Some(entry) if entry.held == held => {}
                    // Another agent has counted there: its counts stay in the file, and ours are added to them.
                    Some(entry)
                        if words_of(&entry.held) == words_of(&held) && entry.held.core == held.core =>
                    {
                        let seen = self.folder.seen(&name);
                        self.ledger.set(&name, Some(Entry { held, seen, ..entry }))?;
                    }
                    Some(entry) => {
                        self.note_conflict(&name, &entry, &held, &mut told);
                        self.forget(entry.id, "its file was edited")?;
                        self.heirs.insert(entry.id, name.clone());
                        new.push((name, held));
                    }
                    None => match strangers.get(&words_of(&held)) {
                        Some(id) if self.ledger.name_of(*id).is_none() => {
                            let (counts, seen) = (held.counts, self.folder.seen(&name));
                            self.ledger.set(&name, Some(Entry { id: *id, held, counts, seen }))?;
                        }
                        _ => new.push((name, held)),
                    },
                },
            }
        }
        // What is only renamed was taken for one that is gone and one that is new.
        self.import(new, &mut told)?;
        Ok(told)
    }

    /// Brings the files of these records in step, or of all.
    pub(crate) fn push(&mut self, only: Option<&BTreeSet<RecordId>>) -> Result<Synced, Error> {
        let mut told = Synced::default();
        self.memory.refresh()?;
        let is_meant = |record: &&Record| {
            let is_kind = matches!(record.kind, Kind::Feedback | Kind::Fact);
            is_kind && only.is_none_or(|only| only.contains(&record.id))
        };
        let records: Vec<Record> = match only {
            Some(only) => {
                only.iter().filter_map(|id| self.memory.view().get(*id)).filter(is_meant).cloned().collect()
            }
            None => self.memory.view().records().filter(is_meant).cloned().collect(),
        };
        for record in records {
            let Some(wanted) = form::held(&record) else { continue };
            match self.ledger.name_of(record.id).map(str::to_owned) {
                Some(name) if form::is_kept(&record) => self.update(&name, &record, &wanted, &mut told)?,
                Some(name) => {
                    self.folder.archive(&name)?;
                    self.ledger.set(&name, None)?;
                    told.removed += 1;
                }
                None if record.status == Status::Active => {
                    let name = self.folder.create(&wanted)?;
                    let (counts, seen) = (wanted.counts, self.folder.seen(&name));
                    self.ledger.set(&name, Some(Entry { id: record.id, held: wanted, counts, seen }))?;
                    told.exported += 1;
                }
                None => {}
            }
        }
        Ok(told)
    }

    /// Carries out a verb.
    pub(crate) fn run(&mut self, env: Env, input: Input) -> Result<Output, Error> {
        self.memory.run_in(env, input)
    }

    /// The record that holds now in place of one whose file was edited; else itself.
    pub(crate) fn heir(&self, id: RecordId) -> RecordId {
        self.heirs.get(&id).and_then(|name| self.ledger.get(name)).map_or(id, |entry| entry.id)
    }

    /// The most bytes of a text that a verb takes.
    pub(crate) fn text_bytes(&self) -> usize {
        self.memory.policy().limits.text_bytes as usize
    }

    /// How many memories of the store have a file.
    pub(crate) fn count(&self) -> u32 {
        self.ledger.names().count() as u32
    }

    /// Adds to a file what its record has counted, and says there what the record says.
    fn update(&mut self, name: &str, record: &Record, wanted: &Held, told: &mut Synced) -> Result<(), Error> {
        let Some(entry) = self.ledger.get(name).cloned() else { return Ok(()) };
        if entry.counts == wanted.counts && is_same(wanted, &entry) {
            return Ok(());
        }
        let mut has_words = true;
        let held = self.folder.update(name, |held| {
            has_words = words_of(held) == words_of(&entry.held);
            for (count, (now, before)) in held.counts.iter_mut().zip(wanted.counts.iter().zip(entry.counts)) {
                *count = count.saturating_add(*now).saturating_sub(before);
            }
            held.updated_at = held.updated_at.max(wanted.updated_at);
            if wanted.core != entry.held.core {
                held.core = wanted.core;
            }
            if has_words && wanted.sort == entry.held.sort && words_of(wanted) != words_of(&entry.held) {
                held.parts.clone_from(&wanted.parts);
                held.situation.clone_from(&wanted.situation);
            }
        })?;
        let Some(held) = held else { return Ok(()) };
        if !has_words {
            // The next look takes the edit in.
            told.conflicts.push(format!("{name}: it was edited while its record changed; the edit holds"));
            return Ok(());
        }
        if held != entry.held {
            told.updated += 1;
        }
        let seen = self.folder.seen(name);
        self.ledger.set(name, Some(Entry { id: record.id, held, counts: wanted.counts, seen }))
    }

    fn gone(&mut self, name: &str, told: &mut Synced) -> Result<(), Error> {
        if let Some(entry) = self.ledger.get(name).cloned() {
            self.forget(entry.id, "its file was removed")?;
            self.ledger.set(name, None)?;
            told.removed += 1;
        }
        Ok(())
    }

    fn note_conflict(&self, name: &str, entry: &Entry, held: &Held, told: &mut Synced) {
        let record = self.memory.view().get(entry.id).and_then(form::held);
        let has_changed = record.is_some_and(|record| words_of(&record) != words_of(&entry.held));
        if has_changed && words_of(held) != words_of(&entry.held) {
            told.conflicts
                .push(format!("{name}: file and record {} were both changed; the file holds", entry.id));
        }
    }

    fn import(&mut self, new: Vec<(String, Held)>, told: &mut Synced) -> Result<(), Error> {
        if new.is_empty() {
            return Ok(());
        }
        let now = clock::now();
        let ids =
            new.iter().map(|_| clock::seed().map(|seed| RecordId(seed.0))).collect::<Result<Vec<_>, _>>()?;
        let records: Vec<Record> =
            ids.iter().zip(&new).map(|(id, (_, held))| form::record(*id, held, now)).collect();
        let input = ImportRecords { records, vectors: Vec::new(), actor: ACTOR.into() };
        let Output::Imported { inserted, refused, .. } = self.memory.run(Input::ImportRecords(input))? else {
            return Err(Error::protocol("an import was answered by something else"));
        };
        told.imported += inserted;
        told.refused.extend(refused);
        for (id, (name, held)) in ids.into_iter().zip(new) {
            // One that says what another file says already has no record of its own.
            if self.memory.view().get(id).is_some() {
                let (counts, seen) = (held.counts, self.folder.seen(&name));
                self.ledger.set(&name, Some(Entry { id, held, counts, seen }))?;
            }
        }
        Ok(())
    }

    fn forget(&mut self, id: RecordId, reason: &str) -> Result<(), Error> {
        if self.memory.view().get(id).is_none_or(|record| record.status != Status::Active) {
            return Ok(());
        }
        let input = Forget { id, hard: false, actor: ACTOR.into(), reason: reason.into() };
        self.memory.run(Input::Forget(input)).map(drop)
    }

    /// Records without a file, by what they say.
    fn strangers(&self) -> BTreeMap<Words, RecordId> {
        let view = self.memory.view();
        let is_stranger =
            |record: &&Record| record.status == Status::Active && self.ledger.name_of(record.id).is_none();
        view.records()
            .filter(is_stranger)
            .filter_map(|record| Some((words_of(&form::held(record)?), record.id)))
            .collect()
    }
}

/// What a memory says, without what is counted.
type Words = (Sort, String, [String; 3], Scope);

fn words_of(held: &Held) -> Words {
    let scope = form::scope(held);
    (held.sort, held.situation.clone(), held.parts.clone(), scope)
}

/// Whether nothing of a record but its counters would change its file.
fn is_same(wanted: &Held, entry: &Entry) -> bool {
    wanted.core == entry.held.core && words_of(wanted) == words_of(&entry.held)
}

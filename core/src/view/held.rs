//! A record in its slot of a view: there, or known by its entry in an image alone until somebody looks at it.
//!
//! Most questions look at a handful of records. Who looks at one that is not there makes it wanted; the decision is
//! made again when the host has given it.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::env::RecordId;
use crate::image::{Draft, Entry, Facts, Words};
use crate::record::Record;

/// A record that is held.
#[derive(Debug)]
pub(super) struct Held {
    record: Option<Box<Record>>,
    sealed: Option<Box<Sealed>>,
}

#[derive(Debug)]
struct Sealed {
    entry: Entry,
    is_wanted: AtomicBool,
}

impl Held {
    pub(super) fn open(record: Record) -> Self {
        Self { record: Some(Box::new(record)), sealed: None }
    }

    pub(super) fn sealed(entry: Entry) -> Self {
        Self { record: None, sealed: Some(Box::new(Sealed { entry, is_wanted: AtomicBool::new(false) })) }
    }

    /// The record, if it is there; else it is wanted from now on.
    pub(super) fn record(&self) -> Option<&Record> {
        if let (None, Some(sealed)) = (&self.record, &self.sealed) {
            sealed.is_wanted.store(true, Ordering::Relaxed);
        }
        self.record.as_deref()
    }

    /// Puts the record in. It is what the entry was made from, so that nothing else changes.
    pub(super) fn fill(&mut self, record: Record) {
        self.record = Some(Box::new(record));
    }

    pub(super) fn id(&self) -> Option<RecordId> {
        let sealed = || self.sealed.as_ref().map(|sealed| sealed.entry.id());
        self.record.as_ref().map(|record| record.id).or_else(sealed)
    }

    pub(super) fn is_there(&self) -> bool {
        self.record.is_some()
    }

    /// The record's id, where it is wanted and not there.
    pub(super) fn wanted(&self) -> Option<RecordId> {
        let sealed = self.sealed.as_ref().filter(|_| self.record.is_none())?;
        sealed.is_wanted.load(Ordering::Relaxed).then(|| sealed.entry.id())
    }

    /// What the image it came with says of it.
    pub(super) fn entry(&self) -> Option<&Entry> {
        self.sealed.as_ref().map(|sealed| &sealed.entry)
    }

    /// By what it is linked.
    pub(super) fn links(&self) -> Facts {
        let sealed = || self.sealed.as_ref()?.entry.facts();
        self.record.as_ref().map(|record| Facts::links(record)).or_else(sealed).unwrap_or_default()
    }

    /// By which words it is found.
    pub(super) fn words(&self) -> Words {
        let sealed = || self.sealed.as_ref()?.entry.words();
        self.record.as_ref().map(|record| Words::of(record)).or_else(sealed).unwrap_or_default()
    }

    /// Adds it to an image.
    pub(super) fn draw(&self, slot: u32, image: &mut Draft) {
        match (&self.record, &self.sealed) {
            (_, Some(sealed)) => image.keep(slot, &sealed.entry),
            (Some(record), None) => image.add(slot, record.id, &Facts::of(record), &Words::of(record)),
            (None, None) => {}
        }
    }
}

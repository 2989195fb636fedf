//! Rows in memory: those that came as bytes, read where they lie, and what has changed since.
//!
//! Decides which of the two says what a row is. Never reads a row that nobody asks for.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::packed::{self, Packed};
use super::rows::{Change, Page, Row, Rows, Span};
use super::snapshot::IMAGE;
use crate::env::Revision;
use crate::error::Error;
use crate::image::Image;
use crate::sort;

/// Rows that live as long as this value.
#[derive(Debug, Clone, Default)]
pub struct KeptRows {
    version: u64,
    packed: Packed,
    /// Rows that have come, changed or ended since, by their keys.
    changed: BTreeMap<String, Option<String>>,
    image: Option<(Revision, Image)>,
}

impl KeptRows {
    /// Rows with which to begin.
    pub fn new(rows: Vec<Row>) -> Self {
        let changed: BTreeMap<_, _> = rows.into_iter().map(|(key, value)| (key, Some(value))).collect();
        Self { version: u64::from(!changed.is_empty()), changed, ..Self::default() }
    }

    /// Puts an image of this revision beside the rows; it goes with the next write.
    #[must_use]
    pub fn with_image(mut self, rev: Revision, image: Vec<u8>) -> Self {
        self.image = Image::read(image).map(|image| (rev, image));
        self
    }

    /// All rows in bytes, and the image.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut rows = self.within(&Span::all())?;
        if self.image.is_some() {
            rows.retain(|(key, _)| *key != IMAGE);
        }
        sort::sort(&mut rows);
        let image = self.image.as_ref().map(|(rev, image)| (*rev, image.bytes()));
        Ok(packed::to_bytes(&rows, image))
    }

    /// The rows in these bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        let (packed, image) = packed::from_bytes(bytes)?;
        let image = image.and_then(|(rev, bytes)| Some((rev, Image::read(bytes)?)));
        Ok(Self { version: u64::from(packed.len() > 0), packed, changed: BTreeMap::new(), image })
    }

    /// The rows of a span, in any order.
    fn within(&self, span: &Span) -> Result<Vec<(&str, &str)>, Error> {
        let mut found = Vec::new();
        if span.0 >= span.1 {
            return Ok(found);
        }
        for at in self.packed.range(span) {
            let (key, value) = self.packed.row(at).ok_or_else(packed::damaged)?;
            if !self.changed.contains_key(key) {
                found.push((key, value));
            }
        }
        let changed = self.changed.range(span.0.clone()..span.1.clone());
        found.extend(changed.filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?))));
        Ok(found)
    }

    fn owned(&self, span: &Span) -> Result<Vec<Row>, Error> {
        Ok(self.within(span)?.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

impl Rows for KeptRows {
    fn read(&mut self, spans: &[Span]) -> Result<Page, Error> {
        let mut rows = Vec::new();
        for span in spans {
            rows.append(&mut self.owned(span)?);
        }
        Ok(Page { version: self.version, rows })
    }

    fn write(&mut self, change: &Change) -> Result<bool, Error> {
        if change.version != self.version {
            return Ok(false);
        }
        self.version += 1;
        self.image = None;
        let ended = change.removes.iter().map(|key| (key.clone(), None));
        let put = change.puts.iter().map(|(key, value)| (key.clone(), Some(value.clone())));
        self.changed.extend(ended.chain(put));
        if change.erases {
            // What has ended is in the bytes that came.
            let rows = Self::new(self.owned(&Span::all())?);
            *self = Self { version: self.version, ..rows };
        }
        Ok(true)
    }

    fn image(&self) -> Option<(Revision, Image)> {
        self.image.clone()
    }
}

//! The host's rows.
//!
//! Decides what an `unsupported` means. Never believes an answer that the core does not check.

use hardwon_core::env::Revision;
use hardwon_core::error::Error;
use hardwon_core::image::Image;
use hardwon_core::store::{self, Change, KeptRows, Page, Rows, Span};

use crate::error::host;
use crate::hardwon::memory::host_store as api;
use crate::hardwon::memory::host_types::Failure;

/// Where a space is kept.
pub enum Kept {
    /// In the host's rows.
    There(api::Store),
    /// In this instance, for as long as the handle lives.
    Here(KeptRows),
}

impl Kept {
    /// The rows behind a handle; those of this instance where the host keeps none.
    pub fn new(store: Option<api::Store>) -> Result<Self, Error> {
        match store.map(|store| (store.read(&[]), store)) {
            Some((Ok(_), store)) => Ok(Self::There(store)),
            Some((Err(failure @ Failure::Failed(_)), _)) => Err(host("store", failure)),
            Some((Err(Failure::Unsupported), _)) | None => Ok(Self::Here(KeptRows::default())),
        }
    }
}

impl Rows for Kept {
    fn read(&mut self, spans: &[Span]) -> Result<Page, Error> {
        let store = match self {
            Self::Here(rows) => return rows.read(spans),
            Self::There(store) => store,
        };
        let spans: Vec<api::Span> = spans
            .iter()
            .map(|Span(first, end)| api::Span { first: first.clone(), end: end.clone() })
            .collect();
        let page = store.read(&spans).map_err(|failure| host("store", failure))?;
        let rows = page.rows.into_iter().map(|row| (row.key, row.value)).collect();
        Ok(Page { version: page.version, rows })
    }

    fn write(&mut self, change: &Change) -> Result<bool, Error> {
        let store = match self {
            Self::Here(rows) => return rows.write(change),
            Self::There(store) => store,
        };
        let row = |(key, value): &store::Row| api::Row { key: key.clone(), value: value.clone() };
        let change = api::Change {
            version: change.version,
            puts: change.puts.iter().map(row).collect(),
            removes: change.removes.clone(),
            erases: change.erases,
        };
        store.write(&change).map_err(|failure| host("store", failure))
    }

    fn image(&self) -> Option<(Revision, Image)> {
        match self {
            Self::Here(rows) => rows.image(),
            Self::There(_) => None,
        }
    }
}

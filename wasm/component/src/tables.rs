//! The two tables, which the host hands over once and every space of this instance shares.
//!
//! Decides when they are asked for: when the first space that wants them is opened.

use std::sync::{Arc, OnceLock};

use hardwon_core::error::Error;
use hardwon_core::text::TokenCounter;
use hardwon_core::vector::Embedder;
use hardwon_model::embed::{Table, TableEmbedder};
use hardwon_model::tokens::{Pairs, TableCounter};

use crate::error::host;
use crate::hardwon::memory::host_tables;
use crate::hardwon::memory::host_types::Failure;

static TOKENS: OnceLock<Option<TableCounter<'static>>> = OnceLock::new();
static EMBEDDER: OnceLock<Option<TableEmbedder<'static>>> = OnceLock::new();

/// The exact counter, where the host hands its table over.
pub fn counter() -> Result<Option<Arc<dyn TokenCounter>>, Error> {
    let read =
        |bytes: &'static [u8]| Pairs::open(bytes).map(TableCounter::new).map_err(|cause| cause.to_string());
    Ok(once(&TOKENS, "tokens", host_tables::tokens, read)?.map(|one| Arc::new(one) as Arc<dyn TokenCounter>))
}

/// The built-in embedder, likewise.
pub fn embedder() -> Result<Option<Arc<dyn Embedder>>, Error> {
    let read = |bytes: &'static [u8]| {
        Table::open(bytes).map(TableEmbedder::standard).map_err(|cause| cause.to_string())
    };
    Ok(once(&EMBEDDER, "embedder", host_tables::embedder, read)?
        .map(|one| Arc::new(one) as Arc<dyn Embedder>))
}

fn once<T: Copy>(
    cell: &OnceLock<Option<T>>,
    name: &str,
    ask: fn() -> Result<Vec<u8>, Failure>,
    read: impl FnOnce(&'static [u8]) -> Result<T, String>,
) -> Result<Option<T>, Error> {
    if let Some(known) = cell.get() {
        return Ok(*known);
    }
    let table = match ask() {
        Err(Failure::Unsupported) => None,
        Err(failure) => return Err(host("tables", failure)),
        Ok(bytes) => {
            // It serves for as long as the instance lives.
            let read = read(bytes.leak());
            Some(read.map_err(|cause| {
                Error::host("tables", format!("{name}: {cause}; hand over the file of this version"))
            })?)
        }
    };
    let _ = cell.set(table);
    Ok(table)
}

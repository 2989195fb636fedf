//! The static embedder: one row a token, summed and scaled to unit length.
//!
//! Decides which rows a text has and how they add up. Never decides when two texts are the same; it only carries
//! the cosines from which its table may be asked that.

mod pieces;
mod table;
mod words;

pub use table::Table;

use alloc::string::String;
use hardwon_core::vector::{Embedder, EmbedderInfo, normalise};

/// Tokens of one text that count; what comes later is not read.
const MAX_TOKENS: usize = 512;

/// An embedder over a static table.
#[derive(Debug, Clone, Copy)]
pub struct TableEmbedder<'a> {
    table: Table<'a>,
    id: &'a str,
    merge: u32,
    candidate: u32,
}

impl<'a> TableEmbedder<'a> {
    /// An embedder over a table of the host.
    ///
    /// `id` must change with the table's bytes. `merge` and `candidate` are cosines in millionths, see
    /// [`EmbedderInfo`]; they belong to the table and cannot be carried over from another one.
    pub const fn new(table: Table<'a>, id: &'a str, merge: u32, candidate: u32) -> Self {
        Self { table, id, merge, candidate }
    }
}

#[cfg(feature = "default-embedder")]
static BUILTIN: Table<'static> = match Table::open(include_bytes!("../../data/table.bin")) {
    Ok(table) => table,
    Err(_) => panic!("data/table.bin is not an AMT1 table"),
};

impl<'a> TableEmbedder<'a> {
    /// The English and Chinese table of this package, where the host has loaded it: `data/table.bin`, byte for byte.
    pub const fn standard(table: Table<'a>) -> Self {
        Self::new(table, "amt1-cbe963f8", 900_000, 750_000)
    }
}

#[cfg(feature = "default-embedder")]
impl TableEmbedder<'static> {
    /// The built-in English and Chinese table. Other scripts get the zero vector, which means no opinion.
    pub const fn builtin() -> Self {
        Self::standard(BUILTIN)
    }
}

#[cfg(feature = "default-embedder")]
impl Default for TableEmbedder<'static> {
    fn default() -> Self {
        Self::builtin()
    }
}

impl Embedder for TableEmbedder<'_> {
    fn info(&self) -> EmbedderInfo {
        EmbedderInfo {
            id: String::from(self.id),
            dims: self.table.dims() as u32,
            merge: self.merge,
            candidate: self.candidate,
        }
    }

    /// Rows are added in the order of the text, so the sum has the same bits on every host.
    fn embed(&self, text: &str, out: &mut [f32]) {
        out.fill(0.0);
        pieces::rows(&self.table, text, MAX_TOKENS, |row| self.table.add_row(row, out));
        normalise(out);
    }
}

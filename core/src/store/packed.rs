//! Rows as bytes: a space that goes from one instance to another.
//!
//! Decides the form. What was not written as a whole by this very form is told, and never read in part.

use alloc::vec::Vec;

use super::rows::{KeptRows, Row};
use crate::bytes::{Reader, put_text, put_u32, put_u64, sum};
use crate::error::Error;

const MAGIC: &[u8; 4] = b"HWSN";
/// Counted up when the rows or the bytes below mean something else.
const FORMAT: u32 = 1;

impl KeptRows {
    /// All rows in bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.rows();
        let length = rows.len();
        let mut rest = Vec::new();
        put_u32(&mut rest, length as u32);
        for (key, value) in rows {
            put_text(&mut rest, key);
            put_text(&mut rest, value);
        }
        let mut out = Vec::with_capacity(rest.len() + 16);
        out.extend(MAGIC);
        put_u32(&mut out, FORMAT);
        put_u64(&mut out, sum(&rest));
        out.append(&mut rest);
        out
    }

    /// The rows in these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut head = Reader::new(bytes);
        if head.take(4) != Some(MAGIC) {
            return Err(Error::corrupt("these bytes are no snapshot of a space"));
        }
        if head.u32() != Some(FORMAT) {
            return Err(Error::Incompatible {
                message: "this snapshot is of another version of hardwon; an export goes from one to another"
                    .into(),
            });
        }
        if head.u64() != Some(sum(head.rest())) {
            return Err(damaged());
        }
        let rows: Option<Vec<Row>> = head.list(|from| Some((from.text()?, from.text()?)));
        match rows {
            Some(rows) if head.is_at_end() => Ok(Self::new(rows)),
            _ => Err(damaged()),
        }
    }
}

fn damaged() -> Error {
    Error::corrupt("the snapshot is damaged; take another one")
}

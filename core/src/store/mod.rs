//! Stores: the rules that all of them follow, and a store over rows for hosts that can keep rows and no more.
//!
//! Decides which rows a request reads and writes. Never keeps, reads or writes one: that is the host's.

mod commit;
mod erase;
mod keeper;
mod kept;
mod known;
mod log;
mod packed;
mod rows;
pub mod rules;
mod snapshot;
#[cfg(test)]
mod tests;
mod trace;

pub use keeper::{Act, Keeper, Task, Told};
pub use kept::KeptRows;
pub use rows::{Change, Page, Row, Rows, Span};

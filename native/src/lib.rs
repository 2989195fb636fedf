//! hardwon on a native host.

pub mod clock;
pub mod store;

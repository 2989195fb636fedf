//! Rerankers on a native host: how well texts fit a query, in the words of somebody who reads both.
//!
//! Decides nothing: what is asked about has passed every filter of the core, which also says what comes of the scores.

use core::fmt;

/// Something that says how well texts fit a query.
pub trait Reranker: fmt::Debug + Send {
    /// A score for each text, 0 to 1,000,000, in their order. Where it fails, the verb ends with `host.reranker` and
    /// the message.
    fn rerank(&mut self, query: &str, texts: &[String]) -> Result<Vec<i64>, String>;
}

//! What a host need not answer where the tables are in the component: it has no embedder and no model.
//!
//! Decides nothing. Never copies a table: both are read where they lie.

use hardwon_core::error::Error;
use hardwon_core::step::{Completion, Prompts, Reply};
use hardwon_core::vector::EmbedderInfo;

/// No embedder of a host.
pub fn embedder() -> Result<Option<EmbedderInfo>, Error> {
    Ok(None)
}

/// Nobody asks an embedder that is not there.
pub fn embed(_: &[String]) -> Result<Reply, Error> {
    Ok(Reply::Unsupported)
}

/// No model.
pub fn model() -> Result<Option<String>, Error> {
    Ok(None)
}

/// Nobody asks a model that is not there.
pub fn complete(_: &Prompts) -> Vec<Completion> {
    Vec::new()
}

/// The two tables.
pub mod tables {
    use std::sync::Arc;

    use hardwon_core::error::Error;
    use hardwon_core::text::TokenCounter;
    use hardwon_core::vector::Embedder;
    use hardwon_model::embed::TableEmbedder;
    use hardwon_model::tokens::O200kCounter;

    /// The exact counter.
    pub fn counter() -> Result<Option<Arc<dyn TokenCounter>>, Error> {
        Ok(Some(Arc::new(O200kCounter)))
    }

    /// The built-in embedder.
    pub fn embedder() -> Result<Option<Arc<dyn Embedder>>, Error> {
        Ok(Some(Arc::new(TableEmbedder::builtin())))
    }
}

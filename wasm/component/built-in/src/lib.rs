//! What an engine asks of a host that has nothing but a store: the two tables, no embedder and no model.
//!
//! Decides nothing.

use exports::hardwon::memory::{host_embed, host_model, host_tables};
use hardwon::memory::host_types::Failure;

wit_bindgen::generate!({ path: "../../../wit", world: "built-in" });

struct BuiltIn;

export!(BuiltIn);

impl host_tables::Guest for BuiltIn {
    fn tokens() -> Result<Vec<u8>, Failure> {
        Ok(include_bytes!("../../../../model/data/o200k.bin").into())
    }

    fn embedder() -> Result<Vec<u8>, Failure> {
        Ok(include_bytes!("../../../../model/data/table.bin").into())
    }
}

impl host_embed::Guest for BuiltIn {
    fn describe() -> Result<host_embed::Embedder, Failure> {
        Err(Failure::Unsupported)
    }

    fn embed(_: Vec<String>) -> Result<Vec<Vec<f32>>, Failure> {
        Err(Failure::Unsupported)
    }
}

impl host_model::Guest for BuiltIn {
    fn name() -> Result<String, Failure> {
        Err(Failure::Unsupported)
    }

    fn complete(_: host_model::Prompts) -> Result<Vec<host_model::Completion>, Failure> {
        Err(Failure::Unsupported)
    }
}

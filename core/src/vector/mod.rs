//! Vectors: quantised on write, compared by exact integer dots.
//!
//! Decides how near two texts are. Never mixes vectors of two embedders and never decides what nearness means.

mod dot;
mod embedder;
mod flat;
mod quantized;

pub use dot::{DotKernel, SafeKernel};
pub use embedder::{Embedder, EmbedderInfo, HashingEmbedder, embed_one, normalise};
pub use flat::{FlatIndex, Neighbour, VectorIndex};
pub use quantized::{MAX_DIMS, Quantized};

//! Texts: normal form, words, token caps, the duplicate guard, lexical search, and the fence.
//!
//! Decides how text is compared, measured and shown. Never decides what a text means.

mod bag;
mod cap;
mod counter;
mod escape;
mod fence;
mod guard;
mod language;
mod lexical;
mod normal;
mod polarity;
mod quantity;
mod stem;
mod value;

pub use bag::Bag;
pub(crate) use bag::term_hash;
pub use cap::{ELLIPSIS, cap};
pub use counter::{ByteCounter, TokenCounter};
pub use escape::{escape, unescape};
pub use fence::{Block, Entry, FENCE_AFTER, FENCE_CLOSE, FENCE_OPEN, fence, markdown};
pub use guard::{Agreement, Guard};
pub(crate) use language::{language, leaves_language};
pub use lexical::{BACKGROUND_DOCS, BM25_B, BM25_K1, Hit, Hits, LexicalIndex, MAX_DOCS};
pub use normal::{content_words, is_unspaced, jaccard, nfc, terms, words};
pub(crate) use value::bare;
pub use value::{is_measure, predicate_key, subject_key, value_key};

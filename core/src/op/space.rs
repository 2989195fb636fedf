//! A space as an operation sees it: the view, the policy, and the pure ports.

use alloc::sync::Arc;
use core::fmt;

use crate::error::Error;
use crate::policy::Policy;
use crate::text::{ByteCounter, TokenCounter};
use crate::vector::{Embedder, EmbedderInfo};
use crate::view::View;

/// Records that an image may lack.
const UNKNOWN: usize = 32;

/// One space in memory: what every operation of it reads and moves on.
#[derive(Debug)]
pub struct Space {
    pub(crate) view: View,
    pub(crate) policy: Policy,
    pub(crate) ports: Ports,
}

impl Space {
    /// An empty space that has loaded nothing yet; the first operation loads it.
    pub fn new(policy: Policy, ports: Ports) -> Result<Self, Error> {
        let embedder = ports.embedder.info().map(|info| info.id);
        Ok(Self { view: View::new(embedder), policy: policy.validated()?, ports })
    }

    /// Notes that the host has a reranker from now on.
    pub fn add_reranker(&mut self) {
        self.ports.has_reranker = true;
    }

    /// The view at the revision of the last operation.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The policy in force.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The bytes of an [`Image`](crate::image::Image) of the view, once the next opening would do much of it again:
    /// when so many records, and one in a hundred, are not in the last one.
    pub fn due_image(&mut self) -> Option<alloc::vec::Vec<u8>> {
        let is_due = self.view.unknown() > UNKNOWN + self.view.len() / 100;
        is_due.then(|| self.view.image())
    }

    /// The embedder that the vectors of the space are made with, where there is one.
    pub fn embedder(&self) -> Option<EmbedderInfo> {
        self.ports.embedder.info()
    }

    /// The bytes of an [`Image`](crate::image::Image) of the view.
    pub fn image(&mut self) -> alloc::vec::Vec<u8> {
        self.view.image()
    }

    /// Puts records in that are [wanted](View::wanted).
    pub fn fill(&mut self, records: alloc::vec::Vec<crate::record::Record>) -> Result<(), Error> {
        self.view.fill(records)
    }

    /// Brings the view to what a store holds, outside of an operation.
    pub fn advance(&mut self, loaded: crate::step::Loaded) -> Result<(), Error> {
        self.view.advance(loaded)
    }
}

/// The ports that are called and not asked: pure, and the same on every host that links them.
#[derive(Clone)]
pub struct Ports {
    /// Counts tokens.
    pub counter: Arc<dyn TokenCounter>,
    /// Makes vectors.
    pub embedder: EmbedderPort,
    /// Whether the host has a reranker, which is asked by request.
    pub has_reranker: bool,
}

impl Default for Ports {
    /// No token table and no embedder: byte counts and lexical search alone.
    fn default() -> Self {
        Self { counter: Arc::new(ByteCounter), embedder: EmbedderPort::None, has_reranker: false }
    }
}

impl fmt::Debug for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let embedder = self.embedder.info().map(|info| info.id);
        f.debug_struct("Ports")
            .field("counter", &self.counter.name())
            .field("embedder", &embedder)
            .field("has_reranker", &self.has_reranker)
            .finish()
    }
}

/// Where vectors come from.
#[derive(Clone)]
pub enum EmbedderPort {
    /// Nowhere: lexical search alone.
    None,
    /// A pure embedder linked in.
    BuiltIn(Arc<dyn Embedder>),
    /// The host, asked by request.
    Host(EmbedderInfo),
}

impl EmbedderPort {
    /// The embedder's identity and thresholds.
    pub fn info(&self) -> Option<EmbedderInfo> {
        match self {
            Self::None => None,
            Self::BuiltIn(embedder) => Some(embedder.info()),
            Self::Host(info) => Some(info.clone()),
        }
    }
}

impl fmt::Debug for EmbedderPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EmbedderPort").field(&self.info()).finish()
    }
}

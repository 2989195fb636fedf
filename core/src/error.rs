//! The one error list of every host. A refusal (a secret, a one-off) is an outcome and not an error.

use alloc::string::String;

/// What went wrong. `code()` is stable and used verbatim in every binding; `docs/errors.md` has each one's remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller's input cannot be used as it is.
    #[error("{message}")]
    Invalid {
        /// Which rule was broken; the part of the code after `invalid.`.
        what: &'static str,
        /// What is wrong with what, and what to do.
        message: String,
    },
    /// A port of the host failed.
    #[error("the {port} failed: {message}")]
    Host {
        /// `store`, `embedder` or `model`.
        port: String,
        /// What the host said, and what to do.
        message: String,
    },
    /// Others kept writing to the space until the deadline passed. Nothing was changed; try again.
    #[error("others kept writing to this space for {waited_ms} ms; nothing was changed, try again")]
    Contended {
        /// How long it was tried, in milliseconds.
        waited_ms: u64,
    },
    /// Stored data breaks an invariant. Nothing was changed.
    #[error("the store is damaged: {message}")]
    Corrupt {
        /// Where, and what to do.
        message: String,
    },
    /// The store or record is of another version than this build reads.
    #[error("{message}")]
    Incompatible {
        /// Which versions, and what to do.
        message: String,
    },
    /// The host broke the step protocol.
    #[error("the host broke the step protocol: {message}")]
    Protocol {
        /// What came, and what was expected.
        message: String,
    },
    /// A limit of the policy was passed.
    #[error("{message}")]
    Limit {
        /// Which limit; the part of the code after `limit.`.
        what: &'static str,
        /// What is too large, its size and the limit.
        message: String,
    },
}

impl Error {
    /// The stable code, for example `invalid.scope` or `contended`.
    pub fn code(&self) -> String {
        match self {
            Self::Invalid { what, .. } => alloc::format!("invalid.{what}"),
            Self::Host { port, .. } => alloc::format!("host.{port}"),
            Self::Contended { .. } => "contended".into(),
            Self::Corrupt { .. } => "corrupt".into(),
            Self::Incompatible { .. } => "incompatible".into(),
            Self::Protocol { .. } => "protocol".into(),
            Self::Limit { what, .. } => alloc::format!("limit.{what}"),
        }
    }

    /// An [`Error::Invalid`].
    pub fn invalid(what: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid { what, message: message.into() }
    }

    /// An [`Error::Limit`].
    pub fn limit(what: &'static str, message: impl Into<String>) -> Self {
        Self::Limit { what, message: message.into() }
    }

    /// An [`Error::Protocol`].
    pub fn protocol(message: impl Into<String>) -> Self {
        Self::Protocol { message: message.into() }
    }

    /// An [`Error::Corrupt`].
    pub fn corrupt(message: impl Into<String>) -> Self {
        Self::Corrupt { message: message.into() }
    }

    /// An [`Error::Host`].
    pub fn host(port: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Host { port: port.into(), message: message.into() }
    }
}

//! How the command fails: code, message and exit status.
//!
//! Decides which exit status an error has. Never decides whether something is an error.

use std::io;

use hardwon_core::error::Error;
use serde_json::json;

/// Exit statuses, as listed in `--help` and `docs/commands.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    Done = 0,
    Unexpected = 1,
    Usage = 2,
    NotFound = 3,
    Input = 4,
    Store = 5,
    Damaged = 6,
    Declined = 7,
    Pending = 8,
}

/// Why a verb ends early.
#[derive(Debug)]
pub(super) enum Failure {
    /// Whoever reads our output has closed it and wants no more: no error of ours.
    Closed,
    /// It failed, and has not been reported.
    Error(Report),
}

/// What an error says to the caller.
#[derive(Debug, Clone)]
pub(super) struct Report {
    pub(super) code: String,
    pub(super) message: String,
    pub(super) exit: Exit,
}

impl Report {
    /// What is said where something that the caller named cannot be read.
    pub(super) fn reading(path: &str, cause: &io::Error) -> Self {
        let (exit, code, message) = match cause.kind() {
            io::ErrorKind::NotFound => (
                Exit::NotFound,
                "file.missing",
                format!("{path}: no such file or directory; correct the path"),
            ),
            io::ErrorKind::PermissionDenied => (
                Exit::Input,
                "file.denied",
                format!("{path}: no permission to read it; check its owner and mode"),
            ),
            _ => (Exit::Input, "file.unreadable", format!("{path}: it cannot be read ({cause})")),
        };
        Self { code: code.into(), message, exit }
    }

    pub(super) fn to_json(&self) -> String {
        json!({ "code": self.code, "message": self.message, "exit": self.exit as u8 }).to_string()
    }
}

impl Failure {
    pub(super) fn new(exit: Exit, code: &str, message: impl Into<String>) -> Self {
        Self::Error(Report { code: code.into(), message: message.into(), exit })
    }

    pub(super) fn not_found(code: &str, message: impl Into<String>) -> Self {
        Self::new(Exit::NotFound, code, message)
    }

    pub(super) fn input(code: &str, message: impl Into<String>) -> Self {
        Self::new(Exit::Input, code, message)
    }

    pub(super) fn usage(code: &str, message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, code, message)
    }

    /// The engine broke a promise of its own.
    pub(super) fn unexpected(message: impl Into<String>) -> Self {
        Self::new(Exit::Unexpected, "unexpected", message)
    }

    /// A failure of writing our own output.
    pub(super) fn output(cause: &io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::new(Exit::Unexpected, "output", format!("the answer could not be written: {cause}")),
        }
    }

    /// A failure of reading what the caller named.
    pub(super) fn reading(path: &str, cause: &io::Error) -> Self {
        Self::Error(Report::reading(path, cause))
    }

    /// The same failure, with the name of the file it is about where its message does not say it.
    pub(super) fn about(self, name: &str) -> Self {
        match self {
            Self::Error(report) if report.exit == Exit::Input && !report.message.starts_with(name) => {
                Self::Error(Report { message: format!("{name}: {}", report.message), ..report })
            }
            other => other,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let exit = match &error {
            Error::Invalid { what: "not_found", .. } => Exit::NotFound,
            Error::Invalid { .. } | Error::Limit { .. } => Exit::Input,
            Error::Host { port, .. }
                if matches!(port.as_str(), "store" | "channel" | "lock" | "memories") =>
            {
                Exit::Store
            }
            Error::Contended { .. } => Exit::Store,
            Error::Corrupt { .. } | Error::Incompatible { .. } => Exit::Damaged,
            _ => Exit::Unexpected,
        };
        Self::Error(Report { code: error.code(), message: error.to_string(), exit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit_of(error: Error) -> Exit {
        match Failure::from(error) {
            Failure::Error(report) => report.exit,
            Failure::Closed => Exit::Done,
        }
    }

    #[test]
    fn each_kind_of_error_has_its_exit_status() {
        assert_eq!(exit_of(Error::invalid("scope", "x")), Exit::Input);
        assert_eq!(exit_of(Error::limit("trace_bytes", "x")), Exit::Input);
        assert_eq!(exit_of(Error::host("store", "x")), Exit::Store);
        assert_eq!(exit_of(Error::host("channel", "x")), Exit::Store);
        assert_eq!(exit_of(Error::host("embedder", "x")), Exit::Unexpected);
        assert_eq!(exit_of(Error::Contended { waited_ms: 1 }), Exit::Store);
        assert_eq!(exit_of(Error::corrupt("x")), Exit::Damaged);
        assert_eq!(exit_of(Error::Incompatible { message: "x".into() }), Exit::Damaged);
        assert_eq!(exit_of(Error::protocol("x")), Exit::Unexpected);
    }

    #[test]
    fn a_closed_pipe_is_no_error() {
        assert!(matches!(Failure::output(&io::ErrorKind::BrokenPipe.into()), Failure::Closed));
    }
}

//! The command line of the agents' channel: `chat` and `agent`.
//!
//! Decides what can be typed and what it is called. Never decides what a message means.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};

/// The agents' channel of a project.
#[derive(Debug, Args)]
pub(super) struct Chat {
    #[command(subcommand)]
    pub(super) step: ChatStep,
}

#[derive(Debug, Subcommand)]
pub(super) enum ChatStep {
    /// Show messages.
    Tail(Tail),
}

#[derive(Debug, Args)]
pub(super) struct Place {
    /// The channel's file; that of the project here where it is not given.
    #[arg(long, value_name = "FILE")]
    pub(super) chat: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Tail {
    #[command(flatten)]
    pub(super) place: Place,
    /// The most messages, the last of them; 0 is all. With `--after`, all where it is not given.
    #[arg(long, short = 'n', value_name = "N")]
    pub(super) last: Option<usize>,
    /// Only messages after this cursor.
    #[arg(long, value_name = "CURSOR")]
    pub(super) after: Option<u64>,
    /// Only messages of this thread.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) thread: Option<String>,
    /// Go on with what is posted from now on.
    #[arg(long, short)]
    pub(super) follow: bool,
}

//! The command line of what belongs to coding agents: hooks, their installation, the managed block.
//!
//! Decides what can be typed and what it is called. Never decides what a verb does.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::args::ScopeArgs;
use crate::hook::{Agent, Event};

#[derive(Debug, Args)]
pub(super) struct Install {
    /// The agent.
    pub(super) agent: InstallTarget,
    /// In the project here, instead of for the user.
    #[arg(long)]
    pub(super) project: bool,
    /// Show what would change, and write nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// The agents whose settings are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum InstallTarget {
    Claude,
    Codex,
    Cursor,
    Opencode,
}

impl InstallTarget {
    /// Its name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::Opencode => "opencode",
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct AgentsMd {
    /// Put the block into this file, in place of the one it has; without it the block goes to stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) write: Option<PathBuf>,
    /// Show what would change, and write nothing.
    #[arg(long, requires = "write")]
    pub(super) dry_run: bool,
    /// Whose lessons; those of the repository here and of everywhere where none is given.
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub(super) struct Hook {
    /// What has happened.
    pub(super) event: HookStep,
    /// The agent that calls.
    #[arg(long)]
    pub(super) agent: Agent,
    /// For `mine`: the session.
    #[arg(long, hide = true, default_value = "")]
    pub(super) session: String,
    /// For `mine`: its repository.
    #[arg(long, hide = true, default_value = "")]
    pub(super) repo: String,
    /// For `mine`: the agent's own record of the session.
    #[arg(long, hide = true)]
    pub(super) transcript: Option<PathBuf>,
}

/// What `hook` is called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HookStep {
    /// An event of a session.
    Event(Event),
    /// What the end of a session starts on its own.
    Mine,
}

impl HookStep {
    /// Its name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Event(event) => event.name(),
            Self::Mine => "mine",
        }
    }
}

impl ValueEnum for HookStep {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Event(Event::SessionStart),
            Self::Event(Event::Prompt),
            Self::Event(Event::PreTool),
            Self::Event(Event::PostTool),
            Self::Event(Event::PostToolFailure),
            Self::Event(Event::Stop),
            Self::Event(Event::SessionEnd),
            Self::Mine,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).hide(*self == Self::Mine))
    }
}

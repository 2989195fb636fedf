//! The command line of what belongs to coding agents: hooks, their installation, the managed block.
//!
//! Decides what can be typed and what it is called. Never decides what a verb does.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::args::ScopeArgs;

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
    pub(super) event: HookEvent,
    /// The agent that calls.
    #[arg(long)]
    pub(super) agent: HookAgent,
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

/// The events of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum HookEvent {
    SessionStart,
    Prompt,
    PreTool,
    PostTool,
    PostToolFailure,
    Stop,
    SessionEnd,
    /// What the end of a session starts on its own.
    #[value(hide = true)]
    Mine,
}

/// The agents that have hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum HookAgent {
    Claude,
    Codex,
    Cursor,
}

impl HookEvent {
    /// Its name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::Prompt => "prompt",
            Self::PreTool => "pre-tool",
            Self::PostTool => "post-tool",
            Self::PostToolFailure => "post-tool-failure",
            Self::Stop => "stop",
            Self::SessionEnd => "session-end",
            Self::Mine => "mine",
        }
    }
}

impl HookAgent {
    /// Its name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
        }
    }
}

//! The command line of the agents' channel: `chat` and `agent`.
//!
//! Decides what can be typed and what it is called. Never decides what a message means.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand, ValueEnum};

use super::args::ScopeArgs;

/// What the memory agent is called where nobody says so.
const MEMORY: &str = "engram-agent";

/// The agents' channel of a project.
#[derive(Debug, Args)]
pub(super) struct Chat {
    #[command(subcommand)]
    pub(super) step: ChatStep,
}

#[derive(Debug, Subcommand)]
pub(super) enum ChatStep {
    /// Join, say so, and see what was said last.
    Join(Join),
    /// Post a message; an intent and what is said in an argument wait for what comes of it.
    Post(Post),
    /// Wait for what comes of a thread, or for the next message.
    Wait(Wait),
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
pub(super) struct Who {
    #[command(flatten)]
    pub(super) place: Place,
    /// The name of the agent that speaks.
    #[arg(long = "as", value_name = "NAME", value_parser = agent_name)]
    pub(super) name: String,
    #[command(flatten)]
    pub(super) others: Others,
}

/// Who has a part of their own on the channel.
#[derive(Debug, Args)]
pub(super) struct Others {
    /// The name of the agent that leads the others; where none of that name is there, each asks its own user.
    #[arg(long, value_name = "NAME", default_value = "lead", value_parser = agent_name)]
    pub(super) lead: String,
    /// The name of the memory agent, to whom every intent goes.
    #[arg(long, value_name = "NAME", default_value = MEMORY, value_parser = agent_name)]
    pub(super) memory_agent: String,
}

#[derive(Debug, Args)]
pub(super) struct Join {
    #[command(flatten)]
    pub(super) who: Who,
}

#[derive(Debug, Args)]
pub(super) struct Post {
    /// What is posted: intent; argue, concede or decide in an argument; done, info, learned, ack, wait, shutdown.
    #[arg(value_name = "WHAT", value_parser = NonEmptyStringValueParser::new())]
    pub(super) what: String,
    /// What it says; `-` takes it from stdin.
    pub(super) text: String,
    #[command(flatten)]
    pub(super) who: Who,
    /// To whom: a name, names with commas between them, or `all`. An intent goes to the memory agent and to these, and
    /// to it alone where none are given; anything else goes to all then.
    #[arg(long, value_name = "NAMES")]
    pub(super) to: Option<String>,
    /// The thread; an intent begins one of its own.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) thread: String,
    #[command(flatten)]
    pub(super) until: Until,
}

#[derive(Debug, Args)]
pub(super) struct Wait {
    #[command(flatten)]
    pub(super) who: Who,
    /// The thread whose end is waited for; without it the next message to this agent.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) thread: Option<String>,
    /// What was posted after this cursor is new; without it, after this agent's own last message.
    #[arg(long, value_name = "CURSOR")]
    pub(super) after: Option<u64>,
    #[command(flatten)]
    pub(super) until: Until,
}

#[derive(Debug, Args)]
pub(super) struct Until {
    /// Give up waiting after so many seconds, with status 8; it is no permission.
    #[arg(long, value_name = "SECONDS")]
    pub(super) timeout: Option<u64>,
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

/// The memory agent.
#[derive(Debug, Args)]
pub(super) struct Agent {
    #[command(flatten)]
    pub(super) place: Place,
    /// The directory of memories, with `feedback/` and `facts/` in it.
    #[arg(long, value_name = "DIR")]
    pub(super) memory: PathBuf,
    /// The name of the agent.
    #[arg(long = "as", value_name = "NAME", default_value = MEMORY, value_parser = agent_name)]
    pub(super) name: String,
    /// The name of the agent that leads the others.
    #[arg(long, value_name = "NAME", default_value = "lead", value_parser = agent_name)]
    pub(super) lead: String,
    /// Keep the directory in step with the store, instead of being the only memory.
    #[arg(long)]
    pub(super) sync: bool,
    /// Whose memories speak, and to whom applies what is learned; the project of the channel where none is given.
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
}

/// A directory of memories beside the store.
#[derive(Debug, Args)]
pub(super) struct InStep {
    /// The directory, with `feedback/` and `facts/` in it.
    #[arg(value_name = "DIR")]
    pub(super) memory: PathBuf,
    /// Only take in what is in the files, or only write out what is in the store.
    #[arg(long, value_name = "WAY")]
    pub(super) only: Option<Way>,
}

/// One way of bringing two sides in step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Way {
    Import,
    Export,
}

/// A name can stand in a list of names, and is not that of everybody.
fn agent_name(text: &str) -> Result<String, String> {
    let is_odd = |c: char| c == ',' || c.is_control();
    if text.trim() != text || text.is_empty() || text == "all" || text.contains(is_odd) {
        return Err("a name is not empty and not `all`, and has no comma and no blanks around it".into());
    }
    Ok(text.to_owned())
}

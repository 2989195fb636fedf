//! The command line: every verb with its options.
//!
//! Decides what can be typed and what it is called. Never decides what a verb does.

use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Parser, Subcommand};
use clap_complete::Shell;
use hardwon_core::op::{Choice, Settlement};
use hardwon_core::record::{Kind, Scope, ScopeKey, Status, Tier};
use hardwon_core::trace::Format;

use super::Program;
pub(super) use super::agents::{AgentsMd, Hook, HookStep, Install, InstallTarget};
use super::chat_args::{Agent, Chat, InStep};
use super::fact_args::day;
pub(super) use super::fact_args::{Audit, Day, FactFiles, Facts, Remember};

const EXITS: &str = "\
Exit status:
  0  done, also when there was nothing to do
  1  something unexpected
  2  the command line is wrong
  3  what was named does not exist: a record, an operation, a file
  4  the input cannot be used: an unknown format, a bad file, a limit
  5  the store cannot be used now: no access, full disk, others kept writing
  6  the store is damaged or of another version
  7  the engine declined and changed nothing; the reason is in the answer; `chat`: an objection stands
  8  `chat`: others decide, or have not answered yet; it is no permission

Where several files are learned and some fail, the others are learned and the status is that of the first failure.

Store: --store, HARDWON_STORE, .hardwon/ here or above, the user data directory, in that order.
A file policy.toml beside the store overrides the defaults of the policy.";

/// Memory for agents: lessons from their traces, given back when they help.
#[derive(Debug, Parser)]
#[command(name = "hardwon", version, after_help = EXITS, max_term_width = 100, disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) verb: Verb,
}

/// Options of every verb.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(super) struct Global {
    /// The store: its directory, or its file. Else the variable `HARDWON_STORE`, if it is not empty.
    #[arg(long, global = true, value_name = "PATH")]
    pub(super) store: Option<PathBuf>,
    /// The space in the store.
    #[arg(long, global = true, value_name = "NAME", default_value = "default")]
    pub(super) space: String,
    /// Answer with one JSON document on one line; errors are JSON on stderr.
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Say nothing but answers and errors.
    #[arg(long, short, global = true)]
    pub(super) quiet: bool,
    /// When to use colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorChoice,
    /// What the command was started as.
    #[arg(skip)]
    pub(super) program: Program,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// The mistakes that came back in the histories of coding agents here; reads only.
    Scan(Scan),
    /// Learn lessons from traces: files, directories, `-` for stdin.
    Learn(Learn),
    /// What is known for this moment, as a block for the prompt.
    Recall(Recall),
    /// Write a lesson by hand.
    Teach(Teach),
    /// Write a fact, or take one back: held against what is known, never beside its opposite.
    Remember(Box<Remember>),
    /// Facts: what holds, and what held on a day.
    Facts(Facts),
    /// What is wrong with the facts that are stored: six classes, each with its remedy.
    Audit(Audit),
    /// Records, as a table.
    List(List),
    /// One record with its evidence.
    Show(Id),
    /// Why a record does or does not come back for a query.
    Explain(Explain),
    /// What happened in the space, or to one record.
    History(History),
    /// Take an operation back.
    Undo(Undo),
    /// Take a record back, or erase it for good.
    Forget(Forget),
    /// Bring an archived or forgotten record back.
    Restore(Change),
    /// Whether something is to be said before a call.
    Guard(Guard),
    /// Append events to a session's live trace, which `learn` without a path learns from.
    Observe(Observe),
    /// Say what came of showing a record.
    Settle(Settle),
    /// Keep a record from speaking at calls.
    Mute(Change),
    /// Let a muted record speak again.
    Unmute(Change),
    /// What waits for a person, and why.
    Review(Review),
    /// Answer what waits: it holds, it blocks, it leaves, another takes its place.
    Resolve(Resolve),
    /// What was learned, shown and changed in the last days, on a page.
    Report(Report),
    /// Put hooks and a skill into the settings of a coding agent.
    Install(Install),
    /// Take them out again.
    Uninstall(Install),
    /// The strategic lessons that may speak, as a managed block for AGENTS.md or CLAUDE.md.
    AgentsMd(AgentsMd),
    /// Answer an event of a coding agent's session: JSON on stdin, the agent's own form on stdout.
    Hook(Hook),
    /// The channel on which the agents of a project talk: join, post, wait, look.
    Chat(Chat),
    /// Run the memory agent: it answers on the channel from a directory of memories, and learns into it.
    Agent(Agent),
    /// Bring a directory of memories and the store in step.
    Sync(InStep),
    /// Hold a record in place: always first, never evicted.
    Pin(Change),
    /// Let a pinned record go.
    Unpin(Change),
    /// Evict down to the cap, and write missing vectors.
    Maintain(Maintain),
    /// Write every record to a file, or to stdout.
    Export(Export),
    /// Take in the records of an export.
    Import(Import),
    /// Figures of the space.
    Stats,
    /// Check the store and say what is wrong.
    Doctor,
    /// A short story in a store of its own: three runs, and what they teach.
    Demo(Demo),
    /// Completions for a shell, on stdout.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(super) struct Scan {
    /// Trace files, or directories to walk; none for the histories of the coding agents on this machine.
    #[arg(value_name = "FILE|DIR")]
    pub(super) paths: Vec<PathBuf>,
    /// Also write the report as one page that needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// The most mistakes of a kind that are printed; 0 is all. JSON and page have all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) limit: usize,
}

#[derive(Debug, Args)]
pub(super) struct Learn {
    /// Trace files, directories to walk, `-` for stdin; none for the live traces that wait.
    #[arg(value_name = "FILE|DIR")]
    pub(super) paths: Vec<PathBuf>,
    /// The format; detected where it is not given.
    #[arg(long, value_parser = format_parser(), value_name = "FORMAT")]
    pub(super) format: Option<Format>,
    /// Names the run where the format does not.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) session: Option<String>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// The lessons of each run apply to the repository that its trace names.
    #[arg(long)]
    pub(super) scope_from_trace: bool,
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    pub(super) by: Actor,
}

/// The model that words new lessons and sums up what leaves.
#[derive(Debug, Args)]
pub(super) struct ModelArgs {
    /// Let a model write: this one, else `HARDWON_MODEL`. Its key is in `HARDWON_MODEL_KEY` alone.
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) model: Option<String>,
    /// The base address of its OpenAI-compatible server, like `https://host/v1`; else `HARDWON_MODEL_URL`.
    #[arg(long, value_name = "URL", requires = "model")]
    pub(super) model_url: Option<String>,
}

/// The moment: a claim (before done), an error (after a failure), a call (before a tool), else a task (start).
#[derive(Debug, Args)]
pub(super) struct Query {
    /// What the agent was asked to do, or is about to do.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) task: String,
    /// The tool that is about to be called, or has failed.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(super) tool: String,
    /// The arguments of that call: a JSON object.
    #[arg(long, value_name = "JSON")]
    pub(super) args: Option<String>,
    /// The error message.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) error: String,
    /// What the agent is about to claim.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) claim: String,
    /// The tools that the agent has.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(super) tools: Vec<String>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// The most tokens of the block.
    #[arg(long, value_name = "TOKENS")]
    pub(super) budget: Option<u32>,
    /// The most records.
    #[arg(long, value_name = "N")]
    pub(super) top_k: Option<u32>,
}

#[derive(Debug, Args)]
pub(super) struct Recall {
    #[command(flatten)]
    pub(super) query: Query,
    /// What held on this day; a moment (RFC 3339) is taken as it is.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub(super) as_of: Option<Day>,
    /// As it was believed on that day, and not as it is known today.
    #[arg(long, requires = "as_of")]
    pub(super) believed: bool,
}

#[derive(Debug, Args)]
pub(super) struct Teach {
    /// The lesson, one line within the token cap.
    pub(super) text: String,
    /// A tool concerned; may be repeated.
    #[arg(long = "tool", value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) tools: Vec<String>,
    /// A word of your own; may be repeated.
    #[arg(long = "tag", value_name = "WORD", value_parser = NonEmptyStringValueParser::new())]
    pub(super) tags: Vec<String>,
    /// The situation in which it helps.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) situation: String,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    #[command(flatten)]
    pub(super) note: Note,
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// Only this kind.
    #[arg(long, value_parser = named(Kind::ALL, Kind::as_str))]
    pub(super) kind: Option<Kind>,
    /// Only this status; may be repeated. Active where none is given.
    #[arg(long, value_parser = named(Status::ALL, Status::as_str))]
    pub(super) status: Vec<Status>,
    /// Every status.
    #[arg(long, conflicts_with = "status")]
    pub(super) all: bool,
    /// Only this tier.
    #[arg(long, value_parser = named(Tier::ALL, Tier::as_str))]
    pub(super) tier: Option<Tier>,
    /// Only records of this tool.
    #[arg(long, value_name = "NAME")]
    pub(super) tool: Option<String>,
    /// Only records with this tag.
    #[arg(long, value_name = "WORD")]
    pub(super) tag: Option<String>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// Leave out this many from the start.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) offset: u32,
    /// The most records; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) limit: u32,
}

#[derive(Debug, Args)]
pub(super) struct Id {
    /// The record: its id, or the first 4 or more digits of it.
    pub(super) id: String,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The record: its id, or the first 4 or more digits of it.
    pub(super) id: String,
    #[command(flatten)]
    pub(super) query: Query,
}

#[derive(Debug, Args)]
pub(super) struct History {
    /// The record; the whole space where none is given.
    pub(super) id: Option<String>,
    /// The most entries, newest kept.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) limit: u32,
}

#[derive(Debug, Args)]
pub(super) struct Undo {
    /// The operation: its id as `history` shows it, or the first 4 or more digits of it.
    #[arg(value_name = "OP")]
    pub(super) op: String,
    /// Also take back the later operations that built on it.
    #[arg(long)]
    pub(super) cascade: bool,
    #[command(flatten)]
    pub(super) note: Note,
}

#[derive(Debug, Args)]
pub(super) struct Forget {
    /// The record: its id, or the first 4 or more digits of it.
    #[arg(required_unless_present = "source", default_value = "", hide_default_value = true)]
    pub(super) id: String,
    /// Take back all that this source has taught, in place of one record: a reference, an author, a session.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["id", "hard"])]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(super) source: Option<String>,
    /// Erase it: text, vector, variants, log, caches and traces. It cannot be restored.
    #[arg(long)]
    pub(super) hard: bool,
    /// Do not ask before erasing.
    #[arg(long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) note: Note,
}

#[derive(Debug, Args)]
pub(super) struct Change {
    /// The record: its id, or the first 4 or more digits of it.
    pub(super) id: String,
    #[command(flatten)]
    pub(super) note: Note,
}

#[derive(Debug, Args)]
pub(super) struct Maintain {
    /// Let five similar lessons that leave become one summary by the model.
    #[arg(long, requires = "model")]
    pub(super) summarize: bool,
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// Evict to this many active lessons, whatever the policy says.
    #[arg(long, value_name = "N")]
    pub(super) max_entries: Option<u32>,
    /// Write at most this many missing vectors; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) vectors: u32,
    #[command(flatten)]
    pub(super) by: Actor,
}

#[derive(Debug, Args)]
pub(super) struct Export {
    /// The file; stdout for `-` and where none is given.
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// Leave vectors out; the importing host makes its own.
    #[arg(long)]
    pub(super) without_vectors: bool,
    /// The facts that hold, as Markdown to read and edit; `import --facts` takes the edits.
    #[arg(long, conflicts_with = "without_vectors")]
    pub(super) facts: bool,
}

#[derive(Debug, Args)]
pub(super) struct Import {
    /// The export; `-` for stdin. With --facts, files that belong together, or a folder of Markdown files.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) facts: FactFiles,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    #[command(flatten)]
    pub(super) by: Actor,
}

#[derive(Debug, Args)]
pub(super) struct Demo {
    /// Write the demo's traces into this directory instead, to look at or to learn from.
    #[arg(long, value_name = "DIR")]
    pub(super) traces: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Guard {
    /// The session of the run; its live trace tells what has been said and tried.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(super) session: String,
    /// The tool that is about to be called.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) tool: String,
    /// The arguments of that call: a JSON object.
    #[arg(long, value_name = "JSON")]
    pub(super) args: Option<String>,
    /// What the run is about.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) task: String,
    /// Also answer with other arguments, where a remedy changes one of them.
    #[arg(long)]
    pub(super) rewrite: bool,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub(super) struct Observe {
    /// The session.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) session: String,
    /// Canonical events, one JSON object a line; stdin for `-` and where none is given.
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Settle {
    /// The record: its id, or the first 4 or more digits of it.
    pub(super) id: String,
    /// What came of it.
    #[arg(value_parser = named(&SETTLEMENTS, settlement_name))]
    pub(super) outcome: Settlement,
    #[command(flatten)]
    pub(super) note: Note,
}

#[derive(Debug, Args)]
pub(super) struct Review {
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// The most records; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) limit: u32,
}

#[derive(Debug, Args)]
pub(super) struct Resolve {
    /// The record: its id, or the first 4 or more digits of it.
    pub(super) id: String,
    /// confirm: it holds. block: it holds, and a call it speaks at waits for a person. archive: it does not hold.
    /// supersede: the record of --by takes its place.
    #[arg(value_parser = named(&CHOICES, choice_name))]
    pub(super) choice: Choice,
    /// The record that takes its place.
    #[arg(long, value_name = "ID")]
    pub(super) by: Option<String>,
    #[command(flatten)]
    pub(super) note: Note,
}

#[derive(Debug, Args)]
pub(super) struct Report {
    /// How many days back.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) days: u32,
}

const SETTLEMENTS: [Settlement; 3] = [Settlement::Followed, Settlement::NotFollowed, Settlement::Irrelevant];
const CHOICES: [Choice; 4] = [Choice::Confirm, Choice::Block, Choice::Archive, Choice::Supersede];

const fn settlement_name(one: Settlement) -> &'static str {
    match one {
        Settlement::Followed => "followed",
        Settlement::NotFollowed => "not_followed",
        Settlement::Irrelevant => "irrelevant",
    }
}

const fn choice_name(one: Choice) -> &'static str {
    match one {
        Choice::Confirm => "confirm",
        Choice::Block => "block",
        Choice::Archive => "archive",
        Choice::Supersede => "supersede",
    }
}

#[derive(Debug, Args)]
pub(super) struct ScopeArgs {
    /// To whom it applies: user, project, repo, subsystem or agent; may be repeated.
    #[arg(long = "scope", value_name = "KEY=VALUE", value_parser = scope_pair)]
    pairs: Vec<(ScopeKey, String)>,
}

impl ScopeArgs {
    /// The scope given, if any was.
    pub(super) fn given(&self) -> Option<Scope> {
        (!self.pairs.is_empty()).then(|| self.or_global())
    }

    /// The scope given, else the one that applies everywhere.
    pub(super) fn or_global(&self) -> Scope {
        self.pairs.iter().fold(Scope::global(), |scope, (key, value)| scope.with(*key, value))
    }
}

#[derive(Debug, Args)]
pub(super) struct Actor {
    /// Who does this, for the history.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(super) actor: String,
}

#[derive(Debug, Args)]
pub(super) struct Note {
    #[command(flatten)]
    pub(super) by: Actor,
    /// Why, for the history.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) reason: String,
}

fn scope_pair(text: &str) -> Result<(ScopeKey, String), String> {
    let keys = || ScopeKey::ALL.map(ScopeKey::as_str).join(", ");
    let (key, value) =
        text.split_once('=').ok_or_else(|| format!("write KEY=VALUE, KEY being one of {}", keys()))?;
    let key = ScopeKey::ALL.into_iter().find(|one| one.as_str() == key);
    match (key, value) {
        (None, _) => Err(format!("the key is one of {}", keys())),
        (_, "") => Err("the value is empty".into()),
        (Some(key), value) => Ok((key, value.into())),
    }
}

/// A parser of one of a closed list's names, which it offers in help and completions.
pub(super) fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&one| name(one)))
        .try_map(move |text| all.iter().copied().find(|&one| name(one) == text).ok_or("not one of the names"))
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    named(&Format::ALL, Format::name)
}

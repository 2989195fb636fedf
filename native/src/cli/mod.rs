//! The command `hardwon`: the engine's verbs for people and scripts.
//!
//! Decides how verbs are typed, how answers look and which exit status they have. Never decides what a verb does: that
//! is the core's.

mod advise;
mod agents;
mod archive;
mod args;
mod chat;
mod chat_args;
mod chat_post;
mod console;
mod doctor;
mod effect;
mod engine;
mod exchange;
mod fact_args;
mod facts;
mod failure;
mod hook;
mod install;
mod judge;
mod learn;
mod memories;
mod model;
mod place;
mod program;
mod read;
mod record;
mod scan;
mod sources;
mod story;
mod table;
mod transfer;
mod words;
mod write;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use hardwon_core::policy::Policy;

use self::args::{Cli, Verb};
use self::console::Console;
use self::failure::{Exit, Failure, Report};

pub use self::program::Program;

/// Runs the command with the arguments of this process.
pub fn main() -> ExitCode {
    ExitCode::from(run_as(Program::native(), &std::env::args_os().collect::<Vec<_>>()))
}

/// Runs the command as this program with these arguments, the first of them its name; answers the exit status.
pub fn run_as(program: Program, arguments: &[OsString]) -> u8 {
    outlive_file_limits();
    let exit = match Cli::try_parse_from(arguments) {
        Ok(mut cli) => {
            cli.global.program = program;
            run(cli)
        }
        Err(problem) => misused(&problem, arguments),
    };
    exit as u8
}

/// The store and the policy that the command would use, given this path or none; the error is a code and a message.
pub fn usual_place(store: Option<&Path>) -> Result<(PathBuf, Policy), (String, String)> {
    let found = place::store_path(store).and_then(|path| Ok((place::policy(&path)?, path)));
    match found {
        Ok((policy, path)) => Ok((path, policy)),
        Err(Failure::Error(report)) => Err((report.code, report.message)),
        Err(Failure::Closed) => Err(("unexpected".into(), "a stream was closed".into())),
    }
}

/// Over the limit of a file's size a process is killed, unless it takes note of the signal: then the write fails as on
/// a full disk, and is told as that.
fn outlive_file_limits() {
    #[cfg(unix)]
    {
        // Without it the command works as well, up to that limit.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

fn run(cli: Cli) -> Exit {
    let console = Console::new(&cli.global);
    match dispatch(cli, console) {
        Ok(exit) => exit,
        Err(Failure::Closed) => Exit::Done,
        Err(Failure::Error(report)) => {
            console.error(&report);
            report.exit
        }
    }
}

fn dispatch(cli: Cli, console: Console) -> Result<Exit, Failure> {
    let global = &cli.global;
    match cli.verb {
        Verb::Scan(args) => scan::scan(global, &args, console),
        Verb::Learn(args) => learn::learn(global, &args, console),
        Verb::Recall(args) => read::recall(global, &args, console),
        Verb::List(args) => read::list(global, args, console),
        Verb::Show(args) => read::show(global, &args, console),
        Verb::Explain(args) => read::explain(global, &args, console),
        Verb::History(args) => read::history(global, &args, console),
        Verb::Stats => read::stats(global, console),
        Verb::Remember(args) => facts::remember(global, *args, console),
        Verb::Facts(args) => facts::facts(global, args, console),
        Verb::Audit(args) => facts::audit(global, args, console),
        Verb::Teach(args) => write::teach(global, args, console),
        Verb::Forget(args) => write::forget(global, args, console),
        Verb::Restore(args) => write::restore(global, args, console),
        Verb::Pin(args) => write::pin(global, args, console),
        Verb::Unpin(args) => write::unpin(global, args, console),
        Verb::Undo(args) => write::undo(global, args, console),
        Verb::Install(args) => install::install(global, &args, console),
        Verb::Uninstall(args) => install::uninstall(global, &args, console),
        Verb::AgentsMd(args) => install::agents_md(global, &args, console),
        Verb::Hook(args) => Ok(hook::hook(global, &args)),
        Verb::Guard(args) => advise::guard(global, args, console),
        Verb::Observe(args) => advise::observe(global, &args, console),
        Verb::Settle(args) => judge::settle(global, args, console),
        Verb::Mute(args) => judge::mute(global, args, console),
        Verb::Unmute(args) => judge::unmute(global, args, console),
        Verb::Review(args) => judge::review(global, &args, console),
        Verb::Resolve(args) => judge::resolve(global, args, console),
        Verb::Report(args) => effect::report(global, &args, console),
        Verb::Maintain(args) => write::maintain(global, &args, console),
        Verb::Chat(args) => chat::chat(global, &args, console),
        Verb::Agent(args) => memories::agent(global, &args, console),
        Verb::Sync(args) => memories::sync(global, &args, console),
        Verb::Export(args) => transfer::export(global, &args, console),
        Verb::Import(args) => transfer::import(global, &args, console),
        Verb::Doctor => doctor::doctor(global, console),
        Verb::Demo(args) => story::demo(global, &args, console),
        Verb::Completions { shell } => completions(shell),
    }
}

fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hardwon", &mut script);
    console::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Whether an agent calls, to whom no mistake of ours may matter.
fn is_hook(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|verb| verb == "hook")
}

/// What clap has to say: help and version are answers, all else is a wrong command line.
fn misused(problem: &clap::Error, arguments: &[OsString]) -> Exit {
    let wants_json = arguments.iter().any(|arg| arg.as_os_str() == OsStr::new("--json"));
    let is_answer = matches!(problem.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if is_answer || !wants_json {
        let printed = problem.print().map_err(|cause| Failure::output(&cause));
        return match printed {
            Err(Failure::Error(report)) if is_answer => report.exit,
            // Agents take this status of a hook for an order to stop the call.
            _ if is_answer || is_hook(arguments) => Exit::Done,
            _ => Exit::Usage,
        };
    }
    let message = problem.to_string();
    let message =
        message.strip_prefix("error: ").unwrap_or(&message).lines().next().unwrap_or_default().to_string();
    let report = Report { code: "usage".into(), message, exit: Exit::Usage };
    // As the error of any verb: nothing depends on its being read.
    let _ = writeln!(std::io::stderr(), "{}", report.to_json());
    report.exit
}

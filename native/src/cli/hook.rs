//! `hook`: one event of a coding agent's session, from stdin to stdout.
//!
//! Decides that nothing which goes wrong here reaches the agent: the answer is then empty and the exit status 0. Never
//! writes more than codes into its log.

use core::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use super::args::{Global, Hook, HookStep};
use super::engine::make_folder;
use super::failure::{Exit, Failure};
use super::place;
use crate::clock;
use crate::hook::{self, Mine, Place, Reply};
use crate::store::store_file;

/// The most bytes of an event that are read.
const LIMIT: u64 = 64 << 20;
/// The log begins anew at this size.
const LOG_BYTES: u64 = 256 << 10;
const LOG: &str = "hook.log";

/// Never fails: what goes wrong stands in the log.
pub(super) fn hook(global: &Global, args: &Hook) -> Exit {
    if let Err(code) = run(global, args) {
        log(global, args, &code);
    }
    Exit::Done
}

fn run(global: &Global, args: &Hook) -> Result<(), String> {
    let HookStep::Event(event) = args.event else {
        return mine(global, args).map_err(|failure| code(&failure));
    };
    let mut input = String::new();
    io::stdin()
        .lock()
        .take(LIMIT)
        .read_to_string(&mut input)
        .map_err(|_| String::from("input.unreadable"))?;
    enter(&input);
    let place = place_of(global).map_err(|failure| code(&failure))?;
    let reply = hook::respond(args.agent, event, &input, &place).map_err(|error| error.code())?;
    tell(&reply).map_err(|_| String::from("output"))?;
    for trouble in &reply.trouble {
        log(global, args, trouble);
    }
    match reply.mine {
        Some(mine) => detach(global, args, &mine, &place).map_err(|_| String::from("spawn")),
        None => Ok(()),
    }
}

/// Which store is meant depends on where the session works, and not on where the agent was started.
fn enter(input: &str) {
    if let Some(folder) = hook::folder(input) {
        // Where it cannot be entered the present one is as good.
        let _ = std::env::set_current_dir(folder);
    }
}

fn place_of(global: &Global) -> Result<Place, Failure> {
    let path = place::store_path(global.store.as_deref())?;
    let file = store_file(&path);
    make_folder(&file)?;
    Ok(Place { policy: place::policy(&path)?, file, space: global.space.clone() })
}

fn tell(reply: &Reply) -> io::Result<()> {
    let Some(answer) = &reply.answer else { return Ok(()) };
    let mut out = io::stdout().lock();
    writeln!(out, "{answer}")?;
    out.flush()
}

/// Mines in a process of its own, which outlives the hook and its agent.
fn detach(global: &Global, args: &Hook, mine: &Mine, place: &Place) -> io::Result<()> {
    let program = global.program.path().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let mut command = Command::new(program);
    command.args(["hook", "mine", "--agent", args.agent.name(), "--space", &global.space, "--store"]);
    command.arg(&place.file).args(["--session", &mine.session, "--repo", &mine.repo]);
    if let Some(path) = &mine.transcript {
        command.arg("--transcript").arg(path);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map(drop)
}

fn mine(global: &Global, args: &Hook) -> Result<(), Failure> {
    let place = place_of(global)?;
    let mine =
        Mine { session: args.session.clone(), repo: args.repo.clone(), transcript: args.transcript.clone() };
    Ok(hook::mine(&mine, &place)?)
}

fn code(failure: &Failure) -> String {
    match failure {
        Failure::Closed => "output".into(),
        Failure::Error(report) => report.code.clone(),
    }
}

/// A line with time, event and code: nothing of what the agent did.
fn log(global: &Global, args: &Hook, code: &str) {
    let Ok(path) = place::store_path(global.store.as_deref()) else { return };
    let path = store_file(&path).with_file_name(LOG);
    // Where there is no place to say it, it stays unsaid.
    let _ = append(&path, args, code);
}

fn append(path: &Path, args: &Hook, code: &str) -> io::Result<()> {
    let is_long = fs::metadata(path).is_ok_and(|meta| meta.len() > LOG_BYTES);
    let mut options = OpenOptions::new();
    options.create(true).write(true).append(!is_long).truncate(is_long);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut line = String::new();
    let _ = writeln!(line, "{} {} {} {code}", clock::now(), args.agent.name(), args.event.name());
    options.open(path)?.write_all(line.as_bytes())
}

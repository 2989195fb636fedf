//! `agent` and `sync`: the memory agent, and a directory of memories beside a store.
//!
//! Decides how they are typed, how they end, and what is told meanwhile. Never decides what a memory says.

use core::fmt::Write as _;
use core::sync::atomic::AtomicBool;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use hardwon_core::policy::Policy;
use hardwon_core::record::{Scope, ScopeKey};

use super::args::Global;
use super::chat::channel;
use super::chat_args::{Agent, InStep, Way};
use super::console::{Console, count, one_line};
use super::engine::make_folder;
use super::failure::{Exit, Failure};
use super::place;
use super::read::with_verb;
use crate::agent::{self, Options, Synced};
use crate::store::store_file;

/// Runs until it is told to leave: on the channel, or by a signal.
pub(super) fn agent(global: &Global, args: &Agent, console: Console) -> Result<Exit, Failure> {
    let channel = channel(&args.place)?;
    let store = if args.sync { Some(place::store_path(global.store.as_deref())?) } else { None };
    let policy = match &store {
        Some(store) => prepared(store)?,
        None => place::policy(&args.memory.join("policy.toml"))?,
    };
    let scope = args.scope.given().unwrap_or_else(|| own_scope(&policy, channel.path()));
    let options = Options {
        channel: channel.path().to_path_buf(),
        memory: args.memory.clone(),
        store: store.map(|store| store_file(&store)),
        space: global.space.clone(),
        policy,
        name: args.name.clone(),
        lead: args.lead.clone(),
        scope,
    };
    let stop = Arc::new(AtomicBool::new(false));
    let state = agent::run(&options, &stop, |waker| hear_signals(&stop, waker), |text| console.notice(text))?;
    let counts = state.counts();
    console.confirm(
        || with_verb("agent", &counts),
        || {
            let intents = count(counts.intents, "intent");
            format!("Left: {intents} heard, {} answered, {} shown.\n", counts.checked, counts.surfaced)
        },
    )?;
    Ok(Exit::Done)
}

/// Brings a directory of memories and the store in step.
pub(super) fn sync(global: &Global, args: &InStep, console: Console) -> Result<Exit, Failure> {
    let store = place::store_path(global.store.as_deref())?;
    let policy = prepared(&store)?;
    let mut keeper = agent::open(&args.memory, Some(&store_file(&store)), &global.space, policy)?;
    let mut told = Synced::default();
    if args.only != Some(Way::Export) {
        told = keeper.pull()?;
    }
    if args.only != Some(Way::Import) {
        told = told.and(keeper.push(None)?);
    }
    console.confirm(|| with_verb("sync", &told), || synced(&told))?;
    Ok(Exit::Done)
}

fn synced(told: &Synced) -> String {
    let Synced { imported, exported, updated, removed, conflicts, unusable, refused } = told;
    let mut out = format!(
        "{imported} taken in, {exported} written out, {updated} brought in step, {removed} taken back or put away.\n"
    );
    for conflict in conflicts {
        let _ = writeln!(out, "conflict: {}", one_line(conflict));
    }
    for (name, reason) in unusable {
        let _ = writeln!(out, "left as it is: {}: {}", one_line(name), one_line(reason));
    }
    for (reason, n) in refused {
        let _ = writeln!(out, "refused: {n} ({})", one_line(super::words::reason(reason)));
    }
    out
}

fn prepared(store: &Path) -> Result<Policy, Failure> {
    make_folder(&store_file(store))?;
    place::policy(store)
}

/// What the agent learns applies to the project of its channel, where nobody says otherwise.
fn own_scope(policy: &Policy, channel: &Path) -> Scope {
    let project = channel.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if policy.scope.is_empty() {
        Scope::global().with(ScopeKey::Project, &project)
    } else {
        policy.scope.clone()
    }
}

/// Lets the agent leave on a signal, as where it is told to.
#[cfg(unix)]
fn hear_signals(stop: &Arc<AtomicBool>, waker: Sender<()>) {
    use core::sync::atomic::Ordering;
    use signal_hook::consts::{SIGINT, SIGTERM};
    // Without signals the shutdown on the channel is left.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        for _ in &mut signals {
            stop.store(true, Ordering::SeqCst);
            // The agent has gone where nobody hears it.
            let _ = waker.send(());
        }
    });
}

#[cfg(not(unix))]
fn hear_signals(_: &Arc<AtomicBool>, _: Sender<()>) {}

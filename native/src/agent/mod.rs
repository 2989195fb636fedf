//! The memory agent on this machine: a directory of memories and a channel.
//!
//! Decides when files are looked at and written. Never decides what a memory says to a message: that is the core's.

mod file;
mod folder;
mod form;
mod keeper;
mod ledger;

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hardwon_core::env::{Env, RecordId, Seed};
use hardwon_core::error::Error;
use hardwon_core::op::{Input, Output, React, Settle, Settlement};
use hardwon_core::policy::Policy;
use hardwon_core::react::{Came, Input as Happens, Message, Opinion, Question, Role, State};
use hardwon_core::record::Scope;

pub(crate) use self::keeper::{Keeper, Synced};
use crate::chat::{Channel, Event, Mind, Session, Watch};
use crate::clock;
use crate::memory::{Memory, OpenOptions};
use crate::store::SqliteStore;

/// Where the index of a directory of memories is, inside it.
const INDEX: &str = ".hardwon";
/// The name of a ledger.
const LEDGER: &str = "files.jsonl";

/// What an agent works on.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) channel: PathBuf,
    /// The directory of memories.
    pub(crate) memory: PathBuf,
    /// A store that is kept in step with the directory; without it the directory has an index of its own.
    pub(crate) store: Option<PathBuf>,
    pub(crate) space: String,
    pub(crate) policy: Policy,
    pub(crate) name: String,
    pub(crate) lead: String,
    pub(crate) scope: Scope,
}

/// Opens a directory of memories with its own index, or with a store that is kept in step with it.
pub(crate) fn open(
    root: &Path,
    store: Option<&Path>,
    space: &str,
    policy: Policy,
) -> Result<Keeper<SqliteStore>, Error> {
    let index = root.join(INDEX);
    let path = store.map_or_else(|| index.clone(), Path::to_path_buf);
    let ledger = match store {
        None => index.join(LEDGER),
        // A directory may be kept in step with several stores.
        Some(store) => {
            let store = std::path::absolute(store).unwrap_or_else(|_| store.to_path_buf());
            let name = hardwon_core::record::hash64(&[&store.to_string_lossy(), space]);
            index.join(format!("files-{name:016x}.jsonl"))
        }
    };
    let memory = Memory::open(OpenOptions { path, space: space.into(), policy, read_only: false })?;
    Keeper::new(memory, root, &ledger)
}

/// Runs the agent until it is told to leave, on the channel or by `stop`; `tell` hears what a person should know.
pub(crate) fn run(
    options: &Options,
    stop: &Arc<AtomicBool>,
    ready: impl FnOnce(std::sync::mpsc::Sender<()>),
    mut tell: impl FnMut(&str),
) -> Result<State, Error> {
    let channel = Channel::new(&options.channel);
    channel.prepare()?;
    let watch = Watch::file(channel.path());
    ready(watch.waker());
    let mind = Remembering {
        keeper: open(&options.memory, options.store.as_deref(), &options.space, options.policy.clone())?,
        scope: options.scope.clone(),
        touched: BTreeSet::new(),
        notes: Vec::new(),
    };
    let state = State::new(&options.name, Role::Memory, &options.lead, &options.name);
    let past = channel.read(hardwon_core::react::Position(0))?;
    let mut session = Session::enter(channel, state, mind, past, false)?;
    let mut is_stopping = false;
    loop {
        session.turn()?;
        session.mind.flush();
        while let Some(event) = session.next_event() {
            note(&event, &mut tell);
        }
        session.mind.notes.drain(..).for_each(|note| tell(&note));
        if session.has_left() {
            return Ok(session.state().clone());
        }
        if stop.load(Ordering::SeqCst) && !is_stopping {
            is_stopping = true;
            session.give(Happens::Leave)?;
            continue;
        }
        let left = session.wake().map_or(i64::MAX, |wake| wake.0.saturating_sub(clock::now().0));
        watch.wait(Duration::from_millis(left.max(0) as u64));
    }
}

fn note(event: &Event, tell: &mut impl FnMut(&str)) {
    use hardwon_core::react::Action;
    match event {
        Event::Skipped(parts) => {
            tell(&format!("{parts} parts of the channel could not be read as messages and were passed over"));
        }
        Event::Told(Action::Warn(text)) => tell(text),
        Event::Told(Action::Refuse { why, .. }) => tell(why),
        _ => {}
    }
}

/// A mind that remembers.
#[derive(Debug)]
struct Remembering {
    keeper: Keeper<SqliteStore>,
    scope: Scope,
    /// Records whose files are to be brought in step.
    touched: BTreeSet<RecordId>,
    /// What a person should know.
    notes: Vec<String>,
}

impl Remembering {
    /// Brings files in step once the answer is posted: the store has what was counted, so what fails is tried again.
    fn flush(&mut self) {
        if self.touched.is_empty() {
            return;
        }
        match self.keeper.push(Some(&self.touched)) {
            Ok(told) => {
                self.touched.clear();
                self.say(told);
            }
            Err(error) => self.notes.push(format!("the files are not in step yet: {error}")),
        }
    }

    fn say(&mut self, told: Synced) {
        let unusable = told.unusable.into_iter();
        self.notes.extend(unusable.map(|(name, reason)| format!("{name}: {reason}; it is left as it is")));
        self.notes.extend(told.conflicts);
        let refused = told.refused.into_iter();
        self.notes.extend(refused.map(|(reason, count)| format!("{count} memories were refused: {reason}")));
    }

    fn ask(&mut self, question: Question) -> Result<Opinion, Error> {
        let pulled = self.keeper.pull()?;
        self.say(pulled);
        let seed = question.seed;
        let mut input = React { scope: Some(self.scope.clone()), ..React::from(question) };
        let most = self.keeper.text_bytes();
        let messages = [Some(&mut input.message), input.before.as_mut(), input.intent.as_mut()];
        messages.into_iter().flatten().for_each(|message| shorten(message, most));
        let output = self.keeper.run(Env { now: clock::now(), seed }, Input::React(input))?;
        let Output::Reacted(opinion) = output else {
            return Err(Error::protocol("a message was answered by something else"));
        };
        for ids in [&opinion.surfaced, &opinion.missed, &opinion.made, &opinion.replaced] {
            self.touched.extend(ids);
        }
        Ok(opinion)
    }
}

impl Mind for Remembering {
    fn load(&mut self) -> Result<(u32, u32), Error> {
        let pulled = self.keeper.pull()?;
        self.say(pulled);
        // What was counted and not written before the agent was killed.
        let pushed = self.keeper.push(None)?;
        self.say(pushed);
        Ok((self.keeper.count(), 0))
    }

    fn consider(&mut self, question: Question) -> Result<Opinion, Error> {
        match self.ask(question) {
            Ok(opinion) => Ok(opinion),
            // An intent is never left without an answer.
            Err(error) => {
                self.notes.push(format!("the memory could not be asked: {error}"));
                let ack = format!("The memory cannot be asked now ({}). Proceed.", error.code());
                Ok(Opinion { ack, ..Opinion::default() })
            }
        }
    }

    fn settle(&mut self, memories: &[RecordId], came: Came, seed: Seed) -> Result<(), Error> {
        let outcome = match came {
            Came::Followed => Settlement::Followed,
            Came::NotFollowed => Settlement::NotFollowed,
            Came::Irrelevant => Settlement::Irrelevant,
            Came::Unresolved => return Ok(()),
        };
        for (at, id) in memories.iter().enumerate() {
            let id = self.keeper.heir(*id);
            let mut seed = seed;
            // One operation a memory.
            seed.0[15] = seed.0[15].wrapping_add(at as u8);
            let input = Settle { id, outcome, actor: String::new(), reason: "argument".into() };
            match self.keeper.run(Env { now: clock::now(), seed }, Input::Settle(input)) {
                Ok(_) => drop(self.touched.insert(id)),
                Err(error) => self.notes.push(format!("what came of {id} could not be counted: {error}")),
            }
        }
        Ok(())
    }
}

/// A message within the limit of what the memory reads: the rest of a very long one counts for nothing.
fn shorten(message: &mut Message, most: usize) {
    let Message { from, to, thread, text, .. } = message;
    for one in [from, to, thread, text] {
        if one.len() > most {
            one.truncate(one.floor_char_boundary(most));
        }
    }
}

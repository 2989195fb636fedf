//! `chat join`, `chat post` and `chat wait`: the side of an agent that acts.
//!
//! Decides which of the machine's words ends a command, and with which status. Never decides whether an intent may go
//! on.

use core::fmt::Write as _;
use core::time::Duration;
use std::io;

use hardwon_core::env::Timestamp;
use hardwon_core::react::{
    Action, Draft, EVERYBODY, Input, Message, MessageKind, Position, Role, Standing, State,
};
use serde_json::{Value, json};

use super::chat::{SHOWN, channel, message_json, text};
use super::chat_args::{Join, Others, Post, Until, Wait, Who};
use super::console::{BAD, Console, GOOD, NOTE, count, lines, styled};
use super::failure::{Exit, Failure};
use crate::chat::{Channel, Event, MESSAGE_BYTES, NoMind, Placed, Session, Watch};
use crate::clock;

/// An agent at work for the time of a command. Where it stands is read from the channel.
struct Actor {
    channel: Channel,
    session: Session<NoMind>,
    name: String,
    /// What stands in the channel, and what was said in this command.
    said: Vec<Placed>,
    /// How many of these it has seen before.
    before: usize,
    warnings: Vec<String>,
}

/// How a command ends.
struct Outcome {
    name: &'static str,
    exit: Exit,
    /// Which rule was broken, as a code.
    reason: String,
    /// What there is to know: an objection, a decision, a question for the user, why it was refused.
    text: String,
}

impl Outcome {
    fn new(name: &'static str, exit: Exit) -> Self {
        Self { name, exit, reason: String::new(), text: String::new() }
    }

    fn saying(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }
}

impl Actor {
    /// Goes on where the agent's last command ended; joins where it has said nothing yet, or is to.
    fn open(who: &Who, joins: bool) -> Result<Self, Failure> {
        let channel = channel(&who.place)?;
        channel.prepare()?;
        let past = channel.read(Position(0))?;
        let said = past.messages.clone();
        let Others { lead, memory_agent } = &who.others;
        let state = State::new(&who.name, Role::Active, lead, memory_agent);
        let session = Session::enter(channel.clone(), state, NoMind, past, !joins)?;
        let (name, before) = (who.name.clone(), said.len());
        Ok(Self { channel, session, name, said, before, warnings: Vec::new() })
    }

    /// Waits until `ends` finds the end of the command in an event, or in how things stand.
    fn until(
        &mut self,
        until: &Until,
        ends: impl Fn(&Self, Option<&Event>) -> Option<Outcome>,
    ) -> Result<Outcome, Failure> {
        let watch = Watch::file(self.channel.path());
        let give_up = until
            .timeout
            .map(|seconds| Timestamp(clock::now().0.saturating_add_unsigned(seconds.saturating_mul(1000))));
        loop {
            // Before anything is waited for: it may have come before the watch began.
            self.session.turn()?;
            if let Some(outcome) = self.see(&ends).or_else(|| ends(self, None)) {
                return Ok(outcome);
            }
            if give_up.is_some_and(|time| time <= clock::now()) {
                return Ok(Outcome::new("pending", Exit::Pending));
            }
            let next = [self.session.wake(), give_up].into_iter().flatten().min();
            watch.wait(next.map_or(Duration::MAX, time_until));
        }
    }

    /// Goes through what has happened since the last time, up to the end of the command.
    fn see(&mut self, ends: impl Fn(&Self, Option<&Event>) -> Option<Outcome>) -> Option<Outcome> {
        while let Some(event) = self.session.next_event() {
            match &event {
                Event::Heard(placed) | Event::Posted(placed) => self.said.push(placed.clone()),
                Event::Told(Action::Warn(text)) => self.warnings.push(text.clone()),
                Event::Skipped(parts) => {
                    self.warnings.push(format!("{} of the channel could not be read", count(*parts, "part")));
                }
                Event::Told(_) => {}
            }
            if let Some(outcome) = ends(self, Some(&event)) {
                return Some(outcome);
            }
        }
        None
    }

    fn is_objector(&self, thread: &str, name: &str) -> bool {
        self.session.state().objectors(thread).contains(&name)
    }

    /// What the parties of a thread have said last: this agent, or who objects to it.
    fn latest(&self, thread: &str) -> Option<&Message> {
        let mut messages = self.said.iter().rev().map(|placed| &placed.message);
        messages.find(|one| {
            one.thread == thread && (one.from == self.name || self.is_objector(thread, &one.from))
        })
    }

    /// What is new to this agent, on a thread or on all.
    fn shown(&self, thread: &str) -> impl Iterator<Item = &Placed> {
        let new = self.said.iter().skip(self.before);
        new.filter(move |placed| {
            placed.message.is_to(&self.name) && (thread.is_empty() || placed.message.thread == thread)
        })
    }

    fn answer(&self, verb: &str, thread: &str, outcome: &Outcome, console: Console) -> Result<Exit, Failure> {
        for warning in &self.warnings {
            console.notice(warning);
        }
        let cursor = self.session.cursor();
        let shown: Vec<&Placed> = self.shown(thread).collect();
        let json = || {
            let messages: Value = shown.iter().map(|placed| message_json(placed)).collect();
            json!({
                "verb": verb, "outcome": outcome.name, "reason": outcome.reason, "text": outcome.text,
                "thread": thread, "cursor": cursor.0, "messages": messages, "warnings": self.warnings,
            })
        };
        let style = match outcome.exit {
            Exit::Done => GOOD,
            Exit::Pending => NOTE,
            _ => BAD,
        };
        let words = match outcome.name {
            "proceed" => "Go on.",
            "wait" => {
                "Wait: answer the objection with `chat post argue`, or give in with `chat post concede`."
            }
            "escalated" => "The lead decides; `chat wait` waits for it.",
            "ask_user" => "Ask the user, and post the answer with `chat post decide`.",
            "refused" => "Refused, nothing was posted.",
            "pending" => "No answer yet, which is no permission; `chat wait` goes on waiting.",
            _ => "",
        };
        let page = || {
            let mut page: String = shown.iter().map(|placed| text(placed)).collect();
            if !words.is_empty() {
                let _ = writeln!(page, "{}", styled(style, words));
            }
            if !outcome.text.is_empty() {
                let _ = writeln!(page, "{}", lines(&outcome.text));
            }
            page
        };
        console.answer(json, page)?;
        Ok(outcome.exit)
    }
}

pub(super) fn join(args: &Join, console: Console) -> Result<Exit, Failure> {
    let mut actor = Actor::open(&args.who, true)?;
    actor.session.turn()?;
    actor.see(|_, _| None);
    for warning in &actor.warnings {
        console.notice(warning);
    }
    let (cursor, surplus) = (actor.session.cursor(), actor.said.len().saturating_sub(SHOWN));
    let shown = &actor.said[surplus..];
    let json = || {
        let messages: Value = shown.iter().map(message_json).collect();
        json!({ "verb": "chat_join", "cursor": cursor.0, "messages": messages, "warnings": actor.warnings })
    };
    console.answer(json, || shown.iter().map(text).collect())?;
    Ok(Exit::Done)
}

pub(super) fn post(args: &Post, console: Console) -> Result<Exit, Failure> {
    let words = words(&args.text)?;
    let mut actor = Actor::open(&args.who, false)?;
    let (input, waits) = input(args, words, &actor)?;
    actor.session.give(input)?;
    let thread = args.thread.as_str();
    let refused = |event: Option<&Event>| match event {
        Some(Event::Told(Action::Refuse { what, why })) => {
            let reason = what.clone();
            Some(Outcome { reason, ..Outcome::new("refused", Exit::Declined).saying(why) })
        }
        _ => None,
    };
    let outcome = if waits {
        actor.until(&args.until, |actor, event| {
            refused(event)
                .or_else(|| escalated(thread, actor, event))
                .or_else(|| stands(thread, actor, event))
        })?
    } else {
        actor.see(|_, event| refused(event)).unwrap_or_else(|| Outcome::new("posted", Exit::Done))
    };
    actor.answer("chat_post", thread, &outcome, console)
}

pub(super) fn wait(args: &Wait, console: Console) -> Result<Exit, Failure> {
    let mut actor = Actor::open(&args.who, false)?;
    // What was said since this agent last said something is new to it, where it does not say otherwise.
    let own = actor.said.iter().rposition(|placed| placed.message.from == actor.name).map_or(0, |at| at + 1);
    let after = |after| actor.said.partition_point(|placed| placed.end.0 <= after);
    actor.before = args.after.map_or(own, after);
    let outcome = match args.thread.as_deref() {
        Some(thread) if actor.session.state().standing(thread).is_some() => {
            actor.until(&args.until, |actor, event| stands(thread, actor, event))?
        }
        thread => {
            let thread = thread.unwrap_or_default();
            let heard = |actor: &Actor, event: Option<&Event>| {
                let is_heard = event.is_none() && actor.shown(thread).next().is_some();
                is_heard.then(|| Outcome::new("heard", Exit::Done))
            };
            actor.until(&args.until, heard)?
        }
    };
    actor.answer("chat_wait", args.thread.as_deref().unwrap_or_default(), &outcome, console)
}

/// How an own intent stands, where that leaves the next step to the caller.
fn stands(thread: &str, actor: &Actor, event: Option<&Event>) -> Option<Outcome> {
    match event {
        Some(Event::Told(Action::Proceed { thread: one, decision })) if one == thread => {
            return Some(Outcome::new("proceed", Exit::Done).saying(decision));
        }
        Some(Event::Told(Action::AskUser { thread: one, text })) if one == thread => {
            return Some(Outcome::new("ask_user", Exit::Pending).saying(text));
        }
        Some(_) => return None,
        None => {}
    }
    match (actor.session.state().standing(thread)?, actor.latest(thread)) {
        (Standing::Going, _) => Some(Outcome::new("proceed", Exit::Done)),
        (Standing::Held, Some(last)) if last.from != actor.name => match last.kind {
            // The counter in an argument is an `info`.
            MessageKind::Wait | MessageKind::Info => {
                Some(Outcome::new("wait", Exit::Declined).saying(&last.text))
            }
            MessageKind::Escalate if last.is_to(&actor.name) => {
                Some(Outcome::new("ask_user", Exit::Pending).saying(&last.text))
            }
            _ => None,
        },
        _ => None,
    }
}

/// That the matter was put to the lead just now.
fn escalated(thread: &str, actor: &Actor, event: Option<&Event>) -> Option<Outcome> {
    match event {
        Some(Event::Posted(Placed { message, .. }) | Event::Heard(Placed { message, .. }))
            if message.thread == thread
                && message.kind == MessageKind::Escalate
                && !message.is_to(&actor.name) =>
        {
            Some(Outcome::new("escalated", Exit::Pending).saying(&message.text))
        }
        _ => None,
    }
}

/// What is given to the machine, and whether something comes of it that is waited for.
fn input(args: &Post, text: String, actor: &Actor) -> Result<(Input, bool), Failure> {
    let thread = args.thread.clone();
    Ok(match args.what.as_str() {
        "intent" => {
            let to = args.to.as_deref().unwrap_or(&args.who.others.memory_agent);
            let to = to.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
            (Input::Announce { cursor: actor.session.end()?, thread, to: to.collect(), text }, true)
        }
        "argue" => (Input::Argue { thread, text }, true),
        "concede" => (Input::Concede { thread, text }, true),
        "decide" => (Input::Decide { thread, text }, true),
        "done" => (Input::Finish { thread, text }, false),
        other => {
            let (from, kind) = (args.who.name.clone(), MessageKind::from_name(other));
            let to = args.to.clone().unwrap_or_else(|| EVERYBODY.into());
            (Input::Say { draft: Draft { from, to, thread, kind, text } }, false)
        }
    })
}

/// The text of a message, from stdin where it is `-`.
fn words(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut words = String::new();
    // One byte more than a message may have is refused as such where it is posted.
    let input = io::Read::take(io::stdin().lock(), MESSAGE_BYTES as u64 + 1);
    io::Read::read_to_string(&mut io::BufReader::new(input), &mut words)
        .map_err(|cause| Failure::reading("-", &cause))?;
    Ok(words)
}

fn time_until(time: Timestamp) -> Duration {
    Duration::from_millis(time.0.saturating_sub(clock::now().0).max(0) as u64)
}

//! `chat`: the agents' channel for people and for agents that are driven by a shell.
//!
//! Decides how messages are typed and shown. Never decides what may be posted: that is the core's machine.

use std::path::PathBuf;

use hardwon_core::react::Position;
use serde_json::{Value, json};

use super::args::Global;
use super::chat_args::{Chat, ChatStep, Place, Tail};
use super::chat_post;
use super::console::{self, BAD, Console, DIM, GOOD, HEAD, NOTE, lines, one_line, styled};
use super::failure::{Exit, Failure};
use crate::chat::{Batch, Channel, Placed, Watch, usual_path};

/// How many messages are shown where nobody says how many.
pub(super) const SHOWN: usize = 20;

pub(super) fn chat(_: &Global, args: &Chat, console: Console) -> Result<Exit, Failure> {
    match &args.step {
        ChatStep::Join(args) => chat_post::join(args, console),
        ChatStep::Post(args) => chat_post::post(args, console),
        ChatStep::Wait(args) => chat_post::wait(args, console),
        ChatStep::Tail(args) => tail(args, console),
    }
}

/// The channel that is meant.
pub(super) fn channel(place: &Place) -> Result<Channel, Failure> {
    let path = match &place.chat {
        Some(path) if path.as_os_str() == "-" => return Err(super::place::no_stream("a channel")),
        Some(path) => path.clone(),
        None => usual_path(&here()?)?,
    };
    Ok(Channel::new(path))
}

fn here() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|cause| Failure::reading(".", &cause))
}

fn tail(args: &Tail, console: Console) -> Result<Exit, Failure> {
    let channel = channel(&args.place)?;
    if !channel.path().exists() {
        console.notice(&format!(
            "there is no channel at {} yet; `hardwon chat join` makes one",
            channel.path().display()
        ));
    }
    let mut batch = channel.read(Position(args.after.unwrap_or(0)))?;
    let keep = |placed: &Placed| args.thread.as_ref().is_none_or(|thread| placed.message.thread == *thread);
    batch.messages.retain(keep);
    let most = args.last.unwrap_or(if args.after.is_some() { 0 } else { SHOWN });
    if most > 0 {
        let surplus = batch.messages.len().saturating_sub(most);
        batch.messages.drain(..surplus);
    }
    if args.follow {
        return follow(&channel, batch, keep, console);
    }
    note_skipped(&batch, console);
    console.answer(|| tail_json(&batch), || batch.messages.iter().map(text).collect())?;
    Ok(Exit::Done)
}

/// Shows what comes until the reader has gone, one message a line with `--json`.
fn follow(
    channel: &Channel,
    mut batch: Batch,
    keep: impl Fn(&Placed) -> bool,
    console: Console,
) -> Result<Exit, Failure> {
    channel.prepare()?;
    let watch = Watch::file(channel.path());
    loop {
        note_skipped(&batch, console);
        for placed in batch.messages.iter().filter(|placed| keep(placed)) {
            console.answer(|| message_json(placed), || text(placed))?;
        }
        batch = channel.read(batch.cursor)?;
        if batch.messages.is_empty() {
            watch.wait(core::time::Duration::MAX);
        }
    }
}

fn note_skipped(batch: &Batch, console: Console) {
    if batch.skipped > 0 {
        let parts = console::count(batch.skipped, "part");
        console.notice(&format!("{parts} of the channel could not be read as messages and were passed over"));
    }
}

fn tail_json(batch: &Batch) -> Value {
    let messages: Value = batch.messages.iter().map(message_json).collect();
    json!({ "verb": "chat_tail", "cursor": batch.cursor.0, "skipped": batch.skipped, "messages": messages })
}

/// A message with the cursor of who has read it.
pub(super) fn message_json(placed: &Placed) -> Value {
    let one = &placed.message;
    json!({
        "from": one.from, "to": one.to, "thread": one.thread, "type": one.kind.as_str(), "ts": one.ts.to_string(),
        "text": one.text, "cursor": placed.end.0,
    })
}

/// A message for people: nothing in it is an order to their terminal.
pub(super) fn text(placed: &Placed) -> String {
    let one = &placed.message;
    let kind = one.kind.as_str();
    let style = match kind {
        "ack" | "done" => GOOD,
        "wait" | "escalate" => BAD,
        "intent" | "learned" => NOTE,
        _ => HEAD,
    };
    let head = format!("{} -> {}  #{}", one.from, one.to, one.thread);
    let body = lines(&one.text).replace('\n', "\n  ");
    let time = styled(DIM, &one.ts.to_string());
    format!("{time}  {}  {}\n  {body}\n", styled(style, &one_line(kind)), one_line(&head))
}

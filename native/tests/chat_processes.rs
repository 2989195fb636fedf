//! Real processes on one channel: two agents that act, the memory, and thousands of messages.
//!
//! `HARDWON_LONG=1` runs the long form.

#![cfg(all(feature = "cli", unix))]

mod support;

use core::time::Duration;
use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};

use hardwon::chat::{Channel, Event, NoMind, Session, Watch};
use hardwon_core::react::{Action, Draft, Input, MessageKind, Position, Role, State};
use support::child::{part, play, said, say, text};
use support::rounds;

const MEMORY: &str = "engram-agent";

#[test]
fn two_agents_and_the_memory_lose_nothing_on_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("channel.toml");
    let agent = memory(&path, &folder.path().join("memories"));
    let each = rounds(150, 5000);
    let start = |name| play(&["act", text(&path), name, &each.to_string()]).spawn().expect("a child");
    let children: Vec<Child> = ["ann", "ben"].into_iter().map(start).collect();
    let mut went = 0;
    for child in children {
        went += said(child).iter().filter(|words| words[0] == "went").count();
    }
    stop(agent);
    let batch = Channel::new(&path).read(Position(0)).expect("a channel");
    assert_eq!(batch.skipped, 0, "nothing is torn");
    let texts: Vec<&str> = batch.messages.iter().map(|placed| placed.message.text.as_str()).collect();
    for name in ["ann", "ben"] {
        let own: BTreeSet<String> = (0..each).map(|i| long_text(name, i)).collect();
        let found: Vec<&&str> = texts.iter().filter(|text| own.contains(**text)).collect();
        assert_eq!(found.len() as u32, each, "all of {name}'s messages are there, each once");
    }
    let intents: Vec<&str> = of_kind(&batch, &MessageKind::Intent);
    let acks: BTreeSet<&str> = of_kind(&batch, &MessageKind::Ack).into_iter().collect();
    println!("{} messages, {} intents", texts.len(), intents.len());
    assert_eq!(intents.len(), went, "every intent went on");
    assert!(intents.len() as u32 >= each / 5 && intents.iter().all(|thread| acks.contains(thread)));
}

fn of_kind<'a>(batch: &'a hardwon::chat::Batch, kind: &MessageKind) -> Vec<&'a str> {
    let messages = batch.messages.iter().map(|placed| &placed.message);
    messages.filter(|one| one.kind == *kind).map(|one| one.thread.as_str()).collect()
}

/// The memory agent as the command runs it.
fn memory(channel: &std::path::Path, memories: &std::path::Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardwon"));
    command.arg("agent").arg("--chat").arg(channel).arg("--memory").arg(memories);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let watch = Watch::file(channel);
    let file = Channel::new(channel);
    while of_kind(&file.read(Position(0)).expect("a channel"), &MessageKind::Info).is_empty() {
        watch.wait(Duration::from_secs(1));
    }
    child
}

fn stop(mut child: Child) {
    assert!(Command::new("kill").arg(child.id().to_string()).status().expect("kill runs").success());
    assert!(child.wait().expect("it ends").success());
}

/// Text over several lines that would show where two writes met.
fn long_text(name: &str, i: u32) -> String {
    let line = format!("{name} {i} says \"so\" \\ and [[message]]\n");
    line.repeat(1 + (i % 7) as usize)
}

/// What a child process does.
#[test]
fn child() {
    let Some(words) = part() else { return };
    let [_, path, name, each] = &words[..] else { panic!("{words:?}") };
    act(path, name, each.parse().expect("a number"));
}

/// An agent that talks, and every third time announces something and waits for what comes of it.
fn act(path: &str, name: &str, each: u32) {
    let channel = Channel::new(path);
    let watch = Watch::file(channel.path());
    let past = channel.read(Position(0)).expect("a channel");
    let state = State::new(name, Role::Active, "", MEMORY);
    let mut session = Session::enter(channel, state, NoMind, past, false).expect("joined");
    for i in 0..each {
        let text = long_text(name, i);
        let draft = Draft {
            from: name.into(),
            to: "all".into(),
            thread: "talk".into(),
            kind: MessageKind::Info,
            text,
        };
        session.give(Input::Say { draft }).expect("said");
        if i % 3 == 0 {
            let (thread, to) = (format!("{name}-{i}"), vec![MEMORY.to_owned()]);
            let text = format!("Situation: step {i} of {name}\nBehavior: go on");
            let cursor = session.end().expect("a cursor");
            session.give(Input::Announce { cursor, thread: thread.clone(), to, text }).expect("announced");
            until_it_goes(&mut session, &watch, &thread);
            say(&["went", &thread]);
            session.give(Input::Finish { thread, text: "Went on.".into() }).expect("done");
        }
    }
}

fn until_it_goes(session: &mut Session<NoMind>, watch: &Watch, thread: &str) {
    loop {
        session.turn().expect("a turn");
        while let Some(event) = session.next_event() {
            match event {
                Event::Told(Action::Proceed { thread: one, .. }) if one == thread => return,
                Event::Told(Action::Refuse { what, why }) => panic!("{what}: {why}"),
                _ => {}
            }
        }
        watch.wait(Duration::from_secs(1));
    }
}

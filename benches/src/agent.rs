//! The memory agent as a process: from an intent to its answer, and loading a directory of memories.

use core::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use hardwon::chat::{Channel, Event, NoMind, Session, Watch};
use hardwon_core::react::{Action, Input, MessageKind, Position, Role, State};

use crate::hook::{now, program};
use crate::measure::Report;

const MEMORY: &str = "engram-agent";
/// Memories of the directory that intents are asked of.
const MEMORIES: usize = 1_000;
/// Memories of the large directory.
const MANY: usize = 20_000;
/// Intents that are timed.
const INTENTS: usize = 200;
/// What an intent may take at the 95th percentile, in bare starts of the same program (`--version`): 50 ms are some
/// 20 of them on a quiet machine.
const BOUND: f64 = 20.0;

pub(crate) fn run(report: &mut Report, with_many: bool) {
    let Some(program) = program() else {
        report.missing("agent: build the command first, `cargo build --release -p hardwon`");
        return;
    };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let bare = median((0..20).map(|_| started(&program)).collect());
    let channel = dir.path().join("channel.toml");
    let memories = filled(dir.path(), MEMORIES);
    let first = Agent::start(&program, &channel, &memories);
    report.figure("agent joins, directory is new", MEMORIES, "ms", first.joined_ms);
    drop(first);
    let agent = Agent::start(&program, &channel, &memories);
    report.figure("agent joins, directory is known", MEMORIES, "ms", agent.joined_ms);
    let mut times = intents(&channel);
    drop(agent);
    times.sort_by(f64::total_cmp);
    report.figure("intent to answer, p50", MEMORIES, "ms", times[times.len() / 2]);
    let p95 = times[times.len() * 95 / 100];
    report.figure("intent to answer, p95", MEMORIES, "ms", p95);
    report.ratio("intent to answer, p95 / bare start", MEMORIES, p95 / bare, BOUND);
    if with_many {
        let memories = filled(&dir.path().join("many"), MANY);
        let channel = dir.path().join("many.toml");
        let first = Agent::start(&program, &channel, &memories);
        report.figure("agent joins, directory is new", MANY, "ms", first.joined_ms);
        drop(first);
        let agent = Agent::start(&program, &channel, &memories);
        report.figure("agent joins, directory is known", MANY, "ms", agent.joined_ms);
        drop(agent);
    }
}

/// A running agent, which ends with this.
struct Agent {
    child: Child,
    joined_ms: f64,
}

impl Agent {
    /// Starts one and waits until it says that it takes part.
    fn start(program: &Path, channel: &Path, memories: &Path) -> Self {
        let file = Channel::new(channel);
        let before = file.cursor().expect("a cursor");
        let watch = Watch::file(channel);
        let begun = now();
        let mut command = Command::new(program);
        command.arg("agent").arg("--chat").arg(channel).arg("--memory").arg(memories).arg("--quiet");
        let child = command.stdout(Stdio::null()).spawn().expect("the agent");
        let has_joined = || {
            let said = file.read(before).expect("a channel").messages;
            said.iter().any(|one| one.message.kind == MessageKind::Info && one.message.from == MEMORY)
        };
        while !has_joined() {
            watch.wait(Duration::from_secs(1));
        }
        Self { child, joined_ms: begun.elapsed().as_secs_f64() * 1e3 }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

/// Times of intents, from the announcement to the answer; each third is about a memory.
fn intents(channel: &Path) -> Vec<f64> {
    let file = Channel::new(channel);
    let watch = Watch::file(channel);
    let past = file.read(Position(0)).expect("a channel");
    let state = State::new("ann", Role::Active, "", MEMORY);
    let mut session = Session::enter(file, state, NoMind, past, false).expect("joined");
    (0..INTENTS)
        .map(|i| {
            let (thread, about) = (format!("t{i}"), if i % 3 == 0 { i } else { i + MANY });
            let text = format!("Situation: {}\nBehavior: write it down", situation(about));
            let begun = now();
            let cursor = session.end().expect("a cursor");
            let to = vec![MEMORY.to_owned()];
            session.give(Input::Announce { cursor, thread: thread.clone(), to, text }).expect("announced");
            until_answered(&mut session, &watch, &thread);
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect()
}

fn until_answered(session: &mut Session<NoMind>, watch: &Watch, thread: &str) {
    loop {
        session.turn().expect("a turn");
        while let Some(event) = session.next_event() {
            match event {
                Event::Told(Action::Proceed { thread: one, .. } | Action::Hold { thread: one, .. })
                    if one == thread =>
                {
                    return;
                }
                _ => {}
            }
        }
        watch.wait(Duration::from_secs(1));
    }
}

/// What a memory is about; numbers beyond those of the directory are about nothing in it.
fn situation(i: usize) -> String {
    const DOING: [&str; 8] =
        ["building", "deploying", "testing", "reviewing", "merging", "renaming", "migrating", "measuring"];
    let mut out = String::new();
    let _ = write!(out, "{} part{} of service{} for team{}", DOING[i % 8], i, i % 97, i % 31);
    out
}

fn filled(dir: &Path, n: usize) -> PathBuf {
    let memories = dir.join("memories");
    fs::create_dir_all(memories.join("feedback")).expect("a folder");
    for i in 0..n {
        let text = format!(
            "schema_version = 1\ntype = \"feedback\"\nsituation = \"When {}\"\nsource = \"user\"\n\n[content]\n\
             behavior = \"Using tool{i} without a check\"\nimpact = \"It broke run {i}\"\naction = \"Check with \
             probe{i} first\"\n",
            situation(i)
        );
        fs::write(memories.join(format!("feedback/{i}.toml")), text).expect("written");
    }
    memories
}

fn started(program: &Path) -> f64 {
    let begun = now();
    Command::new(program).arg("--version").stdout(Stdio::null()).status().expect("it runs");
    begun.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

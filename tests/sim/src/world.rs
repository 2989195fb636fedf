//! The world: the product, driven through the operations of the reference.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hardwon::Memory;
use hardwon::store::Store;
use hardwon_core::env::{Env, OpId, RecordId, Revision, Seed, Timestamp};
use hardwon_core::error::Error;
use hardwon_core::op::{EmbedderPort, Forget, Get, Input, Learn, Maintain, Output, Ports, Teach, Undo};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Mark, Pin, Record, Scope};
use hardwon_core::step::{Loaded, LogEntry, LogQuery};
use hardwon_core::vector::HashingEmbedder;
use hardwon_core::view::View;
use hardwon_model::tokens::O200kCounter;

use crate::reference::{Answer, Name, Op, Seen, hour_of, hour_of_op, shows};

/// The space that is simulated.
pub const SPACE: &str = "sim";

/// The words by which the erased lesson would be recognised in any byte.
pub const SECRET_OF_A: &str = "alpha lid";

/// The product with what the simulation must remember of it.
#[derive(Debug)]
pub struct World<S: Store> {
    /// The memory.
    pub memory: Memory<S>,
    ops: Vec<Option<OpId>>,
}

/// The ports of the simulation: no data file but the token table.
pub fn ports() -> Ports {
    let embedder = EmbedderPort::BuiltIn(Arc::new(HashingEmbedder::new(32)));
    Ports { counter: Arc::new(O200kCounter), embedder, ..Ports::default() }
}

/// The policy of the simulation: at most `cap` lessons.
pub fn policy(cap: usize) -> Policy {
    let mut policy = Policy::default();
    policy.evict.max_entries = Some(cap as u32);
    policy
}

impl<S: Store> World<S> {
    /// A memory over `store`, with the operations that made it.
    pub fn new(store: S, cap: usize, ops: Vec<Option<OpId>>) -> Result<Self, Error> {
        Ok(Self { memory: Memory::with_ports(store, SPACE, policy(cap), ports())?, ops })
    }

    /// The ids of the operations so far.
    pub fn ops(&self) -> Vec<Option<OpId>> {
        self.ops.clone()
    }

    /// Carries out the next operation; `target` is the number of the one that an undo takes back.
    pub fn run(&mut self, op: Op, target: Option<usize>) -> Result<Answer, Error> {
        let number = self.ops.len();
        let env = Env { now: hour(hour_of_op(number)), seed: seed(number) };
        let Some(input) = self.input(op, target) else {
            self.ops.push(None);
            return Ok(Answer::Refused);
        };
        let answered = self.memory.run_in(env, input);
        self.ops.push(Some(env.op_id()));
        match answered {
            Ok(Output::Undone(undone)) if !undone.entangled.is_empty() => {
                let number_of = |id: &OpId| self.ops.iter().position(|op| op.as_ref() == Some(id));
                Ok(Answer::Entangled(undone.entangled.iter().filter_map(number_of).collect()))
            }
            Ok(_) => Ok(Answer::Fine),
            Err(Error::Invalid { .. }) => Ok(Answer::Refused),
            Err(error) => Err(error),
        }
    }

    /// What can be seen of each lesson.
    pub fn seen(&self) -> BTreeMap<Name, Seen> {
        self.memory.view().records().map(|record| (name_of(record), seen(record))).collect()
    }

    /// The whole log.
    pub fn log(&mut self) -> Result<Vec<LogEntry>, Error> {
        self.memory.store().log(SPACE, &LogQuery { last: u32::MAX, ..LogQuery::default() })
    }

    fn input(&self, op: Op, target: Option<usize>) -> Option<Input> {
        let a = || self.memory.view().records().find(|record| name_of(record) == 'a').map(|record| record.id);
        let named = |id: RecordId| Get { id, ..Get::default() };
        Some(match op {
            Op::Learn(run) => Input::Learn(Learn {
                data: Some(trace(run)),
                scope: Some(Scope::global()),
                ..Learn::default()
            }),
            Op::Teach => {
                Input::Teach(Teach { text: "Water the tomatoes at dawn.".into(), ..Teach::default() })
            }
            Op::Forget => Input::Forget(Forget { id: a()?, ..Forget::default() }),
            Op::Erase => Input::Forget(Forget { id: a()?, hard: true, ..Forget::default() }),
            Op::Restore => Input::Restore(named(a()?)),
            Op::Pin => Input::Pin(named(a()?)),
            Op::Maintain => Input::Maintain(Maintain::default()),
            Op::UndoNewest | Op::UndoOldest => {
                let id = self.ops.get(target?).copied().flatten()?;
                Input::Undo(Undo { op: id, cascade: op == Op::UndoOldest, ..Undo::default() })
            }
        })
    }
}

/// The view that a reader gets who follows the log up to a revision.
pub fn believed(log: &[LogEntry], until: Revision) -> Result<View, Error> {
    let mut view = View::new(ports().embedder.info().map(|info| info.id));
    let list = log.iter().filter(|entry| entry.rev <= until).map(|entry| entry.set.clone()).collect();
    view.advance(Loaded::Changes { list, rev: until })?;
    Ok(view)
}

/// The trace of a run: one failing call a lesson it shows.
pub fn trace(run: u8) -> String {
    let at = hour(hour_of(run, 'a'));
    let mut out = format!(
        "{{\"type\":\"start\",\"task\":\"tend the plot\",\"session_id\":\"run{run}\",\"ts\":\"{at}\"}}\n"
    );
    for (index, name) in shows(run).iter().enumerate() {
        let at = hour(hour_of(run, *name));
        let (tool, error) = match name {
            'a' => ("open_box", "the alpha lid refuses to open while the catch is fastened"),
            _ => ("fill_can", "beta water pressure dropped below what this nozzle needs"),
        };
        out.push_str(&format!(
            "{{\"type\":\"tool_call\",\"step\":{index},\"call_index\":0,\"name\":\"{tool}\",\"args\":{{}},\
             \"result\":{{\"ok\":false,\"error\":\"{error}\"}},\"session_id\":\"run{run}\",\
             \"event_id\":\"run{run}-{name}\",\"ts\":\"{at}\"}}\n"
        ));
    }
    out
}

fn seen(record: &Record) -> Seen {
    let runs: BTreeSet<u8> =
        record.root_runs().iter().filter_map(|run| run.strip_prefix("run")?.parse().ok()).collect();
    Seen {
        runs,
        status: record.status,
        relapse: record.marks.contains(&Mark::Relapse),
        pinned: record.pin == Pin::Pinned,
        tier: record.tier,
    }
}

fn name_of(record: &Record) -> Name {
    match record.tools.first().map(String::as_str) {
        Some("open_box") => 'a',
        Some(_) => 'b',
        None => 't',
    }
}

fn hour(n: u64) -> Timestamp {
    Timestamp(n as i64 * Timestamp::DAY / 24)
}

fn seed(number: usize) -> Seed {
    let mut seed = [0; 16];
    seed[..8].copy_from_slice(&(number as u64 + 1).to_le_bytes());
    Seed(seed)
}

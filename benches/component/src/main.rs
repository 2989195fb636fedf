//! `bench COMPONENT`: the component beside the same engine in native code, as ratios in one run.
//!
//! Decides nothing; the goals are a recall of at most three times native, and an answer of a fresh instance in 20 ms.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hardwon_core::env::{Env as CoreEnv, RecordId, Seed, Timestamp};
use hardwon_core::op::{EmbedderPort, ImportRecords, Input, Output, Ports, Recall, Space, Step, start};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Kind, Record, SourceClass, Subtype};
use hardwon_core::step::Reply;
use hardwon_core::store::{Keeper, KeptRows, Task, Told};
use hardwon_model::embed::TableEmbedder;
use hardwon_model::tokens::O200kCounter;
use wasmtime::component::{Component, HasSelf, Linker, Resource, ResourceAny, bindgen};
use wasmtime::{Engine, Store};

use exports::hardwon::memory::types::Env;
use hardwon::memory::host_store::{Change, Host as HostStores, HostStore, Page, Span};
use hardwon::memory::host_types::{Failure, Host as HostTypes};

bindgen!({ path: "../../wit", world: "memory", with: { "hardwon:memory/host-store.store": Rows } });

type Failed = Box<dyn Error>;

/// No store: spaces come from snapshots.
pub struct Rows;
struct Host;

impl HostTypes for Host {}
impl HostStores for Host {}
impl HostStore for Host {
    fn read(&mut self, _: Resource<Rows>, _: Vec<Span>) -> Result<Page, Failure> {
        Err(Failure::Unsupported)
    }

    fn write(&mut self, _: Resource<Rows>, _: Change) -> Result<bool, Failure> {
        Err(Failure::Unsupported)
    }

    fn drop(&mut self, _: Resource<Rows>) -> wasmtime::Result<()> {
        Ok(())
    }
}

/// The same engine over the same rows in native code.
struct Native {
    space: Space,
    rows: KeptRows,
}

impl Native {
    fn new() -> Result<Self, Failed> {
        let embedder = EmbedderPort::BuiltIn(Arc::new(TableEmbedder::builtin()));
        let ports = Ports { counter: Arc::new(O200kCounter), embedder, has_reranker: false };
        Ok(Self { space: Space::new(Policy::default(), ports)?, rows: KeptRows::default() })
    }

    fn run(&mut self, n: u64, input: Input) -> Result<Output, Failed> {
        let env = CoreEnv { now: Timestamp(NOW), seed: Seed(u128::from(n).to_be_bytes()) };
        let mut step = start(&self.space, env, input)?;
        loop {
            step = match step {
                Step::Done(output) => return Ok(output),
                Step::Need(operation, request) => {
                    let told = Keeper::new(Task::Request(request)).carry_out(&mut self.rows)?;
                    let reply = if let Told::Reply(reply) = told { reply } else { Reply::Unsupported };
                    operation.resume(&mut self.space, reply)?
                }
            };
        }
    }
}

struct Instance {
    store: Store<Host>,
    memory: Memory,
}

impl Instance {
    fn new(engine: &Engine, component: &Component) -> Result<Self, Failed> {
        let mut linker = Linker::new(engine);
        Memory::add_to_linker::<_, HasSelf<_>>(&mut linker, |host: &mut Host| host)?;
        let mut store = Store::new(engine, Host);
        let memory = Memory::instantiate(&mut store, component, &linker)?;
        Ok(Self { store, memory })
    }

    fn open(&mut self, snapshot: &[u8]) -> Result<ResourceAny, Failed> {
        let spaces = self.memory.hardwon_memory_engine().space();
        Ok(spaces.call_open_snapshot(&mut self.store, snapshot, None)??)
    }

    fn recall(&mut self, space: ResourceAny, n: u64, task: &str) -> Result<usize, Failed> {
        let spaces = self.memory.hardwon_memory_engine().space();
        let env = Env { now: NOW, seed: (1, n) };
        Ok(spaces.call_recall(&mut self.store, space, env, task, None)??.items.len())
    }

    fn snapshot(&mut self, space: ResourceAny) -> Result<Vec<u8>, Failed> {
        Ok(self.memory.hardwon_memory_engine().space().call_snapshot(&mut self.store, space)??)
    }
}

const NOW: i64 = 1_780_000_000_000;
const WORDS: [&str; 16] = [
    "ledger", "tenant", "deploy", "branch", "cache", "index", "queue", "token", "folder", "schema",
    "replica", "timeout", "session", "widget", "invoice", "sprite",
];

fn main() -> Result<(), Failed> {
    let path = std::env::args().nth(1).ok_or("usage: bench COMPONENT")?;
    let engine = Engine::default();
    let component = Component::from_file(&engine, path)?;
    let (native, wasm) = recalls(&engine, &component, 10_000)?;
    println!(
        "recall at 10000 records: component {:.2} times native ({native:?} and {wasm:?})",
        ratio(wasm, native)
    );
    println!(
        "fresh instance with a snapshot of 1000 records, until its first answer: {:?}",
        fresh(&engine, &component)?
    );
    Ok(())
}

/// The median recall in native code and in the component.
fn recalls(engine: &Engine, component: &Component, count: usize) -> Result<(Duration, Duration), Failed> {
    let mut native = filled(count)?;
    let mut instance = Instance::new(engine, component)?;
    let space = instance.open(&native.rows.to_bytes()?)?;
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for n in 0..60 {
        let task = format!("{} the {} of {}", word(n), word(n * 7 + 3), word(n * 5 + 1));
        let began = Instant::now();
        native
            .run(1_000_000 + n as u64, Input::Recall(Recall { task: task.clone(), ..Recall::default() }))?;
        here.push(began.elapsed());
        let began = Instant::now();
        instance.recall(space, n as u64, &task)?;
        there.push(began.elapsed());
    }
    Ok((median(here.split_off(10)), median(there.split_off(10))))
}

/// The quickest of some fresh instances, each of which answers once.
fn fresh(engine: &Engine, component: &Component) -> Result<Duration, Failed> {
    let mut first = Instance::new(engine, component)?;
    let space = first.open(&filled(1000)?.rows.to_bytes()?)?;
    let snapshot = first.snapshot(space)?;
    let mut times = Vec::new();
    for n in 0..20 {
        let began = Instant::now();
        let mut instance = Instance::new(engine, component)?;
        let space = instance.open(&snapshot)?;
        assert!(instance.recall(space, n, "close the ledger of the tenant")? > 0, "nothing came back");
        times.push(began.elapsed());
    }
    Ok(times.into_iter().min().unwrap_or_default())
}

fn filled(count: usize) -> Result<Native, Failed> {
    let mut native = Native::new()?;
    let records = (0..count).map(|n| {
        let id = RecordId((n as u128 + 1).to_be_bytes());
        let mut record = Record::new(id, Kind::Lesson, Subtype::Taught, SourceClass::User, Timestamp(NOW));
        record.text =
            format!("Check {} {n} of the {} before you close {}", word(n), word(n / 16), word(n / 256 + n));
        record.key = format!("key {n}");
        record
    });
    let records = records.collect();
    native.run(1, Input::ImportRecords(ImportRecords { records, ..ImportRecords::default() }))?;
    Ok(native)
}

fn word(n: usize) -> &'static str {
    WORDS[n % WORDS.len()]
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

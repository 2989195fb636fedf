//! Facts: how fast claims are written, whether a memory of facts is recalled as fast as one of lessons, and the screen.

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::env::{Env, Timestamp};
use hardwon_core::gate::{self, injection, worth};
use hardwon_core::op::{ImportRecords, Input, Recall, Remember};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Claim, Kind, Record, Scope, ScopeKey, SourceClass, Subtype, Support};

use crate::corpus;
use crate::measure::{Report, cpu_ms};

/// Whether a screen holds a text back.
type Screen = fn(&str) -> bool;

/// How many claims a stream has.
const CLAIMS: usize = 3_000;
/// How many facts a large memory has.
const FACTS: usize = 100_000;
/// A recall among facts of a scope may cost this much of one among global lessons, which need no look at their scopes.
const BOUND: f64 = 1.5;

pub(crate) fn run(report: &mut Report) {
    let ms = cpu_ms(3, 1, |_| {
        let mut memory = empty();
        for n in 0..CLAIMS {
            memory.run_in(env(n), Input::Remember(claim(n))).expect("an answer");
        }
    });
    report.figure("remember a stream of claims", CLAIMS, "ms", ms);

    let mut lessons = corpus::memory(FACTS);
    let query = |n: usize| Recall { task: corpus::query(n), scope: scope(), ..Recall::default() };
    let plain = cpu_ms(9, 5, |n| drop(lessons.run(Input::Recall(query(n))).expect("a recall")));
    report.figure("recall among lessons", FACTS, "ms", plain);
    drop(lessons);
    let mut facts = memory(FACTS);
    let among = cpu_ms(9, 5, |n| drop(facts.run(Input::Recall(query(n))).expect("a recall")));
    report.figure("recall among facts", FACTS, "ms", among);
    report.ratio("recall among facts / among lessons", FACTS, among / plain, BOUND);
    let write = cpu_ms(5, 20, |n| drop(facts.run_in(env(n), Input::Remember(claim(n))).expect("an answer")));
    report.figure("remember one claim", FACTS, "ms", write);

    let prose: String = (0..20_000).map(|n| corpus::text(n) + ". ").collect();
    let mb_s = |ms: f64| prose.len() as f64 / 1e6 / (ms / 1e3);
    let screens: [(&str, Screen); 3] = [
        ("gate: secrets", |text| gate::screen(text).reason().is_some()),
        ("gate: injection", |text| injection::suspect(text).is_some()),
        ("gate: worth keeping", |text| worth::unworthy(text).is_some()),
    ];
    for (name, screen) in screens {
        let lines: Vec<&str> = prose.split_inclusive(". ").collect();
        let ms = cpu_ms(5, 1, |_| {
            std::hint::black_box(lines.iter().filter(|line| screen(line)).count());
        });
        report.figure(name, prose.len(), "MB/s", mb_s(ms));
    }
}

fn empty() -> Memory<MemoryStore> {
    Memory::with_store(MemoryStore::new(), "bench", Policy::default()).expect("a valid policy")
}

fn scope() -> Scope {
    Scope::global().with(ScopeKey::Repo, "bench")
}

fn env(n: usize) -> Env {
    Env { now: Timestamp(1_790_000_000_000 + n as i64 * 1_000), seed: corpus::seed(n) }
}

/// Claims about three hundred topics: most of them replace an earlier one.
fn claim(n: usize) -> Remember {
    Remember {
        subject: format!("service {}", n * 7 % 60),
        predicate: ["is hosted on", "belongs to", "is led by", "has port", "runs version"][n % 5].into(),
        object: format!("value {}", n * 13 % 40),
        subtype: Some(Subtype::Constraint),
        scope: Some(scope()),
        source: Some(SourceClass::Repo),
        reference: format!("config-{}.toml", n % 60),
        ..Remember::default()
    }
}

fn memory(n: usize) -> Memory<MemoryStore> {
    let mut memory = empty();
    for start in (0..n).step_by(10_000) {
        let records = (start..n.min(start + 10_000)).map(fact).collect();
        memory
            .run(Input::ImportRecords(ImportRecords { records, ..ImportRecords::default() }))
            .expect("an import");
    }
    memory
}

fn fact(n: usize) -> Record {
    let mut record = corpus::record(n);
    (record.kind, record.subtype, record.scope) = (Kind::Fact, Subtype::Constraint, scope());
    record.tools.clear();
    record.key = format!("fact: thing {n} | note");
    record.claim = Some(Box::new(Claim {
        subject: format!("thing {n}"),
        predicate: "note".into(),
        object: record.text.clone(),
        ..Claim::default()
    }));
    record.supports.insert(Support {
        source: SourceClass::User,
        at: record.created_at,
        confidence: 1_000_000,
        reference: format!("notes-{}.md", n % 500),
        author: String::new(),
        quote: String::new(),
    });
    record
}

//! Facts under two writers: never two truths at once, a history that replays, and nothing across a scope.

use hardwon::store::{Committed, MemoryStore, Store};
use hardwon_core::env::{Env, OpId, RecordId, Revision, Seed, Timestamp};
use hardwon_core::error::Error;
use hardwon_core::op::{
    Audit, Cardinality, Choice, Facts, Forget, ForgetSource, Get, Input, Operation, Output, Recall, Remember,
    Resolve, Space, Step, Undo, start,
};
use hardwon_core::record::{Kind, Record, Scope, ScopeKey, SourceClass, Status, Subtype};
use hardwon_core::step::{Loaded, LogQuery, Reply, Request};
use hardwon_core::view::View;
use hardwon_sim::world::{SPACE, policy, ports};
use proptest::prelude::*;

/// What a writer may do; numbers name things by their place in a small world.
#[derive(Debug, Clone)]
struct Deed {
    what: u8,
    subject: u8,
    predicate: u8,
    object: u8,
    source: u8,
    scope: u8,
    minutes: u8,
    dated: bool,
    pick: u8,
}

fn deed() -> impl Strategy<Value = Deed> {
    // Few topics, so that most deeds meet.
    let parts = (0u8..16, 0u8..1, 1u8..3, 0u8..3, 0u8..6, 0u8..2);
    (parts, 0u8..4, any::<bool>(), any::<u8>()).prop_map(|(parts, minutes, dated, pick)| {
        let (what, subject, predicate, object, source, scope) = parts;
        Deed { what, subject, predicate, object, source, scope, minutes, dated, pick }
    })
}

const SOURCES: [SourceClass; 6] = [
    SourceClass::Web,
    SourceClass::Model,
    SourceClass::Tool,
    SourceClass::Review,
    SourceClass::Repo,
    SourceClass::User,
];

fn scope(n: u8) -> Scope {
    match n {
        0 => Scope::global(),
        n => Scope::global().with(ScopeKey::Repo, &format!("r{n}")),
    }
}

/// The world's state as a writer sees it when it begins.
#[derive(Debug, Default)]
struct Known {
    records: Vec<RecordId>,
    ops: Vec<OpId>,
}

fn pick<T: Copy>(all: &[T], n: u8) -> Option<T> {
    (!all.is_empty()).then(|| all[usize::from(n) % all.len()])
}

fn input(deed: &Deed, known: &Known, now: Timestamp) -> Option<Input> {
    let id = || pick(&known.records, deed.pick);
    let get = || Some(Get { id: id()?, ..Get::default() });
    let past = Timestamp(now.0 - i64::from(deed.minutes) * 60_000);
    Some(match deed.what {
        0..=6 => {
            let is_many = deed.predicate == 2;
            Input::Remember(Remember {
                subject: format!("thing {}", deed.subject),
                predicate: ["sits in", "weighs", "carries"][usize::from(deed.predicate)].into(),
                object: if deed.what == 6 { String::new() } else { format!("value {}", deed.object) },
                cardinality: is_many.then_some(Cardinality::Many),
                subtype: Some(if deed.pick.is_multiple_of(2) {
                    Subtype::Preference
                } else {
                    Subtype::Constraint
                }),
                scope: Some(scope(deed.scope)),
                source: Some(SOURCES[usize::from(deed.source)]),
                reference: format!("source {}", deed.source),
                claimed_at: (deed.minutes > 0).then_some(past),
                valid_from: deed.dated.then_some(past),
                retract: deed.what == 6,
                ..Remember::default()
            })
        }
        7 | 8 => {
            let choice = if deed.what == 7 { Choice::Confirm } else { Choice::Archive };
            Input::Resolve(Resolve { id: id()?, choice, ..Resolve::default() })
        }
        9 => Input::Forget(Forget { id: id()?, hard: deed.pick.is_multiple_of(5), ..Forget::default() }),
        10 => Input::Restore(get()?),
        11 => Input::Pin(get()?),
        12 | 13 => Input::Undo(Undo {
            op: pick(&known.ops, deed.pick)?,
            cascade: deed.what == 13,
            ..Undo::default()
        }),
        14 => Input::ForgetSource(ForgetSource {
            source: format!("source {}", deed.source),
            ..ForgetSource::default()
        }),
        _ => Input::Audit(Audit { fix: true, ..Audit::default() }),
    })
}

struct Writer {
    space: Space,
    step: Option<(Box<Operation>, Request)>,
    op: OpId,
}

impl Writer {
    fn new() -> Self {
        Self {
            space: Space::new(policy(100), ports()).expect("a valid policy"),
            step: None,
            op: OpId::default(),
        }
    }

    fn begin(&mut self, env: Env, input: Input) {
        self.op = env.op_id();
        if let Ok(Step::Need(operation, request)) = start(&self.space, env, input) {
            self.step = Some((operation, request));
        }
    }

    /// Answers one request; whether something was committed.
    fn turn(&mut self, store: &mut MemoryStore) -> bool {
        let Some((operation, request)) = self.step.take() else { return false };
        let mut is_committed = false;
        let reply = match request {
            Request::Load { since } => Reply::Loaded(store.load(SPACE, since).expect("no fault")),
            Request::Commit(commit) => match store.commit(SPACE, &commit).expect("no fault") {
                Committed::At(rev) => {
                    is_committed = true;
                    Reply::Committed(rev)
                }
                Committed::Conflict => Reply::Conflict,
            },
            Request::Log(query) => Reply::Logged(store.log(SPACE, &query).expect("no fault")),
            other => panic!("not expected here: {other:?}"),
        };
        match operation.resume(&mut self.space, reply) {
            Ok(Step::Need(operation, request)) => self.step = Some((operation, request)),
            Ok(Step::Done(_)) | Err(Error::Invalid { .. }) => {}
            Err(error) => panic!("{error}"),
        }
        is_committed
    }
}

fn view(store: &mut MemoryStore) -> Space {
    let mut space = Space::new(policy(100), ports()).expect("a valid policy");
    space.advance(store.load(SPACE, Revision(0)).expect("no fault")).expect("a sound store");
    space
}

/// Two active facts of one scope that cannot both hold, by the fields that they were given with.
fn two_truths(view: &View) -> Option<(&Record, &Record)> {
    let active: Vec<&Record> =
        view.records().filter(|one| one.kind == Kind::Fact && one.status == Status::Active).collect();
    let is_clash = |a: &Record, b: &Record| {
        let (Some(x), Some(y)) = (&a.claim, &b.claim) else { return false };
        let is_one_topic = a.scope == b.scope && x.subject == y.subject && x.predicate == y.predicate;
        let from = |one: &Record| one.valid_from.map_or(i64::MIN, |at| at.0);
        let to = |one: &Record| one.valid_to.map_or(i64::MAX, |at| at.0);
        let meet = from(a) < to(b) && from(b) < to(a);
        let differ = if x.negated == y.negated {
            x.object != y.object && !x.many && !x.negated
        } else {
            x.object == y.object
        };
        is_one_topic && meet && differ
    };
    active.iter().enumerate().find_map(|(n, a)| Some((*a, *active[n + 1..].iter().find(|b| is_clash(a, b))?)))
}

/// Each link names a record that names it back, and what was replaced is not active.
fn links_hold(view: &View) -> Result<(), TestCaseError> {
    for record in view.records().filter(|one| one.kind == Kind::Fact) {
        for id in &record.rivals {
            if let Some(rival) = view.get(*id) {
                prop_assert!(rival.rivals.contains(&record.id), "{record:?}\n{rival:?}");
            }
        }
        if record.status == Status::Superseded {
            let by = record.superseded_by.and_then(|id| view.get(id));
            prop_assert!(by.is_none_or(|by| by.supersedes.contains(&record.id)), "{record:?}");
            prop_assert!(record.valid_to.is_some(), "history keeps its end: {record:?}");
        }
        prop_assert!(record.confidence <= record.source.confidence_cap());
    }
    Ok(())
}

/// On no path does a query of one scope see a fact of another.
fn nothing_crosses(space: &mut Space, store: &mut MemoryStore) -> Result<(), TestCaseError> {
    for n in 0..3 {
        let asked = scope(n);
        let queries = [
            Input::Recall(Recall {
                task: "thing 0 sits in weighs carries value 1".into(),
                scope: asked.clone(),
                ..Recall::default()
            }),
            Input::Facts(Facts { scope: Some(asked.clone()), ..Facts::default() }),
            Input::Audit(Audit { scope: Some(asked.clone()), ..Audit::default() }),
        ];
        for query in queries {
            let env = Env { now: Timestamp(1_900_000_000_000), seed: Seed([0xEE; 16]) };
            let mut step = start(space, env, query).expect("valid");
            let output = loop {
                step = match step {
                    Step::Done(output) => break output,
                    Step::Need(operation, Request::Load { since }) => {
                        let reply = Reply::Loaded(store.load(SPACE, since).expect("no fault"));
                        operation.resume(space, reply).expect("no fault")
                    }
                    Step::Need(_, other) => panic!("not expected here: {other:?}"),
                };
            };
            let seen: Vec<RecordId> = match output {
                Output::Recalled(answer) => {
                    answer.items.iter().map(|one| one.id).chain(answer.omitted).collect()
                }
                Output::Listed { records, .. } => records.iter().map(|one| one.id).collect(),
                Output::Audited(answer) => answer.flaws.into_iter().flat_map(|flaw| flaw.records).collect(),
                other => panic!("not expected here: {other:?}"),
            };
            for id in seen {
                let record = space.view().get(id).expect("it is there");
                prop_assert!(record.scope.applies_to(&asked), "{record:?} for {asked:?}");
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn never_two_truths_at_once(
        deeds in prop::collection::vec((deed(), any::<bool>(), 0u8..6), 1..32),
    ) {
        let mut store = MemoryStore::new();
        let mut writers = [Writer::new(), Writer::new()];
        let mut known = Known::default();
        for (n, (deed, who, turns)) in deeds.iter().enumerate() {
            let now = Timestamp(1_800_000_000_000 + n as i64 * 60_000);
            let who = usize::from(*who);
            // Whoever has one under way ends it before the next; the other one may stand in the middle of its own.
            while writers[who].step.is_some() {
                after(&mut writers, who, &mut store, &mut known)?;
            }
            let Some(input) = input(deed, &known, now) else { continue };
            writers[who].begin(Env { now, seed: Seed([n as u8 + 1; 16]) }, input);
            for _ in 0..*turns {
                after(&mut writers, who, &mut store, &mut known)?;
            }
        }
        for who in [0, 1] {
            while writers[who].step.is_some() {
                after(&mut writers, who, &mut store, &mut known)?;
            }
        }
        let mut space = view(&mut store);
        nothing_crosses(&mut space, &mut store)?;
    }
}

/// One turn of a writer, and what must hold after it.
fn after(
    writers: &mut [Writer; 2],
    who: usize,
    store: &mut MemoryStore,
    known: &mut Known,
) -> Result<(), TestCaseError> {
    if !writers[who].turn(store) {
        return Ok(());
    }
    known.ops.push(writers[who].op);
    let space = view(store);
    known.records = space.view().records().map(|record| record.id).collect();
    prop_assert_eq!(two_truths(space.view()), None);
    links_hold(space.view())?;
    let log = store.log(SPACE, &LogQuery { last: u32::MAX, ..LogQuery::default() }).expect("no fault");
    let is_erased = log.iter().any(|entry| !entry.set.tombstones.is_empty());
    if !is_erased {
        let rev = Revision(log.len() as u64);
        let mut replayed = View::new(ports().embedder.info().map(|info| info.id));
        let list = log.into_iter().map(|entry| entry.set).collect();
        replayed.advance(Loaded::Changes { list, rev }).expect("a replay");
        prop_assert_eq!(replayed.hash(), space.view().hash());
    }
    Ok(())
}

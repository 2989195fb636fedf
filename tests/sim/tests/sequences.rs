//! All short sequences of operations on the memory store, and a sample on SQLite, against the reference.

use hardwon::store::{MemoryStore, SqliteStore};
use hardwon_core::env::OpId;
use hardwon_sim::reference::{Answer, Op, Reference};
use hardwon_sim::world::{SECRET_OF_A, World, believed};

/// At most this many lessons: one less than there are, so that eviction happens.
const CAP: usize = 2;

/// A node of the tree of sequences: the store and the reference after the operations so far.
struct Node {
    store: MemoryStore,
    reference: Reference,
    ops: Vec<Option<OpId>>,
    path: Vec<Op>,
    /// The hash of the view at each revision, as it was seen then; cleared by an erasure.
    hashes: Vec<(u64, String)>,
}

#[test]
fn every_sequence_on_the_memory_store_does_what_the_reference_says() {
    let depth = if long() { 5 } else { 4 };
    let root = Node {
        store: MemoryStore::new(),
        reference: Reference::new(CAP),
        ops: Vec::new(),
        path: Vec::new(),
        hashes: Vec::new(),
    };
    let visited = descend(&root, depth);
    let expected: usize = (1..=depth as u32).map(|length| Op::ALL.len().pow(length)).sum();
    assert_eq!(visited, expected, "a sequence was left out");
}

fn descend(node: &Node, depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    Op::ALL.iter().map(|&op| 1 + descend(&child(node, op), depth - 1)).sum()
}

/// One operation further, checked.
fn child(node: &Node, op: Op) -> Node {
    let mut path = node.path.clone();
    path.push(op);
    let mut reference = node.reference.clone();
    let target = reference.target(op);
    let expected = reference.run(op);

    let mut world = open(node.store.clone(), node.ops.clone());
    let mut behind = open(node.store.clone(), node.ops.clone());
    let answer = world.run(op, target).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    assert_eq!(answer, expected, "the answer to {path:?}");
    assert_eq!(world.seen(), reference.seen(), "what is there after {path:?}");

    let hash = world.memory.view().hash();
    let store = world.memory.store().clone();
    assert_eq!(
        open(store.clone(), Vec::new()).memory.view().hash(),
        hash,
        "snapshot is not replay after {path:?}"
    );
    follow(&mut behind, &store);
    assert_eq!(behind.memory.view().hash(), hash, "a reader one revision behind differs after {path:?}");
    let hashes = remember(node, op, &answer, &mut world, hash, &path);
    Node { store, reference, ops: world.ops(), path, hashes }
}

/// A world whose view has loaded what the store has.
fn open(store: MemoryStore, ops: Vec<Option<OpId>>) -> World<MemoryStore> {
    let mut world = World::new(store, CAP, ops).expect("the policy is valid");
    world.memory.refresh().expect("the memory store does not fail");
    world
}

fn follow(reader: &mut World<MemoryStore>, store: &MemoryStore) {
    *reader.memory.store() = store.clone();
    reader.memory.refresh().expect("the memory store does not fail");
}

/// Keeps the hash of each revision and checks that every earlier one can still be believed from the log.
fn remember(
    node: &Node,
    op: Op,
    answer: &Answer,
    world: &mut World<MemoryStore>,
    hash: String,
    path: &[Op],
) -> Vec<(u64, String)> {
    let rev = world.memory.view().revision();
    if op == Op::Erase && *answer == Answer::Fine {
        let left = format!("{:?}", world.memory.store());
        assert!(!left.contains(SECRET_OF_A), "erased words are left after {path:?}");
        return Vec::new();
    }
    let mut hashes = node.hashes.clone();
    if hashes.last().is_none_or(|(last, _)| *last < rev.0) && !path.contains(&Op::Erase) {
        hashes.push((rev.0, hash));
    }
    let log = world.log().expect("the memory store does not fail");
    for (rev, hash) in &hashes {
        let view =
            believed(&log, hardwon_core::env::Revision(*rev)).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        assert_eq!(view.hash(), *hash, "as believed at revision {rev} after {path:?}");
    }
    hashes
}

#[test]
fn sequences_on_sqlite_do_what_the_reference_says() {
    let mut sequences: Vec<Vec<Op>> = Vec::new();
    let full = if long() { 3 } else { 2 };
    for length in 1..=full {
        sequences.extend((0..Op::ALL.len().pow(length)).map(|index| sequence(index, length)));
    }
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..if long() { 2_000 } else { 60 } {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sequences.push(sequence((state >> 20) as usize % Op::ALL.len().pow(5), 5));
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (index, path) in sequences.iter().enumerate() {
        let file = dir.path().join(format!("{index}.db"));
        on_sqlite(path, || SqliteStore::open(&file).expect("a new store"));
        std::fs::remove_file(&file).ok();
    }
}

fn sequence(mut index: usize, length: u32) -> Vec<Op> {
    (0..length)
        .map(|_| {
            let op = Op::ALL[index % Op::ALL.len()];
            index /= Op::ALL.len();
            op
        })
        .collect()
}

fn on_sqlite(path: &[Op], open: impl Fn() -> SqliteStore) {
    let mut reference = Reference::new(CAP);
    let mut world = World::new(open(), CAP, Vec::new()).expect("the policy is valid");
    let mut behind = World::new(open(), CAP, Vec::new()).expect("the policy is valid");
    for &op in path {
        let target = reference.target(op);
        let expected = reference.run(op);
        let answer = world.run(op, target).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(answer, expected, "the answer to {op:?} in {path:?}");
        assert_eq!(world.seen(), reference.seen(), "what is there after {op:?} in {path:?}");
        behind.memory.refresh().expect("a second reader");
        assert_eq!(
            behind.memory.view().hash(),
            world.memory.view().hash(),
            "a second reader after {op:?} in {path:?}"
        );
    }
    let mut anew = World::new(open(), CAP, Vec::new()).expect("the policy is valid");
    anew.memory.refresh().expect("a fresh reader");
    assert_eq!(
        anew.memory.view().hash(),
        world.memory.view().hash(),
        "snapshot is not replay after {path:?}"
    );
}

#[allow(clippy::disallowed_methods, reason = "the long form is chosen by the environment")]
fn long() -> bool {
    std::env::var("HARDWON_LONG").is_ok()
}

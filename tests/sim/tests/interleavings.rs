//! Every interleaving of two and of three operations on one store: no update is lost, none counts twice.

use hardwon::store::{Committed, MemoryStore, Store};
use hardwon_core::env::{Env, Seed, Timestamp};
use hardwon_core::op::{Input, Learn, Operation, Output, Space, Step, Teach, start};
use hardwon_core::record::Scope;
use hardwon_core::step::{Reply, Request};
use hardwon_sim::world::{SPACE, policy, ports, trace};

/// One client with its own view and one operation under way.
struct Client {
    space: Space,
    step: Option<(Box<Operation>, Request)>,
    output: Option<Output>,
}

#[test]
fn two_operations_interleave_in_every_order() {
    for inputs in [[learn(1), learn(2)], [learn(1), learn(1)], [learn(3), teach()], [teach(), teach()]] {
        assert!(enumerate(&inputs, &expected(&inputs)) > 5);
    }
}

#[test]
fn three_operations_interleave_in_every_order() {
    let inputs = [learn(1), learn(2), learn(3)];
    assert!(enumerate(&inputs, &expected(&inputs)) > 100);
}

#[test]
fn one_trace_twice_and_a_lesson_interleave_in_every_order() {
    let inputs = [learn(1), teach(), learn(1)];
    assert!(enumerate(&inputs, &expected(&inputs)) > 100);
}

/// Runs every order of single requests; answers how many there were.
fn enumerate(inputs: &[Input], expected: &str) -> usize {
    let mut orders = 0;
    let mut pending: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(mut order) = pending.pop() {
        let (mut clients, mut store) = begin(inputs);
        for &who in &order {
            turn(&mut clients[who], &mut store);
        }
        // Goes on with the first, and leaves the others for later.
        loop {
            let open: Vec<usize> = (0..clients.len()).filter(|&who| clients[who].output.is_none()).collect();
            let Some((&first, others)) = open.split_first() else { break };
            pending.extend(others.iter().map(|&who| [&order[..], &[who]].concat()));
            turn(&mut clients[first], &mut store);
            order.push(first);
        }
        orders += 1;
        assert_eq!(contents(&mut store), *expected, "after the order {order:?}");
    }
    orders
}

fn begin(inputs: &[Input]) -> (Vec<Client>, MemoryStore) {
    let clients = inputs.iter().enumerate().map(|(n, input)| {
        let space = Space::new(policy(9), ports()).expect("a valid policy");
        let env = Env { now: Timestamp(20 * Timestamp::DAY), seed: Seed([n as u8 + 1; 16]) };
        let step = match start(&space, env, input.clone()).expect("a valid input") {
            Step::Need(operation, request) => Some((operation, request)),
            Step::Done(_) => None,
        };
        Client { space, step, output: None }
    });
    (clients.collect(), MemoryStore::new())
}

/// Answers one request of a client.
fn turn(client: &mut Client, store: &mut MemoryStore) {
    let Some((operation, request)) = client.step.take() else { return };
    let reply = match request {
        Request::Load { since } => Reply::Loaded(store.load(SPACE, since).expect("no fault")),
        Request::Commit(commit) => match store.commit(SPACE, &commit).expect("no fault") {
            Committed::At(rev) => Reply::Committed(rev),
            Committed::Conflict => Reply::Conflict,
        },
        Request::Log(query) => Reply::Logged(store.log(SPACE, &query).expect("no fault")),
        other => panic!("not expected here: {other:?}"),
    };
    match operation.resume(&mut client.space, reply).expect("no fault") {
        Step::Need(operation, request) => client.step = Some((operation, request)),
        Step::Done(output) => client.output = Some(output),
    }
}

/// What must be there in the end, by carrying the operations out one after the other.
fn expected(inputs: &[Input]) -> String {
    let (mut clients, mut store) = begin(inputs);
    for client in &mut clients {
        while client.output.is_none() {
            turn(client, &mut store);
        }
    }
    contents(&mut store)
}

/// The lessons with their runs, without what depends on the order: ids and times of the operations.
fn contents(store: &mut MemoryStore) -> String {
    let mut space = Space::new(policy(9), ports()).expect("a valid policy");
    space
        .advance(store.load(SPACE, hardwon_core::env::Revision(0)).expect("no fault"))
        .expect("a sound store");
    let mut lines: Vec<String> = space
        .view()
        .records()
        .map(|record| format!("{} {:?} {} {}", record.text, record.root_runs(), record.status, record.tier))
        .collect();
    lines.sort();
    lines.join("\n")
}

fn learn(run: u8) -> Input {
    Input::Learn(Learn { data: Some(trace(run)), scope: Some(Scope::global()), ..Learn::default() })
}

fn teach() -> Input {
    Input::Teach(Teach { text: "Water the tomatoes at dawn.".into(), ..Teach::default() })
}

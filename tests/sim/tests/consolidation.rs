//! Properties of leaving in summaries: the cap, the links, the replay, and the way back.

use std::collections::BTreeSet;

use hardwon::Memory;
use hardwon::store::{MemoryStore, Store};
use hardwon_core::env::{Env, OpId, Revision, Seed, Timestamp};
use hardwon_core::error::Error;
use hardwon_core::op::{Input, Learn, Maintain, Output, Undo};
use hardwon_core::policy::{EvictStrategy, Policy};
use hardwon_core::record::{Mark, Record, Status, Subtype, Tier};
use hardwon_core::step::{Loaded, LogQuery};
use hardwon_core::view::View;
use hardwon_sim::parrot::Parrot;
use hardwon_sim::world::{SPACE, policy, ports};
use proptest::prelude::*;

const ERRORS: [&str; 12] = [
    "quota of the target region is exhausted",
    "manifest lacks a signature block",
    "rollout window closed at noon",
    "replica count exceeds licence",
    "certificate chain cannot be verified",
    "health probe never answered",
    "image digest mismatch detected",
    "namespace is frozen by operations",
    "secret store refuses the lease",
    "previous revision still draining",
    "load balancer rejects the weights",
    "volume snapshot is stale",
];

/// A run in which calls of one tool fail in these ways.
fn trace(run: usize, kinds: &[usize]) -> String {
    let calls = kinds.iter().enumerate().map(|(n, kind)| {
        let error = ERRORS[kind % ERRORS.len()];
        let at = format!("2026-01-{:02}T03:00:{n:02}Z", run % 28 + 1);
        format!(
            "{{\"type\":\"tool_call\",\"session_id\":\"r{run}\",\"event_id\":\"r{run}-{n}\",\"ts\":\"{at}\",\
             \"name\":\"deploy\",\"args\":{{\"target\":\"east\"}},\
             \"result\":{{\"ok\":false,\"error\":\"{error}\"}}}}"
        )
    });
    calls.collect::<Vec<_>>().join("\n")
}

fn memory(cap: usize) -> Memory<MemoryStore> {
    let mut policy: Policy = policy(cap);
    policy.evict.strategy = EvictStrategy::Summarize;
    let mut memory = Memory::with_ports(MemoryStore::new(), SPACE, policy, ports()).expect("a valid policy");
    memory.set_model(Box::new(Parrot));
    memory
}

fn env(n: usize) -> Env {
    Env { now: Timestamp(1_800_000_000_000 + n as i64), seed: Seed([n as u8 + 1; 16]) }
}

fn active(memory: &Memory<MemoryStore>) -> Vec<&Record> {
    memory.view().records().filter(|record| record.status == Status::Active).collect()
}

/// Each summary and its members name each other, and it claims no more than it may.
fn links_hold(memory: &Memory<MemoryStore>) -> Result<(), TestCaseError> {
    let view = memory.view();
    for summary in view.records().filter(|record| record.subtype == Subtype::Summary) {
        prop_assert!(summary.evidence.is_empty() && summary.hits() == 1 && summary.tier == Tier::Tactical);
        prop_assert!(summary.marks.contains(&Mark::Bare) && summary.author == "parrot-1");
        prop_assert!(summary.confidence <= 500_000);
        for &id in &summary.supersedes {
            let member = view.get(id).expect("a member stays");
            prop_assert_eq!((member.status, member.superseded_by), (Status::Archived, Some(summary.id)));
            prop_assert!(member.tools.iter().all(|tool| summary.tools.contains(tool)));
        }
    }
    for member in view.records().filter(|record| record.superseded_by.is_some()) {
        let by = member.superseded_by.and_then(|id| view.get(id)).expect("its summary is there");
        prop_assert!(by.supersedes.contains(&member.id));
    }
    Ok(())
}

fn replayed(memory: &mut Memory<MemoryStore>) -> String {
    let query = LogQuery { last: u32::MAX, ..LogQuery::default() };
    let log = memory.store().log(SPACE, &query).expect("a log");
    let rev = Revision(log.len() as u64);
    let mut view = View::new(ports().embedder.info().map(|info| info.id));
    let list = log.into_iter().map(|entry| entry.set).collect();
    view.advance(Loaded::Changes { list, rev }).expect("a replay");
    view.hash()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_cap_holds_links_hold_and_all_can_be_taken_back(
        runs in prop::collection::vec((prop::collection::vec(0usize..12, 1..8), any::<bool>(), any::<bool>()), 1..7),
        cap in 1usize..9,
    ) {
        let mut memory = memory(cap);
        let mut ops: Vec<OpId> = Vec::new();
        let mut count = 0;
        for (run, (kinds, model, upkeep)) in runs.iter().enumerate() {
            let data = Some(trace(run, kinds));
            count += 1;
            let told = memory.run_in(env(count), Input::Learn(Learn { data, model: *model, ..Learn::default() }));
            let Output::Learned(told) = told.expect("it learns") else { panic!("not learned") };
            ops.extend(told.op);
            if *upkeep {
                count += 1;
                let told = memory.run_in(env(count), Input::Maintain(Maintain { model: true, ..Maintain::default() }));
                let Output::Maintained(told) = told.expect("it maintains") else { panic!("not maintained") };
                ops.extend(told.op);
            }
            prop_assert!(active(&memory).len() <= cap, "{} over {cap}", active(&memory).len());
            links_hold(&memory)?;
            prop_assert_eq!(replayed(&mut memory), memory.view().hash());
        }
        let texts: BTreeSet<&str> = active(&memory).iter().map(|record| record.text.as_str()).collect();
        prop_assert!(!texts.iter().any(|text| text.contains("Ignore")));
        for op in ops.into_iter().rev() {
            count += 1;
            let told = memory.run_in(env(count), Input::Undo(Undo { op, ..Undo::default() }));
            let told = match told {
                // A run in which the model saw no lesson has been read, and that is all.
                Err(Error::Invalid { what: "undo", .. }) => continue,
                told => told.expect("an answer"),
            };
            let Output::Undone(told) = told else { panic!("not undone") };
            prop_assert!(told.entangled.is_empty(), "{told:?}");
        }
        prop_assert!(memory.view().records().next().is_none());
    }
}

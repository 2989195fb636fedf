//! The ranking against its definition, over any records.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{Candidate, Query, Scorer, excluded};
use crate::change::{Change, ChangeSet, Delta};
use crate::env::{Env, RecordId, Seed, Timestamp};
use crate::op::{Context, EmbedderPort, Known, Ports, Recall, Space};
use crate::policy::Policy;
use crate::record::{Kind, Mark, Record, Scope, ScopeKey, SourceClass, Status, Subtype, Tier};
use crate::step::{Commit, Row};
use crate::vector::{HashingEmbedder, Quantized, embed_one};

const NOW: Timestamp = Timestamp(100 * Timestamp::DAY);

fn words() -> impl Strategy<Value = String> {
    let word =
        prop::sample::select(vec!["port", "branch", "schema", "cache", "retry", "pin", "lock", "zebra"]);
    prop::collection::vec(word, 0..6).prop_map(|words| words.join(" "))
}

/// A record with anything by which ranking and filters tell records apart.
fn record() -> impl Strategy<Value = Record> {
    let kinds = (
        prop_oneof![4 => Just(Status::Active), 1 => prop::sample::select(Status::ALL)],
        prop_oneof![4 => Just(Subtype::Taught), 1 => prop::sample::select(Subtype::ALL)],
        prop::sample::select(Tier::ALL),
        prop_oneof![4 => Just(None), 1 => prop::sample::select(Mark::ALL).prop_map(Some)],
    );
    let parts = (words(), words(), prop::option::of(words()), prop::sample::select(vec!["", "", "run port"]));
    let times = (0i64..100, prop::option::weighted(0.2, 90i64..110), prop::option::weighted(0.2, 0u8..2));
    (kinds, parts, times).prop_map(|((status, subtype, tier, mark), (text, task, error, trigger), times)| {
        let at = Timestamp(times.0 * Timestamp::DAY);
        let mut record = Record::new(RecordId::default(), Kind::Lesson, subtype, SourceClass::User, at);
        (record.status, record.tier, record.text) = (status, tier, text);
        (record.trigger, record.signature) = (trigger.into(), error.unwrap_or_default());
        record.valid_to = times.1.map(|day| Timestamp(day * Timestamp::DAY));
        record.marks.extend(mark);
        record.situations.extend((!task.is_empty()).then_some(task));
        if let Some(user) = times.2 {
            record.scope = Scope::global().with(ScopeKey::User, if user == 0 { "a" } else { "b" });
        }
        record
    })
}

fn space(records: Vec<Record>, embeds: bool) -> Space {
    let embedder: Arc<HashingEmbedder> = Arc::new(HashingEmbedder::new(64));
    let vector = |text: &str| Quantized::of(&embed_one(embedder.as_ref(), text));
    let port = if embeds { EmbedderPort::BuiltIn(embedder.clone()) } else { EmbedderPort::None };
    let mut space =
        Space::new(Policy::default(), Ports { embedder: port, ..Ports::default() }).expect("a valid policy");
    let (mut set, mut rows) = (ChangeSet::default(), Vec::new());
    for (n, mut record) in records.into_iter().enumerate() {
        record.id = RecordId([n as u8; 16]);
        // Every third one waits for its vector.
        if n % 3 != 2 {
            let delta = Delta::Vector { embedder: "hash1-64".into(), vector: vector(&record.text) };
            set.changes.push(Change { record: record.id, delta });
        }
        rows.push(Row { id: record.id, record: Some(record) });
    }
    space.view.install(Commit { set, rows });
    space
}

/// Every record, scored and put in order.
fn by_definition(cx: &Context<'_>, query: &Query, scorer: &Scorer<'_>) -> Vec<Candidate> {
    let gate = i64::from(cx.policy.recall.gate);
    let passes = |slot: &u32| cx.view.record(*slot).is_some_and(|one| excluded(one, query, cx).is_none());
    let slots = (0..cx.view.slot_count()).filter(passes);
    let mut all: Vec<Candidate> =
        slots.map(|slot| scorer.scores(slot)).filter(|one| one.why.relevance >= gate).collect();
    all.sort_by(|a, b| scorer.order(a, b));
    all
}

proptest! {
    #[test]
    fn the_best_are_those_of_a_full_ranking(
        records in prop::collection::vec(record(), 0..40),
        (task, error, claim, tool) in (words(), words(), words(), prop::option::of(Just("run"))),
        moment in 0usize..4,
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        embeds in any::<bool>(),
    ) {
        let ids: Vec<RecordId> = (0..records.len()).map(|n| RecordId([n as u8; 16])).collect();
        let mut space = space(records, embeds);
        for at in gone.iter().filter(|_| !ids.is_empty()) {
            let rows = vec![Row { id: *at.get(&ids), record: None }];
            space.view.install(Commit { set: ChangeSet::default(), rows });
        }
        let mut input = Recall { task, scope: Scope::global().with(ScopeKey::User, "a"), ..Recall::default() };
        match moment {
            1 => input.tool = tool.unwrap_or_default().into(),
            2 => input.error = error,
            3 => input.claim = claim,
            _ => {}
        }
        let (query, known) = (Query::new(&input), Known::default());
        let env = Env { now: NOW, seed: Seed([1; 16]) };
        let cx = Context { env, view: &space.view, policy: &space.policy, ports: &space.ports, known: &known };
        let vector = cx.vectors(&[&query.text]).ok().and_then(|mut vectors| vectors.pop().flatten());
        let scorer = Scorer::new(&cx, &query, vector.as_ref());
        let all = by_definition(&cx, &query, &scorer);
        for limit in [0, 1, 3, 10, 100] {
            let ranked: Vec<_> = scorer.ranked(limit).into_iter().map(|one| (one.slot, one.why)).collect();
            let best: Vec<_> = all.iter().take(limit).map(|one| (one.slot, one.why)).collect();
            prop_assert_eq!(ranked, best);
        }
    }
}

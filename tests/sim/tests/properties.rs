//! Properties of operations over generated runs: prefixes, scopes, undo, budgets.

use std::collections::BTreeSet;

use hardwon::Memory;
use hardwon::store::MemoryStore;
use hardwon_core::env::{Env, Seed, Timestamp};
use hardwon_core::op::{
    Explain, ExportRecords, ImportRecords, Input, Learn, List, Output, Recall, Teach, Undo, Written,
};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Record, Scope, ScopeKey};
use hardwon_core::text::TokenCounter;
use hardwon_model::tokens::O200kCounter;
use hardwon_sim::parrot::Parrot;
use hardwon_sim::world::ports;
use proptest::prelude::*;

/// One step of a generated run.
#[derive(Debug, Clone)]
enum Move {
    Fail(u8),
    Pass(u8),
    Edit(u8),
    Say(u8),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        (0u8..6).prop_map(Move::Fail),
        (0u8..6).prop_map(Move::Pass),
        (0u8..3).prop_map(Move::Edit),
        (0u8..3).prop_map(Move::Say),
    ];
    prop::collection::vec(one, 1..24)
}

/// The canonical lines of a run.
fn lines(session: &str, moves: &[Move]) -> Vec<String> {
    let call = |n: usize, name: &str, args: &str, result: &str| {
        format!(
            "{{\"type\":\"tool_call\",\"step\":{n},\"call_index\":0,\"name\":\"{name}\",\"args\":{args},\
             \"result\":{result},\"session_id\":\"{session}\",\"event_id\":\"{session}-{n}\",\
             \"ts\":\"2026-01-02T03:{:02}:00Z\"}}",
            n % 60
        )
    };
    let mut out = vec![format!(
        "{{\"type\":\"start\",\"task\":\"mend the {session} build\",\"session_id\":\"{session}\",\
         \"event_id\":\"{session}-start\"}}"
    )];
    for (n, step) in moves.iter().enumerate() {
        out.push(match step {
            Move::Fail(k) => {
                let (name, args, error) = failing(*k);
                call(n, name, args, &format!("{{\"ok\":false,\"error\":\"{error}\"}}"))
            }
            Move::Pass(k) => {
                let (name, args, _) = failing(*k);
                call(n, name, args, "{\"ok\":true,\"result\":\"done\"}")
            }
            Move::Edit(k) => call(
                n,
                "edit_file",
                &format!("{{\"path\":\"src/part{k}.rs\",\"old\":\"a\",\"new\":\"b\"}}"),
                "{\"ok\":true,\"result\":\"edited\"}",
            ),
            Move::Say(k) => format!(
                "{{\"type\":\"thought\",\"text\":\"attempt {k}\",\"session_id\":\"{session}\",\
                 \"event_id\":\"{session}-{n}\"}}"
            ),
        });
    }
    out
}

fn failing(kind: u8) -> (&'static str, &'static str, &'static str) {
    match kind {
        0 => ("bash", "{\"command\":\"cargo test\"}", "error: test failed, to rerun pass the library flag"),
        1 => (
            "bash",
            "{\"command\":\"git push\"}",
            "fatal: the current branch has no upstream branch configured",
        ),
        2 => ("read_file", "{\"path\":\"src/gone.rs\"}", "file does not exist in this working tree"),
        3 => ("deploy", "{\"target\":\"east\"}", "quota of the target region is exhausted for today"),
        4 => ("bash", "{\"command\":\"npm run lint\"}", "lint found unused variables inside changed modules"),
        _ => ("send_mail", "{\"to\":\"x\"}", "recipient address must contain a domain part"),
    }
}

fn memory() -> Memory<MemoryStore> {
    let mut memory =
        Memory::with_ports(MemoryStore::new(), "p", Policy::default(), ports()).expect("a valid policy");
    memory.set_model(Box::new(Parrot));
    memory
}

fn env(n: u8) -> Env {
    Env { now: Timestamp(1_800_000_000_000 + i64::from(n)), seed: Seed([n; 16]) }
}

fn learn(memory: &mut Memory<MemoryStore>, n: u8, lines: &[String], scope: Scope) -> Output {
    learn_with(memory, n, lines, scope, false)
}

fn learn_with(
    memory: &mut Memory<MemoryStore>,
    n: u8,
    lines: &[String],
    scope: Scope,
    model: bool,
) -> Output {
    let input = Learn { data: Some(lines.join("\n")), scope: Some(scope), model, ..Learn::default() };
    memory.run_in(env(n), Input::Learn(input)).expect("a readable trace")
}

/// What was learned, without ids, versions and times of learning.
fn contents(memory: &Memory<MemoryStore>) -> Vec<String> {
    let mut out: Vec<String> = memory.view().records().map(described).collect();
    out.sort();
    out
}

fn described(record: &Record) -> String {
    let evidence: Vec<String> =
        record.evidence.iter().map(|one| format!("{}@{}", one.event_id, one.ts)).collect();
    format!(
        "{} | {} | {} | {} | {:?} | {:?} | {:?} | {} | {}",
        record.key,
        record.text,
        record.subtype,
        record.trigger,
        record.tools,
        record.marks,
        evidence,
        record.status,
        record.tier
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn learning_a_prefix_and_then_the_whole_equals_learning_the_whole(
        moves in moves(),
        cut in 0usize..24,
        model in any::<bool>(),
    ) {
        let all = lines("run", &moves);
        let cut = (cut + 1).min(all.len());
        let mut grown = memory();
        learn_with(&mut grown, 1, &all[..cut], Scope::global(), model);
        learn_with(&mut grown, 2, &all, Scope::global(), model);
        let mut whole = memory();
        learn_with(&mut whole, 3, &all, Scope::global(), model);
        prop_assert_eq!(contents(&grown), contents(&whole));
        learn_with(&mut grown, 4, &all[..cut], Scope::global(), model);
        prop_assert_eq!(contents(&grown), contents(&whole), "a shorter copy taught something");
    }

    #[test]
    fn learning_twice_changes_nothing(moves in moves(), model in any::<bool>()) {
        let all = lines("run", &moves);
        let mut memory = memory();
        learn_with(&mut memory, 1, &all, Scope::global(), model);
        let hash = memory.view().hash();
        let Output::Learned(report) = learn_with(&mut memory, 2, &all, Scope::global(), model) else { panic!("not learned") };
        prop_assert_eq!(report.op, None);
        prop_assert_eq!(memory.view().hash(), hash);
    }

    #[test]
    fn undoing_each_learn_in_any_order_leaves_nothing(
        first in moves(),
        second in moves(),
        swap in any::<bool>(),
        model in any::<bool>(),
    ) {
        let mut memory = memory();
        learn_with(&mut memory, 1, &lines("one", &first), Scope::global(), model);
        let before = contents(&memory);
        learn_with(&mut memory, 2, &lines("two", &second), Scope::global(), model);
        if swap {
            undo(&mut memory, 3, env(1));
            undo(&mut memory, 4, env(2));
        } else {
            undo(&mut memory, 3, env(2));
            prop_assert_eq!(contents(&memory), before, "undoing the second damaged the first");
            undo(&mut memory, 4, env(1));
        }
        prop_assert_eq!(contents(&memory), Vec::<String>::new());
    }

    #[test]
    fn nothing_crosses_scopes_on_any_path(first in moves(), second in moves()) {
        let ours = Scope::global().with(ScopeKey::Repo, "ours");
        let theirs = Scope::global().with(ScopeKey::Repo, "theirs");
        let mut memory = memory();
        learn(&mut memory, 1, &lines("one", &first), ours.clone());
        learn(&mut memory, 2, &lines("two", &second), theirs.clone());
        let taught = Teach { text: "Ask before you deploy.".into(), scope: Some(theirs.clone()), ..Teach::default() };
        memory.run_in(env(3), Input::Teach(taught)).expect("a short text");
        let foreign: BTreeSet<_> =
            memory.view().records().filter(|record| record.scope == theirs).map(|record| record.id).collect();
        for record in memory.view().records() {
            let session = if record.scope == ours { "one" } else { "two" };
            prop_assert!(record.evidence.iter().all(|one| one.session_id == session), "a merge crossed scopes");
        }
        for query in queries(&ours) {
            let Output::Recalled(answer) = memory.run_in(env(4), Input::Recall(query.clone())).expect("recall") else {
                panic!("not recalled")
            };
            let shown = answer.items.iter().map(|item| item.id).chain(answer.omitted.iter().copied());
            prop_assert!(shown.into_iter().all(|id| !foreign.contains(&id)), "recall crossed scopes");
            for &id in &foreign {
                let explain = Explain { id, query: query.clone() };
                let Output::Explained(answer) = memory.run_in(env(5), Input::Explain(explain)).expect("explain") else {
                    panic!("not explained")
                };
                prop_assert!(!answer.comes_back, "explain crossed scopes");
            }
        }
        let listed = memory.list(List { scope: Some(ours.clone()), ..List::default() }).expect("list").0;
        prop_assert!(listed.iter().all(|record| !foreign.contains(&record.id)), "list crossed scopes");
        let export = ExportRecords { scope: Some(ours), ..ExportRecords::default() };
        let Output::Exported { records, vectors } = memory.export_records(export).expect("export") else {
            panic!("not exported")
        };
        prop_assert!(records.iter().all(|record| !foreign.contains(&record.id)), "export crossed scopes");
        prop_assert!(vectors.iter().all(|one| !foreign.contains(&one.record)), "vectors crossed scopes");
    }

    #[test]
    fn an_export_opens_elsewhere_with_nothing_lost(first in moves(), second in moves()) {
        let mut memory = memory();
        learn(&mut memory, 1, &lines("one", &first), Scope::global());
        learn(&mut memory, 2, &lines("two", &second), Scope::global());
        let Output::Exported { records, vectors } = memory.export_records(ExportRecords::default()).expect("export")
        else {
            panic!("not exported")
        };
        let mut other = self::memory();
        let everything = ImportRecords { records, vectors, ..ImportRecords::default() };
        let import = || Input::ImportRecords(everything.clone());
        other.run_in(env(3), import()).expect("import");
        prop_assert_eq!(contents(&other), contents(&memory));
        let hash = other.view().hash();
        other.run_in(env(4), import()).expect("import");
        prop_assert_eq!(other.view().hash(), hash, "importing again changed something");
    }

    #[test]
    fn blocks_keep_their_budget_and_texts_their_cap(moves in moves(), texts in prop::collection::vec("\\PC{1,90}", 0..6), budget in 0u32..200) {
        let mut memory = memory();
        learn(&mut memory, 1, &lines("one", &moves), Scope::global());
        for (n, text) in texts.iter().enumerate() {
            let teach = Teach { text: text.clone(), ..Teach::default() };
            let written = memory.run_in(env(10 + n as u8), Input::Teach(teach));
            if let Ok(Output::Written(Written { id: Some(id), .. })) = written {
                memory.run_in(env(40 + n as u8), Input::Pin(hardwon_core::op::Get { id, ..Default::default() })).ok();
            }
        }
        for record in memory.view().records() {
            prop_assert!(O200kCounter.count(&record.text) <= 30, "over the cap: {}", record.text);
        }
        for mut query in queries(&Scope::global()) {
            query.budget = Some(budget);
            let Output::Recalled(answer) = memory.run_in(env(90), Input::Recall(query)).expect("recall") else {
                panic!("not recalled")
            };
            prop_assert!(O200kCounter.count(&answer.block) <= budget as usize, "over the budget");
            prop_assert_eq!(answer.items.is_empty(), answer.block.is_empty());
        }
    }
}

fn undo(memory: &mut Memory<MemoryStore>, n: u8, op: Env) {
    let undo = Undo { op: op.op_id(), cascade: true, ..Undo::default() };
    // A run that taught nothing leaves nothing to take back.
    memory.run_in(env(n), Input::Undo(undo)).ok();
}

fn queries(scope: &Scope) -> Vec<Recall> {
    let base = Recall { scope: scope.clone(), ..Recall::default() };
    let mut out =
        vec![Recall { task: "mend the two build and ask before you deploy".into(), ..base.clone() }];
    for kind in 0..6 {
        let (tool, args, error) = failing(kind);
        out.push(Recall { tool: tool.into(), args: args.into(), ..base.clone() });
        out.push(Recall { tool: tool.into(), args: args.into(), error: error.into(), ..base.clone() });
    }
    out.push(Recall { claim: "all tests pass and the build is done".into(), ..base });
    out
}

#[test]
fn a_nonsense_query_returns_no_ranked_item() {
    let mut memory = Memory::with_store(MemoryStore::new(), "p", Policy::default()).expect("a valid policy");
    let all: Vec<Move> = (0..6).map(Move::Fail).collect();
    learn(&mut memory, 1, &lines("one", &all), Scope::global());
    for task in ["zxqv blorp snagglewump", "Purple monkeys juggle seventeen dreams on Thursday", "の", "…"]
    {
        let query = Recall { task: task.into(), ..Recall::default() };
        let Output::Recalled(answer) = memory.run_in(env(2), Input::Recall(query)).expect("recall") else {
            panic!("not recalled")
        };
        assert!(answer.items.is_empty() && answer.block.is_empty(), "{task:?} brought {:?}", answer.items);
    }
}

#[test]
fn a_copy_of_a_session_under_another_name_takes_nothing_away() {
    let call = |session: &str, uuid: &str| {
        format!(
            "{{\"type\":\"tool_call\",\"name\":\"deploy\",\"args\":{{\"target\":\"east\"}},\"event_id_global\":true,\
             \"result\":{{\"ok\":false,\"error\":\"quota of the target region is exhausted\"}},\
             \"session_id\":\"{session}\",\"event_id\":\"{uuid}\",\"ts\":\"2026-01-02T03:04:05Z\"}}"
        )
    };
    let mut memory = memory();
    learn(&mut memory, 1, &[call("first", "u1"), call("first", "u2")], Scope::global());
    let before = contents(&memory);
    assert!(!before.is_empty());
    let fork = [call("fork", "u1"), call("fork", "u2"), call("fork", "u3")];
    let Output::Learned(report) = learn(&mut memory, 2, &fork, Scope::global()) else {
        panic!("not learned")
    };
    assert_eq!(report.skipped.get("known_event"), Some(&2));
    let record = memory.view().records().next().expect("the lesson is still there");
    assert_eq!(
        record.sessions().len(),
        2,
        "the new event of the fork counts, the copied ones stay where they were"
    );
    assert!(record.evidence.iter().filter(|one| one.session_id == "first").count() == 2);
}

#[test]
fn an_import_can_be_undone_with_the_evidence_it_brought() {
    let mut memory = memory();
    learn(&mut memory, 1, &lines("one", &[Move::Fail(3), Move::Fail(5)]), Scope::global());
    let Output::Exported { records, vectors } =
        memory.export_records(ExportRecords::default()).expect("export")
    else {
        panic!("not exported")
    };
    let mut other = self::memory();
    let import = ImportRecords { records, vectors, ..ImportRecords::default() };
    other.run_in(env(2), Input::ImportRecords(import)).expect("import");
    assert!(!other.view().is_empty());
    let undo = Undo { op: env(2).op_id(), ..Undo::default() };
    let Output::Undone(answer) = other.run_in(env(3), Input::Undo(undo)).expect("undo") else {
        panic!("not undone")
    };
    assert!(answer.done && answer.op.is_some());
    assert!(other.view().is_empty(), "imported records stayed after their import was taken back");
}

#[test]
fn no_name_carries_a_secret_into_the_store() {
    let token = ["ghp_", "a8Jd72kLmQ94xZpR5tVn", "W3bYc6UeHs1oGfTi"].concat();
    let line = format!(
        "{{\"type\":\"tool_call\",\"name\":\"run_{token}\",\"args\":{{\"{token}\":\"x\"}},\
         \"result\":{{\"ok\":false,\"error\":\"the {token} door refuses to open today\"}},\
         \"session_id\":\"s-{token}\",\"root_run_id\":\"r-{token}\",\"event_id\":\"e-{token}\"}}"
    );
    let mut memory = memory();
    let scope = Scope::global().with(ScopeKey::User, &token);
    learn(&mut memory, 1, &[line], scope);
    let taught = Teach {
        text: "Knock before you enter the room.".into(),
        actor: "amy".into(),
        scope: Some(Scope::global().with(ScopeKey::Repo, &token)),
        ..Teach::default()
    };
    memory.run_in(env(2), Input::Teach(taught)).expect("a short text");
    assert!(!memory.view().is_empty());
    let stored = format!("{:?}", memory.store());
    let at = stored.find(&token);
    assert!(
        at.is_none(),
        "a secret reached the store: {:?}",
        at.and_then(|at| stored.get(at.saturating_sub(80)..at))
    );
}

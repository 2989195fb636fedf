//! A model or a reranker behind the memory: what costs a call, what is kept, and what a forget takes away.

mod samples;

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, Mutex};

use hardwon::core::op::{Forget, Guard, Input, Learn, Learned, List, Output, Recall, Recalled, Teach};
use hardwon::core::record::Record;
use hardwon::core::step::{Completion, Prompts};
use hardwon::model::Model;
use hardwon::rerank::Reranker;
use hardwon::store::{MemoryStore, Store};
use hardwon::{Memory, OpenOptions};
use serde_json::{Value, json};

const WORDS: &str = "Make sure the parent directory is there before `write_file` opens the file";

/// A model that says the same to everything, and notes what it was asked.
#[derive(Debug, Clone)]
struct Says {
    name: &'static str,
    text: &'static str,
    asked: Arc<Mutex<Vec<Prompts>>>,
}

impl Says {
    fn new(text: &'static str) -> Self {
        Self { name: "brevis-1", text, asked: Arc::default() }
    }

    fn prompts(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").iter().flat_map(|one| one.prompts.clone()).collect()
    }
}

impl Model for Says {
    fn name(&self) -> &str {
        self.name
    }

    fn complete(&mut self, prompts: &Prompts) -> Vec<Completion> {
        self.asked.lock().expect("no panic").push(prompts.clone());
        prompts.prompts.iter().map(|_| Completion::Text(self.text.into())).collect()
    }
}

fn trace(run: &str) -> String {
    let event = |n: u32, kind: &str, more: Value| {
        let mut event = json!({ "type": kind, "session_id": run, "event_id": format!("{run}-{n}") });
        event.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        event.to_string()
    };
    let fails = |tool: &str, error: &str| {
        let path = format!("out/{run}.txt");
        json!({ "name": tool, "args": { "path": path }, "result": { "ok": false, "error": error } })
    };
    [
        event(1, "start", json!({ "task": "Report on Mia Garcia" })),
        event(
            2,
            "tool_call",
            fails("write_file", "cannot open output file: parent directory does not exist"),
        ),
        event(
            3,
            "tool_call",
            fails("send_invoice", &format!("customer {run}@example.org has no open ledger")),
        ),
        event(9, "final", json!({ "text": "No.", "outcome": "failure" })),
    ]
    .join("\n")
}

fn learn<S: Store>(memory: &mut Memory<S>, run: &str, model: bool) -> Learned {
    let learn = Learn { data: Some(trace(run)), model, ..Learn::default() };
    memory.learn(learn).expect("it learns")
}

fn lessons<S: Store>(memory: &mut Memory<S>) -> Vec<Record> {
    memory.list(List::default()).expect("a list").0
}

fn memory(model: &Says) -> Memory<MemoryStore> {
    let mut memory =
        Memory::with_store(MemoryStore::new(), "default", hardwon::core::policy::Policy::default())
            .expect("new");
    memory.set_model(Box::new(model.clone()));
    memory
}

#[test]
fn a_batch_is_one_call_of_the_host_and_a_kept_answer_costs_none() {
    let model = Says::new(WORDS);
    let mut memory = memory(&model);
    let first = learn(&mut memory, "run1", true);
    let told = first.model.expect("it was asked");
    assert_eq!((told.model.as_str(), told.asked, told.worded), ("brevis-1", 2, 1), "{told:?}");
    assert_eq!(model.asked.lock().expect("no panic").len(), 1);
    memory.undo_op(first.op.expect("a commit")).expect("undone");
    assert!(lessons(&mut memory).is_empty());

    let again = learn(&mut memory, "run2", true).model.expect("it was asked");
    assert_eq!((again.asked, again.worded), (2, 1));
    assert_eq!(
        model.asked.lock().expect("no panic").len(),
        1,
        "the same kinds of failures have the same prompts"
    );

    let mut other = Says { name: "brevis-2", ..model.clone() };
    other.asked = Arc::default();
    memory.set_model(Box::new(other.clone()));
    let id = lessons(&mut memory)[0].id;
    memory.forget(Forget { id, ..Forget::default() }).expect("forgotten");
    learn(&mut memory, "run3", true);
    assert!(other.prompts().is_empty(), "what is known is not asked again");
}

#[test]
fn no_value_of_a_run_is_in_a_prompt() {
    let model = Says::new("NO_LESSON");
    let mut memory = memory(&model);
    let told = learn(&mut memory, "run7", true);
    assert_eq!(told.skipped.get("no_lesson"), Some(&2));
    let prompts = model.prompts();
    assert_eq!(prompts.len(), 2);
    for prompt in prompts {
        assert!(prompt.starts_with("<draft>\n") && prompt.ends_with("</draft>"), "{prompt}");
        for value in ["run7", "Mia", "Garcia", "example.org", "out/"] {
            assert!(!prompt.contains(value), "{value} in {prompt}");
        }
        assert_eq!(prompt.matches('<').count(), 2, "{prompt}");
    }
}

#[test]
fn without_a_model_the_fixed_wordings_serve() {
    let mut memory =
        Memory::with_store(MemoryStore::new(), "default", hardwon::core::policy::Policy::default())
            .expect("new");
    let told = learn(&mut memory, "run1", true);
    assert!(told.model.is_none() && told.inserted == 2);
    assert!(told.notices.iter().any(|one| one.contains("no model")), "{:?}", told.notices);
}

#[test]
fn a_model_that_answers_too_few_loses_no_lesson() {
    #[derive(Debug)]
    struct Silent;
    impl Model for Silent {
        fn name(&self) -> &'static str {
            "silent"
        }
        fn complete(&mut self, _: &Prompts) -> Vec<Completion> {
            Vec::new()
        }
    }
    let mut memory = memory(&Says::new(WORDS));
    memory.set_model(Box::new(Silent));
    let told = learn(&mut memory, "run1", true);
    assert_eq!((told.inserted, told.model.expect("asked").unused["call_failed"]), (2, 2));
}

#[test]
fn words_change_no_verdict() {
    let verdicts = |model: bool| {
        let mut memory = memory(&Says::new(WORDS));
        for run in ["run1", "run2", "run3"] {
            learn(&mut memory, run, model);
        }
        ["write_file", "send_invoice"].map(|tool| {
            let args = r#"{"path": "out/x.txt"}"#.into();
            let asked = Guard { tool: tool.into(), args, ..Guard::default() };
            let told = memory.guard(asked).expect("an answer");
            let silent: Vec<String> = told.silent.into_iter().map(|one| one.reason).collect();
            (told.verdict, silent)
        })
    };
    assert_eq!(verdicts(true), verdicts(false));
}

#[test]
fn a_hard_forget_takes_the_kept_answers_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = Says::new(WORDS);
    let mut memory = Memory::open(OpenOptions::new(folder.path())).expect("a store");
    memory.set_model(Box::new(model.clone()));
    learn(&mut memory, "run1", true);
    assert!(holds(folder.path(), WORDS), "the search finds what is there");
    for record in lessons(&mut memory) {
        let id = record.id;
        memory.run(Input::Forget(Forget { id, hard: true, ..Forget::default() })).expect("erased");
    }
    assert!(!holds(folder.path(), WORDS));
    assert!(!holds(folder.path(), "brevis"));
    learn(&mut memory, "run2", true);
    assert_eq!(model.asked.lock().expect("no panic").len(), 2, "asked anew");
}

/// Ids, codes and first names in the records of customers.
fn customers(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut out = BTreeSet::new();
    for word in words {
        let is_id = word.contains('_') && word.ends_with(|c: char| c.is_ascii_digit());
        let has_digit = word.chars().any(|c| c.is_ascii_digit());
        let is_code = word.len() == 6 && has_digit && !word.chars().any(|c| c.is_lowercase() || c == '_');
        if is_id || is_code {
            out.insert(word.to_owned());
        }
        // `mia_garcia_3668` is a customer, and `gift_card_3668` a means of payment.
        if let [first, last, number] = word.split('_').collect::<Vec<_>>()[..]
            && last != "card"
            && number.parse::<u16>().is_ok()
        {
            out.extend([first, last].iter().filter(|name| name.len() > 3).map(|name| (*name).to_owned()));
        }
    }
    out
}

#[test]
fn no_prompt_about_real_traces_names_a_customer() {
    let Some(folder) = samples::traces() else { return };
    let model = Says::new("");
    let mut memory = memory(&model);
    let mut known = BTreeSet::new();
    let mut calls = 0;
    let mut files: Vec<_> = fs::read_dir(folder.join("tau_bench")).expect("a folder").flatten().collect();
    files.sort_by_key(fs::DirEntry::path);
    for file in files.iter().filter(|file| file.file_name().to_string_lossy().contains("_sessions_")) {
        let data = fs::read_to_string(file.path()).expect("a readable sample");
        known.extend(customers(&data));
        let told =
            memory.learn(Learn { data: Some(data), model: true, ..Learn::default() }).expect("it learns");
        calls += told.model.map_or(0, |one| one.asked);
    }
    let prompts = model.prompts();
    let bytes: usize = prompts.iter().map(String::len).sum();
    println!("{calls} prompts asked, {} bytes each", bytes / prompts.len().max(1));
    assert!(known.len() > 500 && prompts.len() > 5, "{} values, {} prompts", known.len(), prompts.len());
    for prompt in prompts {
        for word in prompt.split(|c: char| !c.is_alphanumeric() && c != '_') {
            assert!(!known.contains(word) && !known.contains(&word.to_lowercase()), "{word} in {prompt}");
        }
    }
}

/// Whether any file of the folder holds these words.
fn holds(folder: &std::path::Path, words: &str) -> bool {
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    files.into_iter().any(|path| {
        let bytes = fs::read(path).expect("a file");
        bytes.windows(words.len()).any(|window| window == words.as_bytes())
    })
}

/// A reranker that likes one word, or fails.
#[derive(Debug)]
struct Likes(&'static str);

impl Reranker for Likes {
    fn rerank(&mut self, query: &str, texts: &[String]) -> Result<Vec<i64>, String> {
        assert_eq!(query, "start the saw");
        if self.0.is_empty() {
            return Err("out of order".into());
        }
        Ok(texts.iter().map(|text| if text.contains(self.0) { 900_000 } else { 100_000 }).collect())
    }
}

#[test]
fn a_reranker_orders_what_came_back_and_its_failure_is_told() {
    let mut memory = memory(&Says::new(WORDS));
    for thing in ["Close the door", "Put goggles on", "Open a window"] {
        let text = format!("{thing} before you start the saw.");
        memory.run(Input::Teach(Teach { text, ..Teach::default() })).expect("taught");
    }
    let ask = || Input::Recall(Recall { task: "start the saw".into(), ..Recall::default() });
    memory.set_reranker(Box::new(Likes("goggles")));
    let Ok(Output::Recalled(Recalled { items, .. })) = memory.run(ask()) else { panic!("recalled") };
    let found: Vec<_> = items.iter().map(|item| (item.text.contains("goggles"), item.why.reranked)).collect();
    assert_eq!(found, [(true, Some(900_000)), (false, Some(100_000)), (false, Some(100_000))]);
    memory.set_reranker(Box::new(Likes("")));
    let error = memory.run(ask()).expect_err("it fails");
    assert_eq!((error.code().as_str(), error.to_string().contains("out of order")), ("host.reranker", true));
}

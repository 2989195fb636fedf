//! One run as the signals see it: its calls in order, with what is costly to know worked out once and on demand.
//!
//! Decides nothing about lessons. A run without failures costs one pass over its events.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell, RefCell};

use serde_json::Value;

use super::shape::{Shape, edited_path, name_words, script};
use super::shell::CommandLine;
use super::signature::{Known, Signature, id_kind};
use crate::trace::{Body, Event, Outcome, ResultStatus, ToolCall, Trace};

/// How often the text of a run may be searched through for values, on top of [`SEARCH_FLOOR`].
const SEARCHES: usize = 2;
/// How many bytes any run may have searched.
const SEARCH_FLOOR: usize = 4 * 1024 * 1024;

/// A run and its calls.
pub(crate) struct Run<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) calls: Vec<Call<'a>>,
    by_check: OnceCell<BTreeMap<String, Vec<usize>>>,
    edits: OnceCell<Vec<usize>>,
    seen: RefCell<BTreeMap<String, First>>,
    /// How many bytes may still be searched, so that mining stays linear.
    left: Cell<usize>,
}

/// Where a value first stood as a whole word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    /// In the output of this call.
    Output(usize),
    /// In what a person or the task said.
    Said,
    /// Nowhere.
    Nowhere,
    /// There is too much to search.
    Unknown,
}

/// A call of the run.
pub(crate) struct Call<'a> {
    pub(crate) event: &'a Event,
    pub(crate) tool: &'a ToolCall,
    /// Index of the event in the trace.
    pub(crate) at: usize,
    /// The words of the tool's name.
    pub(crate) words: Rc<[String]>,
    line: OnceCell<Option<CommandLine>>,
    shape: OnceCell<Shape>,
}

impl<'a> Run<'a> {
    pub(crate) fn of(trace: &'a Trace) -> Self {
        let mut names: BTreeMap<&str, Rc<[String]>> = BTreeMap::new();
        let mut calls: Vec<Call<'a>> = Vec::new();
        for (at, event) in trace.events.iter().enumerate() {
            if let Body::ToolCall(tool) = &event.body {
                let words = names.entry(&tool.name).or_insert_with(|| name_words(&tool.name).into()).clone();
                calls.push(Call { event, tool, at, words, line: OnceCell::new(), shape: OnceCell::new() });
            }
        }
        let text: usize = calls.iter().map(|call| call.tool.result.text.len()).sum();
        let left = SEARCH_FLOOR + SEARCHES * text;
        Self {
            trace,
            calls,
            by_check: OnceCell::new(),
            edits: OnceCell::new(),
            seen: RefCell::default(),
            left: Cell::new(left),
        }
    }

    /// Whether the run's outcome speaks against what it did.
    pub(crate) fn failed(&self) -> bool {
        self.trace.outcome == Outcome::Failed
            || self.trace.events.iter().any(|event| matches!(event.body, Body::Failed { .. }))
    }

    /// The task, or the first thing a person said.
    pub(crate) fn task(&self) -> &'a str {
        let said = self.trace.events.iter().find_map(|event| match &event.body {
            Body::Start { task } if !task.trim().is_empty() => Some(task.as_str()),
            Body::User { text } if !text.trim().is_empty() => Some(text.as_str()),
            _ => None,
        });
        said.unwrap_or("")
    }

    /// What the agent said last before a call, if it said it after the call before.
    pub(crate) fn thought_before(&self, call: usize) -> Option<&'a str> {
        let end = self.calls.get(call)?.at;
        let start = call.checked_sub(1).map_or(0, |before| self.calls[before].at + 1);
        self.trace.events[start..end].iter().rev().find_map(|event| match &event.body {
            Body::Thought { text } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The other calls that run the same check, this one included, in order.
    pub(crate) fn same_check(&self, call: usize) -> &[usize] {
        let index = self.by_check.get_or_init(|| {
            let mut index: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (at, call) in self.calls.iter().enumerate() {
                if let Some(key) = super::noise::check_key(call) {
                    index.entry(key).or_default().push(at);
                }
            }
            index
        });
        let key = super::noise::check_key(&self.calls[call]);
        key.and_then(|key| index.get(&key)).map_or(&[], Vec::as_slice)
    }

    /// The calls between two others that changed files with success.
    pub(crate) fn edits_between(&self, from: usize, to: usize) -> &[usize] {
        let edits = self.edits();
        let start = edits.partition_point(|&at| at <= from);
        let end = edits.partition_point(|&at| at < to);
        edits.get(start..end.max(start)).unwrap_or(&[])
    }

    /// The last call before another that changed a file with success.
    pub(crate) fn edit_before(&self, call: usize) -> Option<usize> {
        let edits = self.edits();
        edits[..edits.partition_point(|&at| at < call)].last().copied()
    }

    fn edits(&self) -> &[usize] {
        self.edits.get_or_init(|| {
            let edits =
                self.calls.iter().enumerate().filter(|(_, call)| !call.failed() && call.edited().is_some());
            edits.map(|(at, _)| at).collect()
        })
    }

    /// What is known when the error of a call is read.
    pub(crate) fn known(&'a self, call: usize) -> Known<'a> {
        let this = &self.calls[call];
        let mut known = Known { message: &this.tool.result.text, ..Known::default() };
        if let Some(line) = this.line() {
            known.is_shell = true;
            for command in line.commands() {
                known.programs.push(command.program.clone());
                known.programs.extend(command.wrappers.iter().cloned());
                known.values.extend(command.operands.iter().map(|word| Cow::Borrowed(word.as_str())));
                known.values.push(Cow::Borrowed(&command.program));
            }
        } else {
            leaves(&this.tool.args, &mut |_, value| {
                if value.len() > 80 || value.contains('\n') {
                    known.texts.push(value);
                }
                known.values.push(Cow::Borrowed(value));
            });
            known.texts.truncate(8);
        }
        known.values.push(Cow::Borrowed(&this.tool.name));
        known.values.retain(|value| (2..=400).contains(&value.len()));
        known.values.truncate(200);
        let directory = self.trace.cwd.as_deref().unwrap_or("");
        known.names = directory.split(['/', '\\']).filter(|part| part.len() >= 3).collect();
        let words =
            this.tool.result.text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).take(2000);
        for kind in words.filter(|word| word.len() < 64).filter_map(id_kind) {
            if !known.kinds.iter().any(|known| known == kind) && self.is_kind(kind, call) {
                known.kinds.push(String::from(kind));
            }
        }
        known
    }

    /// The signature of a failed call.
    pub(crate) fn signature(&self, call: usize) -> Signature {
        Signature::of(&self.calls[call].tool.result.text, &self.known(call))
    }

    /// Whether an earlier output uses the front of an id as a word of its own.
    fn is_kind(&self, kind: &str, before: usize) -> bool {
        matches!(self.first_seen(kind), First::Output(at) if at < before)
    }

    /// Where a value first stood.
    pub(crate) fn first_seen(&self, value: &str) -> First {
        if let Some(known) = self.seen.borrow().get(value) {
            return *known;
        }
        let found = self.search(value);
        self.seen.borrow_mut().insert(String::from(value), found);
        found
    }

    /// The earlier calls whose output shows a value as a whole word, newest first; at most 64 calls are looked at.
    /// `None`: there is too much to search.
    pub(crate) fn shown_by(&self, value: &str, before: usize) -> Option<Vec<usize>> {
        let mut out = Vec::new();
        for at in (before.saturating_sub(64)..before).rev() {
            let result = &self.calls[at].tool.result;
            self.left.set(self.left.get().checked_sub(result.text.len())?);
            if result.status == ResultStatus::Ok && stands_in(&result.text, value) {
                out.push(at);
            }
        }
        Some(out)
    }

    fn search(&self, value: &str) -> First {
        let mut call = 0;
        for event in &self.trace.events {
            let (text, first) = match &event.body {
                Body::ToolCall(tool) => {
                    call += 1;
                    (tool.result.text.as_str(), First::Output(call - 1))
                }
                Body::Start { task } => (task.as_str(), First::Said),
                Body::User { text } => (text.as_str(), First::Said),
                _ => continue,
            };
            let Some(left) = self.left.get().checked_sub(text.len()) else { return First::Unknown };
            self.left.set(left);
            if stands_in(text, value) {
                return first;
            }
        }
        First::Nowhere
    }
}

/// Whether `value` stands in `text` as a whole word.
pub(crate) fn stands_in(text: &str, value: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(value).take(64).any(|(at, _)| {
        !word(text[..at].chars().next_back()) && !word(text[at + value.len()..].chars().next())
    })
}

impl Call<'_> {
    pub(crate) fn failed(&self) -> bool {
        self.tool.result.status == ResultStatus::Failed
    }

    /// Whether it is known to have worked: a masked exit proves nothing.
    pub(crate) fn worked(&self) -> bool {
        self.tool.result.status == ResultStatus::Ok && !self.line().is_some_and(CommandLine::is_masked)
    }

    /// The command line, for shells.
    pub(crate) fn line(&self) -> Option<&CommandLine> {
        let parsed = || script(&self.words, &self.tool.args).map(|text| CommandLine::parse(&text));
        self.line.get_or_init(parsed).as_ref()
    }

    pub(crate) fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| match self.line() {
            Some(line) => Shape::of_line(line),
            None => Shape::of(&self.tool.name, &self.tool.args),
        })
    }

    /// The file it changes, if it is an edit.
    pub(crate) fn edited(&self) -> Option<&str> {
        edited_path(&self.words, &self.tool.args, self.line())
    }

    /// How the call is named in a lesson: the tool, or the program with its subcommand.
    pub(crate) fn title(&self) -> String {
        let head = &self.shape().head;
        let title = head.strip_prefix("shell:").unwrap_or(head);
        String::from(if title.is_empty() { &self.tool.name } else { title })
    }
}

/// Every text and number among some arguments, with the key it stands under.
pub(crate) fn leaves<'a>(value: &'a Value, take: &mut impl FnMut(&'a str, &'a str)) {
    let mut rest: Vec<(&str, &Value)> = alloc::vec![("", value)];
    let mut left = 1000_u32;
    while let Some((key, value)) = rest.pop() {
        left = left.saturating_sub(1);
        if left == 0 {
            return;
        }
        match value {
            Value::String(text) => take(key, text),
            Value::Array(items) => rest.extend(items.iter().rev().map(|item| (key, item))),
            Value::Object(map) => rest.extend(map.iter().map(|(key, value)| (key.as_str(), value))),
            _ => {}
        }
    }
}

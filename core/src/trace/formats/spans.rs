//! Runs as trees of spans: calls of models and tools with their times, whichever format tells them.
//!
//! Decides the order of what happened, which session it belongs to, and what a sub-agent is: what a tool runs inside.
//! Spans come in the order in which they ended, so a run is put together when the input has ended.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};
use serde_json::Value;

use super::openai;
use crate::env::Timestamp;
use crate::sort;
use crate::trace::event::{Body, Outcome, ToolResult};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, list};

/// How far up a span's tool is looked for.
const MAX_UP: usize = 64;

/// What a span is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// A model answered.
    Model,
    /// A tool was called.
    Tool,
    /// Anything that holds others.
    #[default]
    Other,
}

/// One span.
#[derive(Debug, Clone, Default)]
pub(super) struct Span {
    pub(super) id: String,
    pub(super) parent: String,
    /// The run that it belongs to.
    pub(super) run: String,
    /// The session, where the format has one over several runs.
    pub(super) session: Option<String>,
    pub(super) kind: Kind,
    pub(super) start: Option<Timestamp>,
    pub(super) end: Option<Timestamp>,
    pub(super) name: String,
    /// The id of a tool's call.
    pub(super) call_id: String,
    /// Arguments of a tool.
    pub(super) args: Value,
    /// A tool's answer; `None` where the span had not ended.
    pub(super) result: Option<ToolResult>,
    /// What went wrong in a span that is no tool.
    pub(super) error: String,
    /// What a model was given, as OpenAI messages.
    pub(super) given: Vec<Value>,
    /// What a model answered, as an OpenAI message.
    pub(super) reply: Value,
    /// What a run was asked, where no model tells it.
    pub(super) task: String,
    pub(super) cwd: String,
}

/// Spans until they are a run.
#[derive(Debug, Default)]
pub(super) struct Runs {
    spans: Vec<Span>,
    by_id: HashMap<(String, String), usize>,
}

impl Runs {
    /// The span of that id in that run, new where there was none.
    pub(super) fn span(&mut self, run: &str, id: &str) -> &mut Span {
        let next = self.spans.len();
        let at = *self.by_id.entry((run.to_string(), id.to_string())).or_insert(next);
        if at == next {
            self.spans.push(Span { id: id.to_string(), run: run.to_string(), ..Span::default() });
        }
        &mut self.spans[at]
    }

    /// Hands all runs over, in the order in which they were first seen.
    pub(super) fn finish(&mut self, out: &mut Sessions) {
        let spans = core::mem::take(&mut self.spans);
        self.by_id.clear();
        let mut order: Vec<String> = Vec::new();
        let mut runs: HashMap<String, Vec<Span>> = HashMap::new();
        for span in spans {
            let run = runs.entry(span.run.clone()).or_insert_with(|| {
                order.push(span.run.clone());
                Vec::new()
            });
            run.push(span);
        }
        let mut said = HashSet::new();
        for run in order {
            Run::of(runs.remove(&run).unwrap_or_default()).deliver(&run, &mut said, out);
        }
    }
}

/// The spans of one run in the order in which they began.
struct Run {
    spans: Vec<Span>,
    by_id: HashMap<String, usize>,
}

impl Run {
    fn of(mut spans: Vec<Span>) -> Self {
        sort::sort_by_key(&mut spans, |span| span.start.map_or(i64::MIN, |start| start.0));
        let by_id = spans.iter().enumerate().map(|(at, span)| (span.id.clone(), at)).collect();
        Self { spans, by_id }
    }

    fn deliver(&self, run: &str, said: &mut HashSet<(String, String)>, out: &mut Sessions) {
        let root = self.spans.iter().find_map(|span| span.session.as_deref()).unwrap_or(run).to_string();
        if !self.spans.iter().any(|span| span.kind == Kind::Tool) {
            return self.conversation(&root, said, out);
        }
        for span in &self.spans {
            let name = match self.tool_above(span) {
                Some(tool) => format!("{root}/{tool}"),
                None => root.clone(),
            };
            let session = out.named(&name, &root);
            session.located(&span.cwd, "");
            match span.kind {
                Kind::Model => {
                    spoken(&span.given, &name, said, span.start, session);
                    let words = tree::words(&span.reply["content"]);
                    session.thought(&Meta { ts: span.end.or(span.start), ..Meta::default() }, words);
                }
                Kind::Tool => called(span, session),
                Kind::Other if !session.has_task() => {
                    session.user(&Meta { ts: span.start, ..Meta::default() }, span.task.clone());
                    if !span.task.is_empty() {
                        said.insert((name, span.task.clone()));
                    }
                }
                Kind::Other => {}
            }
        }
        self.ended(out.named(&root, &root));
    }

    /// A run of which only models tell: the longest conversation that one was given holds all before it.
    fn conversation(&self, root: &str, said: &mut HashSet<(String, String)>, out: &mut Sessions) {
        let session = out.named(root, root);
        let longest = self.spans.iter().rev().max_by_key(|span| span.given.len());
        if let Some(span) = longest.filter(|span| span.kind == Kind::Model) {
            for message in span.given.iter().chain(core::iter::once(&span.reply)) {
                let words = tree::words(&message["content"]);
                let again = str_at(message, "role") == "user" && !said.insert((root.to_string(), words));
                if !again {
                    openai::add_message(message, session);
                }
            }
        } else if let Some(span) = self.spans.iter().find(|span| !span.task.is_empty()) {
            session.user(&Meta { ts: span.start, ..Meta::default() }, span.task.clone());
        }
        self.ended(session);
    }

    /// How the span ended in which all others lie.
    fn ended(&self, session: &mut Session) {
        let outermost = |span: &&Span| !self.by_id.contains_key(&span.parent);
        let Some(root) = self.spans.iter().find(outermost) else { return };
        let meta = Meta { ts: root.end, ..Meta::default() };
        if !root.error.is_empty() && root.kind != Kind::Tool {
            session.add(&meta, Body::Failed { reason: root.error.clone() });
            session.ended(Outcome::Failed);
        } else if root.end.is_some()
            && let Some(last) = self.spans.iter().rev().find(|span| span.kind == Kind::Model)
        {
            let text = tree::words(&last.reply["content"]);
            if !text.is_empty() && list(&last.reply["tool_calls"]).is_empty() {
                session.add(&meta, Body::Final { text });
            }
        }
    }

    /// The nearest tool in which a span runs.
    fn tool_above<'s>(&'s self, span: &'s Span) -> Option<&'s str> {
        let mut at = span;
        for _ in 0..MAX_UP {
            at = self.spans.get(*self.by_id.get(&at.parent)?)?;
            if at.kind == Kind::Tool {
                return Some(&at.id);
            }
        }
        None
    }
}

/// What people said that was not said before in the session.
fn spoken(
    given: &[Value],
    name: &str,
    said: &mut HashSet<(String, String)>,
    ts: Option<Timestamp>,
    session: &mut Session,
) {
    for message in given.iter().filter(|message| str_at(message, "role") == "user") {
        let words = tree::words(&message["content"]);
        if said.insert((name.to_string(), words.clone())) {
            session.user(&Meta { ts, ..Meta::default() }, words);
        }
    }
}

fn called(span: &Span, session: &mut Session) {
    let id = format!("{}:{}", span.run, span.id);
    let meta = Meta { id: Some(&id), global: true, ts: span.start };
    let call_id = if span.call_id.is_empty() { &span.id } else { &span.call_id };
    session.call(&meta, call_id.clone(), span.name.clone(), span.args.clone());
    if let Some(result) = &span.result {
        session.answer(session.last_place(), ToolResult { ts: span.end, ..result.clone() });
    }
}

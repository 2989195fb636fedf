//! Conversations of the Who&When set: several agents, of which some run code or drive a browser for the others.
//!
//! Decides what is a call here: code that one agent writes and the terminal runs, and what an orchestrator asks another
//! agent to do. The labels of the set (who was wrong, and when) are no part of a run and are not read.

use alloc::string::{String, ToString};

use serde_json::{Value, json};

use crate::trace::event::{Body, Outcome};
use crate::trace::format::str_at;
use crate::trace::sessions::{Meta, Session, Sessions};
use crate::trace::tree::{self, Alone, first, list};
use crate::trace::verdict;

/// Reads conversations.
pub(in crate::trace) const PARSER: Alone = Alone { read, lacks: "no conversation of the Who&When set" };

/// The agent that runs code.
const TERMINAL: &str = "Computer_terminal";

/// The tool that runs it.
const RUN: &str = "execute_code";

/// Whether a unit is a conversation.
pub(in crate::trace) fn recognise(unit: &Value) -> bool {
    let speaks = list(&unit["history"])
        .first()
        .is_some_and(|message| message["content"].is_string() && message["role"].is_string());
    let labelled =
        ["question_ID", "mistake_agent", "mistake_step", "ground_truth", "is_correct", "is_corrected"];
    speaks && (unit["question"].is_string() || labelled.iter().any(|key| unit.get(key).is_some()))
}

fn read(unit: &Value, out: &mut Sessions) -> bool {
    let Some(history) = unit["history"].as_array() else { return false };
    let session = out.fresh(tree::name(&unit["question_ID"]).as_deref());
    let question = str_at(unit, "question");
    if !question.is_empty() {
        session.user(&Meta::default(), question.to_string());
    }
    let mut code = None;
    for message in history {
        let content = tree::words(&message["content"]);
        match (str_at(message, "role"), str_at(message, "name")) {
            // The question again.
            ("human", _) => {}
            (_, TERMINAL) | (TERMINAL, _) => terminal(&content, code.take(), session),
            (role, "") => orchestrated(role, content, session),
            _ => {
                code = code_in(&content).or(code);
                session.thought(&Meta::default(), content);
            }
        }
    }
    if first(unit, &["is_correct", "is_corrected"]).as_bool() == Some(false) {
        session.ended(Outcome::Failed);
    }
    true
}

/// What the terminal says of the code that was written last before it. Without a status it ran nothing.
fn terminal(content: &str, code: Option<Value>, session: &mut Session) {
    let Some((head, rest)) = content.split_once('\n').filter(|(head, _)| head.starts_with("exitcode:"))
    else {
        return session.add(&Meta::default(), Body::Other);
    };
    let exit =
        head.trim_start_matches("exitcode:").trim().split(' ').next().and_then(|code| code.parse().ok());
    let text = rest.strip_prefix("Code output:").unwrap_or(rest).trim().to_string();
    let result = match exit {
        Some(exit) => verdict::of_exit(exit, text),
        None => verdict::of_tool(RUN, text),
    };
    session.called(None, "", RUN, code.unwrap_or_default());
    session.answer(session.last_place(), result);
}

/// Of an orchestrator what it asks another agent is a call, and what that agent says next is the answer.
fn orchestrated(role: &str, content: String, session: &mut Session) {
    let asked = role.split_once("(-> ").and_then(|(_, rest)| rest.strip_suffix(')'));
    if let Some(agent) = asked {
        session.called(None, "", agent, json!({"request": content}));
    } else if role.contains('(') || session.open_call("", role).is_none() {
        session.thought(&Meta::default(), content);
    } else {
        session.answered("", role, verdict::of_flag(false, role, content));
    }
}

/// The last block of code, with its language, as the arguments of the call that runs it.
fn code_in(content: &str) -> Option<Value> {
    let (before, _) = content.rsplit_once("```")?;
    let (_, block) = before.rsplit_once("```")?;
    let (language, code) = block.split_once('\n')?;
    let told = !code.trim().is_empty() && language.len() < 20 && !language.contains(' ');
    told.then(|| json!({"language": language, "code": code}))
}

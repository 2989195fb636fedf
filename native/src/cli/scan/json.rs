//! The report of a scan as JSON; `docs/schema/scan.json` is its form.
//!
//! Decides names alone.

use std::path::Path;

use serde_json::{Value, json};

use crate::scan::finding::{Class, Finding, Run, Says};
use crate::scan::report::{Failed, Looked, Report};
use crate::scan::words;

pub(super) fn of(report: &Report, page: Option<&Path>) -> Value {
    let class = |class| report.of(class).map(finding).collect::<Vec<_>>();
    json!({
        "verb": "scan",
        "looked": report.looked.iter().map(looked).collect::<Vec<_>>(),
        "files": report.files,
        "bytes": report.bytes,
        "not_traces": report.not_traces,
        "failed": report.failed.iter().map(failed).collect::<Vec<_>>(),
        "sessions": report.sessions,
        "runs": report.runs,
        "events": report.events,
        "agents": report.agents,
        "first": report.first.map(|at| at.to_string()),
        "last": report.last.map(|at| at.to_string()),
        "repeated": class(Class::Repeated),
        "apart": class(Class::Apart),
        "held": class(Class::Held),
        "once": class(Class::Once),
        "skipped": report.skipped,
        "bad_lines": report.bad_lines,
        "page": page.map(|path| path.display().to_string()),
        "next": report.next.iter().map(|(command, _)| command).collect::<Vec<_>>(),
    })
}

fn looked(one: &Looked) -> Value {
    json!({
        "agent": one.agent, "path": one.path, "state": one.state, "sessions": one.sessions, "bytes": one.bytes,
        "message": one.message,
    })
}

fn failed(one: &Failed) -> Value {
    json!({ "path": one.path, "code": one.code, "message": one.message })
}

fn finding(one: &Finding) -> Value {
    let (speaks, silence) = match &one.says {
        Says::Speaks => (true, ""),
        Says::Silent(reason) => (false, reason.as_str()),
    };
    json!({
        "text": one.text,
        "subtype": one.subtype.as_str(),
        "tier": if one.strategic { "strategic" } else { "tactical" },
        "times": one.times,
        "runs": one.runs.len(),
        "sessions": one.sessions,
        "tools": one.tools,
        "repositories": one.repositories,
        "first_seen": one.first().map(|at| at.to_string()),
        "last_seen": one.last().map(|at| at.to_string()),
        "remedy": { "strength": one.strength, "words": words::remedy(one.strength) },
        "says": {
            "speaks": speaks,
            "trigger": one.trigger,
            "when": words::when(&one.trigger),
            "line": if speaks { one.line() } else { String::new() },
            "silence": silence,
        },
        "held_for": one.reason,
        "kept": one.is_kept,
        "shown": {
            "surfaced": one.counters.surfaced, "followed": one.counters.followed,
            "not_followed": one.counters.not_followed, "recurred": one.counters.recurred,
            "avoided": one.counters.avoided,
        },
        "seen": one.runs.iter().map(run).collect::<Vec<_>>(),
    })
}

fn run(one: &Run) -> Value {
    json!({
        "at": one.at.map(|at| at.to_string()),
        "agent": one.agent,
        "repository": one.repository,
        "session_id": one.session,
        "event_id": one.event,
        "tool": one.tool,
        "times": one.times,
        "task": one.moment.task,
        "call": one.moment.call,
        "answer": one.moment.answer,
        "then": one.moment.then,
        "went_around": one.moment.went_around,
    })
}

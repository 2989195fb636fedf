//! One finding on the page: its head, and its timeline from the trace to the lesson to what came of showing it.
//!
//! Decides what stands on the timeline, in the order of time. What has not happened yet is drawn as that.

use core::fmt::Write as _;

use hardwon_core::env::Timestamp;

use super::super::finding::{Class, Finding, Run, Says};
use super::super::report::{day, days, number};
use super::super::words;
use super::escaped;

/// Of so many sessions each has its place on the timeline; of more, the first and the last have.
const FIRST: usize = 3;
const LAST: usize = 6;
/// How many repositories and tools are named in the head.
const NAMED: usize = 3;

/// Writes the card.
pub(super) fn of(out: &mut String, one: &Finding, span: Option<(Timestamp, Timestamp)>) {
    let runs = one.runs.len();
    let _ = write!(
        out,
        "<details class=\"card\">\n<summary><span class=\"count\"><b>{runs}</b><span>{}</span></span>\
         <span class=\"says\"><bdi>{}</bdi></span>\n<span class=\"meta\">{}</span>\n<span>{}{}</span></summary>\n",
        if runs == 1 { "session" } else { "sessions" },
        coded(&one.text),
        escaped(&meta(one)),
        tag(one),
        spark(one, span),
    );
    out.push_str("<ol class=\"time\">\n");
    timeline(out, one);
    out.push_str("</ol>\n</details>\n");
}

/// A text in which what stands between backticks is code.
pub(super) fn coded(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(text);
    }
    let part = |(at, part): (usize, &&str)| match at % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

fn meta(one: &Finding) -> String {
    let mut parts = vec![number(one.times, "time")];
    parts.extend((!one.tools.is_empty()).then(|| few(&one.tools)));
    let places: Vec<String> = one.repositories.iter().map(|repo| short(repo).to_string()).collect();
    parts.extend((!places.is_empty()).then(|| few(&places)));
    parts.push(days(one.first(), one.last()));
    parts.join(" · ")
}

/// The last part of a repository's name; the whole name stands on the timeline.
fn short(repository: &str) -> &str {
    let name = repository.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if name.is_empty() { repository } else { name }
}

fn few(names: &[String]) -> String {
    let shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} +{more}"),
    }
}

fn tag(one: &Finding) -> String {
    match (&one.says, one.class) {
        (_, Class::Held) => "<span class=\"tag held\">waits for review</span>".into(),
        (Says::Speaks, _) => {
            format!("<span class=\"tag speaks\">says it {}</span>", coded(&words::when(&one.trigger)))
        }
        (Says::Silent(reason), _) if reason.is_empty() => {
            format!("<span class=\"tag silent\">says it {}</span>", coded(&words::when(late(&one.trigger))))
        }
        (Says::Silent(reason), _) => {
            let short = words::silence(reason).split([',', ':']).next().unwrap_or_default();
            format!("<span class=\"tag silent\">said {}</span>", escaped(short))
        }
    }
}

/// The moment of a lesson that does not speak at a call.
fn late(trigger: &str) -> &str {
    if matches!(trigger, "final" | "start") { trigger } else { "" }
}

/// A line of time with a dot a session: full for the first, a ring for each that could have known.
fn spark(one: &Finding, span: Option<(Timestamp, Timestamp)>) -> String {
    let Some((first, last)) = span else { return String::new() };
    let span = (last.0 - first.0).max(1) as f64;
    let times: Vec<Timestamp> = one.runs.iter().filter_map(|run| run.at).collect();
    if times.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<svg class=\"spark\" role=\"img\" aria-label=\"{}, {}\"><line x1=\"0\" x2=\"100%\" y1=\"9\" y2=\"9\"/>",
        number(times.len(), "session"),
        escaped(&days(one.first(), one.last())),
    );
    // The first stands last, so that nothing covers it.
    for (n, at) in times.iter().enumerate().rev() {
        // A little room on both sides keeps whole dots on the line.
        let place = 1.0 + 98.0 * ((at.0 - first.0) as f64 / span).clamp(0.0, 1.0);
        let kind = if n == 0 { "" } else { " class=\"spared\"" };
        let _ = write!(out, "<circle{kind} cx=\"{place:.2}%\" cy=\"9\" r=\"4.5\"/>");
    }
    out.push_str("</svg>");
    out
}

/// Something on the timeline that has a time, or not.
enum Node<'a> {
    Run(usize, &'a Run),
    Shown(Timestamp),
}

fn timeline(out: &mut String, one: &Finding) {
    let mut nodes: Vec<(Option<Timestamp>, Node<'_>)> =
        one.runs.iter().enumerate().map(|(n, run)| (run.at, Node::Run(n, run))).collect();
    nodes.extend(one.shown.iter().map(|at| (Some(*at), Node::Shown(*at))));
    nodes.sort_by_key(|(at, _)| *at);
    let hidden = nodes.len().saturating_sub(FIRST + LAST + 1);
    for (n, (_, node)) in nodes.iter().enumerate() {
        let in_gap = hidden > 0 && n >= FIRST && n < FIRST + hidden + 1;
        if in_gap {
            if n == FIRST {
                let _ = writeln!(
                    out,
                    "<li class=\"more\"><span class=\"soft\">and {} more between</span></li>",
                    hidden + 1
                );
            }
            continue;
        }
        match node {
            Node::Run(n, run) => {
                wrong(out, *n, run);
                if *n == 0 {
                    lesson(out, one);
                }
            }
            Node::Shown(at) => {
                let _ = writeln!(
                    out,
                    "<li class=\"shown\"><span class=\"what\">Shown to the agent</span> <span class=\"when\">{}</span></li>",
                    day(*at)
                );
            }
        }
    }
    ending(out, one);
}

fn wrong(out: &mut String, n: usize, run: &Run) {
    let names = [&run.agent, &run.tool, &run.repository].into_iter().cloned();
    let parts: Vec<String> =
        run.at.map(day).into_iter().chain(names).filter(|part| !part.is_empty()).collect();
    let when = parts.join(" · ");
    let times = if run.times > 1 { format!(", {} times", run.times) } else { String::new() };
    let _ = writeln!(
        out,
        "<li class=\"wrong\"><span class=\"what\">{}{times}</span> <span class=\"when\">{}</span>",
        if n == 0 { "It went wrong" } else { "Again" },
        escaped(&when)
    );
    let moment = &run.moment;
    let steps = [
        ("task", &moment.task, false),
        (
            if moment.went_around && moment.then.is_empty() { "went around" } else { "called" },
            &moment.call,
            true,
        ),
        (if moment.call.is_empty() { "said" } else { "got" }, &moment.answer, true),
        (words::then(moment), &moment.then, true),
    ];
    for (name, text, is_code) in steps {
        if !text.is_empty() {
            let text = escaped(text);
            let text = if is_code { format!("<code>{text}</code>") } else { text };
            let _ = writeln!(out, "<div class=\"step\"><span>{name}</span><bdi>{text}</bdi></div>");
        }
    }
    out.push_str("</li>\n");
}

fn lesson(out: &mut String, one: &Finding) {
    let is_held = one.class == Class::Held;
    let what = if is_held { format!("Held back: {}", one.why) } else { "The lesson".into() };
    let _ = writeln!(
        out,
        "<li class=\"{}\"><span class=\"what\">{}</span>\n<blockquote><bdi>{}</bdi></blockquote>",
        if is_held { "shown" } else { "lesson" },
        escaped(&what),
        coded(&one.text),
    );
    // Nothing of what is held back is recommended.
    if !is_held {
        let _ = writeln!(
            out,
            "<div class=\"step\"><span>what worked</span><span>{}</span></div>",
            words::remedy(one.strength)
        );
    }
    out.push_str("</li>\n");
}

/// What became of it, or what would.
fn ending(out: &mut String, one: &Finding) {
    if one.strategic {
        let _ = writeln!(
            out,
            "<li class=\"lesson\"><span class=\"what\">Strategic</span> <span class=\"when\">it came back in {}</span></li>",
            number(one.runs.len(), "session")
        );
    }
    let counters = &one.counters;
    if counters.surfaced > 0 {
        let helped = counters.avoided + counters.followed;
        let _ = writeln!(
            out,
            "<li class=\"right\"><span class=\"what\">Shown {}, followed {}</span> <span class=\"when\">it came back {} all \
             the same</span></li>",
            number(counters.surfaced as usize, "time"),
            helped,
            number((counters.recurred + counters.not_followed) as usize, "time"),
        );
        return;
    }
    let would = match (&one.says, one.class) {
        (_, Class::Held) => "Shown: never, until a person has reviewed it".to_string(),
        (Says::Speaks, _) => {
            format!("Shown next time {}: “{}”", words::when(&one.trigger), one.line())
        }
        (Says::Silent(reason), _) if reason.is_empty() => {
            format!("Shown next time {}", words::when(late(&one.trigger)))
        }
        (Says::Silent(reason), _) => format!("Shown: {}", words::silence(reason)),
    };
    let _ = writeln!(out, "<li class=\"hope\"><span class=\"soft\">{}</span></li>", coded(&would));
    if one.says == Says::Speaks {
        out.push_str(
            "<li class=\"hope\"><span class=\"soft\">Followed or not: counted from then on, in the sessions that follow</span></li>\n",
        );
    }
}

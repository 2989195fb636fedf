//! What is kept of a history while it is read: its runs, its time, and the calls that failed, each with what came next.
//!
//! Decides how much of a call is shown again, and takes secrets out of it. Never decides what is a lesson.

use std::collections::{BTreeMap, BTreeSet};

use hardwon_core::env::Timestamp;
use hardwon_core::gate;
use hardwon_core::learn::{Shape, command_text};
use hardwon_core::record::EventKey;
use hardwon_core::trace::identity::event_keys;
use hardwon_core::trace::{Body, Event, ResultStatus, ToolCall, Trace};
use serde_json::Value;
use unicode_width::UnicodeWidthChar;

/// How much of an answer, a call and a task is held until it is known whether it is shown, in bytes.
const HELD: usize = 4096;
/// Arguments that are longer are not asked about again.
const LONGEST_ARGS: usize = 16 * 1024;
/// How many of the next calls are looked at for one of the same kind that went through.
const NEXT: usize = 12;
/// How many characters of a text are shown.
const SHOWN: usize = 180;

/// How options begin that skip a check, force, or widen a permission.
const AROUND: [&str; 11] = [
    "--no-verify",
    "--no-check",
    "--no-strict",
    "--no-sandbox",
    "--force",
    "--skip",
    "--allow",
    "--ignore",
    "--disable",
    "--insecure",
    "--dangerously",
];
/// Words that do so by themselves.
const AROUND_WORDS: [&str; 6] = ["-f", "-y", "-k", "sudo", "doas", "777"];

/// What a file of sessions holds.
#[derive(Debug, Default)]
pub(crate) struct Digest {
    pub(crate) runs: BTreeSet<String>,
    pub(crate) first: Option<Timestamp>,
    pub(crate) last: Option<Timestamp>,
    pub(crate) moments: BTreeMap<EventKey, Moment>,
    /// Which records were shown, and when.
    pub(crate) shown: Vec<(String, Option<Timestamp>)>,
}

/// An event at which something went wrong, as the history has it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Moment {
    pub(crate) task: String,
    pub(crate) tool: String,
    /// The arguments as JSON; empty where they are too long to be asked about.
    pub(crate) args: String,
    /// The call in one line.
    pub(crate) call: String,
    /// What the tool answered, or what the agent said.
    pub(crate) answer: String,
    /// The next call of the same kind that went through.
    pub(crate) then: String,
    /// Whether that call, or this one where it did not fail, skipped a check: what happened, and nothing to do again.
    pub(crate) went_around: bool,
}

impl Digest {
    pub(crate) fn of(traces: &[Trace]) -> Self {
        let mut out = Self::default();
        for trace in traces {
            out.add(trace);
        }
        out
    }

    fn add(&mut self, trace: &Trace) {
        self.runs.insert(trace.root_run_id.clone());
        for ts in trace.events.iter().filter_map(|event| event.ts) {
            self.first = Some(self.first.map_or(ts, |first| first.min(ts)));
            self.last = Some(self.last.map_or(ts, |last| last.max(ts)));
        }
        for event in &trace.events {
            if let Body::Retrieval { items, .. } = &event.body {
                self.shown.extend(items.iter().map(|item| (item.clone(), event.ts)));
            }
        }
        let wrong: Vec<usize> =
            (0..trace.events.len()).filter(|&at| is_wrong(&trace.events[at].body)).collect();
        if wrong.is_empty() {
            return;
        }
        let keys = event_keys(trace);
        let task = trace.events.iter().find_map(|event| match &event.body {
            Body::Start { task } => Some(head(task)),
            _ => None,
        });
        for at in wrong {
            let Some(&key) = keys.get(at) else { continue };
            let moment = Moment { task: task.unwrap_or_default().into(), ..moment(&trace.events, at) };
            self.moments.insert(key, moment);
        }
    }
}

impl Moment {
    /// The same as people may see it: without secrets, each text a short line. Of the answer it is the line that is
    /// most about what the lesson says.
    pub(crate) fn shown(&self, lesson: &str) -> Self {
        let line = |text: &str| cut(&one_line(&gate::redact(text)), SHOWN);
        Self {
            task: line(&self.task),
            tool: line(&self.tool),
            args: String::new(),
            call: line(&self.call),
            answer: cut(&telling(&gate::redact(&self.answer), lesson), SHOWN),
            then: line(&self.then),
            went_around: self.went_around,
        }
        .without_the_same()
    }

    fn judged(self, failed: bool) -> Self {
        let (had, then) = if failed { (&*self.call, &*self.then) } else { ("", &*self.call) };
        let went_around = goes_around(had, then);
        Self { went_around, ..self }
    }

    /// Leaves the next call out where it reads like the one that failed.
    fn without_the_same(self) -> Self {
        let then = if self.then == self.call { String::new() } else { self.then };
        Self { then, ..self }
    }
}

/// Failed calls, those that went around a check, and last words: a claim may be what went wrong.
fn is_wrong(body: &Body) -> bool {
    match body {
        Body::ToolCall(call) => match call.result.status {
            ResultStatus::Failed => true,
            ResultStatus::Ok => {
                command_text(&call.name, &call.args).is_some_and(|line| goes_around("", head(&line)))
            }
            _ => false,
        },
        Body::Final { .. } => true,
        _ => false,
    }
}

fn moment(events: &[Event], at: usize) -> Moment {
    match &events[at].body {
        Body::ToolCall(call) => {
            let failed = call.result.status == ResultStatus::Failed;
            let args = serde_json::to_string(&call.args).unwrap_or_default();
            Moment {
                tool: call.name.clone(),
                call: head(&spelled(call)).into(),
                args: if args.len() <= LONGEST_ARGS { args } else { String::new() },
                answer: ends(&call.result.text),
                then: if failed { next_success(&events[at + 1..], call) } else { String::new() },
                ..Moment::default()
            }
            .judged(failed)
        }
        Body::Final { text } => Moment { answer: head(text).into(), ..Moment::default() },
        _ => Moment::default(),
    }
}

/// The next call that did the same thing and went through, as far as it is near.
fn next_success(after: &[Event], failed: &ToolCall) -> String {
    let wanted = purpose(failed);
    let calls = after.iter().filter_map(|event| match &event.body {
        Body::ToolCall(call) => Some(call),
        _ => None,
    });
    calls
        .take(NEXT)
        .find(|call| call.result.status == ResultStatus::Ok && purpose(call) == wanted)
        .map(|call| head(&spelled(call)).to_string())
        .unwrap_or_default()
}

/// What a call is for: the program of a shell, else the tool, with the command that a tool of many takes.
fn purpose(call: &ToolCall) -> (String, Option<&str>) {
    let head = Shape::of(&call.name, &call.args).head;
    let is_shell = command_text(&call.name, &call.args).is_some();
    let command = ["command", "action", "operation"].iter().find_map(|key| call.args.get(key)?.as_str());
    (head, command.filter(|_| !is_shell))
}

/// Whether a call went through because it skipped a check, by the words it has and the failed one had not.
fn goes_around(failed: &str, then: &str) -> bool {
    let had: BTreeSet<&str> = failed.split_whitespace().collect();
    then.split_whitespace()
        .filter(|word| !had.contains(word))
        .any(|word| AROUND.iter().any(|begin| word.starts_with(begin)) || AROUND_WORDS.contains(&word))
}

/// A call as people would write it: the command of a shell, else the tool with its arguments.
fn spelled(call: &ToolCall) -> String {
    if let Some(command) = command_text(&call.name, &call.args) {
        return command.into_owned();
    }
    let args: Vec<String> = match &call.args {
        Value::Object(map) => map.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect(),
        Value::Null => Vec::new(),
        other => vec![plain(other)],
    };
    format!("{}({})", call.name, args.join(", "))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The line of an answer that tells most: the one with most words of the lesson, else the last of a traceback, else the
/// first that is no bare exit status.
fn telling(text: &str, lesson: &str) -> String {
    // Tools that answer in JSON have written line breaks out.
    let text = text.replace("\\n", "\n");
    let lines = || text.lines().map(str::trim).filter(|line| line.chars().any(char::is_alphanumeric));
    // What a lesson says after its advice is about the error.
    let wanted = words(lesson.split_once(": ").map_or(lesson, |(_, error)| error));
    let common = |line: &str| words(line).intersection(&wanted).count();
    let most = lines().map(common).max().unwrap_or_default();
    let first = lines().next().unwrap_or_default();
    let line = if most > 1 {
        lines().find(|line| common(line) == most)
    } else if first.starts_with("Traceback") {
        lines().next_back()
    } else {
        lines().find(|line| !is_status(line))
    };
    one_line(line.unwrap_or(first))
}

/// The words of three letters and more.
fn words(text: &str) -> BTreeSet<String> {
    let all = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    all.filter(|word| word.chars().count() > 2).collect()
}

fn is_status(line: &str) -> bool {
    let line = line.trim_start_matches("Error:").trim().to_ascii_lowercase();
    line.len() < 40 && (line.starts_with("exit code") || line.starts_with("exited with"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text up to so many characters, the ellipsis included. A mark stays with the character it is put on.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    let kept = most.saturating_sub(1);
    let joins = |c: char| c == '\u{200d}' || c.width() == Some(0);
    let mut chars: Vec<char> = text.chars().take(kept + 1).collect();
    while chars.last().is_some_and(|&c| joins(c)) {
        chars.pop();
    }
    chars.truncate(chars.len().min(kept));
    let mut out: String = chars.into_iter().collect::<String>().trim_end().to_string();
    out.push('…');
    out
}

/// The first bytes of a text.
fn head(text: &str) -> &str {
    let mut end = text.len().min(HELD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The first and the last bytes of a text.
fn ends(text: &str) -> String {
    if text.len() <= 2 * HELD {
        return text.to_string();
    }
    let mut start = text.len() - HELD;
    while !text.is_char_boundary(start) {
        start += 1;
    }
    // Whole lines, so that no half of a secret stands at the cut.
    let front = head(text).rsplit_once('\n').map_or("", |(lines, _)| lines);
    let back = text[start..].split_once('\n').map_or("", |(_, lines)| lines);
    format!("{front}\n{back}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_tells_most_is_shown() {
        let cases = [
            ("Exit code 128\nfatal: no upstream branch", "fatal: no upstream branch"),
            ("Error: Exit code 1", "Error: Exit code 1"),
            ("Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 'x'\n", "KeyError: 'x'"),
            ("\n---\n  not   found\n", "not found"),
            ("", ""),
        ];
        for (text, line) in cases {
            assert_eq!(telling(text, ""), line, "{text:?}");
        }
        let built = "Compiling 40 files\nwarning: unused\nerror: no upstream branch\nhint: push it with the upstream set";
        let lesson = "Push with the upstream set: there is no upstream branch";
        assert_eq!(telling(built, lesson), "error: no upstream branch");
        assert_eq!(
            telling("failed:\\n\\n[FORMAT] Code is not formatted", "Code is not formatted"),
            "[FORMAT] Code is not formatted"
        );
    }

    #[test]
    fn a_call_that_skips_a_check_is_known() {
        assert!(goes_around("git commit -m x", "git commit --no-verify -m x"));
        assert!(goes_around("apt install x", "sudo apt install x"));
        assert!(!goes_around("git push", "git push --set-upstream origin x"));
        assert!(!goes_around("rm -f a", "rm -f b"), "both have it");
        assert!(!goes_around("git push", ""));
    }

    #[test]
    fn a_cut_leaves_no_mark_without_its_letter() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abe\u{301}\u{301}xyz", 4), "abe…");
        assert_eq!(cut("ab\u{1f469}\u{200d}\u{1f4bb}xyz", 4), "ab\u{1f469}…");
    }

    #[test]
    fn what_is_shown_holds_no_secret() {
        let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let moment = Moment {
            call: format!("curl -H 'Authorization: Bearer {token}' https://example.org"),
            answer: format!("401: {token} is not known"),
            ..Moment::default()
        };
        let shown = format!("{:?}", moment.shown("curl"));
        assert!(!shown.contains(&token) && shown.contains("[secret:"), "{shown}");
    }
}

//! What teaches nothing: refusals, cascades, interrupts, probes, intended red tests, edit-test loops.
//!
//! Decides by what the run did before and after, never by lists of projects. When in doubt a failure is kept: a rare
//! lesson costs little, a lost one cannot be merged.

use alloc::format;
use alloc::string::String;

use super::lexicon;
use super::run::{Call, Run};
use super::shell::Command;
use super::signature::Signature;
use crate::trace::ResultStatus;

/// The reason code of failures that the run mends by editing the code under test.
pub(crate) const LOOP: &str = "edit_test_loop";

/// How many calls after a missing file the right one may be found in.
const FOUND_WITHIN: usize = 4;

/// Why a call teaches nothing, or `None` when its failure counts. Calls that did not fail give `None` too.
pub(crate) fn reason(run: &Run<'_>, call: usize) -> Option<&'static str> {
    let this = &run.calls[call];
    match this.tool.result.status {
        ResultStatus::Refused => return Some("refused"),
        ResultStatus::Cancelled => return Some(given_up(&this.tool.result.text).unwrap_or("cancelled")),
        ResultStatus::Failed => {}
        _ => return None,
    }
    given_up(&this.tool.result.text).or_else(|| is_probe(this).then_some("probe"))
}

/// Why a failure teaches nothing, seen from the rest of the run.
pub(crate) fn in_context(run: &Run<'_>, call: usize, signature: &Signature) -> Option<&'static str> {
    if is_environment(signature) || only_setup_edited(run, call).is_some() {
        return None;
    }
    if is_edit_test_loop(run, call) {
        return Some(LOOP);
    }
    is_red_test(run, call).then_some("red_test")
}

/// Refusals, cascades and interrupts that a reader left as failures.
fn given_up(text: &str) -> Option<&'static str> {
    let mut end = text.len().min(400);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text[..end].to_lowercase();
    let kinds = [
        ("cascade", lexicon::CASCADES),
        ("interrupted", lexicon::INTERRUPTS),
        ("refused", lexicon::REFUSALS),
        ("cancelled", lexicon::CANCELLED),
    ];
    kinds.into_iter().find(|(_, phrases)| lexicon::says(phrases, &text)).map(|(reason, _)| reason)
}

/// A search without a hit: it failed and said nothing, or its status is an answer and nothing speaks of an error.
fn is_probe(call: &Call<'_>) -> bool {
    let result = &call.tool.result;
    let text = body(&result.text);
    let quiet = text.is_empty()
        || matches!(
            text.to_lowercase().trim_end_matches('.'),
            "no matches found" | "no files found" | "no results" | "no matches" | "(no output)"
        );
    let exit = result.exit.or_else(|| exit_named(&result.text)).unwrap_or(1);
    if quiet {
        return exit == 1
            && (call.line().is_some()
                || !text.is_empty()
                || result.exit.is_some()
                || text != result.text.trim());
    }
    let asked = call.line().and_then(|line| line.reporting()).is_some_and(Command::is_question);
    asked && exit == 1 && !speaks_of_error(text, call)
}

/// The text without the lines that a host puts in front of it.
fn body(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let line = text.lines().next().unwrap_or("");
        let known = [
            "Exit code",
            "Process exited with code",
            "Chunk ID:",
            "Wall time:",
            "Original token count:",
            "Output:",
            "<returncode>",
            "<output>",
            "</output>",
            "exit code",
        ];
        if line.is_empty() || !known.iter().any(|start| line.starts_with(start)) {
            return text.trim_end_matches("</output>").trim_end();
        }
        text = text[line.len()..].trim_start();
    }
}

fn exit_named(text: &str) -> Option<i64> {
    let mut head = text.len().min(300);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    ["Exit code ", "exited with code ", "<returncode>", "exit code "].iter().find_map(|mark| {
        let (_, rest) = text[..head].split_once(mark)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    })
}

/// Whether the last line reads like a message of the questioning program or its shell.
fn speaks_of_error(text: &str, call: &Call<'_>) -> bool {
    let last = text.lines().next_back().unwrap_or("");
    let program =
        call.line().and_then(|line| line.reporting()).map_or("", |command| command.program.as_str());
    let shells = ["bash:", "zsh:", "sh:", "/bin/sh:", "/bin/bash:", "fatal:", "error:"];
    shells.iter().any(|shell| last.starts_with(shell)) || last.starts_with(&format!("{program}: "))
}

/// The same command ran before or after with an edit in between: the code was at work, not the agent's knowledge.
fn is_edit_test_loop(run: &Run<'_>, call: usize) -> bool {
    let same = run.same_check(call);
    let Ok(at) = same.binary_search(&call) else { return false };
    let before = at.checked_sub(1).map(|n| (same[n], call));
    let after = same.get(at + 1).map(|&next| (call, next));
    let first = same.first().map(|&first| (first, call)).filter(|&(first, _)| first < call);
    let last = same.last().map(|&last| (call, last)).filter(|&(_, last)| last > call);
    [before, after, first, last]
        .into_iter()
        .flatten()
        .any(|(from, to)| !run.edits_between(from, to).is_empty())
}

/// When only manifests, configuration or set-up were edited before the same command passed: the last such file's name.
pub(crate) fn only_setup_edited<'r>(run: &'r Run<'_>, call: usize) -> Option<&'r str> {
    let same = run.same_check(call);
    let at = same.binary_search(&call).ok()?;
    let next = *same.get(at + 1)?;
    let mut edited = run.edits_between(call, next).iter().filter_map(|&edit| run.calls[edit].edited());
    let passed = run.calls[next].worked()
        || run.calls[next].failed() && run.signature(next).words != run.signature(call).words;
    let last = edited.clone().next_back()?;
    (passed && edited.all(is_setup_file)).then(|| last.rsplit(['/', '\\']).next().unwrap_or(last))
}

/// Manifests, lock files, configuration: what surrounds the code under test.
fn is_setup_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let fixed = lexicon::has(lexicon::SETUP_FILES, &name);
    let config =
        path.split(['/', '\\']).any(|part| part == "config" || part == ".github" || part == ".circleci");
    fixed
        || config
        || name.contains(".config.")
        || name.starts_with("requirements")
        || name.rsplit('.').next() == Some("lock")
        || name.starts_with(".env")
}

/// What makes two calls the same check. `None` for calls that are none: edits, version control, tools that look
/// things up.
pub(crate) fn check_key(call: &Call<'_>) -> Option<String> {
    if let Some(line) = call.line() {
        let command = line.principal()?;
        if matches!(command.program.as_str(), "git" | "hg" | "jj" | "svn" | "gh" | "glab" | "")
            || command.edits_in_place()
            || command.looks_only()
        {
            return None;
        }
        let head = command.head();
        if is_checker(command) {
            return Some(head);
        }
        let target = command.operands.first().map_or("", |word| word.split("::").next().unwrap_or(word));
        return Some(format!("{head} {target}"));
    }
    let runs = call
        .words
        .iter()
        .any(|word| word == "run" || word == "execute" || lexicon::has(lexicon::CHECK_VERBS, word));
    runs.then(|| format!("{} {}", call.tool.name, call.tool.args))
}

/// Programs that check code: their targets narrow the check but do not change it.
pub(crate) fn is_checker(command: &Command) -> bool {
    let sub = command.subcommand.as_deref().unwrap_or("");
    let verb = sub.rsplit([' ', ':', '-']).next().unwrap_or(sub);
    let checks = |word: &str| lexicon::has(lexicon::CHECK_VERBS, word);
    lexicon::has(lexicon::CHECKERS, &command.program)
        || checks(verb)
        || checks(sub.split([' ', ':']).next().unwrap_or(sub))
}

/// The failure was wanted: the agent says so, or the command runs a script made to show the fault.
fn is_red_test(run: &Run<'_>, call: usize) -> bool {
    let this = &run.calls[call];
    let Some(line) = this.line() else { return false };
    let script = line.principal().and_then(|command| command.operands.first());
    let shows_fault = script.is_some_and(|name| {
        let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        name.contains("repro") || name.starts_with("issue_") || name.starts_with("bug_")
    });
    let described = this.tool.args.get("description").and_then(|value| value.as_str());
    let said = [run.thought_before(call), described].into_iter().flatten().any(announces_failure);
    let checks = line.principal().is_some_and(|command| is_checker(command) || !command.operands.is_empty());
    shows_fault || said && checks
}

fn announces_failure(text: &str) -> bool {
    let start = text.char_indices().rev().nth(400).map_or(0, |(at, _)| at);
    let text = text[start..].to_lowercase();
    lexicon::says(lexicon::WANTED_FAILURES, &text)
}

/// Whether the error speaks of what surrounds the code: programs, modules, services, permissions, configuration.
pub(crate) fn is_environment(signature: &Signature) -> bool {
    let text = signature.text.to_ascii_lowercase();
    lexicon::says(lexicon::ENVIRONMENT, &text) || signature.line.starts_with("/bin/sh:")
}

/// Answers about the world and about what is already so: they recur and do no harm.
pub(crate) fn is_benign(signature: &Signature) -> bool {
    let text = signature.text.to_lowercase();
    lexicon::says(lexicon::BENIGN, &text)
}

/// Whether a failure inside an edit-test loop says enough to be known again: neither a bare status nor a compared
/// value.
pub(crate) fn may_recur(signature: &Signature) -> bool {
    let text = signature.text.to_lowercase();
    !signature.is_generic() && !lexicon::says(lexicon::COMPARISONS, &text)
}

/// Mistakes that an agent repairs in one call: each failure was followed at once by a success of the same kind, or it
/// was about something missing that was found soon after.
pub(crate) fn repairs_itself(run: &Run<'_>, calls: &[usize], signature: &Signature) -> bool {
    let missing = lexicon::says(lexicon::MISSING, &signature.text.to_lowercase());
    let within = if missing { FOUND_WITHIN } else { 1 };
    calls.iter().all(|&call| {
        let this = &run.calls[call];
        let mut next = run.calls.iter().skip(call + 1).take(within);
        let same = |later: &Call<'_>| later.shape().head == this.shape().head;
        // What acts in between is a remedy of its own, and a bypass repairs nothing.
        let mended = next.find(|later| !later.failed() && (same(later) || !looks(later)));
        // What a writing tool misses is made, not found.
        this.edited().is_none()
            && mended.is_some_and(|later| same(later) && super::bypass::added(this, later).is_none())
    })
}

/// Whether a call only looks at what is there.
fn looks(call: &Call<'_>) -> bool {
    match call.line() {
        Some(line) => line.commands().all(|command| command.looks_only() || command.is_preparation()),
        None => call.words.iter().any(|word| lexicon::has(lexicon::LOOKUPS, word)),
    }
}

#[cfg(test)]
mod tests;

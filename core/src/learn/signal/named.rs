//! What an error names without saying what to do: a field that is required, a check that a hook runs.
//!
//! Decides only by names that the error itself has; what they stand for is looked up in the call and in the run.

use alloc::format;

use super::{Failures, Remedy, gated};
use crate::learn::draft::Strength;
use crate::learn::lexicon;
use crate::learn::run::{Call, Run, stands_in};
use crate::learn::shell::Command;
use crate::learn::signature::plain;
use crate::learn::template;
use crate::record::Subtype;
use crate::trace::ResultStatus;

/// How many calls before a failure may have shown that there is no network.
const BEFORE: usize = 40;
/// How many lines of an error are read.
const LINES: usize = 40;

/// A field that stands on a line of its own before "Field required", and that the call did not give.
pub(super) fn required(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    let call = &run.calls[*failures.calls.first()?];
    let args = call.tool.args.as_object().filter(|_| call.line().is_none())?;
    let text = plain(&call.tool.result.text);
    let mut before = "";
    for line in text.lines().take(LINES).map(str::trim) {
        let says = line.to_lowercase();
        let misses = says.starts_with("field required") || says.starts_with("missing required");
        let name = before.rsplit('.').next().unwrap_or(before);
        if misses && is_identifier(name) && !args.contains_key(name) {
            let text = template::always_give(name, &call.title());
            return Some(Remedy::new(Subtype::Failure, Strength::Named, text));
        }
        before = line;
    }
    None
}

fn is_identifier(name: &str) -> bool {
    (2..=40).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The program that the shell did not find, by its own name.
pub(super) fn program(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    let call = &run.calls[*failures.calls.first()?];
    let line = call.line()?;
    let text = plain(&call.tool.result.text);
    let missing = text.lines().take(LINES).find(|line| {
        ["not found", "is not recognized as", "executable file not found"]
            .iter()
            .any(|mark| line.contains(mark))
    })?;
    let called = |command: &&Command| {
        let raw = &command.program;
        raw.len() > 1 && !raw.starts_with("./") && stands_in(missing, raw) && !command.is_preparation()
    };
    let program = &line.commands().find(called)?.program;
    // "foo: not found" names the program; "page foo not found" does not.
    let marks = [": command not found", ": not found", "command not found: ", "is not recognized as"];
    let named = marks.iter().any(|mark| {
        missing.contains(&format!("{program}{mark}")) || missing.contains(&format!("{mark}{program}"))
    }) || missing.contains(&format!("\"{program}\": executable"));
    named.then(|| Remedy::new(Subtype::Environment, Strength::Bare, template::install_program(program)))
}

/// A package that was not found after the network had failed: its name is not what is wrong.
pub(super) fn offline(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    let first = *failures.calls.first()?;
    let missing = lexicon::says(lexicon::NO_PACKAGE, &failures.signature.text.to_lowercase());
    let from = first.saturating_sub(BEFORE);
    let failed = |call: &&Call<'_>| {
        let text = template::clip_str(&call.tool.result.text, 8 * 1024).to_lowercase();
        call.tool.result.status == ResultStatus::Failed && lexicon::says(lexicon::NO_NETWORK, &text)
    };
    run.calls[from..first].iter().find(failed).filter(|_| missing)?;
    let text = template::no_network(&run.calls[first].title());
    Some(Remedy::new(Subtype::Environment, Strength::Bare, text))
}

/// The command that runs the check which an error names in brackets, as the run itself later ran it: `[LINT] …` and
/// then `mix lint`.
pub(super) fn check(run: &Run<'_>, failures: &Failures<'_>) -> Option<Remedy> {
    let said = template::reason(failures.signature);
    let tag = said.strip_prefix('[')?.split(']').next()?.to_lowercase();
    let first = *failures.calls.first()?;
    if tag.len() < 3 || !tag.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b'-') {
        return None;
    }
    let title = run.calls[first].title();
    let names = |call: &&Call<'_>| {
        let command = call.line().and_then(|line| line.principal());
        command.is_some_and(|command| command.head().split([' ', ':']).any(|word| word == tag))
    };
    let checker = run.calls[first..].iter().find(names)?.title();
    if checker == title || super::is_override(&checker) || lexicon::has(lexicon::FILTERS, &checker) {
        return None;
    }
    let last = *failures.calls.last()?;
    let passed = run.calls[last..].iter().any(|call| call.worked() && call.title() == title);
    let strength = if passed { gated(run, Strength::Proven) } else { Strength::Named };
    let only_tag = said.len() <= tag.len() + 2;
    let text =
        template::step_before(&checker, &title, if only_tag { "a hook runs that check" } else { &said });
    // The checker shows what to mend and mends nothing, so there is no action that could be applied.
    Some(Remedy::new(Subtype::Recovery, strength, text))
}

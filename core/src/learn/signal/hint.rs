//! Hints: what the error itself says to do, and whether the run did it.
//!
//! Decides which sentence of an error is advice. Never quotes one that offers to override a check.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Failures, LOOKED_AT, Remedy};
use crate::learn::action::Action;
use crate::learn::draft::Strength;
use crate::learn::lexicon;
use crate::learn::run::Run;
use crate::learn::shell::{Command, CommandLine};
use crate::learn::signature::{Known, mask_values, plain, sentence_end, token_class};
use crate::learn::template;
use crate::record::Subtype;
use crate::trace::ResultStatus;

/// How many calls after a failure may follow its hint.
const WINDOW: usize = 8;
/// How many lines of an error are searched for advice.
const LINES: usize = 80;
/// How many lines before the one that says what went wrong are searched too.
const BEFORE: usize = 8;
/// How many lines after it may hold a sentence of advice.
const SENTENCES: usize = 12;

/// What an error tells to do.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Hint {
    /// A command to run.
    Command(String),
    /// A sentence.
    Sentence(String),
}

/// The remedies that the errors themselves name.
pub(super) fn remedies(run: &Run<'_>, failures: &Failures<'_>) -> Vec<Remedy> {
    let mut out: Vec<Remedy> = Vec::new();
    for &call in failures.calls.iter().take(LOOKED_AT) {
        for hint in hints(&run.calls[call].tool.result.text, &failures.signature.line) {
            out.extend(remedy(run, failures, call, hint));
        }
        if !out.is_empty() && out.iter().any(|remedy| remedy.strength == Strength::Proven) {
            break;
        }
    }
    out
}

/// The hint as a remedy; `None` where nothing is left of its sentence without the values of this run.
fn remedy(run: &Run<'_>, failures: &Failures<'_>, call: usize, hint: Hint) -> Option<Remedy> {
    let this = &run.calls[call];
    let reason = template::reason(failures.signature);
    match hint {
        Hint::Command(command) => {
            let followed = is_followed(run, call, &command);
            let (subtype, strength) = if followed && !run.failed() {
                (Subtype::HintFollowed, Strength::Proven)
            } else {
                (if followed { Subtype::HintFollowed } else { Subtype::Failure }, Strength::Named)
            };
            let command = slots(&command, run, call);
            let text = template::run_command(&command, &this.title(), &reason);
            let instead = command.starts_with(&this.title());
            let action = if instead { Action::Use { command } } else { Action::RunFirst { command } };
            // Other classes than names are what the error gives as an example, and nothing to run.
            let own = !command_words(&text).any(|word| word.starts_with('<') && word != "<name>");
            let action = (this.line().is_some() && own).then_some(action);
            Some(Remedy::new(subtype, strength, text).with(action))
        }
        Hint::Sentence(sentence) => {
            let masked = mask_values(&sentence, &run.known(call));
            let text = template::advice(&template::tidy(&masked), &reason);
            template::reads_whole(template::main_clause(&masked))
                .then(|| Remedy::new(Subtype::Failure, Strength::Named, text))
        }
    }
}

/// The words of the first command that a text quotes.
fn command_words(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').nth(1).unwrap_or("").split(' ')
}

/// The advice in an error, commands first. Only what stands near the line that says what went wrong.
fn hints(text: &str, line: &str) -> Vec<Hint> {
    let text = plain(text);
    let lines: Vec<&str> = text.lines().map(clean).collect();
    let fault = lines.iter().position(|candidate| !line.is_empty() && candidate.contains(line)).unwrap_or(0);
    let mut found = Found::default();
    // Some programs say what to do before they say what went wrong.
    for at in fault.saturating_sub(BEFORE)..lines.len().min(fault + LINES) {
        found.take_line(&lines, at, at < fault, at < fault + SENTENCES);
        if !found.commands.is_empty() || found.sentences.len() >= 3 {
            break;
        }
    }
    found.commands.into_iter().chain(found.sentences).take(2).collect()
}

#[derive(Debug, Default)]
struct Found {
    commands: Vec<Hint>,
    sentences: Vec<Hint>,
}

impl Found {
    /// Takes the advice of one line. Before the fault only a command that a line announces counts.
    fn take_line(&mut self, lines: &[&str], at: usize, before: bool, near: bool) {
        let next = lines[at + 1..].iter().copied().find(|line| !line.is_empty());
        let joined = unwrapped(lines, at);
        let mut rest = joined.as_str();
        while !rest.is_empty() {
            let (sentence, after) = rest.split_at(sentence_end(rest));
            let (sentence, next) = (sentence.trim(), next.filter(|_| after.is_empty()));
            rest = after;
            if is_override(sentence) || next.is_some_and(|next| opens(sentence) && is_override(next)) {
                continue;
            }
            let announced = next.filter(|next| opens(sentence) && looks_like_command(next)).map(String::from);
            let inline = || quoted_command(sentence).or_else(|| inline_command(sentence)).filter(|_| !before);
            if let Some(command) = announced.or_else(inline) {
                self.commands.push(Hint::Command(command));
            } else if let Some(advice) = imperative(sentence).filter(|_| near && !before) {
                let code = next.filter(|next| advice.ends_with(':') && next.len() <= 60);
                let text = code.map_or_else(|| advice.to_string(), |code| format!("{advice} {code}"));
                self.sentences.push(Hint::Sentence(text));
            }
        }
    }
}

/// A line with the lines after it that go on with its sentence.
fn unwrapped(lines: &[&str], at: usize) -> String {
    let mut out = lines[at].to_string();
    for next in lines.iter().skip(at + 1).take(3) {
        let open =
            !out.ends_with(['.', ':', '!', '?', ')', ']', '>', ',']) && out.contains(' ') && out.len() > 40;
        if !open
            || !next.starts_with(|c: char| c.is_lowercase() || matches!(c, '"' | '\'' | '`'))
            || looks_like_command(next)
        {
            break;
        }
        out.push(' ');
        out.push_str(next);
    }
    out
}

fn clean(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['│', '┃', '|', '•', '*', '>', '(']).trim();
    let line = line.strip_prefix("hint: ").or_else(|| line.strip_prefix("help: ")).unwrap_or(line);
    let line =
        line.strip_prefix("npm error").or_else(|| line.strip_prefix("npm ERR!")).unwrap_or(line).trim_start();
    line.strip_suffix("</tool_use_error>").unwrap_or(line)
}

/// Whether a sentence announces a command on the next line.
fn opens(sentence: &str) -> bool {
    let sentence = sentence.trim_end_matches([':', ' ']).to_ascii_lowercase();
    [" use", " run", "try", " running", " with", " command"].iter().any(|end| sentence.ends_with(end))
        || sentence == "use"
        || sentence == "run"
}

/// The command in `Run 'mix format' to fix`, `use "git add <file>" to track`.
fn quoted_command(sentence: &str) -> Option<String> {
    let lower = sentence.to_ascii_lowercase();
    let verb = ["run ", "running ", "use ", "try ", "execute ", "running: ", "run: ", "using "]
        .iter()
        .find_map(|verb| {
            let at = lower.find(verb)?;
            let begins = at == 0 || !lower.as_bytes()[at - 1].is_ascii_alphanumeric();
            begins.then_some(at + verb.len())
        })?;
    let rest = &sentence[verb..];
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"' | '`' | '“' | '‘'))?;
    let close = match quote {
        '“' => '”',
        '‘' => '’',
        same => same,
    };
    let inner = &rest[quote.len_utf8()..];
    let command = inner[..inner.find(close)?].trim();
    looks_like_command(command).then(|| command.to_string())
}

/// The command in `please run: tool auth login`, which ends its sentence.
fn inline_command(sentence: &str) -> Option<String> {
    let lower = sentence.to_ascii_lowercase();
    let verb = ["run:", "running:", "execute:", "use:"].iter().find_map(|verb| {
        let at = lower.find(verb)?;
        let begins = at == 0 || !lower.as_bytes()[at - 1].is_ascii_alphanumeric();
        begins.then_some(at + verb.len())
    })?;
    let command = sentence[verb..].trim().trim_end_matches('.');
    let few = command.split_whitespace().count() <= 6;
    (few && looks_like_command(command)).then(|| command.to_string())
}

fn looks_like_command(text: &str) -> bool {
    let first = text.trim_start_matches("$ ").split(' ').next().unwrap_or("");
    let program = first.starts_with(|c: char| c.is_ascii_lowercase() || c == '.' || c == '/')
        && first.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'));
    program && text.contains(' ') && text.len() <= 120 && !text.ends_with([',', '.', ':'])
}

/// The imperative in `Please use offset and limit parameters`, `You must read the file first`.
fn imperative(sentence: &str) -> Option<&str> {
    let bare = sentence.trim_start_matches(['-', ' ']);
    let bare = strip_lead(bare);
    let lower = bare.to_ascii_lowercase();
    let verb = lower.split([' ', ',']).next().unwrap_or("");
    let commands = lexicon::has(lexicon::IMPERATIVES, verb);
    let long_enough = bare.split(' ').count() >= 3 && bare.len() <= 240 && !bare.contains("</");
    (commands && long_enough && !lexicon::says(lexicon::EMPTY_ADVICE, &lower))
        .then(|| bare.trim_end_matches('.'))
}

fn strip_lead(sentence: &str) -> &str {
    for lead in [
        "Please ",
        "please ",
        "You must ",
        "You need to ",
        "You should ",
        "Make sure to ",
        "Try to ",
        "Instead, ",
        "Instead ",
    ] {
        if let Some(rest) = sentence.strip_prefix(lead) {
            return rest;
        }
    }
    sentence
}

/// Whether the run did what the command hint says, with success.
fn is_followed(run: &Run<'_>, call: usize, command: &str) -> bool {
    let hinted = CommandLine::parse(command);
    let Some(wanted) = hinted.principal() else { return false };
    run.calls.iter().skip(call + 1).take(WINDOW).any(|later| {
        let done = later.tool.result.status == ResultStatus::Ok;
        done && later.line().is_some_and(|line| line.commands().any(|command| does(command, wanted)))
    })
}

/// Whether a command does what the hint wants: its flags, or in other spelling all of its words.
fn does(command: &Command, wanted: &Command) -> bool {
    let flags = wanted.flags.iter().all(|flag| has_flag(command, flag));
    let words =
        !wanted.operands.is_empty() && wanted.operands.iter().all(|word| command.operands.contains(word));
    command.program == wanted.program && command.subcommand == wanted.subcommand && (flags || words)
}

fn has_flag(command: &Command, wanted: &str) -> bool {
    let short = wanted.trim_start_matches('-').chars().next();
    let is_short =
        |flag: &String| wanted.starts_with("--") && flag.len() == 2 && flag.chars().nth(1) == short;
    command.flags.iter().any(|flag| flag == wanted || is_short(flag))
}

/// The command with slots for what belongs to this run.
fn slots(command: &str, run: &Run<'_>, call: usize) -> String {
    let known = run.known(call);
    let mut out = String::new();
    for (at, word) in command.trim_start_matches("$ ").split_whitespace().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        let own = !word.starts_with('-')
            && !word.starts_with('<')
            && at > 1
            && known.message.matches(word).nth(1).is_some()
            && !known.programs.iter().any(|program| program == word);
        let masked = if own { Some(String::from("<name>")) } else { run_value(word, &known) };
        out.push_str(masked.as_deref().unwrap_or(word));
    }
    out
}

/// The class of a word of a hint that belongs to this run: an address, a hash, a rooted path.
fn run_value(word: &str, known: &Known<'_>) -> Option<String> {
    let bare = word.trim_matches(['"', '\'', ',']);
    let class = token_class(bare, known)?;
    let keeps =
        matches!(class.as_str(), "<url>" | "<email>" | "<hash>" | "<date>") || bare.starts_with(['/', '~']);
    keeps.then_some(class)
}

/// Whether a text offers to force, skip, disable or silence instead of to repair.
pub(crate) fn is_override(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lexicon::says(lexicon::OVERRIDES, &lower)
        || lower.ends_with(" -f")
        || lower.split([' ', '\'', '"', '`']).any(|word| matches!(word, "force" | "-f" | "-y"))
}

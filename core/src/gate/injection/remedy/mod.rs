//! Remedies that harm: what an error text tells the reader to run, send, switch off, delete or add.
//!
//! Decides by families of commands and orders, each of which a person should see before an agent follows it. Everyday
//! remedies pass: installing a package by name, making a folder, setting an upstream. Never decides whether a command
//! works, and an order that is forbidden in the same breath ("never run …") passes.

mod pairs;
mod shell;
mod spoken;
mod tables;
#[cfg(test)]
mod tests;
mod trigger;

use self::pairs::possible;
use super::rules::is_reported;

/// A download or an encoded text runs as a program.
pub const REMOTE_CODE: &str = "remote_code";
/// Keys, tokens, passwords or files that hold them leave the machine.
pub const CREDENTIALS_OUT: &str = "credentials_out";
/// A check or a protection is switched off: certificates, signatures, firewalls, approvals.
pub const PROTECTION_OFF: &str = "protection_off";
/// More is deleted than a build's leavings: a home, a disk, a database, the untracked files.
pub const BROAD_DELETE: &str = "broad_delete";
/// Everybody, or a program, may do more than before.
pub const PERMISSION_WIDENED: &str = "permission_widened";
/// Packages, code or images come from another place than before.
pub const FOREIGN_SOURCE: &str = "foreign_source";
/// The instructions or the memory of an agent change.
pub const MEMORY_EDIT: &str = "memory_edit";
/// The text speaks to an agent or a model.
pub const ADDRESSED: &str = "addressed_to_agent";

/// One family: its kind, and whether a line belongs to it.
type Family = (&'static str, fn(&str) -> bool);

const FAMILIES: &[Family] = &[
    (REMOTE_CODE, shell::runs_download),
    (CREDENTIALS_OUT, shell::sends_files),
    (CREDENTIALS_OUT, spoken::sends_credentials),
    (PROTECTION_OFF, |line| ordered(line, tables::PROTECTION) || shell::is_insecure_fetch(line)),
    (BROAD_DELETE, |line| shell::deletes_broadly(line) || ordered(line, tables::DELETION)),
    (PERMISSION_WIDENED, |line| shell::opens_mode(line) || ordered(line, tables::PERMISSION)),
    (FOREIGN_SOURCE, shell::adds_source),
    (MEMORY_EDIT, spoken::edits_memory),
    (ADDRESSED, spoken::addresses_agent),
];

/// The kind of harm that a line of `folded` would do; `None` where it holds no such remedy.
pub(super) fn suspect(folded: &str) -> Option<&'static str> {
    folded
        .lines()
        .filter(|line| trigger::is_in(line))
        .find_map(|line| FAMILIES.iter().find(|(_, holds)| holds(line)).map(|(kind, _)| *kind))
}

/// Whether `line` has one of `fragments` as words of their own, not reported or forbidden.
fn ordered(line: &str, fragments: &[&str]) -> bool {
    possible(line, fragments).any(|fragment| places(line, fragment).any(|at| !is_reported(line, at)))
}

/// Where `fragment` begins in `line` without a letter or digit before it; its last byte decides what may follow.
fn places<'a>(line: &'a str, fragment: &'a str) -> impl Iterator<Item = usize> {
    line.match_indices(fragment).map(|(at, _)| at).filter(move |&at| {
        // Scripts without blanks begin a word anywhere.
        let open = fragment.starts_with(|c: char| c.is_alphanumeric() && u32::from(c) < 0x2E80);
        let before = line.get(..at).and_then(|b| b.chars().next_back());
        let after = line.get(at + fragment.len()..).and_then(|a| a.chars().next());
        let whole = fragment.ends_with(|c: char| c.is_ascii_alphanumeric()) && fragment.starts_with('-');
        let inner = open && before.is_some_and(char::is_alphanumeric);
        let longer = whole && after.is_some_and(|c| c.is_alphanumeric() || c == '-');
        !inner && !longer
    })
}

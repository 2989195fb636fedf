//! The memory that a verb talks to, and how records and operations are named on the command line.
//!
//! Decides when a store is made, and which record a short id means. Never decides what a verb does.

use std::path::Path;
use std::{fs, io};

use hardwon_core::env::{OpId, RecordId};
use hardwon_core::op::{History, Input, List, Output};
use hardwon_core::policy::Policy;
use hardwon_core::record::{Record, Status};
use hardwon_core::view::View;

use super::args::Global;
use super::console::Console;
use super::failure::{Exit, Failure};
use super::place;
use crate::memory::{Memory, OpenOptions};
use crate::model::Model;
use crate::store::{MemoryStore, SqliteStore};

/// The fewest digits that may stand for an id.
const SHORTEST: usize = 4;
/// How many matches of an ambiguous id are named.
const NAMED: usize = 8;

/// Whether a verb may make the store that is not there yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// It reads: a store that is not there is empty, and stays away.
    Read,
    /// It changes what is there: a store that is not there is empty, and stays away.
    Change,
    /// It brings something in: a store that is not there is made.
    Write,
}

/// An open memory.
#[derive(Debug)]
pub(super) enum Engine {
    /// On a store's file.
    Stored(Box<Memory<SqliteStore>>),
    /// On nothing: there is no store yet, and reading makes none.
    Empty(Box<Memory<MemoryStore>>),
}

impl Engine {
    /// Opens the store that the options and the place name.
    pub(super) fn open(global: &Global, access: Access, console: Console) -> Result<Self, Failure> {
        Self::open_with(global, access, console, |_| {})
    }

    /// As [`Self::open`], with a policy that `adjust` has changed for this run.
    pub(super) fn open_with(
        global: &Global,
        access: Access,
        console: Console,
        adjust: impl FnOnce(&mut Policy),
    ) -> Result<Self, Failure> {
        let path = place::store_path(global.store.as_deref())?;
        let mut policy = place::policy(&path)?;
        adjust(&mut policy);
        let file = crate::store::store_file(&path);
        if !is_there(&path, &file)? && access != Access::Write {
            console
                .notice(&format!("there is no store at {} yet; `hardwon learn` makes one", path.display()));
            let memory = Memory::with_store(MemoryStore::default(), &global.space, policy)?;
            return Ok(Self::Empty(Box::new(memory)));
        }
        if access == Access::Write {
            make_folder(&file)?;
        }
        let read_only = access == Access::Read;
        let options = OpenOptions { path: file, space: global.space.clone(), policy, read_only };
        Ok(Self::Stored(Box::new(Memory::open(options)?)))
    }

    /// Gives the memory a model.
    pub(super) fn set_model(&mut self, model: Box<dyn Model>) {
        match self {
            Self::Stored(memory) => memory.set_model(model),
            Self::Empty(memory) => memory.set_model(model),
        }
    }

    pub(super) fn run(&mut self, input: Input) -> Result<Output, Failure> {
        Ok(match self {
            Self::Stored(memory) => memory.run(input)?,
            Self::Empty(memory) => memory.run(input)?,
        })
    }

    /// What the store holds now.
    pub(super) fn view(&mut self) -> Result<&View, Failure> {
        Ok(match self {
            Self::Stored(memory) => {
                memory.refresh()?;
                memory.view()
            }
            Self::Empty(memory) => memory.view(),
        })
    }

    /// The record that an id, or the first digits of one, names.
    pub(super) fn record_id(&mut self, text: &str) -> Result<RecordId, Failure> {
        if let Ok(id) = text.parse() {
            return Ok(id);
        }
        let digits = prefix("record", text)?;
        let found: Vec<Record> =
            self.every_record()?.into_iter().filter(|one| one.id.to_string().starts_with(&digits)).collect();
        match &found[..] {
            [one] => Ok(one.id),
            [] => Err(Failure::not_found(
                "invalid.not_found",
                format!("no record begins with {digits}; see `hardwon list --all`"),
            )),
            many => {
                Err(ambiguous("record", &digits, many.iter().map(|one| format!("{}  {}", one.id, one.text))))
            }
        }
    }

    /// The operation that an id, or the first digits of one, names.
    pub(super) fn op_id(&mut self, text: &str) -> Result<OpId, Failure> {
        if let Ok(id) = text.parse() {
            return Ok(id);
        }
        let digits = prefix("operation", text)?;
        let Output::History { entries } = self.run(Input::History(History { id: None, limit: u32::MAX }))?
        else {
            return Err(wrong_answer("history"));
        };
        let found: Vec<_> = entries.iter().filter(|one| one.op.to_string().starts_with(&digits)).collect();
        match &found[..] {
            [one] => Ok(one.op),
            [] => Err(Failure::not_found(
                "invalid.not_found",
                format!("no operation begins with {digits}; see `hardwon history`"),
            )),
            many => Err(ambiguous(
                "operation",
                &digits,
                many.iter().map(|one| format!("{}  {}  {}", one.op, one.at, one.verb)),
            )),
        }
    }

    fn every_record(&mut self) -> Result<Vec<Record>, Failure> {
        let status = Status::ALL.iter().copied().collect();
        match self.run(Input::List(List { status, ..List::default() }))? {
            Output::Listed { records, .. } => Ok(records),
            _ => Err(wrong_answer("list")),
        }
    }
}

/// Whether a store is there. An empty file is none yet: its making was interrupted, or has just begun.
fn is_there(path: &Path, file: &Path) -> Result<bool, Failure> {
    let cannot = |path: &Path, what: &str| {
        let message = format!("{}: {what}; name another place with --store", path.display());
        Failure::new(Exit::Store, "host.store", message)
    };
    for one in [path, file] {
        if fs::metadata(one).is_ok_and(|meta| !meta.is_dir() && !meta.is_file()) {
            return Err(cannot(one, "it is a pipe, a device or a socket and cannot hold a store"));
        }
    }
    match fs::metadata(file) {
        Ok(meta) if meta.is_dir() => Err(cannot(file, "it is a folder where the store's file should be")),
        Ok(meta) => Ok(meta.len() > 0),
        Err(cause) => match cause.kind() {
            io::ErrorKind::NotFound => Ok(false),
            io::ErrorKind::NotADirectory => {
                Err(cannot(file, "no store can be there, for a part of this path is a file"))
            }
            io::ErrorKind::PermissionDenied => {
                Err(cannot(file, "you may not look there; check the owners and modes of its folders"))
            }
            _ => Err(cannot(file, &format!("no store can be reached there ({cause})"))),
        },
    }
}

/// What is said where a verb gets the answer of another.
pub(super) fn wrong_answer(verb: &str) -> Failure {
    Failure::unexpected(format!("`{verb}` got the answer of another verb; please report this"))
}

/// Makes the folder of a store, for its owner alone: what agents did is nobody else's business.
pub(super) fn make_folder(file: &Path) -> Result<(), Failure> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
    else {
        return Ok(());
    };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|cause| {
        let message =
            format!("{}: the folder cannot be made ({cause}); name another with --store", folder.display());
        Failure::new(Exit::Store, "host.store", message)
    })
}

fn prefix(what: &str, text: &str) -> Result<String, Failure> {
    let digits = text.to_ascii_lowercase();
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex && (SHORTEST..=32).contains(&digits.len()) {
        return Ok(digits);
    }
    let shown: String = text.chars().take(40).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    Err(Failure::usage(
        "usage.id",
        format!(
            "{shown:?}{more} names no {what}: give its 32 hexadecimal digits, or the first {SHORTEST} or more of them"
        ),
    ))
}

fn ambiguous(what: &str, digits: &str, matches: impl ExactSizeIterator<Item = String>) -> Failure {
    let more = matches.len().saturating_sub(NAMED);
    let mut lines: Vec<String> = matches.take(NAMED).collect();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    Failure::usage(
        "usage.ambiguous",
        format!("{digits} begins more than one {what}; give more digits:\n  {}", lines.join("\n  ")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_four_or_more_hexadecimal_digits() {
        assert_eq!(prefix("record", "AB12").ok().as_deref(), Some("ab12"));
        for bad in ["", "ab1", "xyz1", "ab 1", &"a".repeat(33)] {
            assert!(prefix("record", bad).is_err(), "{bad:?}");
        }
    }
}

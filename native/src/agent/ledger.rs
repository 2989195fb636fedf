//! Which record each file stands for, and what both said when they were in step.
//!
//! Decides nothing. It is a list of lines of which the last one of a file counts, written when both are written; where
//! it is lost, files and records find each other by what they say.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use hardwon_core::env::RecordId;
use hardwon_core::error::Error;
use serde::{Deserialize, Serialize};

use super::file::Held;
use super::folder::Seen;

/// A file and a record that were in step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) id: RecordId,
    /// What the file said.
    pub(super) held: Held,
    /// The counters of the record.
    pub(super) counts: [u32; 5],
    /// How the file was found.
    #[serde(default)]
    pub(super) seen: Seen,
}

/// One line.
#[derive(Serialize, Deserialize)]
struct Line<E> {
    name: String,
    entry: E,
}

/// All that is known of the files of a directory.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    by_name: BTreeMap<String, Entry>,
    by_id: BTreeMap<RecordId, String>,
    lines: usize,
    file: Option<File>,
}

impl Ledger {
    /// Reads a ledger; one that is not there is empty, and a last line that was cut counts for nothing.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => String::new(),
            Err(cause) => return Err(failed(path, &cause)),
        };
        let (by_name, by_id) = (BTreeMap::new(), BTreeMap::new());
        let mut ledger = Self { path: path.to_path_buf(), by_name, by_id, lines: 0, file: None };
        for line in text.lines().filter_map(|line| serde_json::from_str::<Line<Option<Entry>>>(line).ok()) {
            ledger.lines += 1;
            ledger.note(&line.name, line.entry);
        }
        Ok(ledger)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name)
    }

    /// The file of a record.
    pub(super) fn name_of(&self, id: RecordId) -> Option<&str> {
        self.by_id.get(&id).map(String::as_str)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.by_name.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// Notes that a file and a record are in step, or that a file is no more.
    pub(super) fn set(&mut self, name: &str, entry: Option<Entry>) -> Result<(), Error> {
        if self.by_name.get(name) == entry.as_ref() {
            return Ok(());
        }
        self.note(name, entry.clone());
        let line = serde_json::to_string(&Line { name: name.to_owned(), entry }).unwrap_or_default();
        self.lines += 1;
        self.append(&format!("{line}\n")).map_err(|cause| failed(&self.path, &cause))
    }

    /// Leaves out what later lines have made idle.
    pub(super) fn compact(&mut self) -> Result<(), Error> {
        if self.lines <= 2 * self.by_name.len() + 64 {
            return Ok(());
        }
        let put = || -> io::Result<()> {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            let mut new = io::BufWriter::new(tempfile::NamedTempFile::new_in(folder)?);
            for (name, entry) in &self.by_name {
                let line = serde_json::to_string(&Line { name: name.clone(), entry }).unwrap_or_default();
                writeln!(new, "{line}")?;
            }
            let new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
            new.as_file().sync_all()?;
            new.persist(&self.path)?;
            Ok(())
        };
        put().map_err(|cause| failed(&self.path, &cause))?;
        (self.lines, self.file) = (self.by_name.len(), None);
        Ok(())
    }

    fn note(&mut self, name: &str, entry: Option<Entry>) {
        if let Some(old) = self.by_name.remove(name) {
            self.by_id.remove(&old.id);
        }
        if let Some(entry) = entry {
            self.by_id.insert(entry.id, name.to_owned());
            self.by_name.insert(name.to_owned(), entry);
        }
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        if self.file.is_none() {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            self.file = Some(OpenOptions::new().create(true).append(true).open(&self.path)?);
        }
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(text.as_bytes()))
    }
}

fn failed(path: &Path, cause: &io::Error) -> Error {
    Error::host(
        "memories",
        format!("{}: it cannot be kept ({cause}); check owner, mode and disk", path.display()),
    )
}

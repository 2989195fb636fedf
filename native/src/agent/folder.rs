//! The two folders of a memory directory.
//!
//! Decides which files are looked at again, and writes them whole or not at all. Never overwrites what it has not read
//! in the same lock, and never touches a file that it cannot use.

use core::time::Duration;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use hardwon_core::error::Error;
use hardwon_core::record::hash64;
use serde::{Deserialize, Serialize};

use super::file::{Held, MemoryFile, Sort};
use crate::clock;
use crate::lock::Lock;

/// The most bytes of a memory.
const FILE_BYTES: u64 = 1 << 20;
/// How long a file's lock is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How old the time of a file must be to tell that it did not change again within one tick of the clock.
const TICK_MS: i64 = 2000;
/// How often a write is begun anew where others change the file meanwhile.
const TRIES: u32 = 5;
/// The most characters of a new file's name that come from the memory's words.
const NAME_CHARS: usize = 48;

/// A memory directory.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    seen: BTreeMap<String, Seen>,
}

/// How a file was found last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// The time of its last change in nanoseconds, and its length.
    stamp: (u64, u64),
    /// Whether the stamp alone tells that nothing has changed.
    settled: bool,
    hash: u64,
}

/// What is different from the last look. Files are named by their path inside the directory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// A memory is new or says something else.
    Held(String, Held),
    /// A file is not there any more.
    Gone(String),
    /// A file cannot be used, and why: it is left as it is.
    Unusable(String, String),
}

impl Folder {
    /// A directory of memories, made where it is not there; `seen` is how its files were found in an earlier process.
    pub(crate) fn open(root: &Path, seen: BTreeMap<String, Seen>) -> Result<Self, Error> {
        for sort in Sort::ALL {
            let folder = root.join(sort.folder());
            fs::create_dir_all(&folder).map_err(|cause| failed(&folder, "made", &cause))?;
        }
        Ok(Self { root: root.to_path_buf(), seen })
    }

    /// How a file was found last.
    pub(super) fn seen(&self, name: &str) -> Seen {
        self.seen.get(name).copied().unwrap_or_default()
    }

    /// What has changed since the last look, by the time of a file and then by what is in it.
    pub(crate) fn changes(&mut self) -> Result<Vec<Change>, Error> {
        let mut changes = Vec::new();
        let mut there = BTreeMap::new();
        for sort in Sort::ALL {
            let folder = self.root.join(sort.folder());
            let entries = fs::read_dir(&folder).map_err(|cause| failed(&folder, "read", &cause))?;
            let mut names: Vec<String> =
                entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
            names.retain(|name| {
                Path::new(name).extension().is_some_and(|end| end == "toml") && !name.starts_with('.')
            });
            names.sort();
            for name in names {
                let name = format!("{}/{name}", sort.folder());
                if let Some(seen) = self.look(&name, sort, &mut changes) {
                    there.insert(name, seen);
                }
            }
        }
        let gone = self.seen.keys().filter(|name| !there.contains_key(*name));
        changes.extend(gone.map(|name| Change::Gone(name.clone())));
        self.seen = there;
        Ok(changes)
    }

    /// Changes a memory as it stands now, read anew under its lock; answers what it says then. `None` where it is not
    /// there or cannot be used any more.
    pub(crate) fn update(
        &mut self,
        name: &str,
        mut change: impl FnMut(&mut Held),
    ) -> Result<Option<Held>, Error> {
        let path = self.root.join(name);
        let lock = Lock::acquire(&path, PATIENCE)?;
        // Who edits by hand takes no lock: what changes while it is written is read once more.
        for _ in 0..TRIES {
            let Ok(meta) = fs::symlink_metadata(&path) else { return Ok(None) };
            let Ok(bytes) = read(&path) else { return Ok(None) };
            let Ok(mut file) = MemoryFile::parse(&bytes, sort_of(name)) else { return Ok(None) };
            let before = file.held();
            let mut held = before.clone();
            change(&mut held);
            if held == before {
                return Ok(Some(held));
            }
            file.set(&held);
            if self.write(name, &path, &file.bytes(), Some(stamp(&meta)))? {
                return Ok(Some(held));
            }
        }
        drop(lock);
        let busy = io::Error::from(io::ErrorKind::ResourceBusy);
        Err(failed(&path, "written", &busy))
    }

    /// Makes a file for a memory and answers its name.
    pub(crate) fn create(&mut self, held: &Held) -> Result<String, Error> {
        let bytes = MemoryFile::new(held).bytes();
        let name = format!("{}/{}-{:08x}.toml", held.sort.folder(), stem(held), hash_of(&bytes) as u32);
        let path = self.root.join(&name);
        let lock = Lock::acquire(&path, PATIENCE)?;
        if !path.exists() {
            self.write(&name, &path, &bytes, None)?;
        }
        drop(lock);
        Ok(name)
    }

    /// Puts a memory that holds no longer out of the way: into `archive/`, which nobody reads.
    pub(crate) fn archive(&mut self, name: &str) -> Result<(), Error> {
        let (path, to) = (self.root.join(name), self.root.join("archive").join(name));
        let folder = to.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(|cause| failed(folder, "made", &cause))?;
        let lock = Lock::acquire(&path, PATIENCE)?;
        if path.exists() {
            let to = free_name(&to);
            fs::rename(&path, &to).map_err(|cause| failed(&path, "archived", &cause))?;
        }
        drop(lock);
        self.seen.remove(name);
        Ok(())
    }

    /// Looks at a file; answers how it was found, unless it is not there.
    fn look(&self, name: &str, sort: Sort, changes: &mut Vec<Change>) -> Option<Seen> {
        let path = self.root.join(name);
        let before = self.seen.get(name);
        let meta = match fs::symlink_metadata(&path) {
            Ok(meta) => meta,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return None,
            Err(cause) => {
                changes.push(Change::Unusable(name.into(), cause.to_string()));
                return None;
            }
        };
        let stamp = stamp(&meta);
        if let Some(before) = before.filter(|before| before.settled && before.stamp == stamp) {
            return Some(*before);
        }
        let bytes = if meta.is_file() { read(&path) } else { Err(String::from("it is no plain file")) };
        let hash = bytes.as_ref().map_or(0, |bytes| hash_of(bytes));
        let settled = clock::now().0 - (stamp.0 / 1_000_000) as i64 > TICK_MS;
        if before.is_none_or(|before| before.hash != hash) {
            let held = bytes.and_then(|bytes| MemoryFile::parse(&bytes, sort));
            changes.push(match held {
                Ok(file) => Change::Held(name.into(), file.held()),
                Err(reason) => Change::Unusable(name.into(), reason),
            });
        }
        Some(Seen { stamp, settled, hash })
    }

    /// Writes a file beside its place and puts it there when it is on the disk; not where the one that it is to replace
    /// is another by then, or gone.
    fn write(
        &mut self,
        name: &str,
        path: &Path,
        bytes: &[u8],
        replaced: Option<(u64, u64)>,
    ) -> Result<bool, Error> {
        let folder = path.parent().unwrap_or(&self.root);
        let put = || -> io::Result<Option<Metadata>> {
            let mut new = tempfile::Builder::new().prefix(".").suffix(".tmp").tempfile_in(folder)?;
            new.write_all(bytes)?;
            if let Ok(old) = fs::metadata(path) {
                new.as_file().set_permissions(old.permissions())?;
            }
            new.as_file().sync_all()?;
            if fs::symlink_metadata(path).ok().map(|meta| stamp(&meta)) != replaced {
                return Ok(None);
            }
            let file = new.persist(path)?;
            #[cfg(unix)]
            File::open(folder)?.sync_all()?;
            file.metadata().map(Some)
        };
        let Some(meta) = put().map_err(|cause| failed(path, "written", &cause))? else { return Ok(false) };
        self.seen.insert(name.into(), Seen { stamp: stamp(&meta), settled: false, hash: hash_of(bytes) });
        Ok(true)
    }
}

/// A name that nothing has yet, so that an older memory of that name stays.
fn free_name(path: &Path) -> PathBuf {
    let mut free = path.to_path_buf();
    for n in 1_u32.. {
        if !free.exists() {
            break;
        }
        free = path.with_extension(format!("{n}.toml"));
    }
    free
}

fn sort_of(name: &str) -> Sort {
    if name.starts_with(Sort::Fact.folder()) { Sort::Fact } else { Sort::Feedback }
}

fn stamp(meta: &Metadata) -> (u64, u64) {
    let since = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (since.map_or(0, |since| since.as_nanos() as u64), meta.len())
}

fn hash_of(bytes: &[u8]) -> u64 {
    hash64(&[&String::from_utf8_lossy(bytes)])
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|cause| cause.to_string())?;
    file.take(FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|cause| cause.to_string())?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(format!("it has more than {FILE_BYTES} bytes"));
    }
    Ok(bytes)
}

/// The beginning of a new file's name: what it is about, in letters and digits.
fn stem(held: &Held) -> String {
    let words = if held.situation.is_empty() { held.parts.join(" ") } else { held.situation.clone() };
    let mut out = String::new();
    for c in words.chars().flat_map(char::to_lowercase) {
        if out.chars().count() >= NAME_CHARS {
            break;
        }
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

fn failed(path: &Path, done: &str, cause: &io::Error) -> Error {
    Error::host(
        "memories",
        format!("{}: it cannot be {done} ({cause}); check owner, mode and disk", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY: &str =
        "type = \"feedback\"\nsituation = \"When building\"\n[content]\nbehavior = \"make\"\n";

    fn folder() -> (tempfile::TempDir, Folder) {
        let root = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(root.path(), BTreeMap::new()).expect("open");
        (root, folder)
    }

    fn names(changes: &[Change]) -> Vec<(&str, &str)> {
        changes.iter().map(name).collect()
    }

    fn name(change: &Change) -> (&str, &str) {
        match change {
            Change::Held(name, _) => ("held", name.as_str()),
            Change::Gone(name) => ("gone", name.as_str()),
            Change::Unusable(name, _) => ("unusable", name.as_str()),
        }
    }

    #[test]
    fn edits_of_others_are_seen_and_own_ones_are_not() {
        let (root, mut folder) = folder();
        let path = root.path().join("feedback/one.toml");
        fs::write(&path, MEMORY).expect("written");
        fs::write(root.path().join("feedback/half.toml"), "situation = \"").expect("written");
        fs::write(root.path().join("facts/.hidden.toml"), "x").expect("written");
        let found = folder.changes().expect("a look");
        assert_eq!(names(&found), [("unusable", "feedback/half.toml"), ("held", "feedback/one.toml")]);
        assert_eq!(folder.changes().expect("a look"), []);
        let held = folder.update("feedback/one.toml", |held| held.counts[0] = 1).expect("written");
        assert_eq!(held.expect("a memory").counts, [1, 0, 0, 0, 0]);
        assert_eq!(folder.changes().expect("a look"), []);
        // Of the same length, in the same tick of the clock.
        fs::write(&path, fs::read_to_string(&path).expect("read").replace("make", "ruby")).expect("written");
        assert_eq!(names(&folder.changes().expect("a look")), [("held", "feedback/one.toml")]);
        fs::remove_file(&path).expect("removed");
        assert_eq!(names(&folder.changes().expect("a look")), [("gone", "feedback/one.toml")]);
        assert!(
            fs::read_dir(root.path().join("feedback")).expect("a folder").count() == 1,
            "nothing is left behind"
        );
    }

    #[test]
    fn a_write_starts_from_what_is_there_now() {
        let (root, mut folder) = folder();
        let path = root.path().join("feedback/one.toml");
        fs::write(&path, MEMORY).expect("written");
        folder.changes().expect("a look");
        fs::write(
            &path,
            MEMORY.replace("make", "just").replace("type", "mine = 1\nsurfaced_count = 7\ntype"),
        )
        .expect("written by another");
        folder.update("feedback/one.toml", |held| held.counts[0] += 1).expect("written");
        let text = fs::read_to_string(&path).expect("read");
        assert!(
            text.contains("surfaced_count = 8") && text.contains("just") && text.contains("mine = 1"),
            "{text}"
        );
        fs::write(&path, "half = \"").expect("written");
        assert_eq!(folder.update("feedback/one.toml", |held| held.core = true).expect("left alone"), None);
        assert_eq!(fs::read_to_string(&path).expect("read"), "half = \"");
    }

    #[test]
    fn a_new_memory_gets_a_file_of_its_own() {
        let (root, mut folder) = folder();
        fs::write(root.path().join("feedback/one.toml"), MEMORY).expect("written");
        let Some(Change::Held(_, held)) = folder.changes().expect("a look").pop() else { panic!("a memory") };
        let name = folder.create(&held).expect("made");
        assert!(name.starts_with("feedback/when-building-"), "{name}");
        assert_eq!(folder.changes().expect("a look"), []);
        let again = Folder::open(root.path(), BTreeMap::new()).expect("open").changes().expect("a look");
        assert_eq!(again.len(), 2);
    }
}

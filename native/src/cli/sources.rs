//! Where traces come from: files, directories, stdin; and how their bytes become text.
//!
//! Decides which files are looked at and in which order. Never decides what a trace is: the core's readers do.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::archive::{self, Refused};
use super::failure::{Failure, Report};

/// Endings of files that may be traces; in a directory others are not opened.
const ENDINGS: [&str; 6] = ["jsonl", "ndjson", "json", "traj", "log", "eval"];
/// Directories that hold no traces and may be large.
const SKIPPED: [&str; 4] = [".git", ".hardwon", "node_modules", "target"];
/// A NUL byte among the first so many tells a binary file.
const LOOK: usize = 8192;

/// One thing to learn from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Stdin,
    File {
        path: PathBuf,
        /// Whether the caller named it; a file found by walking may be anything.
        named: bool,
    },
}

/// What was found to learn from.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) list: Vec<Source>,
    /// Files met while walking that cannot be traces by their names.
    pub(super) others: u32,
    /// Paths that cannot be looked at.
    pub(super) failed: Vec<(String, Report)>,
    /// The bytes of all files.
    pub(super) bytes: u64,
    /// Where in the list each file is.
    seen: BTreeMap<PathBuf, usize>,
}

/// The text of a source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) text: String,
    /// The numbers of lines that were no UTF-8 and have been left out.
    pub(super) not_utf8: Vec<u64>,
}

impl Source {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".into(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    pub(super) fn is_named(&self) -> bool {
        !matches!(self, Self::File { named: false, .. })
    }

    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Stdin => 0,
            Self::File { path, .. } => fs::metadata(path).map_or(0, |meta| meta.len()),
        }
    }

    /// Reads it, up to `limit` bytes.
    pub(super) fn read(&self, limit: u64) -> Result<Text, Failure> {
        let name = self.name();
        let bytes = match self {
            Self::Stdin => read_text(io::stdin().lock(), limit),
            Self::File { path, .. } => fs::File::open(path).and_then(|file| read_text(file, limit)),
        };
        let Some(bytes) = bytes.map_err(|cause| Failure::reading(&name, &cause))? else {
            return self.unpacked(limit);
        };
        if bytes.len() as u64 > limit { Err(too_large(&name, limit)) } else { Ok(text_of(bytes)) }
    }

    /// Reads a file that is no text: an archive that holds a trace, or nothing to learn from.
    fn unpacked(&self, limit: u64) -> Result<Text, Failure> {
        let name = self.name();
        let log = match self {
            Self::Stdin => Err(Refused::Other),
            Self::File { path, .. } => archive::log_of(path, limit),
        };
        match log {
            Ok(text) => Ok(Text { text, not_utf8: Vec::new() }),
            Err(Refused::Other) => {
                let message =
                    format!("{name}: it looks binary (it holds NUL bytes); traces are JSON in UTF-8");
                Err(Failure::input("file.binary", message))
            }
            Err(Refused::Broken(problem)) => {
                let message = format!("{name}: the archive cannot be read: {problem}; give the log in JSON");
                Err(Failure::input("file.archive", message))
            }
            Err(Refused::TooLarge) => Err(too_large(&name, limit)),
        }
    }
}

fn too_large(name: &str, limit: u64) -> Failure {
    let message =
        format!("{name}: it has more than {limit} bytes, the most of one trace; split it by session");
    Failure::input("limit.trace_bytes", message)
}

impl Sources {
    /// What the caller's paths lead to. A path that cannot be looked at does not keep the others from being found.
    pub(super) fn find(paths: &[PathBuf]) -> Self {
        let mut out = Self::default();
        for path in paths {
            if path.as_os_str() == "-" {
                // Whoever names it twice has still but one.
                if !out.list.contains(&Source::Stdin) {
                    out.list.push(Source::Stdin);
                }
                continue;
            }
            match fs::metadata(path) {
                Err(cause) => out.miss(path, &cause),
                Ok(meta) if meta.is_dir() => out.walk(path),
                Ok(_) => {
                    out.file(path.clone(), true);
                    out.sub_agents(path);
                }
            }
        }
        out
    }

    fn miss(&mut self, path: &Path, cause: &io::Error) {
        let name = path.display().to_string();
        let report = Report::reading(&name, cause);
        self.failed.push((name, report));
    }

    /// Every file below, in the order of names. What is no file (a pipe, a link to nothing) cannot be a trace.
    fn walk(&mut self, folder: &Path) {
        let paths = match entries(folder) {
            Ok(paths) => paths,
            Err(cause) => return self.miss(folder, &cause),
        };
        for path in paths {
            if path.is_dir() {
                let is_link = path.is_symlink();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if !is_link && !SKIPPED.contains(&name.as_ref()) {
                    self.walk(&path);
                }
            } else if has_ending(&path) && path.is_file() {
                self.file(path, false);
            } else {
                self.others += 1;
            }
        }
    }

    /// The files of a session's sub-agents: in a directory named like the session, or beside it.
    fn sub_agents(&mut self, session: &Path) {
        let Some(stem) = session.file_stem().map(|stem| stem.to_string_lossy().into_owned()) else { return };
        let inside = sorted(&session.with_extension("").join("subagents"));
        for path in inside.into_iter().filter(|path| has_ending(path) && path.is_file()) {
            self.file(path, false);
        }
        let folder =
            session.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        for path in sorted(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with("agent-") && has_ending(&path) && path.is_file() && head_names(&path, &stem) {
                self.file(path, false);
            }
        }
    }

    /// Takes a file once. One that was met on a walk and is named too counts as named.
    fn file(&mut self, path: PathBuf, named: bool) {
        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if let Some(&at) = self.seen.get(&real) {
            if let Some(Source::File { named: was, .. }) = self.list.get_mut(at) {
                *was |= named;
            }
            return;
        }
        self.seen.insert(real, self.list.len());
        let source = Source::File { path, named };
        self.bytes += source.size();
        self.list.push(source);
    }
}

/// What is in a folder, in the order of names.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

/// As [`entries`], for a folder that need not be there.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    entries(folder).unwrap_or_default()
}

fn has_ending(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one)))
}

/// Whether the first bytes of a file name the session.
fn head_names(path: &Path, session: &str) -> bool {
    let head = fs::File::open(path).and_then(|file| read_up_to(file, LOOK as u64)).unwrap_or_default();
    String::from_utf8_lossy(&head).contains(&format!("\"{session}\""))
}

/// The bytes, one more than `limit` at most.
fn read_up_to(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// As [`read_up_to`]; `None` for binary, of which no more than the first part is read.
fn read_text(mut from: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = read_up_to(from.by_ref(), (LOOK as u64).min(limit))?;
    if bytes.contains(&0) {
        return Ok(None);
    }
    if let Some(more) = limit.checked_sub(bytes.len() as u64) {
        bytes.extend(read_up_to(from, more)?);
    }
    Ok(Some(bytes))
}

/// The text of some bytes, lines that are no UTF-8 left empty so that the others keep their numbers.
fn text_of(bytes: Vec<u8>) -> Text {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Text { text, not_utf8: Vec::new() },
        Err(mixed) => mixed.into_bytes(),
    };
    let mut out = Text { text: String::with_capacity(bytes.len()), not_utf8: Vec::new() };
    for (n, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        if let Ok(line) = core::str::from_utf8(line) {
            out.text.push_str(line);
        } else {
            out.text.push('\n');
            out.not_utf8.push(n);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_utf8_are_named_and_the_others_keep_their_numbers() {
        let text = text_of(b"one\n\xff\xfe\nthree".to_vec());
        assert_eq!(text, Text { text: "one\n\nthree".into(), not_utf8: vec![2] });
    }

    #[test]
    fn a_read_ends_one_byte_over_its_limit_and_at_once_where_it_is_binary() {
        let long = vec![b'x'; 3 * LOOK];
        for limit in [0, 1, LOOK as u64 - 1, LOOK as u64, LOOK as u64 + 1, 2 * LOOK as u64, 4 * LOOK as u64] {
            let read = read_text(&long[..], limit).expect("a read").expect("text");
            assert_eq!(read.len() as u64, (limit + 1).min(long.len() as u64), "{limit}");
        }
        assert_eq!(read_text(&b"PNG\0\0"[..], 100).expect("a read"), None);
        let endless = read_text(io::repeat(0), u64::MAX).expect("it ends");
        assert_eq!(endless, None);
    }

    #[test]
    fn a_walk_takes_possible_traces_once_in_order_and_counts_the_rest() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let put = |name: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("inside")).expect("made");
            fs::write(path, "{}").expect("written");
        };
        ["b.jsonl", "a/x.JSON", "notes.md", ".git/c.jsonl"].into_iter().for_each(put);
        let found = Sources::find(&[root.path().into(), root.path().join("b.jsonl")]);
        let names: Vec<String> = found.list.iter().map(Source::name).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names[0].ends_with("x.JSON") && names[1].ends_with("b.jsonl"), "{names:?}");
        assert_eq!(found.others, 1);
    }

    #[test]
    fn a_session_brings_its_sub_agents() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let put = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("inside")).expect("made");
            fs::write(path, text).expect("written");
        };
        put("s1.jsonl", "{}");
        put("s1/subagents/agent-1.jsonl", "{}");
        put("agent-2.jsonl", r#"{"sessionId":"s1"}"#);
        put("agent-3.jsonl", r#"{"sessionId":"s2"}"#);
        let found = Sources::find(&[root.path().join("s1.jsonl")]);
        let names: Vec<String> = found.list.iter().map(Source::name).collect();
        assert!(
            names.len() == 3 && names[1].ends_with("agent-1.jsonl") && names[2].ends_with("agent-2.jsonl"),
            "{names:?}"
        );
    }
}

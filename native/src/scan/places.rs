//! Where coding agents keep the histories of their sessions, and which files of these are read.
//!
//! Decides by fixed places below the user's home. No link is followed out of it, and nothing is opened here: files are
//! only listed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// No agent nests its histories deeper.
const DEEPEST: usize = 8;

/// A kind of agent and where it keeps its sessions.
struct Place {
    agent: &'static str,
    /// The variable that names another folder in place of the first part of `folder`.
    variable: &'static str,
    /// Below the home, or below what the variable names.
    home: &'static str,
    folder: &'static str,
    form: Form,
}

/// How the sessions lie in their folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A file a session, with this beginning and this ending of its name.
    Files(&'static str, &'static str),
    /// A file an event, in folders named `events`.
    Events,
    /// A form that no reader knows.
    Unknown,
}

const PLACES: [Place; 9] = [
    place("Claude Code", "CLAUDE_CONFIG_DIR", ".claude", "projects", Form::Files("", ".jsonl")),
    place("Claude Code", "", ".config/claude", "projects", Form::Files("", ".jsonl")),
    place("Codex", "CODEX_HOME", ".codex", "sessions", Form::Files("", ".jsonl")),
    place("Codex", "CODEX_HOME", ".codex", "archived_sessions", Form::Files("", ".jsonl")),
    place("Gemini CLI", "", ".gemini", "tmp", Form::Files("session-", ".json")),
    // Beside the wire file lies the same session once more, as messages.
    place("Kimi CLI", "", ".kimi", "sessions", Form::Files("wire", ".jsonl")),
    place("OpenHands", "", ".openhands", "", Form::Events),
    place("mini-swe-agent", "", ".config/mini-swe-agent", "", Form::Files("", ".traj.json")),
    place("opencode", "XDG_DATA_HOME", ".local/share", "opencode", Form::Unknown),
];

const fn place(
    agent: &'static str,
    variable: &'static str,
    home: &'static str,
    folder: &'static str,
    form: Form,
) -> Place {
    Place { agent, variable, home, folder, form }
}

/// What there is at a place.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) agent: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) state: State,
    /// Folders inside that could not be opened.
    pub(crate) closed: Vec<(PathBuf, io::Error)>,
}

/// How far a place could be looked at.
#[derive(Debug)]
pub(crate) enum State {
    Missing,
    /// It is a link that leads out of the home; whoever wants it read names it.
    LeadsOut,
    Unreadable(io::Error),
    /// It is there, in a form that is not read.
    Unknown,
    /// One session each, in the order of names.
    Sessions(Vec<Session>),
}

/// A session of an agent, to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Session {
    File(PathBuf),
    /// The folder, and the files of its events in order.
    Events(PathBuf, Vec<PathBuf>),
}

impl Session {
    pub(crate) fn files(&self) -> &[PathBuf] {
        match self {
            Self::File(path) => core::slice::from_ref(path),
            Self::Events(_, files) => files,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.files().iter().filter_map(|path| fs::metadata(path).ok()).map(|meta| meta.len()).sum()
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Events(path, _) => path,
        }
    }
}

/// Looks at every place below `home`, as the variables of the environment move it.
pub(crate) fn look(home: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Vec<Found> {
    let one = |place: &Place| {
        let named = (!place.variable.is_empty())
            .then(|| variable(place.variable))
            .flatten()
            .filter(|v| !v.is_empty());
        let base = named.as_ref().map_or_else(|| home.to_path_buf(), PathBuf::from);
        let root = if named.is_some() { base.clone() } else { home.join(place.home) };
        let path = if place.folder.is_empty() { root } else { root.join(place.folder) };
        let mut closed = Vec::new();
        let state = at(&base, &path, place.form, &mut closed);
        Found { agent: place.agent, path, state, closed }
    };
    PLACES.iter().map(one).collect()
}

fn at(base: &Path, path: &Path, form: Form, closed: &mut Vec<(PathBuf, io::Error)>) -> State {
    match fs::metadata(path) {
        Ok(meta) if !meta.is_dir() => return State::Unreadable(io::ErrorKind::NotADirectory.into()),
        Ok(_) => {}
        Err(cause) if is_missing(&cause) => return State::Missing,
        Err(cause) => return State::Unreadable(cause),
    }
    if leads_out(base, path) {
        return State::LeadsOut;
    }
    if form == Form::Unknown {
        return State::Unknown;
    }
    let mut sessions = Vec::new();
    match walk(path, form, 0, &mut sessions, closed) {
        Ok(()) => State::Sessions(sessions),
        Err(cause) => State::Unreadable(cause),
    }
}

fn is_missing(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether `path` really lies elsewhere than below `base`.
fn leads_out(base: &Path, path: &Path) -> bool {
    match (fs::canonicalize(base), fs::canonicalize(path)) {
        (Ok(base), Ok(path)) => !path.starts_with(base),
        _ => true,
    }
}

/// Every session below, in the order of names; links are passed over.
fn walk(
    folder: &Path,
    form: Form,
    depth: usize,
    sessions: &mut Vec<Session>,
    closed: &mut Vec<(PathBuf, io::Error)>,
) -> io::Result<()> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        entries.push((entry.path(), entry.file_type()?));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    let mut events = Vec::new();
    for (path, kind) in entries {
        if kind.is_dir() && depth < DEEPEST {
            if let Err(cause) = walk(&path, form, depth + 1, sessions, closed) {
                closed.push((path, cause));
            }
        } else if kind.is_file() {
            match form {
                Form::Files(begins, ends) if named(&path, begins, ends) => sessions.push(Session::File(path)),
                Form::Events if is_event(folder, &path) => events.push(path),
                _ => {}
            }
        }
    }
    if !events.is_empty() {
        events.sort_by_key(|path| (number(path), path.clone()));
        sessions.push(Session::Events(folder.to_path_buf(), events));
    }
    Ok(())
}

fn named(path: &Path, begins: &str, ends: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(begins) && name.ends_with(ends)
}

fn is_event(folder: &Path, path: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == "events")
        && path.extension().is_some_and(|end| end == "json")
}

/// The first number in a file's name: `12.json` and `event-00012-….json` are both the twelfth.
fn number(path: &Path) -> u64 {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let digits: String =
        name.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, name: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("made");
        fs::write(path, "{}").expect("written");
    }

    fn names(home: &Path, agent: &str) -> Vec<String> {
        let relative = |path: &Path| {
            let path = path.strip_prefix(home).unwrap_or(path);
            path.to_string_lossy().into_owned()
        };
        look(home, |_| None)
            .into_iter()
            .filter(|found| found.agent == agent)
            .filter_map(|found| match found.state {
                State::Sessions(sessions) => Some(sessions),
                _ => None,
            })
            .flatten()
            .flat_map(|session| session.files().iter().map(|path| relative(path)).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn sessions_are_found_and_what_is_none_is_left() {
        let home = tempfile::tempdir().expect("a temporary directory");
        for name in [
            ".claude/projects/p/a.jsonl",
            ".claude/projects/p/a/subagents/agent-1.jsonl",
            ".claude/projects/p/notes.md",
            ".claude/settings.json",
            ".codex/sessions/2026/05/01/rollout-1.jsonl",
            ".gemini/tmp/h/chats/session-1.json",
            ".gemini/tmp/h/logs.json",
            ".kimi/sessions/h/s/wire.jsonl",
            ".kimi/sessions/h/s/context.jsonl",
            ".openhands/sessions/s/events/10.json",
            ".openhands/sessions/s/events/9.json",
            ".openhands/sessions/s/state.json",
        ] {
            put(home.path(), name);
        }
        let of = |agent| names(home.path(), agent);
        assert_eq!(
            of("Claude Code"),
            [".claude/projects/p/a/subagents/agent-1.jsonl", ".claude/projects/p/a.jsonl"]
        );
        assert_eq!(of("Codex"), [".codex/sessions/2026/05/01/rollout-1.jsonl"]);
        assert_eq!(of("Gemini CLI"), [".gemini/tmp/h/chats/session-1.json"]);
        assert_eq!(of("Kimi CLI"), [".kimi/sessions/h/s/wire.jsonl"]);
        let events = of("OpenHands");
        assert_eq!(events, [".openhands/sessions/s/events/9.json", ".openhands/sessions/s/events/10.json"]);
    }

    #[test]
    fn a_variable_moves_a_place() {
        let home = tempfile::tempdir().expect("a temporary directory");
        put(home.path(), "elsewhere/sessions/r.jsonl");
        let found =
            look(home.path(), |name| (name == "CODEX_HOME").then(|| home.path().join("elsewhere").into()));
        let codex = found.iter().find(|found| found.path.ends_with("elsewhere/sessions"));
        assert!(matches!(&codex.expect("looked for").state, State::Sessions(all) if all.len() == 1));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_of_the_home() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().expect("a temporary directory");
        put(outside.path(), "projects/p/secret.jsonl");
        let home = tempfile::tempdir().expect("a temporary directory");
        put(home.path(), ".codex/sessions/own.jsonl");
        symlink(outside.path(), home.path().join(".claude")).expect("a link");
        symlink(outside.path().join("projects"), home.path().join(".codex/sessions/more")).expect("a link");
        symlink(outside.path().join("projects/p/secret.jsonl"), home.path().join(".codex/sessions/x.jsonl"))
            .expect("a link");
        assert!(names(home.path(), "Claude Code").is_empty());
        assert_eq!(names(home.path(), "Codex"), [".codex/sessions/own.jsonl"]);
        let found = look(home.path(), |_| None);
        let claude = found.iter().find(|found| found.agent == "Claude Code").expect("looked for");
        assert!(matches!(claude.state, State::LeadsOut));
    }
}

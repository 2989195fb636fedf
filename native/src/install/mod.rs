//! Putting hooks into the settings of coding agents, and taking them out again.
//!
//! Decides which file of which agent gets which entries. Never touches an entry of others: what stays, stays byte for
//! byte.

mod block;
mod diff;
mod edit;
mod hooks;
mod plugin;
mod skill;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub use block::{lessons, with_block};
pub use diff::diff;
pub use skill::skill;

/// A coding agent that can be given hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Cursor.
    Cursor,
    /// `OpenCode`, by a plugin.
    OpenCode,
}

/// Where an agent's settings are.
#[derive(Debug)]
pub struct Site {
    /// The agent.
    pub target: Target,
    /// The user's home, or the project's root.
    pub root: PathBuf,
    /// Whether the root is a project's.
    pub project: bool,
    /// The command that hooks run, without its arguments.
    pub command: String,
}

/// A file as it is and as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What is in it; `None` where it is not there.
    pub before: Option<String>,
    /// What should be; `None` where it should not be there.
    pub after: Option<String>,
}

impl Change {
    /// Whether nothing is to do.
    pub fn is_idle(&self) -> bool {
        self.before == self.after
    }

    /// Writes the file, whole or not at all.
    pub fn carry_out(&self) -> io::Result<()> {
        match &self.after {
            _ if self.is_idle() => Ok(()),
            Some(text) => write(&self.path, text),
            None => fs::remove_file(&self.path),
        }
    }
}

/// Why settings cannot be changed.
#[derive(Debug)]
pub enum Problem {
    /// A file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file is no JSON, or its hooks have another form than the agent's.
    Unknown(PathBuf, String),
}

impl Site {
    /// The changes that put our entries in, those that are idle included.
    pub fn install(&self) -> Result<Vec<Change>, Problem> {
        self.changes(true)
    }

    /// The changes that take our entries out.
    pub fn uninstall(&self) -> Result<Vec<Change>, Problem> {
        self.changes(false)
    }

    fn changes(&self, wanted: bool) -> Result<Vec<Change>, Problem> {
        let settings = self.settings();
        let before = read(&settings)?;
        let after = match self.target {
            Target::OpenCode => wanted.then(|| plugin::plugin(&self.command)),
            _ => hooks::apply(self, before.as_deref(), wanted)
                .map_err(|what| Problem::Unknown(settings.clone(), what))?,
        };
        let skill_path = self.skills().join(skill::NAME).join("SKILL.md");
        let skill = Change {
            before: read(&skill_path)?,
            after: wanted.then(|| skill().to_owned()),
            path: skill_path,
        };
        Ok(vec![Change { path: settings, before, after }, skill])
    }

    fn settings(&self) -> PathBuf {
        let under = |path: &str| self.root.join(path);
        match (self.target, self.project) {
            (Target::Claude, _) => under(".claude/settings.json"),
            (Target::Codex, _) => under(".codex/hooks.json"),
            (Target::Cursor, _) => under(".cursor/hooks.json"),
            (Target::OpenCode, true) => under(".opencode/plugin/hardwon.js"),
            (Target::OpenCode, false) => under(".config/opencode/plugin/hardwon.js"),
        }
    }

    fn skills(&self) -> PathBuf {
        self.root.join(match (self.target, self.project) {
            (Target::Claude, _) => ".claude/skills",
            (Target::Codex, _) => ".agents/skills",
            (Target::Cursor, _) => ".cursor/skills",
            (Target::OpenCode, true) => ".opencode/skills",
            (Target::OpenCode, false) => ".config/opencode/skills",
        })
    }
}

/// The text of a file; `None` where it is not there.
pub fn read(path: &Path) -> Result<Option<String>, Problem> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(Problem::Unreadable(path.to_owned(), cause)),
    }
}

/// Writes beside the file and puts it in place, keeping its permissions; a link keeps pointing where it did.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    match fs::metadata(&real) {
        Ok(meta) => file.as_file().set_permissions(meta.permissions())?,
        Err(_) => readable(&file)?,
    }
    file.as_file().sync_all()?;
    file.persist(&real).map(drop).map_err(|failed| failed.error)
}

/// A temporary file is its owner's alone; settings of a project are read by others.
fn readable(file: &tempfile::NamedTempFile) -> io::Result<()> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        file.as_file().set_permissions(mode)?;
    }
    let _ = file;
    Ok(())
}

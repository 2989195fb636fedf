//! What the command is run as: a program of its own, or a script of a package that carries it.
//!
//! Decides which program a process of ours, or a hook, starts. Never starts one.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The name under which the command is found.
const NAME: &str = "hardwon";

/// The program that this process was started as.
#[derive(Debug, Clone, Default)]
pub struct Program {
    path: Option<PathBuf>,
    is_script: bool,
}

impl Program {
    /// The executable of this process.
    pub fn native() -> Self {
        Self { path: std::env::current_exe().ok(), is_script: false }
    }

    /// A script whose interpreter has the command linked in.
    pub fn script(path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), is_script: true }
    }

    /// What starts the command again.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What a hook should start: for a script a native command that is installed too, which starts sooner.
    pub(super) fn for_hooks(&self) -> Option<PathBuf> {
        let own = self.path.as_deref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.into()));
        if self.is_script { installed().or(own) } else { own }
    }
}

/// The first native command on the search path.
fn installed() -> Option<PathBuf> {
    let name = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&name))
        .find(|path| is_native(path))
}

/// Whether a file is a program and no script.
fn is_native(path: &Path) -> bool {
    let mut head = [0; 2];
    let is_read = File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    is_read && &head != b"#!" && is_executable(path)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_no_native_program() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let script = root.path().join("script");
        std::fs::write(&script, "#!/bin/sh\n").expect("written");
        assert!(!is_native(&script));
        assert!(is_native(&std::env::current_exe().expect("the test itself")));
        assert!(!is_native(root.path()));
    }
}

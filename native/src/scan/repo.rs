//! Which repository a session worked in: all worktrees and clones of one are one.
//!
//! Decides by the working directory that the host wrote into the trace, and by what git keeps there: the remote
//! `origin`, else the folder that all worktrees share. Reads two small files and never runs git.

use std::fs;
use std::path::{Path, PathBuf};

use hardwon_core::trace::{Trace, repo};

/// No configuration of git is longer.
const LONGEST: u64 = 1 << 20;

/// The repository of all these runs; `None` where they name none, or several.
pub(crate) fn of_all(traces: &[Trace]) -> Option<String> {
    let mut all = traces.iter().map(of);
    let first = all.next()??;
    all.all(|other| other.as_deref() == Some(first.as_str())).then_some(first)
}

/// The repository of one run: the remote that the trace tells, what git says of its directory, else that directory.
fn of(trace: &Trace) -> Option<String> {
    if trace.repo.is_some() {
        return trace.repository();
    }
    let told = trace.repository()?;
    Some(on_disk(Path::new(trace.cwd.as_deref()?)).unwrap_or(told))
}

/// What git says of a directory on this machine.
fn on_disk(directory: &Path) -> Option<String> {
    if !directory.is_absolute() {
        return None;
    }
    let common = directory.ancestors().find_map(common_dir)?;
    let remote = small(&common.join("config")).and_then(|config| origin(&config));
    remote.and_then(|url| repo::of_remote(&url)).or_else(|| {
        let main = if common.file_name()? == ".git" { common.parent()? } else { common.as_path() };
        Some(main.to_str()?.to_string())
    })
}

/// The folder that all worktrees of a repository share, where `directory` is the top of one.
fn common_dir(directory: &Path) -> Option<PathBuf> {
    let git = directory.join(".git");
    let meta = fs::metadata(&git).ok()?;
    if meta.is_dir() {
        return Some(git);
    }
    let own = small(&git)?;
    let own = directory.join(own.strip_prefix("gitdir:")?.trim());
    match small(&own.join("commondir")) {
        Some(shared) => fs::canonicalize(own.join(shared.trim())).ok(),
        None => Some(own),
    }
}

/// The address of the remote `origin` in a configuration of git.
fn origin(config: &str) -> Option<String> {
    let mut inside = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[remote \"origin\"]";
        } else if inside
            && let Some((name, value)) = line.split_once('=')
            && name.trim().eq_ignore_ascii_case("url")
        {
            return Some(value.trim().trim_matches('"').to_string());
        }
    }
    None
}

fn small(path: &Path) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > LONGEST {
        return None;
    }
    fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(cwd: &Path) -> Trace {
        Trace { cwd: Some(cwd.to_string_lossy().into_owned()), ..Trace::default() }
    }

    #[test]
    fn worktrees_and_clones_of_one_repository_are_one() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let root = fs::canonicalize(root.path()).expect("a real path");
        let make = |name: &str| fs::create_dir_all(root.join(name)).expect("made");
        let write = |name: &str, text: &str| fs::write(root.join(name), text).expect("written");
        make("main/.git/worktrees/fix");
        make("main/src");
        make("fix/src");
        make("clone/.git");
        write(
            "main/.git/config",
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@example.org:team/app.git\n",
        );
        write("fix/.git", &format!("gitdir: {}\n", root.join("main/.git/worktrees/fix").display()));
        write("main/.git/worktrees/fix/commondir", "../..\n");
        write("clone/.git/config", "[remote \"origin\"]\nurl=https://example.org/team/app\n");
        for cwd in ["main", "main/src", "fix", "fix/src", "clone"] {
            assert_eq!(of(&trace(&root.join(cwd))).as_deref(), Some("example.org/team/app"), "{cwd}");
        }
    }

    #[test]
    fn without_a_remote_it_is_the_main_directory_and_without_git_the_directory_itself() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let root = fs::canonicalize(root.path()).expect("a real path");
        fs::create_dir_all(root.join("own/.git")).expect("made");
        fs::create_dir_all(root.join("own/src")).expect("made");
        assert_eq!(of(&trace(&root.join("own/src"))), root.join("own").to_str().map(str::to_string));
        let gone = root.join("gone/app");
        assert_eq!(of(&trace(&gone)), gone.to_str().map(str::to_string));
        assert_eq!(of(&Trace::default()), None);
    }

    #[test]
    fn a_file_about_two_repositories_is_of_none() {
        let [a, b] = ["/gone/a", "/gone/b"].map(|cwd| trace(Path::new(cwd)));
        assert_eq!(of_all(&[a.clone(), a.clone()]).as_deref(), Some("/gone/a"));
        assert_eq!(of_all(&[a, b]), None);
        assert_eq!(of_all(&[]), None);
    }
}

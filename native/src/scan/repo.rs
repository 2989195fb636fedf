//! Which repository a session worked in: all worktrees and clones of one are one.
//!
//! Decides by what the trace tells, and by the working directory that the host wrote into it, which is named as hooks
//! name it. Never runs git.

use std::path::Path;

use hardwon_core::trace::Trace;

use crate::hook::repo_identity;

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
    Some(repo_identity(Path::new(trace.cwd.as_deref()?)).unwrap_or(told))
}

#[cfg(test)]
mod tests {
    use std::fs;

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

//! Which repository a folder belongs to: worktrees and clones of one are one.
//!
//! Decides by the remote, else by the common git directory. Never runs git, and never keeps a credential of a remote.

use std::fs;
use std::path::{Path, PathBuf};

use hardwon_core::trace::repo::{of_directory, of_remote};

/// How often a remote that is a folder of this machine is followed.
const FOLLOWED: usize = 4;

/// The name of the repository that holds a folder; `None` outside of any.
pub fn identity(folder: &Path) -> Option<String> {
    let mut folder = folder.to_path_buf();
    for _ in 0..FOLLOWED {
        let common = common_dir(&folder)?;
        match remote(&common) {
            Some(url) => match local_path(&url, &common) {
                Some(path) if common_dir(&path).is_some_and(|other| other != common) => folder = path,
                Some(path) => return Some(local_name(&path)),
                None => return Some(of_remote(&url).unwrap_or_else(|| local_name(&common))),
            },
            None => return Some(local_name(&common)),
        }
    }
    None
}

/// The real path of the folder that the git directory of all worktrees of a repository lies in; `None` outside of any.
pub(crate) fn shared_folder(folder: &Path) -> Option<PathBuf> {
    common_dir(folder)?.parent().map(Path::to_path_buf)
}

/// The git directory that all worktrees of a repository share.
fn common_dir(folder: &Path) -> Option<PathBuf> {
    if !folder.is_absolute() {
        return None;
    }
    let dir = folder.ancestors().find_map(git_dir)?;
    let common = match fs::read_to_string(dir.join("commondir")) {
        Ok(path) => dir.join(path.trim()),
        Err(_) => dir,
    };
    fs::canonicalize(common).ok()
}

fn git_dir(folder: &Path) -> Option<PathBuf> {
    let dot = folder.join(".git");
    if dot.is_dir() {
        return Some(dot);
    }
    if let Ok(text) = fs::read_to_string(&dot) {
        return Some(folder.join(text.strip_prefix("gitdir:")?.trim()));
    }
    // A bare repository is its own git directory.
    (folder.join("HEAD").is_file() && folder.join("objects").is_dir()).then(|| folder.to_path_buf())
}

/// The address of `origin`, else of the first remote.
fn remote(common: &Path) -> Option<String> {
    let config = fs::read_to_string(common.join("config")).ok()?;
    let (mut name, mut first, mut origin) = (None, None, None);
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            name = line.strip_prefix("[remote \"").and_then(|rest| rest.split('"').next());
        } else if let (Some(remote), Some((key, value))) = (name, line.split_once('='))
            && key.trim() == "url"
        {
            let value = value.trim().trim_matches('"').to_owned();
            if remote == "origin" {
                origin = Some(value);
            } else if first.is_none() {
                first = Some(value);
            }
        }
    }
    origin.or(first).filter(|url| !url.is_empty())
}

/// The folder that an address names on this machine, if it does.
fn local_path(url: &str, common: &Path) -> Option<PathBuf> {
    let path = url.strip_prefix("file://").unwrap_or(url);
    let is_relative = path.starts_with("./") || path.starts_with("../");
    if !path.starts_with('/') && !is_relative {
        return None;
    }
    // A relative one is seen from the work tree.
    let path = common.parent().unwrap_or(common).join(path);
    Some(fs::canonicalize(&path).unwrap_or(path))
}

/// The name of a repository that only this machine has: its main directory, as where a remote is a path.
fn local_name(path: &Path) -> String {
    let folder = if path.ends_with(".git") { path.parent().unwrap_or(path) } else { path };
    of_directory(&folder.to_string_lossy()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_in_every_spelling_is_one_name() {
        for url in [
            "https://github.com/ann/tools.git",
            "https://ann:s3cret@GitHub.com/ann/tools",
            "git@github.com:ann/tools.git",
            "ssh://git@github.com:22/ann/tools.git/",
        ] {
            assert_eq!(of_remote(url).as_deref(), Some("github.com/ann/tools"), "{url}");
        }
    }

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().expect("inside")).expect("made");
        fs::write(path, text).expect("written");
    }

    #[test]
    fn a_worktree_and_a_clone_are_the_repository() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let at = |name: &str| root.path().join(name);
        put(&at("main/.git/HEAD"), "ref: refs/heads/main\n");
        put(&at("main/.git/worktrees/w/commondir"), "../..\n");
        put(&at("w/.git"), &format!("gitdir: {}\n", at("main/.git/worktrees/w").display()));
        put(&at("clone/.git/config"), &format!("[remote \"origin\"]\n\turl = {}\n", at("main").display()));
        fs::create_dir_all(at("main/src/deep")).expect("made");
        let main = identity(&at("main")).expect("a repository");
        assert_eq!(main, fs::canonicalize(at("main")).expect("a real path").to_string_lossy());
        for folder in ["main/src/deep", "w", "clone"] {
            assert_eq!(identity(&at(folder)).as_ref(), Some(&main), "{folder}");
        }
        put(
            &at("main/.git/config"),
            "[remote \"up\"]\n url = x:a/b\n[remote \"origin\"]\n url = git@h.org:a/b.git\n",
        );
        for folder in ["main", "w", "clone"] {
            assert_eq!(identity(&at(folder)).as_deref(), Some("h.org/a/b"), "{folder}");
        }
        assert_eq!(identity(Path::new("")), None);
        assert_eq!(identity(Path::new("main")), None);
    }
}

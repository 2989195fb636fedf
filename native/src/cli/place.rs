//! Where the store is, and which policy is in force there.
//!
//! Decides the store's path by a fixed order. Never opens it and never makes a directory.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use hardwon_core::policy::Policy;

use super::failure::{Exit, Failure};
use crate::store::store_file;

const VARIABLE: &str = "HARDWON_STORE";
const DIRECTORY: &str = ".hardwon";
const POLICY: &str = "policy.toml";

/// The store's path: the one given by option, by the environment, `.hardwon/` here or above, or the user data
/// directory.
pub(super) fn store_path(given: Option<&Path>) -> Result<PathBuf, Failure> {
    // A variable that is set to nothing is as one that is not set.
    let named = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = given.map(Path::to_path_buf).or(named) {
        return if path.as_os_str() == "-" { Err(no_stream("a store")) } else { Ok(path) };
    }
    match env::current_dir().ok().and_then(|here| nearest(&here)) {
        Some(path) => Ok(path),
        None => user_data(),
    }
}

/// What is said where `-` is given for something that stdin and stdout cannot be.
pub(super) fn no_stream(what: &str) -> Failure {
    let message = format!("{what} cannot be a stream; for a file or directory named `-` write ./-");
    Failure::usage("usage", message)
}

/// The policy beside the store, or the defaults where there is none.
pub(super) fn policy(store: &Path) -> Result<Policy, Failure> {
    let path = store_file(store).with_file_name(POLICY);
    let is_odd = fs::metadata(&path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir());
    if is_odd {
        let message = format!("{}: it is a pipe, a device or a socket; put a file there", path.display());
        return Err(Failure::input("file.unreadable", message));
    }
    match fs::read_to_string(&path) {
        Ok(text) => parse(&path, &text),
        // Where the store itself cannot be reached, that is told when it is opened.
        Err(cause)
            if matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
                || fs::metadata(&path).is_err() =>
        {
            Ok(Policy::default())
        }
        Err(cause) => Err(Failure::reading(&path.display().to_string(), &cause)),
    }
}

fn nearest(here: &Path) -> Option<PathBuf> {
    here.ancestors().map(|folder| folder.join(DIRECTORY)).find(|path| path.is_dir())
}

fn user_data() -> Result<PathBuf, Failure> {
    let dirs = directories::ProjectDirs::from("", "", "hardwon");
    dirs.map(|dirs| dirs.data_dir().to_path_buf()).ok_or_else(|| {
        let message = "this user has no data directory; name a store with --store or HARDWON_STORE";
        Failure::new(Exit::Store, "host.store", message)
    })
}

fn parse(path: &Path, text: &str) -> Result<Policy, Failure> {
    let bad = |what: &str| {
        let what = what.trim_end();
        Failure::input(
            "invalid.policy",
            format!("{}: {what}\ncorrect the file, or remove it", path.display()),
        )
    };
    let policy: Policy = toml::from_str(text).map_err(|problem| bad(&problem.to_string()))?;
    policy.validated().map_err(|problem| bad(&problem.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_directory_above_wins() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let deep = root.path().join("a/b/c");
        fs::create_dir_all(&deep).expect("made");
        fs::create_dir_all(root.path().join(DIRECTORY)).expect("made");
        assert_eq!(nearest(&deep), Some(root.path().join(DIRECTORY)));
        fs::create_dir_all(root.path().join("a/b").join(DIRECTORY)).expect("made");
        assert_eq!(nearest(&deep), Some(root.path().join("a/b").join(DIRECTORY)));
    }

    #[test]
    fn a_policy_is_read_and_its_mistakes_are_named() {
        let path = Path::new("policy.toml");
        let policy = parse(path, "[learn]\npromote_at = 5\n[scope]\nproject = \"p\"\n").expect("valid");
        assert_eq!(policy.learn.promote_at, 5);
        for (text, part) in
            [("[learn]\npromote = 5\n", "promote"), ("[recall]\ntop_k = 0\n", "recall.top_k"), ("[", "1")]
        {
            match parse(path, text) {
                Err(Failure::Error(report)) => assert!(report.message.contains(part), "{}", report.message),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}

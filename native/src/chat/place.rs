//! Where the channel of a project is.
//!
//! Decides by the repository, so that all its worktrees share one. Never makes a file.

use std::path::{Path, PathBuf};

use hardwon_core::error::Error;

use crate::hook::repo::shared_folder;

/// The channel file of the project that holds a folder: one for all worktrees of a repository, else one for the folder.
pub fn usual_path(folder: &Path) -> Result<PathBuf, Error> {
    let dirs = directories::BaseDirs::new().ok_or_else(|| {
        Error::host("channel", "this user has no data directory; name the channel's file with --chat")
    })?;
    Ok(dirs.data_dir().join("engram/chat").join(format!("{}.toml", slug(folder))))
}

/// The real path of the project with its separators turned into dashes.
fn slug(folder: &Path) -> String {
    let project = shared_folder(folder)
        .or_else(|| std::fs::canonicalize(folder).ok())
        .unwrap_or_else(|| folder.to_path_buf());
    project.to_string_lossy().replace(['/', '\\', ':'], "-")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn worktrees_of_one_repository_share_a_channel() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let at = |name: &str| root.path().join(name);
        let put = |name: &str, text: String| {
            fs::create_dir_all(at(name).parent().expect("inside")).expect("made");
            fs::write(at(name), text).expect("written");
        };
        put("main/.git/HEAD", "ref: refs/heads/main\n".into());
        put("main/.git/worktrees/w/commondir", "../..\n".into());
        put("w/.git", format!("gitdir: {}\n", at("main/.git/worktrees/w").display()));
        fs::create_dir_all(at("main/src")).expect("made");
        fs::create_dir_all(at("bare")).expect("made");
        let main = slug(&at("main"));
        let real = fs::canonicalize(at("main")).expect("a real path");
        assert_eq!(main, real.to_string_lossy().replace('/', "-"));
        assert_eq!([slug(&at("w")), slug(&at("main/src"))], [main.clone(), main.clone()]);
        assert!(slug(&at("bare")).ends_with("-bare"), "outside of any repository it is the folder");
    }
}

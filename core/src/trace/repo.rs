//! What identifies a repository: its remote, or the main working directory of a worktree.
//!
//! Decides from the text alone when two clones or worktrees are of one repository. Never asks git or the disk, and
//! never keeps who logs in, or with which password.

use alloc::format;
use alloc::string::{String, ToString};

/// Folders in which tools keep worktrees inside of the repository, each with the worktree's name after it.
const WORKTREES: [&str; 4] = ["/.claude/worktrees/", "/.git/worktrees/", "/.worktrees/", "/.trees/"];

/// Ports that say nothing, because the protocol has them anyway.
const USUAL_PORTS: [&str; 4] = [":22", ":80", ":443", ":9418"];

/// The repository behind a remote, as `host/path`: the same whether it is reached by ssh, https or git, with whatever
/// user, with or without `.git`. A remote that is a path is that path. `None` where the text is none of these.
///
/// ```
/// use hardwon_core::trace::repo::of_remote;
/// let repo = Some("example.org/team/app".to_string());
/// assert_eq!(of_remote("git@example.org:team/app.git"), repo);
/// assert_eq!(of_remote("https://me:secret@Example.org/team/app/"), repo);
/// ```
pub fn of_remote(remote: &str) -> Option<String> {
    let remote = remote.trim();
    if remote.is_empty() || remote.contains(char::is_whitespace) || remote.len() > 2_000 {
        return None;
    }
    if !remote.contains(char::is_alphanumeric) {
        return None;
    }
    if let Some(path) = remote.strip_prefix("file://") {
        return Some(path_of(path));
    }
    let (host, path) = match remote.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?,
        None if remote.starts_with(['/', '.', '~', '\\']) => return Some(path_of(remote)),
        None => split_without_scheme(remote)?,
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host).to_ascii_lowercase();
    let host = USUAL_PORTS.iter().find_map(|port| host.strip_suffix(port)).unwrap_or(&host);
    let path = without_suffix(path);
    let named = host.contains(|c: char| c.is_alphanumeric()) && path.contains(|c: char| c.is_alphanumeric());
    named.then(|| format!("{host}/{path}"))
}

/// The main working directory of a repository that a directory lies in: of a worktree that a tool made inside of its
/// repository the repository's own directory, else the directory itself.
pub fn of_directory(directory: &str) -> &str {
    let end = WORKTREES.iter().filter_map(|folder| directory.find(folder)).filter(|&at| at > 0).min();
    let main = end.and_then(|end| directory.get(..end)).unwrap_or(directory);
    let trimmed = main.trim_end_matches('/');
    if trimmed.is_empty() { main } else { trimmed }
}

/// `user@host:path`, or a remote without its scheme, `host.example/path`.
fn split_without_scheme(remote: &str) -> Option<(&str, &str)> {
    let colon = remote.find(':');
    let slash = remote.find('/');
    match (colon, slash) {
        (Some(colon), _) if slash.is_none_or(|slash| colon < slash) && colon > 1 => {
            Some((remote.get(..colon)?, remote.get(colon + 1..)?))
        }
        (_, Some(slash)) => {
            let (host, path) = (remote.get(..slash)?, remote.get(slash + 1..)?);
            host.contains('.').then_some((host, path))
        }
        _ => None,
    }
}

fn path_of(path: &str) -> String {
    let path = path.trim_end_matches(['/', '\\']);
    let path = path.strip_suffix("/.git").or_else(|| path.strip_suffix(".git")).unwrap_or(path);
    of_directory(path).to_string()
}

fn without_suffix(path: &str) -> &str {
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repository_has_one_name_however_it_is_reached() {
        let same = [
            "git@example.org:team/app.git",
            "ssh://git@example.org/team/app.git",
            "ssh://git@example.org:22/team/app",
            "https://example.org/team/app",
            "https://example.org/team/app.git/",
            "https://me:token@example.org/team/app.git",
            "http://EXAMPLE.org:80/team/app",
            "git://example.org/team/app.git",
            "git+ssh://git@example.org/team/app.git",
            "example.org/team/app",
            "  example.org:team/app.git\n",
            "https://example.org/team/app.git?ref=main#readme",
        ];
        for remote in same {
            assert_eq!(of_remote(remote).as_deref(), Some("example.org/team/app"), "{remote}");
        }
    }

    #[test]
    fn other_repositories_have_other_names() {
        let cases = [
            ("https://example.org:8443/team/app.git", Some("example.org:8443/team/app")),
            ("git@example.org:team/app-next.git", Some("example.org/team/app-next")),
            ("git@example.org:Team/app.git", Some("example.org/Team/app")),
            ("/srv/git/app.git", Some("/srv/git/app")),
            ("file:///srv/git/app/.git", Some("/srv/git/app")),
            ("../app.git", Some("../app")),
            ("...", None),
            ("", None),
            ("origin", None),
            ("two words", None),
            ("https://", None),
            ("https://example.org", None),
            ("https://example.org/", None),
            ("@:/", None),
        ];
        for (remote, name) in cases {
            assert_eq!(of_remote(remote).as_deref(), name, "{remote}");
        }
    }

    #[test]
    fn worktrees_belong_to_their_repository() {
        let cases = [
            ("/home/me/app", "/home/me/app"),
            ("/home/me/app/", "/home/me/app"),
            ("/home/me/app/.claude/worktrees/fix-17", "/home/me/app"),
            ("/home/me/app/.claude/worktrees/fix-17/src", "/home/me/app"),
            ("/home/me/app/.git/worktrees/x", "/home/me/app"),
            ("/home/me/app/.worktrees/x", "/home/me/app"),
            ("/home/me/worktrees/x", "/home/me/worktrees/x"),
            ("/.worktrees/x", "/.worktrees/x"),
            ("/", "/"),
            ("", ""),
        ];
        for (directory, main) in cases {
            assert_eq!(of_directory(directory), main, "{directory}");
        }
    }
}

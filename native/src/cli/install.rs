//! `install`, `uninstall`, `agents-md`: hooks, skill and lessons in the files of coding agents.
//!
//! Decides where a home or a project is, and shows what would change. Never asks twice: what is done can be undone by
//! the other verb.

use core::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args::{AgentsMd, Global, Install, InstallTarget};
use super::console::{BAD, Console, DIM, GOOD, count, one_line, styled};
use super::engine::{Access, Engine};
use super::failure::{Exit, Failure};
use super::place::{self, no_stream};
use crate::hook::repo_identity;
use crate::install::{self, Change, Problem, Site, Target, diff};

pub(super) fn install(global: &Global, args: &Install, console: Console) -> Result<Exit, Failure> {
    let changes = site(global, args)?.install().map_err(problem)?;
    carry_out("install", args, &changes, console)
}

pub(super) fn uninstall(global: &Global, args: &Install, console: Console) -> Result<Exit, Failure> {
    let changes = site(global, args)?.uninstall().map_err(problem)?;
    carry_out("uninstall", args, &changes, console)
}

pub(super) fn agents_md(global: &Global, args: &AgentsMd, console: Console) -> Result<Exit, Failure> {
    if args.write.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(no_stream("the file"));
    }
    let policy = place::policy(&place::store_path(global.store.as_deref())?)?;
    let mut engine = Engine::open(global, Access::Read, console)?;
    let scope = args.scope.given().unwrap_or_else(|| {
        let repo = std::env::current_dir().ok().and_then(|here| repo_identity(&here));
        let scope = policy.scope.clone();
        match repo {
            Some(repo) => scope.with(hardwon_core::record::ScopeKey::Repo, &repo),
            None => scope,
        }
    });
    let view = engine.view()?;
    let lessons = install::lessons(view, &policy, &scope);
    if lessons.is_empty() {
        console.notice("no strategic lesson may speak here yet; they come with recurrence");
    }
    let before = match &args.write {
        Some(path) => install::read(path).map_err(problem)?,
        None => None,
    };
    let after = install::with_block(before.as_deref().unwrap_or_default(), &lessons);
    let Some(path) = args.write.clone() else {
        let ids: Value = lessons.iter().map(|record| json!(record.id)).collect();
        console.answer(
            || json!({ "verb": "agents-md", "lessons": ids, "text": after, "files": [] }),
            || after.clone(),
        )?;
        return Ok(Exit::Done);
    };
    let ids: Value = lessons.iter().map(|record| json!(record.id)).collect();
    let change =
        Change { after: (before.is_some() || !after.is_empty()).then(|| after.clone()), before, path };
    if !args.dry_run {
        write(&change)?;
    }
    let json =
        || json!({ "verb": "agents-md", "lessons": ids, "text": after, "files": [file_json(&change)] });
    console.confirm(json, || file_text(&change, args.dry_run))?;
    Ok(Exit::Done)
}

fn carry_out(
    verb: &'static str,
    args: &Install,
    changes: &[Change],
    console: Console,
) -> Result<Exit, Failure> {
    if !args.dry_run {
        changes.iter().try_for_each(write)?;
    }
    let json = || {
        json!({
            "verb": verb, "agent": args.agent.name(), "project": args.project, "dry_run": args.dry_run,
            "files": changes.iter().map(file_json).collect::<Value>(),
        })
    };
    console.confirm(json, || {
        let mut out: String = changes.iter().map(|change| file_text(change, args.dry_run)).collect();
        if changes.iter().all(Change::is_idle) {
            out.push_str("Nothing to do.\n");
        } else if args.dry_run {
            let changed = changes.iter().filter(|change| !change.is_idle()).count();
            let _ = writeln!(out, "{} would change. Nothing was written.", count(changed as u64, "file"));
        } else if args.agent == InstallTarget::Codex && verb == "install" {
            out.push_str("Codex asks once whether these hooks may run: /hooks in its prompt.\n");
        }
        out
    })?;
    Ok(Exit::Done)
}

fn site(global: &Global, args: &Install) -> Result<Site, Failure> {
    let root = if args.project { project()? } else { home()? };
    let target = match args.agent {
        InstallTarget::Claude => Target::Claude,
        InstallTarget::Codex => Target::Codex,
        InstallTarget::Cursor => Target::Cursor,
        InstallTarget::Opencode => Target::OpenCode,
    };
    // Settings of a project are shared: there the command is found by its name.
    let program = match global.program.for_hooks() {
        Some(path) if !args.project => quoted(&path),
        _ => "hardwon".into(),
    };
    let store = global.store.as_deref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.into()));
    let command = match store {
        Some(path) => format!("{program} --store {}", quoted(&path)),
        None => program,
    };
    Ok(Site { target, root, project: args.project, command })
}

/// A path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+');
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

fn home() -> Result<PathBuf, Failure> {
    directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_path_buf()).ok_or_else(|| {
        Failure::input("file.missing", "this user has no home directory; use --project in a project")
    })
}

/// The root of the repository here, else the present directory.
fn project() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(|cause| Failure::reading(".", &cause))?;
    let root = here.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_path_buf);
    Ok(root.unwrap_or(here))
}

fn problem(problem: Problem) -> Failure {
    match problem {
        Problem::Unreadable(path, cause) => Failure::reading(&path.display().to_string(), &cause),
        Problem::Unknown(path, what) => Failure::input(
            "invalid.settings",
            format!("{}: {what}. Nothing was changed; correct the file by hand", path.display()),
        ),
    }
}

fn write(change: &Change) -> Result<(), Failure> {
    change.carry_out().map_err(|cause| {
        let message =
            format!("{}: it could not be written ({cause}); it is as it was", change.path.display());
        Failure::input("file.unwritable", message)
    })
}

fn action(change: &Change) -> &'static str {
    match (&change.before, &change.after) {
        _ if change.is_idle() => "unchanged",
        (None, _) => "created",
        (_, None) => "removed",
        _ => "changed",
    }
}

fn file_json(change: &Change) -> Value {
    json!({ "path": change.path.display().to_string(), "action": action(change), "diff": difference(change) })
}

fn difference(change: &Change) -> String {
    if change.is_idle() {
        return String::new();
    }
    diff(change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default())
}

fn file_text(change: &Change, dry_run: bool) -> String {
    let mut out = format!("{:<9}  {}\n", action(change), one_line(&change.path.display().to_string()));
    if dry_run {
        for line in difference(change).lines() {
            let style = match line.chars().next() {
                Some('+') => GOOD,
                Some('-') => BAD,
                _ => DIM,
            };
            let _ = writeln!(out, "  {}", styled(style, &one_line(line)));
        }
    }
    out
}

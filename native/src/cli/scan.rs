//! `scan`: what came back in the histories of coding agents, before anything is learned for good.
//!
//! Decides what is read and what is told. The store is only looked at, for what was shown already; nothing is written
//! but the page that was asked for.

mod json;
mod text;

use std::path::{Path, PathBuf};
use std::{env, fs};

use hardwon_core::error::Error;
use hardwon_core::op::{Input, List, Output};
use hardwon_core::policy::Policy;
use hardwon_core::record::Record;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{Global, Scan};
use super::console::{Console, one_line};
use super::engine::{Access, Engine};
use super::failure::{Exit, Failure, Report as Told};
use super::place::{self, no_stream};
use super::sources::{Source, Sources};
use super::transfer::{unwritable, write_file};
use super::words;
use crate::scan::finding;
use crate::scan::page;
use crate::scan::places::{self, Session, State};
use crate::scan::pool;
use crate::scan::report::{Failed, Looked, Report};
use crate::scan::study::{Desk, Prepared, Study};
use crate::store::store_file;

/// From so many bytes or files on, work is long enough for a progress bar.
const LONG_BYTES: u64 = 4 << 20;
const LONG_FILES: usize = 50;

/// Something to read.
enum Job {
    /// What the caller named, and what lies below.
    Named(Source),
    /// A session found at the place of an agent.
    Found(Session, &'static str),
}

/// Everything to read, and what became of looking for it.
#[derive(Default)]
struct Jobs {
    list: Vec<Job>,
    report: Report,
    errors: Vec<Told>,
}

pub(super) fn scan(global: &Global, args: &Scan, console: Console) -> Result<Exit, Failure> {
    if args.html.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(no_stream("a page"));
    }
    let home = home();
    let mut jobs =
        if args.paths.is_empty() { Jobs::of_agents(home.as_deref())? } else { Jobs::named(&args.paths) };
    let store = place::store_path(global.store.as_deref()).ok();
    let policy = match &store {
        Some(store) => place::policy(store)?,
        None => Policy::default(),
    };
    let mut study = Study::new(policy.clone())?;
    study.know(store.map_or_else(Vec::new, |store| known(global, &store, console)));
    jobs.read(&mut study, policy, console)?;
    let Jobs { mut report, errors, .. } = jobs;
    conclude(&mut report, &mut study, args, home.as_deref())?;
    if let Some(path) = &args.html {
        let page = page::of(&report)?;
        write_file(path, |out| out.write_all(page.as_bytes())).map_err(|cause| unwritable(path, &cause))?;
    }
    console.answer(|| json::of(&report, args.html.as_deref()), || text::of(&report, args))?;
    for told in &errors {
        console.error(told);
    }
    Ok(errors.first().map_or(Exit::Done, |told| told.exit))
}

fn home() -> Option<PathBuf> {
    env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from).or_else(env::home_dir)
}

/// The lessons that are in the store already: what was shown, and what came of it, is known of these alone. A store
/// that is not there or cannot be read does not keep anybody from scanning.
fn known(global: &Global, store: &Path, console: Console) -> Vec<Record> {
    if !fs::metadata(store_file(store)).is_ok_and(|meta| meta.is_file() && meta.len() > 0) {
        return Vec::new();
    }
    let listed = Engine::open(global, Access::Read, console)
        .and_then(|mut engine| engine.run(Input::List(List::default())));
    match listed {
        Ok(Output::Listed { records, .. }) => records,
        _ => Vec::new(),
    }
}

impl Jobs {
    /// The histories of the agents below a home.
    fn of_agents(home: Option<&Path>) -> Result<Self, Failure> {
        let Some(home) = home else {
            return Err(Failure::usage(
                "usage",
                "there is no home to look in: set HOME, or name files or directories",
            ));
        };
        let mut out = Self::default();
        for found in places::look(home, |name| env::var_os(name)) {
            let mut looked = Looked {
                agent: found.agent,
                path: tilde(&found.path, Some(home)),
                state: "found",
                sessions: 0,
                bytes: 0,
                message: String::new(),
            };
            match found.state {
                State::Missing => looked.state = "missing",
                State::LeadsOut => looked.state = "leads_out",
                State::Unknown => looked.state = "unknown_form",
                State::Unreadable(cause) => {
                    looked.state = "unreadable";
                    looked.message = Told::reading(&looked.path, &cause).message;
                }
                State::Sessions(sessions) => {
                    looked.sessions = sessions.len();
                    looked.bytes = sessions.iter().map(Session::bytes).sum();
                    out.report.bytes += looked.bytes;
                    out.list.extend(sessions.into_iter().map(|session| Job::Found(session, found.agent)));
                }
            }
            for (path, cause) in found.closed {
                let path = tilde(&path, Some(home));
                out.miss(path.clone(), Told::reading(&path, &cause));
            }
            out.report.looked.push(looked);
        }
        Ok(out)
    }

    /// What the caller named.
    fn named(paths: &[PathBuf]) -> Self {
        let sources = Sources::find(paths);
        let mut out = Self::default();
        out.report.not_traces = sources.others;
        for (path, told) in sources.failed {
            out.miss(path, told);
        }
        for source in sources.list {
            match &source {
                Source::File { path, named: false } if path.is_symlink() => out.report.not_traces += 1,
                _ => {
                    out.report.bytes += source.size();
                    out.list.push(Job::Named(source));
                }
            }
        }
        out
    }

    fn miss(&mut self, path: String, told: Told) {
        self.report.failed.push(Failed { path, code: told.code.clone(), message: told.message.clone() });
        self.errors.push(told);
    }

    /// Reads and mines on several threads, and takes in on this one, in order.
    fn read(&mut self, study: &mut Study, policy: Policy, console: Console) -> Result<(), Failure> {
        let limit = policy.limits.trace_bytes;
        let desk = Desk::new(policy)?;
        let jobs = core::mem::take(&mut self.list);
        let bar = progress(self.report.bytes, jobs.len(), console);
        let work = |at: usize| jobs[at].text(limit).and_then(|text| Ok(desk.prepare(text)?));
        let all = pool::in_order(jobs.len(), work, |at, prepared| {
            bar.set_message(one_line(&jobs[at].name()));
            let done = self.take(study, &jobs[at], prepared);
            bar.inc(jobs[at].bytes());
            done
        });
        bar.finish_and_clear();
        all
    }

    fn take(
        &mut self,
        study: &mut Study,
        job: &Job,
        prepared: Result<Prepared, Failure>,
    ) -> Result<(), Failure> {
        let name = job.name();
        let taken = prepared.and_then(|prepared| Ok(study.take(prepared, job.agent())?));
        match taken.map_err(|failure| failure.about(&name)) {
            Ok(_) => self.report.files += 1,
            Err(Failure::Error(told)) if told.exit == Exit::Input || told.exit == Exit::NotFound => {
                let is_no_trace = matches!(told.code.as_str(), "invalid.format" | "file.binary");
                if is_no_trace && !job.is_named() {
                    self.report.not_traces += 1;
                } else {
                    self.miss(name, told);
                }
            }
            Err(other) => return Err(other),
        }
        Ok(())
    }
}

impl Job {
    fn name(&self) -> String {
        match self {
            Self::Named(source) => source.name(),
            Self::Found(session, _) => session.path().display().to_string(),
        }
    }

    fn agent(&self) -> Option<&str> {
        match self {
            Self::Named(_) => None,
            Self::Found(_, agent) => Some(agent),
        }
    }

    fn is_named(&self) -> bool {
        matches!(self, Self::Named(source) if source.is_named())
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Named(source) => source.size(),
            Self::Found(session, _) => session.bytes(),
        }
    }

    /// The text of it: of a session in many files, one event a line.
    fn text(&self, limit: u64) -> Result<String, Failure> {
        let file = |path: &PathBuf| Source::File { path: path.clone(), named: false }.read(limit);
        match self {
            Self::Named(source) => Ok(source.read(limit)?.text),
            Self::Found(session, _) => {
                let texts = session.files().iter().map(|path| Ok(file(path)?.text));
                Ok(texts.collect::<Result<Vec<_>, Failure>>()?.join("\n"))
            }
        }
    }
}

/// Brings together what was found.
fn conclude(report: &mut Report, study: &mut Study, args: &Scan, home: Option<&Path>) -> Result<(), Error> {
    report.findings = finding::all(study)?;
    for one in &mut report.findings {
        one.why = words::reason(&one.reason).to_string();
    }
    report.sessions = study.sessions;
    report.runs = study.runs();
    report.events = study.events;
    (report.first, report.last) = (study.first, study.last);
    report.skipped = core::mem::take(&mut study.skipped);
    report.bad_lines = core::mem::take(&mut study.bad_lines);
    for agent in study.agents.values() {
        *report.agents.entry(agent.clone()).or_default() += 1;
    }
    report.next = next(report, args, home);
    Ok(())
}

/// What to type next.
fn next(report: &Report, args: &Scan, home: Option<&Path>) -> Vec<(String, &'static str)> {
    if report.runs == 0 {
        return vec![
            ("hardwon scan DIR".into(), "read traces that lie elsewhere"),
            ("hardwon demo".into(), "see what it does, in a story of three runs"),
        ];
    }
    let found = |one: &&Looked| one.state == "found" && one.sessions > 0;
    let places: Vec<String> = if args.paths.is_empty() {
        report.looked.iter().filter(found).map(|one| quoted(&one.path)).collect()
    } else {
        args.paths.iter().map(|path| quoted(&tilde(path, home))).collect()
    };
    let mut out = vec![
        (format!("hardwon learn {}", places.join(" ")), "keep these lessons, so that they are said in time"),
        ("hardwon list".into(), "then: what is known"),
    ];
    if args.html.is_none() {
        let own = if args.paths.is_empty() { String::new() } else { format!(" {}", places.join(" ")) };
        out.push((
            format!("hardwon scan{own} --html report.html"),
            "this report as a page, with every timeline",
        ));
    }
    out
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-~+@%,:".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        return path.to_string();
    }
    // Inside of quotes a shell leaves `~` as it is.
    let (home, rest) = path.strip_prefix("~/").map_or(("", path), |rest| ("~/", rest));
    format!("{home}'{}'", rest.replace('\'', "'\\''"))
}

/// A path below the home, as people write it.
fn tilde(path: &Path, home: Option<&Path>) -> String {
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".into(),
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}

fn progress(bytes: u64, files: usize, console: Console) -> ProgressBar {
    if (bytes < LONG_BYTES && files < LONG_FILES) || !console.shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {bytes:>10} of {total_bytes:<10} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_people_and_shells_have_them() {
        let home = Path::new("/home/me");
        assert_eq!(tilde(Path::new("/home/me/.codex"), Some(home)), "~/.codex");
        assert_eq!(tilde(Path::new("/home/me"), Some(home)), "~");
        assert_eq!(tilde(Path::new("/srv/x"), Some(home)), "/srv/x");
        assert_eq!(quoted("~/.claude/projects"), "~/.claude/projects");
        assert_eq!(quoted("it's here"), "'it'\\''s here'");
        assert_eq!(quoted("~/my files"), "~/'my files'");
        assert_eq!(quoted(""), "''");
    }
}

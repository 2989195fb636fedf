//! `import --facts` and `export --facts`: facts of other memories, and facts as Markdown for people.
//!
//! Decides which files are read. Never decides what in them is a fact.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use hardwon_core::op::{Document, ExportFacts, Gathered, ImportFacts, Input, Output};
use hardwon_core::record::Scope;
use serde_json::json;

use super::args::{Export, Global, Import};
use super::console::{self, Console, count, one_line};
use super::engine::{Access, Engine, wrong_answer};
use super::failure::{Exit, Failure};
use super::read::with_verb;
use super::transfer::{unwritable, write_file};
use super::words;

pub(super) fn import(global: &Global, args: &Import, console: Console) -> Result<Exit, Failure> {
    let documents = args.files.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?.concat();
    let input = ImportFacts {
        documents,
        format: args.facts.format,
        subtype: args.facts.subtype,
        scope: args.scope.given().or_else(|| args.facts.everywhere.then(Scope::global)),
        source: args.facts.source,
        actor: args.by.actor.clone(),
        reason: String::new(),
    };
    let mut engine = Engine::open(global, Access::Write, console)?;
    let Output::Gathered(told) = engine.run(Input::ImportFacts(input))? else {
        return Err(wrong_answer("import"));
    };
    console.confirm(|| with_verb("import_facts", &told), || text(&told))?;
    Ok(Exit::Done)
}

pub(super) fn export(global: &Global, args: &Export, console: Console) -> Result<Exit, Failure> {
    let mut engine = Engine::open(global, Access::Read, console)?;
    let input = ExportFacts { scope: args.scope.given() };
    let Output::FactsWritten { text, total } = engine.run(Input::ExportFacts(input))? else {
        return Err(wrong_answer("export"));
    };
    let Some(path) = args.file.as_ref().filter(|path| path.as_os_str() != "-") else {
        console::print(&text)?;
        return Ok(Exit::Done);
    };
    write_file(path, |out| out.write_all(text.as_bytes())).map_err(|cause| unwritable(path, &cause))?;
    let name = path.display().to_string();
    let json = || json!({ "verb": "export_facts", "file": name, "facts": total });
    console.confirm(json, || format!("Wrote {} to {}.\n", count(total, "fact"), one_line(&name)))?;
    Ok(Exit::Done)
}

/// A file, the Markdown files of a folder, or stdin.
fn read(path: &Path) -> Result<Vec<Document>, Failure> {
    let name = path.display().to_string();
    let unread = |cause: &std::io::Error| Failure::reading(&name, cause);
    if path.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(|cause| unread(&cause))?;
        return Ok(vec![Document { name, text }]);
    }
    if !path.is_dir() {
        let text = fs::read_to_string(path).map_err(|cause| unread(&cause))?;
        return Ok(vec![Document { name, text }]);
    }
    let entries = fs::read_dir(path).map_err(|cause| unread(&cause))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|file| file.is_file() && file.extension().is_some_and(|end| end == "md"));
    files.sort();
    files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>().map(|all| all.concat())
}

fn text(told: &Gathered) -> String {
    let mut parts: Vec<String> =
        told.outcomes.iter().map(|(outcome, n)| format!("{n} {}", words::plain(outcome))).collect();
    parts.extend(
        told.skipped.iter().map(|(reason, n)| format!("{n} passed over ({})", words::passed_over(reason))),
    );
    if parts.is_empty() {
        return format!("No fact was found ({}).\n", words::plain(&told.format));
    }
    format!("{}.\n", parts.join(", "))
}

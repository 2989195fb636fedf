//! `export` and `import`: a header line, then one record a line.
//!
//! Decides the layout of the file. Never changes a record on its way: what was exported comes back as it was.

use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use hardwon_core::codec::canonical;
use hardwon_core::env::RecordId;
use hardwon_core::op::{ExportRecords, ImportRecords, Input, Output};
use hardwon_core::record::Record;
use hardwon_core::step::StoredVector;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::args::{Export, Global, Import};
use super::console::{Console, count, one_line};
use super::engine::{Access, Engine, wrong_answer};
use super::exchange;
use super::failure::{Exit, Failure};
use super::words;

/// What the first line says the file is.
const NAME: &str = "hardwon-export";
/// The layout written, and the newest that is read.
const VERSION: u32 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    space: String,
    records: u64,
}

/// Every other line: a record with its vectors.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    record: Record,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    vectors: Vec<StoredVector>,
}

pub(super) fn export(global: &Global, args: &Export, console: Console) -> Result<Exit, Failure> {
    if args.facts {
        return exchange::export(global, args, console);
    }
    let mut engine = Engine::open(global, Access::Read, console)?;
    let input = ExportRecords { scope: args.scope.given(), without_vectors: args.without_vectors };
    let Output::Exported { records, vectors } = engine.run(Input::ExportRecords(input))? else {
        return Err(wrong_answer("export"));
    };
    let n = records.len() as u64;
    let header = Header { format: NAME.into(), version: VERSION, space: global.space.clone(), records: n };
    let lines = with_vectors(records, vectors);
    let Some(path) = args.file.as_ref().filter(|path| path.as_os_str() != "-") else {
        let mut out = BufWriter::new(io::stdout().lock());
        write_lines(&mut out, &header, &lines).map_err(|cause| Failure::output(&cause))?;
        return Ok(Exit::Done);
    };
    write_file(path, |out| write_lines(out, &header, &lines)).map_err(|cause| unwritable(path, &cause))?;
    let name = path.display().to_string();
    let json = || json!({ "verb": "export", "file": name, "records": n });
    console.confirm(json, || format!("Exported {} to {}.\n", count(n, "record"), one_line(&name)))?;
    Ok(Exit::Done)
}

pub(super) fn import(global: &Global, args: &Import, console: Console) -> Result<Exit, Failure> {
    if args.facts.is_on {
        return exchange::import(global, args, console);
    }
    let [file] = args.files.as_slice() else {
        return Err(Failure::usage("usage.file", "an export is one file; with --facts there may be several"));
    };
    if args.scope.given().is_some() {
        return Err(Failure::usage(
            "usage.file",
            "the records of an export have their scopes; --scope goes with --facts",
        ));
    }
    let name = file.display().to_string();
    let lines = if file.as_os_str() == "-" {
        read_lines(&name, io::stdin().lock())?
    } else {
        let file = fs::File::open(file).map_err(|cause| Failure::reading(&name, &cause))?;
        read_lines(&name, BufReader::new(file))?
    };
    let mut input = ImportRecords { actor: args.by.actor.clone(), ..ImportRecords::default() };
    for line in lines {
        input.records.push(line.record);
        input.vectors.extend(line.vectors);
    }
    let mut engine = Engine::open(global, Access::Write, console)?;
    let Output::Imported { inserted, merged, unchanged, refused, op } =
        engine.run(Input::ImportRecords(input))?
    else {
        return Err(wrong_answer("import"));
    };
    let json = || {
        json!({
            "verb": "import", "inserted": inserted, "merged": merged, "unchanged": unchanged, "refused": refused,
            "op": op.map(|op| op.to_string()),
        })
    };
    let text = || {
        let refused = refused.iter().map(|(reason, n)| format!("{n} refused ({})", words::reason(reason)));
        let taken = [format!("{inserted} new, {merged} merged, {unchanged} there already")];
        format!("{}.\n", taken.into_iter().chain(refused).collect::<Vec<_>>().join(", "))
    };
    console.confirm(json, text)?;
    Ok(Exit::Done)
}

/// What is said where a file cannot be written.
pub(super) fn unwritable(path: &Path, cause: &io::Error) -> Failure {
    let name = path.display();
    let what = match cause.kind() {
        io::ErrorKind::BrokenPipe => return Failure::Closed,
        io::ErrorKind::NotFound => {
            "its folder does not exist; make it first, or give another path".to_string()
        }
        io::ErrorKind::IsADirectory => "it is a folder; give the path of a file".to_string(),
        io::ErrorKind::PermissionDenied => "you may not write there; give another path".to_string(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk or quota is full; free some space, or give another path".to_string()
        }
        _ => format!("it could not be written ({cause}); give another path"),
    };
    let older = if path.is_file() { ". The older file there is as it was" } else { "" };
    Failure::input("file.unwritable", format!("{name}: {what}{older}"))
}

fn with_vectors(records: Vec<Record>, vectors: Vec<StoredVector>) -> Vec<Line> {
    let mut by_record = std::collections::BTreeMap::<RecordId, Vec<StoredVector>>::new();
    for one in vectors {
        by_record.entry(one.record).or_default().push(one);
    }
    records
        .into_iter()
        .map(|record| Line { vectors: by_record.remove(&record.id).unwrap_or_default(), record })
        .collect()
}

fn write_lines(out: &mut (impl Write + ?Sized), header: &Header, lines: &[Line]) -> io::Result<()> {
    writeln!(out, "{}", canonical(header))?;
    for line in lines {
        writeln!(out, "{}", canonical(line))?;
    }
    out.flush()
}

/// Writes beside the file and puts it in place whole, so that a full disk leaves an older file as it was. A pipe or a
/// device is written as it is, and a link to a file stays a link.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        let stream = fs::OpenOptions::new().write(true).open(path)?;
        let mut stream = BufWriter::new(stream);
        write(&mut stream)?;
        return stream.flush();
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = BufWriter::new(tempfile::NamedTempFile::new_in(folder)?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|problem| problem.error)?;
    Ok(())
}

/// The lines of an export, all of them or none: a file that is cut or damaged is refused whole.
fn read_lines(name: &str, from: impl BufRead) -> Result<Vec<Line>, Failure> {
    let bad = |n: usize, what: &str| {
        Failure::input("invalid.export", format!("{name}, line {n}: {what}. Nothing was imported"))
    };
    let mut lines = from.lines().enumerate().map(|(n, line)| (n + 1, line));
    let first = match lines.next() {
        Some((_, Ok(line))) => line,
        Some((n, Err(cause))) => return Err(bad(n, &cause.to_string())),
        None => return Err(bad(1, "the file is empty and no export")),
    };
    let header: Header = serde_json::from_str(&first)
        .map_err(|_| bad(1, "it is not the header of an export; `hardwon learn` takes traces"))?;
    see_version(name, &header)?;
    let mut out = Vec::new();
    for (n, line) in lines {
        let line = line.map_err(|cause| bad(n, &cause.to_string()))?;
        if !line.trim().is_empty() {
            out.push(serde_json::from_str::<Line>(&line).map_err(|problem| bad(n, &problem.to_string()))?);
        }
    }
    if out.len() as u64 != header.records {
        return Err(bad(
            1,
            &format!("it announces {} and {} follow", count(header.records, "record"), out.len()),
        ));
    }
    Ok(out)
}

fn see_version(name: &str, header: &Header) -> Result<(), Failure> {
    if header.format != NAME {
        return Err(Failure::input(
            "invalid.export",
            format!("{name}: it is a {:?}, and no export of hardwon", header.format),
        ));
    }
    if header.version > VERSION {
        let message = format!(
            "{name}: the export has layout {}, and this build reads up to {VERSION}. Nothing was imported; update hardwon",
            header.version
        );
        return Err(Failure::new(Exit::Damaged, "incompatible", message));
    }
    Ok(())
}

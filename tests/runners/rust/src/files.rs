//! Where vectors, their sources and the lists of names lie.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The project's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The vectors of every file, in order: file name and vectors.
pub fn vectors() -> Result<Vec<(String, Vec<Value>)>, String> {
    let files = with_extension(&root().join("tests/vectors"), "jsonl")?;
    files
        .into_iter()
        .map(|(name, text)| Ok((name, text.lines().map(parse).collect::<Result<_, _>>()?)))
        .collect()
}

/// The scenarios of every source, in order: file name and scenarios.
pub fn scenarios() -> Result<Vec<(String, Vec<Value>)>, String> {
    let files = with_extension(&root().join("tests/vectors/src"), "json")?;
    files
        .into_iter()
        .map(|(name, text)| match parse(&text).map_err(|problem| format!("{name}.json: {problem}"))? {
            Value::Array(list) => Ok((name, list)),
            _ => Err(format!("{name}.json is not a list of scenarios")),
        })
        .collect()
}

/// Writes the vectors of one file, one a line.
pub fn write(name: &str, vectors: &[Value]) -> Result<(), String> {
    let lines: String = vectors.iter().map(|vector| format!("{vector}\n")).collect();
    let path = root().join("tests/vectors").join(name).with_extension("jsonl");
    fs::write(path, lines).map_err(|problem| problem.to_string())
}

/// Writes the names that ran, for the comparison of hosts.
pub fn write_names(host: &str, names: &[String]) -> Result<(), String> {
    let folder = root().join("target/vectors");
    fs::create_dir_all(&folder).map_err(|problem| problem.to_string())?;
    let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
    fs::write(folder.join(host).with_extension("txt"), lines).map_err(|problem| problem.to_string())
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|problem| problem.to_string())
}

fn with_extension(folder: &Path, extension: &str) -> Result<Vec<(String, String)>, String> {
    let entries = fs::read_dir(folder).map_err(|problem| format!("{}: {problem}", folder.display()))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            fs::read_to_string(&path).map(|text| (name, text)).map_err(|problem| problem.to_string())
        })
        .collect()
}

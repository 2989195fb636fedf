//! Inspect's archives (`.eval`): a ZIP file of a header and one file a sample.
//!
//! Decides which entries make up the log. Writes nothing to disk, and unpacks no more than the limit of one trace.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use serde_json::{Map, Value};
use zip::ZipArchive;
use zip::result::ZipError;

/// The entry that tells what was run.
const HEADER: &str = "header.json";
/// Where the entries of samples are.
const SAMPLES: &str = "samples/";

/// Why an archive gives no log.
#[derive(Debug)]
pub(super) enum Refused {
    /// It is no archive of Inspect.
    Other,
    /// It is one and is damaged, or packed in a way that is not known.
    Broken(String),
    /// It holds more bytes than one trace may have.
    TooLarge,
}

/// The log that an archive holds, in the form of a JSON log: the header with all samples in it.
pub(super) fn log_of(path: &Path, limit: u64) -> Result<String, Refused> {
    let file = File::open(path).map_err(|cause| Refused::Broken(cause.to_string()))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| Refused::Other)?;
    let mut left = limit;
    let mut log: Map<String, Value> = match archive.by_name(HEADER) {
        Ok(entry) => parsed(entry, &mut left)?,
        Err(ZipError::FileNotFound) => return Err(Refused::Other),
        Err(problem) => return Err(Refused::Broken(problem.to_string())),
    };
    let names = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned()));
    let mut names: Vec<String> = names.filter(|name| is_sample(name)).collect();
    names.sort();
    let mut samples: Vec<Value> = Vec::new();
    for name in names {
        let entry = archive.by_name(&name).map_err(|problem| Refused::Broken(problem.to_string()))?;
        samples.push(parsed(entry, &mut left)?);
    }
    log.insert("samples".into(), samples.into());
    Ok(Value::Object(log).to_string())
}

fn is_sample(name: &str) -> bool {
    name.strip_prefix(SAMPLES).is_some_and(|name| name.rsplit_once('.').is_some_and(|(_, end)| end == "json"))
}

/// An entry as JSON. What its head says of its size is not believed.
fn parsed<T: serde::de::DeserializeOwned>(entry: impl Read, left: &mut u64) -> Result<T, Refused> {
    let mut bytes = Vec::new();
    let read = entry.take(left.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|cause: io::Error| Refused::Broken(cause.to_string()))?;
    *left = left.checked_sub(bytes.len() as u64).ok_or(Refused::TooLarge)?;
    serde_json::from_slice(&bytes).map_err(|problem| Refused::Broken(problem.to_string()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use serde_json::json;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn packed(entries: &[(&str, String)]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let mut zip = ZipWriter::new(file.reopen().expect("a file"));
        for (name, text) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            zip.write_all(text.as_bytes()).expect("written");
        }
        zip.finish().expect("an archive");
        file
    }

    fn whole() -> Vec<(&'static str, String)> {
        vec![
            (HEADER, json!({ "version": 2, "eval": { "run_id": "r1" } }).to_string()),
            ("samples/b_epoch_1.json", json!({ "id": "b" }).to_string()),
            ("samples/a_epoch_1.json", json!({ "id": "a" }).to_string()),
            ("summaries.json", "[]".into()),
        ]
    }

    #[test]
    fn the_log_is_the_header_with_its_samples_in_order() {
        let log = log_of(packed(&whole()).path(), 10_000).expect("a log");
        let log: Value = serde_json::from_str(&log).expect("JSON");
        let wanted =
            json!({ "version": 2, "eval": { "run_id": "r1" }, "samples": [{ "id": "a" }, { "id": "b" }] });
        assert_eq!(log, wanted);
    }

    #[test]
    fn others_broken_ones_and_bombs_are_refused() {
        let other = packed(&[("word/document.xml", "<w/>".into())]);
        assert!(matches!(log_of(other.path(), 10_000), Err(Refused::Other)));
        let bomb =
            packed(&[(HEADER, "{}".into()), ("samples/a.json", format!("\"{}\"", "0".repeat(1 << 20)))]);
        assert!(matches!(log_of(bomb.path(), 4096), Err(Refused::TooLarge)));
        let broken = packed(&[(HEADER, "{".into())]);
        assert!(matches!(log_of(broken.path(), 10_000), Err(Refused::Broken(_))));
        // Bytes turned over anywhere give an answer, and no panic.
        let file = packed(&whole());
        let bytes = std::fs::read(file.path()).expect("read");
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0xff;
            std::fs::write(file.path(), &bytes).expect("written");
            let _ = log_of(file.path(), 10_000);
        }
    }
}

//! The files that people read: everything in the project but what tools make and data.

use std::fs;
use std::path::{Path, PathBuf};

/// A text file of the project.
#[derive(Debug, Clone)]
pub struct File {
    /// Its path from the project's root, with `/`.
    pub path: String,
    /// What is in it.
    pub text: String,
}

impl File {
    /// Whether it is Rust source.
    pub fn is_rust(&self) -> bool {
        self.extension() == "rs"
    }

    /// What follows the last dot of its name.
    pub fn extension(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

/// Folders that hold what tools make, or data.
const SKIPPED: [&str; 7] = ["target", "node_modules", "data", "dist", "corpus", "artifacts", "__pycache__"];

/// The project's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every text file of the project, in the order of their paths.
pub fn all() -> Vec<File> {
    let mut found = Vec::new();
    walk(&root(), "", &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<File>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            let is_hidden = name.starts_with('.') && name != ".ci";
            if !is_hidden && !SKIPPED.contains(&name.as_str()) {
                walk(&entry.path(), &format!("{path}/"), found);
            }
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            found.push(File { path, text });
        }
    }
}

//! Where real traces lie: beside the project in development and in CI, and nowhere else.

use std::path::{Path, PathBuf};

/// The folder of real traces, one folder a format; `None`, with a notice, where there is none.
pub(crate) fn traces() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/traces");
    if dir.is_dir() {
        return Some(dir);
    }
    println!("skipped: no trace samples at ../shared/data/traces");
    None
}

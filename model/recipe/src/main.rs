//! Writes the token counter's data files, or with `--check` compares them with what it would write.
//!
//! Usage: `cargo run --release -- [--check]`, in this folder. Ends with status 1 when a file differs.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let check = std::env::args().skip(1).any(|arg| arg == "--check");
    match run(check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    for (name, bytes) in hardwon_model_recipe::files()? {
        let path = folder.join(name);
        if check {
            let found = std::fs::read(&path).map_err(|e| format!("{name}: {e}"))?;
            if found != bytes {
                return Err(format!("{name}: differs from what the recipe makes"));
            }
        } else {
            std::fs::write(&path, &bytes).map_err(|e| format!("{name}: {e}"))?;
        }
        println!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}

//! The command `hardwon`; everything is in `hardwon::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hardwon::cli::main()
}

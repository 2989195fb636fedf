//! `bindgen IN.wasm OUT_DIR`: writes the glue of a module made with `wasm-bindgen` of this very version.

use std::env::args_os;
use std::error::Error;
use std::path::PathBuf;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = args_os().skip(1).map(PathBuf::from);
    let (Some(input), Some(out)) = (paths.next(), paths.next()) else {
        return Err("usage: bindgen IN.wasm OUT_DIR".into());
    };
    // Where the module lies is said by whoever loads it: a bundler would look for a default place.
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .omit_default_module_path(true)
        .typescript(true)
        .remove_name_section(true)
        .generate(out)?;
    Ok(())
}

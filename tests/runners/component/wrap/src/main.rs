//! `wrap IN.wasm OUT.wasm`: wraps a core module, made with `wit-bindgen`, as a component that imports no WASI.

use std::env::args_os;
use std::error::Error;
use std::fs;

use wit_component::ComponentEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = args_os().skip(1);
    let (Some(input), Some(out)) = (paths.next(), paths.next()) else {
        return Err("usage: wrap IN.wasm OUT.wasm".into());
    };
    let component = ComponentEncoder::default().module(&fs::read(input)?)?.validate(true).encode()?;
    fs::write(out, component)?;
    Ok(())
}

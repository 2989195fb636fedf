//! What is done to WebAssembly once it is built; without an installed command.
//!
//! `wrap MODULE COMPONENT WIT WORLD` makes a component, which imports what its world says and no WASI, validates it,
//! and fails unless its WIT, printed, is that of the world in the folder `WIT`. `pack WIT OUT` writes the package of
//! WIT as it is published.

use std::env::args;
use std::error::Error;
use std::fs;
use std::path::Path;

use wit_component::{ComponentEncoder, DecodedWasm, StringEncoding, WitPrinter, decode, dummy_module};
use wit_component::{embed_component_metadata, encode};
use wit_parser::{ManglingAndAbi, Resolve};

type Failed = Box<dyn Error>;

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["wrap", module, component, wit, world] => wrap(module, component, wit, world),
        ["pack", wit, out] => pack(wit, out),
        _ => Err("usage: wrap MODULE COMPONENT WIT WORLD | pack WIT OUT".into()),
    }
}

fn wrap(module: &str, component: &str, wit: &str, world: &str) -> Result<(), Failed> {
    let made = encoded(&fs::read(module)?)?;
    let (says, wanted) = (printed(&made)?, printed(&of_world(Path::new(wit), world)?)?);
    if let Some((says, wanted)) = says.iter().zip(&wanted).find(|(says, wanted)| says != wanted) {
        return Err(format!("the component says\n{says}\nand its world\n{wanted}").into());
    }
    if says.len() != wanted.len() {
        return Err("the component has not what its world has".into());
    }
    fs::write(component, made)?;
    Ok(())
}

fn pack(wit: &str, out: &str) -> Result<(), Failed> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(Path::new(wit))?;
    fs::write(out, encode(&resolve, package)?)?;
    Ok(())
}

fn encoded(module: &[u8]) -> Result<Vec<u8>, Failed> {
    Ok(ComponentEncoder::default().module(module)?.validate(true).encode()?)
}

/// A component of the world that does nothing.
fn of_world(folder: &Path, world: &str) -> Result<Vec<u8>, Failed> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(folder)?;
    let world = resolve.select_world(&[package], Some(world))?;
    let mut module = dummy_module(&resolve, world, ManglingAndAbi::Standard32);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)?;
    encoded(&module)
}

/// The WIT of a component, item by item: in which order an interface has them says nothing.
fn printed(component: &[u8]) -> Result<Vec<String>, Failed> {
    let decoded = decode(component)?;
    let DecodedWasm::Component(resolve, world) = &decoded else { return Err("not a component".into()) };
    let mut printer = WitPrinter::default();
    let package = resolve.worlds[*world].package.ok_or("a world without a package")?;
    let others: Vec<_> = resolve.packages.iter().map(|(id, _)| id).filter(|id| *id != package).collect();
    printer.print(resolve, package, &others)?;
    let (mut items, mut interface) = (Vec::new(), String::new());
    for line in printer.output.to_string().lines().filter(|line| !line.is_empty()) {
        let name = line.trim_start();
        match line.len() - name.len() {
            0..=2 => {
                interface = line.into();
                items.push(line.into());
            }
            4 if name != "}" => items.push(format!("{interface}\n{line}")),
            _ => items.iter_mut().rev().take(1).for_each(|item| *item += &format!("\n{line}")),
        }
    }
    items.sort();
    Ok(items)
}

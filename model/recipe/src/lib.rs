//! Makes the two data files of the token counter from published sources.
//!
//! Decides the bytes of `o200k.bin` (merge pairs) and `classes.bin` (character classes); both layouts are in
//! `FORMAT.md`. Never reads or writes a file: the command does that.

pub mod bits;
pub mod classes;
pub mod pairs;

/// The files of this recipe: name below `data/`, and bytes.
///
/// # Errors
/// Says which token breaks the rule on which the pair table rests.
pub fn files() -> Result<[(&'static str, Vec<u8>); 2], String> {
    Ok([("o200k.bin", pairs::file(&pairs::vocabulary())?), ("classes.bin", classes::file()?)])
}

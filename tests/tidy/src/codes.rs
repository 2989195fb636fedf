//! Every code that a user can meet is in `docs/errors.md`, and every code there exists.
//!
//! Decides what counts as a code in the source: the first text given to `Error::invalid` and its like, and the texts
//! in the places of [`REASON_PLACES`].

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use crate::files::File;

/// Errors that no step of the core answers: the driver and the stores make them, so no vector can hold them.
pub const WITHOUT_VECTOR: [&str; 2] = ["contended", "incompatible"];

/// The codes of errors that the source can make.
pub fn errors(files: &[File]) -> BTreeSet<String> {
    let plain = ["contended", "corrupt", "incompatible", "protocol"].map(str::to_owned);
    let mut found = BTreeSet::from(plain);
    for file in product(files) {
        for (maker, text) in calls(&file.text) {
            if matches!(maker.as_str(), "invalid" | "limit" | "host") {
                found.insert(format!("{maker}.{text}"));
            }
        }
    }
    found
}

/// The codes that a document lists: each first cell of a table that is one code, in back quotes.
pub fn documented(text: &str) -> BTreeSet<String> {
    let cells = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    cells.map(|(code, _)| code.to_owned()).collect()
}

/// The codes of errors that occur in vectors.
pub fn in_vectors(files: &[File]) -> BTreeSet<String> {
    let vectors = files.iter().filter(|file| file.path.starts_with("tests/vectors/") && file.extension() == "jsonl");
    vectors.flat_map(|file| file.text.split("{\"code\":\"").skip(1)).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

fn product(files: &[File]) -> impl Iterator<Item = &File> {
    let homes = ["core/src/", "native/src/", "model/src/"];
    files.iter().filter(move |file| file.is_rust() && homes.iter().any(|home| file.path.starts_with(home)))
}

/// Each call `Error::name("text", …)` or `Self::name("text", …)`, as name and text.
fn calls(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if let Ok(tokens) = text.parse::<TokenStream>() {
        collect(tokens, &mut found);
    }
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<(String, String)>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        if let Some(TokenTree::Ident(name)) = at.checked_sub(1).and_then(|before| trees.get(before))
            && let Some(TokenTree::Literal(first)) = group.stream().into_iter().next()
            && let Some(text) = first.to_string().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
        {
            found.push((name.to_string(), text.to_owned()));
        }
        collect(group.stream(), found);
    }
}

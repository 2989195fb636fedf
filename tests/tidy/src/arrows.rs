//! The arrows between core's modules point one way.
//!
//! Decides which module may use which. The order is that of `docs/architecture.md`; tests may use anything.

use proc_macro2::{TokenStream, TokenTree};

use crate::Problem;
use crate::files::File;

/// Core's modules from the ground up: a module may use those of lower rows and those beside it in its own row.
pub const ROWS: [&[&str]; 8] = [
    &["env", "error", "sort", "time"],
    &["codec", "text", "vector"],
    &["record"],
    &["policy", "change", "image"],
    &["step"],
    &["store", "view"],
    &["trace", "gate", "learn", "fact", "recall", "guard", "feedback", "react"],
    &["op"],
];

/// Uses against the order that are known, each with its reason: (user, used).
pub const EXCEPTIONS: &[(&str, &str)] = &[
    // A record keeps how strongly each wording is supported, and mining is what measures it.
    ("record", "learn"),
    // An image holds the words by which mining tells two errors apart.
    ("image", "learn"),
    // Merging and eviction write through the editor, which every verb shares.
    ("learn", "op"),
    // Claims are written through the editor, and are the input of their verbs.
    ("fact", "op"),
    // A query is compiled from the input of its verb, and scored in the context of a decision.
    ("recall", "op"),
    // What a correction teaches is written through the editor, and judged in the context of a decision.
    ("feedback", "op"),
    // Whether a lesson speaks is read in the context of a decision, by the reasons of a recall.
    ("guard", "op"),
];

/// Uses against the order, and exceptions that nothing needs any more.
pub fn against(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut needed = Vec::new();
    // Tests look at a module from above, and nothing is built on them.
    let product = |file: &&File| file.is_rust() && !file.path.ends_with("/tests.rs");
    for file in files.iter().filter(product) {
        let Some(user) = file.path.strip_prefix("core/src/").map(first_name) else { continue };
        for used in uses(&file.text) {
            match (row(user), row(&used)) {
                (Some(a), Some(b)) if b > a && EXCEPTIONS.contains(&(user, used.as_str())) => {
                    needed.push((user.to_owned(), used));
                }
                (Some(a), Some(b)) if b > a => {
                    problems.push(format!("{}: `{user}` uses `{used}`, which stands above it", file.path));
                }
                (None, _) if user != "lib" => problems.push(format!("{}: `{user}` has no row", file.path)),
                _ => {}
            }
        }
    }
    let idle = EXCEPTIONS.iter().filter(|(a, b)| !needed.iter().any(|(x, y)| x == a && y == b));
    problems.extend(idle.map(|(a, b)| format!("the exception that `{a}` uses `{b}` is not needed any more")));
    problems
}

fn first_name(path: &str) -> &str {
    let first = path.split('/').next().unwrap_or(path);
    first.strip_suffix(".rs").unwrap_or(first)
}

fn row(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

/// The modules that a source names after `crate::`, outside of its tests.
fn uses(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(tokens) = text.parse::<TokenStream>() {
        collect(tokens, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        match tree {
            TokenTree::Punct(sign) if sign.as_char() == '#' && is_test_attribute(trees.get(at + 1)) => {
                at = end_of_item(&trees, at);
                continue;
            }
            TokenTree::Ident(ident) if ident == "crate" => found.extend(names_after(&trees, at)),
            TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
        at += 1;
    }
}

fn is_test_attribute(tree: Option<&TokenTree>) -> bool {
    tree.is_some_and(|tree| tree.to_string().replace(' ', "") == "[cfg(test)]")
}

/// Just after the item that begins at `at`: its first braces or semicolon.
fn end_of_item(trees: &[TokenTree], at: usize) -> usize {
    let ends = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
        TokenTree::Punct(sign) => sign.as_char() == ';',
        _ => false,
    };
    trees.iter().skip(at).position(ends).map_or(trees.len(), |end| at + end + 1)
}

/// The name in `crate::name`, or each name in `crate::{a::b, c}`.
fn names_after(trees: &[TokenTree], at: usize) -> Vec<String> {
    let is_colon =
        |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
    if !is_colon(trees.get(at + 1)) || !is_colon(trees.get(at + 2)) {
        return Vec::new();
    }
    match trees.get(at + 3) {
        Some(TokenTree::Ident(name)) => vec![name.to_string()],
        Some(TokenTree::Group(group)) => {
            let list = group.stream().to_string();
            list.split(',')
                .filter_map(|part| part.split("::").next())
                .map(|name| name.trim().to_owned())
                .collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_against_the_order_is_seen_and_tests_are_free() {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.into() };
        let upward = file("core/src/view.rs", "fn f() { crate::op::start() }");
        let downward = file("core/src/op/mod.rs", "use crate::{view::View, env};");
        let tested = file("core/src/env.rs", "#[cfg(test)] mod tests { use crate::op::Step; }");
        let known = file("core/src/record/mod.rs", "use crate::learn::Strength;");
        let found = against(&[upward, downward, tested, known]);
        assert_eq!(found[0], "core/src/view.rs: `view` uses `op`, which stands above it");
        assert!(found[1..].iter().all(|problem| problem.contains("not needed any more")), "{found:?}");
    }
}

//! Rules on Rust syntax: length of functions, and where `unsafe` may stand.

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::Problem;
use crate::files::File;

/// The most lines of a function, from its signature to its brace.
pub const MOST_LINES: usize = 70;

/// Functions that are too long.
pub fn too_long(file: &File, syntax: &syn::File) -> Vec<Problem> {
    let mut finder = Finder { path: &file.path, problems: Vec::new() };
    finder.visit_file(syntax);
    finder.problems
}

/// Whether the source has the keyword `unsafe` anywhere, macros included.
pub fn has_unsafe(text: &str) -> bool {
    text.parse::<TokenStream>().is_ok_and(in_tokens)
}

fn in_tokens(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => in_tokens(group.stream()),
        TokenTree::Ident(ident) => ident == "unsafe",
        _ => false,
    })
}

struct Finder<'a> {
    path: &'a str,
    problems: Vec<Problem>,
}

impl Finder<'_> {
    fn check(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let (from, to) = (signature.span().start().line, body.span().end().line);
        let lines = to + 1 - from;
        if lines > MOST_LINES {
            let name = &signature.ident;
            self.problems
                .push(format!("{}:{from}: `{name}` has {lines} lines, at most {MOST_LINES}", self.path));
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.check(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.check(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.check(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_function_and_an_unsafe_block_are_seen() {
        let text = format!("impl A {{ fn long() {{\n{}}} }}", "x();\n".repeat(MOST_LINES));
        let syntax = syn::parse_file(&text).expect("it parses");
        let file = File { path: "a.rs".into(), text };
        assert_eq!(too_long(&file, &syntax).len(), 1);
        assert!(has_unsafe("macro_rules! m { () => { unsafe { x() } } }"));
        assert!(!has_unsafe("#![forbid(unsafe_code)] // unsafe"));
    }
}

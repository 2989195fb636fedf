//! Every code that a user can meet is in `docs/errors.md`, and every code there exists.
//!
//! Decides what counts as a code in the source; see [`errors`] and [`reasons`]. Never decides what a code means.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::files::File;

/// Errors that no step of the core answers: the driver and the stores make them, so no vector can hold them.
pub const WITHOUT_VECTOR: [&str; 3] = ["contended", "host.tables", "incompatible"];

/// The codes of errors that the source can make: the first text given to `Error::invalid`, `limit` and `host`, and the
/// codes of the command's own failures.
pub fn errors(files: &[File]) -> BTreeSet<String> {
    let mut found = BTreeSet::from(["contended", "corrupt", "incompatible", "protocol"].map(str::to_owned));
    for file in product(files) {
        let is_command = file.path.starts_with("native/src/cli/");
        for (maker, texts) in calls(&file.text) {
            let code = match (maker.as_str(), texts.as_slice()) {
                ("invalid" | "limit" | "host", [text, ..]) if is_word(text) => {
                    format!("{maker}.{text}")
                }
                ("input" | "usage" | "not_found" | "new", [text, ..]) if is_command && is_code(text) => {
                    text.clone()
                }
                _ => continue,
            };
            found.insert(code);
        }
    }
    found
}

/// The reason codes that the core can answer: texts in the place of a status' reason or of a count's name, constants
/// of the gate and of facts, and what functions that answer `Option<&'static str>` answer.
pub fn reasons(files: &[File]) -> BTreeSet<String> {
    let mut finder = Reasons::default();
    for file in product(files).filter(|file| file.path.starts_with("core/")) {
        finder.is_gate = file.path.starts_with("core/src/gate/");
        finder.is_fact = file.path.starts_with("core/src/fact/");
        if let Ok(syntax) = syn::parse_file(&file.text) {
            finder.visit_file(&syntax);
        }
    }
    finder.found.retain(|reason| is_word(reason));
    finder.found
}

/// The codes that a document lists: what stands in back quotes in the first cell of a row.
pub fn documented(text: &str) -> BTreeSet<String> {
    let cells = text.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    cells
        .flat_map(|cell| cell.split(['`', ',', ' ']))
        .filter(|code| is_code(code))
        .map(str::to_owned)
        .collect()
}

/// The codes of errors that occur in vectors.
pub fn in_vectors(files: &[File]) -> BTreeSet<String> {
    let vectors =
        files.iter().filter(|file| file.path.starts_with("tests/vectors/") && file.extension() == "jsonl");
    let codes = vectors.flat_map(|file| file.text.split("{\"code\":\"").skip(1));
    codes.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

fn product(files: &[File]) -> impl Iterator<Item = &File> {
    let homes = ["core/src/", "native/src/", "model/src/", "wasm/component/src/"];
    files.iter().filter(move |file| file.is_rust() && homes.iter().any(|home| file.path.starts_with(home)))
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn is_code(text: &str) -> bool {
    text.split('.').all(is_word)
}

/// Each call with the texts among its first arguments, tests left out.
fn calls(text: &str) -> Vec<(String, Vec<String>)> {
    struct Calls(Vec<(String, Vec<String>)>);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            if let syn::Expr::Path(path) = &*call.func
                && let Some(last) = path.path.segments.last()
            {
                self.0.push((last.ident.to_string(), call.args.iter().take(2).filter_map(literal).collect()));
            }
            visit::visit_expr_call(self, call);
        }

        fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
            if !is_test(module) {
                visit::visit_item_mod(self, module);
            }
        }
    }
    let mut calls = Calls(Vec::new());
    if let Ok(syntax) = syn::parse_file(text) {
        calls.visit_file(&syntax);
    }
    calls.0
}

fn is_test(module: &syn::ItemMod) -> bool {
    module.attrs.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

fn literal(expression: &syn::Expr) -> Option<String> {
    match expression {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        syn::Expr::MethodCall(call) => literal(&call.receiver),
        _ => None,
    }
}

#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "five independent facts about the place the walk is in")]
struct Reasons {
    found: BTreeSet<String>,
    is_gate: bool,
    is_fact: bool,
    answers_reason: bool,
    is_refusal: bool,
    is_code: bool,
}

impl Reasons {
    fn inside(&mut self, signature: &syn::Signature, walk: impl FnOnce(&mut Self)) {
        let answers_reason = match &signature.output {
            syn::ReturnType::Type(_, kind) => is_reason(kind),
            syn::ReturnType::Default => false,
        };
        let is_refusal = signature.ident == "refusal";
        // `code` of a closed list answers each of its codes.
        let is_code = signature.ident == "code" && is_text(&signature.output);
        let before = (self.answers_reason, self.is_refusal, self.is_code);
        (self.answers_reason, self.is_refusal, self.is_code) = (answers_reason, is_refusal, is_code);
        walk(self);
        (self.answers_reason, self.is_refusal, self.is_code) = before;
    }
}

/// Whether a function answers `&'static str`.
fn is_text(output: &syn::ReturnType) -> bool {
    let syn::ReturnType::Type(_, kind) = output else { return false };
    matches!(&**kind, syn::Type::Reference(text) if text.lifetime.is_some())
}

/// Whether a type is `Option<&'static str>`.
fn is_reason(kind: &syn::Type) -> bool {
    let syn::Type::Path(path) = kind else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    let syn::PathArguments::AngleBracketed(inner) = &last.arguments else { return false };
    let is_static = |argument: &syn::GenericArgument| {
        matches!(argument, syn::GenericArgument::Type(syn::Type::Reference(text))
            if text.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static"))
    };
    last.ident == "Option" && inner.args.iter().all(is_static)
}

impl<'ast> Visit<'ast> for Reasons {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.inside(&item.sig, |this| visit::visit_item_fn(this, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.inside(&item.sig, |this| visit::visit_impl_item_fn(this, item));
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(module) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        if self.is_fact || self.is_gate && matches!(item.vis, syn::Visibility::Public(_)) {
            self.found.extend(literal(&item.expr));
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let name = match &*call.func {
            syn::Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let is_status = name.as_deref() == Some("Status") && call.args.len() == 2;
        if is_status || (self.answers_reason && name.as_deref() == Some("Some")) {
            self.found.extend(call.args.iter().filter_map(literal));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "entry" {
            call.args.iter().for_each(|argument| self.texts(argument));
        }
        if self.answers_reason && (call.method == "then_some" || call.method == "unwrap_or") {
            self.found.extend(call.args.iter().filter_map(literal));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_tuple(&mut self, tuple: &'ast syn::ExprTuple) {
        if self.answers_reason {
            self.found.extend(tuple.elems.first().and_then(literal));
        }
        visit::visit_expr_tuple(self, tuple);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if self.is_code {
            self.found.extend(literal(&arm.body));
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        if let syn::Expr::Field(syn::ExprField { member: syn::Member::Named(name), .. }) = &*assign.left
            && name == "status_reason"
        {
            self.found.extend(literal(&assign.right));
        }
        visit::visit_expr_assign(self, assign);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if self.is_refusal {
            let first = call.tokens.clone().into_iter().next();
            let text = first.and_then(|first| syn::parse2::<syn::LitStr>(TokenStream::from(first)).ok());
            self.found.extend(text.and_then(|text| Some(text.value().split_once(':')?.0.to_owned())));
        }
    }
}

impl Reasons {
    /// Every text in an expression, also in the branches of a condition.
    fn texts(&mut self, expression: &syn::Expr) {
        let mut waiting: Vec<TokenTree> = quoted(expression).into_iter().collect();
        while let Some(tree) = waiting.pop() {
            match tree {
                TokenTree::Group(group) => waiting.extend(group.stream()),
                TokenTree::Literal(text) => {
                    let text = text.to_string();
                    self.found.extend(
                        text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map(str::to_owned),
                    );
                }
                _ => {}
            }
        }
    }
}

fn quoted(expression: &syn::Expr) -> TokenStream {
    quote::ToTokens::to_token_stream(expression)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_reasons_are_found_where_they_are_made() {
        let text = r#"
            fn a() -> Result<(), Error> { Err(Error::invalid("text", "say it")) }
            fn b() -> Option<&'static str> { if x { return Some("cascade") } y.then_some("probe") }
            fn refusal() -> Option<String> { Some(format!("over_cap: {n}")) }
            fn c() { *t.entry(if e { "known" } else { "gone" }.into()) += 1; r.status_reason = "late".into();
                     ed.set(id, Scalar::Status(Status::Archived, "evicted".into())); }
            #[cfg(test)] mod tests { fn d() { Error::invalid("none", "") } }
        "#;
        let file = File { path: "core/src/x.rs".into(), text: text.into() };
        let files = [file];
        assert!(errors(&files).contains("invalid.text") && !errors(&files).contains("invalid.none"));
        let expected = ["cascade", "evicted", "gone", "known", "late", "over_cap", "probe"];
        assert_eq!(reasons(&files), BTreeSet::from(expected.map(str::to_owned)));
        let listed = ["a.b", "c"].map(str::to_owned);
        assert_eq!(documented("| `a.b`, `c` | `x` |\n| code |"), BTreeSet::from(listed));
    }
}

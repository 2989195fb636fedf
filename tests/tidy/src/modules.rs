//! No dead files: every Rust file is a root of some crate, or a module that one reaches.

use std::collections::BTreeSet;

use crate::Problem;
use crate::files::File;

/// Rust files that no crate reaches.
pub fn dead(files: &[File]) -> Vec<Problem> {
    let mut reached = BTreeSet::new();
    let mut waiting = roots(files);
    while let Some(path) = waiting.pop() {
        if let Some(file) = files.iter().find(|file| file.path == path)
            && reached.insert(path)
        {
            waiting.extend(children(file));
        }
    }
    let rust = files.iter().filter(|file| file.is_rust());
    let dead = rust.filter(|file| !reached.contains(&file.path));
    dead.map(|file| format!("{}: no crate reaches it; name it in a `mod`, or delete it", file.path)).collect()
}

/// The files that cargo compiles by itself or a manifest names.
fn roots(files: &[File]) -> Vec<String> {
    let manifests = files.iter().filter(|file| file.path.ends_with("Cargo.toml"));
    manifests.flat_map(|manifest| roots_of(manifest, files)).collect()
}

fn roots_of(manifest: &File, files: &[File]) -> Vec<String> {
    let home = manifest.path.strip_suffix("Cargo.toml").unwrap_or_default();
    let named =
        manifest.text.lines().filter_map(|line| line.trim().strip_prefix("path = \"")?.strip_suffix('"'));
    let named = named.map(|path| resolved(home, path));
    let usual = files.iter().filter(|file| file.path.strip_prefix(home).is_some_and(is_usual_root));
    named.chain(usual.map(|file| file.path.clone())).collect()
}

fn is_usual_root(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return path == "build.rs" };
    let is_target = ["src/bin", "tests", "benches", "examples"].iter().any(|known| {
        folder == *known
            || (name == "main.rs" && folder.rsplit_once('/').is_some_and(|(parent, _)| parent == *known))
    });
    is_target || (folder == "src" && matches!(name, "lib.rs" | "main.rs"))
}

/// `path` seen from `home`, without `..`.
fn resolved(home: &str, path: &str) -> String {
    let mut parts: Vec<&str> = home.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Where the modules of a file may lie.
fn children(file: &File) -> Vec<String> {
    let Ok(syntax) = syn::parse_file(&file.text) else { return Vec::new() };
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let is_root = matches!(name, "lib.rs" | "main.rs" | "mod.rs") || is_usual_root(&tail(&file.path));
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    let home = if is_root { folder.to_owned() } else { format!("{folder}/{stem}") };
    let mut found = Vec::new();
    modules(&syntax.items, &home, folder, &mut found);
    found
}

/// The last two parts of a path: enough to tell a target of cargo.
fn tail(path: &str) -> String {
    let parts: Vec<&str> = path.rsplitn(3, '/').collect();
    let known = parts.get(..2).unwrap_or(&parts);
    known.iter().rev().copied().collect::<Vec<_>>().join("/")
}

fn modules(items: &[syn::Item], home: &str, folder: &str, found: &mut Vec<String>) {
    for item in items {
        let syn::Item::Mod(module) = item else { continue };
        let inner = format!("{home}/{}", module.ident);
        if let Some((_, items)) = &module.content {
            modules(items, &inner, folder, found);
        } else if let Some(path) = path_of(module) {
            found.push(resolved(folder, &path));
        } else {
            found.push(format!("{inner}.rs"));
            found.push(format!("{inner}/mod.rs"));
        }
    }
}

fn path_of(module: &syn::ItemMod) -> Option<String> {
    let value = module.attrs.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => Some(&pair.value),
        _ => None,
    })?;
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nothing_names_is_dead() {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.into() };
        let files = [
            file("a/Cargo.toml", "[[test]]\npath = \"../far/t.rs\""),
            file("a/src/lib.rs", "mod b; mod c { mod d; } #[path = \"odd.rs\"] mod e;"),
            file("a/src/b.rs", "mod inner;"),
            file("a/src/b/inner.rs", ""),
            file("a/src/c/d.rs", ""),
            file("a/src/odd.rs", ""),
            file("a/src/dead.rs", ""),
            file("a/tests/t.rs", "mod common;"),
            file("a/tests/common/mod.rs", ""),
            file("far/t.rs", ""),
        ];
        let found = dead(&files);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("a/src/dead.rs"));
    }
}

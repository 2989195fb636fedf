//! The project holds to its own rules. Each test lists every place that does not.

use std::collections::BTreeSet;

use hardwon_tidy::files::{File, all};
use hardwon_tidy::{Problem, arrows, codes, functions, lines, modules};

/// Files that may hold `unsafe`, each with its reason.
const UNSAFE: &[&str] = &[];

fn files() -> Vec<File> {
    let files = all();
    assert!(files.iter().filter(|file| file.is_rust()).count() > 20, "the source was not found");
    files
}

fn assert_none(problems: &[Problem]) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

fn written(check: impl Fn(&File) -> Vec<Problem>) -> Vec<Problem> {
    files().iter().filter(|file| lines::is_written(file)).flat_map(check).collect()
}

#[test]
fn files_and_lines_are_short() {
    assert_none(&written(lines::too_long));
}

#[test]
fn white_space_is_plain() {
    assert_none(&written(lines::white_space));
}

#[test]
fn nothing_is_left_for_later() {
    assert_none(&written(lines::loose_ends));
}

#[test]
fn nothing_names_one_machine() {
    assert_none(&files().iter().flat_map(lines::machine_paths).collect::<Vec<_>>());
}

#[test]
fn every_rust_file_says_what_it_is_for() {
    let files = files();
    assert_none(&files.iter().filter(|file| file.is_rust()).flat_map(lines::no_head).collect::<Vec<_>>());
}

#[test]
fn functions_are_short() {
    let mut problems = Vec::new();
    for file in files().iter().filter(|file| file.is_rust()) {
        match syn::parse_file(&file.text) {
            Ok(syntax) => problems.extend(functions::too_long(file, &syntax)),
            Err(error) => problems.push(format!("{}: {error}", file.path)),
        }
    }
    assert_none(&problems);
}

#[test]
fn unsafe_stands_only_where_it_is_listed() {
    let has: BTreeSet<String> = files()
        .into_iter()
        .filter(|file| file.is_rust() && functions::has_unsafe(&file.text))
        .map(|f| f.path)
        .collect();
    let listed: BTreeSet<String> = UNSAFE.iter().map(|path| (*path).to_owned()).collect();
    assert_eq!(has, listed, "left: files with `unsafe`; right: files that may have it");
}

#[test]
fn no_file_is_dead() {
    assert_none(&modules::dead(&files()));
}

#[test]
fn arrows_point_one_way() {
    assert_none(&arrows::against(&files()));
}

#[test]
fn every_code_is_documented_and_exists() {
    let files = files();
    let page =
        |path: &str| files.iter().find(|file| file.path == path).map(|file| codes::documented(&file.text));
    let errors = page("docs/errors.md").expect("docs/errors.md is there");
    let commands = page("docs/commands.md").expect("docs/commands.md is there");
    let known: BTreeSet<String> = codes::errors(&files).union(&codes::reasons(&files)).cloned().collect();
    let missing: Vec<&String> =
        known.iter().filter(|code| !errors.contains(*code) && !commands.contains(*code)).collect();
    let unknown: Vec<&String> = errors.difference(&known).collect();
    assert!(missing.is_empty(), "in neither docs/errors.md nor docs/commands.md: {missing:?}");
    assert!(unknown.is_empty(), "in docs/errors.md and nowhere in the source: {unknown:?}");
}

#[test]
fn every_error_code_of_the_core_occurs_in_a_vector() {
    let files = files();
    let core: Vec<File> = files.iter().filter(|file| file.path.starts_with("core/")).cloned().collect();
    let without = codes::WITHOUT_VECTOR.map(str::to_owned).into();
    let errors: BTreeSet<String> = codes::errors(&core).difference(&without).cloned().collect();
    let seen = codes::in_vectors(&files);
    let missing: Vec<&String> = errors.difference(&seen).collect();
    assert!(missing.is_empty(), "in no vector: {missing:?}");
}

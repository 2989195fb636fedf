//! Rules on lines: length of files and lines, tabs, loose ends, machine paths, heads of modules.

use crate::Problem;
use crate::files::File;

/// The most lines of a source file.
pub const MOST_LINES: usize = 600;
/// The most characters of a line. The formatter holds code to 110 and leaves comments and macros alone. A line that
/// holds a text may be longer: a table of words is read as a table.
pub const MOST_COLUMNS: usize = 120;

/// Words for work that is not done.
const LOOSE_ENDS: [&str; 4] =
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:"), concat!("HA", "CK:")];

/// The beginnings of paths that exist on one machine alone.
const MACHINE_PATHS: [&str; 5] = [
    concat!("/wo", "rk/main"),
    concat!("/wo", "rk/shared"),
    concat!("/wo", "rk/."),
    concat!("/ro", "ot/."),
    concat!("/tmp/", "bash_jobs"),
];

/// Source that people write: what is made (lockfiles, vectors) has no such rules.
pub fn is_written(file: &File) -> bool {
    let made = file.text.lines().take(4).any(is_made);
    !made && matches!(file.extension(), "rs" | "py" | "mjs" | "js" | "ts" | "wit" | "sh") || is_script(file)
}

fn is_made(line: &str) -> bool {
    let said = line.trim_start_matches(['/', '!', ' ']);
    said.starts_with("Made by ") && said.contains("generate.py")
}

fn is_script(file: &File) -> bool {
    file.text.starts_with("#!")
}

/// Files and lines that are too long.
pub fn too_long(file: &File) -> Vec<Problem> {
    let count = file.text.lines().count();
    let mut problems = Vec::new();
    if count > MOST_LINES {
        problems.push(format!("{}: {count} lines, at most {MOST_LINES}; split it", file.path));
    }
    for (at, line) in file.text.lines().enumerate() {
        let columns = line.chars().count();
        if columns > MOST_COLUMNS && (is_comment(line) || !line.contains(['"', '\'', '`'])) {
            problems.push(format!("{}:{}: {columns} columns, at most {MOST_COLUMNS}", file.path, at + 1));
        }
    }
    problems
}

fn is_comment(line: &str) -> bool {
    ["//", "#"].iter().any(|sign| line.trim_start().starts_with(sign))
}

/// Tabs and white space at the end of a line.
pub fn white_space(file: &File) -> Vec<Problem> {
    let bad = |line: &str| line.contains('\t') || line.ends_with(' ') || line.ends_with('\r');
    find(file, "a tab, or white space at the end", bad)
}

/// Notes about work that is not done.
pub fn loose_ends(file: &File) -> Vec<Problem> {
    find(file, "a loose end; do it or file it", |line| LOOSE_ENDS.iter().any(|word| line.contains(word)))
}

/// Paths that exist on one machine alone.
pub fn machine_paths(file: &File) -> Vec<Problem> {
    find(file, "a path of one machine", |line| MACHINE_PATHS.iter().any(|path| line.contains(path)))
}

/// A Rust file that does not begin by saying what it is for. The tests of the module above need not.
pub fn no_head(file: &File) -> Vec<Problem> {
    let has_head = file.text.starts_with("//! ") || file.path.ends_with("/tests.rs");
    if has_head {
        Vec::new()
    } else {
        vec![format!("{}: begins without `//!` saying what it is for", file.path)]
    }
}

fn find(file: &File, what: &str, bad: impl Fn(&str) -> bool) -> Vec<Problem> {
    let lines = file.text.lines().enumerate().filter(|(_, line)| bad(line));
    lines.map(|(at, _)| format!("{}:{}: {what}", file.path, at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> File {
        File { path: "a.rs".into(), text: text.into() }
    }

    #[test]
    fn each_rule_sees_what_it_is_for() {
        assert_eq!(too_long(&file(&"x\n".repeat(MOST_LINES + 1))).len(), 1);
        assert_eq!(too_long(&file(&"é".repeat(MOST_COLUMNS))).len(), 0);
        assert_eq!(too_long(&file(&"é".repeat(MOST_COLUMNS + 1))).len(), 1);
        assert_eq!(too_long(&file(&format!("x(\"{}\")", "é".repeat(MOST_COLUMNS)))).len(), 0);
        assert_eq!(too_long(&file(&format!("// \"{}\"", "é".repeat(MOST_COLUMNS)))).len(), 1);
        assert_eq!(white_space(&file("a\tb\nc \nd")).len(), 2);
        assert_eq!(loose_ends(&file(concat!("// TO", "DO later"))).len(), 1);
        assert_eq!(machine_paths(&file(concat!("/wo", "rk/main/x"))).len(), 1);
        assert_eq!(no_head(&file("use x;")).len(), 1);
        assert_eq!(no_head(&file("//! Head.")).len(), 0);
    }
}

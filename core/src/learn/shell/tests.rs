use super::*;
use alloc::string::ToString;
use proptest::prelude::*;
use std::vec;

fn heads(text: &str) -> Vec<String> {
    CommandLine::parse(text).commands().map(Command::head).collect()
}

fn principal(text: &str) -> String {
    CommandLine::parse(text).principal().map(Command::head).unwrap_or_default()
}

#[test]
fn lists_pipes_and_operators_are_split() {
    assert_eq!(heads("cd a && make -j4; ls | head -3 || true"), ["cd", "make", "ls", "head", "true"]);
    let line = CommandLine::parse("a && b || c ; d & e");
    let joiners: Vec<Joiner> = line.pipelines.iter().map(|p| p.joiner).collect();
    assert_eq!(joiners, [Joiner::Then, Joiner::And, Joiner::Or, Joiner::Then, Joiner::Background]);
}

#[test]
fn quotes_keep_operators_and_spaces() {
    let line = CommandLine::parse(r#"git commit -m "fix: a && b; \"c\" | d" --author='A; B'"#);
    let command = line.principal().expect("one command");
    assert_eq!((command.head().as_str(), line.pipelines.len()), ("git commit", 1));
    assert_eq!(command.flags, ["-m", "--author"]);
    assert_eq!(command.operands, ["fix: a && b; \"c\" | d"]);
}

#[test]
fn wrappers_assignments_and_runners_are_seen_through() {
    let line = CommandLine::parse("CI=1 sudo -E timeout 30s /usr/bin/python3.12 -m pytest -x tests/a.py");
    let command = line.principal().expect("one command");
    assert_eq!(command.program, "pytest");
    assert_eq!(command.env, ["CI"]);
    assert_eq!(command.wrappers, ["sudo", "timeout", "python"]);
    assert_eq!(principal("npx --yes vitest run src"), "vitest run");
    assert_eq!(principal("uv run ruff check ."), "ruff");
    assert_eq!(principal("npm run build"), "npm run build");
    assert_eq!(principal("bash -lc 'cd x && cargo test --lib'"), "cargo test");
}

#[test]
fn heredocs_and_substitutions_are_values() {
    let text = "git add -A && git commit -m \"$(cat <<'EOF'\nfeat: a && rm -rf /\nEOF\n)\" && git push";
    assert_eq!(heads(text), ["git add", "git commit", "git push"]);
    let text = "cat > f.py <<EOF\nrm x; y | z\nEOF\npython f.py";
    let line = CommandLine::parse(text);
    assert_eq!(heads(text), ["cat", "python"]);
    assert_eq!(line.pipelines[0].commands[0].writes, ["f.py"]);
}

#[test]
fn the_principal_is_neither_preparation_nor_filter() {
    assert_eq!(principal("cd /x && mix test 2>&1 | tail -20"), "mix test");
    assert_eq!(principal("mix test; echo done"), "mix test");
    assert_eq!(principal("head -c 500 f | python3 -c 'import sys'"), "python");
    assert_eq!(principal("cat f | head"), "cat");
}

#[test]
fn a_masked_exit_is_one_that_something_hides() {
    let masked = |text: &str| CommandLine::parse(text).is_masked();
    for text in [
        "npm test | tail -3",
        "npm test || true",
        "npm test; echo $?",
        "npm test & ",
        "npm test 2>&1 | tee log",
    ] {
        assert!(masked(text), "{text}");
    }
    for text in
        ["npm test", "cd a && npm test 2>&1", "set -o pipefail; npm test | tail", "npm test && echo ok"]
    {
        assert!(!masked(text), "{text}");
    }
}

#[test]
fn numbers_before_an_arrow_belong_to_it() {
    let line = CommandLine::parse("make 2>err.log >/dev/null 2>&1");
    let command = line.principal().expect("one command");
    assert_eq!((command.operands.len(), command.writes.clone()), (0, vec!["err.log".to_string()]));
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC*") {
        let line = CommandLine::parse(&text);
        prop_assert!(line.pipelines.iter().all(|p| !p.commands.is_empty()));
        let _ = line.is_masked();
    }

    #[test]
    fn any_soup_of_syntax_is_read(parts in proptest::collection::vec(
        prop::sample::select(vec!["'", "\"", "$(", ")", "`", "\\", "<<E", "\n", "|", "&&", ";", "a", "é", ">", "2>", "${", "}", " "]), 0..60)) {
        CommandLine::parse(&parts.concat());
    }
}

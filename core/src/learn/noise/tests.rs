use crate::learn::draft::Strength;
use crate::learn::testing::run;
use serde_json::json;

#[test]
fn refusals_cascades_and_interrupts_are_no_lessons() {
    let refused = run("s").refused("Bash", json!({ "command": "rm x" }), "no");
    assert_eq!(refused.skipped(), ["refused"]);
    let texts = [
        ("The user doesn't want to proceed with this tool use.", "refused"),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", "cascade"),
        ("Cancelled: parallel tool call Read errored", "cascade"),
        ("[Request interrupted by user for tool use]", "interrupted"),
    ];
    for (text, reason) in texts {
        assert_eq!(run("s").fails("Read", json!({ "file_path": "/a" }), text).skipped(), [reason], "{text}");
    }
}

#[test]
fn a_search_without_a_hit_is_a_probe_and_one_that_says_why_is_a_failure() {
    for command in ["grep -rn foo src", "cd a && rg foo", "test -f x", "which jq", "ls a; grep b c"] {
        assert_eq!(run("s").shell_fails(command, "Exit code 1").skipped(), ["probe"], "{command}");
    }
    let listed = run("s").shell_fails("ls src; grep foo src/a", "Exit code 1\na.rs\nb.rs");
    assert_eq!(listed.skipped(), ["probe"]);
    for (command, text) in [
        ("grep foo missing", "Exit code 2\ngrep: missing: No such file or directory"),
        ("cat missing", "Exit code 1\ncat: missing: No such file or directory"),
        ("ls missing", "ls: cannot access 'missing': No such file or directory"),
    ] {
        assert_eq!(run("s").shell_fails(command, text).mined().drafts.len(), 1, "{command}");
    }
    assert!(run("s").shell_fails("./serve", "Exit code 137").skipped().is_empty());
}

#[test]
fn the_same_check_after_an_edit_is_a_loop_whatever_the_program() {
    for command in ["pytest tests/a.py", "make", "./check.sh all", "npx tsc --noEmit", "node build.js"] {
        let script =
            run("s").shell_fails(command, "boom: 3 != 4").edits("src/a.py").shell_ok(command, "fine");
        assert_eq!(script.skipped(), ["edit_test_loop"], "{command}");
    }
}

#[test]
fn a_loop_whose_error_may_recur_is_counted_without_a_remedy() {
    let script = run("s")
        .edits("src/a.rs")
        .shell_fails("cargo build", "error[E0382]: borrow of a value that was moved before")
        .edits("src/a.rs")
        .shell_ok("cargo build", "fine");
    let draft = script.draft();
    assert_eq!(draft.strength, Strength::Looped);
    assert!(draft.trigger.starts_with("Edit"), "{}", draft.trigger);
    for silent in ["Exit code 101", "E   assert 3 == 4", "AssertionError: expected the sum to be right"] {
        let script =
            run("s").shell_fails("cargo build", silent).edits("src/a.rs").shell_ok("cargo build", "fine");
        assert_eq!(script.skipped(), ["edit_test_loop"], "{silent}");
    }
}

#[test]
fn a_narrower_target_is_the_same_check() {
    let script = run("s")
        .shell_fails("pytest tests/test_a.py::test_x -q 2>&1 | tail -5", "E   assert 3 == 4")
        .edits("src/a.py")
        .shell_ok("python -m pytest tests", "2 passed");
    assert_eq!(script.skipped(), ["edit_test_loop"]);
}

#[test]
fn a_check_that_was_never_repeated_is_a_failure() {
    let script = run("s")
        .shell_fails("pytest tests/a.py", "E   assert 3 == 4")
        .edits("src/a.py")
        .shell_ok("git status", "clean");
    assert_eq!(script.mined().drafts.len(), 1);
}

#[test]
fn a_look_at_files_is_no_check() {
    let missing = "ls: cannot access 'out': No such file or directory";
    let script = run("s").shell_fails("ls out", missing).edits("out/a.txt").shell_ok("ls out", "a.txt");
    assert_eq!(script.mined().drafts.len(), 1);
}

#[test]
fn version_control_is_no_check() {
    let script = run("s")
        .shell_fails("git commit -m x", "Pre-commit validation failed:\n\n[FORMAT] Code is not formatted.")
        .edits("src/a.py")
        .shell_ok("git commit -m x", "done");
    assert_eq!(script.draft().key, "error:format code not");
}

#[test]
fn a_failure_of_the_surroundings_is_a_lesson_inside_a_loop() {
    let script = run("s")
        .shell_fails("pytest", "ModuleNotFoundError: No module named 'attrs'")
        .edits("src/a.py")
        .shell_fails("pytest", "E   assert 3 == 4")
        .edits("src/a.py")
        .shell_ok("pytest", "ok");
    assert_eq!(script.skipped(), ["edit_test_loop"]);
    assert!(script.draft().text.contains("`attrs`"));
}

#[test]
fn an_edit_of_a_manifest_that_repairs_a_check_is_the_lesson() {
    let script = run("s")
        .shell_fails("npm test", "Error: the suite wants a runner that package.json does not list")
        .edits("/repo/package.json")
        .shell_ok("npm test", "ok");
    let draft = script.draft();
    assert!(draft.text.starts_with("Check `package.json` when `npm test` fails"), "{}", draft.text);
}

#[test]
fn a_wanted_failure_is_a_red_test() {
    let said = run("s")
        .says("I wrote the test first; it should fail now.")
        .shell_fails("pytest tests/new.py", "E   assert 3 == 4");
    assert_eq!(said.skipped(), ["red_test"]);
    let named = run("s").shell_fails("python reproduce_bug.py", "TypeError: unhashable type");
    assert_eq!(named.skipped(), ["red_test"]);
}

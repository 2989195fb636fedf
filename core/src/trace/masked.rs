//! Failures of commands whose exit status something else hides: a filter behind a pipe, `|| true`, `; echo`.
//!
//! Decides from how the output ends, and only where a program ran that can fail in that way. A hidden status by itself
//! says nothing for or against the command; that it is hidden is for the miner to see.

use serde_json::Value;

/// Under which keys shells take their command.
const KEYS: [&str; 3] = ["command", "cmd", "script"];

/// What a status hides behind.
const HIDES: [&str; 3] = ["|", ";", "&\n"];

/// Programs that show what others wrote, so that an error in their output is no error of theirs.
const SHOWS: [&str; 31] = [
    "cat", "bat", "less", "more", "head", "tail", "grep", "egrep", "rg", "ag", "ack", "sed", "awk", "jq",
    "cut", "sort", "uniq", "wc", "tr", "tee", "xargs", "find", "ls", "echo", "printf", "cd", "export",
    "true", "git", "docker", "kubectl",
];

/// How the last lines of an output begin that tell of a failure.
const STARTS: [&str; 9] = [
    "make: *** ",
    "make[1]: *** ",
    "error: could not compile",
    "error: test failed",
    "npm ERR!",
    "npm error",
    "test result: FAILED",
    "BUILD FAILED",
    "ninja: build stopped",
];

/// The longest command that is looked at, in bytes.
const LIMIT: usize = 16 * 1024;

/// Whether a call is a command whose status is hidden and whose output says that it failed.
pub(super) fn failed(args: &Value, output: &str) -> bool {
    let Some(command) = command(args) else { return false };
    command.len() <= LIMIT
        && HIDES.iter().any(|mark| command.contains(mark))
        && says_failed(output)
        && runs_something(command)
}

/// Whether a call's arguments are a command for a shell.
pub(super) fn is_command(args: &Value) -> bool {
    command(args).is_some()
}

fn command(args: &Value) -> Option<&str> {
    KEYS.iter().find_map(|key| args.get(*key)?.as_str())
}

/// Whether the end of an output tells of a failure.
pub(super) fn says_failed(output: &str) -> bool {
    let mut last = output.lines().rev().map(str::trim).filter(|line| !line.is_empty()).take(3);
    let Some(end) = last.next() else { return false };
    is_summary(end)
        || is_exception(end) && output.contains("Traceback (most recent call last):")
        || core::iter::once(end).chain(last).any(|line| STARTS.iter().any(|start| line.starts_with(start)))
}

/// `=== 2 failed, 3 passed in 0.12s ===`, as test runners end.
fn is_summary(line: &str) -> bool {
    let inner = line.trim_matches(['=', ' ']);
    let Some((count, rest)) = inner.split_once(' ') else { return false };
    let counted = count.parse::<u32>().is_ok_and(|count| count > 0);
    counted && (rest.starts_with("failed") || rest.starts_with("error")) && inner.contains(" in ")
}

/// `ValueError: ...`, the last line of a stack.
fn is_exception(line: &str) -> bool {
    let name = line.split([':', '(']).next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    let word =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
    word && ["Error", "Exception", "Interrupt", "Exit"].iter().any(|end| last.ends_with(end))
}

/// Whether a command runs a program that does more than show.
fn runs_something(command: &str) -> bool {
    command.split(['|', ';', '&', '\n']).any(|part| {
        let program = part.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
        let program = program.rsplit('/').next().unwrap_or_default();
        !program.is_empty() && !SHOWS.contains(&program)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_hidden_failure_shows_at_the_end_of_the_output() {
        let stack = "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no such column";
        let cases = [
            ("python a.py 2>&1 | tail -20", stack, true),
            ("cd src && python a.py || true", stack, true),
            ("python a.py", stack, false),
            ("cat log.txt | tail -3", stack, false),
            ("git log -3; grep -n Error log.txt | head", stack, false),
            ("pytest -q | tail -5", "FAILED t.py::a\n==== 1 failed, 3 passed in 0.10s ====", true),
            ("pytest -q | tail -5", "4 passed in 0.10s", false),
            ("pytest -q | tail -5", "0 failed, 4 passed in 0.10s", false),
            ("make all 2>&1 | tail -2", "cc: no input\nmake: *** [Makefile:3: all] Error 1", true),
            ("cargo build 2>&1 | tail -1", "error: could not compile `app` due to 1 previous error", true),
            ("CI=1 npm test | head -50", "ok\nnpm ERR! code 1", true),
            ("npm test | head -50", "all of 3 tests pass", false),
            ("make | tail", "", false),
        ];
        for (command, output, expected) in cases {
            assert_eq!(failed(&json!({"command": command}), output), expected, "{command}: {output}");
        }
        assert!(!failed(&json!("make | tail"), "make: *** [x] Error 1"), "arguments that are no object");
        assert!(!failed(&json!({"query": "make | tail"}), "make: *** [x] Error 1"), "no command");
    }
}

//! The words and phrases that rules look for, in one place.
//!
//! Decides nothing: each list is used by the rule that names it. Word lists are sorted and searched whole, phrase lists
//! are searched for inside a text.

/// Whether a sorted list has `word`.
pub(crate) fn has(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// Whether `text` contains one of the phrases.
pub(crate) fn says(phrases: &[&str], text: &str) -> bool {
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// Whether `text` begins with one of the phrases.
pub(crate) fn starts(phrases: &[&str], text: &str) -> bool {
    phrases.iter().any(|phrase| text.starts_with(phrase))
}

/// Words that speak of failure.
#[rustfmt::skip]
pub(crate) const FAILURE: &[&str] = &[
    "abort", "aborted", "already", "ambiguous", "beyond", "blocked", "broken", "can't", "cannot", "can’t",
    "conflict", "conflicts", "corrupt", "couldn't", "denied", "disallowed", "doesn't", "don't", "error",
    "errors", "exceed", "exceeded", "exceeds", "exception", "expired", "fail", "failed", "fails", "failure",
    "failures", "fatal", "forbidden", "hasn't", "ignored", "illegal", "incorrect", "insufficient",
    "invalid", "isn't", "killed", "mismatch", "missing", "multiple", "must", "never", "no", "not",
    "outside", "overflow", "panic", "panicked", "refused", "rejected", "required", "requires",
    "segmentation", "timed", "timeout", "unable", "unauthorized", "unavailable", "undefined", "unexpected",
    "unknown", "unmatched", "unreachable", "unrecognised", "unrecognized", "unresolved", "unsupported",
    "unterminated", "usage", "violates", "violation", "wasn't", "without", "won't", "wrong",
];

/// Words that say that something failed but not what.
#[rustfmt::skip]
pub(crate) const GENERIC: &[&str] = &[
    "a", "aborting", "above", "an", "an's", "and", "be", "below", "build", "can", "code", "command",
    "complete", "details", "due", "elifecycle", "err", "errno", "error", "errors", "exception", "executing",
    "execution", "exit", "exited", "fail", "failed", "fails", "failure", "failures", "fatal", "files",
    "finished", "following", "for", "found", "has", "have", "in", "is", "issues", "log", "make", "ms",
    "non", "occurred", "of", "output", "passed", "please", "previous", "problem", "problems", "process",
    "ran", "recipe", "result", "results", "returned", "run", "running", "s", "seconds", "see", "skipped",
    "snapshots", "status", "stderr", "stdout", "suite", "suites", "summary", "target", "task", "test",
    "tests", "the", "there", "this", "time", "to", "tool", "total", "validation", "warning", "warnings",
    "was", "went", "were", "what", "while", "with", "wrong", "zero",
];

/// Words without a meaning of their own. Negations are none.
#[rustfmt::skip]
pub(crate) const STOP: &[&str] = &[
    "a", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by", "can",
    "could", "did", "do", "does", "e", "for", "from", "had", "has", "have", "he", "her", "here", "his", "i",
    "if", "in", "into", "is", "it", "its", "just", "may", "me", "might", "my", "of", "on", "onto", "or",
    "our", "per", "please", "s", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their",
    "then", "there", "these", "they", "this", "those", "to", "us", "via", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "will", "with", "would", "you", "your",
];

/// Programs that reshape what another one wrote.
#[rustfmt::skip]
pub(crate) const FILTERS: &[&str] = &[
    "awk", "cat", "column", "cut", "egrep", "fgrep", "fmt", "fold", "gawk", "grep", "head", "jq", "less",
    "more", "nl", "od", "paste", "pbcopy", "rev", "rg", "sed", "sort", "strings", "tac", "tail", "tee",
    "tr", "ts", "uniq", "wc", "xargs", "xxd", "yq",
];

/// Programs that set up or report and are not what a line is about.
#[rustfmt::skip]
pub(crate) const PREPARATIONS: &[&str] = &[
    "", ".", ":", "alias", "case", "cd", "clear", "date", "echo", "exit", "export", "false", "for",
    "function", "mkdir", "popd", "printf", "pushd", "pwd", "read", "select", "set", "shopt", "sleep",
    "source", "trap", "true", "ulimit", "umask", "unset", "wait",
];

/// Programs whose status answers a question.
#[rustfmt::skip]
pub(crate) const QUESTIONS: &[&str] = &[
    "[", "[[", "ack", "ag", "cmp", "comm", "command", "diff", "egrep", "expr", "false", "fgrep", "fuser",
    "grep", "hash", "lsof", "pgrep", "pidof", "rg", "test", "type", "which", "zgrep",
];

/// Programs whose first words are files or text, not a subcommand.
#[rustfmt::skip]
pub(crate) const FILE_TAKERS: &[&str] = &[
    "Rscript", "base64", "basename", "bc", "black", "c++", "cc", "chmod", "chown", "clang", "clang++",
    "code", "cp", "crontab", "curl", "dd", "df", "dig", "dirname", "du", "ed", "elixir", "env", "eslint",
    "fd", "file", "find", "flake8", "free", "g++", "gcc", "gdb", "gunzip", "gzip", "hostname", "id", "iex",
    "isort", "java", "javac", "kill", "killall", "ldd", "ln", "ls", "lua", "man", "md5sum", "mocha", "mv",
    "mypy", "mysql", "nano", "nc", "nm", "node", "objdump", "open", "openssl", "patch", "perl", "php",
    "phpunit", "ping", "pkill", "prettier", "printenv", "ps", "psql", "py.test", "pylint", "pyright",
    "pytest", "python", "readlink", "realpath", "redis-cli", "rm", "rspec", "rsync", "ruby", "ruff",
    "rustc", "scp", "seq", "sha256sum", "shellcheck", "sqlite3", "ssh", "stat", "strace", "tar", "top",
    "touch", "tree", "ts-node", "tsc", "tsx", "uname", "unittest", "unzip", "uptime", "vi", "vim", "wget",
    "whoami", "zip",
];

/// Programs that run another one.
#[rustfmt::skip]
pub(crate) const WRAPPERS: &[&str] = &[
    "builtin", "caffeinate", "chronic", "command", "doas", "env", "eval", "exec", "gtimeout", "ionice",
    "nice", "nohup", "setsid", "stdbuf", "sudo", "timeout", "unbuffer", "xvfb-run",
];

/// Names of manifests and configuration files.
#[rustfmt::skip]
pub(crate) const SETUP_FILES: &[&str] = &[
    ".env", ".npmrc", ".nvmrc", ".tool-versions", "build.gradle", "build.gradle.kts", "cargo.toml",
    "cmakelists.txt", "composer.json", "conftest.py", "docker-compose.yml", "dockerfile", "environment.yml",
    "gemfile", "go.mod", "jest.config.js", "justfile", "makefile", "mix.exs", "package.json",
    "package.swift", "pom.xml", "procfile", "pubspec.yaml", "pyproject.toml", "pytest.ini",
    "requirements.txt", "setup.cfg", "setup.py", "test_helper.exs", "tox.ini", "tsconfig.json",
];

/// Names of lock files.
#[rustfmt::skip]
pub(crate) const LOCK_FILES: &[&str] = &[
    "bun.lockb", "cargo.lock", "composer.lock", "flake.lock", "gemfile.lock", "go.sum", "mix.lock",
    "package-lock.json", "pdm.lock", "pipfile.lock", "pnpm-lock.yaml", "podfile.lock", "poetry.lock",
    "uv.lock", "yarn.lock",
];

/// Subcommands that check code.
#[rustfmt::skip]
pub(crate) const CHECK_VERBS: &[&str] = &[
    "bench", "build", "check", "ci", "clippy", "compile", "credo", "dialyzer", "e2e", "fmt", "format",
    "lint", "nextest", "spec", "test", "tests", "tsc", "typecheck", "types", "unit", "validate", "verify",
    "vet",
];

/// Programs that check code.
#[rustfmt::skip]
pub(crate) const CHECKERS: &[&str] = &[
    "ava", "bazel", "biome", "black", "cabal", "clang", "cmake", "ctest", "cypress", "eslint", "flake8",
    "g++", "gcc", "golangci-lint", "gradle", "javac", "jest", "make", "meson", "mocha", "mvn", "mypy",
    "ninja", "nox", "oxlint", "phpstan", "phpunit", "playwright", "prettier", "pylint", "pyright", "pytest",
    "rake", "rspec", "rubocop", "ruff", "runtests.py", "rustc", "sbt", "shellcheck", "stack", "tox", "tsc",
    "tslint", "unittest", "vitest", "xcodebuild",
];

/// Nouns that a name follows.
#[rustfmt::skip]
pub(crate) const NAMING_NOUNS: &[&str] = &[
    "app", "branch", "class", "column", "container", "crate", "database", "dependency", "directory",
    "field", "file", "function", "host", "image", "job", "key", "macro", "method", "module", "option",
    "package", "project", "remote", "repository", "script", "service", "struct", "table", "target", "task",
    "type", "user", "variable",
];

/// Words that may follow a naming noun and are no name.
#[rustfmt::skip]
pub(crate) const COMMON: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "branch", "but", "by", "can", "content", "could", "did", "does",
    "error", "errors", "exists", "for", "found", "from", "has", "in", "is", "it", "name", "named", "names",
    "of", "on", "or", "path", "size", "system", "that", "the", "to", "was", "which", "will", "with",
];

/// Words whose digits belong to them.
#[rustfmt::skip]
pub(crate) const DIGIT_WORDS: &[&str] = &[
    "arm64", "base64", "ec2", "ed25519", "es6", "f32", "f64", "float32", "float64", "http2", "i18n", "i32",
    "i64", "int32", "int64", "int8", "ipv4", "ipv6", "k8s", "md5", "oauth2", "python2", "python3", "s3",
    "sha1", "sha256", "u32", "u64", "u8", "uint8", "usize", "utf-16", "utf-8", "utf8", "win32", "x86_64",
];

/// Verbs that begin an advice.
#[rustfmt::skip]
pub(crate) const IMPERATIVES: &[&str] = &[
    "add", "avoid", "call", "check", "choose", "commit", "configure", "create", "define", "ensure",
    "export", "give", "import", "include", "install", "login", "make", "pass", "provide", "read", "reduce",
    "remove", "rename", "replace", "run", "select", "set", "specify", "split", "supply", "try", "update",
    "upgrade", "use", "verify", "wrap",
];

/// Phrases about what surrounds the code under test.
#[rustfmt::skip]
pub(crate) const ENVIRONMENT: &[&str] = &[
    "command not found", "is not recognized as", "no module named", "cannot find module",
    "cannot find package", "module not found", "can't cd to", "permission denied",
    "operation not permitted", "not installed", "is not available in", "missing dependency",
    "as a test dependency", "as a dependency", "configuration found", "not configured",
    "environment variable", "environment configuration", "credential", "api key", "unauthorized",
    "authentication", "connection refused", "could not connect", "econnrefused", "could not resolve host",
    "getaddrinfo", "network is unreachable", "enotfound", "eaddrinuse", "address already in use",
    "no space left", "out of memory", "unsupported engine", "requires node", "requires python", "lock file",
    "lockfile", "unable to open database", "not a git repository", "externally-managed-environment",
    "shared librar", "exec format error", "java_home", "toolchain", "no such image", "docker daemon",
    "eacces",
];

/// Phrases of answers about the world and of what is already so.
#[rustfmt::skip]
pub(crate) const BENIGN: &[&str] = &[
    "sold out", "not available", "no longer available", "unavailable", "out of stock", "not enough seats",
    "no seats", "fully booked", "nothing to commit", "already up to date",
    "already up-to-date", "no rooms", "file unchanged", "already closed",
];

/// Phrases of sentences that advise nothing.
#[rustfmt::skip]
pub(crate) const EMPTY_ADVICE: &[&str] = &[
    "error message", "try again", "retry", "report", "documentation", "bug", "contact", "visit", "http",
    "more information", "wait for", "like this", "see ", "more details", "stack trace", "--help", "did you",
    "re-run", "rerun", "please report", "this error", "support",
];

/// Phrases that offer to force, skip, disable or silence.
#[rustfmt::skip]
pub(crate) const OVERRIDES: &[&str] = &[
    "--force", "-f ", " -f", "--no-verify", "--skip", "--ignore", "--no-check", "--allow",
    "--break-system-packages", "--legacy-peer-deps", "--unsafe", "--dangerously", "--yes", "sudo ",
    "chmod 777", "override", "bypass", "turn this message off", "turn off", "disable", "suppress",
    "silence", "advice.", "really want", "ignore this", "skip this", "skipping", "--disable", "--insecure",
    "-k ", "--no-strict", "[skip", "reset --hard",
];

/// How lines begin that a host puts around an output.
#[rustfmt::skip]
pub(crate) const ENVELOPE: &[&str] = &[
    "Exit code", "exit code", "Process exited with code", "Chunk ID:", "Wall time:",
    "Original token count:", "Output:", "<returncode>", "exit status", "Exit status", "Command output",
    "Exit Code",
];

/// What operating systems say, the same whatever the program.
#[rustfmt::skip]
pub(crate) const SYSTEM_MESSAGES: &[&str] = &[
    "No such file or directory", "Permission denied", "Is a directory", "Not a directory", "File exists",
    "Operation not permitted", "command not found", "Connection refused", "No space left on device",
    "Directory not empty", "Read-only file system", "Too many open files",
];

/// Words that begin a line about what was done.
#[rustfmt::skip]
pub(crate) const DONE: &[&str] = &[
    "added", "cached", "collected", "compiled", "created", "downloaded", "fetched", "finished", "generated", "installed", "loaded", "removed", "resolved", "started", "unchanged", "updated", "using",
];

/// Programs that show what is there.
#[rustfmt::skip]
pub(crate) const LOOKERS: &[&str] = &[
    "df", "du", "env", "fd", "file", "find", "id", "ls", "man", "printenv", "ps", "pwd", "readlink", "realpath", "stat", "tree",
    "uname", "whoami",
];

/// Words in names of tools that look things up.
#[rustfmt::skip]
pub(crate) const LOOKUPS: &[&str] = &[
    "check", "describe", "fetch", "find", "get", "glob", "grep", "list", "look", "query", "read", "search", "show", "view",
];

/// Words in names of tools that list what there is.
pub(crate) const LISTERS: &[&str] = &["find", "list", "search"];

/// Words in names of tools that make something new, whose values nobody can have listed.
#[rustfmt::skip]
pub(crate) const MAKERS: &[&str] = &[
    "add", "bash", "create", "edit", "generate", "grep", "insert", "list", "make", "new", "register", "rename", "run", "save",
    "search", "shell", "upload", "write",
];

/// How results read that were given up because another call failed.
#[rustfmt::skip]
pub(crate) const CASCADES: &[&str] = &[
    "sibling tool call", "parallel tool call", "another tool call failed", "previous tool call failed",
    "skipped because an earlier",
];

/// How results read that a person broke off.
#[rustfmt::skip]
pub(crate) const INTERRUPTS: &[&str] = &[
    "interrupted by user", "request interrupted", "user interrupted", "aborted by user", "user aborted",
];

/// How results read that a person or a permission rule refused.
#[rustfmt::skip]
pub(crate) const REFUSALS: &[&str] = &[
    "user doesn't want to", "user doesn’t want to", "tool use was rejected", "rejected by user",
    "user rejected", "user denied", "user declined", "requested permissions to", "haven't granted",
    "has been auto-denied", "tool use was denied", "permission to use bash", "permission to use write",
    "permission to use edit", "permission to use read", "require approval", "requires approval",
    "denied by user", "rejected by the user", "denied by the user", "declined by the user",
    "user has denied",
];

/// How results read of calls that were cancelled.
#[rustfmt::skip]
pub(crate) const CANCELLED: &[&str] = &[
    "operation was cancelled", "operation cancelled", "call was cancelled", "tool call cancelled",
    "execution cancelled",
];

/// How an agent announces a failure that it wants to see.
#[rustfmt::skip]
pub(crate) const WANTED_FAILURES: &[&str] = &[
    "should fail", "expect it to fail", "expected to fail", "to see it fail", "watch it fail",
    "verify it fails", "verify that it fails", "confirm it fails", "verify the test fails",
    "confirm the test fails", "reproduce the", "see the failure", "tests fail first", "red phase",
    "will fail because", "fails as expected", "verify failure", "confirm failure",
];

/// How flags begin that skip, force, ignore or disable a check.
#[rustfmt::skip]
pub(crate) const BYPASS_FLAGS: &[&str] = &[
    "-DskipTests", "--allow-root", "--allow-unsafe", "--bypass", "--break-system-packages", "--dangerously", "--disable",
    "--force", "--ignore", "--insecure", "--legacy-peer-deps", "--no-audit", "--no-check", "--no-gpg-sign",
    "--no-hooks", "--no-sandbox", "--no-strict", "--no-tests", "--no-validate", "--no-verify",
    "--passwithnotests", "--passWithNoTests", "--privileged", "--skip", "--trusted-host", "--unsafe",
    "--yolo", "--full-auto", "--no-frozen-lockfile", "--no-immutable", "--no-ssl-verify",
];

/// Phrases in a lesson that would teach to go round a check.
#[rustfmt::skip]
pub(crate) const BYPASSES: &[&str] = &[
    "chmod 777", "sudo ", "verify=false", "no-verify", "legacy-peer-deps", "break-system-packages",
    "turn this message off", "really want", "disable the", "skip the", "bypass the", "override the",
    "force the", "delete the test", "use -f", "with -f", "using --force", "use --force",
];

/// Parts of names of variables that switch a check off.
pub(crate) const BYPASS_VARIABLES: &[&str] = &[
    "SKIP",
    "HUSKY",
    "NO_VERIFY",
    "TLS_REJECT",
    "HTTPSVERIFY",
    "BREAK_SYSTEM",
    "IGNORE",
    "UNSAFE",
    "INSECURE",
];

/// Words in names of arguments that force or skip where they are true.
#[rustfmt::skip]
pub(crate) const FORCING_WORDS: &[&str] = &[
    "allow", "bypass", "dangerously", "disable", "elevated", "escalate", "escalated", "force", "ignore",
    "insecure", "override", "overwrite", "privileged", "skip", "sudo", "unsafe",
];

/// Words in names of arguments and flags that check something.
#[rustfmt::skip]
pub(crate) const CHECKING_WORDS: &[&str] = &[
    "audit", "check", "frozen", "immutable", "locked", "safe", "sandbox", "secure", "strict", "validate",
    "validation", "verify",
];

/// How errors read that compare a value of the code under test.
pub(crate) const COMPARISONS: &[&str] =
    &["assert", "expected", "to equal", "left:", "right:", "mismatch", " != ", " == ", "snapshot", "diff"];

/// How errors read that are about something that is not there.
pub(crate) const MISSING: &[&str] =
    &["no such file", "does not exist", "not exist", "not found", "cannot find", "no such directory"];

/// How errors read of commands that were called in the wrong directory.
#[rustfmt::skip]
pub(crate) const ELSEWHERE: &[&str] = &[
    "parent directory", "not a git repository", "could not find", "couldn't find", "no package.json",
    "current directory",
];

/// How errors read of packages that an index does not have.
#[rustfmt::skip]
pub(crate) const NO_PACKAGE: &[&str] = &[
    "unable to locate package", "no matching distribution", "not find a version", "package not found",
    "no matching package",
];

/// How errors read where there is no network.
#[rustfmt::skip]
pub(crate) const NO_NETWORK: &[&str] = &[
    "temporary failure resolving", "could not resolve host", "getaddrinfo", "enotfound",
    "network is unreachable", "name or service not known",
];

/// Subcommands that set up what surrounds the code.
pub(crate) const INSTALL_VERBS: &[&str] =
    &["add", "bootstrap", "deps", "get", "i", "init", "install", "prepare", "restore", "setup", "sync"];

/// Marks in code that silence a check or leave a test out: words to look for in the edits of a trace, never used here.
#[rustfmt::skip]
pub(crate) const SILENCERS: &[&str] = &[
    "verify=False", "# type: ignore", "# noqa", "eslint-disable", "@ts-ignore", "@ts-nocheck",
    "@ts-expect-error",
    // Text that is searched for in what an agent wrote: no test of this project is left out by it.
    "mark.skip", "mark.xfail", "unittest.skip", "#[ignore", "it.skip(", "test.skip(", "describe.skip(", "xit(",
    "xdescribe(", "t.Skip(", "@Disabled", "@Ignore", "nolint", "rubocop:disable", "#[allow(", "#![allow(",
    "pragma: no cover", "rejectUnauthorized: false", "InsecureSkipVerify: true", "--no-verify",
    "@tag :skip", "credo:disable", "stylelint-disable", "prettier-ignore", "continue-on-error: true",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_lists_are_sorted() {
        let lists = [
            FAILURE,
            GENERIC,
            STOP,
            FILTERS,
            PREPARATIONS,
            QUESTIONS,
            FILE_TAKERS,
            WRAPPERS,
            SETUP_FILES,
            LOCK_FILES,
            CHECK_VERBS,
            CHECKERS,
            NAMING_NOUNS,
            COMMON,
            DIGIT_WORDS,
            IMPERATIVES,
            MAKERS,
            LISTERS,
            FORCING_WORDS,
            CHECKING_WORDS,
            INSTALL_VERBS,
        ];
        for list in lists {
            assert!(list.is_sorted_by(|a, b| a < b), "{list:?}");
        }
    }
}

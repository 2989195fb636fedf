//! Advice for classes of errors that phrases tell: one table, first match wins.
//!
//! Decides nothing but the wording. `{}` stands for the tool or program.

/// One class of errors.
pub(super) struct Rule {
    /// Phrases of which the sentence has one, in lower case.
    pub(super) says: &'static [&'static str],
    /// The advice.
    pub(super) advice: &'static str,
    /// Whether the error itself carries the advice, so that it is more than a guess.
    pub(super) carried: bool,
}

const fn carried(says: &'static [&'static str], advice: &'static str) -> Rule {
    Rule { says, advice, carried: true }
}

const fn guessed(says: &'static [&'static str], advice: &'static str) -> Rule {
    Rule { says, advice, carried: false }
}

/// The classes, special ones first.
#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    carried(
        &["not found in file", "did not appear verbatim", "string to replace not found", "no match found for",
            "could not find the text", "old_string not found", "search block", "failed to find expected lines",
            "failed to find context", "patch does not apply", "patch failed"],
        "Re-read the lines and copy them exactly before `{}`: the text to replace must match verbatim",
    ),
    carried(
        &["multiple occurrences", "multiple matches", "is not unique", "matches of the string", "found multiple", "more than one match"],
        "Add surrounding lines until the text to replace is unique in `{}`: it occurs more than once",
    ),
    carried(&["exactly the same", "old_str must be different", "are identical"], "Give `{}` a new text that differs from the old one"),
    carried(&["has not been read", "not been read yet", "read it first"], "Read the file before `{}`: it refuses files that were not read"),
    carried(&["modified since", "changed since", "has been modified"], "Read the file again before `{}`: it changed since it was read"),
    carried(
        &["introduced new syntax", "does not parse", "syntax errors in your edit"],
        "Replace whole statements and keep their indentation in `{}`: edits that do not parse are rejected",
    ),
    carried(&["ignored by one of your"], "Leave paths that .gitignore names out of `{}`: it refuses them"),
    guessed(&["is a directory", "eisdir", "operation on a directory"], "Give `{}` a file and not a directory; list directories instead"),
    guessed(
        &["unknown tool", "no such tool", "tool not found", "not a valid tool"],
        "Call only tools that are offered: `{}` is not one of them",
    ),
    guessed(
        &["unknown revision", "ambiguous argument", "did not match any"],
        "Check that the branch, revision or path exists before `{}`: unknown ones fail",
    ),
    guessed(
        &["no such table", "no such column", "unknown column", "unknown table", "relation does not exist", "column does not exist"],
        "Look at the schema before `{}`: it names a table or column that does not exist",
    ),
    guessed(
        &["not find a version", "no matching distribution", "unable to locate package", "no matching package", "package not found"],
        "Check the package's name and version before `{}`: it was not found",
    ),
    guessed(
        &["connection refused", "failed to connect", "couldn't connect", "could not connect", "cannot connect", "econnrefused"],
        "Check that the server runs and listens before `{}`: nothing answered",
    ),
    guessed(
        &["temporary failure resolving", "could not resolve host", "getaddrinfo", "enotfound", "network is unreachable"],
        "Expect no network for `{}` here: the host could not be resolved",
    ),
    guessed(
        &["regex parse error", "unclosed group", "unbalanced parenthesis", "invalid regular expression", "unmatched ( or"],
        "Escape brackets and other special characters in the pattern of `{}`: it is a regular expression",
    ),
    guessed(
        &["no rule to make target", "missing script", "unknown target", "task not found", "recipe not found"],
        "List the targets or scripts before `{}`: it was given one that does not exist",
    ),
    guessed(&["can't cd to", "cannot cd to"], "Create or configure the directory that `{}` enters: it does not exist"),
    guessed(&["address already in use", "eaddrinuse", "port is already"], "Check for a running server before `{}`: its port is taken"),
    guessed(&["no matches found"], "Quote patterns in `{}`: the shell fails when one matches no file"),
    guessed(&["rate limit", "too many requests", "quota exceeded"], "Space out calls of `{}`: it is rate limited"),
    guessed(&["field required"], "Give every required field to `{}`: one was missing"),
    guessed(
        &["no such file", "file does not exist", "path does not exist", "file not found", "directory not found", "file or directory not found",
            "cannot find the file", "cannot find the path", "not exist on disk", "filenotfounderror", "enoent"],
        "List the directory before `{}`: the path may not exist",
    ),
    guessed(
        &["unknown option", "unrecognized option", "unrecognized argument", "invalid option", "unknown flag", "unexpected argument",
            "illegal option"],
        "Look at `{} --help` before passing a flag: it does not know every one",
    ),
    guessed(&["permission denied", "not permitted", "access denied", "eacces"], "Check access before `{}`: permission denied"),
    guessed(&["timed out", "timeout"], "Give `{}` more time or less work: it can time out"),
];

/// Writing to a path whose directory is missing.
pub(super) const MISSING_PARENT: &str = "Create the parent directory before `{}`: it does not create it";

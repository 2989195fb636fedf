use super::*;
use alloc::borrow::Cow;
use proptest::prelude::*;

fn of(message: &str) -> String {
    Signature::of(message, &Known { message, ..Known::default() }).text
}

fn shell(program: &str, values: &[&'static str], message: &str) -> String {
    let known = Known {
        is_shell: true,
        programs: alloc::vec![program.to_string()],
        values: values.iter().map(|value| Cow::Borrowed(*value)).collect(),
        message,
        ..Known::default()
    };
    Signature::of(message, &known).text
}

#[test]
fn values_become_classes() {
    assert_eq!(of("Error: cannot open /etc/app/conf.d/a.toml after 30s"), "cannot open <path> after <n>");
    assert_eq!(
        of("commit 3fa9c1d is missing on 2024-05-20 from https://x.io/y"),
        "commit <hash> is missing on <date> from <url>"
    );
    assert_eq!(of("unknown key 'colour of sky' in `theme`"), "unknown key <text> in <text>");
    assert_eq!(
        of("version 1.2.3 of the driver can't be used"),
        "version <version> of the driver can't be used"
    );
}

#[test]
fn an_apostrophe_is_no_quote() {
    assert_eq!(of("the file isn't where it's expected to be"), "the file isn't where it's expected to be");
}

#[test]
fn what_the_error_echoes_from_the_call_is_masked() {
    assert_eq!(shell("jq", &["Old Name", "prod"], "zsh: command not found: jq"), "command not found");
    assert_eq!(
        shell("cli", &["Old Name", "prod"], "cli: cannot rename Old Name in stage: prod"),
        "cannot rename <text> in stage: <value>"
    );
}

#[test]
fn a_header_takes_the_next_line() {
    assert_eq!(
        of("Build failed with 1 error:\nerror: could not resolve the entry module"),
        "could not resolve the entry module"
    );
    assert_eq!(
        of("Pre-commit validation failed:\\n\\n[FORMAT] Code is not formatted.\\nRun x"),
        "[FORMAT] Code is not formatted"
    );
    assert_eq!(of("Pre-commit validation failed:\n\n[LINT]\nChecking 12 files..."), "[LINT]");
}

#[test]
fn the_exception_line_of_a_trace_back_counts() {
    let text = "Exit code 1\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\nValueError: chr() arg not in range(256)";
    assert_eq!(shell("python", &[], text), "ValueError: chr() arg not in range(<n>)");
    let text = "/x/main.js:14\n  throw new Error(text);\n        ^\n\nError: the bundle has no entry\n    at run (/x/main.js:14:9)";
    assert_eq!(shell("node", &[], text), "the bundle has no entry");
}

#[test]
fn progress_warnings_and_summaries_do_not_count() {
    let text = "Compiling 4 files\nwarning: unused variable\nmake: *** [Makefile:12: all] Error 2\nld: symbol table is damaged beyond repair";
    assert_eq!(shell("make", &[], text), "ld: symbol table is damaged beyond repair");
    assert_eq!(
        shell("npm", &[], "npm ERR! code ENOENT\nnpm ERR! errno -2\nnpm ERR! the manifest is missing here"),
        "the manifest is missing here"
    );
}

#[test]
fn a_program_speaks_before_what_it_printed() {
    let text = "error: string;\nmore: number;\ncat: b.ts: No such file or directory";
    assert_eq!(shell("cat", &["a.ts", "b.ts"], text), "No such file or directory");
}

#[test]
fn error_codes_are_kept_and_ids_are_not() {
    assert_eq!(
        of("src/a.ts(3,5): error TS2322: Type 'x' is not assignable to type 'y'."),
        "error TS2322: Type <text> is not assignable to type <text>"
    );
    assert_eq!(
        of("Request failed with status code 404 after 31 tries"),
        "Request failed with status code 404 after <n> tries"
    );
    assert_eq!(of("no seat on flight HAT136 is left"), "no seat on flight <id> is left");
}

#[test]
fn many_lined_arguments_do_not_break_the_sentence() {
    let value = "fn a() {\n  1\n}";
    let message = alloc::format!(
        "ERROR:\nNo replacement was performed, old_str `{value}` did not appear verbatim in /w/a.rs."
    );
    let known = Known { texts: alloc::vec![value], message: &message, ..Known::default() };
    let expected = "No replacement was performed, old_str <text> did not appear verbatim in <path>";
    assert_eq!(Signature::of(&message, &known).text, expected);
    assert_eq!(of(&message), expected);
}

#[test]
fn a_sentence_that_says_nothing_takes_the_next() {
    let text = of(
        "No replacement was performed. Multiple occurrences of old_str `x` in lines [3, 9]. Please ensure it is unique.",
    );
    assert_eq!(text, "No replacement was performed. Multiple occurrences of old_str <text> in lines <list>");
}

#[test]
fn escapes_and_json_are_read() {
    assert_eq!(of("\u{1b}[31merror\u{1b}[0m: the disk is full again"), "the disk is full again");
    assert_eq!(
        of("{\"error\": {\"message\": \"the quota of the project is used up\"}}"),
        "the quota of the project is used up"
    );
}

#[test]
fn a_silent_failure_is_generic() {
    let known = Known::default();
    assert!(Signature::of("Exit code 3", &known).is_generic() && Signature::of("", &known).is_generic());
}

proptest! {
    #[test]
    fn any_message_has_a_signature(message in "\\PC{0,200}", lines in proptest::collection::vec("[-a-z:'`<>(\\[\\]) ]{0,30}", 0..8)) {
        for text in [message, lines.join("\n")] {
            let signature = Signature::of(&text, &Known { message: &text, ..Known::default() });
            prop_assert!(!signature.text.contains('\n') && signature.text.len() <= 210);
        }
    }
}

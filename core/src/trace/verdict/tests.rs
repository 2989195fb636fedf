//! What texts, flags and statuses are judged to be.

use alloc::string::ToString;

use super::*;
use ResultStatus::{Cancelled, Failed, Ok, Refused};

#[test]
fn texts_are_judged_by_their_form() {
    let cases = [
        ("Error: user not found", Failed),
        ("error: pathspec 'x' did not match", Failed),
        ("ERROR: no such table", Failed),
        ("Error", Failed),
        ("Error executing tool search: timeout", Failed),
        ("Error 404: not found", Failed),
        ("ValueError: no column B", Failed),
        ("FileNotFoundError(\"[Errno 2] No such file\")", Failed),
        ("java.io.IOException: closed", Failed),
        ("Traceback (most recent call last):\n  File \"x\"\nKeyError: 'a'", Failed),
        ("3 rows\nTraceback (most recent call last):\n  File \"x\"\nKeyError: 'a'", Failed),
        ("HTTP 503 Service Unavailable", Failed),
        ("HTTP/1.1 404 Not Found", Failed),
        ("{'error': 'no such city'}", Failed),
        ("User rejected the command", Refused),
        ("Tool call book with id c1 was cancelled - another message came in", Cancelled),
        ("", Ok),
        ("0 errors", Ok),
        ("Errors: 0", Ok),
        ("Error: none", Ok),
        ("Error handling in Rust is explicit.", Ok),
        ("ErrorBoundary: a component", Ok),
        ("fn main() {} // Error: never", Ok),
        ("The log says\nError: disk full\nand then recovered", Ok),
        ("HTTP/1.1 200 OK", Ok),
        ("HTTP servers return 404 when nothing is there", Ok),
        ("{'error': None, 'rows': 3}", Ok),
        ("Cancelled: booking 17, refund 20", Ok),
    ];
    for (text, status) in cases {
        assert_eq!(of_text(text.to_string()).status, status, "{text}");
    }
}

#[test]
fn objects_say_it_in_one_of_their_fields() {
    let failed = [
        r#"{"error": "no room"}"#,
        r#"{"error": {"code": 7}}"#,
        r#"{"ok": false}"#,
        r#"{"success": false, "error": null}"#,
        r#"{"content": [], "isError": true}"#,
        r#"{"status": "error", "why": "full"}"#,
        r#"{"status": 404}"#,
        r#"{"statusCode": 500, "status_code": null}"#,
        r#"{"output": "boom", "metadata": {"exit_code": 2}}"#,
        r#"{"stdout": "", "returncode": 1}"#,
    ];
    let fine = [
        r#"{"error": null}"#,
        r#"{"error": "", "rows": []}"#,
        r#"{"error": false}"#,
        r#"{"errors": [], "status": "failed flights only"}"#,
        r#"{"ok": true, "error": "a warning"}"#,
        r#"{"status": "available"}"#,
        r#"{"status": 200, "exit_code": 0}"#,
        r#"{"log": {"error": "from yesterday"}}"#,
        r#"[{"error": "listed"}]"#,
    ];
    for text in failed {
        assert_eq!(of_text(text.to_string()).status, Failed, "{text}");
    }
    for text in fine {
        assert_eq!(of_text(text.to_string()).status, Ok, "{text}");
    }
}

#[test]
fn the_status_of_a_process_counts_where_it_is_told() {
    let cases = [
        ("Exit code 2\nmake: ***", Some(2)),
        ("Process exited with code 0\nOutput:\nError: shown by a test", Some(0)),
        ("out\n[The command completed with exit code 1.]", Some(1)),
        ("Command '['ls']' returned non-zero exit status 2.", Some(2)),
        ("Exit code: 137", Some(137)),
        ("exit code 3 lines further", None),
        ("see flexit code 3", None),
        ("a\nb\nc\nexit code 1\nd\ne\nf", None),
    ];
    for (text, exit) in cases {
        let result = of_text(text.to_string());
        assert_eq!(result.exit, exit, "{text}");
        let status = if exit.is_some_and(|code| code != 0) { Failed } else { Ok };
        assert_eq!(result.status, status, "{text}");
    }
}

#[test]
fn a_flag_counts_before_the_text_and_stored_text_says_nothing() {
    let judge = |failed, tool: &str, text: &str| of_flag(failed, tool, text.to_string()).status;
    assert_eq!(judge(true, "x", "all is well"), Failed);
    assert_eq!(judge(true, "x", "The user has denied this: denied by the user"), Refused);
    assert_eq!(judge(true, "x", "[Operation Cancelled] Reason: User did not allow tool call"), Refused);
    assert_eq!(judge(true, "x", "Sibling tool call failed"), Cancelled);
    assert_eq!(judge(false, "book", "Error: no seat"), Failed);
    for reader in ["read_file", "ReadFile", "mcp__fs__view", "WebFetch", "grep"] {
        assert_eq!(judge(false, reader, "Error: what the file says"), Ok, "{reader}");
    }
    for other in ["thread_post", "review", "notificate"] {
        assert_eq!(judge(false, other, "Error: no such thing"), Failed, "{other}");
    }
}

#[test]
fn tools_and_services_say_it_in_their_own_words() {
    let cases = [
        ("write_stdin failed: stdin is closed", Failed),
        ("write_stdin verification failed: no hunk", Failed),
        ("write_stdin was told that failed tests matter", Ok),
        ("Browser Use rejected this action due to browser security policy.", Failed),
        ("Request failed with status code 404", Failed),
        ("API returned status: 503 Service Unavailable", Failed),
        ("Response status: 200", Ok),
        ("<html><head><title>403 Forbidden</title></head></html>", Failed),
        ("<!DOCTYPE html><title>Roses</title><p>not found here</p>", Ok),
        ("{'statusCode': 400, 'error': 'Bad Request'}", Failed),
        ("{'statusCode': 200, 'error': None}", Ok),
    ];
    for (text, status) in cases {
        assert_eq!(of_tool("write_stdin", text.to_string()).status, status, "{text}");
    }
}

#[test]
fn a_shell_without_a_status_complains_in_one_line() {
    let cases = [
        ("bash: lss: command not found", Failed),
        ("cat: notes: No such file or directory", Failed),
        ("ran\nTraceback (most recent call last):\n  File \"x\"\nKeyError: 'a'", Failed),
        ("cc -c a.c\nmake: *** [all] Error 1", Failed),
        ("a\nb\nc\nd: No such file or directory", Ok),
        ("notes.txt", Ok),
        ("", Ok),
    ];
    for (text, status) in cases {
        assert_eq!(of_shell(text.to_string()).status, status, "{text}");
    }
}

#[test]
fn marks_of_a_cut_are_seen() {
    for text in
        ["abc…[682 chars cut]", "abc [truncated]", "a\n... [120 lines truncated] ...\nb", "x (truncated)"]
    {
        assert!(is_cut(text), "{text}");
    }
    for text in ["", "loading...", "He cut it [short]", "TRUNCATE TABLE t"] {
        assert!(!is_cut(text), "{text}");
    }
}

//! Input that is wrong in every way at hand: it is counted, reported by line, and costs no good line.

use hardwon_core::trace::{BadReason, Body, Format, ReadLimits, Reader, Reading};

use super::common::{read, read_as, tally, words};

fn event(n: usize) -> String {
    format!(r#"{{"type":"user","text":"words {n}","session_id":"s","event_id":"e{n}"}}"#)
}

/// A good line, the bad one, a good line: what the reader says about the bad one.
fn between(bad: &[u8]) -> Reading {
    let bytes = [event(1).as_bytes(), b"\n", bad, b"\n", event(2).as_bytes(), b"\n"].concat();
    let reading = read(&bytes);
    assert_eq!(words(&reading.traces[0]), ["words 1", "words 2"], "good lines survive");
    reading
}

#[test]
fn each_kind_of_bad_line_is_reported_with_its_number() {
    let deep = ["[".repeat(10_000), "]".repeat(10_000)].concat();
    let deep_args = format!(r#"{{"type":"tool_call","name":"x","session_id":"s","args":{deep}}}"#);
    let cases: [(&[u8], BadReason); 9] = [
        (b"[1, 2]", BadReason::WrongShape),
        (b"42", BadReason::WrongShape),
        (br#"{"no": "type"}"#, BadReason::WrongShape),
        (br#"{"type":"user","text":"cut o"#, BadReason::Truncated),
        (b"{\"type\":\"user\",\"text\":\"caf\xe9\"}", BadReason::NotUtf8),
        (b"plain words", BadReason::NotJson),
        (b"{\"type\":\"user\",\"text\":\"a\0b\"}", BadReason::NotJson),
        (b"\0\0\0\0", BadReason::NotJson),
        (deep_args.as_bytes(), BadReason::TooDeep),
    ];
    for (line, reason) in cases {
        let report = between(line).report;
        let shown = String::from_utf8_lossy(&line[..line.len().min(40)]);
        assert_eq!((report.bad_total, report.bad[0].line, report.bad[0].reason), (1, 2, reason), "{shown}");
    }
    assert_eq!(between(deep.as_bytes()).report.bad_total, 1, "deep, and nothing else");
}

#[test]
fn numbers_that_no_float_holds_cost_no_line() {
    let digits = "9".repeat(100_000);
    for number in ["1e999", "-2.5E+4000", &digits] {
        let call = format!(
            r#"{{"type":"tool_call","name":"wait","session_id":"s","args":{{"for":{number},"x":1}},"odd":{number},"ts":{number}}}"#
        );
        let reading = between(call.as_bytes());
        assert_eq!(reading.report.bad_total, 0, "{}", &number[..5]);
        let args = reading.traces[0].events.iter().find_map(|event| match &event.body {
            Body::ToolCall(call) => Some(&call.args),
            _ => None,
        });
        assert_eq!(args, Some(&serde_json::json!({"for": number, "x": 1})));
    }
    // Chat formats carry arguments as JSON in a string.
    let chat = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"wait","arguments":"{\"for\":1e999}"}}]},{"role":"tool","tool_call_id":"c1","content":"waited"}]}"#;
    let reading = read(chat.as_bytes());
    let Body::ToolCall(call) = &reading.traces[0].events[1].body else { panic!("{reading:?}") };
    assert_eq!(call.args, serde_json::json!({"for": "1e999"}));
}

#[test]
fn white_space_marks_and_line_ends_do_not_matter() {
    let plain = format!("{}\n{}\n", event(1), event(2));
    let odd = format!("\u{feff}\r\n\r\n  {}\r\n   \n\u{feff}{}", event(1), event(2));
    assert_eq!(read(odd.as_bytes()).traces, read(plain.as_bytes()).traces);
    assert_eq!(read(odd.as_bytes()).report.bad_total, 0);
    assert_eq!(read(odd.as_bytes()).report.lines, 5);
}

#[test]
fn nothing_is_no_failure() {
    for empty in [&b""[..], b"\n\n", b"\r\n  \t\n", b"\xef\xbb\xbf"] {
        let reading = read(empty);
        assert!(
            reading.traces.is_empty() && reading.report.format.is_none() && reading.report.bad_total == 0
        );
    }
}

#[test]
fn a_line_of_50_mb_is_read_and_one_of_200_mb_skipped_without_being_held() {
    let mut reader = Reader::new(None, ReadLimits::default());
    reader.push(event(1).as_bytes());
    reader.push(b"\n{\"type\":\"user\",\"session_id\":\"s\",\"text\":\"");
    let chunk = vec![b'x'; 1 << 20];
    (0..50).for_each(|_| reader.push(&chunk));
    reader.push(b"\"}\n{\"type\":\"user\",\"session_id\":\"s\",\"text\":\"");
    (0..200).for_each(|_| reader.push(&chunk));
    reader.push(b"\"}\n");
    reader.push(event(2).as_bytes());
    let reading = reader.finish().expect("readable");
    assert_eq!(words(&reading.traces[0]).iter().map(|text| text.len()).collect::<Vec<_>>(), [7, 50 << 20, 7]);
    let bad = &reading.report.bad[0];
    assert_eq!((bad.line, bad.reason, reading.report.bad_total), (3, BadReason::TooLong, 1));
}

#[test]
fn a_line_may_be_exactly_as_long_as_the_limit_however_it_comes() {
    let line = event(1);
    for (limit, good) in [(line.len(), true), (line.len() - 1, false)] {
        for size in [1, 7, line.len(), line.len() + 9] {
            let limits = ReadLimits { max_line: limit, ..ReadLimits::default() };
            let mut reader = Reader::new(Some(Format::Canonical), limits);
            let bytes = format!("{line}\n{line}");
            bytes.as_bytes().chunks(size).for_each(|chunk| reader.push(chunk));
            let read = reader.finish().map(|reading| reading.report.events);
            assert_eq!(read.ok(), good.then_some(2), "limit {limit}, chunks of {size}");
        }
    }
}

#[test]
fn bad_lines_are_all_counted_and_the_first_listed() {
    let bytes = [event(1), "\n".into(), "?\n".repeat(5_000)].concat();
    let report = read(bytes.as_bytes()).report;
    assert_eq!((report.bad_total, report.bad.len(), report.bad[0].line), (5_000, 100, 2));
}

#[test]
fn a_first_line_that_was_cut_off_does_not_hide_the_others() {
    for start in [
        r#"{"type":"user","text":"cut"#,
        r#"{"type":"user","args":{"#,
        r#"{"type":"tool_call","args":["#,
        "{",
    ] {
        let bytes = [start, &event(1), &event(2), &event(3)].join("\n");
        let reading = read(bytes.as_bytes());
        assert_eq!(words(&reading.traces[0]), ["words 1", "words 2", "words 3"], "{start}");
        assert_eq!((reading.report.bad_total, reading.report.bad[0].line), (1, 1), "{start}");
    }
}

#[test]
fn a_document_that_was_cut_off_keeps_its_whole_messages() {
    let whole = include_str!("../samples/openai.json");
    let cut = &whole[..whole.find("\"{\\\"error\\\": \\\"no room").expect("the answer")];
    let reading = read(cut.as_bytes());
    assert_eq!(tally(&reading.traces), [1, 1, 0, 0, 1]);
    assert_eq!((reading.report.bad_total, reading.report.bad[0].reason), (1, BadReason::Truncated));
}

#[test]
fn documents_beyond_their_limit_are_skipped_and_what_follows_is_read() {
    let document = format!("[\n{}\n]\n", vec!["{\"role\":\"user\",\"content\":\"x\"}"; 50].join(",\n"));
    let small = "[\n{\"role\":\"user\",\"content\":\"y\"}\n]\n";
    let limits = ReadLimits { max_document: 1_000, ..ReadLimits::default() };
    let mut reader = Reader::new(None, limits);
    reader.push(document.as_bytes());
    reader.push(small.as_bytes());
    let reading = reader.finish().expect("readable");
    assert_eq!(words(&reading.traces[0]), ["y"]);
    assert_eq!((reading.report.bad[0].line, reading.report.bad[0].reason), (1, BadReason::TooLong));
}

#[test]
fn unknown_input_says_what_was_seen() {
    let cases: [(&[u8], &str); 12] = [
        (br#"{"a":1,"b":2,"c":3}"#, "a JSON object with keys a, b, c"),
        (br#"{"type":"quux","v":1}"#, "a JSON object with keys type, v and type quux"),
        (br#"[{"x":1},{"x":2}]"#, "a JSON array of 2 objects, the first with keys x"),
        (b"[]", "an empty JSON array"),
        (b"[\n1,\n2\n]", "a JSON array of 2 values that are no objects"),
        (b"{}", "a JSON object without keys"),
        (b"Dear diary", "plain text"),
        (b"{ not json", "what begins like JSON"),
        (b"\x1f\x8b\x08\x00\x00", "gzip data"),
        (b"\xff\xfe{\0", "UTF-16 text"),
        (b"\x7fELF\x01\0\0\0\xff", "binary data"),
        (
            br#"{"messages":[{"role":"robot","content":[{"type":"tool_result"}]}]}"#,
            "a JSON object with keys messages",
        ),
    ];
    for (bytes, saw) in cases {
        let error = read_as(None, bytes).expect_err(saw);
        assert!(error.saw.contains(saw), "{} instead of {saw}", error.saw);
    }
}

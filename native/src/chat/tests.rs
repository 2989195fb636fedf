//! Any text survives, and nothing in the file keeps what is whole from being read.

use proptest::prelude::*;

use hardwon_core::react::{Draft, MessageKind};

use super::*;

fn channel() -> (tempfile::TempDir, Channel) {
    let folder = tempfile::tempdir().expect("a folder");
    let channel = Channel::new(folder.path().join("deep/channel.toml"));
    (folder, channel)
}

fn draft(text: &str) -> Draft {
    Draft {
        from: "ann".into(),
        to: "ben, engram-agent".into(),
        thread: "build".into(),
        kind: MessageKind::Info,
        text: text.into(),
    }
}

fn post(channel: &Channel, text: &str) -> Placed {
    channel.append(draft(text), || Timestamp(1_775_000_000_123)).expect("posted")
}

fn texts(batch: &Batch) -> Vec<&str> {
    batch.messages.iter().map(|placed| placed.message.text.as_str()).collect()
}

fn put(channel: &Channel, bytes: &[u8]) {
    channel.prepare().expect("a folder");
    let mut file = OpenOptions::new().create(true).append(true).open(channel.path()).expect("open");
    file.write_all(bytes).expect("written");
}

fn whole(text: &str) -> String {
    encode::encode(&draft(text).posted(Timestamp(0)))
}

#[test]
fn a_message_is_read_from_its_cursor_on() {
    let (_folder, channel) = channel();
    assert_eq!(channel.cursor().expect("a cursor"), Position(0));
    assert!(channel.read(Position(0)).expect("no file yet").messages.is_empty());
    let first = post(&channel, "Situation: building\nBehaviour: run \"make\"");
    let second = post(&channel, "two");
    assert_eq!(channel.cursor().expect("a cursor"), second.end);
    let all = channel.read(Position(0)).expect("read");
    assert_eq!(all.messages, [first.clone(), second.clone()]);
    assert_eq!((all.cursor, all.skipped), (second.end, 0));
    assert_eq!(first.message.ts.to_string(), "2026-03-31T23:33:20.123Z", "stamped at the moment of posting");
    assert_eq!(channel.read(first.end).expect("read").messages, [second]);
}

#[test]
fn a_half_written_message_is_left_for_the_next_reading() {
    let (_folder, channel) = channel();
    let first = post(&channel, "one");
    for text in ["two", "lines\nof = \"text\"\n[[other]]\n", "[[message]]\nfrom = \"eve\""] {
        let rest = whole(text);
        let before = channel.read(first.end).expect("read").cursor;
        for cut in 1..rest.len() {
            let (_folder, channel) = self::channel();
            put(&channel, &rest.as_bytes()[..cut]);
            let batch = channel.read(Position(0)).expect("read");
            assert_eq!((texts(&batch), batch.skipped), (vec![], 0), "{cut} bytes of {rest}");
            put(&channel, &rest.as_bytes()[cut..]);
            let batch = channel.read(batch.cursor).expect("read");
            assert_eq!((texts(&batch), batch.skipped), (vec![text], 0), "after {cut} bytes of {rest}");
        }
        put(&channel, rest.as_bytes());
        assert_eq!(texts(&channel.read(before).expect("read")), [text]);
    }
}

#[test]
fn a_torn_message_loses_itself_alone() {
    let next = "next\nwith = \"lines\"\nand = '''quotes''' \"\"\"\n";
    for torn in [whole("torn"), whole("torn\nover lines\n"), whole("a").replace('"', "'''")] {
        // Cut behind two of three quotes it is a whole message with an empty text, and is taken as one.
        let is_whole =
            |cut: &usize| torn[..*cut].ends_with("text = \"\"") || torn[..*cut].ends_with("text = ''");
        for cut in (15..torn.len() - 1).filter(|cut| !is_whole(cut)) {
            let (_folder, channel) = channel();
            post(&channel, "first");
            put(&channel, &torn.as_bytes()[..cut]);
            post(&channel, next);
            post(&channel, "last");
            let batch = channel.read(Position(0)).expect("read");
            assert_eq!(texts(&batch), ["first", next, "last"], "{cut} bytes of {torn}");
            assert_eq!(batch.skipped, 1, "{cut} bytes of {torn}");
            assert_eq!(batch.cursor, channel.cursor().expect("a cursor"));
        }
    }
}

#[test]
fn junk_is_counted_and_passed_over() {
    let (_folder, channel) = channel();
    put(&channel, b"\xef\xbb\xbf# a channel\r\n\r\nwhat is this\nand this\n");
    post(&channel, "one");
    put(
        &channel,
        b"[[message]]\nfrom = 5\n\n[other]\nkey = 1\n[[message]]\nfrom = \"a\"\nfrom = \"b\"\n\xff\xfe\n",
    );
    post(&channel, "two");
    let batch = channel.read(Position(0)).expect("read");
    assert_eq!(texts(&batch), ["one", "two"]);
    assert!(batch.skipped >= 3, "{}", batch.skipped);
}

#[test]
fn messages_of_other_tools_are_read() {
    let (_folder, channel) = channel();
    put(
        &channel,
        concat!(
            "[[message]] # by hand\r\nfrom = 'lead'\r\nto = \"all\"\r\nthread = \"t\"\r\ntype = \"novel\"\r\n",
            "ts = 2026-04-04T21:58:00-04:00\r\nurgency = [1, 2]\r\ntext = '''\r\nIt's \"so\"'''''\r\n",
            "[[message]]\ntext = \"\"\"one \\\n   line\"\"\"\nts = \"2026-04-05T01:58:00Z\"\ntype = \"ack\"\n",
            "thread = \"t\"\nto = \"lead\"\nfrom = \"ben\"\n",
        )
        .as_bytes(),
    );
    let batch = channel.read(Position(0)).expect("read");
    assert_eq!((texts(&batch), batch.skipped), (vec!["It's \"so\"''", "one line"], 0));
    let [one, two] = &batch.messages[..] else { panic!("two messages") };
    assert_eq!(one.message.ts, two.message.ts);
    assert_eq!(one.message.kind.as_str(), "novel");
}

#[test]
fn a_message_without_end_is_bounded() {
    let (_folder, channel) = channel();
    let long = "x".repeat(50 << 20);
    let refused = channel.append(draft(&long), || Timestamp(0)).expect_err("too long");
    assert_eq!(refused.code(), "limit.message_bytes");
    assert_eq!(channel.cursor().expect("a cursor"), Position(0), "nothing was written");
    post(&channel, "before");
    let head = whole("");
    put(&channel, head.replace("text = \"\"", "text = \"").trim_end().as_bytes());
    put(&channel, long.as_bytes());
    put(&channel, b"\"\n");
    post(&channel, "between");
    put(
        &channel,
        format!("{}{}", whole("").replace("text = \"\"", "text = \"\"\""), "y\n".repeat(3 << 20)).as_bytes(),
    );
    post(&channel, "after");
    let batch = channel.read(Position(0)).expect("read");
    assert_eq!(texts(&batch), ["before", "between", "after"]);
    assert!(batch.skipped >= 2);
}

#[test]
fn a_file_that_was_cut_is_said() {
    let (_folder, channel) = channel();
    let placed = post(&channel, "one");
    fs::write(channel.path(), "").expect("cut");
    assert_eq!(channel.read(placed.end).expect_err("it was cut").code(), "host.channel");
}

proptest! {
    #[test]
    fn any_text_survives(
        one in "(?s).*",
        two in prop::collection::vec(prop::sample::select(vec![
            "\"", "\"\"\"", "'''", "\\", "\n", "\r", "\r\n", "\t", "\0", "\u{1b}[2J", "\u{202e}", "\u{feff}", "é",
            "\u{7f}", "\u{85}", "[[message]]", "text = ", "#", "word", " ",
        ]), 0..12).prop_map(|parts| parts.concat()),
    ) {
        let (_folder, channel) = channel();
        let (first, second) = (post(&channel, &one), post(&channel, &two));
        let mut third = draft("");
        third.from.clone_from(&two);
        third.thread.clone_from(&one);
        let third = channel.append(third, || Timestamp(0)).expect("posted");
        let batch = channel.read(Position(0)).expect("read");
        prop_assert_eq!(batch.messages, vec![first, second, third]);
        prop_assert_eq!(batch.skipped, 0);
        let shown = fs::read_to_string(channel.path()).expect("UTF-8");
        prop_assert!(!shown.contains(['\u{1b}', '\u{202e}', '\r', '\0']), "nothing for a terminal to obey");
    }
}

//! Children: this test binary run again as another process that plays a part.
//!
//! A test file that uses them has one test named `child`, which calls [`part`] and does nothing in an ordinary run.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::setting;

const PART: &str = "HARDWON_TEST_PART";

/// The part this process plays: its words, for example `commit <path> 3 25`.
pub(crate) fn part() -> Option<Vec<String>> {
    Some(setting(PART)?.split('\t').map(str::to_owned).collect())
}

/// A command that plays a part.
pub(crate) fn play(words: &[&str]) -> Command {
    let binary = std::env::current_exe().expect("this test binary");
    let mut command = Command::new(binary);
    as_child(&mut command, words);
    command
}

/// A command that plays a part in which no file may grow over so many kilobytes.
#[cfg(unix)]
pub(crate) fn play_limited(kilobytes: u32, words: &[&str]) -> Command {
    let binary = std::env::current_exe().expect("this test binary");
    let mut command = Command::new("sh");
    // A shell's unit is 512 bytes. A process that ignores the signal gets an error from the write, as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", kilobytes * 2);
    command.args(["-c", &script]).arg(binary);
    as_child(&mut command, words);
    command
}

fn as_child(command: &mut Command, words: &[&str]) {
    command.args(["--exact", "child", "--nocapture", "--test-threads=1"]);
    command.env(PART, words.join("\t")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
}

/// What a child said until its end, one word list a line; lines of the test harness are left out.
pub(crate) fn said(mut child: Child) -> Vec<Vec<String>> {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().expect("its output").read_to_string(&mut out).expect("UTF-8");
    child.stderr.take().expect("its errors").read_to_string(&mut err).expect("UTF-8");
    child.wait().expect("its end");
    assert!(!err.contains("panicked"), "a child panicked: {err}");
    words(&out)
}

/// The lines that [`say`] made. The last one counts only where it is complete.
pub(crate) fn words(out: &str) -> Vec<Vec<String>> {
    let whole = out.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let ours = whole.filter_map(|line| line.split_once("SAYS\t")).map(|(_, rest)| rest);
    ours.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Says something to the parent, at once.
pub(crate) fn say(words: &[&str]) {
    println!("SAYS\t{}", words.join("\t"));
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a path of UTF-8")
}

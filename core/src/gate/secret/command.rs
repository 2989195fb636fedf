//! Passwords given to commands without a name: `mysql -pX`, `sshpass -p X`, `curl -u user:X`, and `.pgpass` lines.
//!
//! Decides by the flag, the command before it, and a value that looks like a password. Never by the flag alone:
//! `mkdir -p`, `ssh -p 22` and `docker run -p 80:80` pass.

use alloc::vec::Vec;
use core::ops::Range;

use super::class::blanks;
use super::{Finding, value};

/// Commands whose `-p` is a password.
const P_COMMANDS: &[&str] = &[
    "mysql", "mariadb", "sshpass", "mongo", "login", "ldap", "smb", "redis", "rabbitmq", "imap", "ftp",
    "unzip", "7z",
];

/// Commands whose `-u` or `--user` is `name:password`.
const U_COMMANDS: &[&str] = &["curl", "wget", "http", "ab ", "jfrog", "mvn"];

/// How far before a flag its command is looked for, in bytes.
const COMMAND_REACH: usize = 160;

/// Adds every password on a command line of `text`.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let mut start = 0;
    for (at, gap) in text.match_indices(|c: char| c.is_whitespace() || c == '\0').chain([(text.len(), "")]) {
        let word = start.min(at)..at;
        start = at + gap.len();
        if word.len() < 2 || word.len() > value::VALUE_MAX {
            continue;
        }
        out.extend(password(text, word).map(|span| Finding { kind: "password", span }));
    }
}

fn password(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let shown = text.get(word.clone())?.trim_start_matches(['"', '\'', '`', '(']);
    let start = word.end - shown.len();
    match shown {
        "-p" => follows(text, word.end, P_COMMANDS).filter(|s| is_typed(text, s)),
        "-a" => follows(text, word.end, &["redis-cli"]).filter(|s| is_typed(text, s)),
        "-u" | "--user" => follows(text, word.end, U_COMMANDS).and_then(|s| after_colon(text, s)),
        _ if shown.starts_with("-p") => {
            let span = unquoted(text, start + 2..word.end);
            (is_typed(text, &span) && has_command(text, start, P_COMMANDS)).then_some(span)
        }
        _ => pgpass(text, unquoted(text, start..word.end)),
    }
}

/// The word after the flag that ends at `flag`, where one of `commands` stands before it.
fn follows(text: &str, flag: usize, commands: &[&str]) -> Option<Range<usize>> {
    let start = blanks(text.as_bytes(), flag);
    let tail = text.get(start..)?;
    let length =
        tail.find(|c: char| c.is_whitespace() || c == '\0').unwrap_or(tail.len()).min(value::VALUE_MAX);
    let span = unquoted(text, start..start + length);
    (length > 0 && has_command(text, flag, commands)).then_some(span)
}

fn has_command(text: &str, flag: usize, commands: &[&str]) -> bool {
    let from = text.floor_char_boundary(flag.saturating_sub(COMMAND_REACH));
    let line = text.get(from..flag).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    commands.iter().any(|command| line.contains(command))
}

fn unquoted(text: &str, span: Range<usize>) -> Range<usize> {
    let marks = ['"', '\'', '`', '\\', ')', ','];
    let word = text.get(span.clone()).unwrap_or_default();
    let opened = word.trim_start_matches(marks);
    let start = span.end - opened.len();
    start..start + opened.trim_end_matches(marks).len()
}

fn is_typed(text: &str, span: &Range<usize>) -> bool {
    text.get(span.clone())
        .is_some_and(|word| value::is_strong(word) || word.len() > 7 && value::is_password(word))
}

fn after_colon(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let colon = text.get(span.clone())?.find(':')?;
    let span = span.start + colon + 1..span.end;
    is_typed(text, &span).then_some(span)
}

/// The last field of `host:port:database:user:password`.
fn pgpass(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let mut fields = text.get(span.clone())?.splitn(5, ':');
    let _host = fields.next().filter(|host| !host.is_empty())?;
    let port = fields.next()?;
    let _database = fields.next().filter(|name| !name.is_empty())?;
    let _user = fields.next().filter(|name| !name.is_empty())?;
    let password = fields.next()?;
    let numbered = port == "*" || (3..=5).contains(&port.len()) && port.bytes().all(|b| b.is_ascii_digit());
    let real = value::is_strong(password) && !password.contains(':');
    (numbered && real).then_some(span.end - password.len()..span.end)
}

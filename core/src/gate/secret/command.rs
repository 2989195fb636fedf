//! Passwords given to commands without a name: `mysql -pX`, `sshpass -p X`, `curl -u user:X`, and `.pgpass` lines.
//!
//! Decides by the flag, the command before it, and a value that looks like a password. Never by the flag alone:
//! `mkdir -p`, `ssh -p 22` and `docker run -p 80:80` pass.

use alloc::vec::Vec;
use core::ops::Range;

use super::class::blanks;
use super::{Finding, plain, value};

/// Commands whose `-p` is a password, and `-P`, `-a` or `-w` where they spell it so.
const P_COMMANDS: &[&str] = &[
    "mysql",
    "mysqldump",
    "mysqladmin",
    "mysqlimport",
    "mariadb",
    "mariadb-dump",
    "sshpass",
    "mongo",
    "mongosh",
    "mongodump",
    "mongorestore",
    "login",
    "ldapsearch",
    "ldapmodify",
    "smbclient",
    "redis-cli",
    "rabbitmqadmin",
    "unzip",
    "zip",
    "7z",
    "7za",
    "sqlcmd",
    "bcp",
    "ftp",
    "lftp",
    "imap",
    "kinit",
    "htpasswd",
    "freerdp",
    "xfreerdp",
];

/// Flags that such a command may take for its password.
const P_FLAGS: &[&str] = &["-p", "-P", "-a", "-w"];

/// Commands whose `-u`, `-U` or `--user` is `name:password`.
const U_COMMANDS: &[&str] = &["curl", "wget", "http", "https", "httpie", "ab", "jfrog", "mvn", "xh"];

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
        "-S" | "--stdin" | "chpasswd" => {
            let (span, command) = echoed(text, start)?;
            match (shown, command.split_whitespace().next()) {
                ("-S", Some("sudo")) | ("--stdin", Some("passwd" | "sudo")) => {
                    is_typed(text, &span).then_some(span)
                }
                ("chpasswd", None | Some("sudo")) => after_mark(text, span, ':'),
                _ => None,
            }
        }
        _ if P_FLAGS.contains(&shown) => follows(text, word.end, P_COMMANDS).filter(|s| is_typed(text, s)),
        "-u" | "-U" | "--user" => {
            follows(text, word.end, U_COMMANDS).and_then(|s| after_mark(text, s, ':')).or_else(|| {
                follows(text, word.end, &["smbclient", "rpcclient"]).and_then(|s| after_mark(text, s, '%'))
            })
        }
        _ if shown.starts_with("-p") => {
            let span = unquoted(text, start + 2..word.end);
            (is_typed(text, &span) && has_command(text, start, P_COMMANDS)).then_some(span)
        }
        _ if shown.starts_with("pass:") => {
            let span = unquoted(text, start + "pass:".len()..word.end);
            (is_typed(text, &span) && has_command(text, start, &["openssl"])).then_some(span)
        }
        _ if shown.starts_with("-u") => {
            let span = unquoted(text, start + 2..word.end);
            has_command(text, start, &["curl"]).then(|| after_mark(text, span, ':'))?
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
    let span = unquoted(text, start..text.floor_char_boundary(start + length));
    (length > 0 && has_command(text, flag, commands)).then_some(span)
}

/// Whether one of `commands` is a word of the line before `flag`, with or without a path.
fn has_command(text: &str, flag: usize, commands: &[&str]) -> bool {
    let from = text.floor_char_boundary(flag.saturating_sub(COMMAND_REACH));
    let line = text.get(from..flag).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    let line = line.rsplit(['|', ';']).next().unwrap_or_default();
    line.split([' ', '\t', '"', '\'', '`', '(', '/', '\\']).any(|word| commands.contains(&word))
}

/// What `echo` gives to the pipe before `at`, and the command at its end up to there: `echo WORD | sudo -S`.
fn echoed(text: &str, at: usize) -> Option<(Range<usize>, &str)> {
    let from = text.floor_char_boundary(at.saturating_sub(COMMAND_REACH));
    let line = text.get(from..at)?;
    let start = line.rfind("echo ")? + "echo ".len();
    let (told, command) = line.get(start..)?.split_once('|')?;
    let span = from + start..from + start + told.trim_end().len();
    Some((unquoted(text, span), command))
}

fn unquoted(text: &str, span: Range<usize>) -> Range<usize> {
    let marks = ['"', '\'', '`', '\\', ')', ','];
    let word = text.get(span.clone()).unwrap_or_default();
    let opened = word.trim_start_matches(marks);
    let start = span.end - opened.len();
    start..start + opened.trim_end_matches(marks).len()
}

fn is_typed(text: &str, span: &Range<usize>) -> bool {
    text.get(span.clone()).is_some_and(|word| {
        let plain = plain::is_plain(word) && word.bytes().any(|b| b.is_ascii_alphabetic());
        value::is_strong(word) || word.len() > 7 && value::is_password(word) || plain
    })
}

fn after_mark(text: &str, span: Range<usize>, mark: char) -> Option<Range<usize>> {
    let at = text.get(span.clone())?.find(mark)?;
    let span = span.start + at + 1..span.end;
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

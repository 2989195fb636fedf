//! Remedies in the form of commands.
//!
//! Decides by programs, flags and targets of one line. A command in the middle of a sentence counts as well as one in
//! backticks. Never runs or resolves anything.

use super::super::rules::is_reported;
use super::pairs::possible;
use super::tables::{
    BARE_SOURCES, CARRIERS, FETCHERS, OFFICIAL, PREFIXES, REMOTE, RUNNERS, SECRET_FILES, SENDING, SOURCES,
    SUBSTITUTED,
};
use super::{ordered, places};

/// Longest command that is read, in bytes.
const COMMAND_MAX: usize = 512;

/// Marks that stand around words.
const MARKS: &[char] = &['`', '"', '\'', '(', ')', ',', ';', '{', '}', '[', ']', '“', '”', '«', '»'];

/// Whether a download, or a text behind an encoding, runs as a program.
pub(super) fn runs_download(line: &str) -> bool {
    ordered(line, REMOTE) || persists(line) || substituted(line) || piped(line) || fetched_then_run(line)
}

/// Whether a file of credentials, or the environment, goes to another host.
pub(super) fn sends_files(line: &str) -> bool {
    let Some(at) = possible(line, SECRET_FILES)
        .find_map(|file| line.match_indices(file).map(|(at, _)| at).find(|&at| !is_public(line, at)))
    else {
        return carries_variable(line);
    };
    let remote =
        line.contains("://") || line.contains('@') || line.contains(['|', '>']) || words(line).any(is_host);
    let carried = words(line).any(|word| CARRIERS.contains(&word)) && remote;
    let posted = words(line).any(|word| FETCHERS.contains(&word)) && words(line).any(is_sending);
    let copied =
        (line.contains("rsync ") || line.contains("s3 cp ") || line.contains("gsutil cp ")) && remote;
    (carried || posted || copied) && !is_reported(line, first_word(line, at))
}

/// `curl -k`: the short form of `--insecure`, among other short flags.
pub(super) fn is_insecure_fetch(line: &str) -> bool {
    places(line, "curl ").any(|at| {
        let rest = command(line, at);
        let short = |word: &str| {
            word.starts_with('-') && !word.starts_with("--") && word.contains('k') && word.len() < 7
        };
        words(rest).any(short) && !is_reported(line, at)
    })
}

/// `rm -rf ~`, `find / -delete`, `git clean -fdx`: a target that holds more than a build's leavings.
pub(super) fn deletes_broadly(line: &str) -> bool {
    let removed = ["rm ", "remove-item ", "rimraf "].iter().any(|program| {
        places(line, program).any(|at| {
            let rest = command(line, at + program.len());
            !is_reported(line, at) && is_recursive(rest) && words(rest).any(is_broad)
        })
    });
    let found = places(line, "find ").any(|at| {
        let rest = command(line, at);
        !is_reported(line, at)
            && (rest.contains("-delete") || rest.contains("-exec rm"))
            && !rest.contains("name ")
            && !rest.contains("path ")
            && words(rest).nth(1).is_some_and(is_broad)
    });
    let cleaned = places(line, "git clean ").any(|at| {
        let flags = words(command(line, at))
            .filter(|word| word.starts_with('-'))
            .any(|word| word.contains('x') && !word.starts_with("--"));
        flags && !is_reported(line, at)
    });
    removed || found || cleaned
}

/// `chmod 777`, `chmod -R a+rwx`, `chown -R me /`.
pub(super) fn opens_mode(line: &str) -> bool {
    let chmod = places(line, "chmod ").any(|at| {
        let open = |word: &str| {
            let digits = word.len() > 2 && word.len() < 5 && word.bytes().all(|b| b.is_ascii_digit());
            let everybody =
                (word.starts_with(['a', 'o', '+']) || word.starts_with("ugo") || word.starts_with("go"))
                    && word.contains('+')
                    && word.contains('w')
                    && !word.contains('/');
            digits && word.ends_with(['2', '3', '6', '7'])
                || digits && word.len() == 4 && !word.starts_with('0')
                || everybody
        };
        words(command(line, at)).any(open) && !is_reported(line, at)
    });
    let chown = places(line, "chown ").any(|at| {
        let rest = command(line, at);
        is_recursive(rest)
            && words(rest).any(|word| is_broad(word) && word.starts_with('/'))
            && !is_reported(line, at)
    });
    chmod || chown
}

/// Whether packages, code or images come from a place that was not there before.
pub(super) fn adds_source(line: &str) -> bool {
    let foreign = words(line).any(is_foreign);
    foreign && ordered(line, SOURCES) || ordered(line, BARE_SOURCES) && !line.contains("no such file")
}

/// `echo "curl …" >> ~/.bashrc`: a download that runs at each start.
fn persists(line: &str) -> bool {
    let starts = ["bashrc", "zshrc", ".profile", "crontab", "rc.local", "autostart", "launchagents"];
    words(line).any(|word| FETCHERS.contains(&word)) && starts.iter().any(|place| line.contains(place))
}

/// `sh -c "$(curl …)"`: a download in the place of a runner's argument.
fn substituted(line: &str) -> bool {
    SUBSTITUTED.iter().any(|fragment| {
        line.match_indices(fragment).any(|(at, _)| {
            let before = line.get(..at).unwrap_or_default();
            let runner = words(
                before.get(before.ceil_char_boundary(before.len().saturating_sub(24))..).unwrap_or_default(),
            )
            .any(|word| RUNNERS.contains(&word) || word == ".");
            runner && !is_reported(line, first_runner(before))
        })
    })
}

/// Where the last runner of `before` stands.
fn first_runner(before: &str) -> usize {
    RUNNERS.iter().filter_map(|runner| before.rfind(runner)).max().unwrap_or(0)
}

/// `curl … | sh`, `base64 -d | bash`: a fetcher or a decoder, and behind a pipe something that runs what comes.
fn piped(line: &str) -> bool {
    let mut fed = false;
    let mut at = 0;
    for part in line.split('|') {
        let mut program = words(part).filter(|word| !PREFIXES.contains(word));
        let runner = program
            .next()
            .and_then(|word| word.rsplit('/').next())
            .is_some_and(|word| RUNNERS.contains(&word));
        if fed && runner {
            return !is_reported(line, first_word(line, at));
        }
        let decodes = [
            "base64 -d",
            "base64 --decode",
            "base64 -D",
            "xxd -r",
            "openssl enc",
            "openssl base64",
            "gunzip",
            "rev",
        ]
        .iter()
        .any(|d| part.contains(d));
        if !fed && (decodes || words(part).any(|word| FETCHERS.contains(&word))) {
            fed = true;
            at = FETCHERS.iter().filter_map(|f| line.find(f)).min().unwrap_or(0);
        }
    }
    false
}

/// `curl -o x … && sh x`, `wget x; chmod +x x`: what was fetched runs in the next command.
fn fetched_then_run(line: &str) -> bool {
    let mut fetched = false;
    line.split("&&").flat_map(|part| part.split(';')).any(|part| {
        let mut program = words(part).filter(|word| !PREFIXES.contains(word));
        let runs = program.next().is_some_and(|word| {
            RUNNERS.contains(&word) || word.starts_with("./") || word.starts_with("/tmp/") || word == "chmod"
        });
        let found = fetched && runs;
        let loads =
            words(part).any(|word| FETCHERS.contains(&word) && word != "fetch") && part.contains("://");
        fetched |= loads && !is_reported(part, part.find("://").map_or(0, |at| first_word(part, at)));
        found
    })
}

/// A variable of a secret in an address or a body: `curl https://x/?k=$API_TOKEN`.
fn carries_variable(line: &str) -> bool {
    let secret = |word: &str| {
        word.split('$').skip(1).any(|name| {
            ["token", "secret", "key", "passw", "credential"].iter().any(|part| name.contains(part))
        })
    };
    let fetches = words(line).any(|word| FETCHERS.contains(&word) || CARRIERS.contains(&word));
    let address = words(line).any(|word| word.contains("://") && word.contains(['?', '=']) && secret(word));
    let mut before = "";
    let body = words(line).any(|word| {
        let sent = is_sending(before) && secret(word);
        before = word;
        sent
    });
    let piped = line.split_once('|').is_some_and(|(echo, rest)| {
        echo.contains("echo")
            && secret(echo)
            && words(rest).any(|w| CARRIERS.contains(&w) || FETCHERS.contains(&w))
    });
    fetches && (address || body || piped) && !is_reported(line, line.find("curl").unwrap_or(0))
}

fn is_sending(word: &str) -> bool {
    SENDING.contains(&word)
        || word.starts_with("--data")
        || word.starts_with("-d@")
        || word.starts_with('@')
        || word.contains("=@")
}

/// Whether what stands at `at` is the public half of a key, or a template without values.
fn is_public(line: &str, at: usize) -> bool {
    let word = line.get(at..).and_then(|tail| tail.split_whitespace().next()).unwrap_or_default();
    let word = word.trim_end_matches(|c| MARKS.contains(&c));
    word.contains(".pub")
        || word.ends_with(".example")
        || word.ends_with(".sample")
        || word.ends_with(".template")
        || word.contains("known_hosts")
}

/// A word such as `me@host:` or `host:/path`.
fn is_host(word: &str) -> bool {
    word.split_once(':').is_some_and(|(host, _)| {
        host.len() > 1 && host.contains('.') && !host.starts_with(['.', '/', '~', '-'])
    })
}

fn is_recursive(rest: &str) -> bool {
    words(rest).any(|word| {
        word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'f'])
            || word == "--recursive"
            || word == "--force"
    })
}

/// A home, a root, a whole folder, or what only a system has.
fn is_broad(word: &str) -> bool {
    let word = word.trim_end_matches('.').trim_end_matches('*').trim_end_matches('/');
    let parts = word.trim_start_matches(['/', '~']).split('/').filter(|part| !part.is_empty()).count();
    let exact = ["", "~", "$home", "${home}", ".git", "$(pwd)", "$pwd", "%userprofile%", "c:\\", "c:"]
        .contains(&word);
    let home = ["~", "$home", "${home}"].iter().any(|home| word.starts_with(home))
        && parts < 3
        && word.contains("/.");
    let system = [
        "/etc", "/usr", "/var/lib", "/boot", "/lib", "/bin", "/sbin", "/root", "/home", "/opt", "/system",
        "/library", "/dev", "/proc", "/sys",
    ]
    .iter()
    .any(|s| word.starts_with(s))
        && parts < 3;
    let root = word.starts_with('/') && parts < 2;
    exact && !word.starts_with('-') || home || system || root
}

/// An address whose host is not one where packages come from by default.
fn is_foreign(word: &str) -> bool {
    let scp = word
        .split_once('@')
        .is_some_and(|(user, host)| user.len() < 32 && host.contains(':') && !user.contains('/'));
    let Some((_, rest)) = word.split_once("://") else { return scp };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    let official = OFFICIAL
        .iter()
        .any(|known| host == *known || host.strip_suffix(known).is_some_and(|sub| sub.ends_with('.')));
    let placeholder = host.is_empty()
        || host.starts_with(['<', '$', '{', '['])
        || host == "localhost"
        || host == "127.0.0.1";
    !official && !placeholder
}

/// The rest of a command from `at`, up to what ends it, at most [`COMMAND_MAX`] bytes.
fn command(line: &str, at: usize) -> &str {
    let end = line.floor_char_boundary(at.saturating_add(COMMAND_MAX));
    let rest = line.get(at..end).unwrap_or_default();
    rest.split(['|', ';', '&', '`', '\n']).next().unwrap_or_default()
}

/// Where the words of a command begin whose part stands at `at`: behind the last mark or two words before.
fn first_word(line: &str, at: usize) -> usize {
    let before = line.get(..at).unwrap_or_default();
    FETCHERS.iter().chain(CARRIERS).filter_map(|program| before.find(program)).min().unwrap_or(at)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c| MARKS.contains(&c)))
        .filter(|word| !word.is_empty())
}

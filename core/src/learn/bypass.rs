//! Bypasses: remedies that make an error go away without mending what it is about.
//!
//! Decides by the form of a command, an argument or an edit. Never decides whether a bypass was right: it waits for a
//! person's review.

use alloc::format;
use alloc::string::{String, ToString};

use serde_json::Value;

use super::lexicon;
use super::run::{Call, leaves};
use super::shape::name_words;
use super::shell::{Command, CommandLine};

/// What of a call is a bypass that a call before it was not: a flag, a wrapper, a variable, an argument.
pub(crate) fn added(before: &Call<'_>, after: &Call<'_>) -> Option<String> {
    match (before.line().and_then(CommandLine::principal), after.line().and_then(CommandLine::principal)) {
        (Some(old), Some(new)) => in_command(new)
            .filter(|what| in_command(old).as_ref() != Some(what))
            .or_else(|| dropped_check(old, new))
            .or_else(|| argument(&before.tool.args, &after.tool.args)),
        (None, None) => argument(&before.tool.args, &after.tool.args),
        _ => None,
    }
}

/// What of a call by itself is a bypass: a widened permission, a deleted test, an edit that silences a check.
pub(crate) fn step(call: &Call<'_>) -> Option<String> {
    if let Some(line) = call.line() {
        return line.commands().find_map(|command| in_command(command).or_else(|| destructive(command)));
    }
    call.edited()?;
    let (mut old, mut new) = (None, None);
    leaves(&call.tool.args, &mut |key, value| {
        if key.starts_with("old") {
            old = old.or(Some(value));
        } else if key.starts_with("new") {
            new = new.or(Some(value));
        }
    });
    let (old, new) = (old?, new?);
    // `exit(` is no `xit(`.
    let stands = |text: &str, marker: &str| {
        text.match_indices(marker).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric()))
    };
    let marker = lexicon::SILENCERS.iter().find(|marker| stands(new, marker) && !stands(old, marker));
    marker.copied().map(ToString::to_string)
}

/// Whether a lesson's text would teach one: in the commands it quotes, or in its own words.
pub(crate) fn in_text(text: &str) -> bool {
    let quoted = text.split('`').skip(1).step_by(2);
    let commands = quoted.map(CommandLine::parse).any(|line| {
        line.commands().any(|command| in_command(command).or_else(|| destructive(command)).is_some())
            || line.commands().any(|command| is_flag("git", &command.program))
    });
    let lower = text.to_lowercase();
    commands
        || lexicon::says(lexicon::BYPASSES, &lower)
        || lower.split([' ', '`']).any(|word| is_flag("", word))
}

fn in_command(command: &Command) -> Option<String> {
    if let Some(wrapper) = command.wrappers.iter().find(|name| matches!(name.as_str(), "sudo" | "doas")) {
        return Some(wrapper.clone());
    }
    if let Some(flag) = command.flags.iter().find(|flag| is_flag(&command.program, flag)) {
        return Some(flag.clone());
    }
    if command.program == "git" && command.subcommand.as_deref() == Some("commit") {
        let skips = command.flags.iter().find(|flag| flag.as_str() == "-n");
        if skips.is_some() {
            return skips.cloned();
        }
    }
    if let Some(name) = command.env.iter().find(|name| lexicon::says(lexicon::BYPASS_VARIABLES, name)) {
        return Some(name.clone());
    }
    let opens = |word: &&String| {
        matches!(word.as_str(), "777" | "0777" | "666" | "a+rwx" | "a+w" | "o+w" | "ugo+rwx" | "+rwx")
    };
    (command.program == "chmod" && command.operands.first().as_ref().is_some_and(opens))
        .then(|| format!("chmod {}", command.operands[0]))
}

/// Commands that throw work or checks away.
fn destructive(command: &Command) -> Option<String> {
    let flag = |name: &str| command.flags.iter().any(|flag| flag == name);
    let sub = command.subcommand.as_deref();
    match (command.program.as_str(), sub) {
        ("git", Some("reset")) if flag("--hard") => Some(String::from("git reset --hard")),
        ("setenforce", _) => Some(String::from("setenforce")),
        ("rm", _) => {
            let test = |path: &String| {
                let name = path.rsplit('/').next().unwrap_or(path);
                path.split('/').any(|part| matches!(part, "test" | "tests" | "spec" | "__tests__"))
                    || name.starts_with("test_")
                    || ["_test.", ".test.", ".spec.", "_spec."].iter().any(|mark| name.contains(mark))
            };
            command.operands.iter().any(test).then(|| String::from("rm of a test"))
        }
        _ => None,
    }
}

/// Flags that skip, force, ignore or disable.
fn is_flag(program: &str, flag: &str) -> bool {
    let short = match program {
        "git" => matches!(flag, "-f" | "-D"),
        "curl" => flag == "-k",
        "rm" | "npm" | "cp" | "mv" | "ln" => flag == "-f",
        _ => false,
    };
    short || lexicon::starts(lexicon::BYPASS_FLAGS, flag)
}

/// A flag that checks something and is gone.
fn dropped_check(old: &Command, new: &Command) -> Option<String> {
    let checks = |flag: &&String| {
        name_words(flag).iter().any(|word| lexicon::has(lexicon::CHECKING_WORDS, word))
            || flag.as_str() == "-Werror"
    };
    let gone = old.flags.iter().filter(|flag| !new.flags.contains(flag)).find(checks)?;
    Some(format!("no {gone}"))
}

/// An argument that forces, skips or escalates, or switches a check off.
fn argument(before: &Value, after: &Value) -> Option<String> {
    let (Value::Object(before), Value::Object(after)) = (before, after) else { return None };
    let changed = after.iter().filter(|(key, value)| before.get(*key) != Some(value));
    let found = changed.into_iter().find(|(key, value)| {
        let words = name_words(key);
        let says = |list: &[&str]| words.iter().any(|word| lexicon::has(list, word));
        let on = matches!(value, Value::Bool(true)) || value.as_str().is_some_and(|text| text == "true");
        let off = matches!(value, Value::Bool(false)) || value.as_str().is_some_and(|text| text == "false");
        let escalates = value.as_str().is_some_and(|text| {
            let text = text.to_ascii_lowercase();
            ["escalat", "full-access", "full_access", "bypass", "dangerous"]
                .iter()
                .any(|mark| text.contains(mark))
        });
        let short = value.as_str().is_none_or(|text| text.len() < 40);
        short && (on && says(lexicon::FORCING_WORDS) || off && says(lexicon::CHECKING_WORDS) || escalates)
    });
    found.map(|(key, _)| key.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::testing::run;
    use crate::record::{Mark, Subtype};
    use serde_json::json;

    #[test]
    fn what_skips_forces_or_escalates_is_a_bypass() {
        for text in [
            "git commit --no-verify -m x",
            "git push -f",
            "git commit -n -m x",
            "mvn package -DskipTests",
            "sudo make install",
            "npm install --legacy-peer-deps",
            "chmod 777 data",
            "HUSKY=0 git commit -m x",
            "curl -k https://a.example",
            "pip install x --break-system-packages",
            "git reset --hard",
            "rm tests/test_a.py",
        ] {
            let line = CommandLine::parse(text);
            assert!(line.commands().any(|c| in_command(c).or_else(|| destructive(c)).is_some()), "{text}");
            assert!(in_text(&format!("Run `{text}` first")), "{text}");
        }
    }

    #[test]
    fn ordinary_commands_are_none() {
        for text in [
            "git push --set-upstream origin a",
            "docker compose -f a.yml up",
            "tail -f log",
            "apt-get install -y jq",
            "chmod +x run.sh",
            "rm -rf build",
            "git add -A",
            "git log -n 3",
            "grep -n a b",
        ] {
            let line = CommandLine::parse(text);
            assert!(!line.commands().any(|c| in_command(c).or_else(|| destructive(c)).is_some()), "{text}");
            assert!(!in_text(&format!("Run `{text}` first: it failed")), "{text}");
        }
        assert!(!in_text("Leave paths that .gitignore names out of `git add`: it refuses them"));
    }

    #[test]
    fn a_bypass_is_a_draft_of_its_own_and_waits_for_review() {
        let cases = [
            run("a")
                .shell_fails("git commit -m x", "hook: the format check refused the commit")
                .shell_ok("git commit --no-verify -m x", "done"),
            run("b")
                .fails("deploy", json!({ "to": "a" }), "Error: the guard refused the deployment of it")
                .ok("deploy", json!({ "to": "a", "force": true }), "done"),
            run("c")
                .fails(
                    "fetch",
                    json!({ "url": "u", "verify": true }),
                    "Error: the certificate was refused by it",
                )
                .ok("fetch", json!({ "url": "u", "verify": false }), "page"),
            run("d")
                .shell_fails("make install", "install: the target folder refuses writing")
                .shell_ok("sudo make install", "done"),
            run("e")
                .shell_fails("./serve", "serve: the data folder refuses writing")
                .shell_ok("chmod 777 data", "")
                .shell_ok("./serve", "up"),
        ];
        for script in cases {
            let drafts = script.mined().drafts;
            let bypass: alloc::vec::Vec<_> =
                drafts.iter().filter(|draft| draft.marks.contains(&Mark::Bypass)).collect();
            assert_eq!(bypass.len(), 1, "{drafts:#?}");
            assert!(bypass[0].key.starts_with("bypass:") && bypass[0].subtype == Subtype::Recovery);
            let spoken = drafts.iter().filter(|draft| !draft.marks.contains(&Mark::Bypass));
            for draft in spoken {
                assert!(!in_text(&draft.text) && draft.action.is_none(), "{}", draft.text);
            }
        }
    }

    #[test]
    fn an_edit_that_silences_the_check_is_a_bypass() {
        let edit =
            json!({ "file_path": "a.py", "old_string": "x = f()", "new_string": "x = f()  # type: ignore" });
        let script = run("s")
            .shell_fails("mypy a.py", "a.py:3: error: the value has a type that does not fit")
            .ok("Edit", edit, "done")
            .shell_ok("mypy a.py", "Success");
        let drafts = script.mined().drafts;
        assert!(drafts.iter().any(|draft| draft.marks.contains(&Mark::Bypass)), "{drafts:#?}");
        // `exit(` is no `xit(`, and a field is no call.
        let written = "exit(1) if x else it.skip"; // text of an edit in a made trace; no test is left out by it
        let edit = json!({ "file_path": "a.py", "old_string": "x = 1", "new_string": written });
        let script = run("s")
            .shell_fails("mypy a.py", "a.py:3: error: the value has a type that does not fit")
            .ok("Edit", edit, "done")
            .shell_ok("mypy a.py", "Success");
        assert!(script.mined().drafts.iter().all(|draft| !draft.marks.contains(&Mark::Bypass)));
    }
}

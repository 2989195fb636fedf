//! Runs the real command in a home of its own, and holds its JSON against the schemas.
//!
//! Decides the process's surroundings. Never touches a store outside its temporary directory.

#![allow(dead_code, reason = "each test binary uses a part")]

pub(crate) mod schema;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A user's home with a project in it.
pub(crate) struct Home {
    dir: TempDir,
}

/// What a run of the command left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a temporary directory") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("a folder");
        fs::write(&path, bytes).expect("written");
        path
    }

    /// The command, ready to run here: without the caller's store, colours and home.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardwon"));
        command.args(args).current_dir(self.path()).stdin(Stdio::null());
        for name in [
            "HARDWON_STORE",
            "HARDWON_MODEL",
            "HARDWON_MODEL_URL",
            "HARDWON_MODEL_KEY",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
        ] {
            command.env_remove(name);
        }
        command.env("HOME", self.path()).env("XDG_DATA_HOME", self.join("data"));
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        Run::of(&self.command(args).output().expect("it runs"))
    }

    pub(crate) fn run_with_stdin(&self, args: &[&str], stdin: &[u8]) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        // A command that has its answer need not read everything.
        let _ = child.stdin.take().expect("piped").write_all(stdin);
        Run::of(&child.wait_with_output().expect("it ends"))
    }

    /// Runs a verb that must succeed and answers its text.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(run.exit, 0, "{args:?}: {run:?}");
        run.out
    }

    /// Runs a verb with `--json`; its answer must fit the schema of the verb.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let (exit, value) = self.json_with_exit(args);
        assert_eq!(exit, 0, "{args:?}: {value}");
        value
    }

    pub(crate) fn json_with_exit(&self, args: &[&str]) -> (i32, Value) {
        let run = self.run(&[args, &["--json"]].concat());
        let value: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|problem| panic!("{args:?}: {problem}: {run:?}"));
        assert_eq!(run.out.lines().count(), 1, "{args:?}");
        let verb = args.iter().find(|arg| !arg.starts_with('-')).expect("a verb");
        schema::check(&value, &format!("{verb}.json"));
        (run.exit, value)
    }

    /// Runs a verb that must fail; answers code and message of its JSON error.
    pub(crate) fn fails(&self, args: &[&str], exit: i32) -> (String, String) {
        let run = self.run(&[args, &["--json"]].concat());
        assert_eq!(run.exit, exit, "{args:?}: {run:?}");
        let line = run.err.lines().last().unwrap_or_default();
        let error: Value =
            serde_json::from_str(line).unwrap_or_else(|problem| panic!("{args:?}: {problem}: {run:?}"));
        schema::check(&error, "error.json");
        assert_eq!(error["exit"], exit);
        (text(&error["code"]), text(&error["message"]))
    }

    /// Puts the demo's traces into `traces/` and learns them.
    pub(crate) fn learn_demo(&self) {
        self.ok(&["demo", "--traces", "traces"]);
        self.ok(&["learn", "traces"]);
    }

    /// Teaches a lesson and answers its id.
    pub(crate) fn teach(&self, lesson: &str) -> String {
        text(&self.json(&["teach", lesson])["id"])
    }

    /// An export of `n` taught lessons whose ids begin with these digits.
    pub(crate) fn export_of(&self, n: usize, digits: &str) -> PathBuf {
        let other = Self::new();
        other.teach("Run the migration before the tests: they need the new column.");
        let export = other.ok(&["export", "--without-vectors"]);
        let record: Value = serde_json::from_str(export.lines().nth(1).expect("a record")).expect("JSON");
        let mut lines = vec![
            json!({"format": "hardwon-export", "version": 1, "space": "default", "records": n}).to_string(),
        ];
        for i in 0..n {
            let mut line = record.clone();
            let lesson = format!("Set knob{i} to gear{i} before you start machine{i}.");
            line["record"]["id"] = json!(format!("{digits}{i:0width$x}", width = 32 - digits.len()));
            line["record"]["key"] = json!(format!("taught:{lesson}"));
            line["record"]["text"] = json!(lesson);
            lines.push(line.to_string());
        }
        self.put("many.jsonl", lines.join("\n"))
    }
}

impl Run {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            exit: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }
}

/// The string in a value.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_string()
}

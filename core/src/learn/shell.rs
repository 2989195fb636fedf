//! Reads a shell command line: programs, subcommands, flags, pipes and what joins them.
//!
//! Decides what a command line does by its form alone. Total and linear on any input; it never expands, runs or
//! checks anything, and what it cannot read becomes an ordinary word.

mod token;
mod vocabulary;

use alloc::string::String;
use alloc::vec::Vec;

use token::{Token, tokens};

/// A parsed command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommandLine {
    /// The pipelines in order.
    pub pipelines: Vec<Pipeline>,
    /// Whether `set -o pipefail` is in force.
    pub pipefail: bool,
    /// Whether the last pipeline runs in the background.
    pub background: bool,
}

/// Commands joined by pipes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// What joins it to the pipeline before.
    pub joiner: Joiner,
    /// Its commands, left to right; never empty.
    pub commands: Vec<Command>,
}

/// What stands between two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joiner {
    /// Nothing, `;` or a line break: the next one runs whatever happened.
    Then,
    /// `&&`: the next one runs on success.
    And,
    /// `||`: the next one runs on failure.
    Or,
    /// `&`: the one before runs in the background.
    Background,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The program's name without directory and wrappers, for example `git` or `pytest`.
    pub program: String,
    /// The subcommand where the program has them: `push`, `run build`, `compose up`.
    pub subcommand: Option<String>,
    /// Flags without their values, as given.
    pub flags: Vec<String>,
    /// All other words.
    pub operands: Vec<String>,
    /// Names of variables assigned in front.
    pub env: Vec<String>,
    /// Programs in front that only change how it runs: `sudo`, `timeout`.
    pub wrappers: Vec<String>,
    /// Files that its output is written to.
    pub writes: Vec<String>,
}

/// The longest command line that is read; what lies beyond is ignored.
const LIMIT: usize = 64 * 1024;

impl CommandLine {
    /// Reads a command line.
    pub fn parse(text: &str) -> Self {
        Self::parse_nested(text, 0)
    }

    fn parse_nested(text: &str, depth: u8) -> Self {
        let mut line = Self::default();
        let mut reader = Reader {
            line: &mut line,
            joiner: Joiner::Then,
            piped: false,
            fresh: false,
            words: Vec::new(),
            writes: Vec::new(),
            depth,
        };
        for token in tokens(head(text)) {
            reader.take(token);
        }
        reader.close();
        let background = reader.joiner == Joiner::Background && !reader.fresh;
        line.background |= background;
        line
    }

    /// Every command, left to right.
    pub fn commands(&self) -> impl DoubleEndedIterator<Item = &Command> {
        self.pipelines.iter().flat_map(|pipeline| &pipeline.commands)
    }

    /// The command the line is about: the last one that does more than prepare, filter or report.
    pub fn principal(&self) -> Option<&Command> {
        if let Some(editor) = self.commands().next().filter(|first| vocabulary::is_editor(&first.program)) {
            return Some(editor);
        }
        let main = self.pipelines.iter().rev().filter_map(Pipeline::principal).find(|c| !c.is_preparation());
        main.or_else(|| self.commands().last())
    }

    /// The command whose status the line reports.
    pub fn reporting(&self) -> Option<&Command> {
        self.pipelines.last().and_then(|pipeline| pipeline.commands.last())
    }

    /// Whether exit 0 proves nothing about the principal command: a filter, `|| true`, `; echo` or `&` hides it.
    pub fn is_masked(&self) -> bool {
        let Some(principal) = self.principal() else { return false };
        let Some(at) = self.pipelines.iter().rposition(|p| p.commands.contains(principal)) else {
            return false;
        };
        let hidden_by_pipe = !self.pipefail && self.pipelines[at].commands.last() != Some(principal);
        let hidden_after = self.pipelines[at + 1..].iter().any(|p| p.joiner != Joiner::And);
        hidden_by_pipe || hidden_after || self.background
    }
}

impl Pipeline {
    fn principal(&self) -> Option<&Command> {
        let real = self.commands.iter().rev().find(|command| !command.is_filter());
        real.or_else(|| self.commands.first())
    }
}

impl Command {
    /// Program and subcommand: `git push`.
    pub fn head(&self) -> String {
        let mut out = self.program.clone();
        if let Some(subcommand) = &self.subcommand {
            out.push(' ');
            out.push_str(subcommand);
        }
        out
    }

    /// Whether it only reshapes what another command wrote.
    pub fn is_filter(&self) -> bool {
        vocabulary::is_filter(&self.program) && !self.edits_in_place()
    }

    /// Whether it only sets up or reports: `cd`, `export`, `echo`, `sleep`.
    pub fn is_preparation(&self) -> bool {
        vocabulary::is_preparation(&self.program)
    }

    /// Whether it only looks at what is there: neither a check of code nor a change.
    pub fn looks_only(&self) -> bool {
        let reads = self.program == "git"
            && matches!(self.subcommand.as_deref(), Some("status" | "log" | "diff" | "show" | "branch"));
        self.is_filter() || self.is_question() || reads || vocabulary::is_looker(&self.program)
    }

    /// Whether it changes files in place: `sed -i`, `perl -pi`, `patch`, `git apply`.
    pub fn edits_in_place(&self) -> bool {
        match self.program.as_str() {
            "sed" | "perl" | "ruby" => {
                self.flags.iter().any(|f| !f.starts_with("--") && f.contains('i') || f == "--in-place")
            }
            "patch" | "ed" | "ex" => true,
            program if vocabulary::is_editor(program) => self.subcommand.as_deref() != Some("view"),
            "git" => matches!(
                self.subcommand.as_deref(),
                Some("apply" | "am" | "restore" | "cherry-pick" | "stash")
            ),
            _ => false,
        }
    }

    /// Whether its exit status is an answer and not an error: a search, a test, a comparison.
    pub fn is_question(&self) -> bool {
        match self.program.as_str() {
            "git" => matches!(
                self.subcommand.as_deref(),
                Some(
                    "grep"
                        | "diff"
                        | "show-ref"
                        | "rev-parse"
                        | "merge-base"
                        | "check-ignore"
                        | "ls-files"
                        | "config"
                )
            ),
            program => vocabulary::is_question(program),
        }
    }
}

/// Collects tokens into commands, commands into pipelines.
struct Reader<'a> {
    line: &'a mut CommandLine,
    joiner: Joiner,
    piped: bool,
    /// Whether a pipeline has begun since the last joiner.
    fresh: bool,
    words: Vec<String>,
    writes: Vec<String>,
    depth: u8,
}

impl Reader<'_> {
    fn take(&mut self, token: Token) {
        match token {
            Token::Word(word) => self.words.push(word),
            Token::WritesTo(path) => self.writes.push(path),
            Token::Pipe => {
                self.close();
                self.piped = true;
            }
            Token::Join(joiner) => {
                self.close();
                self.joiner = joiner;
                self.piped = false;
                self.fresh = false;
            }
        }
    }

    fn close(&mut self) {
        let words = core::mem::take(&mut self.words);
        let writes = core::mem::take(&mut self.writes);
        if words.first().is_some_and(|w| w == "set") && words.iter().any(|w| w == "pipefail") {
            self.line.pipefail = true;
        }
        let (mut command, script) = command(words);
        command.writes = writes;
        match script.filter(|_| self.depth < 2) {
            Some(script) => self.nest(&CommandLine::parse_nested(&script, self.depth + 1), &command),
            None if command == Command::default() => {}
            None => self.push(command),
        }
    }

    /// `bash -c "…"` is what it runs.
    fn nest(&mut self, inner: &CommandLine, outer: &Command) {
        self.line.pipefail |= inner.pipefail;
        for (at, pipeline) in inner.pipelines.iter().enumerate() {
            if at > 0 {
                self.joiner = pipeline.joiner;
                self.piped = false;
            }
            for command in &pipeline.commands {
                let mut command = command.clone();
                command.wrappers.splice(0..0, outer.wrappers.iter().cloned());
                command.env.splice(0..0, outer.env.iter().cloned());
                self.push(command);
                self.piped = true;
            }
        }
        self.piped = false;
    }

    fn push(&mut self, command: Command) {
        self.fresh = true;
        match self.line.pipelines.last_mut().filter(|_| self.piped) {
            Some(pipeline) => pipeline.commands.push(command),
            None => {
                self.line.pipelines.push(Pipeline { joiner: self.joiner, commands: alloc::vec![command] });
            }
        }
    }
}

/// Makes a command of its words; for a shell with `-c`, its script too.
fn command(words: Vec<String>) -> (Command, Option<String>) {
    let mut command = Command::default();
    let mut words = words.into_iter().peekable();
    let mut wrapped = false;
    while let Some(word) = words.peek() {
        if let Some(name) = assignment(word) {
            command.env.push(String::from(name));
        } else if vocabulary::is_keyword(word) {
        } else if vocabulary::is_wrapper(base(word)) {
            command.wrappers.push(String::from(base(word)));
            wrapped = true;
        } else if !(wrapped && vocabulary::is_wrapper_argument(word)) {
            break;
        }
        words.next();
    }
    let Some(first) = words.next() else { return (command, None) };
    if is_plausible(base(&first)) {
        command.program = vocabulary::program_name(base(&first));
        // `./test` is a program of the project, not the shell's own.
        if first.starts_with("./") && vocabulary::subcommand_depth(&command.program) == 0 {
            command.program.insert_str(0, "./");
        }
    }
    let rest: Vec<String> = words.collect();
    if vocabulary::is_shell(&command.program)
        && let Some(at) =
            rest.iter().position(|w| w.starts_with('-') && !w.starts_with("--") && w.ends_with('c'))
    {
        return (command, rest.get(at + 1).cloned());
    }
    let rest = through_runner(&mut command, rest);
    sort_words(&mut command, rest);
    (command, None)
}

/// `npx vitest`, `python -m pytest` and `uv run ruff` are the program they run.
fn through_runner(command: &mut Command, mut rest: Vec<String>) -> Vec<String> {
    let skip = match command.program.as_str() {
        "npx" | "bunx" | "pnpx" | "uvx" | "pipx" => rest.iter().position(|w| !w.starts_with('-')),
        "python" => rest.iter().position(|w| w == "-m").map(|at| at + 1),
        "uv" | "poetry" | "pdm" | "rye" | "hatch" | "pipenv" => runs(&rest, "run"),
        "pnpm" | "npm" | "yarn" | "bundle" => runs(&rest, "exec"),
        _ => None,
    };
    let Some(at) = skip.filter(|&at| at < rest.len()) else { return rest };
    command.wrappers.push(core::mem::take(&mut command.program));
    command.program = vocabulary::program_name(base(&rest[at]));
    rest.drain(..=at);
    rest
}

fn runs(rest: &[String], verb: &str) -> Option<usize> {
    let at = rest.iter().position(|w| !w.starts_with('-')).filter(|&at| rest[at] == verb)?;
    rest.iter().skip(at + 1).position(|w| !w.starts_with('-')).map(|further| at + 1 + further)
}

fn sort_words(command: &mut Command, rest: Vec<String>) {
    let mut depth = vocabulary::subcommand_depth(&command.program);
    let mut literal = false;
    for word in rest {
        if !literal && word == "--" {
            literal = true;
        } else if !literal && word.len() > 1 && word.starts_with('-') && !is_number(&word) {
            command.flags.push(String::from(word.split('=').next().unwrap_or(&word)));
        } else if depth > 0
            && command.operands.is_empty()
            && (is_plain(&word) || vocabulary::is_task(&command.program, &word))
        {
            let deeper = vocabulary::is_group(&command.program, &word);
            match &mut command.subcommand {
                Some(subcommand) => {
                    subcommand.push(' ');
                    subcommand.push_str(&word);
                }
                none => *none = Some(word),
            }
            depth = u8::from(deeper);
        } else {
            command.operands.push(word);
        }
    }
}

/// Whether a word can be a program's name. Cut or generated text is not.
fn is_plausible(name: &str) -> bool {
    name.len() <= 64
        && name.chars().all(|c| {
            c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '[' | ':' | '@' | '$' | '!')
        })
}

fn is_plain(word: &str) -> bool {
    word.len() <= 24
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_'))
}

fn is_number(word: &str) -> bool {
    word[1..].chars().all(|c| c.is_ascii_digit())
}

fn assignment(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let valid = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    valid.then_some(name)
}

fn base(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(word)
}

fn head(text: &str) -> &str {
    let mut end = text.len().min(LIMIT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests;

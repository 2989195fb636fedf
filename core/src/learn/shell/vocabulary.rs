//! The words that shells and common programs give a fixed meaning.
//!
//! Decides which role a program's name has. An unknown name is an ordinary program; nothing is guessed from it.

use alloc::string::String;

/// Words of the shell's own grammar, skipped in front of a command.
pub(super) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "then"
            | "else"
            | "elif"
            | "fi"
            | "while"
            | "until"
            | "do"
            | "done"
            | "!"
            | "{"
            | "}"
            | "esac"
            | "time"
    )
}

/// Programs that run another one.
pub(super) fn is_wrapper(word: &str) -> bool {
    matches!(
        word,
        "sudo"
            | "doas"
            | "env"
            | "timeout"
            | "gtimeout"
            | "nice"
            | "ionice"
            | "nohup"
            | "command"
            | "exec"
            | "stdbuf"
            | "setsid"
            | "xvfb-run"
            | "caffeinate"
            | "eval"
            | "builtin"
            | "chronic"
            | "unbuffer"
    )
}

/// What may stand between a wrapper and the program: flags, numbers with a unit, assignments.
pub(super) fn is_wrapper_argument(word: &str) -> bool {
    let digits = word.trim_end_matches(['s', 'm', 'h', 'd']);
    word.starts_with('-') || !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Shells that take a script after `-c`.
pub(super) fn is_shell(program: &str) -> bool {
    matches!(program, "bash" | "sh" | "zsh" | "dash" | "ash" | "ksh" | "fish")
}

/// A program's name without version and script suffix: `python3.12` is `python`.
pub(super) fn program_name(base: &str) -> String {
    let name = base.strip_suffix(".exe").or_else(|| base.strip_suffix(".cmd")).unwrap_or(base);
    for (stem, plain) in [("python", "python"), ("pip", "pip")] {
        if let Some(version) = name.strip_prefix(stem)
            && version.chars().all(|c| c.is_ascii_digit() || c == '.')
        {
            return String::from(plain);
        }
    }
    match name {
        "gradlew" => String::from("gradle"),
        "mvnw" => String::from("mvn"),
        "nodejs" => String::from("node"),
        _ => String::from(name),
    }
}

/// Editing commands that some agents' shells have; the lines after them are text.
pub(super) fn is_editor(program: &str) -> bool {
    matches!(
        program,
        "edit" | "insert" | "create" | "str_replace" | "str_replace_editor" | "apply_patch" | "undo_edit"
    )
}

/// Programs that reshape what another one wrote.
pub(super) fn is_filter(program: &str) -> bool {
    matches!(
        program,
        "head"
            | "tail"
            | "grep"
            | "egrep"
            | "fgrep"
            | "rg"
            | "cat"
            | "tee"
            | "wc"
            | "sort"
            | "uniq"
            | "less"
            | "more"
            | "sed"
            | "awk"
            | "gawk"
            | "jq"
            | "yq"
            | "cut"
            | "tr"
            | "xargs"
            | "column"
            | "fold"
            | "nl"
            | "tac"
            | "ts"
            | "strings"
            | "xxd"
            | "od"
            | "rev"
            | "paste"
            | "fmt"
            | "pbcopy"
    )
}

/// Programs that set up or report and are not what a line is about.
pub(super) fn is_preparation(program: &str) -> bool {
    matches!(
        program,
        "cd" | "pushd"
            | "popd"
            | "export"
            | "unset"
            | "set"
            | "source"
            | "."
            | "echo"
            | "printf"
            | "sleep"
            | "true"
            | ":"
            | "pwd"
            | "wait"
            | "exit"
            | "alias"
            | "trap"
            | "ulimit"
            | "umask"
            | "for"
            | "case"
            | "select"
            | "function"
            | ""
            | "mkdir"
            | "date"
            | "clear"
            | "false"
            | "read"
            | "shopt"
    )
}

/// Programs whose status answers a question.
pub(super) fn is_question(program: &str) -> bool {
    matches!(
        program,
        "grep"
            | "egrep"
            | "fgrep"
            | "zgrep"
            | "rg"
            | "ag"
            | "ack"
            | "test"
            | "["
            | "[["
            | "diff"
            | "cmp"
            | "which"
            | "type"
            | "pgrep"
            | "pidof"
            | "comm"
            | "expr"
            | "command"
            | "hash"
            | "lsof"
            | "fuser"
            | "false"
    )
}

/// How many leading plain words are the subcommand: 0 for programs whose words are files or text.
pub(super) fn subcommand_depth(program: &str) -> u8 {
    u8::from(
        !(is_filter(program)
            || is_preparation(program)
            || is_question(program)
            || is_shell(program)
            || takes_files(program)),
    )
}

fn takes_files(program: &str) -> bool {
    matches!(
        program,
        "ls" | "find"
            | "fd"
            | "rm"
            | "cp"
            | "mv"
            | "touch"
            | "chmod"
            | "chown"
            | "ln"
            | "stat"
            | "file"
            | "du"
            | "df"
            | "tree"
            | "python"
            | "node"
            | "ruby"
            | "perl"
            | "php"
            | "java"
            | "javac"
            | "gcc"
            | "g++"
            | "clang"
            | "clang++"
            | "cc"
            | "c++"
            | "rustc"
            | "tsc"
            | "ts-node"
            | "tsx"
            | "pytest"
            | "py.test"
            | "unittest"
            | "mocha"
            | "rspec"
            | "phpunit"
            | "eslint"
            | "prettier"
            | "ruff"
            | "black"
            | "mypy"
            | "flake8"
            | "pylint"
            | "isort"
            | "pyright"
            | "curl"
            | "wget"
            | "kill"
            | "pkill"
            | "killall"
            | "ps"
            | "tar"
            | "zip"
            | "unzip"
            | "gzip"
            | "gunzip"
            | "rsync"
            | "scp"
            | "ssh"
            | "realpath"
            | "readlink"
            | "basename"
            | "dirname"
            | "md5sum"
            | "sha256sum"
            | "seq"
            | "bc"
            | "nc"
            | "ping"
            | "dig"
            | "psql"
            | "mysql"
            | "sqlite3"
            | "redis-cli"
            | "man"
            | "open"
            | "code"
            | "vim"
            | "vi"
            | "nano"
            | "ed"
            | "patch"
            | "shellcheck"
            | "elixir"
            | "iex"
            | "lua"
            | "Rscript"
            | "gdb"
            | "strace"
            | "nm"
            | "objdump"
            | "ldd"
            | "id"
            | "dd"
            | "whoami"
            | "uname"
            | "hostname"
            | "env"
            | "printenv"
            | "top"
            | "free"
            | "uptime"
            | "base64"
            | "openssl"
            | "crontab"
    )
}

/// Whether `word` opens a further level: `npm run build`, `docker compose up`.
pub(super) fn is_group(program: &str, word: &str) -> bool {
    matches!(
        (program, word),
        ("npm" | "pnpm" | "yarn" | "bun" | "deno", "run" | "workspace")
            | ("docker" | "podman", "compose" | "container" | "image" | "volume" | "network" | "buildx")
            | ("gh" | "glab", _)
            | ("git", "remote" | "worktree" | "submodule" | "stash" | "bisect" | "notes")
            | ("aws" | "gcloud" | "az" | "fly" | "doctl", _)
            | ("uv", "pip" | "tool" | "venv")
            | ("cargo", "xtask")
            | ("conda" | "mamba", "env")
            | ("kubectl", "config" | "rollout")
            | ("terraform", "state" | "workspace")
            | ("dotnet", "tool" | "ef")
    )
}

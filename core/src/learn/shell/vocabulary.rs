//! The words that shells and common programs give a fixed meaning.
//!
//! Decides which role a program's name has. An unknown name is an ordinary program; nothing is guessed from it.

use alloc::string::String;

use crate::learn::lexicon;

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
    lexicon::has(lexicon::WRAPPERS, word)
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
    lexicon::has(lexicon::FILTERS, program)
}

/// Programs that show what is there.
pub(super) fn is_looker(program: &str) -> bool {
    lexicon::has(lexicon::LOOKERS, program)
}

/// Programs that set up or report and are not what a line is about.
pub(super) fn is_preparation(program: &str) -> bool {
    lexicon::has(lexicon::PREPARATIONS, program)
}

/// Programs whose status answers a question.
pub(super) fn is_question(program: &str) -> bool {
    lexicon::has(lexicon::QUESTIONS, program)
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
    lexicon::has(lexicon::FILE_TAKERS, program)
}

/// Whether `word` is a task of a program whose tasks have dotted names: `mix deps.get`.
pub(super) fn is_task(program: &str, word: &str) -> bool {
    program == "mix"
        && word.len() <= 32
        && word.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'.' | b'_'))
}

/// Whether `word` opens a further level: `npm run build`, `docker compose up`.
pub(super) fn is_group(program: &str, word: &str) -> bool {
    let groups: &[&str] = match program {
        "gh" | "glab" | "aws" | "gcloud" | "az" | "fly" | "doctl" => return true,
        "npm" | "pnpm" | "yarn" | "bun" | "deno" => &["run", "workspace"],
        "docker" | "podman" => &["compose", "container", "image", "volume", "network", "buildx"],
        "git" => &["remote", "worktree", "submodule", "stash", "bisect", "notes"],
        "uv" => &["pip", "tool", "venv"],
        "cargo" => &["xtask"],
        "go" => &["mod", "work"],
        "conda" | "mamba" => &["env"],
        "kubectl" => &["config", "rollout"],
        "terraform" => &["state", "workspace"],
        "dotnet" => &["tool", "ef"],
        _ => return false,
    };
    groups.contains(&word)
}

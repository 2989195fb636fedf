//! Findings in words: when a lesson would be said, what became of its remedy, and why it keeps silent.
//!
//! Decides wording alone.

use hardwon_core::learn::{Shape, Strength};

use super::digest::Moment;

/// The moment that a trigger names: the shape of a call, the start or the end of a run.
pub(crate) fn when(trigger: &str) -> String {
    match trigger {
        "" => "after the same error".into(),
        "start" => "at the start of such a task".into(),
        "final" => "before it says that it is done".into(),
        _ => {
            let head = Shape::head_of(trigger);
            let features: Vec<&str> = Shape::features_of(trigger).collect();
            match head.strip_prefix("shell:").map(str::trim) {
                Some("") => "before a shell command".into(),
                Some(command) => format!("before `{}`", spaced(command, &features)),
                None => format!("before {head}{}", arguments(&features)),
            }
        }
    }
}

fn spaced(command: &str, flags: &[&str]) -> String {
    core::iter::once(command).chain(flags.iter().copied()).collect::<Vec<_>>().join(" ")
}

/// The names of arguments, where they are few enough to say something.
fn arguments(features: &[&str]) -> String {
    let names: Vec<&str> =
        features.iter().map(|one| one.split_once(':').map_or(*one, |(name, _)| name)).collect();
    if names.is_empty() || names.len() > 2 { String::new() } else { format!(" with {}", names.join(" and ")) }
}

/// What is known of the remedy.
pub(crate) const fn remedy(strength: Strength) -> &'static str {
    match strength {
        Strength::Bare => "nothing yet: no run shows what helps",
        Strength::Weak => "only in runs that failed, so it is not believed yet",
        Strength::Seen => "it worked once, in a run that did not fail",
        Strength::Named => "the error or the trace itself says it",
        Strength::Proven => "it was done and then it worked",
        Strength::Taught => "a person taught it",
        _ => "it is known",
    }
}

/// What the next call that went through is called.
pub(crate) const fn then(moment: &Moment) -> &'static str {
    if moment.went_around { "went around" } else { "then" }
}

/// The agent that writes a format, or the format's name.
pub(crate) fn format(name: &str) -> String {
    match name {
        "claude_code" => "Claude Code".into(),
        "codex_rollout" => "Codex".into(),
        "gemini_cli" => "Gemini CLI".into(),
        "kimi_cli" => "Kimi CLI".into(),
        "openhands" => "OpenHands".into(),
        other => other.replace('_', " "),
    }
}

/// Why a lesson would keep silent at the call, by the guard's reason.
pub(crate) fn silence(reason: &str) -> &str {
    match reason {
        "benign" => "never: it repairs itself, or is about the world",
        "unproven" => "not before the call, for no remedy is proven; after the same error it is recalled",
        "base_rate" => "not before the call, which mostly works; after the same error it is recalled",
        "outcomes_turned" => "never: it was shown and did not help",
        "quiet" => "not for now: it was ignored",
        "muted" => "never: it is muted",
        "review" => "never, until a person has reviewed it",
        "" => "after the same error",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triggers_read_like_moments() {
        let cases = [
            ("shell:git push | --force -u", "before `git push --force -u`"),
            ("shell:git push", "before `git push`"),
            ("shell:", "before a shell command"),
            ("Edit | file_path:path new_string:text", "before Edit with file_path and new_string"),
            ("Read", "before Read"),
            ("F | a:word b:word c:word", "before F"),
            ("final", "before it says that it is done"),
            ("start", "at the start of such a task"),
            ("", "after the same error"),
        ];
        for (trigger, words) in cases {
            assert_eq!(when(trigger), words);
        }
    }
}

//! Whether a statement will matter in another session.
//!
//! Decides by phrases of English and by a few of German, French, Spanish, Chinese and Japanese whether it is a
//! question, a plan, a proposal, a supposition, a lone opinion or a state of the moment. A statement of another
//! language passes. Never decides that a statement is true.

use alloc::string::String;
use alloc::vec::Vec;

use crate::text::is_unspaced;

/// It describes the moment and is over when the session is.
pub const TRANSIENT: &str = "transient";
/// It asks.
pub const QUESTION: &str = "question";
/// It supposes, or is not sure.
pub const HYPOTHETICAL: &str = "hypothetical";
/// It offers something that nobody has agreed to.
pub const PROPOSAL: &str = "proposal";
/// It tells what is meant to be done.
pub const PLAN: &str = "plan";
/// It is what one thinks of something.
pub const OPINION: &str = "opinion";

/// A phrase is found between word boundaries anywhere; one that begins with `^` at the start alone.
type Rule = (&'static str, &'static [&'static str]);

#[rustfmt::skip]
const RULES: &[Rule] = &[
    (QUESTION, &[
        "^what", "^which", "^who", "^where", "^why", "^how do", "^how does", "^how can", "^how should", "^how many",
        "^do we", "^do you", "^does it", "^does the", "^can we", "^can you", "^could you", "^is there", "^are there",
        "^is it", "^should i", "^should we", "^would you", "^wonder if", "i wonder", "^warum", "^wieso", "^pourquoi",
        "^est-ce que", "^por qué",
    ]),
    (HYPOTHETICAL, &[
        "what if", "^suppose", "^imagine", "^assume", "^assuming", "hypothetically", "in theory", "^if we were to",
        "^if i were", "might be", "might have", "may or may not", "maybe", "perhaps", "possibly", "not sure", "i guess",
        "could be that", "were to", "would be nice", "vielleicht", "möglicherweise", "peut-être", "quizás", "tal vez",
        "^angenommen", "^supposons",
    ]),
    (PROPOSAL, &[
        "let's", "let us", "^how about", "^what about", "i suggest", "i propose", "i would suggest", "i'd suggest",
        "we could", "you could", "we might", "one option", "should consider", "could consider", "might want to",
        "^proposal",
        "we should probably", "^shall we", "lass uns", "wir könnten", "on pourrait", "podríamos", "ich schlage vor",
    ]),
    (PLAN, &[
        "i'm going to", "i am going to", "we're going to", "we are going to", "i will", "i'll", "we will", "we'll",
        "i plan to", "we plan to", "planning to", "plans to", "intend to", "intends to", "next sprint", "next week",
        "next month", "next quarter", "^todo", "to do:", "tomorrow", "later today", "ich werde", "wir werden", "morgen",
        "nächste woche", "demain", "je vais", "nous allons", "mañana", "vamos a",
    ]),
    (OPINION, &[
        "i think", "i feel", "i believe", "in my opinion", "imo", "imho", "i find that", "seems to me", "ich finde",
        "ich denke", "je pense", "creo que", "me parece",
    ]),
    (TRANSIENT, &[
        "right now", "at the moment", "for the moment", "for now", "today", "tonight", "this morning", "this afternoon",
        "this evening", "just now", "temporarily", "as we speak", "this session", "this run", "this conversation",
        "this chat", "in progress", "work in progress", "wip", "yesterday", "a minute ago", "an hour ago", "minutes ago",
        "is down", "are down", "is broken", "is failing", "are failing", "is stuck", "is blocked", "is offline",
        "is pending", "is being", "are being", "i am working on", "i'm working on", "working directory is clean",
        "currently failing", "currently broken", "currently down", "currently running", "currently working on",
        "currently debugging", "is currently being", "is still running", "running in the background",
        "gerade", "im moment", "momentan", "heute", "vorübergehend", "en ce moment", "aujourd'hui", "pour l'instant",
        "ahora mismo", "por ahora", "hoy", "de momento",
    ]),
];

/// Phrases of scripts without spaces, found anywhere.
#[rustfmt::skip]
const UNSPACED: &[Rule] = &[
    (QUESTION, &["吗", "什么时候", "为什么", "ですか", "でしょうか"]),
    (HYPOTHETICAL, &["也许", "可能会", "假如", "假设", "もしかして", "かもしれない"]),
    (PROPOSAL, &["我建议", "不如我们", "要不要", "しましょう", "どうですか"]),
    (PLAN, &["我打算", "我们打算", "明天", "下周", "する予定", "つもり"]),
    (OPINION, &["我觉得", "我认为", "と思う"]),
    (TRANSIENT, &["现在正在", "此刻", "暂时", "今天", "今のところ", "今日は", "一時的に"]),
];

/// The reason code for which a statement is not worth keeping; `None` where nothing speaks against it.
pub fn unworthy(text: &str) -> Option<&'static str> {
    let trimmed = text.trim_end();
    if trimmed.ends_with(['?', '？']) || trimmed.starts_with('¿') {
        return Some(QUESTION);
    }
    let unspaced = || UNSPACED.iter().find(|(_, phrases)| phrases.iter().any(|phrase| text.contains(phrase)));
    let is_latin = text.is_ascii() || !text.contains(is_unspaced);
    spaced(&folded(text)).or_else(|| if is_latin { None } else { unspaced().map(|(code, _)| *code) })
}

/// The first rule that any word of a folded text begins a phrase of.
fn spaced(folded: &str) -> Option<&'static str> {
    let mut best = RULES.len();
    let mut before = b' ';
    for (at, &byte) in folded.as_bytes().iter().enumerate() {
        let begins = !before.is_ascii_alphanumeric()
            && before.is_ascii()
            && (byte.is_ascii_alphanumeric() || !byte.is_ascii());
        before = byte;
        let Some(tail) = folded.get(at..).filter(|_| begins) else { continue };
        let stands = |phrase: &str| {
            let (phrase, is_opening) =
                phrase.strip_prefix('^').map_or((phrase, false), |phrase| (phrase, true));
            phrase.as_bytes().first() == Some(&byte)
                && (!is_opening || at == 1)
                && tail.strip_prefix(phrase).is_some_and(ends_word)
        };
        let found =
            RULES.iter().take(best).position(|(_, phrases)| phrases.iter().any(|phrase| stands(phrase)));
        best = found.unwrap_or(best);
    }
    RULES.get(best).map(|(code, _)| *code)
}

fn ends_word(tail: &str) -> bool {
    !tail.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_')
}

/// Lower case, one space between words and one before the first, straight apostrophes, nothing that is quoted as code.
fn folded(text: &str) -> String {
    let mut out = String::from(" ");
    let plain: Vec<&str> = text.split('`').step_by(2).collect();
    for word in plain.join(" ").split_whitespace() {
        out.extend(word.chars().flat_map(char::to_lowercase).map(|c| if c == '\u{2019}' { '\'' } else { c }));
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_will_not_matter_later_is_told_apart() {
        for (text, code) in [
            ("Which port does the API use?", QUESTION),
            ("Do we use npm here", QUESTION),
            ("Suppose the queue were full.", HYPOTHETICAL),
            ("Maybe the cache is too small.", HYPOTHETICAL),
            ("Let's move to pnpm.", PROPOSAL),
            ("We could switch to Bun.", PROPOSAL),
            ("I'll rewrite the parser.", PLAN),
            ("To do: rename the module", PLAN),
            ("I think tabs are nicer.", OPINION),
            ("The dev server is running on port 5173 right now.", TRANSIENT),
            ("CI is failing on main.", TRANSIENT),
            ("Der Server ist gerade aus.", TRANSIENT),
            ("数据库暂时不可用", TRANSIENT),
        ] {
            assert_eq!(unworthy(text), Some(code), "{text}");
        }
    }

    #[test]
    fn what_lasts_passes() {
        for text in [
            "The repository uses pnpm.",
            "If a migration fails, run `make reset` first.",
            "The server will reject files over 5 MB.",
            "We currently use Postgres 15.",
            "Always run the linter before a commit.",
            "Ada lives in Bern.",
            "The team plans releases on Mondays.",
            "The today-widget is owned by team-3.",
            "Call `what_if()` with two arguments.",
            "测试必须在提交前运行",
            "Das Projekt nutzt Poetry.",
        ] {
            assert_eq!(unworthy(text), None, "{text}");
        }
    }
}

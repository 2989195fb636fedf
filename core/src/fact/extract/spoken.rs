//! What people say in so many words: "remember that …", "we use …", "we decided to … because …".
//!
//! Decides by openings of English, German, French, Spanish, Chinese and Japanese at the start of a sentence. Only what
//! a person wrote is looked at.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::Found;
use crate::record::{SourceClass, Subtype};

/// The longest sentence that is a claim, in bytes.
const LONGEST: usize = 400;

/// What an opening makes of its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// What follows is the claim.
    Rest(Subtype),
    /// The sentence is the claim.
    Whole(Subtype),
    /// The sentence is a decision, if it says why.
    Decided,
}

#[rustfmt::skip]
const OPENINGS: &[(Form, &[&str])] = &[
    (Form::Rest(Subtype::Constraint), &[
        "remember that ", "please remember that ", "remember: ", "please remember: ", "keep in mind that ",
        "please note that ", "note that ", "for the record, ", "make a note that ", "merk dir, dass ", "merke dir, dass ",
        "merk dir: ", "souviens-toi que ", "retiens que ", "recuerda que ", "ten en cuenta que ",
        "请记住", "记住", "覚えておいて",
    ]),
    (Form::Rest(Subtype::Workflow), &[
        "from now on, ", "from now on ", "going forward, ", "in future, ", "ab jetzt ", "désormais, ", "a partir de ahora, ",
        "以后请", "从现在开始",
    ]),
    (Form::Whole(Subtype::Constraint), &[
        "we use ", "we're using ", "we are using ", "our project uses ", "this project uses ", "this repo uses ",
        "this repository uses ", "our stack is ", "we don't use ", "we do not use ", "we never use ", "wir nutzen ",
        "wir verwenden ", "nous utilisons ", "usamos ", "我们使用", "我们用",
    ]),
    (Form::Whole(Subtype::Preference), &[
        "i prefer ", "i like ", "i love ", "i hate ", "i dislike ", "i always ", "i never ", "my preferred ", "i don't like ",
        "ich bevorzuge ", "ich mag ", "je préfère ", "prefiero ", "我喜欢", "我更喜欢", "我偏好",
    ]),
    (Form::Whole(Subtype::Workflow), &[
        "always ", "never ", "please always ", "please never ", "don't ever ", "do not ever ", "immer ", "niemals ",
        "toujours ", "ne jamais ", "siempre ", "nunca ", "永远不要", "始终", "必ず",
    ]),
    (Form::Decided, &[
        "we decided ", "we've decided ", "we have decided ", "decision: ", "we agreed to ", "we agreed on ", "we chose ",
        "we went with ", "wir haben entschieden", "nous avons décidé", "hemos decidido", "我们决定",
    ]),
];

/// What parts a decision from its reason.
const REASONS: &[&str] = &[
    " because ",
    " since ",
    " so that ",
    " due to ",
    " in order to ",
    " weil ",
    " damit ",
    " parce que ",
    " afin de ",
    " porque ",
    " para que ",
    "因为",
];

/// Whether a role is a person's.
pub(crate) fn is_person(role: &str) -> bool {
    matches!(role.to_ascii_lowercase().as_str(), "user" | "human" | "person")
}

/// The sentences of a text; code blocks are none.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for block in text.split("```").step_by(2) {
        for line in block.lines() {
            let mut rest = line.trim_start_matches(['-', '*', '>', ' ', '\t']);
            while !rest.is_empty() {
                let end = end_of_sentence(rest);
                let (head, tail) = rest.split_at(end);
                out.extend(Some(head.trim()).filter(|one| one.chars().any(char::is_alphanumeric)));
                rest = tail.trim_start();
            }
        }
    }
    out
}

fn end_of_sentence(text: &str) -> usize {
    let mut marks = text.char_indices().peekable();
    while let Some((at, c)) = marks.next() {
        let end = at + c.len_utf8();
        let is_last = marks.peek().is_none_or(|(_, next)| next.is_whitespace());
        if matches!(c, '。' | '！' | '？') || matches!(c, '.' | '!' | '?') && is_last {
            return end;
        }
    }
    text.len()
}

/// The claim in a sentence of a person, where it has an explicit form.
pub(crate) fn spoken(sentence: &str) -> Option<Found> {
    let folded = sentence.replace('\u{2019}', "'");
    let lower = folded.to_lowercase();
    if sentence.len() > LONGEST {
        return None;
    }
    let (form, opening) = OPENINGS
        .iter()
        .find_map(|(form, all)| all.iter().find(|one| lower.starts_with(**one)).map(|one| (*form, *one)))?;
    let (subtype, text) = match form {
        Form::Rest(subtype) => (subtype, folded.get(opening.len()..)?),
        Form::Whole(subtype) => (subtype, folded.as_str()),
        Form::Decided => (Subtype::Decision, folded.as_str()),
    };
    let reason = REASONS.iter().find_map(|word| text.find(word).map(|at| (at, word.len())));
    let (text, rationale) = match (subtype, reason) {
        (Subtype::Decision, Some((at, len))) => {
            (text.get(..at)?, text.get(at + len..)?.trim_end_matches('.'))
        }
        _ => (text, ""),
    };
    let subtype =
        if subtype == Subtype::Decision && rationale.is_empty() { Subtype::Constraint } else { subtype };
    let text = text.trim();
    (text.chars().filter(|c| c.is_alphanumeric()).count() > 2).then(|| Found {
        subtype,
        source: SourceClass::User,
        text: text.to_owned(),
        subject: String::new(),
        predicate: String::new(),
        object: String::new(),
        rationale: rationale.trim().to_owned(),
        quote: sentence.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_forms_are_claims() {
        for (sentence, subtype, text, rationale) in [
            ("Remember that the staging host is h-7.", Subtype::Constraint, "the staging host is h-7.", ""),
            ("We use pnpm here.", Subtype::Constraint, "We use pnpm here.", ""),
            ("I prefer short answers.", Subtype::Preference, "I prefer short answers.", ""),
            ("Never push to main.", Subtype::Workflow, "Never push to main.", ""),
            (
                "We decided to keep SQLite because it is one file.",
                Subtype::Decision,
                "We decided to keep SQLite",
                "it is one file",
            ),
            ("We decided to keep SQLite.", Subtype::Constraint, "We decided to keep SQLite.", ""),
            ("记住测试要用真实数据库", Subtype::Constraint, "测试要用真实数据库", ""),
        ] {
            let found = spoken(sentence).expect(sentence);
            assert_eq!(
                (found.subtype, found.text.as_str(), found.rationale.as_str()),
                (subtype, text, rationale)
            );
        }
        for other in ["Can you fix the parser?", "It works.", "The tests use pnpm.", "Remember that"] {
            assert_eq!(spoken(other), None, "{other}");
        }
    }

    #[test]
    fn sentences_are_cut_at_their_ends() {
        let text = "First. Use v1.2 now! And\n- a list\n```\ncode. here\n```\n最后一句。好";
        assert_eq!(sentences(text), ["First.", "Use v1.2 now!", "And", "a list", "最后一句。", "好"]);
    }
}

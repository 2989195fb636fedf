//! Arguments: whether an answer meets an objection, and what came of it in the end.
//!
//! Decides by what the answer says is done. A memory does not give in because it is answered: what it knows it says
//! again, with its evidence and its record.

use alloc::string::{String, ToString};
use core::fmt::Write as _;

use super::judge::{Doing, doing};
use super::line;
use crate::op::{Context, Stop};
use crate::react::{Came, Verdict};
use crate::record::Record;

#[rustfmt::skip]
const IRRELEVANT: &[&str] = &[
    "irrelevant", "not relevant", "does not apply", "doesn't apply", "nothing to do with", "another situation",
    "different situation", "trifft nicht zu", "nicht relevant", "ne s'applique pas", "pas pertinent", "no aplica",
    "no es relevante", "不适用", "不相关", "无关",
];
#[rustfmt::skip]
const PROCEED: &[&str] = &[
    "proceed", "go ahead", "go on", "as announced", "as planned", "overrule", "override", "carry on", "continue",
    "mach weiter", "fortfahren", "wie angekündigt", "weitermachen", "continue comme", "vas-y", "comme annoncé",
    "adelante", "continúa", "procede", "继续", "照做",
];
#[rustfmt::skip]
const FOLLOW: &[&str] = &[
    "follow the memory", "the memory is right", "do as the memory", "as the memory says", "stop", "do not proceed",
    "don't proceed", "do not go on", "don't go on", "do not", "don't", "folge der erinnerung", "nicht fortfahren",
    "suis la mémoire", "ne continue pas", "arrête", "sigue la memoria", "no continúes", "para", "停", "不要继续", "按记忆",
];

/// What a memory says to an answer of the initiator.
pub(crate) fn settled(cx: &Context<'_>, records: &[&Record], answer: &str) -> Result<Verdict, Stop> {
    for record in records {
        if let Some(said) = &record.feedback
            && doing(cx, said, answer)? == Doing::Action
        {
            return Ok(Verdict::Settled(Came::Followed));
        }
    }
    Ok(Verdict::Rebut(rebuttal(records)))
}

/// What came of an objection, as the lead's decision or the initiator's last word tells.
pub(crate) fn decided(cx: &Context<'_>, records: &[&Record], said: &str) -> Result<Came, Stop> {
    let lower = said.to_lowercase();
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| has_phrase(&lower, phrase));
    if has(IRRELEVANT) {
        return Ok(Came::Irrelevant);
    }
    for record in records {
        let Some(feedback) = &record.feedback else { continue };
        match doing(cx, feedback, said)? {
            Doing::Action => return Ok(Came::Followed),
            Doing::Behavior => return Ok(Came::NotFollowed),
            Doing::Neither => {}
        }
    }
    Ok(match (has(FOLLOW), has(PROCEED)) {
        (true, _) => Came::Followed,
        (false, true) => Came::NotFollowed,
        _ => Came::Unresolved,
    })
}

/// Whether a phrase stands between word boundaries; of a script without spaces, anywhere.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !crate::text::is_unspaced(c));
    text.match_indices(phrase).any(|(at, found)| {
        let before = text.get(..at).and_then(|part| part.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|part| part.chars().next());
        !is_word(before) && !is_word(after)
    })
}

/// The memory, where it comes from, and its record.
fn rebuttal(records: &[&Record]) -> String {
    let mut out = String::from("The objection stands.");
    for record in records {
        let counters = &record.counters;
        let day = record.created_at.to_string();
        let _ = write!(
            out,
            " {} (from {}, {}; shown {}, followed {}, not followed {})",
            line(record),
            record.source,
            day.get(..10).unwrap_or_default(),
            counters.surfaced,
            counters.followed,
            counters.not_followed
        );
    }
    out
}

//! What a correction teaches.
//!
//! Decides how sure it is, whether it is known, refines or contradicts what is held, and what is asked first. Never
//! makes a memory of an ambiguous signal, and never a second one of what is known.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Parts;
use super::judge::{Judge, does_it};
use super::line;
use super::matching::near;
use crate::change::{Delta, Member};
use crate::env::RecordId;
use crate::error::Error;
use crate::fact::supersede;
use crate::gate::{self, Verdict, worth};
use crate::learn::{correction, instruction};
use crate::op::{Editor, Stop};
use crate::react::{Message, MessageKind, Opinion, USER_INPUT};
use crate::record::{Counter, Feedback, Kind, Record, Scope, SourceClass, Status, Subtype};
use crate::text::{Agreement, Guard, content_words, jaccard, nfc, words};

/// The longest part of a correction, in characters.
const LONGEST: usize = 400;
/// What is to be done where nobody knows.
const NO_FIX: &str = "consider alternative approaches";

#[rustfmt::skip]
const YES: &[&str] = &[
    "yes", "yep", "yeah", "correct", "right", "exactly", "please do", "remember", "ja", "genau", "richtig", "oui",
    "exact", "sí", "si", "correcto", "exacto", "是", "对", "好的", "可以",
];

/// What is between a behaviour and what stands in its place.
#[rustfmt::skip]
const INSTEAD: &[&str] = &[
    " instead of ", " rather than ", ", not ", " and not ", " anstatt ", " statt ", ", nicht ", " au lieu de ",
    " plutôt que ", " et pas ", " en lugar de ", " en vez de ", " y no ", "而不是", "，不是", "，不要",
];

/// A message that may correct.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Correcting<'m> {
    pub(crate) message: &'m Message,
    /// What its author, or the agent that it comes from, said before.
    pub(crate) before: Option<&'m Message>,
    /// The last intent of that agent.
    pub(crate) intent: Option<&'m Message>,
    /// What is already counted for that intent.
    pub(crate) counted: &'m [RecordId],
    pub(crate) scope: &'m Scope,
    /// The message with which a person has said yes, or has answered.
    pub(crate) confirmed: Option<&'m Message>,
}

/// How a correction came: how sure it is, in millionths, and who says so.
type Trust = (u32, SourceClass);

/// Whether a message says yes to a question.
pub(crate) fn confirms(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    YES.iter().any(|yes| {
        lower.strip_prefix(yes).is_some_and(|rest| {
            rest.chars().next().is_none_or(|c| !c.is_alphanumeric() || crate::text::is_unspaced(c))
        })
    })
}

/// Learns what a message corrects.
pub(crate) fn correct(ed: &mut Editor<'_>, from: &Correcting<'_>, out: &mut Opinion) -> Result<(), Stop> {
    let text = &from.message.text;
    let Some(read) = correction(text) else { return Ok(()) };
    let answered = from.confirmed.and_then(|answer| instruction(&answer.text));
    let said = answered.or(read.instruction);
    let is_user = from.message.thread == USER_INPUT;
    let trust = match (is_user, from.before.map(|before| &before.kind)) {
        _ if from.confirmed.is_some() => (700_000, SourceClass::User),
        // What a person adds before anything is done refines; it corrects nothing.
        (true, Some(MessageKind::Intent)) => return Ok(()),
        (true, Some(_)) if said.is_some() => (1_000_000, SourceClass::User),
        (true, before) => {
            let is_covered = said.is_none() && before.is_some() && covered(ed, from, out)?;
            out.question = if is_covered { String::new() } else { question(said) };
            return Ok(());
        }
        (false, Some(MessageKind::Done | MessageKind::Info)) => evidence(from),
        // Agents tell each other what to do all the time.
        (false, _) => return Ok(()),
    };
    // A failure that a memory covers needs no second one, and nobody to be asked.
    if said.is_none() && covered(ed, from, out)? {
        return Ok(());
    }
    let Some(feedback) = parts(from, said) else {
        if is_user {
            out.question = question(said);
        }
        return Ok(());
    };
    learn(ed, from, feedback, trust, out)
}

/// Whether what was done is what a memory warns of: then it was missed.
fn covered(ed: &mut Editor<'_>, from: &Correcting<'_>, out: &mut Opinion) -> Result<bool, Stop> {
    let Some(intent) = from.intent.map(|intent| Parts::of(&intent.text)) else { return Ok(false) };
    let cx = ed.cx;
    for record in near(&cx, &intent.situation, from.scope)? {
        if does_it(&cx, record, &intent.behavior, Judge::Words)? {
            miss(ed, record.id, from, out)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// How sure a correction of an agent is.
fn evidence(from: &Correcting<'_>) -> Trust {
    let is_own = from.before.is_some_and(|before| before.from == from.message.from);
    match (is_own, &from.message.kind) {
        (_, MessageKind::Intent) => (200_000, SourceClass::Model),
        (true, _) => (700_000, SourceClass::Tool),
        (false, _) => (400_000, SourceClass::Tool),
    }
}

fn question(said: Option<&str>) -> String {
    match said {
        Some(said) => alloc::format!("Is this to be remembered: \"{said}\"? Say yes, or how it is to be."),
        None => {
            "That reads like a correction. What is to be done instead? Say it in one sentence, and it is \
                 remembered."
                .to_string()
        }
    }
}

/// The parts of a correction; none where the situation is not known.
fn parts(from: &Correcting<'_>, said: Option<&str>) -> Option<Feedback> {
    let intent = from.intent.map(|intent| Parts::of(&intent.text)).unwrap_or_default();
    let before = from.before.map(|before| clipped(&before.text)).unwrap_or_default();
    let situation = [intent.situation.as_str(), before.as_str()].into_iter().find(|text| !text.is_empty())?;
    let did = [intent.behavior.as_str(), before.as_str()].into_iter().find(|text| !text.is_empty())?;
    let (action, behavior) = match said {
        Some(said) => apart(said),
        None => (NO_FIX.into(), String::new()),
    };
    let behavior = if behavior.is_empty() { clipped(did) } else { behavior };
    let by = if from.message.thread == USER_INPUT { "the user" } else { from.message.from.as_str() };
    let impact = alloc::format!("{by} corrected it: {}", clipped(&from.message.text));
    Some(Feedback { situation: clipped(situation), behavior, impact, action: clipped(&action) })
}

/// What is to be done, and what is not.
fn apart(said: &str) -> (String, String) {
    let found = INSTEAD.iter().filter_map(|word| said.find(word).map(|at| (at, word.len()))).min();
    match found {
        Some((at, length)) if at > 0 => {
            let (action, rest) =
                (said.get(..at).unwrap_or(said), said.get(at + length..).unwrap_or_default());
            (action.trim().into(), rest.trim().into())
        }
        _ => (said.into(), String::new()),
    }
}

fn clipped(text: &str) -> String {
    let line = nfc(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    crate::learn::clip(&line, LONGEST)
}

fn learn(
    ed: &mut Editor<'_>,
    from: &Correcting<'_>,
    feedback: Feedback,
    trust: Trust,
    out: &mut Opinion,
) -> Result<(), Stop> {
    if let Some(reason) = refusal(&feedback) {
        out.refused.push(reason.into());
        return Ok(());
    }
    let held: Vec<RecordId> =
        near(&ed.cx, &feedback.situation, from.scope)?.iter().map(|one| one.id).collect();
    for id in held {
        // The same message was learned from by an operation whose answer was lost.
        if id == ed.fresh_id() {
            tell(ed, id, out);
            return Ok(());
        }
        let Some(record) = ed.get(id) else { continue };
        let Some(known) = record.feedback.as_deref() else { continue };
        match relation(known, &feedback, ed.cx.policy.learn.overlap) {
            // What is known and was not shown in time was missed, once for an intent.
            Relation::Same => return Ok(miss(ed, id, from, out)?),
            Relation::Opposite | Relation::Finer if record.scope == *from.scope => {
                return Ok(replace(ed, id, from, feedback, trust, out)?);
            }
            _ => {}
        }
    }
    let id = ed.create(record(ed, from, feedback, trust))?;
    tell(ed, id, out);
    Ok(())
}

/// Why a correction is not kept, as a reason code.
fn refusal(feedback: &Feedback) -> Option<&'static str> {
    let Feedback { situation, behavior, impact, action } = feedback;
    let is_secret = |text: &&String| matches!(gate::screen(text), Verdict::Secret { .. });
    if [situation, behavior, impact, action].into_iter().any(|text| is_secret(&text)) {
        return Some("secret");
    }
    worth::unworthy(action)
}

/// What two corrections of one situation are to each other.
#[derive(Debug, PartialEq, Eq)]
enum Relation {
    Same,
    /// The newer one says the same, and more.
    Finer,
    Opposite,
    Apart,
}

fn relation(known: &Feedback, new: &Feedback, min_overlap: u32) -> Relation {
    let (old, fresh) = (content_words(&known.action), content_words(&new.action));
    let agreement = Guard::of(&known.action).agrees(&Guard::of(&new.action));
    let overlap = jaccard(&old, &fresh);
    let turned = jaccard(&content_words(&known.behavior), &fresh);
    // It asks for what was corrected before.
    let is_turned = turned >= min_overlap && turned > overlap;
    match agreement {
        Agreement::Contradiction if overlap >= min_overlap / 2 => Relation::Opposite,
        _ if is_turned => Relation::Opposite,
        _ if old == fresh => Relation::Same,
        Agreement::Same if overlap >= min_overlap && fresh.len() <= old.len() => Relation::Same,
        Agreement::Same if old.len() >= 2 && old.iter().all(|word| fresh.contains(word)) => Relation::Finer,
        Agreement::Same if overlap >= min_overlap => Relation::Same,
        _ => Relation::Apart,
    }
}

fn miss(ed: &mut Editor<'_>, id: RecordId, from: &Correcting<'_>, out: &mut Opinion) -> Result<(), Error> {
    if !from.counted.contains(&id) {
        ed.push(id, Delta::Count { counter: Counter::Missed, by: 1 })?;
        out.missed.push(id);
    }
    Ok(())
}

/// The newer one takes the place; against a better source it waits for a person.
fn replace(
    ed: &mut Editor<'_>,
    old: RecordId,
    from: &Correcting<'_>,
    feedback: Feedback,
    trust: Trust,
    out: &mut Opinion,
) -> Result<(), Error> {
    let yields = ed.get(old).is_some_and(|held| (held.source, held.confidence) > (trust.1, trust.0));
    let mut new = record(ed, from, feedback, trust);
    if yields && new.status == Status::Active {
        (new.status, new.status_reason) = (Status::Conflicted, "contradicts".into());
    }
    let id = ed.create(new)?;
    if yields {
        ed.add(id, Member::Rival(old))?;
        ed.add(old, Member::Rival(id))?;
    } else {
        supersede(ed, old, id, "superseded")?;
        out.replaced.push(old);
    }
    tell(ed, id, out);
    Ok(())
}

fn tell(ed: &Editor<'_>, id: RecordId, out: &mut Opinion) {
    out.made.push(id);
    let Some(record) = ed.get(id) else { return };
    out.infos.push(match record.status {
        Status::Active => alloc::format!("[LEARNED] {}", line(record)),
        status => alloc::format!("[LEARNED] {} ({status}: it waits for review)", line(record)),
    });
}

/// What makes two corrections the same at once: the situation and what is to be done in it.
pub(crate) fn key(said: &Feedback) -> String {
    alloc::format!("feedback: {} | {}", words(&said.situation).join(" "), words(&said.action).join(" "))
}

fn record(ed: &Editor<'_>, from: &Correcting<'_>, feedback: Feedback, (confidence, source): Trust) -> Record {
    let mut record = Record::new(ed.fresh_id(), Kind::Feedback, Subtype::Correction, source, ed.cx.env.now);
    record.scope = crate::op::clean_scope(from.scope);
    record.text.clone_from(&feedback.situation);
    record.key = key(&feedback);
    record.confidence = confidence.min(source.confidence_cap());
    record.author.clone_from(&from.message.from);
    let texts = [&feedback.situation, &feedback.behavior, &feedback.action];
    if source < SourceClass::Review
        && let Some(reason) = texts.into_iter().find_map(|text| gate::injection::suspect(text))
    {
        (record.status, record.status_reason) = (Status::Quarantined, reason.into());
    }
    record.feedback = Some(Box::new(feedback));
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feedback(behavior: &str, action: &str) -> Feedback {
        Feedback { behavior: behavior.into(), action: action.into(), ..Feedback::default() }
    }

    #[test]
    fn corrections_of_one_situation_are_told_apart() {
        let known = feedback("Running go test directly", "Use targ test instead");
        let cases = [
            (feedback("", "Use targ test instead"), Relation::Same),
            (feedback("", "use targ test, instead."), Relation::Same),
            (feedback("", "Never use targ test"), Relation::Opposite),
            (feedback("targ test", "run go test directly"), Relation::Opposite),
            (feedback("", "Use targ test with coverage instead"), Relation::Finer),
            (feedback("", "Ask before you delete the branch"), Relation::Apart),
        ];
        for (new, wanted) in cases {
            assert_eq!(relation(&known, &new, 600_000), wanted, "{}", new.action);
        }
    }

    #[test]
    fn what_is_not_to_be_done_is_told_from_what_is() {
        assert_eq!(apart("use pnpm instead of npm"), ("use pnpm".into(), "npm".into()));
        assert_eq!(apart("nimm die Funktion aus utils statt einer neuen").1, "einer neuen");
        assert_eq!(apart("应该用现有的函数而不是新的").1, "新的");
        assert_eq!(apart("always run the linter"), ("always run the linter".into(), String::new()));
    }

    #[test]
    fn yes_is_yes_in_five_languages_and_a_word_that_begins_so_is_not() {
        for yes in ["Yes.", "ja, bitte", "oui", "Sí, recuérdalo", "对", "correct"] {
            assert!(confirms(yes), "{yes}");
        }
        for no in ["no", "yesterday it worked", "jaguar", "", "use npm"] {
            assert!(!confirms(no), "{no}");
        }
    }
}

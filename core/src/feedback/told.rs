//! What agents say about the world: facts in intents, in what they did, and in what they say they learned.
//!
//! Decides by plain English forms which sentences are claims, and how sure. What proposes, asks, supposes, opines or
//! plans is none, and neither is anything in an `info`, an `ack` or a `wait`. The claims go the way of every fact.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Parts;
use crate::change::Member;
use crate::error::Error;
use crate::fact::{self, Checked, Order, sentences};
use crate::gate::worth;
use crate::op::{Editor, Outcome, Remember};
use crate::react::{Message, MessageKind, Opinion};
use crate::record::{Scope, SourceClass, Subtype};

/// The longest name of a thing, in words.
const LONGEST_NAME: usize = 8;
/// The longest claim, in bytes.
const LONGEST: usize = 400;
/// What stands for a thing that was named elsewhere.
#[rustfmt::skip]
const POINTERS: &[&str] = &[
    "it", "this", "that", "these", "those", "there", "he", "she", "they", "which", "what", "i", "we", "you",
    "everything", "nothing", "something", "all", "both", "one",
];
/// Words of one who is not sure.
const HEDGES: &[&str] = &[
    "apparently",
    "seems",
    "seem",
    "probably",
    "presumably",
    "appears",
    "likely",
    "looks like",
    "as far as",
];
const MEANS: &[&str] = &[" means ", " stands for ", " refers to ", " is defined as "];
const OVER: &[&str] = &[" over ", " instead of ", " rather than "];
const DECIDED: &[&str] =
    &["we decided to ", "we decided on ", "decision: ", "we chose ", "we went with ", "we agreed on "];
const BECAUSE: &[&str] = &[" because ", " since ", " so that ", " due to "];
const STEPS: &[&str] = &[", then ", "; then ", ", and then ", ", finally ", " and finally ", "; finally "];

/// A claim in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Triple {
    subject: String,
    predicate: String,
    object: String,
    /// Why, of a decision.
    rationale: String,
}

/// How a claim is said.
struct Saying<'a> {
    /// The words of the message.
    quote: &'a str,
    situation: &'a str,
    /// Whether its sender asserts it, and does not guess.
    is_sure: bool,
}

fn triple(subject: &str, predicate: &str, object: &str) -> Triple {
    let tidy = |text: &str| text.trim().trim_end_matches(['.', ',', ';', ':', '!']).trim().to_string();
    Triple {
        subject: tidy(subject),
        predicate: tidy(predicate),
        object: tidy(object),
        rationale: String::new(),
    }
}

/// Writes the facts of a message.
pub(crate) fn tell_facts(
    ed: &mut Editor<'_>,
    message: &Message,
    scope: &Scope,
    out: &mut Opinion,
) -> Result<(), Error> {
    match message.kind {
        MessageKind::Learned => {
            let (found, context) = stated(&message.text);
            for one in found {
                let quote = [&*one.subject, &one.predicate, &one.object].join(" -> ");
                tell(
                    ed,
                    message,
                    scope,
                    one,
                    &Saying { quote: &quote, situation: &context, is_sure: true },
                    out,
                )?;
            }
        }
        MessageKind::Intent | MessageKind::Done => {
            let situation = Parts::of(&message.text).situation;
            let situation = if message.kind == MessageKind::Intent { situation } else { String::new() };
            for sentence in sentences(&message.text) {
                let sentence = unlabelled(sentence);
                let is_sure = !HEDGES.iter().any(|hedge| has_word(sentence, hedge));
                let saying = Saying { quote: sentence, situation: &situation, is_sure };
                for one in claims(sentence) {
                    tell(ed, message, scope, one, &saying, out)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// A sentence without the label of its part.
fn unlabelled(sentence: &str) -> &str {
    match sentence.split_once(':') {
        Some((label, rest)) if label.split_whitespace().count() <= 2 && is_label(label) => rest.trim(),
        _ => sentence,
    }
}

fn is_label(label: &str) -> bool {
    let label = label.to_ascii_lowercase();
    ["situation", "context", "behavior", "behaviour", "intent", "action", "done", "result"]
        .iter()
        .any(|one| label.ends_with(one))
}

/// The claims of `s -> p -> o`, one a line, and what else is said: the context.
fn stated(text: &str) -> (Vec<Triple>, String) {
    let (mut found, mut context) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = line.replace('\u{2192}', "->");
        let parts: Vec<&str> = line.splitn(3, "->").collect();
        let [subject, predicate, object] = parts.as_slice() else {
            context.push(line);
            continue;
        };
        // The context may stand behind the object, in brackets.
        let (object, note) = match object.trim().strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
            Some((object, note)) => (object, note),
            None => (*object, ""),
        };
        found.push(triple(subject, predicate, object));
        context.extend((!note.is_empty()).then(|| note.to_string()));
    }
    let context = context.join(" ");
    (found, context.trim_start_matches("situation:").trim_start_matches("context:").trim().to_string())
}

/// What a sentence claims, in one or more parts.
fn claims(sentence: &str) -> Vec<Triple> {
    let sentence = sentence.trim().trim_end_matches('.');
    if sentence.len() > LONGEST || worth::unworthy(sentence).is_some() {
        return Vec::new();
    }
    let found = [decision(sentence), process(sentence), excerpt(sentence), concept(sentence)];
    let found = found.into_iter().find(|found| !found.is_empty()).unwrap_or_else(|| simple(sentence));
    found.into_iter().filter(is_named).collect()
}

/// "X is hosted on Y", "X uses Y".
fn simple(sentence: &str) -> Vec<Triple> {
    let read = fact::read(sentence).filter(|read| !read.retracts && !read.claim.negated);
    let parts = read.map(|read| triple(&read.claim.subject, &read.claim.predicate, &read.claim.object));
    parts.into_iter().collect()
}

/// "X means Y", "X is a Y that Z".
fn concept(sentence: &str) -> Vec<Triple> {
    if let Some((at, word)) = first(sentence, MEANS) {
        return [triple(cut(sentence, 0, at), word.trim(), cut(sentence, at + word.len(), usize::MAX))]
            .into();
    }
    let Some((at, word)) = first(sentence, &[" is a ", " is an "]) else { return Vec::new() };
    let (subject, rest) = (cut(sentence, 0, at), cut(sentence, at + word.len(), usize::MAX));
    let Some((end, that)) = first(rest, &[" that ", " which "]) else { return Vec::new() };
    let does = cut(rest, end + that.len(), usize::MAX);
    [triple(subject, "is a", cut(rest, 0, end)), triple(subject, "does", does)].into()
}

/// "We decided to A because B", "we chose A over C because B".
fn decision(sentence: &str) -> Vec<Triple> {
    let lower = sentence.to_lowercase();
    let Some(opening) = DECIDED.iter().find(|one| lower.starts_with(**one)) else { return Vec::new() };
    let Some(rest) = sentence.get(opening.len()..) else { return Vec::new() };
    let Some((at, word)) = first(rest, BECAUSE) else { return Vec::new() };
    let (what, why) = (cut(rest, 0, at), cut(rest, at + word.len(), usize::MAX));
    let (what, other) = match first(what, OVER) {
        Some((at, word)) => (cut(what, 0, at), cut(what, at + word.len(), usize::MAX)),
        None => (what, ""),
    };
    let decided = Triple { rationale: why.trim().to_string(), ..triple(what, "status", "decided") };
    let mut out: Vec<Triple> = [decided, triple(what, "reason", why)].into();
    out.extend((!other.is_empty()).then(|| triple(what, "replaces", other)));
    out
}

/// "FILE says "…"", "according to FILE, …".
fn excerpt(sentence: &str) -> Vec<Triple> {
    let lower = sentence.to_lowercase();
    let found = if lower.starts_with("according to ") {
        sentence.get("according to ".len()..).and_then(|rest| rest.split_once(", "))
    } else {
        sentence.split_once(" says: ").or_else(|| sentence.split_once(" says \""))
    };
    found.map(|(source, text)| triple(source, "says", text.trim_matches('"'))).into_iter().collect()
}

/// "To X, first A, then B, finally C".
fn process(sentence: &str) -> Vec<Triple> {
    let lower = sentence.to_lowercase();
    let Some(at) = lower.strip_prefix("to ").and_then(|rest| rest.find(", first ")) else {
        return Vec::new();
    };
    if lower.len() != sentence.len() {
        return Vec::new();
    }
    let (what, mut rest) = (cut(sentence, 3, at + 3), cut(sentence, at + 3 + ", first ".len(), usize::MAX));
    let mut out = Vec::new();
    while let Some((at, word)) = first(rest, STEPS) {
        out.push(triple(what, &alloc::format!("step {}", out.len() + 1), cut(rest, 0, at)));
        rest = cut(rest, at + word.len(), usize::MAX);
    }
    if out.is_empty() {
        return out;
    }
    out.push(triple(what, &alloc::format!("step {}", out.len() + 1), rest));
    out
}

/// The first of some words in a text, with its place; of two at one place the longer one.
fn first<'w>(text: &str, words: &[&'w str]) -> Option<(usize, &'w str)> {
    let found = words.iter().filter_map(|word| text.find(word).map(|at| (at, *word)));
    found.min_by_key(|(at, word)| (*at, core::cmp::Reverse(word.len())))
}

fn cut(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to.min(text.len())).unwrap_or_default()
}

fn has_word(text: &str, word: &str) -> bool {
    let text = alloc::format!(" {} ", text.to_lowercase().replace([',', '.', ':', ';'], " "));
    text.contains(&alloc::format!(" {word} "))
}

/// Whether a claim is about something that it names.
fn is_named(one: &Triple) -> bool {
    let subject = one.subject.to_lowercase();
    let words = subject.split_whitespace().count();
    let head = subject.split_whitespace().next().unwrap_or_default();
    !one.object.is_empty() && words > 0 && words <= LONGEST_NAME && !POINTERS.contains(&head)
}

fn tell(
    ed: &mut Editor<'_>,
    message: &Message,
    scope: &Scope,
    one: Triple,
    saying: &Saying<'_>,
    out: &mut Opinion,
) -> Result<(), Error> {
    // What is asserted is as good as what a tool says; what is inferred is a guess.
    let (source, confidence) =
        if saying.is_sure { (SourceClass::Tool, 700_000) } else { (SourceClass::Model, 400_000) };
    let is_decision = !one.rationale.is_empty();
    let input = Remember {
        subject: one.subject,
        predicate: one.predicate,
        object: one.object,
        subtype: Some(if is_decision { Subtype::Decision } else { Subtype::Constraint }),
        scope: Some(scope.clone()),
        source: Some(source),
        confidence: Some(confidence),
        rationale: one.rationale,
        reference: alloc::format!("chat:{}", message.thread),
        quote: saying.quote.into(),
        claimed_at: Some(message.ts),
        actor: message.from.clone(),
        ..Remember::default()
    };
    let claim = Checked::new(input, ed.cx.policy)?;
    let fate = fact::remember(ed, &claim, Order::Told)?;
    let Some(id) = fate.id else {
        out.refused.push(fate.reason);
        return Ok(());
    };
    match fate.outcome {
        Outcome::Created | Outcome::Coexists | Outcome::Superseded | Outcome::Quarantined => {
            out.made.push(id);
        }
        Outcome::Conflicted => {
            out.made.push(id);
            let said = ed.get(id).map(super::fact_line).unwrap_or_default();
            out.infos.push(alloc::format!(
                "[CONFLICT] {said}: it contradicts what is held, which stays; ask the user"
            ));
        }
        _ => {}
    }
    out.replaced.extend(fate.replaced);
    if !saying.situation.is_empty() && out.made.contains(&id) {
        ed.add(id, Member::Situation(saying.situation.chars().take(LONGEST).collect()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        claims(text).iter().map(|one| [&*one.subject, &one.predicate, &one.object].join(" | ")).collect()
    }

    #[test]
    fn a_sentence_is_one_claim_or_several() {
        for (text, wanted) in [
            ("The parser uses serde.", &["The parser | uses | serde"][..]),
            (
                "A tombstone is a mark that outlives its record",
                &["A tombstone | is a | mark", "A tombstone | does | outlives its record"],
            ),
            ("WAL means write-ahead log", &["WAL | means | write-ahead log"]),
            (
                "We chose SQLite over a server because it is one file",
                &[
                    "SQLite | status | decided",
                    "SQLite | reason | it is one file",
                    "SQLite | replaces | a server",
                ],
            ),
            (
                "According to CONTRIBUTING.md, every change needs a test",
                &["CONTRIBUTING.md | says | every change needs a test"],
            ),
            (
                "To cut a release, first bump the version, then tag it, finally push the tag",
                &[
                    "cut a release | step 1 | bump the version",
                    "cut a release | step 2 | tag it",
                    "cut a release | step 3 | push the tag",
                ],
            ),
        ] {
            assert_eq!(told(text), wanted, "{text}");
        }
    }

    #[test]
    fn proposals_questions_suppositions_opinions_and_plans_are_no_claims() {
        for text in [
            "Let's say the parser uses serde",
            "Does the parser use serde?",
            "Maybe the parser uses serde",
            "I think the parser uses serde",
            "I will make the parser use serde",
            "It uses serde",
        ] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn learned_triples_come_with_their_context() {
        let (found, context) =
            stated("svc-3 -> runs on -> host-7 (when deployed to staging)\nseen in the log");
        assert_eq!(found, [triple("svc-3", "runs on", "host-7")]);
        assert_eq!(context, "when deployed to staging seen in the log");
    }
}

//! From a sentence to subject, predicate and value.
//!
//! Decides by a few plain English forms ("X is hosted on Y", "X uses Y", "the X is 30 s"); what has another form, or
//! another language, stays a statement in its own words. Never guesses at what a sentence leaves out.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::record::Claim;
use crate::text::{bare, is_measure};

/// What a sentence says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The parts; without a value where all values of the predicate are meant.
    pub(crate) claim: Claim,
    /// Whether it says that something holds no longer.
    pub(crate) retracts: bool,
}

/// Openings that say nothing.
const OPENINGS: &[&str] =
    &["update:", "note:", "fact:", "fyi:", "reminder:", "remember that", "remember:", "for the record,"];
/// Openings that take back what follows.
const TAKEN_BACK: &[&str] = &["it is no longer true that", "it's no longer true that", "no longer true:"];
/// Words that date a sentence and say nothing else.
const FILLERS: &[&str] = &["now", "currently", "also", "already", "still", "actually", "always"];
/// With one of these a sentence says more than three parts hold.
const COMPOUND: &[&str] = &[
    "if", "when", "unless", "while", "whenever", "until", "before", "after", "except", "but", "or",
    "because", "so",
];
const PREPOSITIONS: &[&str] =
    &["in", "on", "by", "to", "with", "at", "from", "for", "as", "of", "under", "behind", "through"];
const COPULAS: &[&str] = &["is", "are", "was", "were"];
/// What a name may be said to have or to use one of.
const SLOTS: &[&str] = &[
    "python package manager",
    "package manager",
    "primary database",
    "database",
    "build tool",
    "build system",
    "test runner",
    "test framework",
    "default branch",
    "main branch",
    "web framework",
    "framework",
    "linter",
    "formatter",
    "bundler",
    "python version",
    "node version",
    "rust version",
    "version",
    "port",
    "license",
    "licence",
    "time zone",
    "timezone",
    "cloud provider",
    "editor",
    "shell",
    "owner",
    "lead",
    "manager",
    "primary language",
    "language",
    "runtime",
    "base image",
    "region",
    "queue",
    "cache",
    "timeout",
    "retention",
    "id",
    "name",
    "email",
    "home directory",
];
/// Kinds of things that are named.
const KINDS: &[&str] = &[
    "team",
    "group",
    "project",
    "host",
    "server",
    "node",
    "cluster",
    "region",
    "city",
    "country",
    "department",
    "company",
    "port",
    "version",
    "branch",
    "queue",
    "topic",
    "table",
    "user",
    "repo",
    "repository",
    "service",
    "namespace",
    "package",
    "module",
    "machine",
    "room",
];
/// Verbs in the form in which a sentence about something has them, without what must follow.
const VERBS: &[&str] = &[
    "uses",
    "use",
    "using",
    "prefers",
    "prefer",
    "likes",
    "like",
    "loves",
    "love",
    "hates",
    "hate",
    "dislikes",
    "dislike",
    "avoids",
    "avoid",
    "lives",
    "live",
    "belongs",
    "belong",
    "depends",
    "depend",
    "requires",
    "require",
    "needs",
    "need",
    "contains",
    "contain",
    "includes",
    "include",
    "runs",
    "run",
    "listens",
    "listen",
    "points",
    "works",
    "work",
    "owns",
    "own",
    "supports",
    "support",
    "speaks",
    "knows",
    "deploys",
    "targets",
    "exposes",
    "stores",
    "serves",
    "resides",
    "reports",
    "maps",
    "talks",
    "connects",
    "imports",
    "exports",
    "provides",
    "calls",
    "allows",
    "forbids",
    "costs",
    "expires",
    "ends",
    "starts",
    "begins",
    "returns",
    "writes",
    "reads",
    "publishes",
    "has",
    "have",
    "employs",
    "studies",
    "plays",
    "teaches",
];
/// Who speaks, or who is spoken to.
const PERSONS: &[&str] = &["i", "we", "they", "you"];
/// Verbs that open an instruction to those whom the scope names.
const IMPERATIVES: &[&str] = &["use", "prefer", "avoid"];
/// Verbs that choose one thing for a purpose.
const CHOOSING: &[&str] = &["use", "uses", "using", "prefer", "prefers"];
/// Between what is said and what it is said in place of.
const CONTRASTS: &[&str] = &[", not ", " and not ", " instead of ", " rather than "];
/// What a scope names.
const PLACES: &[&str] = &["repository", "repo", "project", "codebase", "workspace"];
/// What is contrasted has so many words at most; with more it is a sentence of its own.
const MOST_CONTRAST: usize = 4;
const MOST_SUBJECT: usize = 6;
const MOST_OBJECT: usize = 10;

/// The parts of a sentence, where it has a plain form.
pub(crate) fn read(text: &str) -> Option<Reading> {
    let (text, mut retracts) = opened(text.trim());
    let (text, instead_of) = contrasted(bare(text));
    if text.contains(['?', '？', '\n', ';']) || text.contains(". ") {
        return None;
    }
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let has = |words: &[&str], word: &str| words.iter().any(|one| one.eq_ignore_ascii_case(word));
    if COMPOUND.iter().any(|word| has(&words, word)) {
        return None;
    }
    let negated = take_negation(&mut words, &mut retracts);
    words.retain(|word| !FILLERS.contains(&word.to_ascii_lowercase().as_str()));
    if is_instruction(&words) {
        words.insert(0, "We");
    }
    let (at, len) = predicate(&words)?;
    let subject = words.get(..at)?;
    let (verb, object) = (words.get(at..at + len)?, without_place(words.get(at + len..)?));
    let (object, purpose) = purpose(verb, object);
    if subject.is_empty() || subject.len() > MOST_SUBJECT || object.len() > MOST_OBJECT {
        return None;
    }
    let object = object.join(" ");
    let is_any = matches!(object.as_str(), "anything" | "any" | "something");
    if object.is_empty() || is_any && !retracts {
        return None;
    }
    let claim = Claim {
        subject: bare(&subject.join(" ")).to_string(),
        predicate: [verb, purpose].concat().join(" "),
        object: if is_any { String::new() } else { bare(&object).to_string() },
        instead_of: instead_of.to_string(),
        negated: negated && !retracts,
        ..Claim::default()
    };
    Some(Reading { claim, retracts })
}

/// What a sentence says, and what it says this is in place of: "bun, not npm".
fn contrasted(text: &str) -> (&str, &str) {
    let lower = text.to_ascii_lowercase();
    let prefers = lower.contains("prefer").then_some(" over ");
    let cut = CONTRASTS.iter().copied().chain(prefers).find_map(|one| Some((lower.find(one)?, one.len())));
    match cut.and_then(|(at, len)| text.get(..at).zip(text.get(at + len..))) {
        Some((head, tail)) if (1..=MOST_CONTRAST).contains(&tail.split_whitespace().count()) => {
            (bare(head), bare(tail))
        }
        _ => (text, ""),
    }
}

/// Whether it tells to use something: "Use Bun", and not "Use of Bun" or "Use cases are in docs".
fn is_instruction(words: &[&str]) -> bool {
    let is_in = |list: &[&str], word: &str| list.contains(&word.to_ascii_lowercase().as_str());
    let [first, second, ..] = words else { return false };
    is_in(IMPERATIVES, first)
        && !is_in(PREPOSITIONS, second)
        && !words.iter().any(|word| is_in(COPULAS, word))
}

/// A value without "in this repository": that is what the scope says.
fn without_place<'a>(object: &'a [&'a str]) -> &'a [&'a str] {
    match object {
        [head @ .., by, "this" | "the", place]
            if !head.is_empty() && matches!(*by, "in" | "for") && PLACES.contains(place) =>
        {
            head
        }
        [head @ .., "here"] if !head.is_empty() => head,
        _ => object,
    }
}

/// "use X for Y": what it is used for belongs to the predicate, so that one thing is used for it.
fn purpose<'a>(verb: &[&str], object: &'a [&'a str]) -> (&'a [&'a str], &'a [&'a str]) {
    let chooses = |verb: &&str| CHOOSING.iter().any(|one| one.eq_ignore_ascii_case(verb));
    let is_choice = verb.len() == 1 && verb.iter().any(chooses);
    let at = object.iter().position(|word| *word == "for").filter(|at| *at > 0 && at + 1 < object.len());
    at.filter(|_| is_choice).and_then(|at| object.split_at_checked(at)).unwrap_or((object, &[]))
}

/// The text without an opening, and whether that took it back. `As of …,` dates it alone.
fn opened(text: &str) -> (&str, bool) {
    let cut = |text: &'_ str, opening: &str| -> Option<usize> {
        text.get(..opening.len()).filter(|head| head.eq_ignore_ascii_case(opening)).map(str::len)
    };
    let rest = OPENINGS.iter().find_map(|one| text.get(cut(text, one)?..)).unwrap_or(text).trim_start();
    let rest = match cut(rest, "as of ").and(rest.split_once(", ")) {
        Some((dated, tail)) if dated.split_whitespace().count() <= 6 => tail,
        _ => rest,
    };
    match TAKEN_BACK.iter().find_map(|one| rest.get(cut(rest, one)?..)) {
        Some(tail) => (tail.trim_start(), true),
        None => (rest, false),
    }
}

/// Takes out the words that deny; "no longer" and "not any more" take back.
fn take_negation(words: &mut Vec<&str>, retracts: &mut bool) -> bool {
    let lower: Vec<String> =
        words.iter().map(|word| word.to_ascii_lowercase().replace('\u{2019}', "'")).collect();
    let mut keep = alloc::vec![true; words.len()];
    let mut denials = 0;
    let mut drop_at = |at: usize| {
        if let Some(one) = keep.get_mut(at) {
            *one = false;
        }
    };
    for (at, word) in lower.iter().enumerate() {
        let next = lower.get(at + 1).map_or("", String::as_str);
        match (word.as_str(), next) {
            ("no", "longer") => {
                *retracts = true;
                drop_at(at);
                drop_at(at + 1);
            }
            ("anymore", _) | ("any", "more" | "longer") => {
                *retracts = true;
                drop_at(at);
                if word == "any" {
                    drop_at(at + 1);
                }
            }
            ("does" | "do" | "did", "not") => drop_at(at),
            ("doesn't" | "don't" | "didn't" | "not" | "never", _) => {
                denials += 1;
                drop_at(at);
            }
            _ => {}
        }
    }
    let mut at = 0;
    words.retain(|_| {
        at += 1;
        keep.get(at - 1).copied().unwrap_or(true)
    });
    // "isn't" keeps its copula.
    for word in words.iter_mut() {
        let plain = match word.to_ascii_lowercase().replace('\u{2019}', "'").as_str() {
            "isn't" => "is",
            "aren't" => "are",
            _ => continue,
        };
        denials += 1;
        *word = plain;
    }
    denials % 2 == 1
}

/// Where the predicate stands, and how many words it has.
fn predicate(words: &[&str]) -> Option<(usize, usize)> {
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    for at in 1..lower.len() {
        let word = lower.get(at)?;
        if COPULAS.contains(word) {
            return copula(words, &lower, at);
        }
        let is_bare_verb = !word.ends_with('s') && *word != "have";
        let fits = !is_bare_verb || at == 1 || PERSONS.contains(lower.get(at - 1)?);
        if VERBS.contains(word) && fits {
            return Some((at, 1 + tail_of(&lower, at + 1)));
        }
    }
    named_value(words, &lower)
}

/// What belongs to a verb: a preposition, or what it is one of.
fn tail_of(lower: &[&str], at: usize) -> usize {
    let rest = lower.get(at..).unwrap_or_default();
    match rest {
        [word, tail @ ..] if !tail.is_empty() && PREPOSITIONS.contains(word) => 1 + kind_len(tail),
        _ => slot_len(rest),
    }
}

/// "belongs to team T": a word that says what kind of thing is named next belongs to the predicate.
fn kind_len(rest: &[&str]) -> usize {
    match rest {
        [kind, _] if KINDS.contains(kind) => 1,
        _ => 0,
    }
}

fn slot_len(rest: &[&str]) -> usize {
    let text = rest.join(" ");
    let slot = SLOTS.iter().find(|slot| text.strip_prefix(**slot).is_some_and(|tail| tail.starts_with(' ')));
    slot.map_or(0, |slot| slot.split(' ').count())
}

/// "is hosted on", "is in"; a copula alone where a number or a date follows.
fn copula(words: &[&str], lower: &[&str], at: usize) -> Option<(usize, usize)> {
    let rest = lower.get(at + 1..)?;
    match rest {
        [part, by, tail @ ..] if !tail.is_empty() && PREPOSITIONS.contains(by) && is_participle(part) => {
            Some((at, 3 + kind_len(tail)))
        }
        [by, tail @ ..] if !tail.is_empty() && PREPOSITIONS.contains(by) => Some((at, 2 + kind_len(tail))),
        _ => {
            let object = words.get(at + 1..)?.join(" ");
            let is_slot = lower
                .get(..at)?
                .iter()
                .any(|word| SLOTS.iter().any(|slot| slot.rsplit(' ').next() == Some(word)));
            let plain = |text: &str| text.split_whitespace().count() <= 2;
            (is_measure(&object) || is_slot && plain(&object)).then_some((at, 1))
        }
    }
}

fn is_participle(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed")
        || matches!(
            word,
            "led"
                | "built"
                | "run"
                | "kept"
                | "made"
                | "written"
                | "held"
                | "set"
                | "sent"
                | "owned"
                | "bound"
                | "paid"
                | "known"
                | "found"
                | "driven"
                | "located"
                | "stored"
        )
}

/// "NAME plain words NAME", the words between beginning with a verb: who knows no verb reads a form.
fn named_value(words: &[&str], lower: &[&str]) -> Option<(usize, usize)> {
    let is_name = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit() || c.is_uppercase() || matches!(c, '-' | '/' | '_'))
    };
    let (first, last) = (words.first()?, words.last()?);
    let between = lower.get(1..words.len() - 1)?;
    let fits = (1..=4).contains(&between.len())
        && between.iter().all(|word| word.chars().all(|c| c.is_ascii_lowercase()))
        && between.first().is_some_and(|verb| verb.len() > 3 && verb.ends_with('s') && !verb.ends_with("ss"));
    (fits && is_name(first) && is_name(last)).then_some((1, between.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(String, String, String)> {
        read(text).map(|one| (one.claim.subject, one.claim.predicate, one.claim.object))
    }

    #[test]
    fn plain_forms_are_read() {
        for (text, subject, predicate, object) in [
            ("api-2 is hosted on node-7.", "api-2", "is hosted on", "node-7"),
            ("Update: api-2 now is hosted on node-8.", "api-2", "is hosted on", "node-8"),
            ("As of entry 12, Ada lives in Bern.", "Ada", "lives in", "Bern"),
            ("repo-3 uses package manager pnpm.", "repo-3", "uses package manager", "pnpm"),
            ("api-2 has primary database Postgres.", "api-2", "has primary database", "Postgres"),
            ("We use squash merges", "We", "use", "squash merges"),
            ("The request timeout is 30 seconds.", "The request timeout", "is", "30 seconds"),
            ("The default branch is main", "The default branch", "is", "main"),
            ("api-2 belongs to team core-4", "api-2", "belongs to team", "core-4"),
            ("core-9 frobnicates unit X7", "core-9", "frobnicates unit", "X7"),
            ("Use Bun in this repository.", "We", "Use", "Bun"),
            ("Use cases are written in docs.", "Use cases", "are written in", "docs"),
            ("Always use npm for installs", "We", "use for installs", "npm"),
            ("Use npm for installs", "We", "Use for installs", "npm"),
            ("ada uses vim for notes", "ada", "uses for notes", "vim"),
        ] {
            assert_eq!(parts(text), Some((subject.into(), predicate.into(), object.into())), "{text}");
        }
    }

    #[test]
    fn other_forms_stay_statements() {
        for text in [
            "The build is slow.",
            "Use of tabs is a habit.",
            "If the tests fail, run make clean first.",
            "Is the API hosted on node-7?",
            "数据库使用 Postgres",
            "Die API läuft auf Port 80.",
            "",
            "uses",
        ] {
            assert_eq!(parts(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_said_in_place_of_another_is_read() {
        for (text, object, instead_of) in [
            ("We use bun, not npm.", "bun", "npm"),
            ("Use tabs instead of spaces", "tabs", "spaces"),
            ("I prefer tea over coffee", "tea", "coffee"),
            ("We use Postgres rather than MySQL", "Postgres", "MySQL"),
        ] {
            let claim = read(text).expect("a form").claim;
            assert_eq!((claim.object.as_str(), claim.instead_of.as_str()), (object, instead_of), "{text}");
            assert!(!claim.negated);
        }
        let one = read("Do not use npm").expect("a form").claim;
        assert!(one.negated && one.subject == "We" && one.object == "npm");
    }

    #[test]
    fn denials_and_what_no_longer_holds() {
        let one = read("We never use npm.").expect("a form");
        assert!(one.claim.negated && !one.retracts);
        let one = read("Ada does not use vim.").expect("a form");
        assert!(one.claim.negated && one.claim.predicate == "use" && one.claim.object == "vim");
        let one = read("It is no longer true that Ada lives in anything.").expect("a form");
        assert!(one.retracts && one.claim.object.is_empty() && !one.claim.negated);
        let one = read("api-2 is no longer hosted on node-7.").expect("a form");
        assert!(one.retracts && one.claim.predicate == "is hosted on");
    }
}

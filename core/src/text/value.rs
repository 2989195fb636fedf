//! Keys of the parts of a claim: decides when two subjects, predicates or values are the same.
//!
//! Numbers with their units, dates and versions compare as such: `60 s` is `1 min`, `v1.2` is `1.2`, 30 is never 31.
//! Never compares by nearness in meaning.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::normal::{fold, is_number};
use super::quantity::{number_word, unit};
use super::stem::stemmed;
use crate::env::Timestamp;

/// Words before a subject that name nothing.
const ARTICLES: &[&str] = &["the", "a", "an", "our", "this", "my"];
/// Words before a predicate that do not change what it says.
const AUXILIARIES: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "has",
    "have",
    "had",
    "does",
    "do",
    "did",
    "the",
    "a",
    "an",
    "its",
    "their",
    "now",
    "currently",
    "also",
];
/// Words that turn a predicate into its opposite.
const NEGATORS: &[&str] = &[
    "not",
    "never",
    "no",
    "cannot",
    "can't",
    "doesn't",
    "don't",
    "isn't",
    "aren't",
    "didn't",
    "wasn't",
    "won't",
    "shouldn't",
    "mustn't",
    "without",
];

/// What a subject is known by: its folded words, without an article.
pub fn subject_key(subject: &str) -> String {
    let mut words: Vec<String> = bare(subject).split_whitespace().map(fold).collect();
    while words.len() > 1 && words.first().is_some_and(|word| ARTICLES.contains(&word.as_str())) {
        words.remove(0);
    }
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["i" | "me" | "user"] => "user".into(),
        ["us" | "we" | "team"] => "we".into(),
        words => words.join(" "),
    }
}

/// What a predicate is known by, and whether it denies.
pub fn predicate_key(predicate: &str) -> (String, bool) {
    let plain = predicate.replace(['_', '\u{2019}'], " ").replace('-', " ");
    let whole = if predicate.contains('\u{2019}') { predicate.replace('\u{2019}', "'") } else { plain };
    let mut words: Vec<String> = whole.split_whitespace().map(|word| fold(bare(word))).collect();
    let all = words.len();
    words.retain(|word| !NEGATORS.contains(&word.as_str()));
    let denies = (all - words.len()) % 2 == 1;
    while words.len() > 1 && words.first().is_some_and(|word| AUXILIARIES.contains(&word.as_str())) {
        words.remove(0);
    }
    (words.into_iter().map(stemmed).collect::<Vec<_>>().join(" "), denies)
}

/// What a value is known by.
pub fn value_key(value: &str) -> String {
    let value = bare(value);
    if let Some(at) = date(value) {
        return at.to_string();
    }
    let words: Vec<&str> = value.split_whitespace().collect();
    let mut out: Vec<String> = Vec::new();
    let mut rest = words.as_slice();
    while let [word, tail @ ..] = rest {
        let (key, taken) = measure(word, tail.first().copied()).unwrap_or_else(|| (plain(word), 1));
        out.push(key);
        rest = rest.get(taken..).unwrap_or_default();
    }
    out.join(" ")
}

/// Whether a value is a number, a quantity, a version or a date and nothing else.
pub fn is_measure(value: &str) -> bool {
    let value = bare(value);
    let words: Vec<&str> = value.split_whitespace().collect();
    let is_one =
        |word: &str| word.trim_start_matches(['v', 'V', '-']).starts_with(|c: char| c.is_ascii_digit());
    date(value).is_some()
        || match words.as_slice() {
            [one] => is_one(one) || number_word(&fold(one)).is_some(),
            [one, two] => {
                (is_one(one) || number_word(&fold(one)).is_some())
                    && measure(one, Some(two)).is_some_and(|(_, n)| n == 2)
            }
            _ => false,
        }
}

/// A text without the quotes around it and the mark at its end.
pub(crate) fn bare(text: &str) -> &str {
    let text = text.trim().trim_end_matches(['.', ',', ';', '!', '。']);
    let quoted = [('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('«', '»')];
    let inner = quoted.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(text).trim()
}

/// A day or a moment. A number alone is none.
fn date(value: &str) -> Option<Timestamp> {
    value.contains('-').then(|| Timestamp::parse(value)).flatten()
}

fn plain(word: &str) -> String {
    // The case of a flag is another flag.
    if word.starts_with('-') { word.into() } else { fold(bare(word)) }
}

/// The quantity that `word` and perhaps the word after it write, and how many words it takes.
fn measure(word: &str, next: Option<&str>) -> Option<(String, usize)> {
    let folded = fold(bare(word));
    if let Some(number) = number_word(&folded) {
        return Some(with_next(number, next));
    }
    if is_number(&folded) {
        let number: String = folded.trim_start_matches('v').chars().filter(|&c| c != ',').collect();
        return Some(if folded.starts_with('v') { (number, 1) } else { with_next(&number, next) });
    }
    let end = folded.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
    let (number, rest) = folded.split_at_checked(end).filter(|(number, _)| !number.is_empty())?;
    let number: String = number.chars().filter(|&c| c != ',').collect();
    let name = unit(rest.trim_start_matches('-')).or((rest == "%").then_some("%"))?;
    Some((in_base(&number, name), 1))
}

fn with_next(number: &str, next: Option<&str>) -> (String, usize) {
    match next
        .map(|next| fold(bare(next)))
        .as_deref()
        .and_then(|next| unit(next).or((next == "%").then_some("%")))
    {
        Some(name) => (in_base(number, name), 2),
        None => (number.into(), 1),
    }
}

/// A number in the smallest unit of its kind, so that equal quantities are equal texts.
fn in_base(number: &str, name: &'static str) -> String {
    let (factor, base) = FACTORS.iter().find(|one| one.0 == name).map_or((1, name), |one| (one.1, one.2));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = [whole, part.trim_end_matches('0')].concat();
    let scale = u32::try_from(part.trim_end_matches('0').len()).ok().and_then(|n| 10u128.checked_pow(n));
    let exact = digits.parse::<u128>().ok().and_then(|n| n.checked_mul(factor)).zip(scale);
    match exact {
        Some((n, scale)) if n % scale == 0 => alloc::format!("{} {base}", n / scale),
        _ => alloc::format!("{number} {name}"),
    }
}

/// Unit, how many of the base unit it is, and that.
const FACTORS: &[(&str, u128, &str)] = &[
    ("us", 1_000, "ns"),
    ("ms", 1_000_000, "ns"),
    ("s", 1_000_000_000, "ns"),
    ("min", 60_000_000_000, "ns"),
    ("h", 3_600_000_000_000, "ns"),
    ("d", 86_400_000_000_000, "ns"),
    ("weeks", 604_800_000_000_000, "ns"),
    ("years", 12, "months"),
    ("b", 8, "bit"),
    ("kb", 8_000, "bit"),
    ("mb", 8_000_000, "bit"),
    ("gb", 8_000_000_000, "bit"),
    ("tb", 8_000_000_000_000, "bit"),
    ("kib", 8_192, "bit"),
    ("mib", 8_388_608, "bit"),
    ("gib", 8_589_934_592, "bit"),
    ("khz", 1_000, "hz"),
    ("mhz", 1_000_000, "hz"),
    ("ghz", 1_000_000_000, "hz"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_compare_as_what_they_are() {
        let same = [
            ("60 s", "1 min"),
            ("30s", "30 seconds"),
            ("1.5 h", "90 minutes"),
            ("v1.2.3", "1.2.3"),
            ("1,000", "1000"),
            ("three", "3"),
            ("1024 KiB", "1 MiB"),
            ("2026-05-01", "2026-05-01T00:00:00Z"),
            ("Bun", "bun."),
            ("`npm ci`", "npm ci"),
            ("80%", "80 %"),
            ("Caf\u{e9}", "cafe\u{301}"),
        ];
        for (a, b) in same {
            assert_eq!(value_key(a), value_key(b), "{a} / {b}");
        }
        let other = [
            ("30", "31"),
            ("30 s", "30 ms"),
            ("1.10", "1.1"),
            ("v2", "v3"),
            ("-f", "-F"),
            ("C++", "C#"),
            ("C", "C++"),
            ("2026-05-01", "2026-05-02"),
            ("1 MB", "1 MiB"),
            ("host-1", "host-11"),
            ("5", "-5"),
        ];
        for (a, b) in other {
            assert_ne!(value_key(a), value_key(b), "{a} / {b}");
        }
        assert!(is_measure("30 seconds") && is_measure("v1.2") && is_measure("2026-05-01"));
        assert!(!is_measure("host") && !is_measure("slow"));
    }

    #[test]
    fn subjects_and_predicates_are_folded() {
        assert_eq!(subject_key("The API"), subject_key("api"));
        assert_eq!(subject_key("I"), subject_key("the user"));
        assert_ne!(subject_key("repo-1"), subject_key("repo-11"));
        assert_eq!(predicate_key("is hosted on"), predicate_key("hosted_on"));
        assert_eq!(predicate_key("has primary database").0, predicate_key("primary database").0);
        assert_eq!(predicate_key("does not use"), ("use".into(), true));
        assert_eq!(predicate_key("uses"), ("use".into(), false));
        assert_eq!(predicate_key("is"), ("is".into(), false));
    }
}

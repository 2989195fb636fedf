//! The duplicate guard: decides whether two near texts may be one.
//!
//! "Timeout 30" and "timeout 31", "use X" and "never use X" are near in every vector space and must not be merged. It
//! only ever forbids: it never finds that two texts mean the same.

use alloc::string::String;
use alloc::vec::Vec;

use super::normal::{Chunk, chunks, each_gram, each_piece, fold, is_unspaced};
use super::polarity::{Axis, Mark, Role, hangul_negations, role, unspaced_marks, word_axes};
use super::quantity::quantity;
use super::stem::{is_stop_word, stemmed};
use crate::sort;

/// What two near texts are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Nothing speaks against a merge: same numbers, versions, flags, polarity and negation.
    Same,
    /// One says what the other denies.
    Contradiction,
    /// They speak of different numbers, names or cases. Both are kept.
    Different,
}

/// What a text commits itself to: its quantities, names, and what it affirms and denies.
///
/// Negation is read by clause in English, German, French, Spanish, Portuguese, Russian, Chinese, Japanese and Korean.
/// In other languages only numbers, versions, flags and names are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guard {
    /// Numbers with their units, versions, words with digits, and flags; sorted.
    quantities: Vec<String>,
    /// Identifiers, sorted.
    names: Vec<String>,
    /// Content words with whether their clause is negated, sorted.
    signed: Vec<(String, bool)>,
    /// How many clauses carry a negation of their own.
    negations: u32,
    /// Which end of pairs like enable and disable it names, sorted.
    axes: Vec<Axis>,
}

impl Guard {
    /// Reads the guard of a text.
    pub fn of(text: &str) -> Self {
        let mut reader = Reader::default();
        let mut end = 0;
        for chunk in chunks(text) {
            let gap = text.get(end..chunk.start).unwrap_or_default();
            end = chunk.start + chunk.text.len();
            reader.gap(gap);
            reader.chunk(chunk, gap, text.get(end..).unwrap_or_default());
        }
        reader.finish()
    }

    /// What this text and another near one are to each other. Symmetric; a text agrees with itself.
    pub fn agrees(&self, other: &Self) -> Agreement {
        if self.quantities != other.quantities || substituted(&self.names, &other.names) {
            return Agreement::Different;
        }
        let shared = self.compare_signs(other);
        let turned = shared.denied + shared.affirmed;
        let odd = (self.negations + other.negations) % 2 == 1;
        // With as many negations on both sides, only a swap ("use X, not Y") contradicts; else clauses were cut apart
        // in different places.
        let swapped = shared.denied > 0 && shared.affirmed > 0 && turned > shared.agree;
        let negated = turned > 0 && (odd || swapped);
        let opposed = self.is_opposed(other, false);
        let unequal = turned > 0 || self.negations != other.negations || self.is_opposed(other, true);
        match (negated, opposed) {
            (true, false) | (false, true) => Agreement::Contradiction,
            (true, true) => Agreement::Different,
            (false, false) if unequal => Agreement::Different,
            (false, false) => Agreement::Same,
        }
    }

    /// How the signs of the words that both texts have compare.
    fn compare_signs(&self, other: &Self) -> Signs {
        let has = |word: &str, sign| {
            other.signed.binary_search_by(|(w, s)| (w.as_str(), *s).cmp(&(word, sign))).is_ok()
        };
        let mut signs = Signs::default();
        for group in self.signed.chunk_by(|a, b| a.0 == b.0) {
            // A word that one text uses both ways says nothing.
            let [(word, sign)] = group else { continue };
            match (has(word, *sign), has(word, !sign)) {
                (true, false) => signs.agree += 1,
                (false, true) if *sign => signs.affirmed += 1,
                (false, true) => signs.denied += 1,
                _ => {}
            }
        }
        signs
    }

    /// Whether the texts name opposite ends of a pair. Of before and after (`order`), the two things may have been
    /// swapped as well, which is no contradiction.
    fn is_opposed(&self, other: &Self, order: bool) -> bool {
        let only = |axes: &[Axis], axis: Axis| axes.contains(&axis) && !axes.contains(&axis.opposite());
        self.axes
            .iter()
            .filter(|axis| axis.is_order() == order)
            .any(|&axis| only(&self.axes, axis) && only(&other.axes, axis.opposite()))
    }
}

/// Words that both texts affirm or both deny, and those that only the other one affirms or denies.
#[derive(Debug, Default)]
struct Signs {
    agree: usize,
    affirmed: usize,
    denied: usize,
}

/// Whether each of two sorted lists has a name that the other lacks.
fn substituted(a: &[String], b: &[String]) -> bool {
    let lacks = |list: &[String], name: &String| list.binary_search(name).is_err();
    a.iter().any(|name| lacks(b, name)) && b.iter().any(|name| lacks(a, name))
}

/// Marks after which a negation does not reach on, and those after which it may.
const FULL_MARKS: &str = "!?;:\n。！？；：—–…";
const HALF_MARKS: &str = ",、，()（）";

#[derive(Debug, Default)]
struct Reader {
    guard: Guard,
    clause: Clause,
    /// Whether the clause before, if only a comma or an "and" parts it from this one, was negated.
    inherited: bool,
    /// The word before, for phrases of two words.
    before: String,
}

#[derive(Debug, Default)]
struct Clause {
    words: Vec<String>,
    plain: u32,
    concord: u32,
    affirmed: bool,
}

impl Reader {
    fn gap(&mut self, gap: &str) {
        let mut marks = gap.chars().peekable();
        while let Some(c) = marks.next() {
            match c {
                '.' if marks.peek().is_some_and(|next| next.is_whitespace()) => self.split(true),
                _ if FULL_MARKS.contains(c) => self.split(true),
                _ if HALF_MARKS.contains(c) => self.split(false),
                _ => {}
            }
        }
    }

    fn chunk(&mut self, chunk: Chunk<'_>, gap: &str, tail: &str) {
        if let Some(flag) = flag(chunk.text, gap) {
            self.guard.quantities.push(flag);
        } else if let Some(quantity) = quantity(chunk.text, gap, tail) {
            self.guard.quantities.push(quantity);
        } else if chunk.unspaced {
            self.unspaced(&fold(chunk.text));
        } else {
            if is_identifier(chunk.text) {
                self.guard.names.push(fold(chunk.text));
            }
            each_piece(chunk.text, &mut |piece| self.word(&fold(piece)));
        }
    }

    fn word(&mut self, word: &str) {
        let word = match word.split_once('-') {
            Some(("no" | "non" | "nicht", rest)) => {
                self.clause.plain += 1;
                rest
            }
            _ => word,
        };
        match role(word, &self.before) {
            Role::Negator => self.clause.plain += 1,
            Role::Concord => self.clause.concord += 1,
            Role::Affirmer | Role::Imperative => self.clause.affirmed = true,
            Role::Split => self.split(true),
            Role::And => self.split(false),
            Role::Instead => {
                self.split(true);
                self.clause.plain += 1;
            }
            Role::Content => {}
        }
        self.clause.plain += hangul_negations(word);
        self.guard.axes.extend(word_axes(&stemmed(String::from(word))));
        if !is_stop_word(word) && matches!(role(word, ""), Role::Content | Role::Imperative) {
            self.clause.words.push(stemmed(String::from(word)));
        }
        self.before = String::from(word);
    }

    /// A run of a script without spaces: its marks are found inside it, the rest is content.
    fn unspaced(&mut self, run: &str) {
        unspaced_marks(run, &mut |mark| match mark {
            Mark::Negator => self.clause.plain += 1,
            Mark::Axis(axis) => self.guard.axes.push(axis),
            Mark::Number(digit) => self.guard.quantities.push(String::from(digit)),
            Mark::Content(rest) => each_gram(rest, &mut |gram| self.clause.words.push(String::from(gram))),
        });
    }

    /// Ends the clause. What follows a `full` end is not under its negation.
    fn split(&mut self, full: bool) {
        let clause = core::mem::take(&mut self.clause);
        let own = clause.plain + u32::from(clause.plain == 0 && clause.concord > 0);
        let negated = if own > 0 { own % 2 == 1 } else { self.inherited && !clause.affirmed };
        self.guard.negations += own % 2;
        self.inherited = negated && !full;
        self.guard.signed.extend(clause.words.into_iter().map(|word| (word, negated)));
    }

    fn finish(mut self) -> Guard {
        self.split(true);
        let mut guard = self.guard;
        sort(&mut guard.quantities);
        sort(&mut guard.names);
        sort(&mut guard.signed);
        sort(&mut guard.axes);
        guard
    }
}

fn sort<T: Ord>(list: &mut Vec<T>) {
    sort::sort(list);
    list.dedup();
}

/// `-f` and `--force`, with their case: another flag is another command.
fn flag(chunk: &str, gap: &str) -> Option<String> {
    let before = gap.trim_end_matches('-');
    let dashes = gap.get(before.len()..).filter(|dashes| matches!(dashes.len(), 1 | 2))?;
    let begins =
        before.chars().next_back().is_none_or(|c| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '('));
    let named = chunk.starts_with(char::is_alphabetic) && !chunk.starts_with(is_unspaced);
    (begins && named).then(|| [dashes, chunk].concat())
}

/// Names out of code: with an underscore or a dot inside, or in camel case.
fn is_identifier(chunk: &str) -> bool {
    let mut letters = chunk.chars().zip(chunk.chars().skip(1));
    chunk.contains(['_', '.']) || letters.any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use proptest::prelude::*;

    fn check(a: &str, b: &str, expected: Agreement) {
        let (left, right) = (Guard::of(a), Guard::of(b));
        assert_eq!(left.agrees(&right), expected, "{a} / {b}\n{left:#?}\n{right:#?}");
        assert_eq!(right.agrees(&left), expected, "{b} / {a}");
        assert_eq!(left.agrees(&left), Agreement::Same, "{a}");
    }

    #[test]
    fn numbers_versions_and_units() {
        for (a, b) in [
            ("timeout 30", "timeout 31"),
            ("wait 30 s", "wait 30 ms"),
            ("wait 30s", "wait 30 minutes"),
            ("Python 3.11 only", "Python 3.12 only"),
            ("pin v1.2.3", "pin v1.2.4"),
            ("hash with sha256", "hash with sha512"),
            ("retry three times", "retry four times"),
            ("set it to -1", "set it to 1"),
            ("when size > 5", "when size < 5"),
            ("limit 5%", "limit 5"),
            ("等待30秒", "等待30分钟"),
            ("重试三次", "重试五次"),
            ("limit 10 MB", "limit 10 GB"),
            ("git reset --hard", "git reset --soft"),
            ("run grep -r here", "run grep -R here"),
            ("git push --force", "git push"),
            ("commit with --no-verify", "commit with --verify"),
            ("Take payment_id from get_user_details", "Take order_id from get_user_details"),
            ("never use 3 retries", "use 4 retries"),
        ] {
            check(a, b, Agreement::Different);
        }
        for (a, b) in [
            ("timeout of 30 seconds", "the timeout is 30s"),
            ("wait 1,000 ms", "wait 1000 milliseconds"),
            ("needs version 1.2.3", "needs v1.2.3"),
            ("a 30-second timeout", "a timeout of 30 s"),
            ("retry 3 times", "retry three times"),
            ("limit ５ MB", "limit 5 mb"),
            ("5 percent", "5 %"),
            ("use write_file", "use write_file for files"),
        ] {
            check(a, b, Agreement::Same);
        }
    }

    #[test]
    fn negation_in_many_languages() {
        for (a, b) in [
            ("use X", "never use X"),
            ("Use the cache", "Do not use the cache"),
            ("Use the cache", "Don’t use the cache"),
            ("The tool is supported here", "The tool is no longer supported here"),
            ("You must restart the server", "You must not restart the server"),
            ("run the build with cache", "run the build without cache"),
            ("Use tabs, not spaces", "Use spaces, not tabs"),
            ("Use pip instead of poetry", "Use poetry instead of pip"),
            ("Use npm rather than yarn here", "Use yarn rather than npm here"),
            ("Stop using the old endpoint", "Use the old endpoint"),
            ("Avoid global state", "Global state"),
            (
                "Open the file first, then write the header",
                "Open the file first, then do not write the header",
            ),
            ("Enable the cache", "Disable the cache"),
            ("set the flag to true", "set the flag to false"),
            ("at least one reviewer", "at most one reviewer"),
            ("Verwende den Cache", "Verwende den Cache nicht"),
            ("Verwende globale Variablen", "Verwende keine globalen Variablen"),
            ("Committe ohne Tests", "Committe mit Tests"),
            ("Utilise le cache", "N'utilise pas le cache"),
            ("Utilise le cache", "N’utilise jamais le cache"),
            ("Usa la caché", "No uses la caché"),
            ("usa la cache", "no usa nunca la cache"),
            ("Use o cache", "Não use o cache"),
            ("Используй кэш", "Никогда не используй кэш"),
            ("使用缓存", "不要使用缓存"),
            ("运行测试", "禁止运行测试"),
            ("启用缓存", "禁用缓存"),
            ("キャッシュを使う", "キャッシュを使わない"),
            ("キャッシュを使ってください", "キャッシュを使わないでください"),
            ("캐시를 사용하세요", "캐시를 사용하지 마세요"),
        ] {
            check(a, b, Agreement::Contradiction);
        }
    }

    #[test]
    fn other_wordings_agree() {
        for (a, b) in [
            ("Never use the cache", "Don't use the cache"),
            ("Never use the cache", "Avoid the cache"),
            ("Do not use X; do not use Y", "never use X, never use Y"),
            ("Never use X. Always quote paths", "Always quote paths, never use X"),
            ("Don't forget to run the tests", "Run the tests"),
            ("Never commit without tests", "Commit with tests"),
            ("Avoid the cache because it breaks", "Never use the cache: it breaks"),
            ("Use X, not Y", "Don't use Y, use X"),
            ("Use X instead of Y", "Use X, not Y"),
            ("No uses nunca la caché", "No uses la caché"),
            ("N'utilise pas le cache", "Évitez le cache"),
            ("Никогда не используй кэш", "Не используй кэш"),
            ("必须不能不运行测试", "必须运行测试"),
            ("不同的端口", "不同端口"),
            ("テストを実行しなければならない", "テストを実行する"),
            ("まず必ずテストを実行する", "テストを実行する"),
            ("Create the parent directory first", "Create parent directories first"),
            ("", ""),
        ] {
            check(a, b, Agreement::Same);
        }
    }

    #[test]
    fn what_is_unclear_stays_apart() {
        for (a, b) in [
            ("Do not use X; do not use Y", "Do not use X"),
            ("Run migrations before tests", "Run migrations after tests"),
            ("Use X. No restart needed", "Use X"),
            (
                "Create the parent directory before write_file: it does not create it when the path is new",
                "Create parent directories first, write_file does not create them for a new path",
            ),
            ("Disable the cache", "Do not enable the cache"),
        ] {
            check(a, b, Agreement::Different);
        }
    }

    proptest! {
        #[test]
        fn any_text_agrees_with_itself(a in "\\PC{0,60}", b in "[a-z0-9 ,.%-]{0,40}") {
            let (a, b) = (Guard::of(&a), Guard::of(&b));
            prop_assert_eq!(a.agrees(&a), Agreement::Same);
            prop_assert_eq!(b.agrees(&b), Agreement::Same);
            prop_assert_eq!(a.agrees(&b), b.agrees(&a));
        }

        #[test]
        fn a_changed_number_and_an_added_not_are_seen(
            words in prop::collection::vec("[bcfghklm][aeou][bcfghklm]{2}", 2..8),
            number in 2u32..9000,
            at in 0usize..8,
        ) {
            let mut text = words.clone();
            text.insert(at.min(words.len()), number.to_string());
            let mut other = words.clone();
            other.insert(at.min(words.len()), (number + 1).to_string());
            let (a, b) = (text.join(" "), other.join(" "));
            prop_assert_eq!(Guard::of(&a).agrees(&Guard::of(&b)), Agreement::Different);
            text.insert(at.min(words.len()), "not".into());
            prop_assert_eq!(Guard::of(&a).agrees(&Guard::of(&text.join(" "))), Agreement::Contradiction);
        }
    }
}

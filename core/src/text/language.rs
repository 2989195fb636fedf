//! Which language a line is in, as far as a line can tell.
//!
//! Decides by scripts, and for Latin script by function words of eight languages, whether an answer has left the
//! language of what it answers. Never guesses where nothing tells: then it has not.

use crate::sort;
use alloc::string::String;
use alloc::vec::Vec;

/// How many function words it takes to name a language.
const TELLING: usize = 2;

/// The languages told apart by function words. A word that two of them share tells of both.
const FUNCTION_WORDS: [(&str, &[&str]); 8] = [
    (
        "en",
        &[
            "the", "and", "is", "it", "of", "to", "before", "with", "not", "that", "when", "for", "this",
            "are",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "das", "und", "ist", "nicht", "mit", "vor", "ein", "eine", "wenn", "dem", "den",
            "zu",
        ],
    ),
    (
        "fr",
        &["le", "la", "les", "et", "est", "avant", "une", "des", "du", "pas", "avec", "dans", "pour", "il"],
    ),
    ("es", &["el", "la", "los", "y", "es", "antes", "una", "del", "no", "con", "que", "para", "por", "las"]),
    ("pt", &["o", "os", "e", "antes", "uma", "do", "da", "não", "com", "que", "para", "um", "em", "é"]),
    ("it", &["il", "lo", "gli", "e", "prima", "una", "della", "non", "con", "che", "per", "di", "un", "è"]),
    ("nl", &["de", "het", "een", "en", "is", "niet", "met", "voor", "van", "dat", "wordt", "je", "op", "te"]),
    ("pl", &["i", "jest", "nie", "przed", "z", "że", "na", "do", "się", "w", "to", "jeśli", "od", "lub"]),
];

/// Whether `answer` is in a language that no part of `input` is in: another script, or in Latin script function words
/// of a language of which `input` has none.
pub(crate) fn leaves_language(answer: &str, input: &str) -> bool {
    let known = scripts(input);
    let foreign = scripts(answer).into_iter().any(|script| !known.contains(&script));
    foreign || language(answer).is_some_and(|named| !is_in(named, input))
}

/// The language in Latin script that a text's function words name; `None` where they name none or two alike.
pub(crate) fn language(text: &str) -> Option<&'static str> {
    let words = words(text);
    let mut counts: Vec<(usize, &'static str)> =
        FUNCTION_WORDS.iter().map(|(name, list)| (count(&words, list), *name)).collect();
    sort::sort_by(&mut counts, |a, b| b.cmp(a));
    match counts.as_slice() {
        [(most, name), (next, _), ..] if *most >= TELLING && most > next => Some(name),
        _ => None,
    }
}

/// Whether a text has words of that language. Where it has no function words at all, any language may be its own.
fn is_in(named: &str, text: &str) -> bool {
    let words = words(text);
    let has = |list: &[&str]| count(&words, list) > 0;
    let own = FUNCTION_WORDS.iter().find(|(name, _)| *name == named);
    own.is_none_or(|(_, list)| has(list)) || !FUNCTION_WORDS.iter().any(|(_, list)| has(list))
}

fn count(words: &[String], list: &[&str]) -> usize {
    words.iter().filter(|word| list.contains(&word.as_str())).count()
}

/// The words of a text outside of code.
fn words(text: &str) -> Vec<String> {
    let prose = text.split('`').step_by(2);
    let split = prose.flat_map(|part| part.split(|c: char| !c.is_alphabetic()));
    split.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The scripts of the letters of a text, outside of code.
fn scripts(text: &str) -> Vec<&'static str> {
    let mut out = Vec::new();
    for c in text.split('`').step_by(2).flat_map(str::chars).filter(|c| c.is_alphabetic()) {
        let script = script(c);
        if !out.contains(&script) {
            out.push(script);
        }
    }
    out
}

/// The script of a letter, by its block; those that no block here names are one.
fn script(c: char) -> &'static str {
    match u32::from(c) {
        0..=0x024F | 0x1E00..=0x1EFF | 0xFF21..=0xFF5A => "latin",
        0x0370..=0x03FF | 0x1F00..=0x1FFF => "greek",
        0x0400..=0x052F => "cyrillic",
        0x0590..=0x05FF => "hebrew",
        0x0600..=0x06FF | 0x0750..=0x077F | 0x08A0..=0x08FF => "arabic",
        0x0900..=0x097F => "devanagari",
        0x0E00..=0x0E7F => "thai",
        0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF => "hangul",
        0x3040..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => "kana",
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF => "han",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_the_language_of_its_input_stays() {
        for (answer, input) in [
            (
                "Create the directory before `write_file`.",
                "`write_file` can fail with: the parent is missing",
            ),
            ("Lege das Verzeichnis vor `write_file` an.", "`write_file`: das Verzeichnis ist nicht da"),
            ("先にディレクトリを作成する", "`write_file` fails with: ディレクトリが存在しません 先 作成"),
            ("Создайте каталог", "`write_file` can fail with: каталог не найден"),
            ("Check `qty`", "ENOENT"),
            ("Create the folder and the file first", "`x`: ENOENT"),
            ("", ""),
        ] {
            assert!(!leaves_language(answer, input), "{answer}");
        }
    }

    #[test]
    fn an_answer_in_another_language_or_script_is_seen() {
        let input = "Create the parent directory before `write_file`: it does not create it";
        for answer in [
            "Lege das Verzeichnis an, wenn die Datei nicht da ist.",
            "Crée le dossier et les fichiers avant `write_file`.",
            "Crea una carpeta con el nombre antes de `write_file` para los archivos.",
            "在写文件之前先创建目录",
            "Создайте каталог перед записью",
            "ディレクトリを先に作る",
        ] {
            assert!(leaves_language(answer, input), "{answer}");
        }
    }

    #[test]
    fn code_is_no_language() {
        assert!(!leaves_language("Run `le la les et`", "Run it before the call"));
        assert_eq!(language("der die das und"), Some("de"));
        assert_eq!(language("la"), None);
    }
}

//! One spelling for many: what the rules compare.
//!
//! Decides which letters count as the same: compatibility forms, case, accents on Latin letters, and look-alikes from
//! other alphabets inside Latin words. Never changes a word that is wholly of another alphabet.

use alloc::string::String;

use unicode_normalization::UnicodeNormalization;

use super::hidden;

/// `text` in one spelling, lower-case, without hidden characters.
pub(super) fn folded(text: &str) -> String {
    let plain: String = text
        .nfkd()
        .filter(|&c| {
            !hidden::is_hidden(c)
                && !matches!(c, '\u{200c}' | '\u{200d}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        })
        .flat_map(char::to_lowercase)
        .collect();
    let mut out = String::with_capacity(plain.len());
    for word in plain.split_inclusive(|c: char| !c.is_alphanumeric() && !is_accent(c)) {
        fold_word(word, &mut out);
    }
    out.nfc().collect()
}

fn fold_word(word: &str, out: &mut String) {
    let latin = word.contains(|c: char| c.is_ascii_alphabetic());
    let mut before = '\0';
    for c in word.chars() {
        if is_accent(c) && before.is_ascii_alphabetic() {
            continue;
        }
        before = if latin { latin_twin(c) } else { c };
        out.push(before);
    }
}

const fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// The Latin letter that looks like the Cyrillic or Greek `c`.
const fn latin_twin(c: char) -> char {
    match c {
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' => 'e',
        'һ' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' | 'μ' => 'm',
        'о' | 'ο' | 'σ' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        _ => c,
    }
}

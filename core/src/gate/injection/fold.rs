//! One spelling for many: what the rules compare.
//!
//! Decides which letters count as the same: compatibility forms, case, accents on Latin letters, and look-alikes from
//! other alphabets inside Latin words. Never changes a word that is wholly of another alphabet.

use alloc::string::String;

use unicode_normalization::UnicodeNormalization;

use super::hidden;

/// `text` in one spelling, lower-case, without hidden characters.
pub(super) fn folded(text: &str) -> String {
    // Plain letters have one spelling but for their case: most texts need no tables.
    if text.is_ascii() && !text.contains(hidden::is_hidden) {
        return text.to_ascii_lowercase();
    }
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
    // Small capitals belong to no alphabet's words: they are Latin in disguise.
    let latin = word.contains(|c: char| c.is_ascii_alphabetic() || is_small_capital(c));
    let mut before = '\0';
    for c in word.chars() {
        if is_accent(c) && before.is_ascii_alphabetic() {
            continue;
        }
        before = if latin { latin_twin(c) } else { c };
        out.push(before);
    }
}

const fn is_small_capital(c: char) -> bool {
    matches!(
        c,
        '\u{1d00}'
            ..='\u{1d22}'
                | '\u{262}'
                | '\u{26a}'
                | '\u{274}'
                | '\u{280}'
                | '\u{28f}'
                | '\u{29c}'
                | '\u{29f}'
                | '\u{a730}'
                | '\u{a731}'
    )
}

const fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// The Latin letter that looks like `c`, of another alphabet or a small capital.
const fn latin_twin(c: char) -> char {
    match c {
        'а' | 'α' | 'ᴀ' | 'ɑ' => 'a',
        'в' | 'β' | 'ʙ' => 'b',
        'с' | 'ϲ' | 'ᴄ' => 'c',
        'ԁ' | 'ᴅ' => 'd',
        'е' | 'ε' | 'ᴇ' | 'ҽ' | '℮' => 'e',
        'ғ' | 'ꜰ' => 'f',
        'ɢ' | 'ց' | 'ɡ' => 'g',
        'һ' | 'ʜ' => 'h',
        'і' | 'ι' | 'ı' | 'ɪ' | 'ɩ' => 'i',
        'ј' | 'ᴊ' => 'j',
        'к' | 'κ' | 'ᴋ' => 'k',
        'ӏ' | 'ʟ' | 'ⅼ' => 'l',
        'м' | 'μ' | 'ᴍ' => 'm',
        'ɴ' | 'п' | 'ո' => 'n',
        'о' | 'ο' | 'σ' | 'ᴏ' | 'օ' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ǫ' | 'ԛ' => 'q',
        'ʀ' | 'г' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' | 'ᴛ' => 't',
        'υ' | 'ᴜ' | 'ս' => 'u',
        'ν' | 'ѵ' | 'ᴠ' => 'v',
        'ԝ' | 'ω' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ʏ' => 'y',
        'ᴢ' => 'z',
        _ => c,
    }
}

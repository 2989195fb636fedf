//! Cuts a text into the words that the embedding table knows: lower case, without accents.
//!
//! Decides what a word is: white space ends it, a punctuation mark is one, a run of CJK ideographs is one, and
//! anything else runs on. Never looks at the table.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// What a folded character does to the word before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Ends a word and belongs to none.
    Space,
    /// Is a word alone.
    Mark,
    /// Runs on with other ideographs; such a run is cut without regard to its start.
    Ideograph,
    /// Runs on with its like.
    Letter,
}

impl Kind {
    /// The kind of a folded character.
    pub(super) fn of(c: char) -> Self {
        match c {
            'a'..='z' | '0'..='9' => Self::Letter,
            c if c.is_whitespace() => Self::Space,
            c if is_punctuation(c) => Self::Mark,
            c if is_ideograph(c) => Self::Ideograph,
            _ => Self::Letter,
        }
    }
}

/// Hands on `c` in lower case and decomposed, without marks, controls and invisible characters.
pub(super) fn fold(c: char, mut emit: impl FnMut(char)) {
    if c.is_ascii() {
        if !c.is_ascii_control() || c.is_ascii_whitespace() {
            emit(c.to_ascii_lowercase());
        }
        return;
    }
    for lower in c.to_lowercase() {
        decompose_canonical(lower, |part| {
            if !is_combining_mark(part) && !is_invisible(part) {
                emit(part);
            }
        });
    }
}

/// Controls that are not white space, and format characters such as joiners and direction marks.
fn is_invisible(c: char) -> bool {
    let format = matches!(c, '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}');
    format || (c.is_control() && !c.is_whitespace())
}

/// Punctuation of the scripts the table covers: ASCII with its symbols, Latin, general, CJK and full width.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '\u{37e}' | '\u{387}')
        || matches!(c, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}' | '\u{2053}'..='\u{205e}')
        || matches!(
            c,
            '\u{207d}' | '\u{207e}' | '\u{208d}' | '\u{208e}' | '\u{2308}'
                ..='\u{230b}' | '\u{2329}' | '\u{232a}'
        )
        || matches!(c, '\u{2768}'..='\u{2775}' | '\u{27e6}'..='\u{27ef}' | '\u{2983}'..='\u{2998}' | '\u{2e00}'..='\u{2e4f}')
        || matches!(c, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{3030}' | '\u{303d}' | '\u{30fb}')
        || matches!(c, '\u{fe10}'..='\u{fe19}' | '\u{fe30}'..='\u{fe52}' | '\u{fe54}'..='\u{fe61}' | '\u{fe63}' | '\u{fe68}' | '\u{fe6a}' | '\u{fe6b}')
        || matches!(c, '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}' | '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}')
        || matches!(c, '\u{ff3b}'..='\u{ff3d}' | '\u{ff3f}' | '\u{ff5b}' | '\u{ff5d}' | '\u{ff5f}'..='\u{ff65}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        text.chars().for_each(|c| fold(c, |part| out.push(part)));
        out
    }

    #[test]
    fn accents_case_and_invisible_characters_are_folded_away() {
        assert_eq!(folded("Ünïcode ÅNGSTRÖM Ệ İ\u{200d}\u{7}"), "unicode angstrom e i");
        assert_eq!(folded("e\u{301}"), folded("é"));
        assert_eq!(folded("\u{f900}"), "\u{8c48}");
    }

    #[test]
    fn kinds_follow_the_script() {
        assert_eq!(
            [' ', '.', '。', '世', 'a', 'я'].map(Kind::of),
            [Kind::Space, Kind::Mark, Kind::Mark, Kind::Ideograph, Kind::Letter, Kind::Letter]
        );
    }
}

//! Characters that a person does not see: of no width, tags, controls, and marks that turn the order.
//!
//! Decides by the character and its neighbour. Joiners in emoji and in scripts that need them pass.

use super::{BIDI, INVISIBLE_CHARACTERS};

/// The reason code of the first hidden character of `text`.
pub(super) fn suspect(text: &str) -> Option<&'static str> {
    let mut before = '\0';
    let mut flag = false;
    for (at, c) in text.char_indices() {
        flag = c == '\u{1f3f4}' || flag && is_tag(c);
        let bad = match c {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => return Some(BIDI),
            '\u{200e}' | '\u{200f}' | '\u{61c}' if !is_right_to_left(text) => return Some(BIDI),
            '\u{feff}' => at > 0,
            '\u{200b}' => !breaks_unseen(before),
            '\u{200c}' => !needs_joiner(before),
            '\u{200d}' => !needs_joiner(before) && !is_pictorial(before),
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
                is_selector(before) || !before.is_ascii_graphic() && before <= ' '
            }
            _ if is_tag(c) => !flag,
            _ => is_hidden(c),
        };
        if bad {
            return Some(INVISIBLE_CHARACTERS);
        }
        before = c;
    }
    None
}

/// Whether `c` has no width or shape of its own, whatever stands around it.
pub(super) fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{ffa0}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{fff9}'..='\u{fffb}'
    ) || (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

const fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Scripts whose spelling uses joiners: Arabic and its kin, the scripts of India, Burmese, Khmer.
const fn needs_joiner(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Scripts without blanks, whose words may part at a place of no width: Thai, Lao, Burmese, Khmer.
const fn breaks_unseen(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Whether `text` has letters that run from right to left, so that marks of direction have work to do.
fn is_right_to_left(text: &str) -> bool {
    text.contains(|c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'))
}

/// Emoji, their skin tones and their variation selector.
const fn is_pictorial(c: char) -> bool {
    matches!(c, '\u{fe0f}' | '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

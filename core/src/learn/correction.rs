//! Corrections: whether a message rejects what was just reported, and what it asks for instead.
//!
//! Decides by phrases of English, German, French, Spanish and Chinese; other languages are not recognised, so a
//! correction in one of them is missed and never misread. Shared by whatever learns from what people say.

use super::template::clip_str;

/// A message that corrects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Correction<'t> {
    /// The sentence that says how to do it, without the words that reject. `None` where the message only rejects.
    pub instruction: Option<&'t str>,
}

/// How far into a message a rejection may stand, in bytes: who corrects says so first.
const OPENING: usize = 240;
/// How much of a message is searched for the instruction, in bytes.
const SEARCHED: usize = 2000;
/// The longest instruction.
const LONGEST: usize = 200;

/// Words with which a message rejects, at its very start.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "no,", "no.", "no!", "no -", "no —", "nope", "wrong", "incorrect", "not like that", "not quite", "actually,",
    "actually ", "hmm, no", "stop,", "stop.", "please undo", "undo ", "revert ",
    "nein,", "nein.", "nein!", "falsch", "nicht so", "doch nicht", "moment,", "halt,",
    "non,", "non.", "non !", "faux", "pas comme ça", "en fait,", "en fait ",
    "no;", "¡no", "incorrecto", "así no", "eso no",
    "不对", "不是", "错了", "不行", "不要", "别",
];

/// Phrases that reject, near the start.
#[rustfmt::skip]
const REJECTIONS: &[&str] = &[
    "that's not what", "that is not what", "not what i asked", "not what i meant", "not what i wanted",
    "that's wrong", "that is wrong", "this is wrong", "that's incorrect", "you forgot", "you should have",
    "you shouldn't have", "you should not have", "i told you", "i said ", "i meant ", "i asked you", "don't do that",
    "why did you", "undo that", "revert that", "please revert", "that was not", "that didn't", "that does not work",
    "das ist falsch", "das stimmt nicht", "das war nicht", "nicht das, was", "nicht was ich", "ich meinte",
    "ich habe gesagt", "ich hatte gesagt", "du solltest", "du hättest", "mach das rückgängig", "warum hast du",
    "c'est faux", "ce n'est pas ce que", "pas ce que j'ai", "tu aurais dû", "vous auriez dû", "j'ai dit",
    "je voulais dire", "annule", "pourquoi as-tu",
    "eso no es", "está mal", "no es lo que", "te dije", "deberías haber", "debías", "quise decir", "deshaz",
    "por qué has",
    "我说的是", "我的意思是", "我要的是", "应该是", "撤销", "改回", "你忘了", "不是这样",
];

/// Words with which a sentence tells how to do something.
#[rustfmt::skip]
const INSTRUCTIONS: &[&str] = &[
    "use ", "please use", "don't ", "do not ", "never ", "always ", "prefer ", "keep ", "put ", "write ", "run ",
    "call ", "add ", "remove ", "leave ", "make ", "you should", "you must", "it should", "it must", "stick to",
    "go through", "only ", "just use", "instead ",
    "nimm ", "benutz", "verwend", "nutz", "bitte ", "immer ", "nie ", "niemals ", "lass ", "schreib", "du sollst",
    "du solltest", "statt ", "mach ",
    "utilise", "emploie", "n'utilise", "ne ", "toujours ", "jamais ", "il faut", "tu dois", "vous devez", "mets ",
    "laisse ", "au lieu",
    "usa ", "utiliza", "no uses", "siempre ", "nunca ", "debes ", "hay que", "pon ", "deja ",
    "en lugar", "en vez",
    "用", "请用", "不要", "别", "应该", "必须", "总是", "只", "改用", "使用",
];

/// Reads a message that a person wrote right after an answer. `None` where it corrects nothing. A message after a
/// question of the agent is an answer and not for this function.
///
/// ```
/// use hardwon_core::learn::correction;
/// let read = correction("No, use pnpm here instead of npm. Thanks").expect("a correction");
/// assert_eq!(read.instruction, Some("use pnpm here instead of npm"));
/// assert!(correction("Great, now add a changelog").is_none());
/// ```
pub fn correction(text: &str) -> Option<Correction<'_>> {
    let text = text.trim();
    let opening = clip_str(text, OPENING).to_lowercase();
    let opener = OPENERS.iter().any(|opener| opening.starts_with(opener));
    if !opener && !REJECTIONS.iter().any(|phrase| opening.contains(phrase)) {
        return None;
    }
    let instruction = instruction(text);
    // "No, thanks" and "actually great" reject nothing.
    let is_thanks = ["thank", "great", "perfect", "danke", "merci", "gracias", "谢谢"]
        .iter()
        .any(|word| opening.contains(word));
    if is_thanks && instruction.is_none() {
        return None;
    }
    Some(Correction { instruction })
}

/// The first sentence of a text that tells how to do something.
pub(crate) fn instruction(text: &str) -> Option<&str> {
    sentences(clip_str(text.trim(), SEARCHED)).find_map(instructing)
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '!', '?', '\n', '。', '！', '？', ';', '，', ','])
        .scan((0, 0), |state, piece| {
            let (start, end) = (state.1, state.1 + piece.len());
            *state = (start, end);
            Some((start, end))
        })
        .map(move |(start, end)| {
            // A piece ends at its mark, unless the mark stands inside of a word: `config.toml`.
            let rest = &text[start..];
            &rest[..sentence_length(rest).max(end - start)]
        })
}

/// The length of a sentence: to its closing mark before a blank, or the end of the line.
fn sentence_length(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next();
        let closes = matches!(c, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        if closes || matches!(c, '\n' | '。' | '！' | '？' | ';') {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// The sentence itself when it tells how to do something and asks nothing.
fn instructing(sentence: &str) -> Option<&str> {
    let asks = sentence.contains(['?', '？']);
    let bare = sentence.trim().trim_matches(['.', '!', ',', ';', '。', '！', '，', ' ', '-', '—']);
    let lower = bare.to_lowercase();
    let tells = INSTRUCTIONS.iter().any(|start| lower.starts_with(start));
    let words = bare.split(' ').count();
    let long_enough = words >= 3 || bare.chars().filter(|c| *c as u32 > 0x2e80).count() >= 4;
    (tells && !asks && long_enough && bare.len() <= LONGEST).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_in_five_languages_give_their_instruction() {
        for (text, wanted) in [
            ("No, use tabs in config.toml, not spaces.", "use tabs in config.toml, not spaces"),
            (
                "That's not what I asked. Always run the linter before you commit.",
                "Always run the linter before you commit",
            ),
            (
                "Nein, nimm die Funktion aus utils statt einer neuen.",
                "nimm die Funktion aus utils statt einer neuen",
            ),
            ("C'est faux. Utilise la table existante.", "Utilise la table existante"),
            ("No, usa la función que ya existe.", "usa la función que ya existe"),
            ("不对，应该用现有的函数。", "应该用现有的函数"),
        ] {
            assert_eq!(correction(text).and_then(|read| read.instruction), Some(wanted), "{text}");
        }
    }

    #[test]
    fn praise_new_tasks_and_answers_correct_nothing() {
        for text in [
            "Great, now add a changelog",
            "Please use the new layout for the next page",
            "No, thanks",
            "Perfekt, danke!",
            "Merci",
            "好的，谢谢",
            "The number is 7447",
            "",
        ] {
            assert!(correction(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_rejection_without_instruction_says_so() {
        assert_eq!(correction("That's wrong."), Some(Correction { instruction: None }));
    }
}

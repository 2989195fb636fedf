//! Polarity words: decides which words deny, affirm, part clauses, or name one end of a pair of opposites.
//!
//! Small tables for the languages that the guard reads; a word that is not in them is content. Never weighs words and
//! never looks at more than one word and the one before it.

/// What a word does to its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Turns the clause into its opposite; two cancel out.
    Negator,
    /// Denies, but only once together with others of its kind or a negator: `no lo uses nunca`, `никогда не`.
    Concord,
    /// Begins something affirmed after a comma: `not X, always Y`.
    Affirmer,
    /// The same by a verb, which is content as well.
    Imperative,
    /// Begins a clause that the negation before it does not reach.
    Split,
    /// Goes on with the clause before it.
    And,
    /// Begins a clause and denies it: `instead of X`.
    Instead,
    /// Anything else.
    Content,
}

/// One end of a pair of opposites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Axis {
    pair: u8,
    second: bool,
}

impl Axis {
    pub(super) fn opposite(self) -> Self {
        Self { second: !self.second, ..self }
    }

    /// Whether it orders two things in time.
    pub(super) fn is_order(self) -> bool {
        self.pair < ORDER_PAIRS
    }
}

/// Something found in a run of a script without spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark<'a> {
    /// As [`Role::Negator`].
    Negator,
    /// One end of a pair of opposites.
    Axis(Axis),
    /// A Han digit, as an ASCII one.
    Number(char),
    /// What lies between the marks.
    Content(&'a str),
}

/// The role of a folded word after the word `before`.
pub(super) fn role(word: &str, before: &str) -> Role {
    match (before, word) {
        ("instead", "of") | ("rather", "than") | ("vez" | "lugar", "de") => Role::Instead,
        // The second half takes the denial of "not" back.
        ("not", "only" | "just") | ("stop", "using" | "doing" | "calling" | "running" | "relying") => {
            Role::Negator
        }
        _ => ROLES.iter().find(|(_, words)| words.contains(&word)).map_or(Role::Content, |&(role, _)| role),
    }
}

/// The ends of pairs that a stemmed word names.
pub(super) fn word_axes(stem: &str) -> impl Iterator<Item = Axis> {
    OPPOSITES.iter().zip(0..).filter_map(move |(&(a, b), pair)| axis(pair, stem == a, stem == b))
}

/// How many negations a Hangul word holds.
pub(super) fn hangul_negations(word: &str) -> u32 {
    let whole = matches!(word, "안" | "못" | "마" | "말고");
    let inside = HANGUL_NEGATORS.iter().any(|part| word.contains(part));
    u32::from((whole || inside) && !word.contains("잘못"))
}

/// Takes a folded run apart: the longest mark at each place, and what lies between.
pub(super) fn unspaced_marks(run: &str, emit: &mut dyn FnMut(Mark<'_>)) {
    let (mut at, mut plain) = (0, 0);
    while let Some(first) = run.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = run.get(at..).unwrap_or_default();
        let (len, mark) = mark_at(rest).unwrap_or((first.len_utf8(), None));
        if let Some(mark) = mark {
            emit(Mark::Content(run.get(plain..at).unwrap_or_default()));
            emit(mark);
            plain = at + len;
        }
        at += len;
    }
    emit(Mark::Content(run.get(plain..).unwrap_or_default()));
}

/// The longest entry that begins `rest`: its length, and its mark if it is more than a word that only looks like one.
fn mark_at(rest: &str) -> Option<(usize, Option<Mark<'static>>)> {
    let starts = |text: &str| rest.starts_with(text);
    let neutral = UNSPACED_NEUTRAL.iter().filter(|text| starts(text)).map(|text| (text.len(), None));
    let negators =
        UNSPACED_NEGATORS.iter().filter(|text| starts(text)).map(|t| (t.len(), Some(Mark::Negator)));
    let opposites = UNSPACED_OPPOSITES.iter().filter_map(|&(pair, a, b)| {
        let axis = axis(pair, starts(a), starts(b))?;
        Some((if axis.second { b.len() } else { a.len() }, Some(Mark::Axis(axis))))
    });
    let number = HAN_DIGITS.iter().filter(|(han, _)| rest.starts_with(*han));
    let numbers = number.map(|&(han, digit)| (han.len_utf8(), Some(Mark::Number(digit))));
    neutral.chain(negators).chain(opposites).chain(numbers).max_by_key(|&(len, _)| len)
}

fn axis(pair: u8, first: bool, second: bool) -> Option<Axis> {
    (first || second).then_some(Axis { pair, second })
}

const ROLES: &[(Role, &[&str])] = &[
    (
        Role::Negator,
        &[
            // English
            "not",
            "no",
            "never",
            "none",
            "nothing",
            "nobody",
            "nowhere",
            "neither",
            "nor",
            "without",
            "avoid",
            "avoids",
            "avoided",
            "avoiding",
            "cannot",
            "cant",
            "dont",
            "doesnt",
            "didnt",
            "isnt",
            "arent",
            "wasnt",
            "werent",
            "wont",
            "shouldnt",
            "mustnt",
            "couldnt",
            "wouldnt",
            "hasnt",
            "havent",
            "hadnt",
            "neednt",
            "aint",
            "forbid",
            "forbids",
            "forbidden",
            "prohibit",
            "prohibits",
            "prohibited",
            "refrain",
            "forget",
            "hesitate",
            // German, Dutch
            "nicht",
            "kein",
            "keine",
            "keinen",
            "keinem",
            "keiner",
            "keines",
            "ohne",
            "nie",
            "niemals",
            "vermeide",
            "vermeiden",
            "vermeidet",
            "verboten",
            "weder",
            "niet",
            "geen",
            "nooit",
            "zonder",
            // French
            "sans",
            "eviter",
            "evite",
            "evitez",
            "interdit",
            "interdite",
            // Spanish, Portuguese
            "sin",
            "evita",
            "evitar",
            "eviten",
            "evitem",
            "prohibido",
            "nao",
            "sem",
            "proibido",
            // Russian
            "не",
            "нет",
            "без",
            "нельзя",
            "избегаи",
            "избегаите",
            "избегать",
            "запрещено",
            "запрещается",
        ],
    ),
    (
        Role::Concord,
        &[
            "pas",
            "jamais",
            "aucun",
            "aucune",
            "rien",
            "ni",
            "nunca",
            "nada",
            "tampoco",
            "ningun",
            "ninguna",
            "ninguno",
            "nadie",
            "nenhum",
            "nenhuma",
            "nem",
            "ninguem",
            "никогда",
            "ничего",
            "ни",
            "никак",
            "никто",
            "нигде",
        ],
    ),
    (
        Role::Affirmer,
        &[
            "always",
            "must",
            "should",
            "instead",
            "rather",
            "only",
            "it",
            "this",
            "that",
            "they",
            "you",
            "we",
            "immer",
            "stattdessen",
            "es",
            "toujours",
            "il",
            "elle",
            "siempre",
            "sempre",
            "всегда",
            "это",
            "он",
        ],
    ),
    (
        Role::Imperative,
        &[
            "use",
            "uses",
            "using",
            "run",
            "call",
            "prefer",
            "verwende",
            "nutze",
            "utilise",
            "utilisez",
            "usa",
            "usar",
            "используи",
            "используите",
        ],
    ),
    (
        Role::Split,
        &[
            "because",
            "since",
            "so",
            "when",
            "if",
            "until",
            "before",
            "after",
            "while",
            "but",
            "then",
            "otherwise",
            "weil",
            "denn",
            "wenn",
            "falls",
            "bevor",
            "nachdem",
            "aber",
            "sondern",
            "damit",
            "car",
            "parce",
            "quand",
            "si",
            "mais",
            "donc",
            "porque",
            "cuando",
            "quando",
            "pero",
            "sino",
            "mas",
            "потому",
            "когда",
            "если",
            "но",
            "а",
            "чтобы",
        ],
    ),
    (Role::And, &["and", "und", "et", "y", "e", "и"]),
    (Role::Instead, &["unless", "statt", "anstatt", "lieu", "вместо"]),
];

const HANGUL_NEGATORS: &[&str] =
    &["않", "없", "못", "금지", "마세요", "마십시오", "마라", "말아", "말라", "피하"];

const UNSPACED_NEGATORS: &[&str] = &[
    "不",
    "没",
    "沒",
    "别",
    "別",
    "勿",
    "切勿",
    "无",
    "無",
    "未",
    "禁止",
    "避免",
    "ない",
    "なく",
    "なかっ",
    "なけれ",
    "ません",
    "ずに",
    "べからず",
    "避け",
    "やめ",
    "だめ",
    "ダメ",
];

/// Words that hold a negator and deny nothing.
const UNSPACED_NEUTRAL: &[&str] = &[
    "不同",
    "不过",
    "不過",
    "不仅",
    "不僅",
    "不断",
    "不斷",
    "不管",
    "不论",
    "不論",
    "不但",
    "差不多",
    "无线",
    "無線",
    "無料",
    "未来",
    "未來",
    "区别",
    "區別",
    "個別",
    "个别",
    "级别",
    "級別",
    "分别",
    "分別",
    "识别",
    "識別",
    "特别",
    "特別",
    "类别",
    "類別",
    "性别",
    "別の",
    "別に",
    "少ない",
    "少なく",
    "危ない",
    "つない",
    "なくなっ",
    "十分",
    "万一",
    "第三方",
];

const HAN_DIGITS: &[(char, char)] = &[
    ('二', '2'),
    ('两', '2'),
    ('兩', '2'),
    ('三', '3'),
    ('四', '4'),
    ('五', '5'),
    ('六', '6'),
    ('七', '7'),
    ('八', '8'),
    ('九', '9'),
];

/// How many of the first pairs order two things in time.
const ORDER_PAIRS: u8 = 2;

/// Opposites, folded and stemmed.
const OPPOSITES: &[(&str, &str)] = &[
    ("befor", "after"),
    ("first", "last"),
    ("enabl", "disabl"),
    ("allow", "deny"),
    ("allow", "block"),
    ("add", "remov"),
    ("add", "delet"),
    ("keep", "remov"),
    ("keep", "delet"),
    ("includ", "exclud"),
    ("increas", "decreas"),
    ("start", "stop"),
    ("open", "clos"),
    ("lock", "unlock"),
    ("push", "pull"),
    ("read", "writ"),
    ("true", "fals"),
    ("on", "off"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("least", "most"),
    ("more", "less"),
    ("more", "fewer"),
    ("above", "below"),
    ("over", "under"),
    ("upgrad", "downgrad"),
    ("install", "uninstall"),
    ("mount", "unmount"),
    ("encod", "decod"),
    ("encrypt", "decrypt"),
    ("requir", "optional"),
    ("success", "failur"),
    ("pass", "fail"),
    ("accept", "reject"),
    ("show", "hide"),
    ("public", "privat"),
    ("local", "global"),
    ("local", "remot"),
    ("relativ", "absolut"),
    ("input", "output"),
    ("valid", "invalid"),
    ("safe", "unsaf"),
    ("secur", "insecur"),
    ("support", "unsupport"),
    ("ascend", "descend"),
    ("aktivieren", "deaktivieren"),
    ("aktivier", "deaktivier"),
    ("activer", "desactiver"),
    ("activar", "desactivar"),
    ("включи", "отключи"),
    ("включить", "отключить"),
];

/// The same without spaces, with the number of the pair; the first two order things in time.
const UNSPACED_OPPOSITES: &[(u8, &str, &str)] = &[
    (0, "之前", "之后"),
    (0, "以前", "以后"),
    (0, "前に", "後に"),
    (200, "启用", "禁用"),
    (201, "啟用", "停用"),
    (202, "允许", "拒绝"),
    (203, "打开", "关闭"),
    (204, "增加", "减少"),
    (205, "最大", "最小"),
    (206, "最多", "最少"),
    (207, "有効", "無効"),
    (208, "許可", "拒否"),
];

#[cfg(test)]
mod tests {
    use super::super::normal::fold;
    use super::super::stem::stemmed;
    use super::*;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn the_tables_are_folded_and_stemmed() {
        for word in ROLES.iter().flat_map(|(_, words)| *words) {
            assert_eq!(&fold(word), word);
        }
        for word in OPPOSITES.iter().flat_map(|&(a, b)| [a, b]) {
            assert!([word, &[word, "e"].concat()].iter().any(|full| stemmed(fold(full)) == word), "{word}");
        }
        assert!(OPPOSITES.len() < 200);
    }

    #[test]
    fn a_run_is_taken_apart() {
        let mut seen: Vec<String> = vec![];
        unspaced_marks("不要用不同的三个端口", &mut |mark| {
            seen.push(match mark {
                Mark::Content(text) => text.into(),
                other => alloc::format!("{other:?}"),
            });
        });
        assert_eq!(seen, ["", "Negator", "要用不同的", "Number('3')", "个端口"]);
    }
}

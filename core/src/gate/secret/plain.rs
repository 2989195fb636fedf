//! Passwords that are plain words: `password=kittens`, "the password is kittens", "PASSWORD: correct horse".
//!
//! Decides by what a value is not: a state ("required"), a type, a label, code, or a word that only joins others.
//! Never used where a value merely stands near a word for passwords: what tells it must stand right before.

use super::{lexicon, value};

/// Shortest and longest plain password, in characters.
const LENGTH: core::ops::RangeInclusive<usize> = 4..=40;

/// How many words a pass phrase has.
const WORDS: core::ops::RangeInclusive<usize> = 2..=8;

/// Words that say how a password is, what type it has, or what to do with it, lower-case.
#[rustfmt::skip]
const STATES: &[&str] = &[
    // States.
    "required", "wrong", "invalid", "incorrect", "correct", "valid", "weak", "strong", "short", "long", "empty", "null", "test",
    "none", "nil", "blank", "missing", "secret", "safe", "optional", "mandatory", "different", "unknown", "okay", "good",
    "same", "unset", "case-sensitive", "mine", "yours", "plaintext", "plain", "public", "private", "reset", "stale",
    "unique", "random", "clear", "cleartext", "visible", "ready", "true", "false", "undefined", "default", "yes", "hash",
    "hashes", "prompt", "hidden", "easy", "hard", "simple", "complex", "secure", "insecure", "enough", "gone", "lost",
    "known", "found", "sent", "kept", "wrongly", "fine", "bad", "over", "sensitive", "confidential", "important",
    "personal", "temporary", "permanent", "compulsory", "obsolete", "outdated", "present", "absent", "identical", "equal",
    "error", "failure", "success", "disclosure", "leak", "omitted", "forgot", "forgotten", "broken", "stolen", "written",
    "shown", "taken", "given", "chosen", "hardcoded", "hard-coded", "up-to-date", "unchanged", "set",
    // Types, fields and code.
    "string", "text", "bytes", "byte", "bool", "boolean", "char", "varchar", "number", "integer", "object", "array",
    "list", "dict", "uuid", "json", "field", "form", "policy", "prompts", "login", "auth", "basic", "email", "username",
    "user", "users", "name", "database", "server", "host", "localhost", "port", "path", "file", "files", "self", "this", "props",
    "state", "config", "settings", "options", "args", "data", "body", "request", "response", "vault", "keychain",
    "keyring", "environment", "bcrypt", "scrypt", "argon2", "argon2id", "pbkdf2", "sha1", "sha256", "sha512", "md5",
    "base64", "utf8", "utf-8", "hmac", "aes256", "rot13", "ldap", "kerberos", "oauth", "oauth2", "saml", "plugin",
    "manager", "generator", "rotation", "strength", "length", "minimum", "maximum", "character", "characters", "digits", "letters",
    "sample", "demo", "fake", "mock", "redacted", "masked", "omit", "n/a", "tbd", "todo", "expr", "auto",
    // Words that join.
    "that", "which", "what", "when", "where", "with", "without", "from", "into", "your", "their", "there", "here", "have",
    "must", "should", "shall", "will", "would", "could", "cannot", "can't", "isn't", "only", "also", "always", "never",
    "then", "than", "they", "them", "these", "those", "some", "such", "very", "just", "still", "already", "again",
    "before", "after", "because", "while", "until", "about", "between", "inside", "outside", "instead", "least", "more",
    "most", "being", "been", "does", "each", "every", "both", "anything", "something", "nothing", "everything", "either",
    "enter", "type", "confirm", "retype", "repeat", "choose", "change", "update", "create", "read", "show", "hide",
    "store", "save", "check", "verify", "remove", "delete", "using", "please",
    // German, Dutch.
    "falsch", "richtig", "ungültig", "gültig", "abgelaufen", "erforderlich", "leer", "sicher", "unsicher", "geheim",
    "unbekannt", "notwendig", "pflicht", "pflichtfeld", "veraltet", "schwach", "stark", "lang", "kurz", "nicht", "kein", "keine",
    "noch", "schon", "bekannt", "vergessen", "immer", "dein", "deine", "unser", "unsere", "einfach", "verloren", "hier",
    "dort", "nötig", "klartext", "verpflichtend", "vorhanden", "identisch", "onjuist", "ongeldig", "verplicht", "verlopen",
    "vereist", "fout", "niet", "leeg", "zwak", "sterk", "geheel", "onbekend",
    // French, Spanish, Portuguese, Italian.
    "requis", "requise", "incorrecte", "invalide", "valide", "expiré", "obligatoire", "faible", "fort", "vide", "trop",
    "inconnu", "faux", "court", "perdu", "nécessaire", "toujours", "jamais", "correcta", "incorrecta", "incorrecto",
    "correcto", "inválida", "inválido", "válida", "débil", "fuerte", "corta", "larga", "vacía", "siempre", "nunca",
    "demasiado", "errónea", "segura", "seguro", "secreta", "secreto", "única", "distinta", "diferente", "incorreta",
    "incorreto", "correta", "fraca", "forte", "vazia", "curta", "errata", "sbagliata", "corretta", "valida", "scaduta",
    "vuota", "debole", "obbligatoria", "richiesta", "sempre", "igual", "errada", "aquí", "aqui", "fácil", "nova", "nueva",
    // Russian.
    "неверно", "нужен", "нужно", "пустой", "слабый", "сильный", "хранится", "здесь", "всегда", "никогда", "нельзя",
    "просто", "важно", "секрет", "тоже", "строка", "тайна",
];

/// Endings of states: participles and adjectives.
#[rustfmt::skip]
const STATE_ENDS: &[&str] = &[
    "ed", "ing", "ly", "able", "ible", "less", "ful", "ory", "é", "ée", "ado", "ada", "ido", "ida", "ório", "ória",
    "torio", "toria", "ível", "ável", "ato", "ata", "lich", "ig", "iert", "ый", "ий", "ой", "ая", "ен", "ена", "ено", "ать",
    "ить", "ется", "ится", "чен", "тый",
];

/// Stems of names that variables and samples have; a plain password has none, lower-case.
const NAME_STEMS: &[&str] = &[
    "pass", "pwd", "secret", "token", "cred", "value", "param", "argument", "input", "string", "variable",
    "example", "apikey",
];

/// Whether `word`, told to be a password, can be one though it is a plain word or a number.
pub(super) fn is_plain(word: &str) -> bool {
    let marks = "-_.!?#$*+@%&~^";
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    LENGTH.contains(&word.chars().count())
        && word.starts_with(char::is_alphanumeric)
        && word.chars().all(|c| c.is_alphanumeric() || marks.contains(c))
        && (letters > 2 || digits == word.len())
        && !(digits == 0 && word.contains('_'))
        && !has_stem(word, digits)
        && !is_state(word)
        && (digits == word.len() || !value::is_elsewhere(word))
        && !value::is_filler(word.as_bytes())
}

/// Whether `line`, told to be a pass phrase, is a row of plain words that make no sentence.
pub(super) fn is_phrase(line: &str) -> bool {
    let worded = |word: &str| {
        (3..=12).contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_lowercase())
            && !is_joining(word)
            && !NAME_STEMS.iter().any(|stem| word.contains(stem))
    };
    let words = line.split(' ').filter(|w| !w.is_empty()).take(WORDS.end() + 1).count();
    // "correct" is the state that pass phrases like best; as the first of several words it is no state.
    let states = line.split(' ').enumerate().any(|(i, word)| is_state(word) && (i > 0 || word != "correct"));
    WORDS.contains(&words) && line.split(' ').all(worded) && !states
}

/// Whether `line`, told in quotes to be a pass phrase, is a row of words, those of sentences included.
pub(super) fn is_quoted_phrase(line: &str) -> bool {
    let worded =
        |word: &str| word.len() < 13 && word.bytes().all(|b| b.is_ascii_lowercase()) && !is_state(word);
    (3..=8).contains(&line.split(' ').take(9).count()) && line.split(' ').all(worded)
}

/// Whether `word`, right beside a name, can hardly be a part of the sentence: letters and two digits at the end.
pub(super) fn is_worn(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() - letters.len() > 1 && !word.starts_with("rfc") && is_plain(word)
}

/// Whether `word` says how a password is instead of what it is.
pub(super) fn is_state(word: &str) -> bool {
    let lower = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    STATES.contains(&lower.as_str())
        || STATE_ENDS.iter().any(|end| lower.len() > end.len() + 2 && lower.ends_with(end))
        || lexicon::is_name(&lower)
        || lower.starts_with("ge") && lower.ends_with('t')
}

/// Words too common for a phrase of chance.
fn is_joining(word: &str) -> bool {
    [
        "the", "and", "for", "are", "not", "has", "was", "but", "you", "can", "may", "any", "all", "our",
        "its", "per", "via", "use", "see", "get", "let", "try", "new", "old", "run", "add", "out", "how",
        "who", "why", "now",
    ]
    .contains(&word)
}

fn has_stem(word: &str, digits: usize) -> bool {
    let lower = word.to_lowercase();
    digits < 3 && NAME_STEMS.iter().any(|stem| lower.contains(stem))
}

//! The names of settings that hold a secret.
//!
//! Decides what kind of value a name announces. A further name is a further row. Never judges a sentence: see the
//! lexicon.

use super::lexicon::{BACKUP, CODE, PIN, SEED};
use super::{codes, phrase, value};

/// The kind of a password.
pub(super) const PASSWORD: &str = "password";
/// The kind of a token, key or other secret that a name announces.
pub(super) const TOKEN: &str = "credential";

/// Endings of a name, without joiners and lower-case, that announce a password.
const PASSWORD_ENDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "kennwort",
    "wachtwoord",
    "sshpass",
    "pwd",
    "passcode",
    "contrasena",
    "senha",
    "motdepasse",
];

/// Whole last words of a name that announce a password; too short to be an ending (`bypass`, `compass`).
const PASSWORD_WORDS: &[&str] = &["pass", "pw"];

/// Endings of a name that announce a token or a key.
const TOKEN_ENDS: &[&str] = &[
    "token",
    "secret",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "accountkey",
    "storagekey",
    "fernetkey",
    "hmackey",
    "globalkey",
    "serverkey",
    "integrationkey",
    "ingestkey",
    "writekey",
    "secretid",
    "licensekey",
    "licencekey",
    "productkey",
    "activationkey",
    "servicekey",
    "clientkey",
    "sharedkey",
    "deploykey",
    "sessionkey",
    "adminkey",
    "subscriptionkey",
    "appkey",
    "secretaccesskey",
    "credential",
    "credentials",
    "webhooksecret",
    "jwtsecret",
    "secretkeybase",
    "connectionstring",
    "authorization",
];

/// Whole last words of a name that announce a token.
const TOKEN_WORDS: &[&str] = &["pat", "jwt"];

/// Parts of a name that make its key a public one or none at all, upper-case.
const OPEN_KEYS: &[&str] = &[
    "PUBLIC",
    "PUBLISHABLE",
    "CACHE",
    "SORT",
    "PARTITION",
    "PRIMARY",
    "FOREIGN",
    "OBJECT",
    "ANON",
    "IDEMPOTENCY",
    "LOCK",
    "ROW",
    "SITE",
    "CLIENT",
    "TRANSLATION",
    "I18N",
    "S3",
];

/// Endings of a field's name, without joiners and lower-case, that announce a code or a phrase.
const FIELD_ENDS: &[(&str, &str)] = &[
    ("otp", CODE),
    ("otpcode", CODE),
    ("onetimecode", CODE),
    ("verificationcode", CODE),
    ("twofactorcode", CODE),
    ("2facode", CODE),
    ("mfacode", CODE),
    ("backupcode", BACKUP),
    ("backupcodes", BACKUP),
    ("recoverycode", BACKUP),
    ("recoverycodes", BACKUP),
    ("mnemonic", SEED),
    ("seedphrase", SEED),
    ("recoveryphrase", SEED),
    ("pincode", PIN),
];

/// Endings that look like the above and are none: places in a list, and guards against forged forms.
const OPEN_ENDS: &[&str] = &[
    "pagetoken",
    "nexttoken",
    "continuationtoken",
    "synctoken",
    "cursortoken",
    "csrftoken",
    "eostoken",
    "bostoken",
    "padtoken",
    "unktoken",
    "stoptoken",
    "publictoken",
    "unexpectedtoken",
    "starttoken",
    "pertoken",
    "skiptoken",
    "publishabletoken",
    "cancellationtoken",
    "idempotencytoken",
];

/// The kind of secret that a setting, key or flag called `name` holds; `None` for any other name.
pub(crate) fn kind_of_key(name: &str) -> Option<&'static str> {
    let mut compact = [0_u8; NAME_MAX];
    let (compact, last) = compacted(name, &mut compact)?;
    let ends = |list: &[&str]| list.iter().any(|end| compact.ends_with(end.as_bytes()));
    let is = |list: &[&str]| list.iter().any(|word| last.eq_ignore_ascii_case(word));
    if ends(OPEN_ENDS) {
        None
    } else if ends(PASSWORD_ENDS) || is(PASSWORD_WORDS) {
        Some(PASSWORD)
    } else if ends(TOKEN_ENDS) || is(TOKEN_WORDS) && name.bytes().any(|b| b.is_ascii_uppercase()) {
        Some(TOKEN)
    } else {
        None
    }
}

/// As [`kind_of_key`], for fields whose value has a place of its own: codes and phrases, too.
pub(crate) fn kind_of_field(name: &str) -> Option<&'static str> {
    let field = || {
        let mut compact = [0_u8; NAME_MAX];
        let (compact, last) = compacted(name, &mut compact)?;
        let known = FIELD_ENDS.iter().find(|(end, _)| compact.ends_with(end.as_bytes()));
        known.map(|(_, kind)| *kind).or_else(|| last.eq_ignore_ascii_case("pin").then_some(PIN))
    };
    kind_of_key(name).or_else(field)
}

/// Whether `name` holds `user:password` in base64, as registries keep it.
pub(super) fn holds_pair(name: &str) -> bool {
    name.trim_start_matches(['_', '-']).eq_ignore_ascii_case("auth")
}

/// Whether `name` is an environment's `SOME_KEY` that is not known to be public.
pub(super) fn is_environment_key(name: &str) -> bool {
    let upper = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    name.ends_with("_KEY")
        && name.bytes().all(upper)
        && !name.split('_').any(|part| OPEN_KEYS.contains(&part))
}

/// Whether `name` is too short a word to announce a plain one: `pass: lint` is a report.
pub(crate) fn is_short(name: &str) -> bool {
    name.trim_start_matches('-').len() < 5
}

/// Longest tail of a name that is looked at, in bytes.
const NAME_MAX: usize = 48;

/// The tail of `name` without joiners and in lower case, and its last word.
fn compacted<'a>(name: &'a str, room: &'a mut [u8; NAME_MAX]) -> Option<(&'a [u8], &'a str)> {
    let from = name.ceil_char_boundary(name.len().saturating_sub(NAME_MAX));
    let tail = name.get(from..)?.trim_end_matches(['-', '_', '.', ' ']);
    let mut length = 0;
    for b in tail.bytes().filter(|b| !matches!(b, b'_' | b'-' | b'.' | b' ')) {
        *room.get_mut(length)? = b.to_ascii_lowercase();
        length += 1;
    }
    Some((room.get(..length)?, tail.rsplit(['_', '-', '.', ' ']).next().unwrap_or_default()))
}

/// Whether `text`, the value of a name of `kind`, looks real.
pub(super) fn is_value(kind: &str, text: &str) -> bool {
    let single = !text.contains(char::is_whitespace);
    single && if kind == PASSWORD { value::is_password(text) } else { value::is_token(text) }
}

/// Whether `text`, the whole value of a field of `kind`, is one: a plain word, a code or a phrase, too.
pub(crate) fn is_field_value(kind: &str, plain: bool, text: &str) -> bool {
    match kind {
        CODE | PIN => codes::is_code(text, kind, false),
        BACKUP => codes::is_backup(text),
        SEED => phrase::is_whole(text),
        PASSWORD if plain => {
            is_value(kind, text) || super::plain::is_plain(text) || super::plain::is_phrase(text)
        }
        _ => is_value(kind, text),
    }
}

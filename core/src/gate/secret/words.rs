//! The words that announce a secret: names of settings, and words for passwords and keys in eight languages.
//!
//! Decides what kind of value a name announces. A further name or language is a further row.

use super::value;

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
    "licensekey",
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
    let from = name.ceil_char_boundary(name.len().saturating_sub(48));
    let tail = name.get(from..)?.trim_end_matches(['-', '_', '.', ' ']);
    let mut compact = [0_u8; 48];
    let mut length = 0;
    for b in tail.bytes().filter(|b| !matches!(b, b'_' | b'-' | b'.' | b' ')) {
        *compact.get_mut(length)? = b.to_ascii_lowercase();
        length += 1;
    }
    let compact = compact.get(..length)?;
    let ends = |list: &[&str]| list.iter().any(|end| compact.ends_with(end.as_bytes()));
    let last = tail.rsplit(['_', '-', '.', ' ']).next().unwrap_or_default();
    if ends(OPEN_ENDS) {
        None
    } else if ends(PASSWORD_ENDS) || PASSWORD_WORDS.iter().any(|word| last.eq_ignore_ascii_case(word)) {
        Some(PASSWORD)
    } else if ends(TOKEN_ENDS) {
        Some(TOKEN)
    } else {
        None
    }
}

/// Whether `text`, the value of a name of `kind`, looks real.
pub(crate) fn is_value(kind: &str, text: &str) -> bool {
    let single = !text.contains(char::is_whitespace);
    single && if kind == PASSWORD { value::is_password(text) } else { value::is_token(text) }
}

/// Words for one kind of secret in one language.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) kind: &'static str,
    /// The secret's names, lower-case.
    pub(super) names: &'static [&'static str],
    /// What may stand right before the value, lower-case.
    pub(super) links: &'static [&'static str],
}

/// All words, a language after the other: English, German, French, Spanish, Portuguese, Russian, Japanese, Chinese.
#[rustfmt::skip]
pub(super) const WORDS: &[Words] = &[
    Words { kind: PASSWORD, names: &["password", "passwd", "passphrase", "passcode", "pass", "pw", "pwd"], links: &["is", "was", "to", "equals", "it's", "be", "now"] },
    Words { kind: TOKEN, names: &["private key", "api key", "secret key", "access key", "access token", "auth token", "api token", "license key", "licence key", "activation key", "client secret", "encryption key", "secret", "token", "bearer"], links: &["is", "was", "to", "equals", "it's", "be", "now"] },
    Words { kind: PASSWORD, names: &["passwort", "kennwort", "passphrase", "zugangscode"], links: &["ist", "lautet", "war", "heißt", "auf"] },
    Words { kind: PASSWORD, names: &["mot de passe", "mdp", "code d'accès"], links: &["est", "c'est", "était", "devient"] },
    Words { kind: PASSWORD, names: &["contraseña", "clave", "contrasena"], links: &["es", "era", "será", "ahora"] },
    Words { kind: PASSWORD, names: &["senha", "palavra-passe"], links: &["é", "era", "será", "agora"] },
    Words { kind: PASSWORD, names: &["пароль", "парол", "кодовое слово"], links: &["это", "теперь", "такой", "был", "—", "-"] },
    Words { kind: PASSWORD, names: &["パスワード", "暗証番号", "パスフレーズ"], links: &["は", "が", "を", "："] },
    Words { kind: PASSWORD, names: &["密码", "密碼", "口令"], links: &["是", "为", "為", "："] },
];

//! The words with which sentences announce a secret, in ten languages, and where one of them stands.
//!
//! Decides which kind of secret a word announces. A further name or language is a further row. Never decides whether
//! a secret follows: most sentences about passwords hold none.

use super::words::{PASSWORD, TOKEN};

/// The kind of a code that counts once: from a text message, a mail or an app.
pub(super) const CODE: &str = "one_time_code";
/// The kind of codes that stand in for a second factor.
pub(super) const BACKUP: &str = "backup_code";
/// The kind of the words that restore a wallet.
pub(super) const SEED: &str = "seed_phrase";
/// The kind of a number that opens a door, a card or a phone.
pub(super) const PIN: &str = "pin";

/// Names for one kind of secret.
#[derive(Debug)]
struct Names {
    kind: &'static str,
    /// Lower-case and without accents. A blank stands for a blank, `_`, `-` or the seam of `camelCase`.
    names: &'static [&'static str],
}

const fn names(kind: &'static str, names: &'static [&'static str]) -> Names {
    Names { kind, names }
}

/// Names for a user and a password together: a plain word behind one may be the user.
pub(super) const LOGINS: &[&str] = &["login", "credentials", "creds", "zugangsdaten"];

/// English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Japanese, Chinese, Korean; of further
/// languages the word for a password alone.
#[rustfmt::skip]
const ROWS: &[Names] = &[
    names(PASSWORD, &["password", "passwords", "passwd", "passphrase", "passcode", "pass", "pw", "pwd", "identified by", "wifi key", "wpa key", "wlan key"]),
    names(PASSWORD, LOGINS),
    names(PASSWORD, &["wlan schlussel", "wifi schlussel", "netzwerkschlussel", "passwort", "kennwort", "zugangscode", "losungswort"]),
    names(PASSWORD, &["mot de passe", "mdp", "code d'acces"]),
    names(PASSWORD, &["contrasena", "clave"]),
    names(PASSWORD, &["senha", "palavra passe"]),
    names(PASSWORD, &["parola d'ordine", "wachtwoord"]),
    names(PASSWORD, &["пароль", "пароля", "парол", "кодовое слово"]),
    names(PASSWORD, &["パスワード", "暗証番号", "パスフレーズ", "合言葉"]),
    names(PASSWORD, &["密码", "密碼", "口令"]),
    names(PASSWORD, &["비밀번호", "암호", "비번", "패스워드"]),
    names(PASSWORD, &["haslo", "hasło", "sifre", "şifre", "losenord", "heslo", "adgangskode", "salasana", "jelszo", "mat khau", "mật khẩu", "kata sandi", "κωδικος", "κωδικός", "كلمة المرور", "كلمة السر", "סיסמה", "पासवर्ड"]),
    names(TOKEN, &["private key", "api key", "secret key", "access key", "access token", "auth token", "api token", "license key", "licence key", "activation key", "product key", "serial key", "client secret", "encryption key", "signing key", "master key", "deploy key", "app key", "application key", "service key", "admin key", "account key", "storage key", "auth key", "wif", "refresh token", "session token", "bot token", "webhook secret", "importprivkey", "privkey", "secret", "token", "bearer"]),
    names(TOKEN, &["api schlussel", "zugriffsschlussel", "zugangsschlussel", "geheimschlussel", "lizenzschlussel", "produktschlussel", "aktivierungsschlussel"]),
    names(TOKEN, &["cle api", "cle d'api", "cle secrete", "jeton", "cle de licence", "cle de produit", "cle d'activation", "clave de producto", "clave de licencia", "clave de activacion", "chave de produto", "chave de licenca", "chave de ativacao", "chiave di licenza", "chiave di attivazione", "codice prodotto", "clave api", "clave de api", "clave secreta", "chave de api", "chave api", "chave secreta", "chiave api", "chiave segreta"]),
    names(TOKEN, &["ключ api", "api ключ", "секретный ключ", "токен", "лицензионный ключ", "ключ продукта", "ключ активации", "プロダクトキー", "产品密钥", "激活码", "제품 키", "라이선스 키", "apiキー", "アクセスキー", "シークレットキー", "秘密鍵", "トークン", "ライセンスキー", "api密钥", "密钥", "令牌", "访问令牌", "私钥", "许可证密钥", "api 키", "토큰"]),
    names(CODE, &["verification code", "one time code", "one time password", "one time passcode", "otp", "totp", "otp code", "totp code", "2fa code", "2fa", "mfa", "two factor code", "mfa code", "mfa token", "security code", "login code", "sign in code", "auth code", "authentication code", "authenticator code", "confirmation code", "sms code"]),
    names(CODE, &["bestatigungscode", "sicherheitscode", "einmalcode", "einmalpasswort", "einmal code", "einmal passwort", "verifizierungscode", "anmeldecode", "sms code", "tan"]),
    names(CODE, &["code de verification", "code de securite", "code a usage unique", "code de confirmation", "code de connexion", "code sms"]),
    names(CODE, &["codigo de verificacion", "codigo de seguridad", "codigo de un solo uso", "codigo de confirmacion", "codigo de inicio de sesion", "codigo sms"]),
    names(CODE, &["codigo de verificacao", "codigo de seguranca", "codigo de uso unico", "codigo de confirmacao"]),
    names(CODE, &["codice di verifica", "codice di sicurezza", "codice di conferma", "codice otp", "verificatiecode", "beveiligingscode", "bevestigingscode"]),
    names(CODE, &["код подтверждения", "одноразовый код", "код безопасности", "проверочный код", "одноразовый пароль", "код из смс", "код для входа", "код проверки"]),
    names(CODE, &["認証コード", "確認コード", "ワンタイムパスワード", "ワンタイムコード", "セキュリティコード", "認証番号", "验证码", "驗證碼", "动态码", "动态口令", "校验码", "安全码", "一次性密码", "인증번호", "인증 코드", "보안 코드", "일회용 비밀번호"]),
    names(BACKUP, &["backup code", "backup codes", "recovery code", "recovery codes", "scratch code", "scratch codes", "emergency code", "emergency codes"]),
    names(BACKUP, &["wiederherstellungscode", "wiederherstellungscodes", "ersatzcodes", "notfallcodes", "codes de secours", "codes de recuperation", "code de secours", "code de recuperation"]),
    names(BACKUP, &["codigos de respaldo", "codigos de recuperacion", "codigo de respaldo", "codigo de recuperacion", "codigos de backup", "codigos de recuperacao", "codigos de reserva", "codici di backup", "codici di recupero", "herstelcodes", "back upcodes"]),
    names(BACKUP, &["резервные коды", "резервный код", "коды восстановления", "код восстановления", "バックアップコード", "リカバリーコード", "回復コード", "备用码", "恢复码", "备份码", "备用验证码", "恢复代码", "备份代码", "백업 코드", "복구 코드"]),
    names(SEED, &["seed phrase", "mnemonic", "mnemonic phrase", "recovery phrase", "secret recovery phrase", "seed words", "recovery words", "wallet seed", "wallet", "wallet words", "12 words", "24 words", "twelve words", "backup phrase", "seed"]),
    names(SEED, &["wiederherstellungsphrase", "seedphrase", "wiederherstellungsworter", "phrase de recuperation", "phrase secrete", "phrase mnemonique", "frase semilla", "frase de recuperacion", "frase mnemotecnica", "palabras semilla", "frase semente", "frase de recuperacao", "palavras semente", "frase di recupero", "frase seme", "herstelzin"]),
    names(SEED, &["сид фраза", "сид фразу", "мнемоническая фраза", "мнемоника", "seed фраза", "фраза восстановления", "シードフレーズ", "リカバリーフレーズ", "ニーモニック", "復元フレーズ", "助记词", "助記詞", "种子短语", "恢复短语", "시드 구문", "니모닉", "복구 구문"]),
    names(PIN, &["pin", "pin code", "door code", "gate code", "alarm code", "safe code", "unlock code", "entry code", "access code", "geheimzahl", "turcode", "pin nummer", "code pin", "code secret", "codigo secreto", "codice segreto", "codigo pin", "codice pin", "pincode", "пин код", "пин", "код домофона", "暗証コード", "pin码", "门禁码", "핀 번호"]),
];

/// What may stand right before a value: verbs, and marks between words.
#[rustfmt::skip]
pub(super) const LINKS: &[&str] = &[
    "is", "was", "to", "equals", "it's", "be", "now", "are", "remains", "still", "as",
    "ist", "lautet", "lauten", "war", "heißt", "auf", "sind", "nun", "jetzt",
    "est", "c'est", "était", "devient", "sont", "es", "era", "será", "ahora", "son", "é", "agora", "são", "è", "sono",
    "это", "теперь", "такой", "был", "такая", "такие", "—", "–", "-", "->", "→",
    "は", "が", "を", "：", "是", "为", "為", "은", "는", "이", "가",
];

/// The links that say what the secret is, so that even a plain word behind one counts.
#[rustfmt::skip]
pub(super) const COPULAS: &[&str] = &[
    "is", "are", "was", "equals", "ist", "lautet", "est", "c'est", "es", "é", "è", "это", "—", "–", "=", "は", "是", "为", "為",
];

/// What may stand between a name and its copula when the name is told further: "the password for …".
#[rustfmt::skip]
pub(super) const PREPOSITIONS: &[&str] = &[
    "for", "of", "to", "on", "für", "vom", "von", "zum", "zur", "des", "pour", "de", "du", "del", "para", "do", "da",
    "di", "della", "dello", "degli", "delle", "per", "voor", "van", "от", "для", "к", "на", "из", "в",
];

/// Prepositions that have lost a vowel and stand with their noun in one word: "dell'utente".
pub(super) const ELIDED: &[&str] = &["dell'", "dell’", "all'", "all’", "d'", "d’"];

/// Words that ask to keep what follows: behind one, a value that closes the clause is told though nothing says "is".
#[rustfmt::skip]
pub(super) const REMEMBER: &[&str] = &[
    "remember", "memorize", "note", "merk", "notier", "retiens", "recuerda", "apunta", "anota", "guarda",
    "lembre", "ricorda", "запомн", "запиш", "сохран", "onthoud", "noteer",
];

/// How many names there are.
const COUNT: usize = {
    let (mut i, mut count) = (0, 0);
    while i < ROWS.len() {
        count += ROWS[i].names.len();
        i += 1;
    }
    count
};

/// How many chains the names are spread over, by their first two letters.
const CHAINS: usize = 1024;

/// The end of a chain.
const END: u16 = u16::MAX;

/// A name, its kind, and the next name of its chain.
type Link = (&'static str, &'static str, u16);

static INDEX: ([u16; CHAINS], [Link; COUNT]) = index();

const fn index() -> ([u16; CHAINS], [Link; COUNT]) {
    let mut first = [END; CHAINS];
    let mut links = [("", "", END); COUNT];
    let (mut row, mut at) = (0, 0);
    while row < ROWS.len() {
        let mut i = 0;
        while i < ROWS[row].names.len() {
            let name = ROWS[row].names[i];
            let (one, width) = char_at(name, 0);
            let chain = chain_of(one, char_at(name, width).0);
            links[at] = (name, ROWS[row].kind, first[chain]);
            first[chain] = at as u16;
            at += 1;
            i += 1;
        }
        row += 1;
    }
    (first, links)
}

const fn chain_of(first: u32, second: u32) -> usize {
    (first as usize * 37 + second as usize) % CHAINS
}

/// The character at byte `at` of `name` as a number, and its length; names hold no character above three bytes.
const fn char_at(name: &str, at: usize) -> (u32, usize) {
    let b = name.as_bytes();
    let first = b[at] as u32;
    match first {
        0..=0x7f => (first, 1),
        0x80..=0xdf => (((first & 0x1f) << 6) | (b[at + 1] as u32 & 0x3f), 2),
        _ => (((first & 0x0f) << 12) | ((b[at + 1] as u32 & 0x3f) << 6) | (b[at + 2] as u32 & 0x3f), 3),
    }
}

/// The kind and the length of the longest name that `tail` begins with.
pub(super) fn name_at(tail: &str) -> Option<(&'static str, usize)> {
    let mut chars = tail.chars();
    let first = plain(chars.next()?);
    let second = match chars.next()? {
        '_' | '-' | '\u{a0}' => ' ',
        c => plain(c),
    };
    let mut best: Option<(&'static str, usize)> = None;
    let mut at = *INDEX.0.get(chain_of(first.into(), second.into()))?;
    while let Some(&(name, kind, next)) = INDEX.1.get(usize::from(at)) {
        if let Some(length) = length_of(tail, name)
            && best.is_none_or(|(_, longest)| longest < length)
        {
            best = Some((kind, length));
        }
        at = next;
    }
    best
}

/// Whether `word` is a name itself, as the label of a form is.
pub(super) fn is_name(word: &str) -> bool {
    name_at(word).is_some_and(|(_, length)| length == word.len())
}

/// Whether a name may begin inside a word here: the end of a German or Dutch compound.
pub(super) fn ends_compound(tail: &str) -> bool {
    let tail = tail.as_bytes();
    ["passwort", "kennwort", "wachtwoord"]
        .iter()
        .any(|end| tail.get(..end.len()).is_some_and(|t| t.eq_ignore_ascii_case(end.as_bytes())))
}

/// Whether `c` belongs to a script without spaces between words, or to its marks.
pub(super) fn is_wordless(c: char) -> bool {
    u32::from(c) >= 0x2E80
}

/// The length of `name` at the start of `tail`, in any case, if no letter follows it.
fn length_of(tail: &str, name: &str) -> Option<usize> {
    let mut chars = tail.chars();
    let mut lower = false;
    for wanted in name.chars() {
        let mut ahead = chars.clone();
        let c = ahead.next()?;
        let same = if wanted == ' ' {
            // `backupCodes`: the seam has no character of its own.
            let seam = lower && c.is_ascii_uppercase();
            if seam {
                continue;
            }
            matches!(c, ' ' | '_' | '-' | '\u{a0}')
        } else {
            plain(c) == wanted
        };
        if !same {
            return None;
        }
        lower = c.is_ascii_lowercase();
        chars = ahead;
    }
    let rest = chars.as_str();
    let mut after = chars.clone();
    let compound =
        after.next() == Some('-') && after.next().is_some_and(|c| c.is_alphanumeric() && !is_wordless(c));
    // A name alone tells nothing, but it is a name.
    let joined = chars.next().is_some_and(|next| {
        next.is_alphanumeric() && !is_wordless(next) && !name.ends_with(is_wordless) || next == '_'
    });
    (!joined && !compound).then_some(tail.len() - rest.len())
}

/// `c` in lower case and, if it is a Latin letter, without its accent.
pub(super) fn plain(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    if is_wordless(c) {
        return c;
    }
    let c = c.to_lowercase().next().unwrap_or(c);
    match c {
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' => 'o',
        'ù'..='ü' => 'u',
        '’' => '\'',
        _ => c,
    }
}

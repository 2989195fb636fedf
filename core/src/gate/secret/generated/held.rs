//! Makers of texts that hold a secret, marked with `⟦` and `⟧`.

use std::format;
use std::string::{String, ToString};

use super::super::shape::Part;
use super::super::vendors::ROWS;
use super::seeds::seed;
use super::{Dice, Maker};

pub(super) const KINDS: &[Maker] = &[
    ("vendor token", vendor),
    ("password in settings", setting),
    ("plain word in settings", plain_setting),
    ("token in settings", token_setting),
    ("password in commands", command),
    ("plain word in commands", plain_command),
    ("password in prose, en", prose_en),
    ("plain word in prose, en", plain_en),
    ("password in prose, de", |d| prose(d, DE)),
    ("password in prose, fr", |d| prose(d, FR)),
    ("password in prose, es", |d| prose(d, ES)),
    ("password in prose, pt", |d| prose(d, PT)),
    ("password in prose, ru", |d| prose(d, RU)),
    ("password in prose, ja", |d| prose(d, JA)),
    ("password in prose, zh", |d| prose(d, ZH)),
    ("password in prose, more", |d| prose(d, MORE)),
    ("password in address", address),
    ("connection string", connection),
    ("bearer and basic", header),
    ("cookie", cookie),
    ("jwt", jwt),
    ("private key", pem),
    ("one-time code", one_time),
    ("one-time code, languages", one_time_abroad),
    ("pin", pin),
    ("backup codes", backup),
    ("seed phrase", seed),
    ("files of credentials", files),
    ("behind base64", wrapped),
    ("key in prose", key_prose),
];

/// A password as people make them when asked for a good one.
fn strong(d: &mut Dice) -> String {
    let cap = |w: &str| format!("{}{}", w[..1].to_uppercase(), &w[1..]);
    match d.below(4) {
        0 => format!(
            "{}{}{}{}{}",
            cap(d.word()),
            d.pick(&["-", "_", "!", "."]),
            cap(d.word()),
            d.digits(4),
            d.pick(&["!", "#", "$", ""])
        ),
        1 => format!("{}{}{}{}", d.run(1, "ABCDEFGHJK"), d.alnum(9), d.digits(3), d.pick(&["!", "?", "%"])),
        2 => format!("{}{}{}", cap(d.word()), d.digits(3), d.pick(&["!", "#", "*", "?"])),
        _ => format!(
            "{}{}{}{}",
            d.run(3, "abcdefghkm"),
            d.pick(&["#", "$", "%", "&"]),
            d.run(4, "ABCDEFGHK"),
            d.digits(3)
        ),
    }
}

fn random(d: &mut Dice) -> String {
    let length = 14 + d.below(10);
    format!("{}{}", d.alnum(length), d.digits(2))
}

fn vendor(d: &mut Dice) -> String {
    let row = &ROWS[d.below(ROWS.len())];
    let run = |d: &mut Dice, length: usize, class: super::super::class::Class| -> String {
        let all: String =
            (b'0'..=b'z').filter(|&b| class.has(b) && b.is_ascii_alphanumeric()).map(char::from).collect();
        (0..length)
            .map(|i| if i % 5 == 2 && class.has(b'7') { d.digits(1) } else { d.run(1, &all) })
            .collect()
    };
    let mut token = row.behind.map_or_else(String::new, |(class, min, _)| run(d, min, class));
    let named = row.head.ends_with('=');
    token.push_str(if named { "" } else { row.head });
    for part in row.parts {
        match *part {
            Part::Run(class, min, _) => token.push_str(&run(d, min, class)),
            Part::Text(text) => token.push_str(text),
        }
    }
    let head = if named { row.head } else { "" };
    let (before, after) = [
        ("use ", " for the deploy"),
        ("{\"key\":\"", "\"}"),
        ("KEY=", "\n"),
        ("the runner reads \"", "\" at start"),
        ("curl -H 'X-Key: ", "' https://api.host/v1"),
        ("https://host/x?k=", "&y=1"),
        ("- ", "\n- next"),
        ("nutze ", " dafür"),
        ("ключ ", " для сервера"),
        ("使用", "部署"),
        ("トークンは ", " です"),
        ("line\\n", "\\nmore"),
        ("`", "`"),
        ("(", ")"),
    ][d.below(14)];
    format!("{before}{head}⟦{token}⟧{after}")
}

const PASSWORD_SETTINGS: &[(&str, &str)] = &[
    ("password=", ""),
    ("DB_PASSWORD=", "\nDB_HOST=db"),
    ("\"password\": \"", "\","),
    ("password: '", "'\n"),
    ("password = \"", "\"\n"),
    ("export PGPASSWORD=", "\n"),
    ("spring.datasource.password=", "\n"),
    ("{\\\"password\\\": \\\"", "\\\"}"),
    ("<password>", "</password>"),
    ("config[\"password\"] = \"", "\""),
    ("ENV ADMIN_PASSWORD=", "\n"),
    ("user=bob password=", " host=db"),
    ("const dbPassword = '", "';"),
    ("?user=bob&password=", "&x=1"),
    ("db_password: \"", "\"\n"),
    ("- name: DB_PASSWORD\n  value: \"", "\"\n"),
    ("login(user=\"bob\", password=\"", "\")"),
    ("{\"user\":\"bob\",\"passwd\":\"", "\"}"),
    ("MYSQL_ROOT_PASSWORD: ", "\n"),
    ("smtp_passwort = ", "\n"),
];

fn setting(d: &mut Dice) -> String {
    let (before, after) = PASSWORD_SETTINGS[d.below(PASSWORD_SETTINGS.len())];
    let value = if d.below(2) == 0 { strong(d) } else { random(d) };
    format!("{before}⟦{value}⟧{after}")
}

fn plain_setting(d: &mut Dice) -> String {
    let (before, after) = PASSWORD_SETTINGS[d.below(PASSWORD_SETTINGS.len())];
    let digits = d.below(3);
    let number = d.digits(digits);
    format!("{before}⟦{}{number}⟧{after}", d.word())
}

fn token_setting(d: &mut Dice) -> String {
    let name = d.pick(&[
        "API_KEY",
        "api_key",
        "apiKey",
        "SECRET_KEY",
        "client_secret",
        "ACCESS_TOKEN",
        "AUTH_TOKEN",
        "DD_API_KEY",
        "DD_APP_KEY",
        "OKTA_API_TOKEN",
        "ALGOLIA_ADMIN_KEY",
        "COHERE_API_KEY",
        "aws_secret_access_key",
        "CLOUDFLARE_API_TOKEN",
        "JWT_SECRET",
        "webhook_secret",
        "SNYK_TOKEN",
        "ENCRYPTION_KEY",
        "GH_PAT",
        "private_token",
        "HMAC_KEY",
        "SESSION_SECRET",
    ]);
    let length = 24 + d.below(20);
    let value = if d.below(2) == 0 { d.hex(32) } else { format!("{}{}", d.alnum(length), d.digits(2)) };
    match d.below(6) {
        0 => format!("{name}=⟦{value}⟧\n"),
        1 => format!("\"{name}\": \"⟦{value}⟧\","),
        2 => format!("{name}: ⟦{value}⟧\n"),
        3 => format!("{name} = '⟦{value}⟧'"),
        4 => format!("export {name}=\"⟦{value}⟧\" && make"),
        _ => format!("{{\\\"{name}\\\":\\\"⟦{value}⟧\\\"}}"),
    }
}

const COMMANDS: &[(&str, &str)] = &[
    ("mysql -uroot -p", " app"),
    ("mysqldump -u root -p", " app > dump.sql"),
    ("sshpass -p ", " ssh me@host"),
    ("sshpass -p '", "' scp a me@host:"),
    ("curl -u bob:", " https://host/x"),
    ("curl --user bob:", " -O https://host"),
    ("docker login -u me -p ", " registry.host"),
    ("tool login --password ", ""),
    ("tool --password=", " --yes"),
    ("redis-cli -a ", " ping"),
    ("psql \"host=db user=a password=", "\""),
    ("PGPASSWORD=", " psql -h db"),
    ("echo ", " | sudo -S apt-get update"),
    ("openssl enc -d -in x -pass pass:", " -out y"),
    ("$ mongosh -u admin -p ", " --eval 1"),
    ("smbclient //h/s -U bob%", ""),
    ("7z x a.7z -p", ""),
    ("svn co url --username bob --password ", ""),
];

fn command(d: &mut Dice) -> String {
    let (before, after) = COMMANDS[d.below(COMMANDS.len())];
    format!("{before}⟦{}⟧{after}", strong(d).replace(['&', '$', '#', '*', '?'], "x"))
}

fn plain_command(d: &mut Dice) -> String {
    let (before, after) = COMMANDS[d.below(COMMANDS.len())];
    format!("{before}⟦{}⟧{after}", d.word())
}

fn prose_en(d: &mut Dice) -> String {
    let (before, after) = [
        ("my password is ", ""),
        ("the wifi password is ", ", ask me for more"),
        ("the db password for local dev is ", "."),
        ("Password: ", ""),
        ("use password ", " for the admin page"),
        ("log in as bob with the password ", ""),
        ("the password was changed to ", " yesterday"),
        ("sudo pass ", ""),
        ("root pw: ", ""),
        ("login bob / password ", ""),
        ("remember that our vpn password is \"", "\""),
        ("passphrase for the key is ", "."),
        ("I set the passcode to ", ", do not share it."),
        ("admin password = ", ""),
    ][d.below(14)];
    format!("{before}⟦{}⟧{after}", strong(d))
}

fn plain_en(d: &mut Dice) -> String {
    let (before, after) = [
        ("my password is ", ""),
        ("The password is ", "."),
        ("the wifi password is ", ", ask me for more"),
        ("Password: ", ""),
        ("PASSWORD: ", ""),
        ("the password for the wiki is ", ""),
        ("the password is '", "'"),
        ("the password to the vault is \"", "\""),
        ("Username: bob\nPassword: ", "\n"),
        ("log in as bob with password ", ""),
        ("machine h login bob password ", "\n"),
        ("passphrase: ", ""),
    ][d.below(12)];
    let value = match d.below(4) {
        0 => format!("{} {}", d.word(), d.word()),
        1 => format!("{}{}", d.word(), d.digits(2)),
        _ => d.word().to_string(),
    };
    let plain = before.contains(':') || before.ends_with(['"', '\'']);
    let value = if plain { value } else { value.replace(' ', "-") };
    format!("{before}⟦{value}⟧{after}")
}

/// Carriers of a language; a plain word fits those that are marked.
type Carriers = &'static [(&'static str, &'static str, bool)];

const DE: Carriers = &[
    ("das Passwort ist ", "", true),
    ("Das Passwort lautet ", ".", true),
    ("Passwort: ", "", true),
    ("Das Kennwort für den Router ist ", "", true),
    ("WLAN-Passwort: ", "", true),
    ("Datenbankpasswort: ", "", true),
    ("mein Passwort für das Wiki ist ", ".", true),
    ("Passwort von Anna: ", "", false),
    ("melde dich mit dem Passwort ", " an", false),
];
const FR: Carriers = &[
    ("le mot de passe est ", ".", true),
    ("mot de passe : ", "", true),
    ("Mot de passe du wifi : ", "", true),
    ("le mdp est ", "", true),
    ("mon mot de passe pour la base est ", "", true),
    ("connecte-toi avec le mot de passe ", "", true),
];
const ES: Carriers = &[
    ("la contraseña es ", ".", true),
    ("Contraseña: ", "", true),
    ("la contraseña del router es ", "", true),
    ("mi clave es ", "", true),
    ("contraseña de la base: ", "", true),
    ("entra con la contraseña ", "", false),
];
const PT: Carriers = &[
    ("a senha é ", ".", true),
    ("Senha: ", "", true),
    ("a senha do banco é ", "", true),
    ("minha senha para o site é ", ".", true),
    ("palavra-passe: ", "", true),
];
const RU: Carriers = &[
    ("пароль: ", "", true),
    ("Пароль от базы: ", "", true),
    ("пароль — ", "", true),
    ("Пароль от почты — ", ".", true),
    ("мой пароль ", "", false),
    ("пароль для входа это ", "", true),
];
const JA: Carriers = &[
    ("パスワードは ", " です", true),
    ("パスワードは", "です。", true),
    ("パスワード：", "", true),
    ("パスワード: ", "", true),
    ("WiFiのパスワードは「", "」です", true),
    ("暗証番号は ", " です", false),
];
const ZH: Carriers = &[
    ("密码是 ", "", true),
    ("密码：", "", true),
    ("登录密码是", "。", true),
    ("数据库密码为 ", "，请保密", true),
    ("请记住我的密码：", "", true),
    ("口令是“", "”", true),
];
const MORE: Carriers = &[
    ("la password è ", ".", true),
    ("het wachtwoord is ", ".", true),
    ("비밀번호는 ", " 입니다", false),
    ("wachtwoord: ", "", true),
    ("비밀번호: ", "", true),
];

fn prose(d: &mut Dice, carriers: Carriers) -> String {
    let (before, after, plain) = carriers[d.below(carriers.len())];
    let value = if plain && d.below(3) == 0 { d.word().to_string() } else { strong(d) };
    format!("{before}⟦{value}⟧{after}")
}

fn address(d: &mut Dice) -> String {
    let scheme = d.pick(&[
        "postgres",
        "postgresql",
        "mysql",
        "mongodb+srv",
        "redis",
        "amqp",
        "https",
        "smtp",
        "ftp",
        "ldap",
        "jdbc:postgresql",
        "clickhouse",
        "nats",
        "git+https",
    ]);
    let value = match d.below(3) {
        0 => d.word().to_string(),
        1 => random(d),
        _ => strong(d).replace(['#', '?', '%', '!', '$', '&', '*'], "9"),
    };
    let (before, after) =
        [("", ""), ("DATABASE_URL=", "\n"), ("connect to \"", "\" please"), ("url: ", "\n")][d.below(4)];
    format!(
        "{before}{scheme}://{}:⟦{value}⟧@{}:{}/app{after}",
        d.pick(&["svc", "root", "app", ""]),
        d.pick(&["10.0.0.4", "db.host", "localhost"]),
        d.digits(4)
    )
}

fn connection(d: &mut Dice) -> String {
    let value = if d.below(2) == 0 { random(d) } else { strong(d).replace(';', "x") };
    match d.below(5) {
        0 => format!("Server=sql01;Database=hr;User Id=sa;Password=⟦{value}⟧;Encrypt=true"),
        1 => format!("Data Source=h;User ID=a;Pwd=⟦{value}⟧;"),
        2 => format!("host=db port=5432 user=app password=⟦{value}⟧ sslmode=require"),
        3 => format!(
            "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=⟦{}==⟧;EndpointSuffix=core.windows.net",
            d.base64(86)
        ),
        _ => format!(
            "Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=k;SharedAccessKey=⟦{}=⟧",
            d.base64(43)
        ),
    }
}

fn header(d: &mut Dice) -> String {
    let (length, upper) = (24 + d.below(40), d.digits(3));
    let token = format!("{}{upper}", d.alnum(length));
    let pair = encoded(&format!("admin:{}", strong(d)));
    match d.below(8) {
        0 => format!("Authorization: Bearer ⟦{token}⟧"),
        1 => format!("curl -H 'Authorization: Bearer ⟦{token}⟧' https://host"),
        2 => format!("\"Authorization\": \"Bearer ⟦{token}⟧\","),
        3 => format!("Authorization: Basic ⟦{pair}⟧"),
        4 => format!("curl -H \"authorization: basic ⟦{pair}⟧\" host"),
        5 => format!("X-Api-Key: ⟦{token}⟧\n"),
        6 => format!("curl -H 'X-Auth-Token: ⟦{token}⟧' host"),
        _ => format!("Authorization: Token ⟦{token}⟧"),
    }
}

fn cookie(d: &mut Dice) -> String {
    let value = format!("{}{}{}", d.alnum(20), d.digits(3), d.alnum(10));
    let name = d.pick(&["sessionid", "sid", "auth", "JSESSIONID", "remember_me", "token", "_app_session"]);
    match d.below(4) {
        0 => format!("Cookie: {name}=⟦{value}⟧"),
        1 => format!("Cookie: theme=dark; {name}=⟦{value}⟧; lang=en"),
        2 => format!("Set-Cookie: {name}=⟦{value}⟧; Path=/; HttpOnly"),
        _ => format!("set connect.sid=⟦s%3A{value}⟧ to stay"),
    }
}

fn jwt(d: &mut Dice) -> String {
    let header =
        encoded(&format!("{{\"alg\":\"{}\",\"typ\":\"JWT\"}}", d.pick(&["HS256", "RS256", "ES384", "none"])))
            .replace('=', "");
    let body =
        encoded(&format!("{{\"sub\":\"{}\",\"iat\":17{}}}", d.digits(10), d.digits(8))).replace('=', "");
    let (before, after) =
        [("token is ", "."), ("{\"t\":\"", "\"}"), ("TOKEN=", ""), ("Authorization: Bearer ", "")]
            [d.below(4)];
    format!("{before}⟦{header}.{body}.{}⟧{after}", d.alnum(43))
}

fn pem(d: &mut Dice) -> String {
    let label = d.pick(&[
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ]);
    let gap = d.pick(&["\n", "\\n"]);
    let lines = (0..3 + d.below(9)).map(|_| d.base64(64) + gap).collect::<String>();
    format!("key: ⟦-----BEGIN {label}-----{gap}{lines}{}=={gap}-----END {label}-----⟧{gap}", d.base64(22))
}

fn one_time(d: &mut Dice) -> String {
    let length = [4, 6, 6, 8][d.below(4)];
    let code = if d.below(5) == 0 { format!("{} {}", d.digits(3), d.digits(3)) } else { d.digits(length) };
    match d.below(12) {
        0 => format!("Your verification code is ⟦{code}⟧."),
        1 => format!("⟦{code}⟧ is your verification code."),
        2 => format!("Your one-time code: ⟦{code}⟧. It expires in 10 minutes."),
        3 => format!("the 2FA code is ⟦{code}⟧"),
        4 => format!("OTP: ⟦{code}⟧"),
        5 => format!("npm publish --otp=⟦{}⟧", d.digits(6)),
        6 => format!("Use security code ⟦{}⟧ to sign in", d.digits(6)),
        7 => format!("G-{} is your login code", "x").replace("G-x", &format!("⟦G-{}⟧", d.digits(6))),
        8 => format!("{{\"text\": \"your login code is ⟦{code}⟧\"}}"),
        9 => format!("mfa_code: \"⟦{}⟧\"", d.digits(6)),
        10 => format!("SMS code ⟦{}⟧", d.digits(6)),
        _ => format!("authentication code: ⟦{code}⟧"),
    }
}

fn one_time_abroad(d: &mut Dice) -> String {
    let (before, after) = [
        ("Ihr Bestätigungscode lautet ", "."),
        ("Dein Sicherheitscode: ", ""),
        ("TAN: ", ""),
        ("Votre code de vérification est ", "."),
        ("code de sécurité : ", ""),
        ("Tu código de verificación es ", "."),
        ("código de seguridad: ", ""),
        ("Seu código de verificação é ", "."),
        ("Ваш код подтверждения: ", ""),
        ("Одноразовый код — ", ""),
        ("認証コードは ", " です"),
        ("確認コード：", ""),
        ("您的验证码是 ", "，请勿泄露"),
        ("验证码：", ""),
        ("【银行】验证码", "，五分钟内有效"),
        ("codice di verifica: ", ""),
        ("verificatiecode: ", ""),
        ("인증번호: ", ""),
    ][d.below(18)];
    format!("{before}⟦{}⟧{after}", d.digits(6))
}

fn pin(d: &mut Dice) -> String {
    let code = d.digits(4);
    let (before, after) = [
        ("my PIN is ", ""),
        ("PIN: ", ""),
        ("the door code is ", "."),
        ("alarm code: ", ""),
        ("card pin ", ""),
        ("Die Geheimzahl ist ", "."),
        ("el código pin es ", ""),
        ("code PIN : ", ""),
        ("пин-код: ", ""),
        ("gate code for guests is ", ""),
    ][d.below(10)];
    format!("{before}⟦{code}⟧{after}")
}

fn backup(d: &mut Dice) -> String {
    let style = d.below(4);
    let code = |d: &mut Dice| match style {
        0 => d.digits(8),
        1 => format!("{}{}-{}{}", d.run(2, "abcdefgh"), d.digits(2), d.run(3, "abcdefgh"), d.digits(1)),
        2 => format!("{}-{}", d.digits(4), d.digits(4)),
        _ => format!("{}{}{}", d.run(4, "ABCDEFGHJK"), d.digits(3), d.run(3, "ABCDEFGHJK")),
    };
    let gap = d.pick(&["\n", ", ", " ", "\\n", "\n- "]);
    let count = 4 + d.below(6);
    let list = (0..count).map(|_| code(d)).collect::<std::vec::Vec<_>>().join(gap);
    let before = d.pick(&[
        "backup codes: ",
        "2FA backup codes:\n",
        "My recovery codes are ",
        "GitHub recovery codes: ",
        "Wiederherstellungscodes: ",
        "codes de secours : ",
        "códigos de recuperación: ",
        "códigos de backup: ",
        "резервные коды: ",
        "バックアップコード：",
        "备用码：",
        "backup_codes = ",
    ]);
    format!("{before}⟦{list}⟧")
}

fn files(d: &mut Dice) -> String {
    let pair = encoded(&format!("bob:{}", random(d)));
    let key = encoded(&format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n{}\n-----END PRIVATE KEY-----\n",
        d.base64(64),
        d.base64(64)
    ));
    match d.below(9) {
        0 => format!("machine api.host\n  login bob\n  password ⟦{}⟧\n", strong(d)),
        1 => format!("//registry.host/:_authToken=⟦{}⟧\n", d.uuid()),
        2 => format!("_auth=⟦{pair}⟧\n"),
        3 => format!("{{\"auths\":{{\"registry.host\":{{\"auth\":\"⟦{pair}⟧\"}}}}}}"),
        4 => format!("[pypi]\nusername = bob\npassword = ⟦{}⟧\n", strong(d)),
        5 => format!("    client-key-data: ⟦{key}⟧\n"),
        6 => format!("db.internal:5432:prod:app:⟦{}⟧", strong(d).replace(':', "x")),
        7 => format!("[default]\naws_access_key_id = x\naws_secret_access_key = ⟦{}⟧\n", d.base64(40)),
        _ => format!("hosts:\n  oauth_token: ⟦{}⟧\n", d.hex(40)),
    }
}

fn wrapped(d: &mut Dice) -> String {
    let token = format!("AKIA{}", d.run(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"));
    let inner = match d.below(3) {
        0 => token,
        1 => format!("aws key {token} for ci"),
        _ => format!("password={}", random(d)),
    };
    format!("decode ⟦{}⟧ to get it", encoded(&inner))
}

fn key_prose(d: &mut Dice) -> String {
    let value = match d.below(3) {
        0 => d.hex(40),
        1 => format!("{}{}", d.alnum(30), d.digits(4)),
        _ => format!("0x{}", d.hex(64)),
    };
    let (before, after) = [
        ("the api key is ", ""),
        ("our private key is ", "."),
        ("access token: ", ""),
        ("der API-Schlüssel lautet ", ""),
        ("la clé API est ", ""),
        ("la clave de API es ", ""),
        ("секретный ключ: ", ""),
        ("APIキーは ", " です"),
        ("密钥是 ", ""),
        ("the encryption key is ", ", keep it safe"),
    ][d.below(10)];
    format!("{before}⟦{value}⟧{after}")
}

fn encoded(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in text.as_bytes().chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, &b| (bits << 8) | u32::from(b)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * i)) as usize & 63];
            out.push(if i > group.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

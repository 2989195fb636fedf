//! Each way to tell a secret, with made-up values that are put together when the test runs.

use std::format;
use std::string::String;

use super::{Finding, find};

/// A made-up password, in two parts so that no literal is one.
fn word() -> String {
    ["Mellow-Tundra", "3917!"].concat()
}

/// A made-up token of `length` letters and digits.
fn body(length: usize) -> String {
    "q7ZtR4mXc9LbV2nK".repeat(length / 16 + 1).chars().take(length).collect()
}

/// Asserts that `before`, `secret`, `after` in a row hold exactly that secret, of `kind`.
fn holds(kind: &str, before: &str, secret: &str, after: &str) {
    let text = format!("{before}{secret}{after}");
    let span = before.len()..before.len() + secret.len();
    let found = find(&text);
    assert!(
        matches!(found.as_slice(), [Finding { kind: k, span: s }] if *k == kind && *s == span),
        "{text}: {found:?}, wanted {kind} {span:?}"
    );
}

fn passes(text: &str) {
    assert_eq!(find(text), [], "{text}");
}

#[test]
fn private_keys_whole_cut_and_on_one_line() {
    let line = "MIIEq7ZtR4mXc9LbV2nK".repeat(3);
    for label in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
        let (begin, end) = (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
        holds("private_key", "a\n", &format!("{begin}\n{line}\n{line}\nAb==\n{end}"), "\nb");
        holds("private_key", "{\"k\":\"", &format!("{begin}\\n{line}\\n{line}\\n{end}"), "\\n\"}");
        holds("private_key", "KEY='", &format!("{begin} {line} {line} {end}"), "'");
        holds("private_key", "", &format!("{begin}\n{line}\n{line}"), "\n\nand then words follow");
        holds("private_key", "cut ", &format!("{line}\n{line}\n{end}"), "");
        passes(&format!("{begin}\n...\n{end}"));
    }
    let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n";
    let block = format!("-----BEGIN RSA PRIVATE KEY-----\n{headers}{line}\n-----END RSA PRIVATE KEY-----");
    holds("private_key", "", &block, "");
}

#[test]
fn web_tokens_by_their_header() {
    let header = ["eyJhbGciOiJIUzI1NiIs", "InR5cCI6IkpXVCJ9"].concat();
    let token = format!("{header}.{}.{}", body(40), body(43));
    holds("jwt", "token is ", &token, ".");
    holds("jwt", "{\"t\":\"", &token, "\"}");
    holds("jwt", "Authorization: Bearer ", &token, "");
    passes(&format!("eyJuYW1lIjoiYm9iIn0.{}.{}", body(40), body(10)));
}

#[test]
fn encoded_texts_by_what_they_hold() {
    // "key AKIA" and sixteen letters more.
    let run = ["a2V5IEFLSUFRV0VSVFlV", "SU9QQVNERkdI"].concat();
    holds("aws_access_key", "see ", &run, " there");
}

#[test]
fn passwords_in_addresses() {
    for scheme in ["postgres", "mysql", "mongodb+srv", "redis", "amqps", "https", "smtp", "ftp", "jdbc:mysql"]
    {
        holds("url_password", &format!("{scheme}://svc:"), &body(12), "@db.host:99/x");
    }
    holds("url_password", "redis://:", &body(12), "@cache");
    for clean in [
        "http://localhost:8080/a@b",
        "amqp://guest:guest@mq",
        "https://u:$PASS@h",
        "https://me@host/x:y@z",
        "git@host:a/b.git",
    ] {
        passes(clean);
    }
}

#[test]
fn connection_strings() {
    holds("password", "Server=s;Database=d;User Id=sa;Password=", &body(12), ";Encrypt=true");
    holds("password", "host=db user=app password=", &body(12), " dbname=x");
    holds("azure_account_key", "AccountName=a;AccountKey=", &format!("{}==", body(86)), ";EndpointSuffix=x");
}

#[test]
fn headers_and_cookies() {
    holds("bearer_token", "Authorization: Bearer ", &body(40), "");
    holds("bearer_token", "curl -H 'authorization: bearer ", &body(40), "' host");
    holds("authorization", "\"Authorization\": \"Token ", &body(40), "\"");
    let pair = ["YWRtaW46cTdadFI0", "bVhjOUxi"].concat();
    holds("basic_auth", "Authorization: Basic ", &pair, "");
    holds("cookie", "Cookie: theme=dark; sid=", &body(32), "; lang=en");
    holds("cookie", "Set-Cookie: auth=", &body(32), "; Path=/; HttpOnly");
    holds("cookie", "use PHPSESSID=", &body(26), " here");
    for clean in [
        "Authorization: Bearer <token>",
        "Bearer tokens go there",
        "Authorization: Bearer ${TOKEN}",
        "Cookie: theme=dark; lang=en",
        "basic auth is off",
        "Cookie consent is on",
    ] {
        passes(clean);
    }
}

#[test]
fn settings() {
    for (before, after) in [
        ("password=", "\n"),
        ("DB_PASSWORD=\"", "\""),
        ("\"password\": \"", "\","),
        ("{\\\"passwd\\\": \\\"", "\\\"}"),
        ("  passphrase: '", "'"),
        ("spring.datasource.password = ", "\n"),
        ("--password ", " -v"),
        ("--db-password=", " x"),
        ("<password>", "</password>"),
        ("config[\"password\"] = \"", "\""),
        ("const dbPassword: string = \"", "\";"),
        ("<add key=\"DbPassword\" value=\"", "\"/>"),
        ("- name: DB_PASSWORD\n  value: ", "\n"),
        ("{\"name\":\"DB_PASSWORD\",\"value\":\"", "\"}"),
        ("pwd := \"", "\""),
        ("DB_PASS=", ""),
        (":password => '", "'"),
    ] {
        holds("password", before, &word(), after);
    }
    for (before, after) in [
        ("API_KEY=", "\n"),
        ("api_key: \"", "\""),
        ("apiKey: '", "',"),
        ("x-api-key: ", "\n"),
        ("client_secret=", "&x=1"),
        ("export SERVICE_TOKEN=", ""),
        ("--token ", ""),
        ("aws_secret_access_key = ", "\n"),
        ("let auth_token: &str = \"", "\""),
        ("os.environ[\"APP_SECRET\"] = \"", "\""),
        ("otpauth://totp/x?secret=", "&issuer=y"),
        ("\\nWEB_TOKEN=", "\\n"),
    ] {
        holds("credential", before, &body(32), after);
    }
}

#[test]
fn commands() {
    holds("password", "mysql -uroot -p", &word(), " app");
    holds("password", "sshpass -p '", &word(), "' ssh me@host");
    holds("password", "redis-cli -a ", &word(), " ping");
    holds("password", "docker login -u me -p ", &word(), "");
    holds("password", "curl -u me:", &word(), " https://host");
    holds("password", "db.host:5432:app:me:", &word(), "");
    passes(&format!("mkdir -p src/{}", "Part42b"));
    passes("curl -u me:$PASS https://host; 10:30:00:12:45; a:8080:b:c:d");
}

#[test]
fn sentences_in_eight_languages() {
    for (before, after) in [
        ("my password is ", ""),
        ("the wifi password for guests is ", "."),
        ("Password: ", ""),
        ("use pw ", " there"),
        ("log in with the password \"", "\""),
        ("das Passwort lautet ", "."),
        ("Das Kennwort für den Router ist ", ""),
        ("WLAN-Passwort: ", ""),
        ("le mot de passe est ", "."),
        ("mot de passe du wifi : ", ""),
        ("la contraseña es ", ","),
        ("Contraseña del correo: ", ""),
        ("a senha do banco é ", "."),
        ("senha: ", ""),
        ("пароль ", ""),
        ("Пароль от почты — ", "."),
        ("パスワードは", "です"),
        ("パスワード：", ""),
        ("密码是", "。"),
        ("数据库密码：", ""),
        ("口令为 ", ""),
    ] {
        holds("password", before, &word(), after);
    }
    holds("credential", "the private key is ", &format!("0x{}", "9f3b27c1d4e8a650".repeat(4)), "");
    holds("credential", "license key: ", &["K7QX2-M9ZT4-", "R8VB3-W5NC6"].concat(), "");
}

#[test]
fn sentences_about_secrets_pass() {
    for text in [
        "Never store a password or token in a memory.",
        "The password must be at least 12 characters long.",
        "Das Passwort steht im Tresor.",
        "le mot de passe expire tous les 90 jours",
        "la contraseña se cambia en 2025",
        "пароль хранится в сейфе",
        "パスワードは30日ごとに変更する",
        "密码每90天更换一次",
        "password reset via RFC6749 flow",
        "The token limit is 30 tokens (o200k_base).",
        "secret scanning runs in CI since v2.14.1",
        "pass the flag --no-color to the tool",
        "token 0x is invalid",
        "the password field in Form2.tsx is required",
        "key rotation: every 90 days, see docs/Keys2.md",
    ] {
        passes(text);
    }
}

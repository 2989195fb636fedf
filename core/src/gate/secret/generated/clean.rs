//! Makers of texts that look like secrets and hold none.

use std::format;
use std::string::{String, ToString};

use super::logs::log;
use super::{Dice, Maker};

pub(super) const KINDS: &[Maker] = &[
    ("hashes of git", git),
    ("digests", digest),
    ("ids", id),
    ("integrity and locks", lock),
    ("placeholders", placeholder),
    ("references", reference),
    ("code that reads", code),
    ("paths", path),
    ("images and text in base64", image),
    ("identifiers", identifier),
    ("sentences about passwords", sentence),
    ("sentences, other languages", sentence_abroad),
    ("versions and commits", version),
    ("numbers and codes", number),
    ("public keys", public),
    ("forms and schemas", form),
    ("shell", shell),
    ("addresses", address),
    ("tests and logs", log),
];

fn git(d: &mut Dice) -> String {
    let (long, short) = (d.hex(40), d.hex(8));
    let forms = [
        format!("commit {long}"),
        format!("git checkout {long}"),
        format!("see commit {short}"),
        format!("HEAD is now at {short} fix the parser"),
        format!("index {short}..{} 100644", d.hex(8)),
        format!("submodule vendor/x at {long}"),
        format!("uses: actions/checkout@{long}"),
        format!("\"sha\": \"{long}\""),
        format!("rev = \"{long}\""),
        format!("{long}\trefs/heads/main"),
        format!("key: deps-{long}"),
    ];
    forms[d.below(forms.len())].clone()
}

fn digest(d: &mut Dice) -> String {
    let (md5, sha) = (d.hex(32), d.hex(64));
    let forms = [
        format!("sha256:{sha}"),
        format!("{sha}  file.tar.gz"),
        format!("md5 {md5}"),
        format!("etag \"{md5}\""),
        format!("FROM debian@sha256:{sha}"),
        format!("hash = '{md5}'"),
        format!("checksum: {sha}"),
        format!("$2b$12$x{}", "y").replace("$2b$12$xy", "the bcrypt cost is 12"),
        format!("content-hash = \"{sha}\""),
        format!("tx 0x{sha}"),
        format!("block hash {sha}"),
        format!("fingerprint SHA256:{}", d.base64(43)),
    ];
    forms[d.below(forms.len())].clone()
}

fn id(d: &mut Dice) -> String {
    let (uuid, long) = (d.uuid(), d.alnum(24));
    let forms = [
        format!("id: {uuid}"),
        format!("call_{long}"),
        format!("toolu_01{long}"),
        format!("req_{long}"),
        format!("run-{uuid}"),
        format!("VITE_APP_ID={uuid}"),
        format!("trace_id={}", d.hex(32)),
        format!("traceparent: 00-{}-{}-01", d.hex(32), d.hex(16)),
        format!("ObjectId(\"{}\")", d.hex(24)),
        format!("session_id: {uuid}"),
        format!("01J{}", d.run(23, "0123456789ABCDEFGHJKMNPQRSTVWXYZ")),
        format!("user_id={}", d.digits(9)),
        format!("\"event_id\":\"{}\"", d.hex(32)),
        format!("ALGOLIA_APP_ID={}", d.run(10, "ABCDEFGHJK0123456789")),
        format!("msg_{long}"),
        format!("order {}", d.digits(12)),
        format!("G-{}", d.run(10, "ABCDEFGH0123456789")),
        format!("pk_live_{long}"),
        format!("cus_{}", d.alnum(14)),
    ];
    forms[d.below(forms.len())].clone()
}

fn lock(d: &mut Dice) -> String {
    let forms = [
        format!("\"integrity\": \"sha512-{}==\"", d.base64(86)),
        format!("checksum = \"{}\"", d.hex(64)),
        format!("--hash=sha256:{}", d.hex(64)),
        format!("github.com/acme/lib v1.4.2 h1:{}=", d.base64(43)),
        format!("resolved \"https://registry.host/x/-/x-1.2.3.tgz#{}\"", d.hex(40)),
        format!("integrity sha512-{}==", d.base64(86)),
        format!("sha1-{}=", d.base64(27)),
        format!("{{file = \"a.whl\", hash = \"sha256:{}\"}}", d.hex(64)),
        format!("\"token-types@npm:^4.2.0\": version: 4.2.1 checksum: {}", d.hex(40)),
        format!("js-tokens@4.0.0: resolution: {{integrity: sha512-{}==}}", d.base64(86)),
    ];
    forms[d.below(forms.len())].clone()
}

fn placeholder(d: &mut Dice) -> String {
    let stand_in = d.pick(&[
        "YOUR_API_KEY",
        "<token>",
        "<your-token>",
        "${VAR}",
        "$TOKEN",
        "xxxxxxxxxxxxxxxx",
        "changeme",
        "your-password-here",
        "********",
        "...",
        "{{ token }}",
        "%PASSWORD%",
        "<PASSWORD>",
        "[redacted]",
        "example-token",
        "INSERT_KEY_HERE",
        "REPLACE_ME_NOW",
        "{password}",
        "your_password",
        "CHANGE_ME",
        "••••••••",
        "null",
        "None",
        "\"\"",
        "undefined",
        "$(cat token.txt)",
        "`cat key`",
        "$DB_PASSWORD",
        "***",
        "string",
        "<secret>",
        "todo",
        "my-api-key",
    ]);
    let (before, after) = [
        ("password=", ""),
        ("API_KEY=", "\n"),
        ("token: ", "\n"),
        ("Authorization: Bearer ", ""),
        ("--password ", ""),
        ("\"api_key\": \"", "\""),
        ("the password is ", ""),
        ("export SECRET_KEY=", "\n"),
        ("password: ", "\n"),
        ("curl -u user:", " https://host"),
        ("https://user:", "@host/x"),
        ("mysql -uroot -p", " app"),
    ][d.below(12)];
    format!("{before}{stand_in}{after}")
}

fn reference(d: &mut Dice) -> String {
    d.pick(&[
        "os.environ[\"API_KEY\"]",
        "process.env.SECRET_TOKEN",
        "op://Private/Deploy/token",
        "vault kv get -field=password secret/db",
        "kubectl get secret regcred -o yaml",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
        "{{ secrets.PYPI_TOKEN }}",
        "password: ${{ secrets.DB_PASSWORD }}",
        "passwordFrom: vault",
        "password_file: /run/secrets/db",
        "secretKeyRef: {name: db, key: password}",
        "valueFrom: secretKeyRef",
        "gh secret set TOKEN",
        "token: !secret hass_token",
        "password: !vault db_password",
        "PASSWORD_FILE=/run/secrets/pw",
        "api_key: env(API_KEY)",
        "credentials: gcloud",
        "aws secretsmanager get-secret-value --secret-id prod/db",
        "security find-generic-password -s host -w",
        "pass show work/mail",
        "secretName: tls-cert",
        "imagePullSecrets: regcred",
        "key=@/tmp/key.pem",
    ])
    .to_string()
}

fn code(d: &mut Dice) -> String {
    let name = d.pick(&[
        "password",
        "passwd",
        "db_password",
        "token",
        "secret",
        "api_key",
        "userPassword",
        "passphrase",
    ]);
    let value = d.pick(&[
        "os.environ[\"X\"]",
        "getpass()",
        "input()",
        "args.password",
        "config.get('pw')",
        "process.env.PW",
        "self.password",
        "None",
        "settings.DB_PW",
        "read_line()?",
        "std::env::var(\"PW\")?",
        "credentials.password",
        "request.form[\"pw\"]",
        "hash(pw)",
        "kwargs.pop('x')",
        "load_from_keyring()",
        "String::new()",
        "user.password",
    ]);
    match d.below(12) {
        0 => format!("{name} = {value}"),
        1 => format!("    {name} = {value}\n    return {name}"),
        2 => format!("connect(host=host, {name}={value})"),
        3 => format!("def login(user: str, {name}: str = None):"),
        4 => format!("const {name} = {value};"),
        5 => format!("{{ user: name, {name}: {name} }}"),
        6 => format!("self.{name} = {name}"),
        7 => format!("login(user=user, {name}={name})"),
        8 => format!("    {name}={name},\n"),
        9 => format!("pub {name}: String,"),
        10 => format!("if {name} == expected: return True"),
        _ => format!("let {name}: Option<String> = None;"),
    }
}

fn path(d: &mut Dice) -> String {
    let word = d.word();
    let forms = [
        format!("/home/me/.config/{word}/token.json"),
        format!("C:\\Users\\bob\\AppData\\Local\\Temp\\pip-req-build-{}", d.run(8, "abcdefgh0123_")),
        format!("~/.ssh/id_ed25519_{word}"),
        format!("src/{word}/password_reset/Form2.tsx:14:9"),
        format!("/nix/store/{}-{word}-1.2.3/bin", d.run(32, "0123456789abcdfghijklmnpqrsvwxyz")),
        format!("node_modules/.pnpm/{word}@1.2.3_{}/node_modules", d.hex(32)),
        format!("/var/folders/zz/{}/T/tmp{}", d.run(28, "abcdefgh0123456789_"), d.run(8, "abcdefgh0123")),
        format!("key_file=/etc/ssl/private/{word}.pem"),
        format!("--password-file /run/secrets/{word}"),
        format!("dist/assets/index-{}.js", d.alnum(8)),
        format!("secret: ./secrets/{word}.enc.yaml"),
        format!("/api/v1/users/{}/password", d.digits(6)),
        format!("token_path: {word}/token.json"),
    ];
    forms[d.below(forms.len())].clone()
}

fn image(d: &mut Dice) -> String {
    let forms = [
        format!("data:image/png;base64,iVBORw0KGgo{}", d.base64(200)),
        format!("src=\"data:font/woff2;base64,d09GMgAB{}\"", d.base64(160)),
        format!("/9j/4AAQSkZJRg{}", d.base64(120)),
        format!("sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz{}", d.base64(80)),
        "VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZw==".to_string(),
        format!("R0lGODlh{}", d.base64(90)),
        format!("\"embedding\": \"{}\"", d.base64(120)),
    ];
    forms[d.below(forms.len())].clone()
}

fn identifier(d: &mut Dice) -> String {
    let forms = [
        format!(
            "function {}({},{}){{return {}}}",
            d.run(2, "abcde"),
            d.run(1, "xyz"),
            d.run(1, "uvw"),
            d.run(2, "klm")
        ),
        format!("_ZN4core3fmt9Formatter9write_str17h{}E", d.hex(16)),
        format!("css-{}", d.run(7, "abcdefgh0123456")),
        format!("sc-{}-0 {}", d.run(6, "abcdefg"), d.alnum(5)),
        "AbstractSingletonProxyFactoryBeanImplementationV2".to_string(),
        format!("kubectl rollout restart deploy/api-{}-{}", d.hex(10), d.run(5, "bcdfghjklm")),
        format!("pod/web-{}-{} Running", d.hex(9), d.run(5, "bcdfghjklm24567")),
        "max_tokens=4096, top_p=0.9".to_string(),
        "tokenizer=cl100k_base token_count=5120".to_string(),
        "nextPageToken: \"CAoQAA\"".to_string(),
        "passthrough=true bypass=true1 compass: north".to_string(),
        format!("test_login_with_password_{}", d.digits(2)),
        format!("SECRET_KEY_{} = \"name\"", d.digits(1)),
        "keyboard=qwertz hotkey=ctrl+shift+p".to_string(),
        format!("CACHE_KEY=v1-{}", d.hex(32)),
        format!("PUBLIC_KEY={}", d.alnum(40)),
        format!("token_type=bearer&expires_in={}", d.digits(4)),
        "monkeypatch.setenv(name, raising=False)".to_string(),
    ];
    forms[d.below(forms.len())].clone()
}

fn sentence(d: &mut Dice) -> String {
    d.pick(&[
        "The password is required.",
        "The password is wrong",
        "the password was rejected.",
        "The password is not set in CI",
        "Password: required",
        "Password must be at least 12 characters long.",
        "Your password is too short.",
        "The password is stored in the vault",
        "the password is case-sensitive",
        "User forgot the password twice; send the reset link.",
        "Never store a password or token in a memory.",
        "The password field is required by the signup form",
        "password reset links expire after 30 minutes",
        "the token is expired",
        "rotate the api key every 90 days",
        "the secret is kept in the keychain",
        "session cookies are HttpOnly",
        "bearer tokens go in the Authorization header",
        "ask the user for the password and wait",
        "Password: enter your password",
        "password policy: minimum twelve characters",
        "The password is hashed with bcrypt and salted.",
        "the password for staging is rotated monthly",
        "the password is different for each tenant",
        "The password is empty",
        "password is None",
        "the passphrase is optional",
        "the password is the same as before",
        "The verification code is sent by email.",
        "Enter the verification code",
        "the verification code is valid for 10 minutes",
        "The OTP is 6 digits long",
        "backup codes can be used once",
        "Store the recovery codes in a safe place",
        "write down the seed phrase and never share it with anybody else in the office",
        "the seed is fixed to 42",
        "pin the version to 1.2.3",
        "pin 13 is the LED",
        "seed: 1234",
        "the token limit is 30 tokens",
        "key = value pairs are separated by newlines",
        "private key files belong in ~/.ssh with mode 600",
        "password authentication failed for user \"postgres\"",
        "Wrong password: try again",
        "The password is plain text",
        "use a password manager",
        "log in with password instead of the key",
        "the password prompt is hidden",
        "API key is missing",
        "Access token: invalid",
        "the secret is loaded from vault at startup",
        "Password: (leave empty to keep)",
        "password: must not be blank",
        "The wifi password is on the fridge.",
        "the password is in 1Password",
        "The password is known to Anna",
        "passwords are hashed",
        "Password: hidden",
        "the password was changed yesterday",
        "pass the flag --no-color to the tool",
        "The access code is in the mail",
        "exit code 137 means out of memory",
        "security code review is due",
        "the wallet is empty",
    ])
    .to_string()
}

fn sentence_abroad(d: &mut Dice) -> String {
    d.pick(&[
        "Das Passwort steht nicht im Wiki",
        "Das Passwort ist falsch.",
        "das Passwort ist abgelaufen",
        "Das Passwort ist erforderlich",
        "Passwort vergessen?",
        "Passwort: Pflichtfeld",
        "Das Kennwort ist zu kurz.",
        "Das Passwort ist verschlüsselt gespeichert.",
        "Der Bestätigungscode ist 10 Minuten gültig.",
        "le mot de passe est requis",
        "Le mot de passe est incorrect.",
        "mot de passe oublié",
        "le mot de passe expire tous les 90 jours",
        "le mot de passe est trop court",
        "la contraseña debe cambiarse cada 90 días",
        "la contraseña es incorrecta",
        "La contraseña es obligatoria.",
        "contraseña olvidada",
        "a senha é obrigatória",
        "A senha é inválida.",
        "a senha expira em 90 dias",
        "пароль хранится в сейфе",
        "Пароль неверный",
        "пароль: обязательный",
        "пароль должен содержать 12 символов",
        "パスワードは必須です",
        "パスワードは8文字以上です",
        "パスワードが間違っています",
        "パスワードは30日ごとに変更する",
        "密码不要写进记忆里",
        "密码是必填项",
        "密码错误",
        "密码每90天更换一次",
        "密码长度为 8 到 20 位",
        "验证码已发送",
        "验证码10分钟内有效",
        "助记词不要告诉别人",
        "het wachtwoord is onjuist",
        "la password è errata",
        "비밀번호는 필수입니다",
        "código de verificación enviado",
        "код подтверждения отправлен",
    ])
    .to_string()
}

fn version(d: &mut Dice) -> String {
    let (a, b, c) = (d.below(20), d.below(40), d.below(99));
    let forms = [
        format!("v{a}.{b}.{c}-rc.1+build.{}", d.hex(7)),
        format!("fix(auth): rotate token handling (#{})", d.digits(4)),
        format!("feat: add password reset flow [{}]", d.hex(7)),
        format!("rustc 1.{b}.0 ({} 2026-01-15)", d.hex(9)),
        format!("secret scanning runs in CI since v2.{b}.{c}"),
        format!("bump passport-jwt from 4.0.{b} to 4.1.{c}"),
        format!("token-bucket=={a}.{b}.{c}"),
        format!("chore: remove API key from docs, see {}", d.hex(8)),
        format!("password-hash = \"0.{b}.{c}\""),
        format!("python3.{b}-secretstorage {a}.{b}-{c}ubuntu1"),
        format!("jsonwebtoken@{a}.{b}.{c}"),
    ];
    forms[d.below(forms.len())].clone()
}

fn number(d: &mut Dice) -> String {
    let forms = [
        format!("status code {}", d.digits(3)),
        format!("error code: {}", d.digits(4)),
        format!("exit code {}", d.below(255)),
        format!("zip code {}", d.digits(5)),
        format!("port {}", d.digits(4)),
        format!("line {}", d.digits(4)),
        format!("country code 49, area code {}", d.digits(3)),
        format!("pid {}", d.digits(5)),
        format!("{} tokens per second", d.digits(3)),
        format!("tokens: {}", d.digits(4)),
        format!("call +49 30 {}", d.digits(7)),
        format!("2026-11-30T{}:{}:00Z", d.below(24), d.digits(2)),
        format!("{{\"otp_length\": 6, \"pin\": {}}}", d.digits(1)),
        format!("epoch {}", d.digits(10)),
        format!("total_tokens: {}, cached: {}", d.digits(5), d.digits(4)),
        format!("the one-time code has {} digits", d.digits(1)),
        format!("gpio pin {}", d.below(30)),
        format!("password retries: {}", d.digits(1)),
        format!("token_count={}", d.digits(5)),
        format!("PIN length: {}", d.digits(1)),
        format!("order code {}", d.digits(6)),
        format!("color code #{}", d.hex(6)),
    ];
    forms[d.below(forms.len())].clone()
}

fn public(d: &mut Dice) -> String {
    let forms = [
        format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} bob@laptop", d.base64(43)),
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", d.base64(64)),
        format!("-----BEGIN CERTIFICATE-----\n{}\n{}\n-----END CERTIFICATE-----", d.base64(64), d.base64(64)),
        format!("age1{}", d.run(58, "023456789acdefghjklmnpqrstuvwxyz")),
        format!("donate to bc1q{}", d.run(38, "023456789acdefghjklmnpqrstuvwxyz")),
        format!("0x{}", d.hex(40)),
        format!(
            "key {} {} {}",
            d.run(4, "0123456789ABCDEF"),
            d.run(4, "0123456789ABCDEF"),
            d.run(4, "0123456789ABCDEF")
        ),
        format!("SENTRY_DSN=https://{}@o11.ingest.host/42", d.hex(32)),
        format!("certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{}", d.base64(100)),
    ];
    forms[d.below(forms.len())].clone()
}

fn form(d: &mut Dice) -> String {
    d.pick(&[
        "<input type=\"password\" name=\"password\" placeholder=\"Password\">",
        "password: z.string().min(12)",
        "\"password\": {\"type\": \"string\"}",
        "password VARCHAR(255) NOT NULL",
        "\"password\": \"string\"",
        "password: string;",
        "password?: string",
        "  password: str\n  user: str",
        "\"password\": \"Passwort\"",
        "\"password\": \"Mot de passe\"",
        "\"password\": \"Contraseña\"",
        "password: \"Password\",",
        "\"password\": \"Enter your password\"",
        "t('password')",
        "label: 'Password'",
        "password: Joi.string().required()",
        "password = models.CharField(max_length=128)",
        "password: Mapped[str]",
        "\"token\": {\"description\": \"The API token\"}",
        "expect(screen.getByLabelText('password'))",
        "type Login = { user: string; password: string }",
        "password:\n    type: string\n",
        "required: [user, password]",
        "{\"field\":\"password\",\"error\":\"required\"}",
        "password: optional",
        "secret: bool",
        "@password string required",
        "\"password\": null,",
        "password: true",
        "fn password(&self) -> &str",
        "password: Secret<String>,",
        "\"password\": \"\"",
        "errors: {password: \"too short\"}",
        "\"password\": \"is too short\"",
    ])
    .to_string()
}

fn shell(d: &mut Dice) -> String {
    d.pick(&[
        "mkdir -p src/Part42b",
        "docker run -p 8080:80 web",
        "ssh -p 2222 me@host",
        "tool --password-stdin < pw.txt",
        "read -s PASSWORD",
        "export TOKEN=$(gh auth token)",
        "curl -u $USER:$PASS https://host",
        "mysql -u root -p app",
        "mysql -uroot -p",
        "psql -U postgres -h db",
        "docker run -u 1000:1000 app",
        "git push origin main",
        "npm publish --access public",
        "gh auth login --with-token",
        "az login --service-principal -u $ID -p $PW",
        "cargo login",
        "docker login -u me registry.host",
        "sshpass -e ssh me@host",
        "sshpass -f pw.txt ssh me@host",
        "curl -H \"Authorization: Bearer $TOKEN\" host",
        "use --password to set one",
        "--password <pw>",
        "tool --token-file t",
        "cp -p a b",
        "tar -xpf a.tar",
        "lsof -p 12345",
        "grep -rn password src",
        "sed -i s/password/secret/ file",
        "kubectl create secret generic db --from-literal=password=$PW",
        "chmod 600 ~/.ssh/id_rsa",
        "unset PASSWORD",
        "openssl rand -hex 32",
        "pwd",
        "echo $PASSWORD | sudo -S ls",
        "nvim -p a.rs b.rs",
        "rsync -avzp a b",
    ])
    .to_string()
}

fn address(d: &mut Dice) -> String {
    let forms = [
        "http://localhost:8080/a@b".to_string(),
        "amqp://guest:guest@mq".to_string(),
        "postgres://postgres:postgres@localhost/test".to_string(),
        "https://user:password@host/".to_string(),
        "https://me@host/x:y@z".to_string(),
        "git@host:a/b.git".to_string(),
        "postgres://${USER}:${PASS}@host/db".to_string(),
        "https://x-access-token:$TOKEN@github.com/a/b".to_string(),
        format!("https://host/page?id={}&token_type=bearer", d.digits(8)),
        format!("https://host/reset-password?lang=en&step={}", d.digits(1)),
        format!("https://cdn.host/{}/app.js", d.hex(20)),
        format!("https://host/u/{}?v={}", d.uuid(), d.hex(8)),
        "mongodb://localhost:27017/test".to_string(),
        format!("s3://bucket/{}/x.parquet", d.hex(32)),
        "ftp://anonymous@host".to_string(),
        "redis://localhost:6379/0".to_string(),
        "https://user:***@host/x".to_string(),
        "http://[::1]:3000/".to_string(),
    ];
    forms[d.below(forms.len())].clone()
}

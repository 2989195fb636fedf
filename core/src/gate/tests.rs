//! Properties of the whole gate, and its behaviour on JSON. No literal here is shaped like a secret: each is put
//! together when the test runs.

use core::time::Duration;
use std::borrow::Cow;
use std::format;
use std::string::{String, ToString};
use std::time::Instant;
use std::vec::Vec;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{SECRET, Verdict, injection, redact, redact_value, screen, secret};

/// A made-up token of a shape that the gate knows.
fn token() -> String {
    format!("gh{}_{}", 'p', "Zq4Rt7Lm2Xc9Vb1N".repeat(3).get(..36).unwrap_or_default())
}

#[test]
fn screens_with_kind_span_and_reason() {
    let text = format!("use {} for it", token());
    let verdict = screen(&text);
    assert_eq!(verdict, Verdict::Secret { kind: "github_token", span: 4..44 });
    assert_eq!(verdict.reason(), Some(SECRET));
    assert_eq!(screen("use the key in the vault").reason(), None);
}

#[test]
fn redacts_to_a_typed_placeholder_and_leaves_clean_text_alone() {
    assert_eq!(redact(&format!("use {} for it", token())), "use [secret:github_token] for it");
    assert!(matches!(redact("nothing here"), Cow::Borrowed("nothing here")));
}

#[test]
fn a_placeholder_is_neither_a_secret_nor_a_cover_for_one() {
    for text in [
        "password=[secret:password]",
        "the password is [secret:password]",
        "https://u:[secret:password]@host",
    ] {
        assert_eq!(redact(text), text);
    }
    let text = format!("[secret:{}]", token());
    assert!(!redact(&text).contains(&token()));
}

#[test]
fn redacts_json_by_content_and_by_key() {
    let word = format!("Mellow{}Tundra", "42!");
    let mut value = json!({
        "password": word, "nested": [{"note": format!("key {}", token())}], token(): 1,
        "env": {"name": "DB_PASSWORD", "value": word}, "passwords": [], "token": ["$TOKEN"], "count": 7,
    });
    assert_eq!(redact_value(&mut value), 4);
    let shown = value.to_string();
    assert!(!shown.contains(&word) && !shown.contains(&token()), "{shown}");
    assert_eq!(value["password"], "[secret:password]");
    assert_eq!(value["token"][0], "$TOKEN");
    assert_eq!(redact_value(&mut value), 0);
}

#[test]
fn keeps_both_values_when_two_keys_become_one() {
    let mut value = json!({format!("a {}", token()): 1, format!("a {}1", token()): 2});
    assert_eq!(redact_value(&mut value), 2);
    assert_eq!(value, json!({"a [secret:github_token]": 1, "a [secret:github_token] 2": 2}));
}

#[test]
fn walks_any_depth() {
    let mut value = json!(token());
    for _ in 0..5_000 {
        value = Value::Array(Vec::from([value]));
    }
    assert_eq!(redact_value(&mut value), 1);
    // Taken apart by hand: dropping such a value recurses.
    while let Value::Array(mut items) = value {
        value = items.pop().unwrap_or_default();
    }
    assert_eq!(value, "[secret:github_token]");
}

/// Pieces that the scanners look for; rows of them are the worst that a text can hold.
const PIECES: &[&str] = &[
    "sk-",
    "sk-ant-",
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9.",
    "://",
    "://a:b",
    "@",
    "-----",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "password=",
    "password ",
    "password is ",
    "token: ",
    "Bearer ",
    "Cookie: ",
    "sessionid=",
    ";a=",
    "密码",
    "пароль ",
    "-p",
    " -p ",
    "curl -u a:",
    "1:22222:",
    "[secret:",
    "[secret:password]",
    "'",
    "\"",
    "\\\"",
    "\\n",
    "\n",
    " ",
    "A",
    "Ab1!",
    "Zq4Rt7Lm2Xc9Vb1N",
    "0123",
    "ffee12",
    "M",
    ".",
    ":AA",
    "12345678",
    ".atlasv1.",
    "sig=",
    "=",
    "<",
    ">",
    "\u{3000}",
    "é",
    "\u{200b}",
    "\u{202e}",
    "<|",
    "<!--",
    "ignore all ",
    "previous instructions",
    "this note ",
    "never delete",
    "backup codes ",
    "a1b2-c3d4 ",
    "seed phrase ",
    "abandon ability absorb acoustic balance bamboo ",
    "otp ",
    "482 913",
    " is your code",
    "PIN: ",
    "kittens",
    "\"kittens\"",
    "\u{456}gnore ",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => prop::sample::select(PIECES).prop_map(String::from), 1 => ".{0,6}", 1 => "[A-Za-z0-9]{8,40}"];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn findings_are_ordered_disjoint_and_on_boundaries(text in hostile()) {
        let mut last = 0;
        for finding in secret::find(&text) {
            prop_assert!(last <= finding.span.start && finding.span.start < finding.span.end);
            prop_assert!(text.get(finding.span.clone()).is_some());
            last = finding.span.end;
        }
    }

    #[test]
    fn redacted_text_holds_no_secret_and_stays(text in hostile()) {
        let once = redact(&text).into_owned();
        prop_assert_eq!(secret::find(&once), []);
        prop_assert_eq!(&redact(&once), &once);
    }

    #[test]
    fn suspicion_is_total(text in hostile()) {
        let _ = injection::suspect(&text);
    }

    #[test]
    fn json_never_panics_and_settles(key in hostile(), text in hostile()) {
        let mut value = json!({key: [text.clone()], "password": text});
        redact_value(&mut value);
        prop_assert_eq!(redact_value(&mut value), 0);
    }
}

/// How long `times` searches of `text` take in a row.
#[expect(clippy::disallowed_methods, reason = "a test of time needs a clock")]
fn cost(text: &str, times: usize, search: fn(&str)) -> Duration {
    let start = Instant::now();
    (0..times).for_each(|_| search(text));
    start.elapsed()
}

/// Asserts that a text costs about as much as its eight parts; for a quadratic search it costs eight times as much.
fn grows_linearly(piece: &str, search: fn(&str)) {
    let (part, whole) = (piece.repeat((1 << 13) / piece.len()), piece.repeat((1 << 16) / piece.len()));
    let mut seen = Vec::new();
    // A busy machine may stop a run in its middle; it does not do so each time.
    for _ in 0..6 {
        let (parts, whole) = (cost(&part, 8, search), cost(&whole, 1, search));
        if whole < parts * 3 + Duration::from_millis(5) {
            return;
        }
        seen.push((parts, whole));
    }
    panic!("{piece:?} costs more than its length: {seen:?}");
}

#[test]
fn the_search_for_secrets_is_linear_in_any_piece() {
    let more = [
        "token=",
        "eyJ-",
        "eyJ.",
        "a:1234:",
        "//",
        "; ",
        "password:",
        "\"",
        ":",
        "a",
        "backup codes 1234-5678 ",
        "seed abandon ",
        "otp 123 ",
        "123 456 is your otp ",
        "PIN: ",
        "echo a | sudo -S ",
        "AZDO",
        "_mmk",
        "login ",
        "auth=",
        "7z -p",
        "-",
    ];
    for piece in PIECES.iter().chain(&more) {
        grows_linearly(piece, |text| {
            let _ = secret::find(text).len();
        });
    }
}

#[test]
fn the_search_for_orders_is_linear_in_any_piece() {
    let pieces = [
        "ignore all ",
        "previous instructions",
        "this note ",
        "\u{456}gnore ",
        "忽略",
        "发送密钥",
        "<|",
        "<!--",
        "</",
        "role",
        "\n",
        ".",
        "A",
        "a ",
        "curl ",
        "curl|",
        "| sh ",
        "sh $(curl ",
        "never curl -k ",
        "rm -rf ",
        "never rm -r ",
        "chmod ",
        "git clean ",
        "%41",
        "&#65;",
        "\\u0041",
        "never ",
        "send your token ",
        "claude.md ",
        "ai agent ",
        "://",
        "@",
        "never --insecure ",
        "1a",
        "61",
    ];
    for piece in pieces {
        grows_linearly(piece, |text| {
            let _ = injection::suspect(text);
        });
    }
}

#[test]
fn ids_of_calls_and_runs_pass_untouched() {
    let body = "Jm4kQz81TnWv0RxYb6LdHc27";
    for head in ["call_", "toolu_01", "req_011", "run-", "msg_", "chatcmpl-", "resp_", "session_", "thread_"]
    {
        let id = format!("{head}{body}");
        for text in [
            id.clone(),
            format!("{{\"id\": \"{id}\"}}"),
            format!("tool_call_id={id}"),
            format!("token: {id}"),
        ] {
            assert_eq!(redact(&text), text.as_str());
        }
    }
}

#[test]
fn hard_negatives_pass() {
    let hex = "9f3b27c1d4e8".repeat(6);
    let part = |n: usize| hex.get(..n).unwrap_or_default().to_string();
    let mixed = "qR7+Zt/4Lm9Xc2Vb".repeat(6);
    let texts = [
        format!("commit {}", part(40)),
        format!("sha256:{}", part(64)),
        format!("md5 {} *file", part(32)),
        format!("\"integrity\": \"sha512-{}==\"", mixed.get(..86).unwrap_or_default()),
        format!("--hash=sha256:{}", part(64)),
        format!("checksum = \"{}\"", part(64)),
        format!("id: {}-{}-4{}-a{}-{}", part(8), part(4), part(3), part(3), part(12)),
        format!("data:image/png;base64,iVBORw0KGgo{mixed}"),
        format!("traceparent: 00-{}-{}-01", part(32), part(16)),
        format!("session_id={}", part(32)),
        format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{} me@host", mixed.get(..40).unwrap_or_default()),
        format!("-----BEGIN CERTIFICATE-----\n{mixed}\n-----END CERTIFICATE-----"),
        "token: <token>, password: ${DB_PASS}, api_key: $KEY, secret=xxxxxxxxxxxx, pwd=********".to_string(),
        "api_key: \"your-api-key\"; password=changeme; token=\"...\"; secret: example-secret-1".to_string(),
        "password = os.environ[\"DB_PASSWORD\"]; token = getToken(1); secret: config.secrets.v1".to_string(),
        "password: string; token: Option<String>; passwd -> None; bypass=true1; max_tokens=4096".to_string(),
        "/home/me/.config/app/token.json and C:\\Users\\me\\secret.key; key_file=/etc/ssl/private/key2.pem"
            .to_string(),
        "The password must have 8 characters, a digit and a mark.".to_string(),
        "if line.contains(\"-----BEGIN PRIVATE KEY-----\") { hide(line) }".to_string(),
        "docker run -p 8080:80 web; mkdir -p a/B2/c; ssh -p 2222 host".to_string(),
        "postgres://postgres:postgres@localhost/test and https://user:password@host/".to_string(),
        "nextPageToken: \"CAoQAA9Zq4Rt7Lm2Xc9Vb1N\"".to_string(),
    ];
    for text in texts {
        assert_eq!(secret::find(&text), [], "{text}");
    }
}

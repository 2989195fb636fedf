//! Lines of logs and of tools that speak of secrets and hold none.

use std::format;
use std::string::{String, ToString};

use super::Dice;

pub(super) fn log(d: &mut Dice) -> String {
    let forms = [
        "PASS: test_login".to_string(),
        "pass: lint".to_string(),
        "test password_is_hashed ... ok".to_string(),
        "New password: Retype new password: passwd: password updated successfully".to_string(),
        "Enter password: ".to_string(),
        "fatal: could not read Password for 'https://host': terminal prompts disabled".to_string(),
        "error: unknown option `password'".to_string(),
        "KeyError: 'password'".to_string(),
        "TypeError: password must be str, not None".to_string(),
        "ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)".to_string(),
        "invalid token: unexpected end of input".to_string(),
        "Unexpected token } in JSON at position 42".to_string(),
        "SyntaxError: Unexpected token 'export'".to_string(),
        "expected token: identifier, found `:`".to_string(),
        format!("[{}] INFO auth: password login enabled", d.digits(10)),
        "warning: field `password` is never read".to_string(),
        "pwd: /home/me/src".to_string(),
        "bin boot dev etc home lib media mnt opt proc root run sbin srv sys tmp usr var".to_string(),
        "Secret: created".to_string(),
        "secret/db configured".to_string(),
        "token: valid until 2027".to_string(),
        "password: accepted".to_string(),
        "login ok, password: unchanged".to_string(),
        "Cookie: theme=dark; lang=en".to_string(),
        "random seed: 20261130".to_string(),
        "seed=1234567890".to_string(),
    ];
    forms[d.below(forms.len())].clone()
}

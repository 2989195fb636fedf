//! Passwords beside the account they open, without a name: "root / Lyon-Racine44", `/user:scanner Kopierer-2OG!`.
//!
//! Decides by an account that every machine has, or a flag for one, and right behind it a value that can hardly be a
//! word. Never takes a plain word there: "root / admin" are two accounts.

use alloc::vec::Vec;

use super::words_of::pieces;
use super::{Finding, value};

/// Accounts that machines and databases come with, lower-case.
#[rustfmt::skip]
const ACCOUNTS: &[&str] = &[
    "root", "admin", "administrator", "administrateur", "administrador", "sysadmin", "postgres", "mysql", "oracle",
    "sa", "ubuntu", "debian", "ec2-user", "pi", "vagrant", "jenkins", "backup",
];

/// A flag whose value is an account; what follows it is the password.
const FLAG: &str = "/user:";

/// Adds the password behind each account of `text`.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\0']) {
        let mut known = Known::Nothing;
        for piece in pieces(line) {
            let shown = line.get(piece.shown.clone()).unwrap_or_default();
            let real = match known {
                Known::Nothing => false,
                Known::Beside => {
                    value::is_strong(shown) && shown.contains(['!', '#', '$', '@', '&', '*', '?', '%'])
                }
                Known::Told => value::is_strong(shown),
            };
            if real && shown.len() > 7 {
                let span = start + piece.shown.start..start + piece.shown.end;
                out.push(Finding { kind: "password", span });
            }
            known = known.after(piece.word);
        }
        start += line.len();
    }
}

/// What the words so far say of the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// It stands beside an account.
    Beside,
    /// It is parted from an account by `/`, or stands behind a flag for one.
    Told,
}

impl Known {
    fn after(self, word: &str) -> Self {
        let lower = word.to_lowercase();
        if lower.starts_with(FLAG) {
            Self::Told
        } else if ACCOUNTS.contains(&lower.trim_matches(['"', '\'', '`', '(', ','])) {
            Self::Beside
        } else if self == Self::Beside && lower == "/" {
            Self::Told
        } else {
            Self::Nothing
        }
    }
}

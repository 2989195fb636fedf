//! What a failing call was about: the kind of thing among its arguments that the error speaks of.
//!
//! Decides by words that the error and an argument share. Never keeps a value: `gift_card_12` is a gift card.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::action::kind_of;
use super::run::leaves;

/// The shortest kind, in bytes: shorter ones stand in any text.
const SHORTEST: usize = 3;

/// The argument value that the error speaks of by its kind, and that kind in words: of `payment_id: gift_card_12` and
/// "the gift card has expired" it is `gift card`. `said` is the error with classes in place of its values.
pub(crate) fn about<'a>(args: &'a Value, said: &str) -> Option<(&'a str, String)> {
    let said = format!(" {} ", words(said));
    let mut found = None;
    each_kind(args, &mut |value, kind| {
        if found.is_none() && said.contains(&format!(" {kind} ")) {
            found = Some((value, kind));
        }
    });
    found
}

/// The kinds of the things that the arguments of a call name by their ids.
pub(crate) fn kinds(args: &Value) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    each_kind(args, &mut |_, kind| out.extend([kind]));
    out
}

/// The name under which calls of a shape are counted that name a thing of this kind.
pub(crate) fn narrowed(shape: &str, kind: &str) -> String {
    if kind.is_empty() { shape.to_string() } else { format!("{shape} ~ {kind}") }
}

/// Whether the arguments of a call name a thing of this kind; of no kind, any call does.
pub(crate) fn concerns(args: &Value, kind: &str) -> bool {
    kind.is_empty() || kinds(args).contains(kind)
}

fn each_kind<'a>(args: &'a Value, take: &mut impl FnMut(&'a str, String)) {
    leaves(args, &mut |_, value| {
        if let Some(kind) = kind_of(value).map(words).filter(|kind| kind.len() >= SHORTEST) {
            take(value, kind);
        }
    });
}

/// A text in small letters with a single blank between its words.
fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_kind_that_the_error_names() {
        let args =
            json!({ "order": "W12", "pay": [{ "id": "credit_card_9", "n": 1 }, { "id": "voucher-77" }] });
        let kind = |said| about(&args, said).map(|(value, kind)| (value.to_string(), kind));
        assert_eq!(kind("the voucher has expired"), Some(("voucher-77".into(), "voucher".into())));
        assert_eq!(kind("Credit card: refused"), Some(("credit_card_9".into(), "credit card".into())));
        assert_eq!(kind("the vouchers page is closed"), None);
        assert_eq!(kind("not enough seats"), None);
    }

    #[test]
    fn a_call_that_concerns_it() {
        assert!(concerns(&json!({ "pay": [{ "id": "Credit-Card_4" }] }), "credit card"));
        assert!(!concerns(&json!({ "pay": [{ "id": "credit_4", "card": "x" }] }), "credit card"));
        assert!(concerns(&json!({}), ""));
    }
}

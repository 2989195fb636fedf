//! A verb with its options, read from JSON.
//!
//! Decides which options belong to which verb. The options are read as a text of their own, by the code that reads
//! every text: a reader of tagged values would be made anew for each type in them, a twentieth of the engine in
//! WebAssembly.

use alloc::string::{String, ToString};
use core::fmt;

use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::input::{Input, Learn};

/// The names of the verbs, in the order of [`Input`].
const VERBS: &[&str] = &[
    "observe",
    "learn",
    "teach",
    "remember",
    "facts",
    "audit",
    "extract",
    "import_facts",
    "export_facts",
    "recall",
    "get",
    "list",
    "forget",
    "forget_source",
    "restore",
    "undo",
    "history",
    "explain",
    "pin",
    "unpin",
    "maintain",
    "export_records",
    "import_records",
    "stats",
    "guard",
    "react",
    "settle",
    "mute",
    "unmute",
    "review",
    "resolve",
    "report",
];

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (verb, options) = from.deserialize_map(Options)?;
        input(verb, options)
    }
}

struct Options;

impl<'de> Visitor<'de> for Options {
    type Value = (&'static str, Map<String, Value>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a verb with its options")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let (mut verb, mut options) = (None, Map::new());
        while let Some(key) = from.next_key::<String>()? {
            if key == "verb" {
                verb = Some(from.next_value::<Name>()?.0);
            } else {
                options.insert(key, from.next_value()?);
            }
        }
        Ok((verb.ok_or_else(|| A::Error::missing_field("verb"))?, options))
    }
}

/// The name of a verb that there is.
struct Name(&'static str);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(Self(""))
    }
}

impl Visitor<'_> for Name {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a verb")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self, E> {
        let known = VERBS.iter().find(|verb| **verb == name);
        known.map(|verb| Self(verb)).ok_or_else(|| E::unknown_variant(name, VERBS))
    }
}

fn input<E: Error>(verb: &str, options: Map<String, Value>) -> Result<Input, E> {
    match verb {
        "learn" => learn(options).map(Input::Learn),
        "observe" => read(options).map(Input::Observe),
        "teach" => read(options).map(Input::Teach),
        "recall" => read(options).map(Input::Recall),
        "get" => read(options).map(Input::Get),
        "list" => read(options).map(Input::List),
        "forget" => read(options).map(Input::Forget),
        "restore" => read(options).map(Input::Restore),
        "undo" => read(options).map(Input::Undo),
        "history" => read(options).map(Input::History),
        "explain" => read(options).map(Input::Explain),
        "pin" => read(options).map(Input::Pin),
        "unpin" => read(options).map(Input::Unpin),
        "maintain" => read(options).map(Input::Maintain),
        "export_records" => read(options).map(Input::ExportRecords),
        "import_records" => read(options).map(Input::ImportRecords),
        "stats" => read(options).map(Input::Stats),
        "guard" => read(options).map(Input::Guard),
        "react" => read(options).map(Input::React),
        "settle" => read(options).map(Input::Settle),
        "mute" => read(options).map(Input::Mute),
        "unmute" => read(options).map(Input::Unmute),
        "review" => read(options).map(Input::Review),
        "resolve" => read(options).map(Input::Resolve),
        "report" => read(options).map(Input::Report),
        "remember" => read(options).map(Input::Remember),
        "facts" => read(options).map(Input::Facts),
        "audit" => read(options).map(Input::Audit),
        "extract" => read(options).map(Input::Extract),
        "import_facts" => read(options).map(Input::ImportFacts),
        "export_facts" => read(options).map(Input::ExportFacts),
        "forget_source" => read(options).map(Input::ForgetSource),
        _ => Err(E::unknown_variant(verb, VERBS)),
    }
}

/// A trace may be long: it is taken as it is.
fn learn<E: Error>(mut options: Map<String, Value>) -> Result<Learn, E> {
    let data = match options.remove("data") {
        Some(Value::String(data)) => Some(data),
        Some(other) => {
            options.insert("data".into(), other);
            None
        }
        None => None,
    };
    let learn: Learn = read(options)?;
    Ok(Learn { data: data.or(learn.data), ..learn })
}

/// Apart for each verb: who wakes in WebAssembly compiles a function as a whole when it is first called.
#[inline(never)]
fn read<T: DeserializeOwned, E: Error>(options: Map<String, Value>) -> Result<T, E> {
    let text = Value::Object(options).to_string();
    serde_json::from_str(&text).map_err(|problem| {
        // The place is one in a text that nobody has seen; the reader of the whole adds its own.
        let said = problem.to_string();
        E::custom(said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_verb_with_options_of_its_own() {
        for verb in VERBS {
            let json = alloc::format!(r#"{{"verb":"{verb}","colour":1}}"#);
            let said = serde_json::from_str::<Input>(&json).map_err(|problem| problem.to_string());
            assert!(
                said.as_ref().is_err_and(|said| said.contains("unknown field `colour`")),
                "{verb}: {said:?}"
            );
        }
        let learn = serde_json::from_str::<Input>(r#"{"verb":"learn","data":"a\nb","actor":"me"}"#);
        let options = Learn { data: Some("a\nb".into()), actor: "me".into(), ..Learn::default() };
        assert_eq!(learn.map_err(|problem| problem.to_string()), Ok(Input::Learn(options)));
        assert!(serde_json::from_str::<Input>(r#"{"verb":"learn","data":7}"#).is_err());
    }
}

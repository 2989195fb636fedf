//! Dumps of other memories: the MCP reference server's `memory.jsonl`, mem0's `get_all`, a store of `LangGraph`.
//!
//! Decides what of each is a claim. What has another shape is counted and passed over.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::{Harvest, Taken};
use crate::env::Timestamp;
use crate::op::{Document, FactFormat};
use crate::record::{Scope, ScopeKey};

/// The form that a text looks like.
pub(super) fn detect(text: &str) -> Option<FactFormat> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    if let Ok(Value::Object(line)) = serde_json::from_str(first)
        && matches!(line.get("type").and_then(Value::as_str), Some("entity" | "relation"))
    {
        return Some(FactFormat::McpMemory);
    }
    let whole: Value = serde_json::from_str(text).ok()?;
    let one = rows(&whole).into_iter().next()?;
    if one.get("memory").is_some() {
        return Some(FactFormat::Mem0);
    }
    (one.get("namespace").is_some() && one.get("value").is_some()).then_some(FactFormat::LanggraphStore)
}

/// Entities with their observations, and relations between them, one a line.
pub(super) fn mcp_memory(documents: &[Document], harvest: &mut Harvest) {
    for line in documents.iter().flat_map(|one| one.text.lines()).filter(|line| !line.trim().is_empty()) {
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            harvest.skip("not_json");
            continue;
        };
        match text(&value, &["type"]).as_str() {
            "entity" => entity(&value, harvest),
            "relation" => {
                let (subject, object) = (text(&value, &["from"]), text(&value, &["to"]));
                relation(subject, &text(&value, &["relationType"]), object, harvest);
            }
            _ => harvest.skip("wrong_shape"),
        }
    }
}

fn entity(value: &Value, harvest: &mut Harvest) {
    let name = text(value, &["name"]);
    let kind = text(value, &["entityType"]);
    if name.is_empty() {
        return harvest.skip("wrong_shape");
    }
    if !kind.is_empty() {
        let (subject, predicate) = (name.clone(), "is of kind".to_owned());
        harvest.taken.push(Taken {
            subject,
            predicate,
            object: kind,
            place: name.clone(),
            ..Taken::default()
        });
    }
    for one in value.get("observations").and_then(Value::as_array).into_iter().flatten() {
        match one.as_str().map(str::trim).filter(|one| !one.is_empty()) {
            Some(said) => {
                let names = said.to_lowercase().contains(&name.to_lowercase());
                let text = if names { said.to_owned() } else { [&name, ": ", said].concat() };
                harvest.taken.push(Taken { text, place: name.clone(), ..Taken::default() });
            }
            None => harvest.skip("empty_text"),
        }
    }
}

/// A relation of a graph holds beside others of its kind.
fn relation(subject: String, kind: &str, object: String, harvest: &mut Harvest) {
    if subject.is_empty() || kind.is_empty() || object.is_empty() {
        return harvest.skip("wrong_shape");
    }
    let place = [&subject, " ", kind].concat();
    let predicate = kind.replace('_', " ").to_lowercase();
    harvest.taken.push(Taken { subject, predicate, object, many: true, place, ..Taken::default() });
}

/// `{"results": […], "relations": […]}`, or the list alone.
pub(super) fn mem0(documents: &[Document], harvest: &mut Harvest) {
    for value in parsed(documents, harvest) {
        for one in rows(&value) {
            let said = text(one, &["memory"]);
            if said.is_empty() {
                harvest.skip("wrong_shape");
                continue;
            }
            let tags = one.get("categories").and_then(Value::as_array).into_iter().flatten();
            harvest.taken.push(Taken {
                text: said,
                scope: owner(one, &[("user_id", ScopeKey::User), ("agent_id", ScopeKey::Agent)]),
                place: text(one, &["id"]),
                tags: tags.filter_map(Value::as_str).map(str::to_owned).collect(),
                said_at: time(one, &["updated_at", "created_at"]),
                valid_to: time(one, &["expiration_date"]),
                ..Taken::default()
            });
        }
        for one in value.get("relations").and_then(Value::as_array).into_iter().flatten() {
            let object = text(one, &["target", "destination"]);
            relation(text(one, &["source"]), &text(one, &["relationship", "relation"]), object, harvest);
        }
    }
}

/// Items with namespace, key and value.
pub(super) fn langgraph(documents: &[Document], harvest: &mut Harvest) {
    for value in parsed(documents, harvest) {
        for one in rows(&value) {
            let Some(held) = one.get("value") else {
                harvest.skip("wrong_shape");
                continue;
            };
            let inner = held.get("content").filter(|inner| inner.is_object()).unwrap_or(held);
            let mut taken = Taken {
                place: [namespace(one), text(one, &["key"])].join("/"),
                said_at: time(one, &["updated_at", "created_at"]),
                ..Taken::default()
            };
            let parts = (text(inner, &["subject"]), text(inner, &["predicate"]), text(inner, &["object"]));
            if parts.0.is_empty() || parts.1.is_empty() || parts.2.is_empty() {
                taken.text = held
                    .as_str()
                    .map_or_else(|| text(inner, &["content", "text", "memory", "fact"]), str::to_owned);
            } else {
                (taken.subject, taken.predicate, taken.object) = parts;
            }
            if taken.text.is_empty() && taken.subject.is_empty() {
                harvest.skip("wrong_shape");
            } else {
                harvest.taken.push(taken);
            }
        }
    }
}

fn namespace(one: &Value) -> String {
    match one.get("namespace") {
        Some(Value::Array(parts)) => parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("/"),
        Some(Value::String(name)) => name.clone(),
        _ => String::new(),
    }
}

fn parsed(documents: &[Document], harvest: &mut Harvest) -> Vec<Value> {
    let read = documents.iter().map(|one| serde_json::from_str(&one.text));
    let mut out = Vec::new();
    for one in read {
        match one {
            Ok(value) => out.push(value),
            Err(_) => harvest.skip("not_json"),
        }
    }
    out
}

/// The items of a dump, wherever it keeps them.
fn rows(value: &Value) -> Vec<&Value> {
    let held = ["results", "memories", "items", "data"].iter().find_map(|name| value.get(*name)?.as_array());
    value.as_array().or(held).into_iter().flatten().filter(|one| one.is_object()).collect()
}

fn text(value: &Value, names: &[&str]) -> String {
    names.iter().find_map(|name| value.get(*name)?.as_str()).unwrap_or_default().trim().to_owned()
}

fn time(value: &Value, names: &[&str]) -> Option<Timestamp> {
    names.iter().find_map(|name| {
        let given = value.get(*name)?.as_str()?;
        let plain = given.replace(' ', "T");
        Timestamp::parse(&plain).or_else(|| Timestamp::parse(&[&plain, "Z"].concat()))
    })
}

fn owner(value: &Value, keys: &[(&str, ScopeKey)]) -> Scope {
    let named = keys.iter().filter_map(|(name, key)| Some((*key, value.get(*name)?.as_str()?)));
    named.fold(Scope::global(), |scope, (key, name)| scope.with(key, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    fn document(text: &str) -> Vec<Document> {
        vec![Document { name: "dump".into(), text: text.into() }]
    }

    #[test]
    fn each_dump_is_told_and_read() {
        let mcp = "{\"type\":\"entity\",\"name\":\"ada\",\"entityType\":\"person\",\"observations\":[\"likes tea\",\"Ada lives in Bern\"]}\n\
                   {\"type\":\"relation\",\"from\":\"ada\",\"to\":\"lab\",\"relationType\":\"works_at\"}\nnot json\n";
        assert_eq!(detect(mcp), Some(FactFormat::McpMemory));
        let mut harvest = Harvest::default();
        mcp_memory(&document(mcp), &mut harvest);
        let said: Vec<&str> = harvest.taken.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(said, ["", "ada: likes tea", "Ada lives in Bern", ""]);
        assert_eq!((harvest.taken[3].predicate.as_str(), harvest.taken[3].many), ("works at", true));
        assert_eq!(harvest.skipped.get("not_json"), Some(&1));

        let mem0_dump = r#"{"results":[{"id":"m1","memory":"Likes tea","user_id":"ada","created_at":"2025-01-02T03:04:05-08:00","categories":["food"]}],
                            "relations":[{"source":"ada","relationship":"likes","target":"tea"}]}"#;
        assert_eq!(detect(mem0_dump), Some(FactFormat::Mem0));
        let mut harvest = Harvest::default();
        mem0(&document(mem0_dump), &mut harvest);
        assert_eq!(harvest.taken.len(), 2);
        assert_eq!(
            harvest.taken[0].said_at.map(|at| at.to_string()).as_deref(),
            Some("2025-01-02T11:04:05.000Z")
        );
        assert_eq!(harvest.taken[0].scope, Scope::global().with(ScopeKey::User, "ada"));

        let dump = r#"[{"namespace":["memories","ada"],"key":"k","value":{"content":"Likes tea"},"created_at":"2025-01-02 03:04:05"},
                       {"namespace":"m","key":"t","value":{"kind":"Triple","content":{"subject":"ada","predicate":"owns","object":"lab"}}},
                       {"namespace":"m","key":"x","value":{"n":1}}]"#;
        assert_eq!(detect(dump), Some(FactFormat::LanggraphStore));
        let mut harvest = Harvest::default();
        langgraph(&document(dump), &mut harvest);
        assert_eq!(
            (harvest.taken[0].place.as_str(), harvest.taken[1].subject.as_str()),
            ("memories/ada/k", "ada")
        );
        assert_eq!(harvest.skipped.get("wrong_shape"), Some(&1));
        assert_eq!(detect("plain words"), None);
    }
}

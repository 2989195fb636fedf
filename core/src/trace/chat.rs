//! What chat formats have in common: contents in parts, calls in messages, arguments as JSON in a string.
//!
//! Decides how those become text and values. Never decides which role says what.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::json::{Flag, Object, Text, skip};

/// The content of a message or an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Content<'a> {
    /// None, or something that is neither text nor parts.
    #[default]
    Nothing,
    /// Text.
    Text(Cow<'a, str>),
    /// Parts.
    Parts(Vec<Part<'a>>),
}

/// A part of a content.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Part<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) thinking: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) input: Value,
    pub(super) tool_use_id: Text<'a>,
    pub(super) content: Content<'a>,
    pub(super) is_error: Flag,
}

impl Content<'_> {
    /// Its text, parts joined by line ends.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Text(text) => text.into_owned(),
            Self::Parts(parts) => {
                let mut out = String::new();
                for text in parts.iter().filter_map(|part| part.text.get()) {
                    if !out.is_empty() {
                        out.push('\n');
                    }
                    out.push_str(text);
                }
                out
            }
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Content<'de>;
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Content::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Content::Text(Cow::Owned(text.to_string())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut parts = Vec::new();
                while let Some(element) = seq.next_element::<StringOrPart<'de>>()? {
                    parts.extend(element.0);
                }
                Ok(Content::Parts(parts))
            }
            skip!(scalars);
            skip!(null);
            skip!(maps);
        }
        from.deserialize_any(V)
    }
}

/// A part, or a string that stands for a part of text.
#[derive(Default)]
struct StringOrPart<'a>(Option<Part<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for StringOrPart<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = StringOrPart<'de>;
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                let text = Text(Some(Cow::Owned(text.to_string())));
                Ok(StringOrPart(Some(Part { text, ..Part::default() })))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Part::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    .map(|part| StringOrPart(Some(part)))
            }
            skip!(scalars);
            skip!(null);
            skip!(seqs);
        }
        from.deserialize_any(V)
    }
}

/// A call as OpenAI messages write it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct FunctionCall<'a> {
    pub(super) id: Text<'a>,
    pub(super) function: Object<Function<'a>>,
}

/// The function of a call.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Function<'a> {
    pub(super) name: Text<'a>,
    pub(super) arguments: Value,
}

/// Arguments as a value: a string that holds JSON is read, any other is kept as it is.
pub(super) fn arguments(given: Value) -> Value {
    let Value::String(text) = given else { return given };
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    super::json::value_or_text(text)
}

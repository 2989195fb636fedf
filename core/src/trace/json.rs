//! JSON as agents write it: typed fields that forgive another type, strings with half a surrogate pair, and numbers
//! that are too large to compute with.
//!
//! Decides how much of a slightly wrong line survives. Never decides what a line means.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::report::Bad;
use crate::env::Timestamp;

/// Epoch numbers from here on are milliseconds: as seconds they would lie beyond the year 5000.
const MILLIS_FROM: f64 = 1e11;

/// Reads a value. `spare` keeps the text where it had to be mended: see [`value`]; of a key that is there twice the
/// last counts.
pub(super) fn parse<'a, T: Deserialize<'a>>(text: &'a str, spare: &'a mut String) -> Result<T, Bad> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let Ok(value) = serde_json::from_str::<Value>(&mended(text)) else {
        return Err(Bad::from(&error));
    };
    *spare = value.to_string();
    serde_json::from_str(spare).map_err(|error| Bad::from(&error))
}

/// Any value. Half surrogate pairs become U+FFFD, and a number too large for a float is kept as the text it is.
pub(crate) fn value(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| serde_json::from_str(&mended(text)).map_err(|_| error))
}

/// The value of a text that may be JSON; the text itself where it is none.
pub(crate) fn value_or_text(text: String) -> Value {
    value(&text).unwrap_or(Value::String(text))
}

fn mended(text: &str) -> Cow<'_, str> {
    match pair_surrogates(text) {
        Cow::Borrowed(text) => quote_large_numbers(text),
        Cow::Owned(text) => Cow::Owned(quote_large_numbers(&text).into_owned()),
    }
}

/// Puts quotes around the numbers that no float holds: `1e999`, or some hundred digits.
fn quote_large_numbers(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut done, mut at) = (0, 0);
    while let Some(step) =
        text.get(at..).and_then(|rest| rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()))
    {
        let start = at + step;
        let rest = text.get(start..).unwrap_or_default();
        if rest.starts_with('"') {
            at = start + string_length(rest);
            continue;
        }
        let length = rest.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c)).unwrap_or(rest.len());
        at = start + length;
        let number = rest.get(..length).unwrap_or_default();
        if number.parse::<f64>().is_ok_and(f64::is_infinite) {
            out.push_str(text.get(done..start).unwrap_or_default());
            out.extend(["\"", number, "\""]);
            done = at;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// How long the string is that a text begins with, its quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = true;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !escaped => return at + 1,
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Replaces escapes of half surrogate pairs.
fn pair_surrogates(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(step) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + step;
        at = match (unit(text, start), unit(text, start + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => start + 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str(text.get(done..start).unwrap_or_default());
                out.push_str("\\ufffd");
                done = start + 6;
                done
            }
            _ => start + 2,
        };
        // An escaped character may be longer than one byte; only invalid JSON has that.
        while at < text.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

/// The text of a value: a string as it is, null as nothing, all else as JSON.
pub(super) fn text_of(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Visitor methods for the kinds of value a type does not want: they are read over and yield the default.
macro_rules! skip {
    (scalars) => {
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        skip!(numbers);
    };
    (numbers) => {
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (strings) => {
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (null) => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON value")
        }
    };
    (seqs) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<serde::de::IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
    (maps) => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}
pub(super) use skip;

/// A string; nothing where the value is of another kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Text<'a>(pub(super) Option<Cow<'a, str>>);

impl Text<'_> {
    /// The string, where there is one that says something.
    pub(super) fn get(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.is_empty())
    }

    pub(super) fn owned(self) -> String {
        self.0.map(Cow::into_owned).unwrap_or_default()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Text<'de>;
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Some(Cow::Borrowed(text))))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Some(Cow::Owned(text.to_string()))))
            }
            skip!(scalars);
            skip!(null);
            skip!(seqs);
            skip!(maps);
        }
        from.deserialize_any(V)
    }
}

/// A string, number or truth value, each as text: names are not always strings.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Name(pub(super) Option<String>);

impl Name {
    /// The name, where there is one that says something.
    pub(super) fn get(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.is_empty())
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Name;
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Some(text.to_string())))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Name(Some(value.to_string())))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Name(Some(value.to_string())))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Name(Some(value.to_string())))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Name(Some(value.to_string())))
            }
            skip!(null);
            skip!(seqs);
            skip!(maps);
        }
        from.deserialize_any(V)
    }
}

/// A truth value; nothing where the value is of another kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Flag(pub(super) Option<bool>);

impl Flag {
    /// Whether it is there and true.
    pub(super) fn set(self) -> bool {
        self.0 == Some(true)
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Flag;
            fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Flag(Some(value)))
            }
            skip!(numbers);
            skip!(strings);
            skip!(null);
            skip!(seqs);
            skip!(maps);
        }
        from.deserialize_any(V)
    }
}

/// A number; nothing where the value is of another kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Number(pub(super) Option<f64>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Number;
            fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Number(Some(value as f64)))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Number(Some(value as f64)))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Number(Some(value)))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Number(None))
            }
            skip!(strings);
            skip!(null);
            skip!(seqs);
            skip!(maps);
        }
        from.deserialize_any(V)
    }
}

/// A time: RFC 3339, or seconds (or milliseconds) since 1970 as a number; nothing for all else.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Time(pub(super) Option<Timestamp>);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Time;
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Time(Timestamp::parse(text)))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
                Ok(epoch(value as f64))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(epoch(value as f64))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
                Ok(epoch(value))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Time(None))
            }
            skip!(null);
            skip!(seqs);
            skip!(maps);
        }
        from.deserialize_any(V)
    }
}

fn epoch(value: f64) -> Time {
    let millis = if value.abs() < MILLIS_FROM { value * 1e3 } else { value };
    Time((millis.is_finite() && millis.abs() < 1e15).then(|| Timestamp(libm::round(millis) as i64)))
}

/// An object read as `T`; nothing where the value is of another kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object<T>(pub(super) Option<T>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = Object<T>;
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|value| Object(Some(value)))
            }
            skip!(scalars);
            skip!(strings);
            skip!(null);
            skip!(seqs);
        }
        from.deserialize_any(V(PhantomData))
    }
}

/// The objects of a list, read as `T`; empty where the value is of another kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct List<T>(pub(super) Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = List<T>;
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut out = Vec::new();
                while let Some(Object(element)) = seq.next_element::<Object<T>>()? {
                    out.extend(element);
                }
                Ok(List(out))
            }
            skip!(scalars);
            skip!(strings);
            skip!(null);
            skip!(maps);
        }
        from.deserialize_any(V(PhantomData))
    }
}

/// A tree of lists with objects as leaves: one object, a list of them, or lists in a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Node<T> {
    /// An object.
    Leaf(T),
    /// A list.
    Branch(Vec<Node<T>>),
    /// Anything else.
    #[default]
    Nothing,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Node<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = Node<T>;
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Node::Leaf)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut out = Vec::new();
                while let Some(element) = seq.next_element()? {
                    out.push(element);
                }
                Ok(Node::Branch(out))
            }
            skip!(scalars);
            skip!(strings);
            skip!(null);
        }
        from.deserialize_any(V(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_surrogate_pairs_are_replaced_and_whole_ones_kept() {
        let cases = [
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\ude00 \ud83d\ude00""#, "\u{fffd} \u{1f600}"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\ud83d\\ude00""#, "\u{fffd}\\ude00"),
            (r#""\\ud83d é\n""#, "\\ud83d é\n"),
        ];
        for (json, text) in cases {
            let mut spare = String::new();
            let read: Text<'_> = parse(json, &mut spare).expect("readable");
            assert_eq!(read.owned(), text, "{json}");
        }
    }

    #[test]
    fn numbers_that_no_float_holds_are_kept_as_text() {
        let digits = "7".repeat(400);
        let cases = [
            ("1e999", r#""1e999""#),
            ("-1E+400", r#""-1E+400""#),
            (r#"{"a":[1e999,2],"b":-3e9999}"#, r#"{"a":["1e999",2],"b":"-3e9999"}"#),
            (r#"{"1e999":"\\\" 1e999","b":1e999}"#, r#"{"1e999":"\\\" 1e999","b":"1e999"}"#),
            (r#"["\ud83d",1e999]"#, "[\"\u{fffd}\",\"1e999\"]"),
            (&digits, &alloc::format!("\"{digits}\"")),
            ("[1e308,1e-999,12345678901234567890123]", "[1e+308,0.0,1.2345678901234568e+22]"),
        ];
        for (json, read) in cases {
            assert_eq!(value(json).expect(json).to_string(), read, "{json}");
        }
        for json in ["1e999,", "[1e999", "1e99-9", "-", "\"1e999", "{1e999:1}x"] {
            assert!(value(json).is_err(), "{json}");
        }
    }

    #[test]
    fn of_a_key_that_is_there_twice_the_last_counts() {
        #[derive(Deserialize)]
        struct Pair {
            a: Number,
        }
        let mut spare = String::new();
        let pair: Pair = parse(r#"{"a":1,"a":2}"#, &mut spare).expect("readable");
        assert_eq!(pair.a.0, Some(2.0));
    }

    #[test]
    fn fields_of_another_type_are_nothing_and_cost_no_line() {
        let odd = [r#"{"k":[1]}"#, "[[2],{}]", "null", "true", "-7", "1.5", "\"x\""];
        for json in odd {
            let mut spare = [const { String::new() }; 5];
            let [a, b, c, d, e] = &mut spare;
            assert!(parse::<Text<'_>>(json, a).is_ok_and(|text| text.0.is_some() == json.starts_with('"')));
            assert!(parse::<Flag>(json, b).is_ok_and(|flag| flag.set() == (json == "true")));
            assert!(
                parse::<Number>(json, c).is_ok_and(|number| number.0.is_some() == "-1".contains(&json[..1]))
            );
            assert!(
                parse::<Object<Value>>(json, d)
                    .is_ok_and(|object| object.0.is_some() == json.starts_with('{'))
            );
            assert!(parse::<List<Value>>(json, e).is_ok_and(|list| list.0.len() <= 1));
        }
    }

    #[test]
    fn times_are_dates_seconds_or_milliseconds() {
        let at = Timestamp::parse("2026-03-01T10:00:00.500Z");
        for json in [r#""2026-03-01T11:00:00.5+01:00""#, "1772359200.5", "1772359200500"] {
            let mut spare = String::new();
            assert_eq!(parse::<Time>(json, &mut spare).expect("readable").0, at, "{json}");
        }
    }
}

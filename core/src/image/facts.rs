//! What the indexes of a view hold of one record.
//!
//! Decides what of a record is looked up. Holds nothing that the record does not say.

use alloc::string::String;
use alloc::vec::Vec;

use super::cue::Cue;
use crate::bytes::{Reader, put_list, put_text, put_u64, sum};
use crate::env::{RecordId, Timestamp};
use crate::record::{
    Brief, EventKey, Kind, Pin, Record, Scope, SourceClass, Status, Subtype, Support, hash64,
};
use crate::text::{Bag, subject_key};

/// Words in several scripts: a build that reads words otherwise has another mark.
const SAMPLE: &str =
    "Running 3 failed_tests: l'été, groß, WriteFile can't open <path>, 数据库连接 не найден テスト";

/// What the indexes hold of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Scope and key, hashed.
    pub(crate) key: u64,
    pub(crate) brief: Brief,
    pub(crate) cue: Cue,
    pub(crate) group: String,
    pub(crate) tools: Vec<String>,
    pub(crate) events: Vec<EventKey>,
    /// Subject and sources of a fact, hashed.
    pub(crate) names: Vec<u64>,
    pub(crate) is_pinned: bool,
}

/// The words by which a record is found; none of a record that waits for review.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) text: Bag,
    /// The tasks of the runs where it was learned.
    pub(crate) tasks: Bag,
}

impl Words {
    /// The words of a record.
    pub(crate) fn of(record: &Record) -> Self {
        if record.status == Status::Quarantined {
            return Self::default();
        }
        Self { text: Bag::of(&indexed_text(record)), tasks: tasks(record) }
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_bag(out, &self.text);
        put_bag(out, &self.tasks);
    }

    pub(super) fn from_bytes(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self { text: bag(from)?, tasks: bag(from)? })
    }
}

impl Facts {
    /// The facts of a record.
    pub(crate) fn of(record: &Record) -> Self {
        Self {
            brief: Brief::of(record),
            cue: Cue::of(&record.key, record.triggers(), &record.signature),
            is_pinned: record.pin != Pin::None,
            ..Self::links(record)
        }
    }

    /// As [`Self::of`], without what is kept by slot.
    pub(crate) fn links(record: &Record) -> Self {
        Self {
            key: key_hash(&record.scope, &record.key),
            group: record.tool_group.clone(),
            tools: record.tools.to_vec(),
            events: record.evidence.iter().map(|one| one.key).collect(),
            names: names(record),
            ..Self::default()
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_u64(&mut out, self.key);
        put_brief(&mut out, self.brief);
        put_u64(&mut out, self.cue.key);
        put_list(&mut out, &self.cue.triggers, |out, trigger| put_u64(out, *trigger));
        put_list(&mut out, &self.cue.words, |out, word| put_u64(out, *word));
        out.push(u8::from(self.cue.has_error));
        put_text(&mut out, &self.group);
        put_list(&mut out, &self.tools, |out, tool| put_text(out, tool));
        put_list(&mut out, &self.events, |out, key| put_u64(out, key.0));
        put_list(&mut out, &self.names, |out, name| put_u64(out, *name));
        out.push(u8::from(self.is_pinned));
        out
    }

    pub(super) fn from_bytes(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            key: from.u64()?,
            brief: brief(from)?,
            cue: Cue {
                key: from.u64()?,
                triggers: from.list(Reader::u64)?.into(),
                words: from.list(Reader::u64)?.into(),
                has_error: from.u8()? != 0,
            },
            group: from.text()?,
            tools: from.list(Reader::text)?,
            events: from.list(Reader::u64)?.into_iter().map(EventKey).collect(),
            names: from.list(Reader::u64)?,
            is_pinned: from.u8()? != 0,
        })
    }
}

fn put_brief(out: &mut Vec<u8>, brief: Brief) {
    let Brief { last_confirmed_at, is_strategic, is_bare, is_pattern, is_current, is_plain } = brief;
    put_u64(out, last_confirmed_at.0.cast_unsigned());
    out.extend([is_strategic, is_bare, is_pattern, is_current, is_plain].map(u8::from));
}

fn brief(from: &mut Reader<'_>) -> Option<Brief> {
    let last_confirmed_at = Timestamp(from.u64()?.cast_signed());
    let mut flag = || Some(from.u8()? != 0);
    let (is_strategic, is_bare, is_pattern) = (flag()?, flag()?, flag()?);
    let (is_current, is_plain) = (flag()?, flag()?);
    Some(Brief { last_confirmed_at, is_strategic, is_bare, is_pattern, is_current, is_plain })
}

fn put_bag(out: &mut Vec<u8>, bag: &Bag) {
    out.extend(bag.length.to_le_bytes());
    put_list(out, &bag.terms, |out, (term, times)| {
        put_u64(out, *term);
        out.push(*times);
    });
}

fn bag(from: &mut Reader<'_>) -> Option<Bag> {
    let length = from.u16()?;
    Some(Bag { length, terms: from.list(|from| Some((from.u64()?, from.u8()?)))? })
}

/// Tells builds apart whose facts of one record differ.
pub(super) fn build() -> u64 {
    let (kind, subtype, source) = (Kind::Lesson, Subtype::Failure, SourceClass::Tool);
    let mut record = Record::new(RecordId::default(), kind, subtype, source, Timestamp(0));
    record.text = SAMPLE.into();
    record.signature = SAMPLE.into();
    record.situations.insert(SAMPLE.into());
    let mut bytes = Facts::of(&record).to_bytes();
    Words::of(&record).put(&mut bytes);
    bytes.extend(env!("CARGO_PKG_VERSION").as_bytes());
    sum(&bytes)
}

/// Scope and key in one number.
pub(crate) fn key_hash(scope: &Scope, key: &str) -> u64 {
    let scope: Vec<String> =
        scope.iter().map(|(key, value)| alloc::format!("{}={value}", key.as_str())).collect();
    hash64(&[&scope.join("\n"), key])
}

/// A name in one number: of a `subject` or of a `source`.
pub(crate) fn name_hash(what: &str, name: &str) -> u64 {
    hash64(&[what, name])
}

fn names(record: &Record) -> Vec<u64> {
    let Some(claim) = &record.claim else { return Vec::new() };
    let mut out = Vec::new();
    if !claim.subject.is_empty() {
        out.push(name_hash("subject", &subject_key(&claim.subject)));
    }
    out.extend(record.supports.iter().flat_map(Support::names).map(|name| name_hash("source", name)));
    out.sort_unstable();
    out.dedup();
    out
}

fn indexed_text(record: &Record) -> String {
    let mut out = record.text.clone();
    for part in [&record.signature].into_iter().chain(&record.tools).chain(&record.tags) {
        out.push('\n');
        out.push_str(part);
    }
    out
}

/// The tasks of the runs where it was learned.
fn tasks(record: &Record) -> Bag {
    let tasks: Vec<String> = record.situations.iter().map(|task| without_slots(task)).collect();
    Bag::of_all(tasks.iter().map(String::as_str))
}

/// A text without its slots: `<name>` stands for any name and is no word of the task.
fn without_slots(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        rest = match after.split_once('>') {
            Some((slot, tail)) if !slot.contains(char::is_whitespace) => tail,
            _ => after,
        };
        out.push(' ');
    }
    out.push_str(rest);
    out
}

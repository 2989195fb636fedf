//! Live traces and answers of models in rows.
//!
//! `trace/NAME` says how far a session goes, `line/NAME/N` is one of its lines; `answer/KEY` is an answer with its
//! place, and `kept/N` the key at that place. The name is the session's in hexadecimal digits, so that no key is
//! another's.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use serde::{Deserialize, Serialize};

use super::known::{Draft, Known, Stop, read};
use super::rows::Span;
use super::rules;
use crate::step::Reply;

#[derive(Debug, Serialize, Deserialize)]
struct Live {
    session_id: String,
    lines: u64,
    mined: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    place: u64,
    text: String,
}

/// A session in a key.
pub(super) fn name(session_id: &str) -> String {
    session_id.bytes().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

pub(super) fn append(draft: &mut Draft<'_>, session_id: &str, lines: &[String]) -> Result<Reply, Stop> {
    let known = live(draft.known, session_id)?;
    if lines.is_empty() {
        return Ok(Reply::Done);
    }
    let mut live = known.unwrap_or(Live { session_id: session_id.into(), lines: 0, mined: 0 });
    for line in lines {
        draft.put(format!("{}{:08x}", lines_of(session_id), live.lines), line.clone());
        live.lines += 1;
    }
    draft.put_json(key(session_id), &live);
    Ok(Reply::Done)
}

pub(super) fn load(known: &Known, session_id: Option<&str>) -> Result<Vec<(String, Vec<String>)>, Stop> {
    let wanted: Vec<Live> = if let Some(session_id) = session_id {
        live(known, session_id)?.into_iter().collect()
    } else {
        known.need([Span::below("trace/")])?;
        let all: Vec<Live> = known.list("trace/")?;
        all.into_iter().filter(|live| live.mined < live.lines).collect()
    };
    known.need(wanted.iter().map(|live| Span::below(&lines_of(&live.session_id))))?;
    let lines = |live: &Live| {
        known.below(&lines_of(&live.session_id)).map(|(_, line)| line.to_string()).collect::<Vec<String>>()
    };
    Ok(wanted.into_iter().map(|live| (live.session_id.clone(), lines(&live))).collect())
}

pub(super) fn mined(
    draft: &mut Draft<'_>,
    sessions: &[(String, u64)],
    ended: &[String],
) -> Result<Reply, Stop> {
    let names = sessions.iter().map(|(name, _)| name).chain(ended);
    draft.known.need(names.map(|name| Span::one(&key(name))))?;
    for (session_id, lines) in sessions {
        if let Some(mut live) = live(draft.known, session_id)? {
            live.mined = live.mined.max(*lines).min(live.lines);
            draft.put_json(key(session_id), &live);
        }
    }
    for session_id in ended {
        draft.known.need([Span::below(&lines_of(session_id))])?;
        let key = key(session_id);
        let live: Option<Live> = draft.row(&key).map(|value| read(&key, "", value)).transpose()?;
        if live.is_some_and(|live| live.mined >= live.lines) {
            remove(draft, session_id);
        }
    }
    Ok(Reply::Done)
}

/// Takes sessions out, all of which have been read.
pub(super) fn erase(draft: &mut Draft<'_>, sessions: &BTreeSet<String>) -> Result<(), Stop> {
    for (key, value) in draft.below("trace/") {
        let live: Live = read(&key, "", &value)?;
        if sessions.contains(&live.session_id) {
            remove(draft, &live.session_id);
        }
    }
    Ok(())
}

pub(super) fn answers(known: &Known, keys: &[String]) -> Result<Vec<Option<String>>, Stop> {
    let keys: Vec<String> = keys.iter().map(|key| format!("answer/{key}")).collect();
    known.need(keys.iter().map(|key| Span::one(key)))?;
    keys.iter()
        .map(|key| {
            let kept: Option<Answer> = known.row(key).map(|value| read(key, "", value)).transpose()?;
            Ok(kept.map(|kept| kept.text))
        })
        .collect()
}

pub(super) fn keep_answers(draft: &mut Draft<'_>, answers: &[(String, String)]) -> Result<Reply, Stop> {
    let keys = answers.iter().map(|(key, _)| Span::one(&format!("answer/{key}")));
    draft.known.need(keys.chain([Span::below("kept/")]))?;
    let last = draft.known.below("kept/").filter_map(|(place, _)| u64::from_str_radix(place, 16).ok()).max();
    for (place, (key, text)) in (last.map_or(0, |last| last + 1)..).zip(answers) {
        let row = format!("answer/{key}");
        let before: Option<Answer> = draft.known.row(&row).map(|value| read(&row, "", value)).transpose()?;
        if let Some(before) = before {
            draft.remove(format!("kept/{:016x}", before.place));
        }
        draft.put(format!("kept/{place:016x}"), key.clone());
        draft.put_json(row, &Answer { place, text: text.clone() });
    }
    let kept = draft.below("kept/");
    let surplus = kept.len().saturating_sub(rules::ANSWERS);
    for (place, key) in kept.into_iter().take(surplus) {
        draft.remove(place);
        draft.remove(format!("answer/{key}"));
    }
    Ok(Reply::Done)
}

fn live(known: &Known, session_id: &str) -> Result<Option<Live>, Stop> {
    let key = key(session_id);
    known.need([Span::one(&key)])?;
    known.row(&key).map(|value| read(&key, "", value)).transpose()
}

fn remove(draft: &mut Draft<'_>, session_id: &str) {
    draft.remove(key(session_id));
    for (key, _) in draft.below(&lines_of(session_id)) {
        draft.remove(key);
    }
}

fn key(session_id: &str) -> String {
    format!("trace/{}", name(session_id))
}

fn lines_of(session_id: &str) -> String {
    format!("line/{}/", name(session_id))
}

//! What a reader is told: what was committed since, or everything anew; and what is kept beside it.
//!
//! Decides nothing: what stands in the rows is what is told.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;

use super::known::{Draft, HEAD, Head, Known, Stop, read};
use super::rows::Span;
use super::{log, rules};
use crate::change::ChangeSet;
use crate::env::{RecordId, Revision};
use crate::error::Error;
use crate::image::Image;
use crate::record::Record;
use crate::step::{Loaded, Reply, Snapshot, StoredVector};
use crate::vector::Quantized;

/// The row of an image.
pub(super) const IMAGE: &str = "cache/image";
const TOMBSTONES: &str = "tombstone/";

/// A derived index with the revision it is of.
#[derive(Debug, serde::Serialize, Deserialize)]
struct Cached {
    rev: Revision,
    bytes: String,
}

pub(super) fn load(known: &Known, since: Revision) -> Result<Loaded, Stop> {
    if since.0 > 0 {
        known.need([Span::one(HEAD), log::after(since)])?;
        let head = known.head()?;
        if rules::can_follow(since, head.horizon, head.rev) {
            let list = log::sets(known, since)?;
            if list.len() as u64 != head.rev.0 - since.0 {
                return Err(Error::corrupt(format!("the log after revision {} has gaps", since.0)).into());
            }
            return Ok(Loaded::Changes { list, rev: head.rev });
        }
    }
    whole(known)
}

/// Everything, with the indexes of an image where one is kept that this embedder can use: beside the rows, or as one.
pub(super) fn open(
    known: &Known,
    beside: Option<&(Revision, Image)>,
    embedder: &str,
) -> Result<Loaded, Stop> {
    let row = beside.is_none().then(|| Span::one(IMAGE));
    known.need([Span::one(HEAD), Span::below(TOMBSTONES)].into_iter().chain(row))?;
    let head = known.head()?;
    let image = match beside {
        Some((rev, image)) => (*rev == head.rev).then(|| image.clone()),
        None => image(known, head),
    };
    let Some(image) = image.filter(|image| image.embedder() == embedder) else { return whole(known) };
    let tombstones = known.list(TOMBSTONES)?;
    Ok(Loaded::Reset(Snapshot { rev: head.rev, image: Some(image), tombstones, ..Snapshot::default() }))
}

/// The image in its row, if it is of the present revision and this build can read it.
fn image(known: &Known, head: Head) -> Option<Image> {
    let kept: Cached = serde_json::from_str(known.row(IMAGE)?).ok()?;
    (kept.rev == head.rev).then(|| unhex(&kept.bytes)).flatten().and_then(Image::read)
}

fn whole(known: &Known) -> Result<Loaded, Stop> {
    let parts = ["record/", "vector/", "run/", TOMBSTONES];
    known.need(core::iter::once(Span::one(HEAD)).chain(parts.map(Span::below)))?;
    Ok(Loaded::Reset(Snapshot {
        rev: known.head()?.rev,
        records: known.list("record/")?,
        vectors: known.below("vector/").map(|(key, value)| vector(key, value)).collect::<Result<_, _>>()?,
        runs: known.list("run/")?,
        tombstones: known.list(TOMBSTONES)?,
        ..Snapshot::default()
    }))
}

fn vector(key: &str, value: &str) -> Result<StoredVector, Stop> {
    let parts = || {
        let (record, embedder) = key.split_once('/')?;
        Some((record.parse().ok()?, embedder.to_owned()))
    };
    let bytes = unhex(value).and_then(|bytes| Quantized::from_bytes(&bytes));
    match (parts(), bytes) {
        (Some((record, embedder)), Some(vector)) => Ok(StoredVector { record, embedder, vector }),
        _ => Err(Error::corrupt(format!("the row vector/{key} cannot be read")).into()),
    }
}

/// Records as they stand at a revision; what was committed since, where the space has moved on.
pub(super) fn records(known: &Known, rev: Revision, ids: &[RecordId]) -> Result<Reply, Stop> {
    let keys: Vec<String> = ids.iter().map(record_key).collect();
    known.need(core::iter::once(Span::one(HEAD)).chain(keys.iter().map(|key| Span::one(key))))?;
    if known.head()?.rev != rev {
        return load(known, rev).map(Reply::Loaded);
    }
    let found: Result<Vec<Record>, Stop> = keys
        .iter()
        .map(|key| match known.row(key) {
            Some(value) => read(key, "", value),
            None => Err(Error::corrupt(format!("the row {key} is missing")).into()),
        })
        .collect();
    found.map(Reply::Records)
}

pub(super) fn record_key(id: &RecordId) -> String {
    format!("record/{id}")
}

fn cache_key(name: &str) -> String {
    format!("cache/{name}")
}

pub(super) fn cached(known: &Known, name: &str, rev: Revision) -> Result<Option<String>, Stop> {
    let key = cache_key(name);
    known.need([Span::one(&key)])?;
    let kept: Option<Cached> = known.row(&key).map(|value| read(&key, "", value)).transpose()?;
    Ok(kept.filter(|kept| kept.rev == rev).map(|kept| kept.bytes))
}

pub(super) fn cache(draft: &mut Draft<'_>, name: &str, rev: Revision, digits: &str) -> Result<Reply, Stop> {
    let key = cache_key(name);
    draft.known.need([HEAD, &key].map(Span::one))?;
    let head = draft.known.head()?;
    let kept: Option<Cached> = draft.known.row(&key).map(|value| read(&key, "", value)).transpose()?;
    let is_newer = kept.is_some_and(|kept| kept.rev > rev);
    if rules::may_cache(rev, head.horizon, head.rev) && !is_newer {
        draft.put_json(key, &Cached { rev, bytes: digits.to_string() });
    }
    Ok(Reply::Done)
}

/// The change set of a log row.
pub(super) fn set(key: &str, value: &str) -> Result<ChangeSet, Stop> {
    read("log/", key, value)
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(nibble(*high)? << 4 | nibble(*low)?)).collect()
}

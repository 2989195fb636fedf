//! What was believed on a day: a view of the records as they were recorded then.
//!
//! Decides by taking back, from the newest on, all that was recorded after that day. The log is the truth; what a hard
//! forget has erased stays erased.

use alloc::vec::Vec;

use super::context::{Context, Stop};
use crate::change::{apply, inverse};
use crate::env::Timestamp;
use crate::record::Record;
use crate::sort;
use crate::step::{Loaded, LogQuery, Snapshot, StoredVector};
use crate::view::View;

/// The view of a day, where one is asked for.
pub(super) fn at_day(cx: &Context<'_>, day: Option<Timestamp>, believed: bool) -> Result<Option<View>, Stop> {
    let Some(day) = day.filter(|_| believed) else { return Ok(None) };
    let log = cx.log(LogQuery { last: u32::MAX, ..LogQuery::default() })?;
    let kept = log.iter().rposition(|entry| entry.set.at <= day).map_or(0, |at| at + 1);
    let mut records = sort::map(cx.view.records().map(|record| (record.id, Some(record.clone()))));
    if cx.view.lacks() {
        return Ok(Some(View::new(None)));
    }
    for entry in log.iter().skip(kept).rev() {
        for change in entry.set.changes.iter().rev() {
            let Some(back) = inverse(&change.delta) else { continue };
            let record = records.entry(change.record).or_default();
            let is_born = matches!(back, crate::change::Delta::Create(_));
            if record.is_some() != is_born {
                apply(record, &back)?;
            }
        }
    }
    let mut records: Vec<Record> = records.into_values().flatten().collect();
    for record in &mut records {
        record.derive(cx.policy.learn.promote_at);
    }
    let embedder = cx.ports.embedder.info().map(|info| info.id);
    let vectors = records.iter().filter_map(|record| {
        let same = cx.view.get(record.id).filter(|now| now.text == record.text)?;
        Some(StoredVector {
            record: record.id,
            embedder: embedder.clone()?,
            vector: cx.view.vector(same.id)?,
        })
    });
    let vectors = vectors.collect();
    let (runs, tombstones) = (cx.view.runs().cloned().collect(), Vec::new());
    let mut view = View::new(embedder);
    let rev = log.get(kept.wrapping_sub(1)).map(|entry| entry.rev).unwrap_or_default();
    view.advance(Loaded::Reset(Snapshot {
        rev,
        records,
        image: None,
        gone: Vec::new(),
        vectors,
        runs,
        tombstones,
    }))?;
    Ok(Some(view))
}

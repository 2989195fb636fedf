//! A hard forget in rows: what shows an erased record goes, wherever it stands.
//!
//! Decides which rows end or change; what tells of a record is said by [`super::rules`].

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::commit::end;
use super::known::{Draft, Stop, read};
use super::rows::Span;
use super::rules::Remains;
use super::snapshot::set;
use super::trace;
use crate::change::{ChangeSet, RunMark};
use crate::env::RecordId;
use crate::record::Record;

/// What has to be looked at.
pub(super) fn everything() -> [Span; 10] {
    ["log/", "by/", "record/", "vector/", "run/", "trace/", "line/", "answer/", "kept/", "cache/"]
        .map(Span::below)
}

pub(super) fn erase(draft: &mut Draft<'_>, erased: &BTreeSet<RecordId>) -> Result<(), Stop> {
    draft.erases = true;
    let mut remains = Remains::default();
    let mut records = Vec::new();
    for (key, value) in draft.below("record/") {
        let record: Record = read(&key, "", &value)?;
        if erased.contains(&record.id) {
            remains.add_record(&record);
        } else {
            records.push(record);
        }
    }
    let mut log = Vec::new();
    for (key, value) in draft.below("log/") {
        let mut set = set(&key, &value)?;
        let before = set.changes.len();
        for change in set.changes.extract_if(.., |change| erased.contains(&change.record)) {
            remains.add_delta(&change.delta);
        }
        log.push(Entry { is_touched: set.changes.len() < before, key, set });
    }
    for id in erased {
        end(draft, *id);
    }
    let by = erased.iter().flat_map(|id| draft.below(&format!("by/{id}/")));
    by.collect::<Vec<_>>().into_iter().for_each(|(key, _)| draft.remove(key));
    trace::erase(draft, remains.sessions())?;
    for prefix in ["answer/", "kept/", "cache/"] {
        draft.below(prefix).into_iter().for_each(|(key, _)| draft.remove(key));
    }
    // What a record that stays names too is spared.
    for record in &records {
        remains.spare_record(record);
    }
    log.iter().flat_map(|entry| &entry.set.changes).for_each(|change| remains.spare_delta(&change.delta));
    clean(draft, &remains, log)
}

struct Entry {
    key: String,
    set: ChangeSet,
    is_touched: bool,
}

fn clean(draft: &mut Draft<'_>, remains: &Remains, log: Vec<Entry>) -> Result<(), Stop> {
    for (key, value) in draft.below("run/") {
        if remains.reach(&read::<RunMark>(&key, "", &value)?) {
            draft.remove(key);
        }
    }
    for Entry { key, mut set, is_touched } in log {
        let is_emptied = set.changes.is_empty();
        if remains.clean(&mut set, is_touched, is_emptied) || is_touched {
            draft.put_json(key, &set);
        }
    }
    Ok(())
}

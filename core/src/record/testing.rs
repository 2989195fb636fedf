//! Records for tests: each with everything by which indexes find one.

use alloc::format;

use super::{EventKey, Evidence, Kind, Pin, Record, SourceClass, Status, Subtype, TextKey};
use crate::env::{RecordId, Timestamp};

/// A record of that number. Of five, one waits for review and one is pinned.
pub(crate) fn record(n: u8) -> Record {
    let (kind, subtype, source) = (Kind::Lesson, Subtype::Failure, SourceClass::Tool);
    let mut record = Record::new(RecordId([n; 16]), kind, subtype, source, Timestamp(i64::from(n)));
    record.text = format!("Create folder{n} before `write_file`: l'été, 数据库连接");
    record.key = format!("error:folder {n}");
    record.signature = format!("no such file or directory, folder{n}");
    record.trigger = "write_file:path".into();
    record.tool_group = "write_file".into();
    record.tools.insert("write_file".into());
    record.situations.insert(format!("Write the report of week {n} for <name>"));
    record.evidence.insert(Evidence {
        key: EventKey(u64::from(n)),
        session_id: "s".into(),
        root_run_id: "s".into(),
        event_id: format!("e{n}"),
        position: 1,
        ts: Timestamp(5),
        undated: false,
        tool: "write_file".into(),
        says: TextKey(7),
    });
    match n % 5 {
        3 => record.status = Status::Quarantined,
        4 => record.pin = Pin::Pinned,
        _ => {}
    }
    record
}

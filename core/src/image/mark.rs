//! The mark of a session in the bytes of an image.

use alloc::vec::Vec;

use crate::bytes::{Reader, put_list, put_text, put_u32, put_u64};
use crate::change::{RunMark, ShapeCount};
use crate::env::Timestamp;
use crate::record::{EventKey, TextKey};

pub(super) fn put(out: &mut Vec<u8>, mark: &RunMark) {
    let RunMark { session_id, root_run_id, events, first, last, chain, at, shapes } = mark;
    put_text(out, session_id);
    put_text(out, root_run_id);
    put_u32(out, *events);
    put_u64(out, first.0);
    put_u64(out, last.0);
    put_list(out, chain, |out, key| put_u64(out, key.0));
    put_u64(out, at.0.cast_unsigned());
    put_list(out, shapes, |out, ShapeCount { shape, calls, failed }| {
        put_u64(out, shape.0);
        put_u32(out, *calls);
        put_u32(out, *failed);
    });
}

pub(super) fn read(from: &mut Reader<'_>) -> Option<RunMark> {
    Some(RunMark {
        session_id: from.text()?,
        root_run_id: from.text()?,
        events: from.u32()?,
        first: EventKey(from.u64()?),
        last: EventKey(from.u64()?),
        chain: from.list(|from| from.u64().map(EventKey))?,
        at: Timestamp(from.u64()?.cast_signed()),
        shapes: from.list(|from| {
            let shape = TextKey(from.u64()?);
            Some(ShapeCount { shape, calls: from.u32()?, failed: from.u32()? })
        })?,
    })
}

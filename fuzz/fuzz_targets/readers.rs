//! Whatever the bytes, a reader ends with traces or with an error, and how the bytes are cut does not matter.
#![no_main]

use hardwon_core::trace::{ReadLimits, Reader, Reading};
use libfuzzer_sys::fuzz_target;

// The first byte says where the rest is cut.
fuzz_target!(|input: &[u8]| {
    let Some((&at, bytes)) = input.split_first() else { return };
    let (head, tail) = bytes.split_at(bytes.len() * usize::from(at) / 256);
    assert_eq!(shown(&read(&[bytes])), shown(&read(&[head, tail])), "a cut changed what was read");
});

fn read(pieces: &[&[u8]]) -> Option<Reading> {
    let mut reader = Reader::new(None, ReadLimits::default());
    pieces.iter().for_each(|piece| reader.push(piece));
    reader.finish().ok()
}

fn shown(reading: &Option<Reading>) -> String {
    format!("{reading:?}")
}

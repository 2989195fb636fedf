//! An image says what the records say, and nothing once it is not as it was written.

use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::record::Record;
use crate::record::testing::record;

fn image_of(records: &[Record]) -> Vec<u8> {
    let mut draft = Draft::default();
    records.iter().rev().for_each(|one| draft.add(one.id, &Facts::of(one)));
    draft.finish()
}

#[test]
fn entries_say_what_records_say() {
    let records: Vec<Record> = (0..5).map(record).collect();
    let image = Image::read(image_of(&records)).expect("our own image");
    let mut again = Draft::default();
    for (entry, record) in image.entries().zip(&records) {
        assert_eq!((entry.id(), entry.facts()), (record.id, Some(Facts::of(record))));
        again.keep(&entry);
    }
    assert_eq!(again.finish(), image_of(&records));
}

#[test]
fn an_image_that_is_not_as_it_was_written_is_none() {
    let bytes = image_of(&[record(0), record(1), record(2)]);
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        assert_eq!(Image::read(other), None, "byte {at}");
        assert_eq!(Image::read(bytes[..at].into()), None, "cut at {at}");
    }
    assert_eq!(Image::read([&bytes[..], &[0]].concat()), None);
}

#[test]
fn an_entry_of_a_forger_says_nothing() {
    let mut draft = Draft::default();
    draft.rows.push((RecordId([1; 16]), vec![9, 9, 9]));
    let image = Image::read(draft.finish()).expect("a whole image");
    assert_eq!(image.entries().map(|entry| entry.facts()).collect::<Vec<_>>(), [None]);
}

proptest! {
    #[test]
    fn any_bytes_are_an_image_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(Image::read(bytes.clone()), None);
        prop_assert!(Facts::from_bytes(&bytes).is_none_or(|facts| facts.to_bytes().len() == bytes.len()));
    }
}

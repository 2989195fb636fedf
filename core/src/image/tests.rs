//! An image says what the records say, and nothing once it is not as it was written.

use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::change::ShapeCount;
use crate::env::Timestamp;
use crate::record::testing::record;
use crate::record::{EventKey, Record, TextKey};
use crate::vector::{Quantized, VectorIndex};

fn image_of(records: &[Record]) -> Vec<u8> {
    let mut draft = Draft::default();
    let mut text = LexicalIndex::new();
    for (slot, one) in records.iter().enumerate().rev() {
        let slot = slot as u32;
        let words = Words::of(one);
        text.insert(slot, &words.text);
        draft.add(slot, one.id, &Facts::of(one), &words);
    }
    finished(draft, &text)
}

fn finished(draft: Draft, text: &LexicalIndex) -> Vec<u8> {
    let mut vectors = FlatIndex::new();
    vectors.set(1, &Quantized::of(&[1.0, 2.0]));
    let mark = mark();
    draft.finish(&Indexes {
        embedder: "two@1",
        vectors: &vectors,
        is_mute: &|slot| slot == 2,
        runs: vec![&mark],
        text,
        tasks: &LexicalIndex::new(),
    })
}

fn mark() -> RunMark {
    RunMark {
        session_id: "s".into(),
        root_run_id: "r".into(),
        events: 7,
        first: EventKey(1),
        last: EventKey(2),
        chain: vec![EventKey(3), EventKey(4)],
        at: Timestamp(-5),
        shapes: vec![ShapeCount { shape: TextKey(6), calls: 3, failed: 1 }],
    }
}

#[test]
fn entries_say_what_records_say() {
    let records: Vec<Record> = (0..5).map(record).collect();
    let image = Image::read(image_of(&records)).expect("our own image");
    let mut again = Draft::default();
    for (slot, (entry, record)) in (0u32..).zip(image.entries().zip(&records)) {
        assert_eq!((entry.id(), entry.facts()), (record.id, Some(Facts::of(record))));
        assert_eq!(entry.words(), Some(Words::of(record)));
        assert!(image.has(record.id));
        again.keep(slot, &entry);
    }
    assert!(!image.has(RecordId([99; 16])));
    assert_eq!((image.len(), image.runs(), image.embedder()), (5, Some(vec![mark()]), "two@1".into()));
    let dense = image.dense().expect("vectors");
    assert_eq!((dense.mute, dense.vectors.get(1)), (vec![2], Some(Quantized::of(&[1.0, 2.0]))));
    assert_eq!((dense.vectors.len(), image.tasks().map(|tasks| tasks.len())), (1, Some(0)));
    assert_eq!(finished(again, &image.text().expect("words")), image_of(&records));
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
    draft.rows.push(Row { id: RecordId([1; 16]), slot: 0, entry: vec![9, 9, 9] });
    let image = Image::read(finished(draft, &LexicalIndex::new())).expect("a whole image");
    assert_eq!(image.entries().map(|entry| entry.facts()).collect::<Vec<_>>(), [None]);
}

proptest! {
    #[test]
    fn any_bytes_are_an_image_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(Image::read(bytes.clone()), None);
        let mut from = Reader::new(&bytes);
        if let Some(facts) = Facts::from_bytes(&mut from) {
            prop_assert_eq!(facts.to_bytes().len() + from.rest().len(), bytes.len());
        }
    }
}

//! A view from an image is the view of the records, whenever they are looked at.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::image::Image;
use crate::record::testing::record;
use crate::text::Hits;

fn view(snapshot: Snapshot) -> View {
    let mut view = View::new(None);
    view.advance(Loaded::Reset(snapshot)).expect("a snapshot");
    view
}

fn opened(records: Vec<Record>) -> View {
    view(Snapshot { rev: Revision(1), records, ..Snapshot::default() })
}

/// The records as a store gives them that has this image, of which these have changed.
fn sealed(records: &[Record], image: &Image, changed: &[u8]) -> View {
    let is_changed = |id: &RecordId| changed.iter().any(|n| *id == RecordId([*n; 16]));
    let there = |id: RecordId| records.iter().any(|one| one.id == id);
    view(Snapshot {
        rev: Revision(1),
        records: records.iter().filter(|one| is_changed(&one.id)).cloned().collect(),
        gone: image.entries().map(|entry| entry.id()).filter(|id| !there(*id)).collect(),
        image: Some(image.clone()),
        ..Snapshot::default()
    })
}

/// Gives a view what it wants.
fn fill(view: &mut View, records: &[Record]) {
    let wanted = view.wanted();
    view.fill(records.iter().filter(|one| wanted.contains(&one.id)).cloned().collect())
        .expect("all are there");
    assert!(!view.lacks() && view.wanted().is_empty());
}

fn known(records: &[Record], image: &Image, changed: &[u8]) -> View {
    let mut view = sealed(records, image, changed);
    view.records().for_each(drop);
    fill(&mut view, records);
    view
}

/// All that can be found in a view, by record.
fn found(view: &View) -> Vec<String> {
    let mut hits = Hits::new();
    let mut out = vec![view.hash()];
    for query in ["folder1 write_file", "directory", "数据库", "report week"] {
        for index in [view.text_index(), view.task_index()] {
            index.search(&crate::text::terms(query), &mut hits);
            let mut scores: Vec<_> =
                hits.iter().map(|hit| (view.record(hit.doc).map(|one| one.id), hit.score)).collect();
            scores.sort_unstable();
            out.push(format!("{query}: {scores:?}"));
        }
    }
    let ids = |slots: Vec<u32>| {
        let mut ids: Vec<_> =
            slots.into_iter().filter_map(|slot| view.record(slot)).map(|one| one.id).collect();
        ids.sort_unstable();
        format!("{ids:?}")
    };
    out.push(ids(view.pinned().collect()));
    out.push(ids(view.by_tool("write_file").collect()));
    out.push(format!("{:?}", view.by_group("write_file").count()));
    for record in view.records() {
        let keyed = view.by_key(&record.scope, &record.key).any(|one| one.id == record.id);
        let shown = view.event_owner(record.evidence[0].key).map(|one| one.id) == Some(record.id);
        let cue = view.slot(record.id).and_then(|slot| view.cue(slot));
        let brief = view.slot(record.id).map(|slot| view.brief(slot));
        assert_eq!(brief, Some(Brief::of(record)));
        assert_eq!(cue, Some(&Cue::of(&record.key, record.triggers(), &record.signature)));
        assert!(keyed && shown, "{}", record.id);
    }
    out
}

#[test]
fn a_view_from_an_image_is_the_view_of_the_records() {
    let records: Vec<Record> = (0..20).map(record).collect();
    let mut plain = opened(records.clone());
    assert_eq!(plain.unknown(), 20);
    let bytes = plain.image();
    let image = Image::read(bytes.clone()).expect("our own image");
    let mut known = known(&records, &image, &[]);
    assert_eq!((plain.unknown(), known.unknown()), (0, 0));
    assert_eq!(found(&known), found(&plain));
    assert_eq!(known.image(), bytes, "an image of what came from an image is the same");
}

#[test]
fn what_has_changed_or_come_since_is_read() {
    let image = Image::read(opened((0..10).map(record).collect()).image()).expect("our own image");
    let mut later: Vec<Record> = (2..12).map(record).collect();
    later[0].text = "Something else entirely".into();
    later[0].tools.insert("Bash".into());
    let known = known(&later, &image, &[0, 1, 2, 10, 11]);
    assert_eq!(known.unknown(), 3, "one changed, two came");
    assert_eq!(found(&known), found(&opened(later)));
}

#[test]
fn a_record_is_wanted_when_somebody_looks_at_it() {
    let records: Vec<Record> = (0..6).map(record).collect();
    let image = Image::read(opened(records.clone()).image()).expect("our own image");
    let mut view = sealed(&records, &image, &[]);
    assert_eq!((view.len(), view.lacks()), (6, false));
    assert_eq!(view.get(RecordId([2; 16])), None);
    assert_eq!(view.by_key(&records[3].scope, &records[3].key).count(), 0);
    assert_eq!(view.wanted(), [RecordId([2; 16]), RecordId([3; 16])]);
    fill(&mut view, &records);
    assert_eq!(view.get(RecordId([2; 16])), Some(&records[2]));
    assert_eq!(view.get(RecordId([5; 16])), None);
    let gone = view.fill(Vec::new()).map_err(|error| error.code());
    assert_eq!(gone, Err("corrupt".into()), "what is wanted has to come");
    let touches = |n: u8| {
        let delta = Delta::Remove(None);
        let changes = vec![crate::change::Change { record: RecordId([n; 16]), delta }];
        let set = ChangeSet { changes, ..Default::default() };
        view.must_reset(&Loaded::Changes { list: vec![set], rev: Revision(2) })
    };
    assert!(touches(4) && !touches(2) && !touches(99));
}

#[test]
fn records_go_out_of_a_view_from_an_image_as_out_of_any() {
    let records: Vec<Record> = (0..6).map(record).collect();
    let image = Image::read(opened(records.clone()).image()).expect("our own image");
    let (mut known, mut plain) = (sealed(&records, &image, &[]), opened(records.clone()));
    for view in [&mut known, &mut plain] {
        let mut changed = record(1);
        changed.text = "A new wording".into();
        for (id, record) in [(RecordId([1; 16]), Some(changed)), (RecordId([4; 16]), None)] {
            let set = ChangeSet { base: view.revision(), ..Default::default() };
            view.install(Commit { set, rows: vec![Row { id, record }] });
        }
    }
    known.records().for_each(drop);
    fill(&mut known, &records);
    assert_eq!(found(&known), found(&plain));
}

#[test]
fn an_index_out_of_step_is_found_and_made_anew() {
    let records: Vec<Record> = (0..6).map(record).collect();
    let image = Image::read(opened(records.clone()).image()).expect("our own image");
    assert_eq!(known(&records, &image, &[3]).drifted().len(), 0);
    let mut later = records.clone();
    later[1].text = "Something else entirely".into();
    later[2].tools.insert("Bash".into());
    later[0].pin = crate::record::Pin::Pinned;
    // The image does not hear of any of these.
    let mut view = known(&later, &image, &[]);
    let ids: Vec<RecordId> = view.drifted().into_iter().collect();
    assert_eq!(ids, [RecordId([0; 16]), RecordId([1; 16]), RecordId([2; 16])]);
    assert_ne!(found(&view), found(&opened(later.clone())));
    view.renew();
    assert_eq!((view.drifted().len(), view.unknown()), (0, 6), "the next image is drawn of the records");
    assert_eq!(found(&view), found(&opened(later)));
}

#[test]
fn indexes_stay_in_step_when_records_change_and_go() {
    let mut view = opened((0..6).map(record).collect());
    for (n, text) in [(1, Some("A new wording")), (4, None), (1, Some("Another one")), (7, Some("A new one"))]
    {
        let id = RecordId([n; 16]);
        let changed = text.map(|text| Record { text: text.into(), ..record(n) });
        let set = ChangeSet { base: view.revision(), ..Default::default() };
        view.install(Commit { set, rows: vec![Row { id, record: changed }] });
        assert_eq!(view.drifted().len(), 0, "{n}");
    }
}

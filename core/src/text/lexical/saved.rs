//! A lexical index as bytes, so that opening need not build it.
//!
//! Decides the order in which terms stand. What is read scores as what was written, and may be changed as any other.

use alloc::vec::Vec;

use hashbrown::HashTable;

use super::{Entry, LexicalIndex, Postings, TF_BITS, TF_MAX, hash_of};
use crate::bytes::{Reader, put_u32, put_u64};
use crate::sort;

impl LexicalIndex {
    /// The bytes of the index over these of its documents, which are numbered anew in this order.
    pub(crate) fn to_bytes(&self, docs: &[u32]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut number = alloc::vec![None; self.lengths.len()];
        for (new, &doc) in (0u32..).zip(docs) {
            let length = self.lengths.get(doc as usize).copied().unwrap_or_default();
            out.extend(length.to_le_bytes());
            if let Some(place) = number.get_mut(doc as usize) {
                *place = Some(new);
            }
        }
        let renumbered = |posting: u32| {
            let new = number.get((posting >> TF_BITS) as usize).copied().flatten()?;
            Some(new << TF_BITS | posting & TF_MAX)
        };
        let mut terms: Vec<(u64, Vec<u32>)> = Vec::new();
        for entry in &self.entries {
            let mut postings: Vec<u32> =
                entry.postings.as_slice(&self.saved).iter().filter_map(|&one| renumbered(one)).collect();
            sort::sort(&mut postings);
            terms.extend((!postings.is_empty()).then_some((entry.hash, postings)));
        }
        sort::sort_by_key(&mut terms, |(hash, ..)| *hash);
        put_u32(&mut out, terms.len() as u32);
        for (hash, postings) in &terms {
            put_u64(&mut out, *hash);
            put_u32(&mut out, postings.len() as u32);
        }
        terms.iter().flat_map(|(.., postings)| postings).for_each(|&posting| put_u32(&mut out, posting));
        out
    }

    /// The index of so many documents in bytes of [`Self::to_bytes`].
    pub(crate) fn from_bytes(bytes: &[u8], docs: usize) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let lengths: Vec<u16> = from.words(docs)?.iter().copied().map(u16::from_le_bytes).collect();
        let count = from.u32()? as usize;
        let heads: &[[u8; 12]] = from.words(count)?;
        let mut index = Self {
            entries: Vec::with_capacity(count),
            lookup: HashTable::with_capacity(count),
            docs: lengths.iter().filter(|&&length| length > 0).count() as u32,
            total_length: lengths.iter().map(|&length| u64::from(length)).sum(),
            lengths,
            ..Self::default()
        };
        let mut at = 0;
        for head in heads {
            let mut head = Reader::new(head);
            let (hash, count) = (head.u64()?, head.u32()?);
            index.entries.push(Entry { hash, postings: Postings::Saved { at, count } });
            at = at.checked_add(count)?;
        }
        index.saved = from.words(at as usize)?.iter().copied().map(u32::from_le_bytes).collect();
        for (id, entry) in (0u32..).zip(&index.entries) {
            let entries = &index.entries;
            index.lookup.insert_unique(entry.hash, id, |&id| hash_of(entries, id));
        }
        from.is_at_end().then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Hits;
    use super::*;
    use crate::text::{Bag, terms};
    use alloc::string::String;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = String> {
        prop::collection::vec("[a-f]{1,2}|数据|über", 0..12).prop_map(|words| words.join(" "))
    }

    fn scores(index: &LexicalIndex, query: &str) -> Vec<(u32, u32)> {
        let mut hits = Hits::new();
        index.search(&terms(query), &mut hits);
        hits.iter().map(|hit| (hit.doc, hit.score)).collect()
    }

    proptest! {
        #[test]
        fn what_was_saved_is_as_what_was_built(
            texts in prop::collection::vec(text(), 1..12),
            order in any::<prop::sample::Index>(),
            later in prop::collection::vec((0usize..12, text()), 0..8),
            query in text(),
        ) {
            let bags: Vec<Bag> = texts.iter().map(|text| Bag::of(text)).collect();
            let mut built = LexicalIndex::new();
            (0u32..).zip(&bags).for_each(|(doc, bag)| _ = built.insert(doc, bag));
            // Documents that begin elsewhere: they get other numbers.
            let turn = order.index(texts.len());
            let docs: Vec<u32> = (0..texts.len()).map(|n| ((n + turn) % texts.len()) as u32).collect();
            let mut now: Vec<Bag> = docs.iter().map(|&doc| bags[doc as usize].clone()).collect();
            let mut read = LexicalIndex::from_bytes(&built.to_bytes(&docs), docs.len()).expect("our own bytes");
            for (at, text) in later {
                let at = at % now.len();
                read.remove(at as u32, &now[at]);
                now[at] = Bag::of(&text);
                read.insert(at as u32, &now[at]);
            }
            let mut plain = LexicalIndex::new();
            (0u32..).zip(&now).for_each(|(doc, bag)| _ = plain.insert(doc, bag));
            prop_assert_eq!(scores(&read, &query), scores(&plain, &query));
            let all: Vec<u32> = (0..now.len() as u32).collect();
            prop_assert_eq!(read.to_bytes(&all), plain.to_bytes(&all));
        }

        #[test]
        fn any_bytes_are_an_index_or_none(bytes in prop::collection::vec(any::<u8>(), 0..80), docs in 0usize..9) {
            if let Some(index) = LexicalIndex::from_bytes(&bytes, docs) {
                scores(&index, "a b c");
            }
        }
    }
}

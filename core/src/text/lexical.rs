//! Lexical search: decides how well the words of a query fit a document, by BM25.
//!
//! Scores are absolute, so that a gate works: 1,000,000 is more than any document reaches, 0 is no shared word. The
//! order in which documents came and went never changes a score. Never decides what is relevant enough.

mod saved;

use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::HashTable;

use super::bag::{Bag, TIMES_MAX, term_hash as hash};
use crate::sort;

/// How soon repeats of a word in one document stop counting.
pub const BM25_K1: f64 = 1.2;
/// How much a document longer than the average has to share more, 0 to 1.
pub const BM25_B: f64 = 0.75;
/// How many further documents, without any word of the query, are supposed to exist. It keeps scores of a store with
/// three records comparable with those of a store with thousands, where rarity is known.
pub const BACKGROUND_DOCS: u32 = 32;
/// Documents are numbered below this.
pub const MAX_DOCS: u32 = 1 << (32 - TF_BITS);

/// A posting holds the document in its high bits and how often the term occurs, at most 15, in these low ones.
const TF_BITS: u32 = 4;
const TF_MAX: u32 = (1 << TF_BITS) - 1;
const _: () = assert!(TF_MAX == TIMES_MAX as u32, "a posting has room for every count of a bag");

/// An incremental index over the [`terms`](super::terms) of documents, which are numbered densely from 0.
///
/// It keeps no text: a term is known by a 64-bit hash. Should two words ever share one, they count as the same word.
#[derive(Debug, Clone, Default)]
pub struct LexicalIndex {
    entries: Vec<Entry>,
    unused: Vec<u32>,
    lookup: HashTable<u32>,
    /// The postings of terms that have not changed since they were saved.
    saved: Vec<u32>,
    lengths: Vec<u16>,
    docs: u32,
    total_length: u64,
}

/// A term and the documents it occurs in.
#[derive(Debug, Clone, Default)]
struct Entry {
    hash: u64,
    postings: Postings,
}

/// Ascending postings. Most terms occur in one document, which needs no list.
#[derive(Debug, Clone)]
enum Postings {
    One(u32),
    Many(Vec<u32>),
    /// So many of the saved ones, from there on.
    Saved {
        at: u32,
        count: u32,
    },
}

/// A document that shares a word with the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The document.
    pub doc: u32,
    /// Its score in millionths of the highest BM25 that any document could have for the query.
    pub score: u32,
}

/// The scores of one search, to be reused for the next.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    /// By document; 0 where it is no hit.
    scores: Vec<f32>,
}

impl LexicalIndex {
    /// An empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many documents with at least one term there are.
    pub fn len(&self) -> usize {
        self.docs as usize
    }

    /// Whether no document has a term.
    pub fn is_empty(&self) -> bool {
        self.docs == 0
    }

    /// Puts a document in that is not there. Several fields are one text with line breaks.
    ///
    /// Returns whether `doc` is below [`MAX_DOCS`]; otherwise nothing happens.
    pub fn insert(&mut self, doc: u32, bag: &Bag) -> bool {
        if doc >= MAX_DOCS {
            return false;
        }
        if bag.terms.is_empty() {
            return true;
        }
        self.set_length(doc, bag.length);
        for &(hash, times) in &bag.terms {
            let id = self.intern(hash);
            self.post(id, doc, u32::from(times));
        }
        true
    }

    /// Takes a document out, which was put in as this bag; one that is not there is no error.
    pub fn remove(&mut self, doc: u32, bag: &Bag) {
        let Some(length) = self.lengths.get_mut(doc as usize).map(core::mem::take) else { return };
        if length == 0 {
            return;
        }
        self.total_length -= u64::from(length);
        self.docs -= 1;
        for &(hash, ..) in &bag.terms {
            if let Some(id) = self.find(hash) {
                self.unpost(id, doc);
            }
        }
    }

    /// Whether this is what a document was put in as; a word that is in the index and not in the bag is not looked for.
    pub fn holds(&self, doc: u32, bag: &Bag) -> bool {
        let length = if bag.terms.is_empty() { 0 } else { bag.length };
        let is_posted = |&(hash, times): &(u64, u8)| {
            let entry = self.find(hash).and_then(|id| self.entries.get(id as usize));
            let list = entry.map_or(&[][..], |entry| entry.postings.as_slice(&self.saved));
            let posting = doc << TF_BITS | u32::from(times).min(TF_MAX);
            list.binary_search(&posting).is_ok()
        };
        let is_numbered = doc < MAX_DOCS;
        !is_numbered
            || self.lengths.get(doc as usize).copied().unwrap_or_default() == length
                && bag.terms.iter().all(is_posted)
    }

    /// How many pairs of a document and a word of it there are.
    pub fn pairs(&self) -> usize {
        self.entries.iter().map(|entry| entry.postings.as_slice(&self.saved).len()).sum()
    }

    /// Scores every document that shares one of `query`'s words.
    ///
    /// The query is a bag of [`terms`](super::terms); order and repeats do not matter. Words that no document has
    /// weigh as much as the rarest, so a query that is mostly unknown scores low however well the rest fits.
    pub fn search(&self, query: &[String], hits: &mut Hits) {
        hits.reset(self.lengths.len());
        let mut query: Vec<&str> = query.iter().map(String::as_str).collect();
        sort::sort(&mut query);
        query.dedup();
        let postings: Vec<&[u32]> = query.iter().map(|term| self.postings(term)).collect();
        let best: f64 = postings.iter().map(|list| self.rarity(list.len())).sum();
        for list in postings.into_iter().filter(|list| !list.is_empty()) {
            self.add(list, 1_000_000.0 * self.rarity(list.len()) / best, &mut hits.scores);
        }
    }

    /// Adds one term's share, more than 0 and at most `weight`, to every document that has it.
    fn add(&self, postings: &[u32], weight: f64, scores: &mut [f32]) {
        let average = self.total_length as f64 / f64::from(self.docs.max(1));
        let base = (BM25_K1 * (1.0 - BM25_B)) as f32;
        let slope = (BM25_K1 * BM25_B / average.max(1.0)) as f32;
        let weight = weight as f32;
        for &posting in postings {
            let doc = (posting >> TF_BITS) as usize;
            let tf = (posting & TF_MAX) as u8;
            if let (Some(&length), Some(score)) = (self.lengths.get(doc), scores.get_mut(doc)) {
                // Plain IEEE operations in a fixed order: equal on every host.
                let norm = base + slope * f32::from(length);
                *score += weight * f32::from(tf) / (f32::from(tf) + norm);
            }
        }
    }

    /// The inverse document frequency of a term in `df` documents; greater than 0.
    fn rarity(&self, df: usize) -> f64 {
        let all = f64::from(self.docs) + f64::from(BACKGROUND_DOCS);
        let df = df as f64;
        libm::log(1.0 + (all - df + 0.5) / (df + 0.5))
    }

    fn postings(&self, term: &str) -> &[u32] {
        let entry = self.find(hash(term)).and_then(|id| self.entries.get(id as usize));
        entry.map_or(&[], |entry| entry.postings.as_slice(&self.saved))
    }

    fn find(&self, hash: u64) -> Option<u32> {
        self.lookup.find(hash, |&id| hash_of(&self.entries, id) == hash).copied()
    }

    fn intern(&mut self, hash: u64) -> u32 {
        if let Some(id) = self.find(hash) {
            return id;
        }
        let entry = Entry { hash, postings: Postings::default() };
        let id = self.unused.pop().unwrap_or(self.entries.len() as u32);
        match self.entries.get_mut(id as usize) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
        let entries = &self.entries;
        self.lookup.insert_unique(hash, id, |&id| hash_of(entries, id));
        id
    }

    fn set_length(&mut self, doc: u32, length: u16) {
        let at = doc as usize;
        if at >= self.lengths.len() {
            self.lengths.resize(at + 1, 0);
        }
        if let Some(place) = self.lengths.get_mut(at) {
            *place = length;
        }
        self.total_length += u64::from(length);
        self.docs += 1;
    }

    fn post(&mut self, id: u32, doc: u32, times: u32) {
        let Some(entry) = self.entries.get_mut(id as usize) else { return };
        entry.postings.insert(&self.saved, doc << TF_BITS | times.min(TF_MAX));
    }

    fn unpost(&mut self, id: u32, doc: u32) {
        let Some(entry) = self.entries.get_mut(id as usize) else { return };
        entry.postings.remove(&self.saved, doc);
        if entry.postings.as_slice(&[]).is_empty() {
            if let Ok(found) = self.lookup.find_entry(entry.hash, |&other| other == id) {
                found.remove();
            }
            *entry = Entry::default();
            self.unused.push(id);
        }
    }
}

impl Postings {
    fn as_slice<'a>(&'a self, saved: &'a [u32]) -> &'a [u32] {
        match self {
            Self::One(posting) => core::slice::from_ref(posting),
            Self::Many(list) => list,
            Self::Saved { at, count } => {
                saved.get(*at as usize..).and_then(|rest| rest.get(..*count as usize)).unwrap_or_default()
            }
        }
    }

    /// A list of their own, which may change.
    fn own(&mut self, saved: &[u32]) {
        if let Self::Saved { .. } = self {
            *self = Self::Many(self.as_slice(saved).into());
        }
    }

    fn insert(&mut self, saved: &[u32], posting: u32) {
        self.own(saved);
        match self {
            Self::Many(list) if list.is_empty() => *self = Self::One(posting),
            // Documents mostly come in their order.
            Self::Many(list) if list.last().is_some_and(|&last| last < posting) => list.push(posting),
            Self::Many(list) => list.insert(list.partition_point(|&other| other < posting), posting),
            Self::One(other) => {
                let pair = [posting.min(*other), posting.max(*other)];
                *self = Self::Many(pair.into());
            }
            Self::Saved { .. } => {}
        }
    }

    fn remove(&mut self, saved: &[u32], doc: u32) {
        self.own(saved);
        match self {
            Self::One(posting) if *posting >> TF_BITS == doc => *self = Self::default(),
            Self::Many(list) => {
                if let Ok(at) = list.binary_search_by_key(&doc, |posting| posting >> TF_BITS) {
                    list.remove(at);
                }
            }
            Self::One(_) | Self::Saved { .. } => {}
        }
    }
}

impl Default for Postings {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl Hits {
    /// No hits.
    pub fn new() -> Self {
        Self::default()
    }

    /// The score of a document in millionths; 0 when it is no hit.
    pub fn score(&self, doc: u32) -> u32 {
        self.scores.get(doc as usize).map_or(0, |&score| score as u32)
    }

    /// How many hits there are.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is no hit.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The hits, by document.
    pub fn iter(&self) -> impl Iterator<Item = Hit> {
        let hits = (0u32..).zip(&self.scores).filter(|(_, score)| **score > 0.0);
        hits.map(|(doc, &score)| Hit { doc, score: score as u32 })
    }

    /// The best `limit` hits, best first, ties by document.
    pub fn top(&self, limit: usize) -> Vec<Hit> {
        let mut hits: Vec<Hit> = self.iter().collect();
        let order = |a: &Hit, b: &Hit| b.score.cmp(&a.score).then(a.doc.cmp(&b.doc));
        if limit < hits.len() {
            hits.select_nth_unstable_by(limit, order);
            hits.truncate(limit);
        }
        hits.sort_unstable_by(order);
        hits
    }

    fn reset(&mut self, docs: usize) {
        self.scores.clear();
        self.scores.resize(docs, 0.0);
    }
}

fn hash_of(entries: &[Entry], id: u32) -> u64 {
    entries.get(id as usize).map_or(0, |entry| entry.hash)
}

#[cfg(test)]
mod tests {
    use super::super::terms;
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    fn index(texts: &[&str]) -> LexicalIndex {
        let mut out = LexicalIndex::new();
        for (doc, text) in texts.iter().enumerate() {
            out.insert(doc as u32, &Bag::of(text));
        }
        out
    }

    fn ask(index: &LexicalIndex, query: &str) -> Vec<Hit> {
        let mut hits = Hits::new();
        index.search(&terms(query), &mut hits);
        hits.top(usize::MAX)
    }

    const LESSONS: [&str; 5] = [
        "Create the parent directory before write_file: it does not create it",
        "Take payment_id from get_user_details",
        "Run the tests before you say that the work is done",
        "数据库连接失败时先检查端口",
        "Il faut vérifier la réponse du serveur",
    ];

    #[test]
    fn finds_across_spelling_and_script() {
        let index = index(&LESSONS);
        for (query, doc) in [
            ("creating parent directories", 0),
            ("writeFile directory", 0),
            ("user details", 1),
            ("test", 2),
            ("连接失败", 3),
            ("端口", 3),
            ("VERIFIER", 4),
        ] {
            assert_eq!(ask(&index, query).first().map(|hit| hit.doc), Some(doc), "{query}");
        }
    }

    #[test]
    fn scores_are_absolute() {
        let index = index(&LESSONS);
        assert!(ask(&index, "zxqv blorf 🤖").is_empty());
        assert!(ask(&index, "").is_empty());
        assert!(ask(&index, "what is the").is_empty());
        let exact = ask(&index, LESSONS[1])[0].score;
        assert!(exact > 350_000 && exact <= 1_000_000, "{exact}");
        let weak = ask(&index, "which train do I take from Paris to Lyon tomorrow")[0].score;
        assert!(weak < 100_000, "{weak}");
        let padded = ask(&index, &["zxqv blorf wug dax toma kiki bouba ", LESSONS[1]].concat())[0].score;
        assert!(padded < exact * 2 / 3);
    }

    #[test]
    fn a_word_that_everybody_has_weighs_little() {
        let texts: Vec<String> = (0..500).map(|n| alloc::format!("der punkt n{n} x{n}")).collect();
        let index = index(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let common = ask(&index, "der fahrplan").first().map_or(0, |hit| hit.score);
        assert!(common < 15_000, "{common}");
        assert!(ask(&index, "n7 fahrplan")[0].score > 150_000);
    }

    #[test]
    fn ties_and_limits() {
        let index = index(&["alpha beta", "alpha beta", "alpha gamma", "alpha beta"]);
        let mut hits = Hits::new();
        index.search(&terms("beta"), &mut hits);
        assert_eq!(hits.top(9).iter().map(|hit| hit.doc).collect::<Vec<_>>(), vec![0, 1, 3]);
        assert_eq!((hits.score(2), hits.score(77)), (0, 0));
        index.search(&terms("alpha"), &mut hits);
        assert_eq!(hits.top(2).iter().map(|hit| hit.doc).collect::<Vec<_>>(), vec![0, 1]);
        assert_eq!(hits.len(), 4);
        index.search(&[], &mut hits);
        assert!(hits.is_empty() && hits.top(3).is_empty());
    }

    #[test]
    fn documents_out_of_range_are_refused() {
        let mut index = LexicalIndex::new();
        let alpha = Bag::of("alpha");
        assert!(!index.insert(MAX_DOCS, &alpha));
        index.remove(MAX_DOCS, &alpha);
        index.remove(5, &alpha);
        assert!(index.is_empty());
        let long = Bag::of(&"alpha ".repeat(70_000));
        assert!(index.insert(3, &long));
        index.remove(3, &long);
        assert!(index.is_empty() && index.total_length == 0);
    }

    fn text() -> impl Strategy<Value = String> {
        prop::collection::vec("[a-f]{1,2}|数据|über", 0..12).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn history_does_not_change_scores(
            steps in prop::collection::vec((0u32..12, prop::option::of(text())), 0..60),
            queries in prop::collection::vec(text(), 1..5),
        ) {
            let mut grown = LexicalIndex::new();
            let mut now: [Bag; 12] = Default::default();
            for (doc, text) in steps {
                let bag = text.map(|text| Bag::of(&text)).unwrap_or_default();
                let before = core::mem::replace(&mut now[doc as usize], bag);
                grown.remove(doc, &before);
                grown.insert(doc, &now[doc as usize]);
            }
            let mut fresh = LexicalIndex::new();
            for (doc, bag) in now.iter().enumerate().rev() {
                fresh.insert(doc as u32, bag);
            }
            prop_assert_eq!(grown.len(), fresh.len());
            for query in queries {
                let (a, b) = (ask(&grown, &query), ask(&fresh, &query));
                prop_assert_eq!(&a, &b);
                prop_assert!(a.iter().all(|hit| hit.score <= 1_000_000));
                let mut shuffled = terms(&query);
                shuffled.reverse();
                shuffled.extend(terms(&query));
                let mut hits = Hits::new();
                grown.search(&shuffled, &mut hits);
                prop_assert_eq!(hits.top(usize::MAX), a);
            }
            for (doc, bag) in now.iter().enumerate() {
                grown.remove(doc as u32, bag);
            }
            prop_assert!(grown.is_empty() && grown.lookup.is_empty());
            prop_assert_eq!(grown.unused.len(), grown.entries.len());
        }

        #[test]
        fn a_hit_shares_a_word(docs in prop::collection::vec(text(), 1..8), query in text()) {
            let index = index(&docs.iter().map(String::as_str).collect::<Vec<_>>());
            let query_terms = terms(&query);
            let mut hits = Hits::new();
            index.search(&query_terms, &mut hits);
            for (doc, text) in docs.iter().enumerate() {
                let shares = terms(text).iter().any(|term| query_terms.contains(term));
                prop_assert_eq!(hits.score(doc as u32) > 0, shares);
            }
        }
    }
}

//! Drafts merged as lessons are, and the measure of clusterings.

use std::collections::{BTreeMap, BTreeSet};

use hardwon_core::learn::{Draft, Likeness, MIN_OVERLAP, joins};
use hardwon_core::record::Subtype;

/// Lessons as merging makes them: by key, then by likeness.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    lessons: Vec<Lesson>,
}

#[derive(Debug)]
struct Lesson {
    first: Draft,
    keys: BTreeSet<String>,
    texts: BTreeSet<String>,
    runs: BTreeSet<String>,
    evidence: Vec<(String, u32, String)>,
}

impl Clusters {
    /// Adds a draft to the lesson it belongs to.
    pub(crate) fn add(&mut self, draft: &Draft) {
        let by_key = self.lessons.iter().position(|lesson| lesson.keys.contains(&draft.key));
        let alike = || {
            self.lessons
                .iter()
                .position(|lesson| joins(&likeness(&lesson.first), &likeness(draft), MIN_OVERLAP))
        };
        let at = by_key.or_else(alike).unwrap_or(self.lessons.len());
        if at == self.lessons.len() {
            self.lessons.push(Lesson {
                first: draft.clone(),
                keys: BTreeSet::new(),
                texts: BTreeSet::new(),
                runs: BTreeSet::new(),
                evidence: Vec::new(),
            });
        }
        let lesson = &mut self.lessons[at];
        lesson.keys.insert(draft.key.clone());
        lesson.texts.insert(draft.text.clone());
        for one in &draft.evidence {
            lesson.runs.insert(one.root_run_id.clone());
            lesson.evidence.push((one.session_id.clone(), one.position, one.event_id.clone()));
        }
    }

    /// The lesson of each failure by (session, its number among the failures there).
    pub(crate) fn numbered(&self) -> BTreeMap<(String, usize), usize> {
        let mut places: BTreeMap<&str, Vec<(u32, usize)>> = BTreeMap::new();
        for (at, lesson) in self.failures() {
            for (session, position, _) in &lesson.evidence {
                places.entry(session).or_default().push((*position, at));
            }
        }
        let mut out = BTreeMap::new();
        for (session, mut places) in places {
            places.sort_unstable();
            out.extend(
                places.into_iter().enumerate().map(|(number, (_, at))| ((session.to_string(), number), at)),
            );
        }
        out
    }

    /// The lesson of each failure by the last `length` bytes of its call's id.
    pub(crate) fn by_event_end(&self, length: usize) -> BTreeMap<String, usize> {
        let end = |id: &str| id[id.len().saturating_sub(length)..].to_string();
        self.failures()
            .flat_map(|(at, lesson)| lesson.evidence.iter().map(move |(_, _, id)| (end(id), at)))
            .collect()
    }

    /// Lessons of three root runs that are not of `except`.
    pub(crate) fn promoted(&self, except: Subtype) -> Vec<usize> {
        let lessons = self.lessons.iter().enumerate();
        lessons
            .filter(|(_, one)| one.runs.len() >= 3 && one.first.subtype != except)
            .map(|(at, _)| at)
            .collect()
    }

    /// Every wording.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &String> {
        self.lessons.iter().flat_map(|lesson| &lesson.texts)
    }

    fn failures(&self) -> impl Iterator<Item = (usize, &Lesson)> {
        self.lessons.iter().enumerate().filter(|(_, lesson)| lesson.first.key.starts_with("error:"))
    }
}

fn likeness(draft: &Draft) -> Likeness<'_> {
    Likeness { key: &draft.key, signature: &draft.signature, tool_group: &draft.tool_group }
}

/// How well a clustering fits the gold one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Score {
    /// Over the items that were found.
    pub(crate) precision: f64,
    /// Over all items; one that was not found counts as 0.
    pub(crate) recall: f64,
    /// Their harmonic mean.
    pub(crate) f1: f64,
}

/// B-cubed over the items of `gold`.
pub(crate) fn b_cubed<K: Ord>(gold: &BTreeMap<K, String>, found: &BTreeMap<K, usize>) -> Score {
    let (mut precision, mut recall, mut present) = (0.0, 0.0, 0.0);
    for (key, cluster) in gold {
        let Some(lesson) = found.get(key) else { continue };
        let same_lesson = gold.keys().filter(|other| found.get(*other) == Some(lesson)).count() as f64;
        let same_cluster = gold.values().filter(|other| *other == cluster).count() as f64;
        let both = gold.iter().filter(|(other, c)| *c == cluster && found.get(*other) == Some(lesson)).count()
            as f64;
        precision += both / same_lesson;
        recall += both / same_cluster;
        present += 1.0;
    }
    let precision = if present > 0.0 { precision / present } else { 0.0 };
    let recall = recall / (gold.len() as f64).max(1.0);
    let sum = precision + recall;
    Score { precision, recall, f1: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 } }
}

//! One memory as a TOML file, in the form that other memory agents read and write.
//!
//! Decides where a key stands and keeps it there. Never loses a key, a comment or the kind of line end; only
//! `pending_evaluations` goes.

use hardwon_core::env::Timestamp;
use serde::{Deserialize, Serialize};
use toml_edit::{DocumentMut, Item, TableLike, Value, value};

/// The version of the form that is read and written.
const VERSION: i64 = 1;
const MARK: &str = "\u{feff}";
const CONTENT: &str = "content";
/// What is dropped on a write: the form's own rule.
const PENDING: &str = "pending_evaluations";

/// What kind of memory a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sort {
    /// How to behave in a situation.
    Feedback,
    /// What is so.
    Fact,
}

impl Sort {
    pub(crate) const ALL: [Self; 2] = [Self::Feedback, Self::Fact];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Feedback => "feedback",
            Self::Fact => "fact",
        }
    }

    /// The folder of its files.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            Self::Feedback => "feedback",
            Self::Fact => "facts",
        }
    }

    /// The keys of its three parts, in their table.
    const fn parts(self) -> [&'static str; 3] {
        match self {
            Self::Feedback => ["behavior", "impact", "action"],
            Self::Fact => ["subject", "predicate", "object"],
        }
    }
}

/// The names of the counters, in the order of [`Held::counts`].
pub(crate) const COUNTS: [&str; 5] =
    ["surfaced_count", "followed_count", "not_followed_count", "irrelevant_count", "missed_count"];

/// What a file says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    pub(crate) sort: Sort,
    pub(crate) situation: String,
    pub(crate) source: String,
    pub(crate) core: bool,
    pub(crate) project_scoped: bool,
    pub(crate) project_slug: String,
    /// Behaviour, impact and action of feedback; subject, predicate and object of a fact.
    pub(crate) parts: [String; 3],
    /// Surfaced, followed, not followed, irrelevant, missed.
    pub(crate) counts: [u32; 5],
    /// In millionths.
    pub(crate) initial_confidence: u32,
    pub(crate) created_at: Option<Timestamp>,
    pub(crate) updated_at: Option<Timestamp>,
}

/// A file that can be changed without losing what else is in it.
#[derive(Debug, Clone)]
pub(crate) struct MemoryFile {
    document: DocumentMut,
    has_mark: bool,
    is_crlf: bool,
    sort: Sort,
}

impl MemoryFile {
    /// A file that is not there yet.
    pub(crate) fn new(held: &Held) -> Self {
        let mut document = DocumentMut::new();
        document["schema_version"] = value(VERSION);
        document["type"] = value(held.sort.name());
        let sort = held.sort;
        document[CONTENT] = Item::Table(toml_edit::Table::new());
        let mut file = Self { document, has_mark: false, is_crlf: false, sort };
        file.put_all(held, None);
        file
    }

    /// Reads a file of one of the two folders; what is wrong with it, where it cannot be used.
    pub(crate) fn parse(bytes: &[u8], folder: Sort) -> Result<Self, String> {
        let text = str::from_utf8(bytes).map_err(|_| String::from("it is not UTF-8"))?;
        let has_mark = text.starts_with(MARK);
        let text = text.strip_prefix(MARK).unwrap_or(text);
        let is_crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let text = text.replace("\r\n", "\n");
        let document: DocumentMut =
            text.parse().map_err(|problem: toml_edit::TomlError| first_line(problem.message()))?;
        let mut file = Self { document, has_mark, is_crlf, sort: folder };
        let version = file.get("schema_version").map(Item::as_integer);
        if !matches!(version, None | Some(Some(VERSION))) {
            return Err(format!("its schema_version is not {VERSION}"));
        }
        match file.text("type").as_str() {
            "" => {}
            name => {
                let named = Sort::ALL.into_iter().find(|sort| sort.name() == name);
                file.sort = named.ok_or_else(|| format!("its type {name:?} is neither feedback nor fact"))?;
            }
        }
        let held = file.held();
        if held.situation.trim().is_empty() && held.sort == Sort::Feedback {
            return Err("it has no situation".into());
        }
        if held.parts.iter().all(|part| part.trim().is_empty()) {
            return Err(format!("it has none of {}", file.sort.parts().join(", ")));
        }
        Ok(file)
    }

    pub(crate) fn held(&self) -> Held {
        Held {
            sort: self.sort,
            situation: self.text("situation"),
            source: self.text("source"),
            core: self.flag("core"),
            project_scoped: self.flag("project_scoped"),
            project_slug: self.text("project_slug"),
            parts: self.sort.parts().map(|key| self.text(key)),
            counts: COUNTS.map(|key| self.count(key)),
            initial_confidence: self.share("initial_confidence"),
            created_at: self.time("created_at"),
            updated_at: self.time("updated_at"),
        }
    }

    /// Makes it say this: what it says already stays as it is written.
    pub(crate) fn set(&mut self, held: &Held) {
        let before = self.held();
        self.put_all(held, Some(&before));
    }

    /// The whole file as it is to be written.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut document = self.document.clone();
        document.remove(PENDING);
        if let Some(content) = document.get_mut(CONTENT).and_then(Item::as_table_like_mut) {
            content.remove(PENDING);
        }
        let mut text = document.to_string();
        if self.is_crlf {
            text = text.replace('\n', "\r\n");
        }
        let mark = if self.has_mark { MARK } else { "" };
        format!("{mark}{text}").into_bytes()
    }

    fn put_all(&mut self, held: &Held, before: Option<&Held>) {
        let differs = |same: fn(&Held, &Held) -> bool| before.is_none_or(|before| !same(held, before));
        if differs(|a, b| a.situation == b.situation) {
            self.put("situation", held.situation.as_str().into(), false);
        }
        if differs(|a, b| a.source == b.source) {
            self.put("source", held.source.as_str().into(), false);
        }
        if differs(|a, b| a.core == b.core) {
            self.put("core", held.core.into(), false);
        }
        if differs(|a, b| a.project_scoped == b.project_scoped) {
            self.put("project_scoped", held.project_scoped.into(), false);
        }
        if differs(|a, b| a.project_slug == b.project_slug) {
            self.put("project_slug", held.project_slug.as_str().into(), false);
        }
        for (at, key) in self.sort.parts().into_iter().enumerate() {
            if before.is_none_or(|before| before.parts[at] != held.parts[at]) {
                self.put(key, held.parts[at].as_str().into(), true);
            }
        }
        for (at, key) in COUNTS.into_iter().enumerate() {
            if before.is_none_or(|before| before.counts[at] != held.counts[at]) {
                self.put(key, i64::from(held.counts[at]).into(), self.tracks_in_content());
            }
        }
        if differs(|a, b| a.initial_confidence == b.initial_confidence) {
            let share = f64::from(held.initial_confidence) / 1e6;
            self.put("initial_confidence", share.into(), self.tracks_in_content());
        }
        if differs(|a, b| a.created_at == b.created_at) {
            self.put_time("created_at", held.created_at);
        }
        if differs(|a, b| a.updated_at == b.updated_at) {
            self.put_time("updated_at", held.updated_at);
        }
    }

    fn put_time(&mut self, key: &str, time: Option<Timestamp>) {
        let Some(time) = time else { return };
        let is_native = self.get(key).is_some_and(|item| item.as_datetime().is_some());
        let text = time.to_string();
        let new = match text.parse::<toml_edit::Datetime>() {
            Ok(native) if is_native => native.into(),
            _ => text.into(),
        };
        self.put(key, new, self.tracks_in_content());
    }

    /// Sets a key where it stands; one that stands nowhere goes to the root, or into the table of the parts.
    fn put(&mut self, key: &str, new: Value, in_content: bool) {
        let content = self.document.get_mut(CONTENT).and_then(Item::as_table_like_mut);
        if let Some(content) = content
            && (in_content || content.contains_key(key))
            && !self.document_has(key)
        {
            // Looked up again: the check above needed the whole document.
            if let Some(content) = self.document.get_mut(CONTENT).and_then(Item::as_table_like_mut) {
                replace(content, key, new);
            }
            return;
        }
        replace(self.document.as_table_mut(), key, new);
    }

    fn document_has(&self, key: &str) -> bool {
        self.document.contains_key(key)
    }

    /// Whether the counters stand beside the parts: both occur, and what is new goes where the others are.
    fn tracks_in_content(&self) -> bool {
        let at_root = COUNTS.iter().any(|key| self.document.contains_key(key));
        !at_root
    }

    fn get(&self, key: &str) -> Option<&Item> {
        let content = || self.document.get(CONTENT)?.as_table_like()?.get(key);
        self.document.get(key).or_else(content)
    }

    fn text(&self, key: &str) -> String {
        self.get(key).and_then(Item::as_str).unwrap_or_default().to_owned()
    }

    fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Item::as_bool).unwrap_or_default()
    }

    fn count(&self, key: &str) -> u32 {
        let number = self.get(key).and_then(Item::as_integer).unwrap_or_default();
        number.clamp(0, i64::from(u32::MAX)) as u32
    }

    fn share(&self, key: &str) -> u32 {
        let share = |item: &Item| item.as_float().or_else(|| item.as_integer().map(|whole| whole as f64));
        let share = self.get(key).and_then(share).unwrap_or(1.0);
        (share.clamp(0.0, 1.0) * 1e6).round() as u32
    }

    fn time(&self, key: &str) -> Option<Timestamp> {
        let item = self.get(key)?;
        let native = || item.as_datetime().map(ToString::to_string);
        Timestamp::parse(&item.as_str().map(str::to_owned).or_else(native)?)
    }
}

/// Puts a value in the place of another, with the blanks and comments around that.
fn replace(table: &mut dyn TableLike, key: &str, mut new: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        None => {
            table.insert(key, Item::Value(new));
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_ROOT: &str = "# by hand\nschema_version = 1\ntype = \"feedback\"\nsituation = 'When building'\n\
        colour = \"red\" # kept\nsurfaced_count = 3   # so far\nupdated_at = 2026-04-02T10:00:00Z\n\
        \n[content]\nbehavior = \"Running make\"\nimpact = \"\"\"Slow,\nand wrong\"\"\"\naction = \"Use just\"\n\
        \n[[pending_evaluations]]\nid = 1\n\n[[pending_evaluations]]\nid = 2\n\n# of others\n[other]\nkey = [1, 2] # more\n";

    fn changed(text: &str, change: impl FnOnce(&mut Held)) -> String {
        let mut file = MemoryFile::parse(text.as_bytes(), Sort::Feedback).expect("a memory");
        let mut held = file.held();
        change(&mut held);
        file.set(&held);
        assert_eq!(file.held(), held);
        String::from_utf8(file.bytes()).expect("UTF-8")
    }

    #[test]
    fn only_what_changes_changes() {
        let written = changed(AT_ROOT, |held| {
            held.counts[0] += 1;
            held.updated_at = Timestamp::parse("2026-05-01T00:00:00Z");
        });
        let wanted = AT_ROOT
            .replace("surfaced_count = 3", "surfaced_count = 4")
            .replace("2026-04-02T10:00:00Z", "2026-05-01T00:00:00.0Z")
            .replace("\n[[pending_evaluations]]\nid = 1\n\n[[pending_evaluations]]\nid = 2\n", "");
        assert_eq!(written, wanted);
    }

    #[test]
    fn line_ends_and_the_mark_survive() {
        let text = format!("{MARK}{}", AT_ROOT.replace('\n', "\r\n"));
        let written = changed(&text, |held| held.counts[1] = 1);
        assert!(written.starts_with(MARK));
        assert_eq!(written.matches('\n').count(), written.matches("\r\n").count());
        assert!(written.contains("followed_count = 1\r\n"), "{written}");
        assert!(written.contains("Slow,\r\nand wrong"));
    }

    #[test]
    fn tracking_keys_stay_in_their_table() {
        let text = "type = \"feedback\"\nsituation = \"s\"\npending_evaluations = [1]\n[content]\nbehavior = \"b\"\n\
            surfaced_count = 2\nfollowed_count = 1\n";
        let written = changed(text, |held| {
            held.counts = [3, 1, 0, 0, 1];
        });
        let wanted = "type = \"feedback\"\nsituation = \"s\"\n[content]\nbehavior = \"b\"\n\
            surfaced_count = 3\nfollowed_count = 1\nmissed_count = 1\n";
        assert_eq!(written, wanted);
    }

    #[test]
    fn a_new_file_reads_as_what_it_was_made_of() {
        let held = Held {
            sort: Sort::Fact,
            situation: "When\nasked \"why\"".into(),
            source: "user".into(),
            core: true,
            project_scoped: true,
            project_slug: "shop".into(),
            parts: ["shop".into(), "runs on".into(), "port 80".into()],
            counts: [5, 4, 3, 2, 1],
            initial_confidence: 700_000,
            created_at: Some(Timestamp(1)),
            updated_at: Some(Timestamp(2)),
        };
        let bytes = MemoryFile::new(&held).bytes();
        let read = MemoryFile::parse(&bytes, Sort::Feedback).expect("a memory");
        assert_eq!(read.held(), held, "{}", String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        for (text, reason) in [
            (&b"\xff\xfe"[..], "UTF-8"),
            (b"type = \"feedback\"\nsituation = \"half", "string"),
            (b"schema_version = 2\n", "schema_version"),
            (b"type = \"song\"\n", "song"),
            (b"type = \"feedback\"\n[content]\naction = \"a\"\n", "situation"),
            (b"type = \"feedback\"\nsituation = \"s\"\n", "behavior"),
        ] {
            let problem = MemoryFile::parse(text, Sort::Feedback).expect_err("no memory");
            assert!(problem.contains(reason), "{problem}");
        }
    }
}

//! The texts on which the counter is compared. All are made from a fixed seed, so a failure can be repeated.

use std::path::{Path, PathBuf};

/// One character of every class that the pattern tells apart, several where scripts differ, and its literals.
const REPRESENTATIVES: [&str; 56] = [
    "a",
    "s",
    "t",
    "e",
    "l",
    "v",
    "z",
    "ß",
    "я",
    "ſ",
    "A",
    "S",
    "R",
    "Ж",
    "ǅ",
    "ʰ",
    "ª",
    "世",
    "の",
    "ア",
    "한",
    "ا",
    "ग",
    "ก",
    "\u{301}",
    "\u{20dd}",
    "\u{93f}",
    "\u{fe0f}",
    "1",
    "9",
    "५",
    "½",
    "Ⅻ",
    " ",
    "\t",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    "\u{85}",
    "\n",
    "\r",
    "\r\n",
    "'",
    "’",
    "/",
    "\\",
    ".",
    "_",
    "-",
    "<|",
    "|>",
    "€",
    "😀",
    "\u{200d}",
    "\u{0}",
    "\u{10ffff}",
];

/// Letters, marks and signs of scripts: first and last code point.
const SCRIPTS: [(u32, u32); 36] = [
    (0x20, 0x7e),
    (0xa0, 0x24f),
    (0x250, 0x2ff),
    (0x300, 0x36f),
    (0x370, 0x3ff),
    (0x400, 0x52f),
    (0x530, 0x58f),
    (0x590, 0x5ff),
    (0x600, 0x6ff),
    (0x900, 0x97f),
    (0x980, 0x9ff),
    (0xa00, 0xa7f),
    (0xb80, 0xbff),
    (0xc00, 0xc7f),
    (0xd00, 0xd7f),
    (0xd80, 0xdff),
    (0xe00, 0xe7f),
    (0xe80, 0xeff),
    (0xf00, 0xfff),
    (0x1000, 0x109f),
    (0x10a0, 0x10ff),
    (0x1100, 0x11ff),
    (0x1200, 0x137f),
    (0x13a0, 0x13ff),
    (0x1780, 0x17ff),
    (0x1e00, 0x1fff),
    (0x2000, 0x206f),
    (0x20a0, 0x2bff),
    (0x3000, 0x30ff),
    (0x4e00, 0x9fff),
    (0xa640, 0xa69f),
    (0xac00, 0xd7a3),
    (0xfe00, 0xffef),
    (0x10000, 0x103ff),
    (0x1d400, 0x1d7ff),
    (0x1f300, 0x1faff),
];

const BLANKS: [&str; 13] = [
    " ", "  ", "\t", "\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{a0}", "\u{1680}", "\u{2003}",
    "\u{3000}",
];

const MARKERS: [&str; 40] = [
    "'s",
    "'S",
    "'ſ",
    "'t",
    "'T",
    "'re",
    "'RE",
    "'rE",
    "'ve",
    "'Ve",
    "'m",
    "'M",
    "'ll",
    "'lL",
    "'d",
    "'D",
    "'x",
    "''",
    "’s",
    "<|endoftext|>",
    "<|endofprompt|>",
    "<|",
    "|>",
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈",
    "👍🏽",
    "🇩🇪",
    "1️⃣",
    "❤️",
    "\u{200d}",
    "I",
    "we",
    "THEY",
    "don",
    "世界",
    "क्षि",
    " ",
    "\n",
    "/",
    "e\u{301}",
];

/// A small generator of numbers (splitmix), the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn join(&mut self, from: &[&str], most: usize) -> String {
        (0..=self.below(most)).map(|_| self.pick(from)).collect()
    }
}

/// Words of one script each, with blanks and some ASCII between.
pub fn scripts(count: usize) -> impl Iterator<Item = String> {
    let mut dice = Dice(1);
    (0..count).map(move |at| {
        let (first, last) = SCRIPTS[at % SCRIPTS.len()];
        let mut text = String::new();
        for _ in 0..=dice.below(60) {
            match dice.below(8) {
                0 => text.push(' '),
                1 if dice.below(4) == 0 => text.push_str(dice.pick(&REPRESENTATIVES)),
                _ => text.extend(char::from_u32(first + dice.below((last - first + 1) as usize) as u32)),
            }
        }
        text
    })
}

pub fn every_code_point() -> impl Iterator<Item = String> {
    ('\0'..=char::MAX).flat_map(|c| [format!("x{c}y"), format!("A {c}1")])
}

/// Random tokens one after the other: text of every language in the vocabulary, cut where no tokenizer would.
pub fn token_rows(vocabulary: &[Vec<u8>], count: usize) -> impl Iterator<Item = String> {
    let mut dice = Dice(2);
    (0..count).map(move |_| {
        let bytes: Vec<u8> =
            (0..=dice.below(60)).flat_map(|_| vocabulary[dice.below(vocabulary.len())].clone()).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

pub fn triples() -> impl Iterator<Item = String> {
    let all = REPRESENTATIVES;
    all.into_iter().flat_map(move |a| {
        all.into_iter().flat_map(move |b| all.into_iter().map(move |c| format!("{a}{b}{c}")))
    })
}

pub fn mixes(count: usize) -> impl Iterator<Item = String> {
    let mut dice = Dice(3);
    (0..count).map(move |at| {
        // Few different characters at a time give the long runs in which the pattern has to give back.
        let pool: Vec<&str> = (0..2 + at % 5).map(|_| dice.pick(&REPRESENTATIVES)).collect();
        if at % 2 == 0 { dice.join(&pool, 30) } else { dice.join(&REPRESENTATIVES, 40) }
    })
}

pub fn white_space(count: usize) -> impl Iterator<Item = String> {
    let mut dice = Dice(4);
    (0..count).map(move |_| {
        let words = ["x", "Ab", "1", ".", "/", "世", "\u{301}", ""];
        (0..=dice.below(8)).map(|_| dice.join(&BLANKS, 5) + dice.pick(&words)).collect()
    })
}

pub fn runs() -> impl Iterator<Item = String> {
    let lengths = [1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 66, 100, 127, 128, 129, 255, 256, 500, 1000, 2500];
    let units =
        REPRESENTATIVES.into_iter().chain(MARKERS).chain(["ab", "aA", "the ", "0x", "=-", "的", "ha"]);
    units.flat_map(move |unit| lengths.into_iter().map(move |n| unit.repeat(n)))
}

pub fn markers(count: usize) -> impl Iterator<Item = String> {
    let mut dice = Dice(5);
    (0..count).map(move |_| dice.join(&MARKERS, 12))
}

/// The project's own sources: whole, and line by line.
pub fn source_code() -> impl Iterator<Item = String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["model/src", "model/tests", "core/src"] {
        collect(&root.join(folder), &mut files);
    }
    files.into_iter().filter_map(|path| std::fs::read_to_string(path).ok()).flat_map(with_lines)
}

/// Recorded traces beside the project, if they are there: the first 20,000 texts.
pub fn traces() -> Option<impl Iterator<Item = String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    let text = |path: &PathBuf| {
        path.extension().is_some_and(|e| ["md", "json", "jsonl", "txt"].iter().any(|x| e == *x))
    };
    files.retain(text);
    (!files.is_empty()).then(|| {
        files
            .into_iter()
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .flat_map(with_lines)
            .take(20_000)
    })
}

fn with_lines(text: String) -> Vec<String> {
    let mut all: Vec<String> = text.lines().filter(|line| line.len() < 20_000).map(String::from).collect();
    if text.len() < 200_000 {
        all.push(text);
    }
    all
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

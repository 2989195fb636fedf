//! The gate over labelled texts that are not part of the project. Each test skips, with a notice, where they are
//! missing. The floors are what the first gate reaches; they only ever rise.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use hardwon_core::gate::{self, injection, secret};

/// One labelled text.
struct Row {
    text: String,
    label: String,
    kind: String,
}

/// How many texts of a kind were held, of how many.
type Tally = BTreeMap<String, (usize, usize)>;

fn rows(name: &str) -> Option<Vec<Row>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name);
    let Ok(lines) = fs::read_to_string(&path) else {
        println!("SKIPPED: {} is missing", path.display());
        return None;
    };
    Some(lines.lines().filter(|line| !line.is_empty()).map(row).collect())
}

fn row(line: &str) -> Row {
    let value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
    let field = |name: &str| value[name].as_str().expect(name).to_owned();
    // The marker keeps the file's secrets from being taken for live ones.
    Row { text: field("text").replace("<+>", ""), label: field("label"), kind: field("kind") }
}

/// Counts what `held` holds back among the rows with `label`, by kind; prints it.
fn tally(rows: &[Row], label: &str, held: impl Fn(&str) -> bool) -> (usize, usize) {
    let mut kinds = Tally::new();
    for row in rows.iter().filter(|row| row.label == label) {
        let count = kinds.entry(row.kind.clone()).or_default();
        count.0 += usize::from(held(&row.text));
        count.1 += 1;
    }
    let (hit, all) = kinds.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    println!("{label}: {hit} of {all} held");
    for (kind, (hit, all)) in kinds {
        println!("  {kind}: {hit}/{all}");
    }
    (hit, all)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[test]
fn finds_the_secrets_and_spares_the_rest() {
    let Some(rows) = rows("secrets.jsonl") else { return };
    let held = |text: &str| gate::screen(text).reason().is_some();
    let (found, secrets) = tally(&rows, "secret", held);
    let (wrong, _) = tally(&rows, "clean", held);
    let (recall, precision) = (share(found, secrets), share(found, found + wrong));
    println!("recall {recall:.3}, precision {precision:.3}");
    assert!(recall >= 0.97, "recall {recall}");
    assert!(precision >= 0.98, "precision {precision}");
}

#[test]
fn no_redacted_row_holds_a_secret() {
    let Some(rows) = rows("secrets.jsonl") else { return };
    for row in &rows {
        let clean = gate::redact(&row.text);
        assert_eq!(secret::find(&clean), [], "{}", row.kind);
        assert_eq!(gate::redact(&clean), clean, "{}", row.kind);
    }
}

#[test]
fn holds_back_poison_and_lets_advice_through() {
    let Some(rows) = rows("poison.jsonl") else { return };
    let held = |text: &str| injection::suspect_words(text).is_some();
    let (caught, poison) = tally(&rows, "poison", held);
    let (wrong, benign) = tally(&rows, "benign", held);
    println!("poison {:.3}, benign {:.3}", share(caught, poison), share(wrong, benign));
    for (rule, (poison, benign)) in shares(&rows) {
        println!("  rule {rule}: {poison} poison, {benign} benign");
    }
    assert!(share(caught, poison) >= 0.85);
    assert!(share(wrong, benign) <= 0.05);
}

/// How many poisonous and benign texts each rule holds.
fn shares(rows: &[Row]) -> Tally {
    let mut shares = Tally::new();
    for row in rows {
        let Some(suspicion) = injection::judge_words(&row.text) else { continue };
        let count = shares.entry(suspicion.rule.to_owned()).or_default();
        let poison = row.label == "poison";
        count.0 += usize::from(poison);
        count.1 += usize::from(!poison);
    }
    shares
}

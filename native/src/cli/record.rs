//! A record as the command shows it: as JSON with every field, as a page, as a row.
//!
//! Decides layout. Never leaves a field out of JSON, so that a schema can name them all.

use anstyle::Style;
use core::fmt::Write as _;
use hardwon_core::env::Timestamp;
use hardwon_core::record::{Evidence, Record, Scope, Status, Support, Tier};
use serde_json::{Value, json};

use super::console::{DIM, GOOD, NOTE, columns, count, field, one_line, styled};
use super::table::Table;
use super::words;

/// How many rows of evidence a page shows.
const EVIDENCE: usize = 10;

/// The record's wire form, with the fields that it leaves out while they are empty and those that follow from others.
pub(super) fn to_json(record: &Record) -> Value {
    let mut value = serde_json::to_value(record).unwrap_or_default();
    let Value::Object(fields) = &mut value else { return value };
    for name in [
        "situations",
        "tools",
        "tags",
        "marks",
        "evidence",
        "variants",
        "rewordings",
        "supersedes",
        "supports",
        "rivals",
    ] {
        fields.entry(name).or_insert_with(|| json!([]));
    }
    for name in ["signature", "tool_group", "trigger", "status_reason", "author"] {
        fields.entry(name).or_insert_with(|| json!(""));
    }
    for name in
        ["tier_set", "valid_from", "valid_to", "revalidate_after", "superseded_by", "claim", "feedback"]
    {
        fields.entry(name).or_insert(Value::Null);
    }
    fields.entry("scope").or_insert_with(|| json!({}));
    if let Some(Value::Object(counters)) = fields.get_mut("counters") {
        for name in ["withheld", "recurred_withheld", "avoided_withheld"] {
            counters.entry(name).or_insert_with(|| json!(0));
        }
    }
    fields.insert("sessions".into(), json!(record.sessions()));
    fields.insert("hits".into(), json!(record.hits()));
    value
}

/// A page about one record.
pub(super) fn page(record: &Record) -> String {
    let mut out = format!("{}\n\n", styled(Style::new().bold(), &one_line(&record.text)));
    field(&mut out, "id", &record.id.to_string());
    field(&mut out, "kind", &format!("{}, {}", record.kind, words::plain(record.subtype.as_str())));
    field(&mut out, "tier", &format!("{}, {}", record.tier, count(record.hits(), "run")));
    field(&mut out, "status", &status(record));
    field(&mut out, "pin", if record.pin.as_str() == "none" { "" } else { record.pin.as_str() });
    field(&mut out, "scope", &scope(&record.scope));
    field(&mut out, "tools", &joined(&record.tools));
    field(&mut out, "tags", &joined(&record.tags));
    field(&mut out, "marks", &joined(&record.marks));
    field(&mut out, "trigger", &record.trigger);
    field(&mut out, "error", &record.signature);
    let time = |at: Option<Timestamp>| at.map(minute).unwrap_or_default();
    field(&mut out, "since", &time(record.valid_from));
    field(&mut out, "until", &time(record.valid_to));
    field(&mut out, "check after", &time(record.revalidate_after));
    if let Some(claim) = &record.claim {
        field(&mut out, "rationale", &claim.rationale);
        field(&mut out, "check by", &claim.freshness);
    }
    field(&mut out, "contradicts", &joined(&record.rivals));
    field(&mut out, "replaced", &joined(&record.supersedes));
    field(&mut out, "replaced by", &joined(record.superseded_by));
    field(&mut out, "source", &source(record));
    field(&mut out, "confirmed", &minute(record.last_confirmed_at));
    field(&mut out, "created", &minute(record.created_at));
    list(&mut out, "Situations", record.situations.iter().map(String::as_str));
    list(
        &mut out,
        "Other wordings",
        record.variants.iter().map(|one| one.text.as_str()).filter(|text| *text != record.text),
    );
    let in_models_words: Vec<String> =
        record.rewordings.iter().map(|one| format!("{} ({})", one.text, one.model)).collect();
    list(&mut out, "In a model's words", in_models_words.iter().map(String::as_str));
    let said: Vec<String> = record.supports.iter().map(said_by).collect();
    list(&mut out, "Said by", said.iter().map(String::as_str));
    if !record.evidence.is_empty() {
        out.push_str(&evidence(record));
    }
    out
}

/// A table of records.
pub(super) fn table(records: &[Record]) -> String {
    let show_status = records.iter().any(|one| one.status != Status::Active);
    // Where there is little room it is the text that counts; `show` has the tools.
    let show_tools = columns().is_none_or(|columns| columns >= 80);
    let mut head = vec!["ID", "TIER", "RUNS", "TEXT"];
    if show_tools {
        head.insert(3, "TOOLS");
    }
    if show_status {
        head.insert(2, "STATUS");
    }
    let mut table = Table::new(&head);
    for record in records {
        let mut row = vec![
            (DIM, short(&record.id)),
            (tier_style(record.tier), record.tier.to_string()),
            (Style::new(), record.hits().to_string()),
            (Style::new(), record.text.clone()),
        ];
        if show_tools {
            row.insert(3, (Style::new(), few(&record.tools)));
        }
        if show_status {
            row.insert(2, (NOTE, record.status.to_string()));
        }
        table.row(row);
    }
    table.render()
}

/// One line about a record, for reports.
pub(super) fn line(record: &Record) -> String {
    format!(
        "{}  {}  {}",
        styled(DIM, &short(&record.id)),
        styled(tier_style(record.tier), record.tier.as_str()),
        one_line(&record.text)
    )
}

/// The first digits of an id, enough to name it in all but very large spaces.
pub(super) fn short(id: &impl ToString) -> String {
    let id = id.to_string();
    id.get(..8).map(str::to_string).unwrap_or(id)
}

/// A time to the minute, in UTC.
pub(super) fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    text.get(..16).map_or_else(|| text.clone(), |head| head.replace('T', " "))
}

pub(super) fn tier_style(tier: Tier) -> Style {
    if tier == Tier::Strategic { GOOD } else { Style::new() }
}

/// A share or score in millionths, as people read it.
pub(super) fn millionths(value: impl Into<i64>) -> String {
    format!("{:.2}", value.into() as f64 / 1e6)
}

pub(super) fn evidence_table<'a>(all: impl Iterator<Item = &'a Evidence>) -> Table {
    let mut table = Table::new(&[]);
    for one in all {
        table.row(vec![
            (Style::new(), format!("  {}", one.session_id)),
            (Style::new(), one.event_id.clone()),
            (DIM, format!("#{}", one.position)),
            (DIM, minute(one.ts)),
            (Style::new(), one.tool.clone()),
        ]);
    }
    table
}

fn evidence(record: &Record) -> String {
    let mut newest: Vec<&Evidence> = record.evidence.iter().collect();
    newest.sort_by_key(|one| (core::cmp::Reverse(one.ts), &one.session_id, one.position));
    let more = newest.len().saturating_sub(EVIDENCE);
    let sessions = count(record.sessions().len() as u64, "session");
    let columns = "session, event, its place there, time, tool";
    let mut out =
        format!("\nEvidence {}\n", styled(DIM, &format!("from {sessions}, newest first: {columns}")));
    out.push_str(&evidence_table(newest.into_iter().take(EVIDENCE)).render());
    if more > 0 {
        out.push_str(&styled(DIM, &format!("  and {more} more; --json has all\n")));
    }
    out
}

fn list<'a>(out: &mut String, title: &str, items: impl Iterator<Item = &'a str>) {
    let lines: Vec<String> = items.map(|item| format!("  {}\n", one_line(item))).collect();
    if !lines.is_empty() {
        let _ = write!(out, "\n{title}\n{}", lines.concat());
    }
}

fn said_by(one: &Support) -> String {
    let named = [one.reference.as_str(), &one.author, &one.quote].into_iter().filter(|text| !text.is_empty());
    let parts: Vec<&str> = core::iter::once(words::source(one.source.as_str())).chain(named).collect();
    format!("{}, {}", parts.join(", "), minute(one.at))
}

fn status(record: &Record) -> String {
    if record.status_reason.is_empty() {
        return record.status.to_string();
    }
    format!("{} ({})", record.status, words::reason(&record.status_reason))
}

fn source(record: &Record) -> String {
    format!("{}, confidence {}", words::source(record.source.as_str()), millionths(record.confidence))
}

fn scope(scope: &Scope) -> String {
    if scope.is_empty() {
        return "everywhere".into();
    }
    scope.iter().map(|(key, value)| format!("{}={value}", key.as_str())).collect::<Vec<_>>().join("  ")
}

/// The first two names and how many more there are.
fn few(names: &[String]) -> String {
    let more = names.len().saturating_sub(2);
    let shown = joined(names.iter().take(2));
    if more > 0 { format!("{shown} +{more}") } else { shown }
}

fn joined(items: impl IntoIterator<Item = impl ToString>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

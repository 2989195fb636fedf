//! The options of the verbs about facts.
//!
//! Decides what can be typed and what it is called. Never decides what a verb does.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use hardwon_core::env::Timestamp;
use hardwon_core::op::{Cardinality, FactFormat};
use hardwon_core::record::{SourceClass, Subtype};

use super::args::{Note, ScopeArgs, named};

/// A claim, as a sentence or in three parts.
#[derive(Debug, Args)]
pub(super) struct Remember {
    /// The fact in words.
    pub(super) text: Option<String>,
    /// What it is about.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(super) subject: String,
    /// What is said of it.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) predicate: String,
    /// The value.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) object: String,
    /// Whether the predicate has one value at a time, or many.
    #[arg(long, value_name = "one|many", value_parser = named(&CARDINALITIES, cardinality_name))]
    pub(super) cardinality: Option<Cardinality>,
    /// The type of the fact.
    #[arg(long = "type", value_parser = named(&Subtype::FACTS, Subtype::as_str))]
    pub(super) subtype: Option<Subtype>,
    /// What kind of source says it.
    #[arg(long, value_parser = named(SourceClass::ALL, SourceClass::as_str))]
    pub(super) source: Option<SourceClass>,
    /// Where it stands: a file and commit, an address, a session or message.
    #[arg(long = "ref", value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) reference: String,
    /// The source's own words.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) quote: String,
    /// How sure it is, from 0 to 1; at most the cap of its source.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(super) confidence: Option<f64>,
    /// Why it is so; a decision needs it.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) rationale: String,
    /// How to check it again.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) freshness: String,
    /// A word of your own; may be repeated.
    #[arg(long = "tag", value_name = "WORD", value_parser = NonEmptyStringValueParser::new())]
    pub(super) tags: Vec<String>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// It applies everywhere.
    #[arg(long, conflicts_with = "pairs")]
    pub(super) everywhere: bool,
    /// Since when it holds in the world.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub(super) valid_from: Option<Day>,
    /// Until when it held; with --retract, when it ended.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub(super) valid_to: Option<Day>,
    /// When it must be checked again.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub(super) revalidate_after: Option<Day>,
    /// When it was said, where that is not now.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub(super) claimed_at: Option<Day>,
    /// It holds no longer.
    #[arg(long)]
    pub(super) retract: bool,
    #[command(flatten)]
    pub(super) note: Note,
}

#[derive(Debug, Args)]
pub(super) struct Facts {
    /// What they are about.
    #[arg(default_value = "", hide_default_value = true)]
    pub(super) subject: String,
    /// What they say of it.
    #[arg(default_value = "", hide_default_value = true)]
    pub(super) predicate: String,
    /// Only with this value.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) object: String,
    /// Go on from the values found to what is said of them by this predicate; may be repeated.
    #[arg(long, value_name = "PREDICATE")]
    pub(super) follow: Vec<String>,
    /// Only this type.
    #[arg(long = "type", value_parser = named(&Subtype::FACTS, Subtype::as_str))]
    pub(super) subtype: Option<Subtype>,
    /// Only those whose best source is of this class.
    #[arg(long, value_parser = named(SourceClass::ALL, SourceClass::as_str))]
    pub(super) source: Option<SourceClass>,
    /// Only those that this source says: a reference or an author.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(super) said_by: String,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// What held on this day; a moment (RFC 3339) is taken as it is.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub(super) as_of: Option<Day>,
    /// As it was believed on that day, and not as it is known today.
    #[arg(long)]
    pub(super) believed: bool,
    /// Only those that must be checked again.
    #[arg(long)]
    pub(super) due: bool,
    /// The whole history: what was replaced, ended, waits.
    #[arg(long)]
    pub(super) all: bool,
    /// Leave out this many from the start.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) offset: u32,
    /// The most facts; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) limit: u32,
}

#[derive(Debug, Args)]
pub(super) struct Audit {
    /// Carry out the remedies that lose nothing.
    #[arg(long)]
    pub(super) fix: bool,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    #[command(flatten)]
    pub(super) note: Note,
}

/// Files of facts, in place of an export.
#[derive(Debug, Args)]
pub(super) struct FactFiles {
    /// The files are facts of another memory, notes, instructions to agents, or an edited `export --facts`.
    #[arg(long = "facts")]
    pub(super) is_on: bool,
    /// Their form; detected where it is not given.
    #[arg(long, requires = "is_on", value_name = "FORMAT", value_parser = named(&FactFormat::ALL, FactFormat::name))]
    pub(super) format: Option<FactFormat>,
    /// The type of facts that the files give none.
    #[arg(long = "type", requires = "is_on", value_parser = named(&Subtype::FACTS, Subtype::as_str))]
    pub(super) subtype: Option<Subtype>,
    /// What kind of source they are.
    #[arg(long, requires = "is_on", value_parser = named(SourceClass::ALL, SourceClass::as_str))]
    pub(super) source: Option<SourceClass>,
    /// They apply everywhere.
    #[arg(long, requires = "is_on", conflicts_with = "pairs")]
    pub(super) everywhere: bool,
}

/// A day, from its first moment to its last, or one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Day {
    from: Timestamp,
    to: Timestamp,
}

impl Day {
    /// Its first moment.
    pub(super) fn first(self) -> Timestamp {
        self.from
    }

    /// Its last moment: what was written on the day counts.
    pub(super) fn last(self) -> Timestamp {
        self.to
    }
}

pub(super) fn day(text: &str) -> Result<Day, String> {
    let from =
        Timestamp::parse(text).ok_or("write a day as 2026-05-01, or a moment as 2026-05-01T09:30:00Z")?;
    let is_day = text.len() == 10;
    let to = if is_day { Timestamp(from.0.saturating_add(Timestamp::DAY - 1)) } else { from };
    Ok(Day { from, to })
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "write a number from 0 to 1".into())
}

const CARDINALITIES: [Cardinality; 2] = [Cardinality::One, Cardinality::Many];

const fn cardinality_name(one: Cardinality) -> &'static str {
    match one {
        Cardinality::One => "one",
        Cardinality::Many => "many",
    }
}

//! The closed lists of the record envelope. Kind, tier, status and pin are separate: none changes another.

use alloc::string::String;

use serde::{Deserialize, Serialize};

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name used in every binding, on the wire and in the command.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The value of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == name)
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

names! {
    /// What kind of thing a record is. A promotion never changes it.
    Kind {
        /// A guideline mined from traces or taught by hand.
        Lesson = "lesson",
        /// A governed fact.
        Fact = "fact",
        /// A behavioural correction.
        Feedback = "feedback",
        /// Opaque JSON of an adapter: searchable, outside the lifecycle.
        Item = "item",
    }
}

names! {
    /// The signal a lesson comes from.
    Subtype {
        /// A failed tool call.
        Failure = "failure",
        /// A failed call, then a success of the same purpose.
        Recovery = "recovery",
        /// An argument value that no output or listing ever showed.
        InventedValue = "invented_value",
        /// A write that nothing verified, or a claim that the checks do not support.
        Discrepancy = "discrepancy",
        /// The error itself said what to do.
        HintFollowed = "hint_followed",
        /// Where the right value of an argument comes from.
        Provenance = "provenance",
        /// Several variants were tried and none worked.
        DeadEnd = "dead_end",
        /// What surrounds the code had to be set up: a manifest, a configuration, a missing program.
        Environment = "environment",
        /// What runs of one task did that ended well, and others of it did not.
        Contrast = "contrast",
        /// A person corrected what was reported as done.
        Correction = "correction",
        /// A clean run with a real successful call.
        SuccessPattern = "success_pattern",
        /// One summary of a run.
        Postmortem = "postmortem",
        /// Written by hand.
        Taught = "taught",
        /// What lessons that left had in common, in a model's words.
        Summary = "summary",
        /// A fact: what a user wants, anywhere.
        Preference = "preference",
        /// A fact: what holds in a project.
        Constraint = "constraint",
        /// A fact: what was decided, and why.
        Decision = "decision",
        /// A fact: a rule for work that comes back.
        Workflow = "workflow",
        /// A fact about the world outside, which has to be checked again.
        External = "external",
    }
}

impl Subtype {
    /// The types that a fact may have.
    pub const FACTS: [Self; 5] =
        [Self::Preference, Self::Constraint, Self::Decision, Self::Workflow, Self::External];

    /// The kind group inside which lessons may merge: what is not about one failing call only with its own.
    pub const fn group(self) -> u8 {
        match self {
            Self::SuccessPattern => 1,
            Self::Postmortem => 2,
            Self::Contrast => 3,
            Self::Correction => 4,
            Self::Summary => 5,
            Self::Preference | Self::Constraint | Self::Decision | Self::Workflow | Self::External => 6,
            _ => 0,
        }
    }
}

names! {
    /// Whether a record holds.
    Status {
        /// It holds and may be recalled.
        Active = "active",
        /// It waits for review and is never recalled.
        Quarantined = "quarantined",
        /// It contradicts another record that holds.
        Conflicted = "conflicted",
        /// A newer record took its place.
        Superseded = "superseded",
        /// It was taken back (a soft forget); a new run may teach it again.
        Retracted = "retracted",
        /// It was evicted; recurrence or `restore` brings it back.
        Archived = "archived",
    }
}

names! {
    /// How often a lesson came back.
    Tier {
        /// Not yet in three root runs.
        Tactical = "tactical",
        /// Earned by recurrence, and kept.
        Strategic = "strategic",
    }
}

names! {
    /// Whether a record is held in place.
    Pin {
        /// Not pinned.
        None = "none",
        /// Held by its outcomes.
        AutoCore = "auto_core",
        /// Held by a person.
        Pinned = "pinned",
    }
}

names! {
    /// Which load set a record belongs to; derived.
    LoadSet {
        /// Always loaded.
        Core = "core",
        /// Updated within seven days.
        Recent = "recent",
        /// Loaded when asked for.
        OnDemand = "on_demand",
    }
}

names! {
    /// Where a record comes from, least trusted first. It caps the confidence and decides what it may become.
    SourceClass {
        /// Web or third-party text.
        Web = "web",
        /// Inferred by a model.
        Model = "model",
        /// Output of a tool.
        Tool = "tool",
        /// A person's review.
        Review = "review",
        /// Repository or configuration evidence.
        Repo = "repo",
        /// A statement of the user.
        User = "user",
    }
}

impl SourceClass {
    /// The highest confidence a record of this class may have, in millionths.
    pub const fn confidence_cap(self) -> u32 {
        match self {
            Self::User => 1_000_000,
            Self::Repo => 950_000,
            Self::Review => 900_000,
            Self::Tool => 700_000,
            Self::Model => 500_000,
            Self::Web => 400_000,
        }
    }
}

names! {
    /// What reviewers and ranking must know about a record.
    Mark {
        /// It has no remedy.
        Bare = "bare",
        /// Its remedy was seen only in runs that failed.
        Weak = "weak",
        /// It recurs and does no harm: counted, promoted, never spoken.
        Benign = "benign",
        /// Its remedy skips a check; taught only after review.
        Bypass = "bypass",
        /// It was seen in one edit-test loop alone; counted, and not spoken before a second root run shows it.
        Looped = "looped",
        /// It was forgotten and came back in a new run.
        Relapse = "relapse",
        /// An undo left parts that a later operation built on.
        Entangled = "entangled",
        /// A person wants it silent: it is recalled, and does not speak at a call.
        Muted = "muted",
        /// A reviewer wants the call held until a person has seen it.
        Blocking = "blocking",
    }
}

/// The reason a record is not active, for example `evicted`, `forgotten`, `secret`.
pub type StatusReason = String;

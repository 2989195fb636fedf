//! Between the names of `wit/` and the engine's.
//!
//! Made by wasm/component/generate.py from the engine's source. Change that, and run it again.

use hardwon_core::error::Error;
use hardwon_core::learn::Strength;
use hardwon_core::op::{Advice, Cardinality, Choice, FactFormat, Outcome, Settlement, Slot};
use hardwon_core::react::{About, Came};
use hardwon_core::record::{Kind, Mark, Pin, SourceClass, Status, Subtype, Tier};
use hardwon_core::trace::Format;

use crate::exports::hardwon::memory::types as wit;
use crate::plain::{Lift, Lower};

impl Lower for Kind {
    type To = wit::Kind;

    fn lower(self) -> Self::To {
        match self {
            Kind::Lesson => Self::To::Lesson,
            Kind::Fact => Self::To::Fact,
            Kind::Feedback => Self::To::Feedback,
            _ => Self::To::Item,
        }
    }
}

impl Lift for Kind {
    type From = wit::Kind;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Kind::Lesson => Self::Lesson,
            wit::Kind::Fact => Self::Fact,
            wit::Kind::Feedback => Self::Feedback,
            wit::Kind::Item => Self::Item,
        })
    }
}

impl Lower for Subtype {
    type To = wit::Subtype;

    fn lower(self) -> Self::To {
        match self {
            Subtype::Failure => Self::To::Failure,
            Subtype::Recovery => Self::To::Recovery,
            Subtype::InventedValue => Self::To::InventedValue,
            Subtype::Discrepancy => Self::To::Discrepancy,
            Subtype::HintFollowed => Self::To::HintFollowed,
            Subtype::Provenance => Self::To::Provenance,
            Subtype::DeadEnd => Self::To::DeadEnd,
            Subtype::Environment => Self::To::Environment,
            Subtype::Contrast => Self::To::Contrast,
            Subtype::Correction => Self::To::Correction,
            Subtype::SuccessPattern => Self::To::SuccessPattern,
            Subtype::Postmortem => Self::To::Postmortem,
            Subtype::Taught => Self::To::Taught,
            Subtype::Summary => Self::To::Summary,
            Subtype::Preference => Self::To::Preference,
            Subtype::Constraint => Self::To::Constraint,
            Subtype::Decision => Self::To::Decision,
            Subtype::Workflow => Self::To::Workflow,
            _ => Self::To::External,
        }
    }
}

impl Lift for Subtype {
    type From = wit::Subtype;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Subtype::Failure => Self::Failure,
            wit::Subtype::Recovery => Self::Recovery,
            wit::Subtype::InventedValue => Self::InventedValue,
            wit::Subtype::Discrepancy => Self::Discrepancy,
            wit::Subtype::HintFollowed => Self::HintFollowed,
            wit::Subtype::Provenance => Self::Provenance,
            wit::Subtype::DeadEnd => Self::DeadEnd,
            wit::Subtype::Environment => Self::Environment,
            wit::Subtype::Contrast => Self::Contrast,
            wit::Subtype::Correction => Self::Correction,
            wit::Subtype::SuccessPattern => Self::SuccessPattern,
            wit::Subtype::Postmortem => Self::Postmortem,
            wit::Subtype::Taught => Self::Taught,
            wit::Subtype::Summary => Self::Summary,
            wit::Subtype::Preference => Self::Preference,
            wit::Subtype::Constraint => Self::Constraint,
            wit::Subtype::Decision => Self::Decision,
            wit::Subtype::Workflow => Self::Workflow,
            wit::Subtype::External => Self::External,
        })
    }
}

impl Lower for Status {
    type To = wit::Status;

    fn lower(self) -> Self::To {
        match self {
            Status::Active => Self::To::Active,
            Status::Quarantined => Self::To::Quarantined,
            Status::Conflicted => Self::To::Conflicted,
            Status::Superseded => Self::To::Superseded,
            Status::Retracted => Self::To::Retracted,
            _ => Self::To::Archived,
        }
    }
}

impl Lift for Status {
    type From = wit::Status;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Status::Active => Self::Active,
            wit::Status::Quarantined => Self::Quarantined,
            wit::Status::Conflicted => Self::Conflicted,
            wit::Status::Superseded => Self::Superseded,
            wit::Status::Retracted => Self::Retracted,
            wit::Status::Archived => Self::Archived,
        })
    }
}

impl Lower for Tier {
    type To = wit::Tier;

    fn lower(self) -> Self::To {
        match self {
            Tier::Tactical => Self::To::Tactical,
            _ => Self::To::Strategic,
        }
    }
}

impl Lift for Tier {
    type From = wit::Tier;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Tier::Tactical => Self::Tactical,
            wit::Tier::Strategic => Self::Strategic,
        })
    }
}

impl Lower for Pin {
    type To = wit::Pin;

    fn lower(self) -> Self::To {
        match self {
            Pin::None => Self::To::None,
            Pin::AutoCore => Self::To::AutoCore,
            _ => Self::To::Pinned,
        }
    }
}

impl Lift for Pin {
    type From = wit::Pin;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Pin::None => Self::None,
            wit::Pin::AutoCore => Self::AutoCore,
            wit::Pin::Pinned => Self::Pinned,
        })
    }
}

impl Lower for SourceClass {
    type To = wit::SourceClass;

    fn lower(self) -> Self::To {
        match self {
            SourceClass::Web => Self::To::Web,
            SourceClass::Model => Self::To::Model,
            SourceClass::Tool => Self::To::Tool,
            SourceClass::Review => Self::To::Review,
            SourceClass::Repo => Self::To::Repo,
            _ => Self::To::User,
        }
    }
}

impl Lift for SourceClass {
    type From = wit::SourceClass;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::SourceClass::Web => Self::Web,
            wit::SourceClass::Model => Self::Model,
            wit::SourceClass::Tool => Self::Tool,
            wit::SourceClass::Review => Self::Review,
            wit::SourceClass::Repo => Self::Repo,
            wit::SourceClass::User => Self::User,
        })
    }
}

impl Lower for Mark {
    type To = wit::Mark;

    fn lower(self) -> Self::To {
        match self {
            Mark::Bare => Self::To::Bare,
            Mark::Weak => Self::To::Weak,
            Mark::Benign => Self::To::Benign,
            Mark::Bypass => Self::To::Bypass,
            Mark::Looped => Self::To::Looped,
            Mark::Relapse => Self::To::Relapse,
            Mark::Entangled => Self::To::Entangled,
            Mark::Muted => Self::To::Muted,
            _ => Self::To::Blocking,
        }
    }
}

impl Lift for Mark {
    type From = wit::Mark;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Mark::Bare => Self::Bare,
            wit::Mark::Weak => Self::Weak,
            wit::Mark::Benign => Self::Benign,
            wit::Mark::Bypass => Self::Bypass,
            wit::Mark::Looped => Self::Looped,
            wit::Mark::Relapse => Self::Relapse,
            wit::Mark::Entangled => Self::Entangled,
            wit::Mark::Muted => Self::Muted,
            wit::Mark::Blocking => Self::Blocking,
        })
    }
}

impl Lower for Settlement {
    type To = wit::Settlement;

    fn lower(self) -> Self::To {
        match self {
            Settlement::Followed => Self::To::Followed,
            Settlement::NotFollowed => Self::To::NotFollowed,
            _ => Self::To::Irrelevant,
        }
    }
}

impl Lift for Settlement {
    type From = wit::Settlement;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Settlement::Followed => Self::Followed,
            wit::Settlement::NotFollowed => Self::NotFollowed,
            wit::Settlement::Irrelevant => Self::Irrelevant,
        })
    }
}

impl Lower for Choice {
    type To = wit::Choice;

    fn lower(self) -> Self::To {
        match self {
            Choice::Confirm => Self::To::Confirm,
            Choice::Block => Self::To::Block,
            Choice::Archive => Self::To::Archive,
            _ => Self::To::Supersede,
        }
    }
}

impl Lift for Choice {
    type From = wit::Choice;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Choice::Confirm => Self::Confirm,
            wit::Choice::Block => Self::Block,
            wit::Choice::Archive => Self::Archive,
            wit::Choice::Supersede => Self::Supersede,
        })
    }
}

impl Lower for FactFormat {
    type To = wit::FactFormat;

    fn lower(self) -> Self::To {
        match self {
            FactFormat::McpMemory => Self::To::McpMemory,
            FactFormat::Mem0 => Self::To::Mem0,
            FactFormat::LanggraphStore => Self::To::LanggraphStore,
            FactFormat::Notes => Self::To::Notes,
            FactFormat::Instructions => Self::To::Instructions,
            _ => Self::To::Markdown,
        }
    }
}

impl Lift for FactFormat {
    type From = wit::FactFormat;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::FactFormat::McpMemory => Self::McpMemory,
            wit::FactFormat::Mem0 => Self::Mem0,
            wit::FactFormat::LanggraphStore => Self::LanggraphStore,
            wit::FactFormat::Notes => Self::Notes,
            wit::FactFormat::Instructions => Self::Instructions,
            wit::FactFormat::Markdown => Self::Markdown,
        })
    }
}

impl Lower for Cardinality {
    type To = wit::Cardinality;

    fn lower(self) -> Self::To {
        match self {
            Cardinality::One => Self::To::One,
            _ => Self::To::Many,
        }
    }
}

impl Lift for Cardinality {
    type From = wit::Cardinality;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Cardinality::One => Self::One,
            wit::Cardinality::Many => Self::Many,
        })
    }
}

impl Lower for Advice {
    type To = wit::Advice;

    fn lower(self) -> Self::To {
        match self {
            Advice::Silent => Self::To::Silent,
            Advice::Advise => Self::To::Advise,
            Advice::Hold => Self::To::Hold,
            _ => Self::To::Rewrite,
        }
    }
}

impl Lower for Outcome {
    type To = wit::Outcome;

    fn lower(self) -> Self::To {
        match self {
            Outcome::Created => Self::To::Created,
            Outcome::Refreshed => Self::To::Refreshed,
            Outcome::Changed => Self::To::Changed,
            Outcome::Unchanged => Self::To::Unchanged,
            Outcome::Superseded => Self::To::Superseded,
            Outcome::Coexists => Self::To::Coexists,
            Outcome::Retracted => Self::To::Retracted,
            Outcome::Conflicted => Self::To::Conflicted,
            Outcome::Quarantined => Self::To::Quarantined,
            Outcome::Refused => Self::To::Refused,
            _ => Self::To::Erased,
        }
    }
}

impl Lower for Slot {
    type To = wit::Slot;

    fn lower(self) -> Self::To {
        match self {
            Slot::Core => Self::To::Core,
            Slot::Tool => Self::To::Tool,
            _ => Self::To::Ranked,
        }
    }
}

impl Lower for About {
    type To = wit::About;

    fn lower(self) -> Self::To {
        match self {
            About::Heard => Self::To::Heard,
            About::Argued => Self::To::Argued,
            About::Decided => Self::To::Decided,
            _ => Self::To::Confirmed,
        }
    }
}

impl Lift for About {
    type From = wit::About;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::About::Heard => Self::Heard,
            wit::About::Argued => Self::Argued,
            wit::About::Decided => Self::Decided,
            wit::About::Confirmed => Self::Confirmed,
        })
    }
}

impl Lower for Came {
    type To = wit::Came;

    fn lower(self) -> Self::To {
        match self {
            Came::Followed => Self::To::Followed,
            Came::NotFollowed => Self::To::NotFollowed,
            Came::Irrelevant => Self::To::Irrelevant,
            _ => Self::To::Unresolved,
        }
    }
}

impl Lower for Strength {
    type To = wit::Strength;

    fn lower(self) -> Self::To {
        match self {
            Strength::Looped => Self::To::Looped,
            Strength::Bare => Self::To::Bare,
            Strength::Weak => Self::To::Weak,
            Strength::Seen => Self::To::Seen,
            Strength::Named => Self::To::Named,
            Strength::Proven => Self::To::Proven,
            _ => Self::To::Taught,
        }
    }
}

impl Lift for Strength {
    type From = wit::Strength;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Strength::Looped => Self::Looped,
            wit::Strength::Bare => Self::Bare,
            wit::Strength::Weak => Self::Weak,
            wit::Strength::Seen => Self::Seen,
            wit::Strength::Named => Self::Named,
            wit::Strength::Proven => Self::Proven,
            wit::Strength::Taught => Self::Taught,
        })
    }
}

impl Lower for Format {
    type To = wit::Format;

    fn lower(self) -> Self::To {
        match self {
            Format::Canonical => Self::To::Canonical,
            Format::ClaudeAgentSdk => Self::To::ClaudeAgentSdk,
            Format::ClaudeCode => Self::To::ClaudeCode,
            Format::CodexRollout => Self::To::CodexRollout,
            Format::GeminiCli => Self::To::GeminiCli,
            Format::InspectAi => Self::To::InspectAi,
            Format::KimiCli => Self::To::KimiCli,
            Format::McpJsonrpc => Self::To::McpJsonrpc,
            Format::OpenHands => Self::To::OpenHands,
            Format::OpenInferenceSpans => Self::To::OpenInferenceSpans,
            Format::OtelGenAiSpans => Self::To::OtelGenAiSpans,
            Format::OtelEvents => Self::To::OtelEvents,
            Format::LangChainRuns => Self::To::LangChainRuns,
            Format::SweAgentTraj => Self::To::SweAgentTraj,
            Format::MiniSweAgent => Self::To::MiniSweAgent,
            Format::ToolBench => Self::To::ToolBench,
            Format::WhoAndWhen => Self::To::WhoAndWhen,
            Format::LangChain => Self::To::LangChain,
            Format::VercelAiSdk => Self::To::VercelAiSdk,
            Format::OpenAiResponses => Self::To::OpenAiResponses,
            Format::Anthropic => Self::To::Anthropic,
            _ => Self::To::OpenAi,
        }
    }
}

impl Lift for Format {
    type From = wit::Format;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(match from {
            wit::Format::Canonical => Self::Canonical,
            wit::Format::ClaudeAgentSdk => Self::ClaudeAgentSdk,
            wit::Format::ClaudeCode => Self::ClaudeCode,
            wit::Format::CodexRollout => Self::CodexRollout,
            wit::Format::GeminiCli => Self::GeminiCli,
            wit::Format::InspectAi => Self::InspectAi,
            wit::Format::KimiCli => Self::KimiCli,
            wit::Format::McpJsonrpc => Self::McpJsonrpc,
            wit::Format::OpenHands => Self::OpenHands,
            wit::Format::OpenInferenceSpans => Self::OpenInferenceSpans,
            wit::Format::OtelGenAiSpans => Self::OtelGenAiSpans,
            wit::Format::OtelEvents => Self::OtelEvents,
            wit::Format::LangChainRuns => Self::LangChainRuns,
            wit::Format::SweAgentTraj => Self::SweAgentTraj,
            wit::Format::MiniSweAgent => Self::MiniSweAgent,
            wit::Format::ToolBench => Self::ToolBench,
            wit::Format::WhoAndWhen => Self::WhoAndWhen,
            wit::Format::LangChain => Self::LangChain,
            wit::Format::VercelAiSdk => Self::VercelAiSdk,
            wit::Format::OpenAiResponses => Self::OpenAiResponses,
            wit::Format::Anthropic => Self::Anthropic,
            wit::Format::OpenAi => Self::OpenAi,
        })
    }
}

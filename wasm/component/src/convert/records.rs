//! Between the records of `wit/` and the engine's.
//!
//! Made by wasm/component/generate.py from the engine's source. Change that, and run it again.

use hardwon_core::error::Error;
use hardwon_core::record::{Claim, Counters, Evidence, Feedback, Record, Rewording, Support, Variant};
use hardwon_core::step::StoredVector;

use crate::exports::hardwon::memory::types as wit;
use crate::plain::{Lift, Lower};

impl Lower for Counters {
    type To = wit::Counters;

    fn lower(self) -> Self::To {
        Self::To {
            surfaced: self.surfaced.lower(),
            followed: self.followed.lower(),
            not_followed: self.not_followed.lower(),
            irrelevant: self.irrelevant.lower(),
            missed: self.missed.lower(),
            recurred: self.recurred.lower(),
            avoided: self.avoided.lower(),
            withheld: self.withheld.lower(),
            recurred_withheld: self.recurred_withheld.lower(),
            avoided_withheld: self.avoided_withheld.lower(),
        }
    }
}

impl Lift for Counters {
    type From = wit::Counters;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            surfaced: Lift::lift(from.surfaced)?,
            followed: Lift::lift(from.followed)?,
            not_followed: Lift::lift(from.not_followed)?,
            irrelevant: Lift::lift(from.irrelevant)?,
            missed: Lift::lift(from.missed)?,
            recurred: Lift::lift(from.recurred)?,
            avoided: Lift::lift(from.avoided)?,
            withheld: Lift::lift(from.withheld)?,
            recurred_withheld: Lift::lift(from.recurred_withheld)?,
            avoided_withheld: Lift::lift(from.avoided_withheld)?,
        })
    }
}

impl Lower for Evidence {
    type To = wit::Evidence;

    fn lower(self) -> Self::To {
        Self::To {
            key: self.key.lower(),
            session_id: self.session_id.lower(),
            root_run_id: self.root_run_id.lower(),
            event_id: self.event_id.lower(),
            position: self.position.lower(),
            ts: self.ts.lower(),
            undated: self.undated.lower(),
            tool: self.tool.lower(),
            says: self.says.lower(),
        }
    }
}

impl Lift for Evidence {
    type From = wit::Evidence;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            key: Lift::lift(from.key)?,
            session_id: Lift::lift(from.session_id)?,
            root_run_id: Lift::lift(from.root_run_id)?,
            event_id: Lift::lift(from.event_id)?,
            position: Lift::lift(from.position)?,
            ts: Lift::lift(from.ts)?,
            undated: Lift::lift(from.undated)?,
            tool: Lift::lift(from.tool)?,
            says: Lift::lift(from.says)?,
        })
    }
}

impl Lower for Variant {
    type To = wit::Variant;

    fn lower(self) -> Self::To {
        Self::To {
            text: self.text.lower(),
            strength: self.strength.lower(),
            subtype: self.subtype.lower(),
            trigger: self.trigger.lower(),
            about: self.about.lower(),
            action: self.action.lower(),
            benign: self.benign.lower(),
        }
    }
}

impl Lift for Variant {
    type From = wit::Variant;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            text: Lift::lift(from.text)?,
            strength: Lift::lift(from.strength)?,
            subtype: Lift::lift(from.subtype)?,
            trigger: Lift::lift(from.trigger)?,
            about: Lift::lift(from.about)?,
            action: Lift::lift(from.action)?,
            benign: Lift::lift(from.benign)?,
        })
    }
}

impl Lower for Rewording {
    type To = wit::Rewording;

    fn lower(self) -> Self::To {
        Self::To { of: self.of.lower(), text: self.text.lower(), model: self.model.lower() }
    }
}

impl Lift for Rewording {
    type From = wit::Rewording;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self { of: Lift::lift(from.of)?, text: Lift::lift(from.text)?, model: Lift::lift(from.model)? })
    }
}

impl Lower for Claim {
    type To = wit::Claim;

    fn lower(self) -> Self::To {
        Self::To {
            subject: self.subject.lower(),
            predicate: self.predicate.lower(),
            object: self.object.lower(),
            instead_of: self.instead_of.lower(),
            negated: self.negated.lower(),
            many: self.many.lower(),
            dated: self.dated.lower(),
            rationale: self.rationale.lower(),
            freshness: self.freshness.lower(),
        }
    }
}

impl Lift for Claim {
    type From = wit::Claim;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            subject: Lift::lift(from.subject)?,
            predicate: Lift::lift(from.predicate)?,
            object: Lift::lift(from.object)?,
            instead_of: Lift::lift(from.instead_of)?,
            negated: Lift::lift(from.negated)?,
            many: Lift::lift(from.many)?,
            dated: Lift::lift(from.dated)?,
            rationale: Lift::lift(from.rationale)?,
            freshness: Lift::lift(from.freshness)?,
        })
    }
}

impl Lower for Support {
    type To = wit::Support;

    fn lower(self) -> Self::To {
        Self::To {
            source: self.source.lower(),
            at: self.at.lower(),
            confidence: self.confidence.lower(),
            reference: self.reference.lower(),
            author: self.author.lower(),
            quote: self.quote.lower(),
        }
    }
}

impl Lift for Support {
    type From = wit::Support;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            source: Lift::lift(from.source)?,
            at: Lift::lift(from.at)?,
            confidence: Lift::lift(from.confidence)?,
            reference: Lift::lift(from.reference)?,
            author: Lift::lift(from.author)?,
            quote: Lift::lift(from.quote)?,
        })
    }
}

impl Lower for Feedback {
    type To = wit::Feedback;

    fn lower(self) -> Self::To {
        Self::To {
            situation: self.situation.lower(),
            behavior: self.behavior.lower(),
            impact: self.impact.lower(),
            action: self.action.lower(),
        }
    }
}

impl Lift for Feedback {
    type From = wit::Feedback;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            situation: Lift::lift(from.situation)?,
            behavior: Lift::lift(from.behavior)?,
            impact: Lift::lift(from.impact)?,
            action: Lift::lift(from.action)?,
        })
    }
}

impl Lower for Record {
    type To = wit::Record;

    fn lower(self) -> Self::To {
        Self::To {
            id: self.id.lower(),
            kind: self.kind.lower(),
            subtype: self.subtype.lower(),
            scope: self.scope.lower(),
            text: self.text.lower(),
            key: self.key.lower(),
            signature: self.signature.lower(),
            tool_group: self.tool_group.lower(),
            trigger: self.trigger.lower(),
            situations: self.situations.lower(),
            tools: self.tools.lower(),
            tags: self.tags.lower(),
            marks: self.marks.lower(),
            status: self.status.lower(),
            status_reason: self.status_reason.lower(),
            tier: self.tier.lower(),
            tier_set: self.tier_set.lower(),
            pin: self.pin.lower(),
            source: self.source.lower(),
            author: self.author.lower(),
            confidence: self.confidence.lower(),
            claim: self.claim.lower(),
            feedback: self.feedback.lower(),
            supports: self.supports.lower(),
            rivals: self.rivals.lower(),
            counters: self.counters.lower(),
            evidence: self.evidence.lower(),
            variants: self.variants.lower(),
            rewordings: self.rewordings.lower(),
            created_at: self.created_at.lower(),
            updated_at: self.updated_at.lower(),
            last_confirmed_at: self.last_confirmed_at.lower(),
            valid_from: self.valid_from.lower(),
            valid_to: self.valid_to.lower(),
            revalidate_after: self.revalidate_after.lower(),
            supersedes: self.supersedes.lower(),
            superseded_by: self.superseded_by.lower(),
            version: self.version.lower(),
        }
    }
}

impl Lift for Record {
    type From = wit::Record;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            id: Lift::lift(from.id)?,
            kind: Lift::lift(from.kind)?,
            subtype: Lift::lift(from.subtype)?,
            scope: Lift::lift(from.scope)?,
            text: Lift::lift(from.text)?,
            key: Lift::lift(from.key)?,
            signature: Lift::lift(from.signature)?,
            tool_group: Lift::lift(from.tool_group)?,
            trigger: Lift::lift(from.trigger)?,
            situations: Lift::lift(from.situations)?,
            tools: Lift::lift(from.tools)?,
            tags: Lift::lift(from.tags)?,
            marks: Lift::lift(from.marks)?,
            status: Lift::lift(from.status)?,
            status_reason: Lift::lift(from.status_reason)?,
            tier: Lift::lift(from.tier)?,
            tier_set: Lift::lift(from.tier_set)?,
            pin: Lift::lift(from.pin)?,
            source: Lift::lift(from.source)?,
            author: Lift::lift(from.author)?,
            confidence: Lift::lift(from.confidence)?,
            claim: Lift::lift(from.claim)?,
            feedback: Lift::lift(from.feedback)?,
            supports: Lift::lift(from.supports)?,
            rivals: Lift::lift(from.rivals)?,
            counters: Lift::lift(from.counters)?,
            evidence: Lift::lift(from.evidence)?,
            variants: Lift::lift(from.variants)?,
            rewordings: Lift::lift(from.rewordings)?,
            created_at: Lift::lift(from.created_at)?,
            updated_at: Lift::lift(from.updated_at)?,
            last_confirmed_at: Lift::lift(from.last_confirmed_at)?,
            valid_from: Lift::lift(from.valid_from)?,
            valid_to: Lift::lift(from.valid_to)?,
            revalidate_after: Lift::lift(from.revalidate_after)?,
            supersedes: Lift::lift(from.supersedes)?,
            superseded_by: Lift::lift(from.superseded_by)?,
            version: Lift::lift(from.version)?,
        })
    }
}

impl Lower for StoredVector {
    type To = wit::StoredVector;

    fn lower(self) -> Self::To {
        Self::To { record: self.record.lower(), embedder: self.embedder.lower(), vector: self.vector.lower() }
    }
}

impl Lift for StoredVector {
    type From = wit::StoredVector;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(Self {
            record: Lift::lift(from.record)?,
            embedder: Lift::lift(from.embedder)?,
            vector: Lift::lift(from.vector)?,
        })
    }
}

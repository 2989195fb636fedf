//! Between the answers of `wit/` and the engine's.
//!
//! Made by wasm/component/generate.py from the engine's source. Change that, and run it again.

use hardwon_core::op::{
    Audited, Check, Effect, Explained, Extracted, Figures, Flaw, Forgotten, Gathered, Guarded, HistoryEntry,
    Interval, Item, Learned, Maintained, Outcomes, Rate, Recalled, Remembered, ShownRecord, Silent, Told,
    Undone, Waiting, Why, Worded, Written,
};
use hardwon_core::react::{Objection, Opinion};

use crate::exports::hardwon::memory::answers as wit;
use crate::plain::Lower;

impl Lower for Why {
    type To = wit::Why;

    fn lower(self) -> Self::To {
        Self::To {
            slot: self.slot.lower(),
            relevance: self.relevance.lower(),
            lexical: self.lexical.lower(),
            cosine: self.cosine.lower(),
            signature: self.signature.lower(),
            situation: self.situation.lower(),
            score: self.score.lower(),
            reranked: self.reranked.lower(),
        }
    }
}

impl Lower for Item {
    type To = wit::Item;

    fn lower(self) -> Self::To {
        Self::To {
            id: self.id.lower(),
            text: self.text.lower(),
            kind: self.kind.lower(),
            tier: self.tier.lower(),
            age_days: self.age_days.lower(),
            confidence: self.confidence.lower(),
            why: self.why.lower(),
            evidence: self.evidence.lower(),
            due: self.due.lower(),
            rivals: self.rivals.lower(),
            superseded_by: self.superseded_by.lower(),
            valid_from: self.valid_from.lower(),
            valid_to: self.valid_to.lower(),
        }
    }
}

impl Lower for Recalled {
    type To = wit::Recalled;

    fn lower(self) -> Self::To {
        Self::To {
            moment: self.moment.lower(),
            items: self.items.lower(),
            omitted: self.omitted.lower(),
            overruled: self.overruled.lower(),
            block: self.block.lower(),
            tokens: self.tokens.lower(),
            tokenizer: self.tokenizer.lower(),
            event: self.event.lower(),
            notices: self.notices.lower(),
        }
    }
}

impl Lower for Silent {
    type To = wit::Silent;

    fn lower(self) -> Self::To {
        Self::To { id: self.id.lower(), reason: self.reason.lower() }
    }
}

impl Lower for Guarded {
    type To = wit::Guarded;

    fn lower(self) -> Self::To {
        Self::To {
            verdict: self.verdict.lower(),
            text: self.text.lower(),
            block: self.block.lower(),
            items: self.items.lower(),
            silent: self.silent.lower(),
            event: self.event.lower(),
            args: self.args.lower(),
        }
    }
}

impl Lower for Waiting {
    type To = wit::Waiting;

    fn lower(self) -> Self::To {
        Self::To { record: self.record.lower(), cause: self.cause.lower(), detail: self.detail.lower() }
    }
}

impl Lower for ShownRecord {
    type To = wit::ShownRecord;

    fn lower(self) -> Self::To {
        Self::To {
            id: self.id.lower(),
            text: self.text.lower(),
            surfaced: self.surfaced.lower(),
            recurred: self.recurred.lower(),
            avoided: self.avoided.lower(),
            followed: self.followed.lower(),
            not_followed: self.not_followed.lower(),
            irrelevant: self.irrelevant.lower(),
        }
    }
}

impl Lower for Rate {
    type To = wit::Rate;

    fn lower(self) -> Self::To {
        Self::To { recurred: self.recurred.lower(), of: self.of.lower() }
    }
}

impl Lower for Interval {
    type To = wit::Interval;

    fn lower(self) -> Self::To {
        Self::To { low: self.low.lower(), value: self.value.lower(), high: self.high.lower() }
    }
}

impl Lower for Effect {
    type To = wit::Effect;

    fn lower(self) -> Self::To {
        Self::To {
            since: self.since.lower(),
            until: self.until.lower(),
            sessions: self.sessions.lower(),
            learned: self.learned.lower(),
            left: self.left.lower(),
            shown: self.shown.lower(),
            with: self.with.lower(),
            without: self.without.lower(),
            effect: self.effect.lower(),
            waiting: self.waiting.lower(),
            missed: self.missed.lower(),
        }
    }
}

impl Lower for Worded {
    type To = wit::Worded;

    fn lower(self) -> Self::To {
        Self::To {
            model: self.model.lower(),
            asked: self.asked.lower(),
            worded: self.worded.lower(),
            unused: self.unused.lower(),
        }
    }
}

impl Lower for Learned {
    type To = wit::Learned;

    fn lower(self) -> Self::To {
        Self::To {
            format: self.format.lower(),
            sessions: self.sessions.lower(),
            known: self.known.lower(),
            events: self.events.lower(),
            signals: self.signals.lower(),
            drafted: self.drafted.lower(),
            inserted: self.inserted.lower(),
            merged: self.merged.lower(),
            promoted: self.promoted.lower(),
            quarantined: self.quarantined.lower(),
            skipped: self.skipped.lower(),
            bad_lines: self.bad_lines.lower(),
            bad: self.bad.lower(),
            records: self.records.lower(),
            notices: self.notices.lower(),
            model: self.model.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for Written {
    type To = wit::Written;

    fn lower(self) -> Self::To {
        Self::To {
            outcome: self.outcome.lower(),
            reason: self.reason.lower(),
            id: self.id.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for Undone {
    type To = wit::Undone;

    fn lower(self) -> Self::To {
        Self::To {
            done: self.done.lower(),
            undone: self.undone.lower(),
            entangled: self.entangled.lower(),
            records: self.records.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for HistoryEntry {
    type To = wit::HistoryEntry;

    fn lower(self) -> Self::To {
        Self::To {
            rev: self.rev.lower(),
            op: self.op.lower(),
            verb: self.verb.lower(),
            at: self.at.lower(),
            actor: self.actor.lower(),
            reason: self.reason.lower(),
            undoes: self.undoes.lower(),
            changes: self.changes.lower(),
        }
    }
}

impl Lower for Check {
    type To = wit::Check;

    fn lower(self) -> Self::To {
        Self::To { name: self.name.lower(), passed: self.passed.lower(), detail: self.detail.lower() }
    }
}

impl Lower for Explained {
    type To = wit::Explained;

    fn lower(self) -> Self::To {
        Self::To {
            id: self.id.lower(),
            comes_back: self.comes_back.lower(),
            rank: self.rank.lower(),
            checks: self.checks.lower(),
            why: self.why.lower(),
        }
    }
}

impl Lower for Maintained {
    type To = wit::Maintained;

    fn lower(self) -> Self::To {
        Self::To {
            archived: self.archived.lower(),
            summaries: self.summaries.lower(),
            embedded: self.embedded.lower(),
            missing: self.missing.lower(),
            model: self.model.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for Outcomes {
    type To = wit::Outcomes;

    fn lower(self) -> Self::To {
        Self::To {
            surfaced: self.surfaced.lower(),
            followed: self.followed.lower(),
            not_followed: self.not_followed.lower(),
            irrelevant: self.irrelevant.lower(),
            missed: self.missed.lower(),
            unresolved: self.unresolved.lower(),
            effectiveness: self.effectiveness.lower(),
            proven: self.proven.lower(),
            unproven: self.unproven.lower(),
            failing: self.failing.lower(),
            core: self.core.lower(),
        }
    }
}

impl Lower for Figures {
    type To = wit::Figures;

    fn lower(self) -> Self::To {
        Self::To {
            revision: self.revision.lower(),
            kinds: self.kinds.lower(),
            statuses: self.statuses.lower(),
            tiers: self.tiers.lower(),
            subtypes: self.subtypes.lower(),
            pinned: self.pinned.lower(),
            sessions: self.sessions.lower(),
            without_vector: self.without_vector.lower(),
            embedder: self.embedder.lower(),
            tokenizer: self.tokenizer.lower(),
            tombstones: self.tombstones.lower(),
            outcomes: self.outcomes.lower(),
        }
    }
}

impl Lower for Remembered {
    type To = wit::Remembered;

    fn lower(self) -> Self::To {
        Self::To {
            outcome: self.outcome.lower(),
            reason: self.reason.lower(),
            id: self.id.lower(),
            replaced: self.replaced.lower(),
            rivals: self.rivals.lower(),
            beside: self.beside.lower(),
            read_back: self.read_back.lower(),
            flags: self.flags.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for Forgotten {
    type To = wit::Forgotten;

    fn lower(self) -> Self::To {
        Self::To {
            forgotten: self.forgotten.lower(),
            weakened: self.weakened.lower(),
            revived: self.revived.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for Told {
    type To = wit::Told;

    fn lower(self) -> Self::To {
        Self::To {
            message: self.message.lower(),
            text: self.text.lower(),
            outcome: self.outcome.lower(),
            reason: self.reason.lower(),
            id: self.id.lower(),
        }
    }
}

impl Lower for Extracted {
    type To = wit::Extracted;

    fn lower(self) -> Self::To {
        Self::To {
            messages: self.messages.lower(),
            sentences: self.sentences.lower(),
            unread: self.unread.lower(),
            outcomes: self.outcomes.lower(),
            told: self.told.lower(),
            model: self.model.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for Gathered {
    type To = wit::Gathered;

    fn lower(self) -> Self::To {
        Self::To {
            format: self.format.lower(),
            outcomes: self.outcomes.lower(),
            skipped: self.skipped.lower(),
            told: self.told.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for Flaw {
    type To = wit::Flaw;

    fn lower(self) -> Self::To {
        Self::To {
            class: self.class.lower(),
            records: self.records.lower(),
            detail: self.detail.lower(),
            remedy: self.remedy.lower(),
            safe: self.safe.lower(),
            fixed: self.fixed.lower(),
        }
    }
}

impl Lower for Audited {
    type To = wit::Audited;

    fn lower(self) -> Self::To {
        Self::To {
            checked: self.checked.lower(),
            flaws: self.flaws.lower(),
            fixed: self.fixed.lower(),
            op: self.op.lower(),
        }
    }
}

impl Lower for Objection {
    type To = wit::Objection;

    fn lower(self) -> Self::To {
        Self::To { memories: self.memories.lower(), text: self.text.lower() }
    }
}

impl Lower for Opinion {
    type To = wit::Opinion;

    fn lower(self) -> Self::To {
        Self::To {
            infos: self.infos.lower(),
            objection: self.objection.lower(),
            ack: self.ack.lower(),
            question: self.question.lower(),
            verdict: self.verdict.lower(),
            surfaced: self.surfaced.lower(),
            missed: self.missed.lower(),
            made: self.made.lower(),
            replaced: self.replaced.lower(),
            refused: self.refused.lower(),
            op: self.op.lower(),
        }
    }
}

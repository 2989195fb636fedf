//! `audit`: what is wrong with the facts that are stored and with the indexes, and what can be mended safely.

use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::Audit;
use super::output::{Flaw, Output};
use crate::fact;
use crate::record::Scope;
use crate::view::View;

pub(crate) struct AuditVerb(pub(crate) Audit);

impl Decide for AuditVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let scope = self.0.scope.clone().map(Scope::normalised);
        let mut ed = Editor::new(*cx);
        let mut answer = fact::audit(&mut ed, scope.as_ref(), self.0.fix)?;
        if let Some(flaw) = self.drifted(cx.view) {
            answer.fixed += u32::from(flaw.fixed);
            answer.flaws.push(flaw);
        }
        answer.op = ed.op();
        let mut decision = ed.finish(Output::Audited(answer));
        decision.actor.clone_from(&self.0.actor);
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }

    fn renews(&self) -> bool {
        self.0.fix
    }
}

impl AuditVerb {
    /// Where the indexes do not say what the records say. They are of the whole space, whatever the scope.
    fn drifted(&self, view: &View) -> Option<Flaw> {
        let records: Vec<_> = view.drifted().into_iter().collect();
        (!records.is_empty()).then(|| Flaw {
            class: fact::INDEX.into(),
            detail: "the saved indexes know them otherwise than they are".into(),
            remedy: "the indexes are made anew of the records".into(),
            safe: true,
            fixed: self.0.fix,
            records,
        })
    }
}

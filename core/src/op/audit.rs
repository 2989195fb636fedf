//! `audit`: what is wrong with the facts that are stored, and what can be mended safely.

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::Audit;
use super::output::Output;
use crate::fact;
use crate::record::Scope;

pub(crate) struct AuditVerb(pub(crate) Audit);

impl Decide for AuditVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let scope = self.0.scope.clone().map(Scope::normalised);
        let mut ed = Editor::new(*cx);
        let mut answer = fact::audit(&mut ed, scope.as_ref(), self.0.fix)?;
        answer.op = ed.op();
        let mut decision = ed.finish(Output::Audited(answer));
        decision.actor.clone_from(&self.0.actor);
        decision.reason.clone_from(&self.0.reason);
        Ok(decision)
    }
}

//! From an input to a verb that can be decided.

use alloc::boxed::Box;

use super::context::Decide;
use super::input::Input;
use super::learn::{LearnVerb, ObserveVerb};
use super::space::Space;
use super::{
    audit, exchange, extract, facts, forget, guard, limits, pin, react, read, recall, records, remember,
    report, review, teach, undo, upkeep,
};
use crate::error::Error;

/// Checks an input and does what needs no view: reading and mining a trace, compiling a query.
pub(crate) fn prepare(space: &Space, input: Input) -> Result<Box<dyn Decide>, Error> {
    limits::check(&input, &space.policy.limits)?;
    Ok(match input {
        Input::Observe(input) => Box::new(ObserveVerb::new(input)?),
        Input::Learn(input) => Box::new(LearnVerb::new(input, space)?),
        Input::Teach(input) => Box::new(teach::TeachVerb::new(input)?),
        Input::Remember(input) => Box::new(remember::RememberVerb::new(input, space)?),
        Input::Facts(input) => Box::new(facts::FactsVerb(input)),
        Input::ForgetSource(input) => Box::new(forget::ForgetSourceVerb::new(input)?),
        Input::Audit(input) => Box::new(audit::AuditVerb(input)),
        Input::Extract(input) => Box::new(extract::ExtractVerb::new(input, space)?),
        Input::ImportFacts(input) => Box::new(exchange::ImportFactsVerb::new(input, space)?),
        Input::ExportFacts(input) => Box::new(exchange::ExportFactsVerb(input)),
        Input::Recall(input) => Box::new(recall::RecallVerb::new(input, space)),
        Input::Explain(input) => Box::new(recall::ExplainVerb::new(input, space)),
        Input::Get(input) => Box::new(read::GetVerb(input)),
        Input::List(input) => Box::new(read::ListVerb(input)),
        Input::Stats(_) => Box::new(read::StatsVerb),
        Input::History(input) => Box::new(read::HistoryVerb(input)),
        Input::Forget(input) => Box::new(forget::ForgetVerb(input)),
        Input::Restore(input) => Box::new(forget::RestoreVerb(input)),
        Input::Undo(input) => Box::new(undo::UndoVerb(input)),
        Input::Pin(input) => Box::new(pin::PinVerb { input, pinned: true }),
        Input::Unpin(input) => Box::new(pin::PinVerb { input, pinned: false }),
        Input::Maintain(input) => Box::new(upkeep::MaintainVerb(input)),
        Input::ExportRecords(input) => Box::new(records::ExportVerb(input)),
        Input::ImportRecords(input) => Box::new(records::ImportVerb::new(input, space)?),
        Input::Guard(input) => Box::new(guard::GuardVerb::new(input, space)?),
        Input::React(input) => Box::new(react::ReactVerb::new(input)?),
        Input::Settle(input) => Box::new(review::SettleVerb(input)),
        Input::Mute(input) => Box::new(review::MuteVerb { input, muted: true }),
        Input::Unmute(input) => Box::new(review::MuteVerb { input, muted: false }),
        Input::Review(input) => Box::new(review::ReviewVerb(input)),
        Input::Resolve(input) => Box::new(review::ResolveVerb(input)),
        Input::Report(input) => Box::new(report::ReportVerb(input)),
    })
}

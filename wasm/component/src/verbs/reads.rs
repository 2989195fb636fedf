//! The verbs of `wit/engine.wit` that read, each of which runs one input of the engine.
//!
//! Made by wasm/component/generate.py from the engine's source. Change that, and run it again.

use hardwon_core::op::{
    Explain, ExportFacts, ExportRecords, Facts, Get, Guard, History, Input, List, Output, Recall, Report,
    Review, Stats,
};

use crate::exports::hardwon::memory::{answers, options, types as wit};
use crate::memory::{Shared, strange};
use crate::plain::{Lift, Lower};

/// What holds, and what held.
pub fn facts(
    memory: &Shared,
    env: wit::Env,
    subject: String,
    predicate: String,
    more: Option<options::FactsOptions>,
) -> Result<answers::Listed, wit::Error> {
    let mut options = Facts::default();
    options.subject = Lift::lift(subject)?;
    options.predicate = Lift::lift(predicate)?;
    if let Some(more) = more {
        options.object = Lift::lift(more.object)?;
        options.follow = Lift::lift(more.follow)?;
        options.subtype = Lift::lift(more.subtype)?;
        options.source = Lift::lift(more.source)?;
        options.said_by = Lift::lift(more.said_by)?;
        options.scope = Lift::lift(more.scope)?;
        options.as_of = Lift::lift(more.as_of)?;
        options.believed = Lift::lift(more.believed)?;
        options.due = Lift::lift(more.due)?;
        options.all = Lift::lift(more.all)?;
        options.offset = Lift::lift(more.offset)?;
        options.limit = Lift::lift(more.limit)?;
    }
    match memory.run(env, Input::Facts(options))? {
        Output::Listed { records, total } => {
            Ok(answers::Listed { records: records.lower(), total: total.lower() })
        }
        _ => Err(strange()),
    }
}

/// The facts as Markdown, for people.
pub fn export_facts(
    memory: &Shared,
    env: wit::Env,
    more: Option<options::ExportFactsOptions>,
) -> Result<answers::FactsWritten, wit::Error> {
    let mut options = ExportFacts::default();
    if let Some(more) = more {
        options.scope = Lift::lift(more.scope)?;
    }
    match memory.run(env, Input::ExportFacts(options))? {
        Output::FactsWritten { text, total } => {
            Ok(answers::FactsWritten { text: text.lower(), total: total.lower() })
        }
        _ => Err(strange()),
    }
}

/// What is known for this moment.
pub fn recall(
    memory: &Shared,
    env: wit::Env,
    task: String,
    more: Option<options::RecallOptions>,
) -> Result<answers::Recalled, wit::Error> {
    let mut options = Recall::default();
    options.task = Lift::lift(task)?;
    if let Some(more) = more {
        options.tool = Lift::lift(more.tool)?;
        options.args = Lift::lift(more.args)?;
        options.error = Lift::lift(more.error)?;
        options.claim = Lift::lift(more.claim)?;
        options.tools = Lift::lift(more.tools)?;
        options.session_id = Lift::lift(more.session_id)?;
        options.scope = Lift::lift(more.scope)?;
        options.budget = Lift::lift(more.budget)?;
        options.top_k = Lift::lift(more.top_k)?;
        options.as_of = Lift::lift(more.as_of)?;
        options.believed = Lift::lift(more.believed)?;
        options.current = Lift::lift(more.current)?;
    }
    match memory.run(env, Input::Recall(options))? {
        Output::Recalled(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// One record.
pub fn get(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    more: Option<options::GetOptions>,
) -> Result<wit::Record, wit::Error> {
    let mut options = Get::default();
    options.id = Lift::lift(id)?;
    if let Some(more) = more {
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Get(options))? {
        Output::Got { record } => Ok(record.lower()),
        _ => Err(strange()),
    }
}

/// Records, filtered.
pub fn list(
    memory: &Shared,
    env: wit::Env,
    more: Option<options::ListOptions>,
) -> Result<answers::Listed, wit::Error> {
    let mut options = List::default();
    if let Some(more) = more {
        options.kind = Lift::lift(more.kind)?;
        options.status = Lift::lift(more.status)?;
        options.tier = Lift::lift(more.tier)?;
        options.tool = Lift::lift(more.tool)?;
        options.tag = Lift::lift(more.tag)?;
        options.scope = Lift::lift(more.scope)?;
        options.offset = Lift::lift(more.offset)?;
        options.limit = Lift::lift(more.limit)?;
    }
    match memory.run(env, Input::List(options))? {
        Output::Listed { records, total } => {
            Ok(answers::Listed { records: records.lower(), total: total.lower() })
        }
        _ => Err(strange()),
    }
}

/// What happened to a record, or in the space.
pub fn history(
    memory: &Shared,
    env: wit::Env,
    id: Option<wit::RecordId>,
    more: Option<options::HistoryOptions>,
) -> Result<Vec<answers::HistoryEntry>, wit::Error> {
    let mut options = History::default();
    options.id = Lift::lift(id)?;
    if let Some(more) = more {
        options.limit = Lift::lift(more.limit)?;
    }
    match memory.run(env, Input::History(options))? {
        Output::History { entries } => Ok(entries.lower()),
        _ => Err(strange()),
    }
}

/// Why a record does or does not come back for a query.
pub fn explain(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    task: String,
    more: Option<options::RecallOptions>,
) -> Result<answers::Explained, wit::Error> {
    let mut options = Explain::default();
    options.id = Lift::lift(id)?;
    options.query.task = Lift::lift(task)?;
    if let Some(more) = more {
        options.query.tool = Lift::lift(more.tool)?;
        options.query.args = Lift::lift(more.args)?;
        options.query.error = Lift::lift(more.error)?;
        options.query.claim = Lift::lift(more.claim)?;
        options.query.tools = Lift::lift(more.tools)?;
        options.query.session_id = Lift::lift(more.session_id)?;
        options.query.scope = Lift::lift(more.scope)?;
        options.query.budget = Lift::lift(more.budget)?;
        options.query.top_k = Lift::lift(more.top_k)?;
        options.query.as_of = Lift::lift(more.as_of)?;
        options.query.believed = Lift::lift(more.believed)?;
        options.query.current = Lift::lift(more.current)?;
    }
    match memory.run(env, Input::Explain(options))? {
        Output::Explained(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// All records, for a file or another host.
pub fn export_records(
    memory: &Shared,
    env: wit::Env,
    more: Option<options::ExportRecordsOptions>,
) -> Result<answers::Exported, wit::Error> {
    let mut options = ExportRecords::default();
    if let Some(more) = more {
        options.scope = Lift::lift(more.scope)?;
        options.without_vectors = Lift::lift(more.without_vectors)?;
    }
    match memory.run(env, Input::ExportRecords(options))? {
        Output::Exported { records, vectors } => {
            Ok(answers::Exported { records: records.lower(), vectors: vectors.lower() })
        }
        _ => Err(strange()),
    }
}

/// Figures of the space.
pub fn stats(memory: &Shared, env: wit::Env) -> Result<answers::Figures, wit::Error> {
    let options = Stats::default();
    match memory.run(env, Input::Stats(options))? {
        Output::Stats(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Whether something is to be said before a call.
pub fn guard(
    memory: &Shared,
    env: wit::Env,
    tool: String,
    args: String,
    more: Option<options::GuardOptions>,
) -> Result<answers::Guarded, wit::Error> {
    let mut options = Guard::default();
    options.tool = Lift::lift(tool)?;
    options.args = Lift::lift(args)?;
    if let Some(more) = more {
        options.session_id = Lift::lift(more.session_id)?;
        options.task = Lift::lift(more.task)?;
        options.scope = Lift::lift(more.scope)?;
        options.rewrite = Lift::lift(more.rewrite)?;
    }
    match memory.run(env, Input::Guard(options))? {
        Output::Guarded(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// What waits for a person.
pub fn review(
    memory: &Shared,
    env: wit::Env,
    more: Option<options::ReviewOptions>,
) -> Result<answers::Reviewed, wit::Error> {
    let mut options = Review::default();
    if let Some(more) = more {
        options.scope = Lift::lift(more.scope)?;
        options.limit = Lift::lift(more.limit)?;
    }
    match memory.run(env, Input::Review(options))? {
        Output::Reviewed { items, total } => {
            Ok(answers::Reviewed { items: items.lower(), total: total.lower() })
        }
        _ => Err(strange()),
    }
}

/// What was learned, shown and changed in the last days.
pub fn report(
    memory: &Shared,
    env: wit::Env,
    more: Option<options::ReportOptions>,
) -> Result<answers::Effect, wit::Error> {
    let mut options = Report::default();
    if let Some(more) = more {
        options.days = Lift::lift(more.days)?;
    }
    match memory.run(env, Input::Report(options))? {
        Output::Reported(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

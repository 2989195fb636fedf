//! The verbs of `wit/engine.wit` that write, each of which runs one input of the engine.
//!
//! Made by wasm/component/generate.py from the engine's source. Change that, and run it again.

use hardwon_core::op::{
    Audit, Extract, Forget, ForgetSource, Get, ImportFacts, ImportRecords, Input, Learn, Maintain, Observe,
    Output, React, Remember, Resolve, Settle, Teach, Undo,
};

use crate::exports::hardwon::memory::{answers, options, types as wit};
use crate::memory::{Shared, strange};
use crate::plain::{Lift, Lower};

/// Append events to a session's live trace.
pub fn observe(
    memory: &Shared,
    env: wit::Env,
    session_id: String,
    lines: Vec<String>,
) -> Result<u32, wit::Error> {
    let mut options = Observe::default();
    options.session_id = Lift::lift(session_id)?;
    options.lines = Lift::lift(lines)?;
    match memory.run(env, Input::Observe(options))? {
        Output::Observed { events } => Ok(events.lower()),
        _ => Err(strange()),
    }
}

/// Mine lessons from traces.
pub fn learn(
    memory: &Shared,
    env: wit::Env,
    data: Option<String>,
    more: Option<options::LearnOptions>,
) -> Result<answers::Learned, wit::Error> {
    let mut options = Learn::default();
    options.data = Lift::lift(data)?;
    if let Some(more) = more {
        options.format = Lift::lift(more.format)?;
        options.session_id = Lift::lift(more.session_id)?;
        options.observed = Lift::lift(more.observed)?;
        options.scope = Lift::lift(more.scope)?;
        options.scope_from_trace = Lift::lift(more.scope_from_trace)?;
        options.repositories = Lift::lift(more.repositories)?;
        options.model = Lift::lift(more.model)?;
        options.actor = Lift::lift(more.actor)?;
    }
    match memory.run(env, Input::Learn(options))? {
        Output::Learned(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Write a lesson by hand.
pub fn teach(
    memory: &Shared,
    env: wit::Env,
    text: String,
    more: Option<options::TeachOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Teach::default();
    options.text = Lift::lift(text)?;
    if let Some(more) = more {
        options.tools = Lift::lift(more.tools)?;
        options.tags = Lift::lift(more.tags)?;
        options.situation = Lift::lift(more.situation)?;
        options.scope = Lift::lift(more.scope)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Teach(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Write a fact, or take one back.
pub fn remember(
    memory: &Shared,
    env: wit::Env,
    text: String,
    more: Option<options::RememberOptions>,
) -> Result<answers::Remembered, wit::Error> {
    let mut options = Remember::default();
    options.text = Lift::lift(text)?;
    if let Some(more) = more {
        options.subject = Lift::lift(more.subject)?;
        options.predicate = Lift::lift(more.predicate)?;
        options.object = Lift::lift(more.object)?;
        options.cardinality = Lift::lift(more.cardinality)?;
        options.subtype = Lift::lift(more.subtype)?;
        options.scope = Lift::lift(more.scope)?;
        options.source = Lift::lift(more.source)?;
        options.reference = Lift::lift(more.reference)?;
        options.quote = Lift::lift(more.quote)?;
        options.confidence = Lift::lift(more.confidence)?;
        options.rationale = Lift::lift(more.rationale)?;
        options.freshness = Lift::lift(more.freshness)?;
        options.tags = Lift::lift(more.tags)?;
        options.valid_from = Lift::lift(more.valid_from)?;
        options.valid_to = Lift::lift(more.valid_to)?;
        options.revalidate_after = Lift::lift(more.revalidate_after)?;
        options.claimed_at = Lift::lift(more.claimed_at)?;
        options.retract = Lift::lift(more.retract)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Remember(options))? {
        Output::Remembered(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// What is wrong with the facts that are stored.
pub fn audit(
    memory: &Shared,
    env: wit::Env,
    more: Option<options::AuditOptions>,
) -> Result<answers::Audited, wit::Error> {
    let mut options = Audit::default();
    if let Some(more) = more {
        options.scope = Lift::lift(more.scope)?;
        options.fix = Lift::lift(more.fix)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Audit(options))? {
        Output::Audited(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Find the claims in a conversation, and write them.
pub fn extract(
    memory: &Shared,
    env: wit::Env,
    messages: Vec<options::Said>,
    more: Option<options::ExtractOptions>,
) -> Result<answers::Extracted, wit::Error> {
    let mut options = Extract::default();
    options.messages = Lift::lift(messages)?;
    if let Some(more) = more {
        options.session_id = Lift::lift(more.session_id)?;
        options.scope = Lift::lift(more.scope)?;
        options.model = Lift::lift(more.model)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Extract(options))? {
        Output::Extracted(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Take in facts of other memories, or edits of an export.
pub fn import_facts(
    memory: &Shared,
    env: wit::Env,
    documents: Vec<options::Document>,
    more: Option<options::ImportFactsOptions>,
) -> Result<answers::Gathered, wit::Error> {
    let mut options = ImportFacts::default();
    options.documents = Lift::lift(documents)?;
    if let Some(more) = more {
        options.format = Lift::lift(more.format)?;
        options.subtype = Lift::lift(more.subtype)?;
        options.scope = Lift::lift(more.scope)?;
        options.source = Lift::lift(more.source)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::ImportFacts(options))? {
        Output::Gathered(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Take a record back, or erase it.
pub fn forget(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    more: Option<options::ForgetOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Forget::default();
    options.id = Lift::lift(id)?;
    if let Some(more) = more {
        options.hard = Lift::lift(more.hard)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Forget(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Take back all that one source has taught.
pub fn forget_source(
    memory: &Shared,
    env: wit::Env,
    source: String,
    more: Option<options::ForgetSourceOptions>,
) -> Result<answers::Forgotten, wit::Error> {
    let mut options = ForgetSource::default();
    options.source = Lift::lift(source)?;
    if let Some(more) = more {
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::ForgetSource(options))? {
        Output::Forgotten(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Bring an archived or forgotten record back.
pub fn restore(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    more: Option<options::GetOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Get::default();
    options.id = Lift::lift(id)?;
    if let Some(more) = more {
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Restore(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Take an operation back.
pub fn undo(
    memory: &Shared,
    env: wit::Env,
    op: wit::OpId,
    more: Option<options::UndoOptions>,
) -> Result<answers::Undone, wit::Error> {
    let mut options = Undo::default();
    options.op = Lift::lift(op)?;
    if let Some(more) = more {
        options.cascade = Lift::lift(more.cascade)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Undo(options))? {
        Output::Undone(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Hold a record in place.
pub fn pin(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    more: Option<options::GetOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Get::default();
    options.id = Lift::lift(id)?;
    if let Some(more) = more {
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Pin(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Let a record go again.
pub fn unpin(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    more: Option<options::GetOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Get::default();
    options.id = Lift::lift(id)?;
    if let Some(more) = more {
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Unpin(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Evict to the cap, and write missing vectors.
pub fn maintain(
    memory: &Shared,
    env: wit::Env,
    more: Option<options::MaintainOptions>,
) -> Result<answers::Maintained, wit::Error> {
    let mut options = Maintain::default();
    if let Some(more) = more {
        options.model = Lift::lift(more.model)?;
        options.vectors = Lift::lift(more.vectors)?;
        options.actor = Lift::lift(more.actor)?;
    }
    match memory.run(env, Input::Maintain(options))? {
        Output::Maintained(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Records of an export.
pub fn import_records(
    memory: &Shared,
    env: wit::Env,
    records: Vec<wit::Record>,
    more: Option<options::ImportRecordsOptions>,
) -> Result<answers::Imported, wit::Error> {
    let mut options = ImportRecords::default();
    options.records = Lift::lift(records)?;
    if let Some(more) = more {
        options.vectors = Lift::lift(more.vectors)?;
        options.actor = Lift::lift(more.actor)?;
    }
    match memory.run(env, Input::ImportRecords(options))? {
        Output::Imported { inserted, merged, unchanged, refused, op } => Ok(answers::Imported {
            inserted: inserted.lower(),
            merged: merged.lower(),
            unchanged: unchanged.lower(),
            refused: refused.lower(),
            op: op.lower(),
        }),
        _ => Err(strange()),
    }
}

/// What the memory says to a message of other agents.
pub fn react(
    memory: &Shared,
    env: wit::Env,
    message: options::Message,
    more: Option<options::ReactOptions>,
) -> Result<answers::Opinion, wit::Error> {
    let mut options = React::default();
    options.message = Lift::lift(message)?;
    if let Some(more) = more {
        options.about = Lift::lift(more.about)?;
        options.before = Lift::lift(more.before)?;
        options.intent = Lift::lift(more.intent)?;
        options.memories = Lift::lift(more.memories)?;
        options.counted = Lift::lift(more.counted)?;
        options.scope = Lift::lift(more.scope)?;
        options.model = Lift::lift(more.model)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::React(options))? {
        Output::Reacted(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// What came of showing a record, as a person or the host says.
pub fn settle(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    outcome: wit::Settlement,
    more: Option<options::SettleOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Settle::default();
    options.id = Lift::lift(id)?;
    options.outcome = Lift::lift(outcome)?;
    if let Some(more) = more {
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Settle(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Keep a record from speaking at calls.
pub fn mute(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    more: Option<options::GetOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Get::default();
    options.id = Lift::lift(id)?;
    if let Some(more) = more {
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Mute(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// Let it speak again.
pub fn unmute(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    more: Option<options::GetOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Get::default();
    options.id = Lift::lift(id)?;
    if let Some(more) = more {
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Unmute(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

/// A person's answer to it.
pub fn resolve(
    memory: &Shared,
    env: wit::Env,
    id: wit::RecordId,
    choice: wit::Choice,
    more: Option<options::ResolveOptions>,
) -> Result<answers::Written, wit::Error> {
    let mut options = Resolve::default();
    options.id = Lift::lift(id)?;
    options.choice = Lift::lift(choice)?;
    if let Some(more) = more {
        options.by = Lift::lift(more.by)?;
        options.actor = Lift::lift(more.actor)?;
        options.reason = Lift::lift(more.reason)?;
    }
    match memory.run(env, Input::Resolve(options))? {
        Output::Written(answer) => Ok(answer.lower()),
        _ => Err(strange()),
    }
}

//! The handles of `wit/engine.wit`, whose methods are the verbs.
//!
//! Made by wasm/component/generate.py from the engine's source. Change that, and run it again.

use crate::Component;
use crate::exports::hardwon::memory::engine::{self as api, Guest, Setup};
use crate::exports::hardwon::memory::{answers, options, types as wit};
use crate::memory::{Reader, Space};
use crate::verbs::{reads, writes};

impl Guest for Component {
    type Space = Space;
    type Reader = Reader;
}

impl api::GuestSpace for Space {
    fn open(store: Option<api::Store>, setup: Option<Setup>) -> Result<api::Space, wit::Error> {
        Self::open_store(store, setup).map(api::Space::new)
    }

    fn open_snapshot(snapshot: Vec<u8>, setup: Option<Setup>) -> Result<api::Space, wit::Error> {
        Self::open_bytes(snapshot, setup).map(api::Space::new)
    }

    fn snapshot(&self) -> Result<Vec<u8>, wit::Error> {
        self.0.snapshot()
    }

    fn reader(&self) -> api::Reader {
        api::Reader::new(Reader(self.0.clone()))
    }

    fn observe(&self, env: wit::Env, session_id: String, lines: Vec<String>) -> Result<u32, wit::Error> {
        writes::observe(&self.0, env, session_id, lines)
    }

    fn learn(
        &self,
        env: wit::Env,
        data: Option<String>,
        more: Option<options::LearnOptions>,
    ) -> Result<answers::Learned, wit::Error> {
        writes::learn(&self.0, env, data, more)
    }

    fn teach(
        &self,
        env: wit::Env,
        text: String,
        more: Option<options::TeachOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::teach(&self.0, env, text, more)
    }

    fn remember(
        &self,
        env: wit::Env,
        text: String,
        more: Option<options::RememberOptions>,
    ) -> Result<answers::Remembered, wit::Error> {
        writes::remember(&self.0, env, text, more)
    }

    fn facts(
        &self,
        env: wit::Env,
        subject: String,
        predicate: String,
        more: Option<options::FactsOptions>,
    ) -> Result<answers::Listed, wit::Error> {
        reads::facts(&self.0, env, subject, predicate, more)
    }

    fn audit(
        &self,
        env: wit::Env,
        more: Option<options::AuditOptions>,
    ) -> Result<answers::Audited, wit::Error> {
        writes::audit(&self.0, env, more)
    }

    fn extract(
        &self,
        env: wit::Env,
        messages: Vec<options::Said>,
        more: Option<options::ExtractOptions>,
    ) -> Result<answers::Extracted, wit::Error> {
        writes::extract(&self.0, env, messages, more)
    }

    fn import_facts(
        &self,
        env: wit::Env,
        documents: Vec<options::Document>,
        more: Option<options::ImportFactsOptions>,
    ) -> Result<answers::Gathered, wit::Error> {
        writes::import_facts(&self.0, env, documents, more)
    }

    fn export_facts(
        &self,
        env: wit::Env,
        more: Option<options::ExportFactsOptions>,
    ) -> Result<answers::FactsWritten, wit::Error> {
        reads::export_facts(&self.0, env, more)
    }

    fn recall(
        &self,
        env: wit::Env,
        task: String,
        more: Option<options::RecallOptions>,
    ) -> Result<answers::Recalled, wit::Error> {
        reads::recall(&self.0, env, task, more)
    }

    fn get(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        more: Option<options::GetOptions>,
    ) -> Result<wit::Record, wit::Error> {
        reads::get(&self.0, env, id, more)
    }

    fn list(&self, env: wit::Env, more: Option<options::ListOptions>) -> Result<answers::Listed, wit::Error> {
        reads::list(&self.0, env, more)
    }

    fn forget(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        more: Option<options::ForgetOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::forget(&self.0, env, id, more)
    }

    fn forget_source(
        &self,
        env: wit::Env,
        source: String,
        more: Option<options::ForgetSourceOptions>,
    ) -> Result<answers::Forgotten, wit::Error> {
        writes::forget_source(&self.0, env, source, more)
    }

    fn restore(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        more: Option<options::GetOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::restore(&self.0, env, id, more)
    }

    fn undo(
        &self,
        env: wit::Env,
        op: wit::OpId,
        more: Option<options::UndoOptions>,
    ) -> Result<answers::Undone, wit::Error> {
        writes::undo(&self.0, env, op, more)
    }

    fn history(
        &self,
        env: wit::Env,
        id: Option<wit::RecordId>,
        more: Option<options::HistoryOptions>,
    ) -> Result<Vec<answers::HistoryEntry>, wit::Error> {
        reads::history(&self.0, env, id, more)
    }

    fn explain(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        task: String,
        more: Option<options::RecallOptions>,
    ) -> Result<answers::Explained, wit::Error> {
        reads::explain(&self.0, env, id, task, more)
    }

    fn pin(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        more: Option<options::GetOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::pin(&self.0, env, id, more)
    }

    fn unpin(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        more: Option<options::GetOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::unpin(&self.0, env, id, more)
    }

    fn maintain(
        &self,
        env: wit::Env,
        more: Option<options::MaintainOptions>,
    ) -> Result<answers::Maintained, wit::Error> {
        writes::maintain(&self.0, env, more)
    }

    fn export_records(
        &self,
        env: wit::Env,
        more: Option<options::ExportRecordsOptions>,
    ) -> Result<answers::Exported, wit::Error> {
        reads::export_records(&self.0, env, more)
    }

    fn import_records(
        &self,
        env: wit::Env,
        records: Vec<wit::Record>,
        more: Option<options::ImportRecordsOptions>,
    ) -> Result<answers::Imported, wit::Error> {
        writes::import_records(&self.0, env, records, more)
    }

    fn stats(&self, env: wit::Env) -> Result<answers::Figures, wit::Error> {
        reads::stats(&self.0, env)
    }

    fn guard(
        &self,
        env: wit::Env,
        tool: String,
        args: String,
        more: Option<options::GuardOptions>,
    ) -> Result<answers::Guarded, wit::Error> {
        reads::guard(&self.0, env, tool, args, more)
    }

    fn react(
        &self,
        env: wit::Env,
        message: options::Message,
        more: Option<options::ReactOptions>,
    ) -> Result<answers::Opinion, wit::Error> {
        writes::react(&self.0, env, message, more)
    }

    fn settle(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        outcome: wit::Settlement,
        more: Option<options::SettleOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::settle(&self.0, env, id, outcome, more)
    }

    fn mute(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        more: Option<options::GetOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::mute(&self.0, env, id, more)
    }

    fn unmute(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        more: Option<options::GetOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::unmute(&self.0, env, id, more)
    }

    fn review(
        &self,
        env: wit::Env,
        more: Option<options::ReviewOptions>,
    ) -> Result<answers::Reviewed, wit::Error> {
        reads::review(&self.0, env, more)
    }

    fn resolve(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        choice: wit::Choice,
        more: Option<options::ResolveOptions>,
    ) -> Result<answers::Written, wit::Error> {
        writes::resolve(&self.0, env, id, choice, more)
    }

    fn report(
        &self,
        env: wit::Env,
        more: Option<options::ReportOptions>,
    ) -> Result<answers::Effect, wit::Error> {
        reads::report(&self.0, env, more)
    }
}

impl api::GuestReader for Reader {
    fn facts(
        &self,
        env: wit::Env,
        subject: String,
        predicate: String,
        more: Option<options::FactsOptions>,
    ) -> Result<answers::Listed, wit::Error> {
        reads::facts(&self.0, env, subject, predicate, more)
    }

    fn export_facts(
        &self,
        env: wit::Env,
        more: Option<options::ExportFactsOptions>,
    ) -> Result<answers::FactsWritten, wit::Error> {
        reads::export_facts(&self.0, env, more)
    }

    fn recall(
        &self,
        env: wit::Env,
        task: String,
        more: Option<options::RecallOptions>,
    ) -> Result<answers::Recalled, wit::Error> {
        reads::recall(&self.0, env, task, more)
    }

    fn get(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        more: Option<options::GetOptions>,
    ) -> Result<wit::Record, wit::Error> {
        reads::get(&self.0, env, id, more)
    }

    fn list(&self, env: wit::Env, more: Option<options::ListOptions>) -> Result<answers::Listed, wit::Error> {
        reads::list(&self.0, env, more)
    }

    fn history(
        &self,
        env: wit::Env,
        id: Option<wit::RecordId>,
        more: Option<options::HistoryOptions>,
    ) -> Result<Vec<answers::HistoryEntry>, wit::Error> {
        reads::history(&self.0, env, id, more)
    }

    fn explain(
        &self,
        env: wit::Env,
        id: wit::RecordId,
        task: String,
        more: Option<options::RecallOptions>,
    ) -> Result<answers::Explained, wit::Error> {
        reads::explain(&self.0, env, id, task, more)
    }

    fn export_records(
        &self,
        env: wit::Env,
        more: Option<options::ExportRecordsOptions>,
    ) -> Result<answers::Exported, wit::Error> {
        reads::export_records(&self.0, env, more)
    }

    fn stats(&self, env: wit::Env) -> Result<answers::Figures, wit::Error> {
        reads::stats(&self.0, env)
    }

    fn guard(
        &self,
        env: wit::Env,
        tool: String,
        args: String,
        more: Option<options::GuardOptions>,
    ) -> Result<answers::Guarded, wit::Error> {
        reads::guard(&self.0, env, tool, args, more)
    }

    fn review(
        &self,
        env: wit::Env,
        more: Option<options::ReviewOptions>,
    ) -> Result<answers::Reviewed, wit::Error> {
        reads::review(&self.0, env, more)
    }

    fn report(
        &self,
        env: wit::Env,
        more: Option<options::ReportOptions>,
    ) -> Result<answers::Effect, wit::Error> {
        reads::report(&self.0, env, more)
    }
}

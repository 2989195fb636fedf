//! `maintain`: hold the cap and write the vectors that are missing, a bounded number a call.

use alloc::vec::Vec;

use super::context::{Context, Decide, Decision, Stop};
use super::editor::Editor;
use super::input::Maintain;
use super::output::{Maintained, Output};
use crate::change::Delta;
use crate::learn::{Words, hold_cap};
use crate::record::{Record, Status};

pub(crate) struct MaintainVerb(pub(crate) Maintain);

impl Decide for MaintainVerb {
    fn decide(&self, cx: &Context<'_>) -> Result<Decision, Stop> {
        let mut ed = Editor::new(*cx);
        let mut words = Words::new(*cx, self.0.model);
        let left = hold_cap(&mut ed, &mut words)?;
        words.ask()?;
        let (embedded, missing) = self.backfill(&mut ed)?;
        let report = Maintained {
            archived: left.archived,
            summaries: left.summaries,
            embedded,
            missing,
            model: words.report(),
            op: ed.op(),
        };
        let mut decision = ed.finish(Output::Maintained(report));
        decision.actor.clone_from(&self.0.actor);
        Ok(decision)
    }
}

impl MaintainVerb {
    fn backfill(&self, ed: &mut Editor<'_>) -> Result<(u32, u32), Stop> {
        let Some(info) = ed.cx.ports.embedder.info() else { return Ok((0, 0)) };
        let view = ed.cx.view;
        let bare = |record: &&Record| record.status == Status::Active && !view.is_embedded(record.id);
        let waiting: Vec<&Record> = view.records().filter(bare).collect();
        let batch =
            if self.0.vectors == 0 { waiting.len() } else { (self.0.vectors as usize).min(waiting.len()) };
        let texts: Vec<&str> = waiting.iter().take(batch).map(|record| record.text.as_str()).collect();
        let vectors = ed.cx.vectors(&texts)?;
        for (record, vector) in waiting.iter().zip(vectors) {
            if let Some(vector) = vector {
                ed.push(record.id, Delta::Vector { embedder: info.id.clone(), vector })?;
            }
        }
        Ok((batch as u32, (waiting.len() - batch) as u32))
    }
}

//! Corrections: what a person asked for right after an answer.
//!
//! Decides which messages are corrections of work that was done. An answer to the agent's question is none, and only
//! an instruction becomes a lesson.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::learn::correction::correction;
use crate::learn::run::Run;
use crate::learn::signature::{Known, mask_values};
use crate::learn::template;
use crate::trace::{Body, ResultStatus};

/// What a person corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Corrected {
    /// The instruction, in one line.
    pub(crate) text: String,
    /// The shape of the last call before the answer that did something.
    pub(crate) trigger: String,
    /// The tool of that call.
    pub(crate) tool: String,
    /// Index of the event of the person's message.
    pub(crate) event: usize,
}

/// Every correction of a run that says how to do it.
pub(crate) fn corrections(run: &Run<'_>) -> Vec<Corrected> {
    let mut out = Vec::new();
    let mut answer: Option<&str> = None;
    let mut calls = 0;
    for (at, event) in run.trace.events.iter().enumerate() {
        match &event.body {
            Body::Final { text } | Body::Thought { text } if !text.trim().is_empty() => answer = Some(text),
            Body::ToolCall(_) => {
                calls += 1;
                answer = None;
            }
            Body::User { text } => {
                let answered = answer.take().is_some_and(|answer| !asks(answer));
                out.extend(answered.then(|| corrected(run, calls, text, at)).flatten());
            }
            _ => {}
        }
    }
    out
}

/// Whether an answer ends with a question, so that what follows answers it.
fn asks(answer: &str) -> bool {
    let end = answer.trim_end().rsplit('\n').next().unwrap_or("");
    end.contains(['?', '？'])
}

fn corrected(run: &Run<'_>, calls: usize, text: &str, event: usize) -> Option<Corrected> {
    let instruction = correction(text)?.instruction?;
    let last = run.calls[..calls].iter().rev().find(|call| call.tool.result.status == ResultStatus::Ok)?;
    let text = template::corrected(&mask_values(instruction, &Known::default()));
    // What is left when values are gone must still say something.
    let telling = text.split_whitespace().count() >= 3 || text.chars().any(|c| c as u32 > 0x2e80);
    telling.then(|| Corrected {
        text,
        trigger: last.shape().to_string(),
        tool: last.tool.name.clone(),
        event,
    })
}

#[cfg(test)]
mod tests {
    use crate::learn::testing::run;
    use crate::record::Subtype;
    use serde_json::json;

    #[test]
    fn a_correction_after_an_answer_is_a_lesson_without_values() {
        let script = run("s")
            .task("Write the report")
            .ok("write_file", json!({ "path": "report.md" }), "written")
            .says("I have written the report.")
            .user("No, use the template for reports. My number is 5550123.");
        let draft = script.draft();
        assert_eq!(draft.subtype, Subtype::Correction);
        assert_eq!(draft.text, "Use the template for reports");
        assert_eq!(draft.trigger, "write_file | path:path");
        assert!(!draft.key.contains("5550123"));
    }

    #[test]
    fn an_answer_to_a_question_and_a_new_task_are_none() {
        let base = || run("s").task("Book it").ok("look", json!({}), "x");
        for script in [
            base().says("Shall I use the card?").user("No, use the other card I have."),
            base().says("Done.").user("Now use the template for the next one"),
            base().user("No, use the template for it"),
        ] {
            let drafts = script.mined().drafts;
            assert!(drafts.iter().all(|draft| draft.subtype != Subtype::Correction), "{drafts:#?}");
        }
    }
}

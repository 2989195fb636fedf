//! Whose words a new lesson is in: what was asked of the host's model so far, and what is still to be asked.
//!
//! Decides which drafts a model is asked about. Never decides what a lesson may do: a model's words stand for a wording
//! that is there without them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Answer, draft_prompt, draft_prompts, judge, source};
use crate::gate;
use crate::learn::Draft;
use crate::op::{Context, Stop, Worded};
use crate::record::Subtype;
use crate::step::{Completion, Request};

/// The longest name of a model that is recorded, in bytes.
const NAME: usize = 100;

/// What a draft is to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// Its fixed wording, and nothing else.
    Fixed,
    /// Its fixed wording in these words of this model.
    Words {
        /// The text.
        text: String,
        /// Who wrote it.
        model: String,
    },
    /// Nothing: the model sees no lesson in it.
    Nothing,
}

/// The model's part in one operation. Where it is off, every draft says its fixed wording.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    cx: Context<'a>,
    is_on: bool,
    asked: BTreeSet<String>,
    missing: Vec<String>,
    worded: u32,
    unused: BTreeMap<String, u32>,
}

impl<'a> Words<'a> {
    /// With a model where `is_on`.
    pub(crate) fn new(cx: Context<'a>, is_on: bool) -> Self {
        let is_on = is_on && !cx.known.model.is_missing;
        Self { cx, is_on, asked: BTreeSet::new(), missing: Vec::new(), worded: 0, unused: BTreeMap::new() }
    }

    /// What a draft is to say that begins a lesson. One that nobody was asked about yet is noted, and says its fixed
    /// wording until then.
    pub(crate) fn of(&mut self, draft: &Draft) -> Said {
        // A summary of a run is a count, and stays one.
        if !self.is_on || draft.subtype == Subtype::Postmortem {
            return Said::Fixed;
        }
        let prompt = gate::redact(&draft_prompt(draft)).into_owned();
        let cap = self.cx.policy.learn.token_cap;
        let text = match self.answer(prompt) {
            None => return Said::Fixed,
            Some(Completion::Text(text)) => text,
            Some(Completion::Failed(_)) => {
                *self.unused.entry("call_failed".into()).or_default() += 1;
                return Said::Fixed;
            }
        };
        match judge(text, &source(draft), |text| self.cx.over(text, cap)) {
            Answer::Text(text) => {
                self.worded += 1;
                Said::Words { text, model: self.name() }
            }
            Answer::NoLesson => Said::Nothing,
            Answer::Unused(reason) => {
                *self.unused.entry(reason.to_string()).or_default() += 1;
                Said::Fixed
            }
        }
    }

    /// The prompts that nobody was asked about yet, as one request.
    pub(crate) fn ask(&mut self) -> Result<(), Stop> {
        let prompts = core::mem::take(&mut self.missing);
        if prompts.is_empty() {
            return Ok(());
        }
        Err(Stop::Need(Request::Complete(draft_prompts(prompts, self.cx.policy.learn.token_cap))))
    }

    /// What came of it; `None` where no model was asked.
    pub(crate) fn report(self) -> Option<Worded> {
        let asked = self.asked.len() as u32;
        (asked > 0).then(|| Worded { model: self.name(), asked, worded: self.worded, unused: self.unused })
    }

    fn answer(&mut self, prompt: String) -> Option<&'a Completion> {
        let found = self.cx.known.model.get(&prompt);
        let room = self.asked.len() < self.cx.policy.learn.model_calls as usize;
        if !self.asked.contains(&prompt) && (found.is_some() || room) {
            if found.is_none() {
                self.missing.push(prompt.clone());
            }
            self.asked.insert(prompt);
        }
        found
    }

    fn name(&self) -> String {
        let name = gate::redact(&self.cx.known.model.name);
        let mut end = name.len().min(NAME);
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        name[..end].to_string()
    }
}

//! Whose words a new lesson is in: what was asked of the host's model so far, and what is still to be asked.
//!
//! Decides which drafts a model is asked about. Never decides what a lesson may do: a model's words stand for a wording
//! that is there without them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{
    Answer, Source, draft_prompt, draft_prompts, judge, source, summary_prompt, summary_prompts,
    summary_source,
};
use crate::gate;
use crate::learn::Draft;
use crate::learn::template::clip_str;
use crate::op::{Context, Stop, Worded};
use crate::record::{Record, Subtype};
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

/// What a group of lessons leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Summed {
    /// This text by this model.
    Words {
        /// The text.
        text: String,
        /// Who wrote it.
        model: String,
    },
    /// It is being asked.
    Asked,
    /// No summary.
    Nothing,
}

/// The model's part in one operation. Where it is off, every draft says its fixed wording.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    cx: Context<'a>,
    is_on: bool,
    asked: BTreeSet<String>,
    drafts: Vec<String>,
    groups: Vec<String>,
    worded: u32,
    unused: BTreeMap<String, u32>,
}

impl<'a> Words<'a> {
    /// With a model where `is_on`.
    pub(crate) fn new(cx: Context<'a>, is_on: bool) -> Self {
        let is_on = is_on && !cx.known.model.is_missing;
        Self {
            cx,
            is_on,
            asked: BTreeSet::new(),
            drafts: Vec::new(),
            groups: Vec::new(),
            worded: 0,
            unused: BTreeMap::new(),
        }
    }

    /// What a draft is to say that begins a lesson. One that nobody was asked about yet is noted, and says its fixed
    /// wording until then.
    pub(crate) fn of(&mut self, draft: &Draft) -> Said {
        // A summary of a run is a count, and stays one.
        if !self.is_on || draft.subtype == Subtype::Postmortem {
            return Said::Fixed;
        }
        let prompt = gate::redact(&draft_prompt(draft)).into_owned();
        let Some(answer) = self.known(&prompt) else {
            if self.may_ask(&prompt) {
                self.drafts.push(prompt);
            }
            return Said::Fixed;
        };
        match self.judged(answer, &source(draft)) {
            Answer::Text(text) => Said::Words { text, model: self.name() },
            Answer::NoLesson => Said::Nothing,
            Answer::Unused(_) => Said::Fixed,
        }
    }

    /// Whether a model may be asked at all.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// What a group of lessons leaves that go together.
    pub(crate) fn of_group(&mut self, members: &[&Record]) -> Summed {
        let prompt = gate::redact(&summary_prompt(members)).into_owned();
        match self.known(&prompt) {
            Some(answer) => match self.judged(answer, &summary_source(members)) {
                Answer::Text(text) => Summed::Words { text, model: self.name() },
                Answer::NoLesson | Answer::Unused(_) => Summed::Nothing,
            },
            None if self.may_ask(&prompt) => {
                self.groups.push(prompt);
                Summed::Asked
            }
            None => Summed::Nothing,
        }
    }

    /// The prompts that nobody was asked about yet, as one request.
    pub(crate) fn ask(&mut self) -> Result<(), Stop> {
        let cap = self.cx.policy.learn.token_cap;
        let (drafts, groups) = (core::mem::take(&mut self.drafts), core::mem::take(&mut self.groups));
        match (drafts.is_empty(), groups.is_empty()) {
            (false, _) => Err(Stop::Need(Request::Complete(draft_prompts(drafts, cap)))),
            (true, false) => Err(Stop::Need(Request::Complete(summary_prompts(groups, cap)))),
            (true, true) => Ok(()),
        }
    }

    /// What came of it; `None` where no model was asked.
    pub(crate) fn report(self) -> Option<Worded> {
        let asked = self.asked.len() as u32;
        (asked > 0).then(|| Worded { model: self.name(), asked, worded: self.worded, unused: self.unused })
    }

    /// What was answered to a prompt, once it was asked.
    fn known(&mut self, prompt: &str) -> Option<&'a Completion> {
        let found = self.cx.known.model.get(prompt)?;
        self.asked.insert(prompt.to_string());
        Some(found)
    }

    /// Whether one more prompt may be asked, which counts it.
    fn may_ask(&mut self, prompt: &str) -> bool {
        let has_room = self.asked.len() < self.cx.policy.learn.model_calls as usize;
        has_room && self.asked.insert(prompt.to_string())
    }

    /// What becomes of an answer, counted.
    fn judged(&mut self, answer: &Completion, source: &Source) -> Answer {
        let cap = self.cx.policy.learn.token_cap;
        let Completion::Text(text) = answer else {
            *self.unused.entry("call_failed".into()).or_default() += 1;
            return Answer::Unused("call_failed");
        };
        let answer = judge(text, source, |text| self.cx.over(text, cap));
        match &answer {
            Answer::Text(_) => self.worded += 1,
            Answer::NoLesson => {}
            Answer::Unused(reason) => *self.unused.entry((*reason).to_string()).or_default() += 1,
        }
        answer
    }

    fn name(&self) -> String {
        clip_str(&gate::redact(&self.cx.known.model.name), NAME).to_string()
    }
}
